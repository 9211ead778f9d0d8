// The main program of `bellmark` and of labs.
#pragma once

#include <vector>

#include "harness/cli/command.hpp"

namespace bellmark::cli {

/// Runs the command that the words name, and returns its exit code. Every error becomes a line on
/// standard error.
int run_program(const std::vector<Command>& commands, int argc, char** argv);

}  // namespace bellmark::cli
