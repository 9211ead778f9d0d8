#include "harness/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <ostream>
#include <string>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"

namespace bellmark::cli {
namespace {

/// What the command line says is kept with results, and they are UTF-8. Graphs are read and written
/// under any name.
void check_words(Argv& words) {
  words.front() = escaped(words.front());
  if (words.size() > 1 && words[1] == "graph") return;
  for (const std::string& word : words) {
    if (is_utf8(word)) continue;
    throw InputError("'" + word + "'", "is no UTF-8 text", "give the file another name");
  }
}

}  // namespace

ExitCode run_words(const std::vector<Command>& commands, Argv words, std::ostream& out) {
  check_words(words);
  ExitCode code = ExitCode::ok;
  const bool has_graphs = Registry::global().takes_graphs();
  CLI::App app(has_graphs && !installation().is_lab
                   ? "Bellmark: graph kernels measured, explained, and papers' claims judged."
                   : installation().name + ", a lab of Bellmark " BELLMARK_VERSION
                                           ": kernels measured, explained, and claims judged.",
               words.front());
  app.set_version_flag("--version", BELLMARK_VERSION);
  app.require_subcommand(1);
  app.footer(in_own_name(
      "Exit codes: 0 ok, 1 internal, 2 usage or bad input, 3 a wrong answer, 4 crash or timeout,\n"
      "5 regression or claim not reproduced (--strict), 6 inconclusive (--strict), 7 the machine\n"
      "failed (disk, memory, permission), 77 nothing could be measured here, 130 interrupted.\n\n"
      "Start with: bellmark list, then bellmark run " +
      std::string(installation().is_lab ? "EXPERIMENT.toml" : "yasui2011") + " --quick"));
  for (const Command& command : commands) add_command(app, command, words, code);
  if (const std::string unknown = unknown_command(app, words); !unknown.empty()) {
    throw InputError("", unknown);
  }
  try {
    // CLI11 takes them from the end, without the program's name.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, out, out);
      return ExitCode::ok;
    }
    const std::string unknown = unknown_option(app);
    throw InputError(
        "", (unknown.empty() ? std::string(error.what()) : unknown) + " (see: bellmark --help)");
  }
  return code;
}

}  // namespace bellmark::cli
