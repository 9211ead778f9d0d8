// Fuzz target: a command line, one word a line. Every command is there, and none does anything.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "graph/fuzz_support.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/cli/commands.hpp"

namespace bellmark::cli {
namespace {

/// Commands that only read their options.
std::vector<Command> without_actions(std::vector<Command> commands) {
  for (Command& command : commands) {
    command.commands = without_actions(std::move(command.commands));
    if (!command.declare) continue;
    command.declare = [declare = std::move(command.declare)](CLI::App& app) -> Action {
      // The action keeps the variables of the options.
      return [action = declare(app)](const Argv&) { return ExitCode::ok; };
    };
  }
  return commands;
}

void check(std::string_view bytes) {
  static const std::vector<Command> commands = without_actions(all_commands());
  Argv words = {"bellmark"};
  for (std::string& word : split(bytes, '\n')) words.push_back(std::move(word));
  std::ostringstream out;
  try {
    const ExitCode code = run_words(commands, words, out);
    require(code == ExitCode::ok, "nothing is done");
  } catch (const InputError& error) {
    // A refusal is a good answer. Any other exception is a finding.
    require(is_utf8(error.what()), "a message is UTF-8");
    require(out.view().empty(), "what is refused prints nothing");
  }
}

}  // namespace
}  // namespace bellmark::cli

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bellmark::cli::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
