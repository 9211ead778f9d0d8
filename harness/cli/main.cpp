// The `bellmark` command: parses, dispatches, and turns every failure into one line and a code.
#include <CLI/CLI.hpp>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "harness/cli/commands.hpp"

namespace {

using namespace bellmark;

int fail(ExitCode code, const std::string& message) {
  std::cerr << "bellmark: " << message << "\n";
  return static_cast<int>(code);
}

int run(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  ExitCode code = ExitCode::ok;
  CLI::App app("Bellmark: graph kernels measured, explained, and papers' claims judged.");
  app.set_version_flag("--version", BELLMARK_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 ok, 1 internal, 2 usage or bad input, 3 a wrong answer, 4 crash or timeout,\n"
      "5 regression or claim not reproduced (--strict), 6 inconclusive (--strict), 7 the machine\n"
      "failed (disk, memory, permission), 77 nothing could be measured here, 130 interrupted.\n\n"
      "Start with: bellmark list, then bellmark run yasui2011 --quick");
  for (const cli::Command& command : cli::all_commands()) {
    cli::add_command(app, command, words, code);
  }

  if (const std::string unknown = cli::unknown_command(app, words); !unknown.empty()) {
    return fail(ExitCode::usage, unknown);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);
    const std::string unknown = cli::unknown_option(app);
    return fail(ExitCode::usage, (unknown.empty() ? std::string(error.what()) : unknown) +
                                     " (see: bellmark --help)");
  }
  return static_cast<int>(code);
}

}  // namespace

int main(int argc, char** argv) {
  // A file size limit is a full disk: write() then fails, and the error says which file.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    Registry::global().check();
    return run(argc, argv);
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::machine, "no memory; use a smaller graph or fewer cells at once");
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, std::string("internal error: ") + error.what());
  }
}
