// Programs that the command line describes or places.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/experiment_options.hpp"
#include "harness/external/program.hpp"

namespace bellmark::cli {

/// What `--command` says, with the flags beside it. An axis that its words mention becomes a
/// setting; it is named after its executable, and apart from those `before`. Throws InputError.
external::Program program_of(const std::string& line, const std::vector<external::Program>& before,
                             const ExperimentFlags& flags, const std::vector<plan::Axis>& axes);

/// Of the programs that came with Bellmark and those of `files` the ones that these variants name,
/// each where `homes` says that it is; all of them are families from here on. None where no variant
/// speaks of `external`. Throws InputError.
std::vector<external::Program> named_programs(const std::vector<std::string>& variants,
                                              const std::vector<std::string>& files,
                                              const std::vector<std::string>& homes);

/// Puts the programs where `--program NAME=FOLDER` says that they are, and makes their families
/// anew. Throws InputError.
void place_programs(std::vector<external::Program>& programs,
                    const std::vector<std::string>& homes);

}  // namespace bellmark::cli
