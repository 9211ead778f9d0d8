// The `bellmark` command: parses, dispatches, and turns every failure into one line and a code.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/run/session/exit_codes.hpp"

namespace {

using namespace bellmark;

int fail(ExitCode code, const std::string& message) {
  constexpr std::size_t kLongest = 4000;
  std::cerr << "bellmark: " << printable(message, kLongest) << "\n";
  return static_cast<int>(code);
}

/// A file that is opened must not get the number of a standard stream that is closed: what is
/// printed would go into it.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // For reading only: what is printed to one that was closed fails, as it should.
    Descriptor(open("/dev/null", O_RDONLY)).release();
  }
}

/// What the command line says is kept with results, and they are UTF-8. Graphs are read and written
/// under any name.
void check_words(std::vector<std::string>& words) {
  words.front() = escaped(words.front());
  if (words.size() > 1 && words[1] == "graph") return;
  for (const std::string& word : words) {
    if (is_utf8(word)) continue;
    throw InputError("'" + word + "'", "is no UTF-8 text", "give the file another name");
  }
}

/// The exit code of a command, unless what it printed could not be written. A worker's output is a
/// log; what counts of it comes another way.
int after_output(int code, bool is_worker) {
  if (is_worker) return code;
  errno = 0;
  std::cout.flush();
  if (std::cout.good() && std::ferror(stdout) == 0) return code;
  const std::string why = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
  return fail(run::most_urgent({ExitCode{code}, ExitCode::machine}),
              "standard output: cannot be written" + why + "; free space, or let it go elsewhere");
}

int run_command(int argc, char** argv) {
  std::vector<std::string> words(argv, argv + argc);
  check_words(words);
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
  open_standard_streams();
  try {
    Registry::global().check();
    return after_output(run_command(argc, argv), argc > 1 && std::string_view(argv[1]) == "worker");
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::machine, "no memory; use a smaller graph or fewer cells at once");
  } catch (const std::system_error& error) {
    // No thread to be had, a folder that can't be looked into.
    return fail(ExitCode::machine, error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, std::string("internal error: ") + error.what());
  }
}
