// Programs that the command line describes or places.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/experiment_options.hpp"
#include "harness/external/program.hpp"

namespace bellmark::cli {

/// The program of `--command`, with the flags beside it. An axis that its words mention becomes a
/// setting. Its name comes from its executable, and differs from the names in `before`. Throws
/// InputError.
external::Program program_of(const std::string& line, const std::vector<external::Program>& before,
                             const ExperimentFlags& flags, const std::vector<plan::Axis>& axes);

/// The programs that these variants name, from Bellmark's own and those of `files`, each at its
/// place in `homes`. They are families after the call. None if no variant names `external`. Throws
/// InputError.
std::vector<external::Program> named_programs(const std::vector<std::string>& variants,
                                              const std::vector<std::string>& files,
                                              const std::vector<std::string>& homes);

/// Puts the programs into the folders of `--program NAME=FOLDER`, and makes their families again.
/// Throws InputError.
void place_programs(std::vector<external::Program>& programs,
                    const std::vector<std::string>& homes);

}  // namespace bellmark::cli
