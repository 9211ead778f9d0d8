// A tuning from a variant and a budget to the settings that stand.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "harness/tune/laboratory.hpp"

namespace bellmark::tune {

/// Held-out queries have the seed that comes after the training seed, or one of so many more.
inline constexpr std::uint64_t kSeedTries = 64;

/// Searches settings on training queries, judges the find on held-out ones, prints both to `out`
/// and writes the tuned spec. `argv` is stored with every run. Throws Error.
ExitCode tune_variant(const Request& request, const std::vector<std::string>& argv,
                      std::ostream& out);

}  // namespace bellmark::tune
