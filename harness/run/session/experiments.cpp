#include "harness/run/session/experiments.hpp"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <iostream>
#include <set>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/report/console.hpp"
#include "harness/report/console_claims.hpp"
#include "harness/report/google_benchmark.hpp"
#include "harness/report/table.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/result/assemble.hpp"
#include "harness/run/result/stored.hpp"
#include "harness/run/session/drawing.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/session/export_check.hpp"
#include "harness/run/session/foresight.hpp"
#include "harness/run/session/programs.hpp"
#include "harness/run/session/session.hpp"

namespace bellmark::run {
namespace {

/// Prints, exports and draws finished results; returns the exit code of the whole command.
ExitCode finish(const std::vector<std::string>& files, const std::vector<Json>& results,
                std::vector<ExitCode> codes, const Output& output) {
  const auto columns = terminal_columns(STDOUT_FILENO);
  std::cout << report::console_legend(results, columns)
            << report::console_claims(results, plan::paper_sentences(), columns);
  output.write(files, results);
  // An `ok` of the verdicts must not stand for cells that were not measured.
  const ExitCode strict = output.strict ? strict_code(results) : ExitCode::ok;
  if (strict != ExitCode::ok) codes.push_back(strict);
  return most_urgent(codes);
}

struct PreparedRun {
  RunFolder folder;
  Prepared prepared;
};

/// The durations of runs, from their plans' estimates and from the runs before.
class Pace {
 public:
  explicit Pace(const std::vector<PreparedRun>& runs) {
    for (const PreparedRun& run : runs) estimates_s_.push_back(run.prepared.plan.estimated_s);
  }

  /// The next run begins.
  Among next() {
    begin_ = std::chrono::steady_clock::now();
    const double scale = estimated_s_ > 0 ? taken_s_ / estimated_s_ : 1;
    Among among{++index_, estimates_s_.size(), scale * estimates_s_[index_ - 1], 0};
    for (std::size_t later = index_; later < estimates_s_.size(); ++later) {
      among.later_s += scale * estimates_s_[later];
    }
    return among;
  }
  void end() {
    estimated_s_ += estimates_s_[index_ - 1];
    taken_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::vector<double> estimates_s_;
  std::size_t index_ = 0;
  double estimated_s_ = 0;  ///< of runs that ended
  double taken_s_ = 0;
  std::chrono::steady_clock::time_point begin_;
};

ExitCode run_all(const std::vector<PreparedRun>& runs, const Output& output,
                 std::optional<std::chrono::steady_clock::time_point> deadline = std::nullopt) {
  std::vector<std::string> files;
  std::vector<Json> results;
  std::vector<ExitCode> codes;
  std::set<std::string> said;
  Pace pace(runs);
  for (const auto& [folder, prepared] : runs) {
    SessionOutcome outcome = run_session(folder, prepared, output.quiet, deadline, pace.next());
    pace.end();
    codes.push_back(outcome.code);
    if (!outcome.result) {
      say_interrupted(folder);
      break;
    }
    std::cout << report::console_result(*outcome.result, said, terminal_columns(STDOUT_FILENO))
              << "  result: " << folder.result_file().string() << "\n";
    // A reader who waits for other experiments sees what this one says of its claims.
    if (runs.size() > 1) {
      std::cout << report::console_verdicts(*outcome.result, terminal_columns(STDOUT_FILENO));
    }
    std::cout << "\n" << std::flush;
    results.push_back(std::move(*outcome.result));
    files.push_back(folder.result_file().string());
  }
  return finish(files, results, codes, output);
}

/// Throws, as AtomicFile does, where the folder can't be made or nothing can be written into it.
void check_folder(const std::filesystem::path& folder) {
  std::filesystem::path present = std::filesystem::absolute(folder);
  std::filesystem::path below = "report.html";
  std::error_code ignored;
  while (!std::filesystem::exists(present, ignored) && present.has_relative_path()) {
    below = present.filename();
    present = present.parent_path();
  }
  const AtomicFile probe(present / below);
}

}  // namespace

void Output::check() const {
  check_export(json, begins_as_result);
  check_export(csv, report::kCsvBegin);
  check_export(markdown, report::kMarkdownBegin);
  check_export(gbench, report::kGoogleBenchmarkBegin);
  std::set<std::filesystem::path> named;
  for (const std::string& file : {json, csv, markdown, gbench}) {
    std::error_code ignored;
    if (file.empty() || named.insert(std::filesystem::weakly_canonical(file, ignored)).second)
      continue;
    throw InputError(file, "is named for two exports", "name a file for each");
  }
  if (!report.empty() && std::filesystem::exists(report) &&
      !std::filesystem::is_directory(report)) {
    throw InputError(report, "is not a folder", "name a folder for the report");
  }
  if (!report.empty()) check_folder(report);
}

void Output::write(const std::vector<std::string>& files, const std::vector<Json>& results) const {
  if (!json.empty() && results.size() == 1) write_file(json, result_text(results.front()));
  if (!csv.empty()) write_file(csv, report::csv(results));
  if (!markdown.empty()) write_file(markdown, report::markdown(results));
  if (!gbench.empty()) {
    write_file(gbench, json_text(report::google_benchmark(results), 2) + "\n");
  }
  if (!report.empty() && !files.empty()) draw_report(files, results, report);
}

ExitCode run_experiments(const std::vector<plan::Experiment>& experiments,
                         const plan::Options& options, const Output& output,
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
      const Probe& probe = prepared[i].probe;
      Reasons reasons;
      for (const NotMeasured& cell : probe.not_measured) {
        reasons.add(probe.resolved[cell.cell], cell.reason);
      }
      if (!probe.not_measured.empty()) {
        std::cout << experiments[i].id << "\n" << reasons.text(plan.cells.size());
      }
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
    runs.push_back(
        {RunFolder::create(output.runs, experiments[i], options, argv), std::move(prepared[i])});
  }
  return run_all(runs, output);
}

ExitCode resume(const std::string& folder, const Ending& ending, const Output& output) {
  std::optional<std::chrono::steady_clock::time_point> deadline;
  if (ending.now) deadline = std::chrono::steady_clock::now();
  if (ending.budget_s) deadline = std::chrono::steady_clock::now() + to_duration(*ending.budget_s);
  output.check();
  RunFolder run =
      folder.empty() ? RunFolder::newest_unfinished(output.runs) : RunFolder::open(folder);
  // The process that held the lock may have finished the run.
  if (!run.held && !run.finished()) run.lock();
  if (run.finished()) {
    std::cerr << "bellmark: " << run.path.string() << " is finished already\n";
    const std::vector<Json> results = {read_result(run.result_file())};
    std::set<std::string> said;
    std::cout << report::console_result(results.front(), said, terminal_columns(STDOUT_FILENO));
    return finish({run.result_file().string()}, results, {code_of(results.front())}, output);
  }
  if (!output.quiet) {
    std::cerr << (ending.now ? "ending " : "going on with ") << run.path.string() << ", begun "
              << run.started_utc << " by: " << join(run.argv, " ") << "\n";
  }
  if (!ending.now) allow_resumed(run.experiment.programs, run.path, ending.allow_commands);
  const Prepared prepared = ending.now ? prepare_ending(run) : prepare(run.experiment, run.options);
  return run_all({{run, prepared}}, output, deadline);
}

}  // namespace bellmark::run
