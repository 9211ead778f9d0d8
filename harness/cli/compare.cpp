// `bellmark compare`: variants against each other in one run, or two stored results.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/results.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/report/console.hpp"
#include "harness/report/google_benchmark.hpp"
#include "harness/report/unpaired.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/result/doubts.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/session/export_check.hpp"
#include "harness/run/session/programs.hpp"
#include "harness/run/session/session.hpp"
#include "harness/verdict/doubt.hpp"

namespace bellmark::cli {
namespace {

struct CompareFlags {
  ExperimentFlags experiment;
  std::vector<std::string> results;
  std::string runs = "runs";
  std::string gbench;
  bool quiet = false;
  bool strict = false;
};

/// Why a run's `cells` are not judged.
std::string doubts_text(const std::string& run, const Json& cells) {
  std::string text;
  for (const Json& warning : run::doubt_warnings(cells)) {
    text += run + ": " + warning.at("text").get<std::string>() + "; " +
            warning.at("action").get<std::string>() + "\n";
  }
  return text;
}

/// What the memory of both runs lay on; older results don't tell.
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

/// Why two times are of other work: other parts of the answer are outside them. "" where none are.
std::string work_text(const Json& before, const Json& after) {
  const std::string old = report::untimed_text(before);
  const std::string now = report::untimed_text(after);
  if (old == now) return {};
  const auto part = [](const std::string& text) { return text.empty() ? "nothing" : text; };
  return after.at("label").get<std::string>() + ": " + part(old) + " untimed before, " + part(now) +
         " after; set the key untimed alike and run again\n";
}

struct Compared {
  std::string text;  ///< "" where the results share no measured cell
  bool slower = false;
};

Compared compare_results(const Json& before, const Json& after) {
  std::vector<std::vector<std::string>> rows = {{"cell", "before", "after", "after / before"}};
  std::string failures;
  std::string others;
  Json shared_before = Json::array();
  Json shared_after = Json::array();
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
    const std::string doubt = work.empty() ? verdict::doubt_of({&*old, &cell}) : work;
    slower =
        slower || (doubt.empty() && measure::judge(ratio.interval) == measure::Outcome::slower);
    rows.push_back({cell.at("label"), report::time_text(*old), report::time_text(cell),
                    report::ratio_text(ratio, doubt)});
    shared_before.push_back(*old);
    shared_after.push_back(cell);
  }
  if (rows.size() == 1) return {};
  return {report::aligned(rows) + failures + others + doubts_text("before", shared_before) +
              doubts_text("after", shared_after) + pages_text(before, after),
          slower};
}

/// Experiment and form, as they stand above a table.
std::string run_text(const Json& result) {
  const Json& experiment = result.at("experiment");
  return experiment.at("id").get<std::string>() + " (" + experiment.at("form").get<std::string>() +
         ")";
}

/// Of each experiment and form the result that began last.
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

/// Of two folders, the experiments that both have.
ExitCode compare_stored(const CompareFlags& flags, const std::vector<Json>& before,
                        const std::vector<Json>& after) {
  const bool alone = before.size() == 1 && after.size() == 1;
  const auto all_before = latest_of(before);
  bool slower = false;
  std::string text;
  for (const auto& [name, result] : latest_of(after)) {
    const auto old = alone ? all_before.begin() : all_before.find(name);
    if (old == all_before.end()) continue;
    const Compared compared = compare_results(*old->second, *result);
    if (compared.text.empty()) continue;
    text += (alone ? "" : name + "\n") + compared.text + (alone ? "" : "\n");
    slower = slower || compared.slower;
  }
  if (text.empty()) {
    throw InputError(flags.results.at(1), "shares no measured cell with " + flags.results.at(0),
                     "compare results of the same experiment in the same form");
  }
  std::cout << text
            << "two runs at two times: the machine may have changed between them; for a paired "
               "ratio run both variants with -v\n";
  return slower && flags.strict ? ExitCode::regression : ExitCode::ok;
}

ExitCode compare_variants(const CompareFlags& flags, const Argv& argv) {
  plan::Experiment experiment = flags.experiment.adhoc();
  run::refuse_foreign(experiment.programs, flags.experiment.allow_commands);
  run::begin_programs(experiment.programs);
  const plan::Options options = flags.experiment.to_options();
  // A folder is made only when there is something to run in it: `resume` would try it for ever.
  run::check_export(flags.gbench, report::kGoogleBenchmarkBegin);
  const run::Prepared prepared = run::prepare(experiment, options);
  const auto folder = run::RunFolder::create(flags.runs, experiment, options, argv);
  const run::SessionOutcome outcome = run::run_session(folder, prepared, flags.quiet);
  if (!outcome.result) return outcome.code;
  std::cout << report::console_result(*outcome.result)
            << "  result: " << folder.result_file().string() << "\n\n"
            << report::console_legend({*outcome.result});
  if (!flags.gbench.empty()) {
    run::write_file(flags.gbench,
                    run::json_text(report::google_benchmark({*outcome.result}), 2) + "\n");
  }
  bool slower = false;
  for (const Json& comparison : outcome.result->at("comparisons")) {
    const bool failed = report::failure_of(*outcome.result, comparison.at("a")) != nullptr ||
                        report::failure_of(*outcome.result, comparison.at("b")) != nullptr;
    slower = slower || (!failed && comparison.at("outcome") == "SLOWER");
  }
  std::vector<ExitCode> codes = {outcome.code};
  if (slower && flags.strict) codes.push_back(ExitCode::regression);
  return run::most_urgent(codes);
}

/// Two stored results are compared as they are: what says how to measure has no use there.
void refuse_run_flags(const CLI::App& app) {
  const std::vector<std::string> useful = {"result", "--strict", "--quiet"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::find(useful, name) != useful.end()) continue;
    throw InputError("compare", name + " with two results, which are compared as they are",
                     "leave it out, or name variants with -v and no results");
  }
}

