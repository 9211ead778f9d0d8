// How a command is declared: one function in a file of its own, and one line in commands.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace CLI {
class App;
}

namespace bellmark::cli {

/// The words that the program was started with; they are stored with every result.
using Argv = std::vector<std::string>;

/// The work of a command, once its options are read. Throws bellmark::Error.
using Action = std::function<ExitCode(const Argv& argv)>;

struct Command {
  std::string name;
  std::string help;    ///< a sentence without its stop, verb first; "" hides the command
  std::string footer;  ///< notes, and examples: lines of two blanks and `bellmark` (help.hpp)
  /// Declares the options. The action, which keeps them, comes back. None where one of `commands`
  /// must follow.
  std::function<Action(CLI::App& app)> declare;
  std::vector<Command> commands = {};
  std::string group = "Commands";  ///< the heading in the help of what stands above
};

/// The same command below this heading.
Command in_group(std::string group, Command command);

/// Adds a command with all below it. What its action returns is left in `code`; `argv` and `code`
/// must outlive the parsing.
void add_command(CLI::App& parent, const Command& command, const Argv& argv, ExitCode& code);

/// Says which of the words is no command, and the nearest that is one; "" when all are.
std::string unknown_command(const CLI::App& app, const Argv& argv);

/// The same of the first option that parsing left over.
std::string unknown_option(const CLI::App& app);

}  // namespace bellmark::cli
