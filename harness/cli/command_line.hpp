// The whole command line: the commands' declarations read the words, and one action runs.
#pragma once

#include <iosfwd>
#include <vector>

#include "harness/cli/command.hpp"

namespace bellmark::cli {

/// Reads the words, the program's name first, and does their work. Help and the version are printed
/// to `out`. Throws InputError on unknown or missing words, and on words that are not UTF-8, except
/// for `graph`. Otherwise throws the action's errors.
ExitCode run_words(const std::vector<Command>& commands, Argv words, std::ostream& out);

}  // namespace bellmark::cli
