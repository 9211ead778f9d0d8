// `bellmark run` and `bellmark resume`: measure, judge, write results.
#include <CLI/CLI.hpp>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "base/atomic_file.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/drawing.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/output.hpp"
#include "harness/cli/session.hpp"
#include "harness/report/console.hpp"
#include "harness/report/table.hpp"
#include "harness/run/result/assemble.hpp"

namespace bellmark::cli {
namespace {

/// Prints, exports and draws finished results; returns the exit code of the whole command.
ExitCode finish(const std::vector<std::filesystem::path>& files, const std::vector<Json>& results,
                std::vector<ExitCode> codes, const OutputFlags& output) {
  std::cout << report::console_claims(results);
  if (!output.json.empty() && results.size() == 1) {
    run::write_file(output.json, run::result_text(results.front()));
  }
  if (!output.csv.empty()) run::write_file(output.csv, report::csv(results));
  if (!output.markdown.empty()) run::write_file(output.markdown, report::markdown(results));
  if (!output.report.empty() && !files.empty()) draw_report(files, output.report);
  // An `ok` of the verdicts must not pass for something measured.
  const ExitCode strict = output.strict ? strict_code(results) : ExitCode::ok;
  if (strict != ExitCode::ok) codes.push_back(strict);
  return most_urgent(codes);
}

struct PreparedRun {
  run::RunFolder folder;
  Prepared prepared;
};

ExitCode run_all(const std::vector<PreparedRun>& runs, const OutputFlags& output,
                 std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt) {
  std::vector<std::filesystem::path> files;
  std::vector<Json> results;
  std::vector<ExitCode> codes;
  for (const auto& [folder, prepared] : runs) {
    SessionOutcome outcome = run_session(folder, prepared, output.quiet, deadline);
    codes.push_back(outcome.code);
    if (!outcome.result) break;
    std::cout << report::console_result(*outcome.result)
              << "  result: " << folder.result_file().string() << "\n\n"
              << std::flush;
    results.push_back(std::move(*outcome.result));
    files.push_back(folder.result_file());
  }
  return finish(files, results, codes, output);
}

}  // namespace

void OutputFlags::add_to(CLI::App& app) {
  app.add_option("--runs", runs, "folder for raw runs")->capture_default_str();
  app.add_option("--export-json", json, "copy the result there (one experiment)");
  app.add_option("--export-csv", csv, "write the cells there as CSV");
  app.add_option("--export-markdown", markdown, "write claims and cells there as Markdown");
  app.add_option("--report", report, "draw a report into this folder (needs Python)");
  app.add_flag("--strict", strict, "exit 5 if a claim is not reproduced, 6 if inconclusive");
  app.add_flag("-q,--quiet", quiet, "no progress on stderr");
}

void OutputFlags::check() const {
  for (const std::string& file : {json, csv, markdown}) {
    if (!file.empty()) AtomicFile probe(file);
  }
  if (!report.empty() && std::filesystem::exists(report) &&
      !std::filesystem::is_directory(report)) {
    throw InputError(report, "is no folder", "name a folder for the report");
  }
}

ExitCode run_experiments(const std::vector<plan::Experiment>& experiments,
                         const plan::Options& options, const OutputFlags& output,
                         const std::vector<std::string>& argv) {
  output.check();
  std::vector<Prepared> prepared;
  prepared.reserve(experiments.size());
  for (const plan::Experiment& experiment : experiments) {
    prepared.push_back(prepare(experiment, options));
  }
  if (output.dry_run) {
    for (std::size_t i = 0; i < experiments.size(); ++i) {
      const plan::Plan& plan = prepared[i].plan;
      if (plan.cells.empty()) std::cout << experiments[i].id << "  " << plan.cuts.back() << "\n";
    }
    std::cout << "nothing wrong found in " << experiments.size() << " experiment(s)\n";
    return ExitCode::ok;
  }
  std::vector<PreparedRun> runs;
  for (std::size_t i = 0; i < experiments.size(); ++i) {
    if (prepared[i].plan.cells.empty()) {
      std::cout << experiments[i].id << "  " << prepared[i].plan.cuts.back() << "\n";
      continue;
    }
    runs.push_back({run::RunFolder::create(output.runs, experiments[i], options, argv),
                    std::move(prepared[i])});
  }
  return run_all(runs, output);
}

void add_run(CLI::App& parent, int& exit_code, const std::vector<std::string>& argv) {
  auto flags = std::make_shared<ExperimentFlags>();
  auto output = std::make_shared<OutputFlags>();
  CLI::App* app = parent.add_subcommand("run", "Measure experiments or variants, and judge claims");
  flags->add_to(*app, true);
  output->add_to(*app);
  app->add_flag("--dry-run", output->dry_run, "check everything, measure nothing");
  app->footer(
      "Every run leaves runs/<experiment>/<utc>-<id>/result.json. Ctrl-C leaves a run that\n"
      "`bellmark resume` goes on with.\n\n"
      "  bellmark run yasui2011 --quick --report report\n"
      "  bellmark run sweeps/placement -v 'sssp/dijkstra:arity=4' -c each:core\n"
      "  bellmark run sweeps/bfs --shard 1/4\n"
      "  bellmark run -v sssp/dijkstra -v sssp/boost-dijkstra -g my.gr.gz --queries 8\n"
      "  bellmark run -v distributed-bfs/hybrid -g kronecker:scale=20 -c core:0-3\n"
      "      -a ranks=1,2,4 --launcher 'mpirun -n {ranks}'");
  app->callback([flags, output, &exit_code, &argv] {
    const plan::Options options = flags->to_options();
    const std::vector<plan::Experiment> experiments = flags->read();
    if (!output->json.empty() && experiments.size() != 1) {
      throw InputError("--export-json",
                       "takes one experiment, not " + std::to_string(experiments.size()),
                       "name one, or read runs/");
    }
    exit_code = static_cast<int>(run_experiments(experiments, options, *output, argv));
  });
}

void add_resume(CLI::App& parent, int& exit_code) {
  auto path = std::make_shared<std::string>();
  auto budget = std::make_shared<std::string>();
  auto end = std::make_shared<bool>(false);
  auto output = std::make_shared<OutputFlags>();
  CLI::App* app =
      parent.add_subcommand("resume", "Go on with a run that was interrupted or killed");
  app->add_option("run", *path, "the run's folder; without it, the newest unfinished one");
  CLI::Option* const after = app->add_option(
      "--budget", *budget, "end it after this time (90s, 8m) with what was measured by then");
  app->add_flag("--end", *end, "end it now with what was measured; opens no graph")
      ->excludes(after);
  output->add_to(*app);
  app->footer(
      "What is in the journal isn't measured again: at most the block in flight was lost.\n\n"
      "  bellmark resume\n"
      "  bellmark resume --end\n"
      "  bellmark resume runs/yasui2011/T4/20261121T054000Z-1a2b3c4d");
  app->callback([path, budget, end, output, &exit_code] {
    std::optional<std::chrono::steady_clock::time_point> deadline;
    if (*end) deadline = std::chrono::steady_clock::now();
    if (!budget->empty()) {
      deadline = std::chrono::steady_clock::now() + to_duration(plan::parse_duration(*budget));
    }
    output->check();
    run::RunFolder folder = path->empty() ? run::RunFolder::newest_unfinished(output->runs)
                                          : run::RunFolder::open(*path);
    // Who held the lock may have finished the run.
    if (!folder.held && !folder.finished()) folder.lock();
    if (folder.finished()) {
      std::cerr << "bellmark: " << folder.path.string() << " is finished already\n";
      const std::vector<Json> results = {read_result(folder.result_file())};
      std::cout << report::console_result(results.front());
      exit_code = static_cast<int>(
          finish({folder.result_file()}, results, {code_of(results.front())}, *output));
      return;
    }
    const PreparedRun run{
        folder, *end ? prepare_ending(folder) : prepare(folder.experiment, folder.options)};
    exit_code = static_cast<int>(run_all({run}, *output, deadline));
  });
}

}  // namespace bellmark::cli
