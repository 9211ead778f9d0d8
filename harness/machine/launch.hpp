// The start of the ranks of a distributed search: a launcher's words, then the program of one rank.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bellmark::machine {

/// `bellmark-worker-mpi` beside this program.
std::filesystem::path rank_program();

/// Why no rank can be started; "" when one can.
std::string rank_program_absence();

/// Why a launch can't start; "" when it can. Its launcher's first word must be a program, too.
std::string launch_absence(const std::vector<std::string>& launcher);

/// The whole command of a launch. Throws UnmetError with launch_absence().
std::vector<std::string> launch_words(const std::vector<std::string>& launcher);

}  // namespace bellmark::machine
