// `bellmark worker`: the process that the supervisor starts; not for people.
#include "harness/run/worker/worker.hpp"

#include <CLI/CLI.hpp>

#include "harness/cli/commands.hpp"

namespace bellmark::cli {

Command worker_command() {
  constexpr int kEventFd = 3;
  return {"worker", "", "", [](CLI::App&) -> Action {
            return [](const Argv&) { return static_cast<ExitCode>(run::worker_main(kEventFd)); };
          }};
}

}  // namespace bellmark::cli
