// A tuning: from a variant and a budget to the winning settings.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/tune/laboratory.hpp"

namespace bellmark::tune {

/// Held-out queries have the seed after the training seed, or one of this many more.
inline constexpr std::uint64_t kSeedTries = 64;

/// Searches settings on training queries, judges the winner on held-out queries, prints both to
/// `out` and writes the tuned experiment. Every run stores `argv`. Throws Error.
ExitCode tune_variant(const Request& request, const std::vector<std::string>& argv,
                      std::ostream& out);

}  // namespace bellmark::tune
