#include "harness/cli/compare_stored.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/cli/results.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/plan/words.hpp"
#include "harness/report/differences.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/report/format.hpp"
#include "harness/report/unpaired.hpp"
#include "harness/run/result/doubts.hpp"
#include "harness/verdict/doubt.hpp"

namespace bellmark::cli {
namespace {

const report::Sides kSides = {"before", "after"};

/// Why a run's `cells` are not judged.
std::string doubts_text(const std::string& run, const Json& cells) {
  std::string text;
  for (const Json& warning : run::doubt_warnings(cells)) {
    text += run + ": " + warning.at("text").get<std::string>() + "; " +
            warning.at("action").get<std::string>() + "\n";
  }
  return text;
}

/// The pages of both runs' memory; older results don't tell.
std::string pages_text(const Json& before, const Json& after) {
  const auto pages_of = [](const Json& result) {
    return result.at("experiment").value("pages", std::string("unknown"));
  };
  const std::string old = pages_of(before);
  const std::string now = pages_of(after);
  if (old == now) return {};
  return "memory pages: " + old + " before, " + now +
         " after; other pages give other times: run both with the same --pages\n";
}

/// Why two times are of different work: different parts of the answer are untimed. "" if they are
/// alike.
std::string work_text(const Json& before, const Json& after) {
  const std::string old = report::untimed_text(before);
  const std::string now = report::untimed_text(after);
  if (old == now) return {};
  const auto part = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  return after.at("label").get<std::string>() + ": " + part(old) + " untimed before, " + part(now) +
         " after; set the key untimed alike and run again\n";
}

/// The differences between the two machines. Throws InputError unless they were allowed.
std::string others_text(const Json& before, const Json& after,
                        const std::vector<std::string>& graphs, const StoredComparison& asked) {
  std::vector<std::string> differences = report::machine_differences(before, after, kSides);
  differences.insert(differences.end(), graphs.begin(), graphs.end());
  if (differences.empty()) return {};
  if (!asked.across_machines) {
    throw InputError(asked.after,
                     "was not measured as " + asked.before + " was: " + join(differences, "; "),
                     "measure both alike, or allow it with --across-machines");
  }
  std::string text = "compared across machines: these ratios are not of the programs alone\n";
  for (const std::string& difference : differences) text += "  " + difference + "\n";
  return text;
}

struct Compared {
  std::string text;  ///< "" where the results share no measured cell
  bool slower = false;
};

Compared compare_results(const Json& before, const Json& after, const StoredComparison& asked) {
  std::vector<std::vector<std::string>> rows = {{"cell", "before", "after", "after / before"}};
  std::string failures;
  std::string others;
  Json shared_before = Json::array();
  Json shared_after = Json::array();
  std::vector<std::string> graphs;
  bool slower = false;
  for (const Json& cell : after.at("cells")) {
    const Json& cells = before.at("cells");
    const auto old = std::ranges::find_if(
        cells, [&](const Json& other) { return other.at("id") == cell.at("id"); });
    if (old == cells.end()) continue;
    const bool was_measured = report::is_measured(before, *old);
    const bool is_measured = report::is_measured(after, cell);
    if (was_measured != is_measured) {
      failures += cell.at("label").get<std::string>() + ": " +
                  (is_measured ? "before: " + report::not_measured_text(before, *old)
                               : "after: " + report::not_measured_text(after, cell)) +
                  "\n";
    }
    if (!was_measured || !is_measured) continue;
    const measure::Ratio ratio = report::unpaired_ratio(old->at("wall_ns"), cell.at("wall_ns"));
    const std::string work = work_text(*old, cell);
    others += work;
    const std::string graph = report::graph_difference(before, *old, after, cell, kSides);
    if (!graph.empty()) plan::add_once(graphs, graph);
    std::string doubt = work.empty() ? verdict::doubt_of({&*old, &cell}) : work;
    if (doubt.empty()) doubt = graph;
    slower = slower || (doubt.empty() && measure::judge(ratio.interval, asked.least_ratio) ==
                                             measure::Outcome::slower);
    rows.push_back({cell.at("label"), report::time_text(*old), report::time_text(cell),
                    report::ratio_text(ratio, doubt, asked.least_ratio)});
    shared_before.push_back(*old);
    shared_after.push_back(cell);
  }
  if (rows.size() == 1) return {};
  const std::size_t columns = terminal_columns(STDOUT_FILENO).value_or(std::string::npos);
  return {others_text(before, after, graphs, asked) +
              report::fitted(rows, "", columns, rows.front().size()) + failures + others +
              doubts_text("before", shared_before) + doubts_text("after", shared_after) +
              pages_text(before, after),
          slower};
}

/// Experiment and form, the heading of a table.
std::string run_text(const Json& result) {
  const Json& experiment = result.at("experiment");
  return experiment.at("id").get<std::string>() + " (" + experiment.at("form").get<std::string>() +
         ")";
}

/// For each experiment and form the result that began last.
std::map<std::string, const Json*> latest_of(const std::vector<Json>& results) {
  const auto started = [](const Json& result) {
    return result.at("provenance").at("started_utc").get<std::string>();
  };
  std::map<std::string, const Json*> latest;
  for (const Json& result : results) {
    const Json*& known = latest[run_text(result)];
    if (known == nullptr || started(*known) <= started(result)) known = &result;
  }
  return latest;
}

/// The experiments that both folders have.
ExitCode compare_all(const StoredComparison& asked, const std::vector<Json>& before,
                     const std::vector<Json>& after) {
  const bool alone = before.size() == 1 && after.size() == 1;
  const auto all_before = latest_of(before);
  bool slower = false;
  std::string text;
  for (const auto& [name, result] : latest_of(after)) {
    const auto old = alone ? all_before.begin() : all_before.find(name);
    if (old == all_before.end()) continue;
    const Compared compared = compare_results(*old->second, *result, asked);
    if (compared.text.empty()) continue;
    text += (alone ? "" : name + "\n") + compared.text + (alone ? "" : "\n");
    slower = slower || compared.slower;
  }
  if (text.empty()) {
    throw InputError(asked.after, "shares no measured cell with " + asked.before,
                     "compare results of the same experiment in the same form");
  }
  std::cout << text
            << "two runs at two times: the machine may have changed between them; for a paired "
               "ratio run both variants with -v\n";
  return slower && asked.strict ? ExitCode::regression : ExitCode::ok;
}

}  // namespace

ExitCode compare_stored(const StoredComparison& asked) {
  ExitCode code = ExitCode::ok;
  with_results(named_results({asked.before}), [&](const auto& before) {
    with_results(named_results({asked.after}),
                 [&](const auto& after) { code = compare_all(asked, before, after); });
  });
  return code;
}

}  // namespace bellmark::cli
