// Other people's programs before they are started: allowed, shown, and remembered.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/external/program.hpp"

namespace bellmark::run {

/// Refuses programs that a file defines which did not come with Bellmark, unless they are
/// `allowed`; those of the command line are the user's own word. Starts nothing. Throws InputError.
void refuse_foreign(const std::vector<external::Program>& programs, bool allowed);

/// Prints what is about to be started, asks each for its version, and remembers that this user
/// started it.
void begin_programs(std::vector<external::Program>& programs);

/// Of a run that is gone on with. Throws InputError when an executable is another one than the run
/// began with, and when this user never started it, unless that is `allowed`.
void allow_resumed(const std::vector<external::Program>& programs,
                   const std::filesystem::path& folder, bool allowed);

}  // namespace bellmark::run
