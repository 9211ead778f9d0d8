// The declaration of a command: one function in a file of its own, and one line in commands.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace CLI {
class App;
}

namespace bellmark::cli {

/// The words that the program was started with. They are stored with every result.
using Argv = std::vector<std::string>;

/// The work of a command, after its options are read. Throws bellmark::Error.
using Action = std::function<ExitCode(const Argv& argv)>;

struct Command {
  std::string name;
  std::string help;    ///< a sentence without its stop, verb first; "" hides the command
  std::string footer;  ///< notes, and examples: lines of two blanks and `bellmark` (help.hpp)
  /// Declares the options, and returns the action, which keeps them. None if one of `commands` must
  /// follow.
  std::function<Action(CLI::App& app)> declare;
  std::vector<Command> commands = {};
  std::string group = "Commands";  ///< its heading in the help of the command above
};

/// The same command under this heading.
Command in_group(std::string group, Command command);

/// Adds a command with its subcommands. `code` gets the result of its action. `argv` and `code`
/// must outlive the parsing.
void add_command(CLI::App& parent, const Command& command, const Argv& argv, ExitCode& code);

/// The fault of the first word that is not a command, with the nearest command; "" when all are.
std::string unknown_command(const CLI::App& app, const Argv& argv);

/// The fault of the first option that parsing did not take.
std::string unknown_option(const CLI::App& app);

/// The command that parsing reached: `bellmark graph make`, or `bellmark` before the first.
std::string parsed_command(const CLI::App& app);

}  // namespace bellmark::cli
