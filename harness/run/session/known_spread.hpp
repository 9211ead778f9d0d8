// How much this machine's blocks differ by themselves, as an earlier run found it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bellmark::run {

struct KnownSpread {
  double log_deviation = 0;  ///< standard deviation over blocks of log(baseline / baseline)
  std::string file;          ///< the result that measured it
};

/// The spread of the newest finished run below `root` that measured a baseline twice on this host
/// and processor; of its placements the coarsest. Nothing where none of the eight newest did.
/// Results that can't be read are passed over.
std::optional<KnownSpread> newest_spread(const std::filesystem::path& root);

}  // namespace bellmark::run
