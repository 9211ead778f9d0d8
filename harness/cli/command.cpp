#include "harness/cli/command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/cli/help.hpp"

namespace bellmark::cli {
namespace {

/// No word may be empty. An empty word is a shell variable that was not set, and would mean
/// everything, or nothing.
void refuse_empty_words(CLI::App& app) {
  for (CLI::Option* const option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check([](const std::string& word) {
      return word.empty() ? std::string("is empty; give it a value, or leave it out")
                          : std::string();
    });
  }
}

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

/// The names of commands that are not hidden.
std::vector<std::string> shown_names(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) {
    if (!command->get_group().empty()) names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

}  // namespace

Command in_group(std::string group, Command command) {
  command.group = std::move(group);
  return command;
}

void add_command(CLI::App& parent, const Command& command, const Argv& argv, ExitCode& code) {
  CLI::App& app = *parent.add_subcommand(command.name, command.help);
  app.group(command.help.empty() ? "" : command.group);
  // Notes and examples are about graphs, which a lab may not know. An empty footer would become the
  // program's.
  Footer footer;
  if (Registry::global().takes_graphs()) footer = parse_footer(command.footer);
  app.footer(in_own_name(footer.notes));
  for (std::string& example : footer.examples) example = in_own_name(example);
  app.formatter(std::make_shared<HelpFormatter>(
      std::move(footer.examples),
      in_own_name("Exit codes: 0 ok, 2 bad input, 7 the machine failed; others: bellmark --help")));
  if (!command.commands.empty()) app.require_subcommand(1);
  for (const Command& below : command.commands) add_command(app, below, argv, code);
  if (!command.declare) return;
  Action action = command.declare(app);
  refuse_empty_words(app);
  app.callback([action = std::move(action), &argv, &code] { code = action(argv); });
}

std::string unknown_command(const CLI::App& app, const Argv& argv) {
  const CLI::App* here = &app;
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const auto commands = commands_of(*here);
    if (commands.empty() || argv[i].starts_with('-')) return {};
    const auto named = std::ranges::find(commands, argv[i], &CLI::App::get_name);
    if (named == commands.end()) {
      const std::string above = here == &app ? "" : here->get_name() + " ";
      return "unknown command '" + above + argv[i] + "'; " +
             suggestion(argv[i], shown_names(commands));
    }
    here = *named;
  }
  return {};
}

std::string unknown_option(const CLI::App& app) {
  const CLI::App* here = &app;
  while (!here->get_subcommands().empty()) here = here->get_subcommands().front();
  if (here->get_allow_extras()) return {};
  for (const std::string& word : app.remaining(true)) {
    if (!word.starts_with('-')) continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string text = "unknown option '" + name + "'";
    // Among options of one letter every other one is equally near.
    return name.size() <= 2 ? text : text + "; " + suggestion(name, option_names(*here));
  }
  return {};
}

std::string parsed_command(const CLI::App& app) {
  std::string command = installation().name;
  for (const CLI::App* here = &app; !here->get_subcommands().empty();) {
    here = here->get_subcommands().front();
    command += " " + here->get_name();
  }
  return command;
}

}  // namespace bellmark::cli