/// One variant has nothing to be compared with, unless a graph, a place or a key makes more of it.
void refuse_single(const ExperimentFlags& flags) {
  const bool has_places =
      flags.placements.size() > 1 ||
      (!flags.placements.empty() && flags.placements.front().starts_with("each:"));
  if (flags.variants.size() + flags.commands.size() > 1 || !flags.axes.empty() ||
      flags.graphs.size() > 1 || has_places) {
    return;
  }
  if (flags.variants.empty()) {
    throw InputError("compare",
                     "only one program, " + flags.commands.front() + ", and nothing beside it",
                     "name a rival with -v or --command");
  }
  const auto selections = Registry::global().select(flags.variants.front());
  if (selections.size() > 1) return;
  throw InputError(
      "compare", "only one variant, " + selections.front().name() + ", and nothing beside it",
      "name a second with -v, or measure it alone: bellmark run -v " + flags.variants.front());
}

ExitCode compare(const CompareFlags& flags, const CLI::App& app, const Argv& argv) {
  if (flags.results.size() == 1) {
    throw InputError("compare", "one result alone", "name two results, or variants with -v");
  }
  if (flags.results.empty() && !flags.experiment.is_adhoc()) {
    throw InputError("compare", "nothing to compare: no variants and no results named",
                     "try: bellmark compare -v sssp/dijkstra -v 'sssp/boost-dijkstra:*', or "
                     "bellmark compare old/result.json new/result.json");
  }
  if (flags.results.empty()) {
    refuse_single(flags.experiment);
    return compare_variants(flags, argv);
  }
  refuse_run_flags(app);
  ExitCode code = ExitCode::ok;
  with_results(named_results({flags.results.at(0)}), [&](const auto& before) {
    with_results(named_results({flags.results.at(1)}),
                 [&](const auto& after) { code = compare_stored(flags, before, after); });
  });
  return code;
}

}  // namespace

Command compare_command() {
  return {"compare", "Variants against the first one, paired; or two stored results",
          "Ratios are times against the first variant's: SAME, FASTER, SLOWER by a 95 % interval,\n"
          "or UNCLEAR.\n\n"
          "  bellmark compare -v sssp/dijkstra -v 'sssp/boost-dijkstra:*'\n"
          "  bellmark compare old/result.json new/result.json --strict\n\n"
          "Of two folders the experiments that both have are compared, each by its latest result.",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<CompareFlags>();
            app.add_option("result", flags->results,
                           "two results, or folders of results of the same experiments: before, "
                           "after")
                ->expected(0, 2);
            flags->experiment.add_to(app, false);
            app.add_option("--runs", flags->runs, "folder for raw runs")->capture_default_str();
            app.add_option("--export-gbench", flags->gbench,
                           "write a median row a cell there as Google Benchmark's JSON");
            app.add_flag("--strict", flags->strict, "exit 5 when something is slower");
            app.add_flag("-q,--quiet", flags->quiet, "no progress on stderr");
            return [flags, &app](const Argv& argv) { return compare(*flags, app, argv); };
          }};
}

}  // namespace bellmark::cli
