// `bellmark history`: the times of cells over stored results of one machine.
#include "harness/report/history.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/results.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/protocol/json_text.hpp"

namespace bellmark::cli {
namespace {

struct HistoryFlags {
  std::vector<std::string> results;
  std::string machine;
  double at_least = measure::kSameWithin;
  bool json = false;
  bool strict = false;
};

/// `'AMD EPYC, 2 cores' (57 results)`, one after another.
std::string machines_text(const std::map<std::string, std::size_t>& machines) {
  std::vector<std::string> parts;
  parts.reserve(machines.size());
  for (const auto& [name, count] : machines) {
    parts.push_back("'" + name + "' (" + std::to_string(count) +
                    (count == 1 ? " result)" : " results)"));
  }
  return join(parts, ", ");
}

/// The entries of one machine. A full name means that machine alone, even if other names begin with
/// it.
std::vector<report::HistoryEntry> of_one_machine(std::vector<report::HistoryEntry> entries,
                                                 const std::string& named) {
  std::map<std::string, std::size_t> all;
  std::map<std::string, std::size_t> meant;
  for (const report::HistoryEntry& entry : entries) ++all[entry.machine];
  for (const auto& [name, count] : all) {
    const bool fits = all.contains(named) ? name == named : name.find(named) != std::string::npos;
    if (fits) meant.emplace(name, count);
  }
  if (meant.empty()) {
    throw InputError("--machine " + named, "no result is of this machine",
                     "known: " + machines_text(all));
  }
  if (meant.size() > 1) {
    throw InputError("history", "the results are of several machines: " + machines_text(meant),
                     "times of two machines make no history; pick one with --machine");
  }
  std::erase_if(entries, [&](const auto& entry) { return !meant.contains(entry.machine); });
  return entries;
}

ExitCode show_history(const HistoryFlags& flags) {
  std::vector<report::HistoryEntry> entries;
  for_each_result(named_results(flags.results), [&](const std::string& path, const Json& result) {
    entries.push_back(report::history_entry(path, result));
  });
  const Json history =
      report::history_json(of_one_machine(std::move(entries), flags.machine), flags.at_least);
  if (flags.json) {
    std::cout << run::json_text(history, 1) << "\n";
  } else {
    std::cout << "machine: " << history.at("machine").get<std::string>() << "\n\n"
              << report::console_history(history, terminal_columns(STDOUT_FILENO));
  }
  return flags.strict && report::ends_slower(history) ? ExitCode::regression : ExitCode::ok;
}

}  // namespace

Command history_command() {
  return {"history", "Show times of cells from result to result, and where they step",
          "A step: the 95 % intervals of a time and of the first time of its level don't meet,\n"
          "and the medians differ by more than --at-least. Limits: docs/guide/tidy-data.md.\n\n"
          "  bellmark history runs\n"
          "  bellmark history results/published --machine 'AMD EPYC' --json",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<HistoryFlags>();
            app.add_option("result", flags->results,
                           "results (.json or .json.gz), or folders with results below them")
                ->required();
            app.add_option("--machine", flags->machine,
                           "take only results of this machine; a part of its name is enough");
            app.add_option("--at-least", flags->at_least,
                           "least ratio between the medians of a step")
                ->check(CLI::Range(0.0, 1.0))
                ->capture_default_str();
            app.add_flag("--json", flags->json, "print the series for programs");
            app.add_flag("--strict", flags->strict,
                         "exit 5 when the last time of a cell is a step to slower");
            return [flags](const Argv&) { return show_history(*flags); };
          }};
}

}  // namespace bellmark::cli
