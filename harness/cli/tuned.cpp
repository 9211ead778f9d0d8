// `bellmark tuned`: the winners of tunings that were kept for `auto`.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/terminal.hpp"
#include "harness/cli/commands.hpp"
#include "harness/machine/tunings.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/report/format.hpp"

namespace bellmark::cli {
namespace {

void show_tunings(bool all_machines) {
  const auto tunings = machine::read_tunings(machine::tunings_file());
  const std::string here = machine::this_tuning_machine();
  std::vector<std::vector<std::string>> rows = {
      {"number", "tuned", "better", "graph", "placement", "held out", "date"}};
  if (all_machines) rows.front().emplace_back("machine");
  for (std::size_t i = 0; i < tunings.size(); ++i) {
    const machine::Tuning& tuning = tunings[i];
    if (!all_machines && tuning.machine != here) continue;
    const measure::Ratio ratio{tuning.ratio,
                               measure::Interval{tuning.ratio_low, tuning.ratio_high}};
    rows.push_back({std::to_string(i + 1), tuning.variant, tuning.better, tuning.graph,
                    tuning.placement, report::ratio_text(ratio), tuning.date});
    if (all_machines) rows.back().push_back(tuning.machine);
  }
  if (rows.size() == 1) {
    std::cout << "no tuned settings" << (all_machines ? "" : " for this machine") << " in "
              << machine::tunings_file().string() << "\n";
    return;
  }
  std::cout << report::fitted_or_whole(rows, "", terminal_columns(STDOUT_FILENO),
                                       rows.front().size());
}

/// `numbers` count from 1, as `list` prints them.
void forget_tunings(const std::vector<std::int64_t>& numbers) {
  const auto file = machine::tunings_file();
  const auto tunings = machine::read_tunings(file);
  const auto count = static_cast<std::int64_t>(tunings.size());
  for (const std::int64_t number : numbers) {
    if (number >= 1 && number <= count) continue;
    throw InputError("tuned remove " + std::to_string(number),
                     tunings.empty() ? "the list is empty"
                                     : "the list has numbers from 1 to " + std::to_string(count),
                     "see: bellmark tuned list --all");
  }
  std::vector<machine::Tuning> kept;
  for (std::int64_t i = 0; i < count; ++i) {
    if (std::ranges::count(numbers, i + 1) > 0) continue;
    kept.push_back(tunings[static_cast<std::size_t>(i)]);
  }
  machine::write_tunings(file, kept);
}

Command list_tuned() {
  return {"list", "Show tuned settings with their held-out ratios", "  bellmark tuned list",
          [](CLI::App& app) -> Action {
            const auto all = std::make_shared<bool>(false);
            app.add_flag("--all", *all, "of all machines, not of this one alone");
            return [all](const Argv&) {
              show_tunings(*all);
              return ExitCode::ok;
            };
          }};
}

Command remove_tuned() {
  return {
      "remove", "Forget tuned settings", "  bellmark tuned remove 2", [](CLI::App& app) -> Action {
        const auto numbers = std::make_shared<std::vector<std::int64_t>>();
        app.add_option("number", *numbers, "numbers of `bellmark tuned list --all`")->required();
        return [numbers](const Argv&) {
          forget_tunings(*numbers);
          return ExitCode::ok;
        };
      }};
}

}  // namespace

Command tuned_command() {
  return {
      "tuned",
      "List the settings that `bellmark tune` found better, and forget them",
      "`sssp/auto:tuned=yes` and `p2p/auto:tuned=yes` take them for the variant that they choose.\n"
      "Settings hold for one graph, and for machines with the same processor and number of PUs.\n\n"
      "  bellmark tuned list\n"
      "  bellmark tuned remove 2",
      {},
      {list_tuned(), remove_tuned()}};
}

}  // namespace bellmark::cli
