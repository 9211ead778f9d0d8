// `bellmark site`: static pages of all named results.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/judged.hpp"
#include "harness/cli/results.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/report/claims.hpp"
#include "harness/report/history.hpp"
#include "harness/run/result/stored.hpp"
#include "harness/run/session/drawing.hpp"

namespace bellmark::cli {
namespace {

struct SiteFlags {
  std::vector<std::string> results;
  std::string output = "site";
};

struct Stored {
  std::vector<std::string> files;
  std::vector<Json> results;
  std::vector<std::string> left_out;  ///< what can't be read, and why
};

/// The results that can be read. Damaged ones are named on stderr, and the others go on.
Stored read_all(const std::vector<std::string>& files) {
  Stored stored;
  for (const std::string& file : files) {
    try {
      stored.results.push_back(run::read_result(file));
      stored.files.push_back(file);
    } catch (const InputError& error) {
      stored.left_out.emplace_back(error.what());
      std::cerr << installation().name << ": left out: " << error.what() << "\n";
    }
  }
  if (stored.files.empty()) {
    throw InputError("site", "none of the results can be read", "name results, or their folders");
  }
  return stored;
}

/// The times of cells from result to result, for each machine.
Json histories_of(const Stored& stored) {
  std::map<std::string, std::vector<report::HistoryEntry>> machines;
  for (std::size_t index = 0; index < stored.results.size(); ++index) {
    report::HistoryEntry entry = report::history_entry(stored.files[index], stored.results[index]);
    machines[entry.machine].push_back(std::move(entry));
  }
  Json histories = Json::array();
  for (const auto& [machine, entries] : machines) {
    histories.push_back(report::history_json(entries, measure::kSameWithin));
  }
  return histories;
}

ExitCode make_site(const SiteFlags& flags) {
  Stored stored = read_all(named_results(flags.results));
  judge_anew(stored.results).print();
  Json document = report::claims_document(stored.files, stored.results, report::Results::whole);
  document["histories"] = histories_of(stored);
  document["left_out"] = stored.left_out;
  run::draw_site(document, flags.output);
  return ExitCode::ok;
}

}  // namespace

Command site_command() {
  return {
      "site", "Draw static pages of all results: claims, machines, leaderboards, history",
      "Every claim is judged by the rules of this build. Results of several machines and folders\n"
      "are merged. Pages need no server; docs/guide/read-a-report.md describes them.\n\n"
      "  bellmark site results/published -o site\n"
      "  bellmark site results/published runs ../colleague/runs -o site",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<SiteFlags>();
        app.add_option("result", flags->results,
                       "results (.json or .json.gz), or folders with results below them")
            ->required();
        app.add_option("-o,--output", flags->output, "folder for the pages")->capture_default_str();
        return [flags](const Argv&) { return make_site(*flags); };
      }};
}

}  // namespace bellmark::cli
