// `bellmark worker`: the process that the supervisor starts; not for people.
#include "harness/run/worker/worker.hpp"

#include <CLI/CLI.hpp>

#include "harness/cli/commands.hpp"

namespace bellmark::cli {

void add_worker(CLI::App& parent, int& exit_code) {
  CLI::App* app = parent.add_subcommand("worker", "");
  app->group("");  // hidden
  constexpr int kEventFd = 3;
  app->callback([&exit_code] { exit_code = run::worker_main(kEventFd); });
}

}  // namespace bellmark::cli
