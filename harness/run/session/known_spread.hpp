// The spread of this machine's blocks, from an earlier run.
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
/// and processor. Of its placements the coarsest counts. Nothing if none of the eight newest runs
/// did. Results that can't be read are passed over.
std::optional<KnownSpread> newest_spread(const std::filesystem::path& root);

}  // namespace bellmark::run
