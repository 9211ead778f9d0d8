#include "harness/cli/command.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>

namespace bellmark::cli {
namespace {

/// Nothing that a command takes may be empty: an empty word is a shell variable that was not set,
/// and would mean all there is, or nothing.
void refuse_empty_words(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check([](const std::string& word) {
      return word.empty() ? std::string("is empty; give it a value, or leave it out")
                          : std::string();
    });
  }
}

}  // namespace

void add_command(CLI::App& parent, const Command& command, const Argv& argv, ExitCode& code) {
  CLI::App& app = *parent.add_subcommand(command.name, command.help);
  if (command.help.empty()) app.group("");
  if (!command.footer.empty()) app.footer(command.footer);  // else it is the program's
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& below : command.commands) add_command(app, below, argv, code);
  if (!command.declare) return;
  Action action = command.declare(app);
  refuse_empty_words(app);
  app.callback([action = std::move(action), &argv, &code] { code = action(argv); });
}

}  // namespace bellmark::cli
