// Other people's programs before their start: allowed, shown, and remembered.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/external/program.hpp"

namespace bellmark::run {

/// Refuses programs that come from a file outside Bellmark, unless they are `allowed`. Programs of
/// the command line are the user's own word. Starts nothing. Throws InputError.
void refuse_foreign(const std::vector<external::Program>& programs, bool allowed);

/// Prints each program that is about to start, asks it for its version, and remembers that this
/// user started it.
void begin_programs(std::vector<external::Program>& programs);

/// Checks the programs of a resumed run. Throws InputError when an executable is not the one that
/// the run began with. Also throws when this user never started it, unless that is `allowed`.
void allow_resumed(const std::vector<external::Program>& programs,
                   const std::filesystem::path& folder, bool allowed);

}  // namespace bellmark::run
