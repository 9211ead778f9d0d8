#include "harness/cli/command.hpp"

#include <CLI/CLI.hpp>

namespace bellmark::cli {

void add_command(CLI::App& parent, const Command& command, const Argv& argv, ExitCode& code) {
  CLI::App& app = *parent.add_subcommand(command.name, command.help);
  if (command.help.empty()) app.group("");
  if (!command.footer.empty()) app.footer(command.footer);  // else it is the program's
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& below : command.commands) add_command(app, below, argv, code);
  if (!command.declare) return;
  app.callback([action = command.declare(app), &argv, &code] { code = action(argv); });
}

}  // namespace bellmark::cli
