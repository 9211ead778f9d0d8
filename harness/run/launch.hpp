// How the ranks of a distributed search are started: a launcher's words, then the program that is
// one rank.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bellmark::run {

/// `bellmark-worker-mpi` beside this program.
std::filesystem::path rank_program();

/// Why no rank can be started; "" when one can.
std::string rank_program_absence();

/// The whole command of a launch. Throws InputError when the launcher's first word is no program.
std::vector<std::string> launch_words(const std::vector<std::string>& launcher);

}  // namespace bellmark::run
