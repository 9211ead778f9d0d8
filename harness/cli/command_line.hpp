// The whole command line: words are read by the commands' declarations, and one action is done.
#pragma once

#include <iosfwd>
#include <vector>

#include "harness/cli/command.hpp"

namespace bellmark::cli {

/// Reads the words, the program's name first, and does what they ask. Help and the version are
/// printed to `out`. Throws InputError on words that are no UTF-8, which but for `graph` all must
/// be, and on unknown or missing ones; else what the action throws.
ExitCode run_words(const std::vector<Command>& commands, Argv words, std::ostream& out);

}  // namespace bellmark::cli
