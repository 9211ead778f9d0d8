// The start of the ranks of a distributed search: a launcher's words, then the program of one rank.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bellmark::machine {

/// The path of a rank's program: `bellmark-worker-mpi` beside `bellmark`, which is a path of that
/// program in a build. "" stands for this program, here and below.
std::filesystem::path rank_program(const std::string& bellmark = {});

/// Why no rank of a build can be started; "" when one can.
std::string rank_program_absence(const std::string& bellmark = {});

/// Why a launch can't start; "" when it can. Its launcher's first word must be a program, too.
std::string launch_absence(const std::vector<std::string>& launcher,
                           const std::string& bellmark = {});

/// The whole command of a launch. Throws UnmetError with launch_absence().
std::vector<std::string> launch_words(const std::vector<std::string>& launcher,
                                      const std::string& bellmark = {});

}  // namespace bellmark::machine
