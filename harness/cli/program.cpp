// An executable with the command line of Bellmark: parses, dispatches, and turns every failure into
// one line and a code.
#include "harness/cli/program.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <system_error>

#include "algorithms/contract/registry.hpp"
#include "algorithms/contract/tuned.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/cli/command_line.hpp"
#include "harness/machine/tunings.hpp"
#include "harness/run/session/exit_codes.hpp"

namespace {

using namespace bellmark;

int fail(ExitCode code, const std::string& message) {
  constexpr std::size_t kLongest = 4000;
  std::cerr << installation().name << ": " << printable(in_own_name(message), kLongest) << "\n";
  return static_cast<int>(code);
}

/// An opened file must not get the number of a closed standard stream: printed text would go into
/// the file.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // For reading only: printing to a closed stream must fail.
    Descriptor(open("/dev/null", O_RDONLY)).release();
  }
}

/// The exit code of a command, unless its output could not be written. A worker's output is only a
/// log: its events take another way.
int after_output(ExitCode code, bool is_worker) {
  if (is_worker) return static_cast<int>(code);
  errno = 0;
  std::cout.flush();
  if (std::cout.good() && std::ferror(stdout) == 0) return static_cast<int>(code);
  const std::string why = errno == 0 ? "" : std::string(": ") + std::strerror(errno);
  return fail(run::most_urgent({code, ExitCode::machine}),
              "standard output: cannot be written" + why + "; free space, or let it go elsewhere");
}

/// Variants register themselves before main(), where nothing can catch exceptions.
[[noreturn]] void end_before_main() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    // Without memory, without streams.
    constexpr std::string_view kSaid =
        "bellmark: no memory to start with; raise its limit (ulimit -v)\n";
    static_cast<void>(!write(STDERR_FILENO, kSaid.data(), kSaid.size()));
    _exit(static_cast<int>(ExitCode::machine));
  } catch (...) {  // a fault of this program
  }
  std::abort();
}

std::terminate_handler handler_of_library = nullptr;

/// Runs before all other code of this program.
[[gnu::constructor(101)]] void expect_no_memory() {
  handler_of_library = std::set_terminate(end_before_main);
}

}  // namespace

namespace bellmark::cli {

int run_program(const std::vector<Command>& commands, int argc, char** argv) {
  std::set_terminate(handler_of_library);
  // A file size limit acts like a full disk: write() fails, and the error names the file.
  std::signal(SIGXFSZ, SIG_IGN);
  open_standard_streams();
  try {
    Registry::global().check();
    tuned::use_source(machine::winners_of_this_machine);
    const ExitCode code = run_words(commands, {argv, argv + argc}, std::cout);
    return after_output(code, argc > 1 && std::string_view(argv[1]) == "worker");
  } catch (const Error& error) {
    return fail(error.code(), error.what());
  } catch (const std::bad_alloc&) {
    return fail(ExitCode::machine, "no memory; use a smaller input or fewer cells at once");
  } catch (const std::system_error& error) {
    // No thread is available, or a folder can't be read.
    return fail(ExitCode::machine, error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::internal, std::string("internal error: ") + error.what());
  }
}

}  // namespace bellmark::cli
