#include "harness/cli/session.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>

#include "base/text.hpp"
#include "harness/report/format.hpp"
#include "harness/run/result/assemble.hpp"
#include "harness/run/supervise/signals_noted.hpp"

namespace bellmark::cli {
namespace {

/// Progress on stderr: one line that is redrawn on a terminal, one line a block otherwise.
class ConsoleProgress final : public run::Progress {
 public:
  ConsoleProgress(const plan::Plan& plan, bool quiet)
      : plan_(plan), quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}
  ~ConsoleProgress() override { clear(); }

  void replicate(const run::Task& task, std::size_t finished, std::size_t total,
                 std::optional<double> remaining_s) override {
    if (quiet_) return;
    head_ = plan_.experiment.id + "  " + std::to_string(finished + 1) + "/" +
            std::to_string(total) + "  " + to_string(task.pass);
    if (task.pass == run::Pass::timed) {
      head_ += " block " + std::to_string(task.block + 1) + "/" + std::to_string(plan_.block_count);
    }
    if (remaining_s) head_ += ", " + std::to_string(std::lround(*remaining_s)) + " s left";
    const bool first_of_block = task.pass != shown_pass_ || task.block != shown_block_;
    shown_pass_ = task.pass;
    shown_block_ = task.block;
    if (terminal_) {
      draw(head_);
    } else if (first_of_block) {
      std::cerr << head_ << "\n";
    }
  }

  void estimate(const std::map<std::string, double>& query_ns) override {
    if (quiet_ || !terminal_ || query_ns.empty()) return;
    const auto& [id, ns] = *query_ns.begin();
    std::string text = head_ + "  ";
    const auto cell = std::ranges::find(plan_.cells, id, &plan::Cell::id);
    if (cell != plan_.cells.end()) text += cell->label + ": ";
    text += report::duration_text(ns);
    // The spread over the blocks so far, when there is one to show.
    auto& seen = estimates_[id];
    seen.push_back(ns);
    if (seen.size() > 1) {
      const auto [low, high] = std::ranges::minmax(seen);
      text += " (" + report::duration_text(low) + " to " + report::duration_text(high) + ")";
    }
    draw(text);
  }

  void problem(const std::string& text) override {
    clear();
    std::cerr << "bellmark: " << text << "\n";
  }

 private:
  void draw(const std::string& text) {
    constexpr std::size_t kColumns = 100;
    std::cerr << "\r\033[K" << text.substr(0, kColumns) << std::flush;
    drawn_ = true;
  }
  void clear() {
    if (drawn_) std::cerr << "\r\033[K" << std::flush;
    drawn_ = false;
  }

  const plan::Plan& plan_;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string head_;
  std::optional<run::Pass> shown_pass_;
  std::size_t shown_block_ = 0;
  std::map<std::string, std::vector<double>> estimates_;
};

}  // namespace

std::chrono::steady_clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

ExitCode code_of(const Json& result) {
  std::vector<ExitCode> codes;
  const Json& not_measured = result.at("not_measured");
  std::size_t unmet = 0;
  for (const Json& entry : not_measured) {
    const auto& code = entry.at("code").get_ref<const std::string&>();
    if (code == "wrong-answer") codes.push_back(ExitCode::wrong_answer);
    if (code == "crash" || code == "timeout" || code == "interrupted") {
      codes.push_back(ExitCode::crash);
    }
    if (code == "unmet-need" || code == "not-built" || code == "bad-setting") ++unmet;
  }
  if (unmet == result.at("cells").size()) codes.push_back(ExitCode::all_unmet);
  return most_urgent(codes);
}

Prepared prepare(const plan::Experiment& experiment, const plan::Options& options) {
  Prepared prepared{plan::make_plan(experiment, options, machine::Topology::this_machine()), {}};
  if (!prepared.plan.cells.empty()) prepared.probe = run::probe(prepared.plan);
  return prepared;
}

Prepared prepare_ending(const run::RunFolder& folder) {
  Prepared prepared{
      plan::make_plan(folder.experiment, folder.options, machine::Topology::this_machine()), {}};
  prepared.probe = run::noted_probe(folder, prepared.plan);
  return prepared;
}

SessionOutcome run_session(const run::RunFolder& folder, const Prepared& prepared, bool quiet,
                           std::optional<std::chrono::steady_clock::time_point> deadline) {
  const plan::Plan& plan = prepared.plan;
  const run::Probe& probe = prepared.probe;
  run::Journal journal(folder.journal_file());
  const std::vector<std::string> of_parts = run::note_beginning(folder, plan, probe);
  if (!journal.damage().empty()) std::cerr << "bellmark: " << journal.damage() << "\n";
  for (const std::string& text : of_parts) std::cerr << "bellmark: " << text << "\n";

  const auto is_over = [&] { return deadline && std::chrono::steady_clock::now() >= *deadline; };
  const auto interrupted = [&] { return run::SignalsNoted::any() || is_over(); };
  run::Supervised supervised;
  {
    const run::SignalsNoted signals;
    ConsoleProgress progress(plan, quiet);
    supervised = run::supervise(plan, probe, folder, journal, progress, interrupted);
  }
  if (supervised.interrupted && !run::SignalsNoted::any()) {
    supervised.cuts.push_back("stopped after " + supervised.finished);
  } else if (supervised.interrupted) {
    std::cerr << "bellmark: interrupted; go on with: bellmark resume " << folder.path.string()
              << "\n";
    return {std::nullopt, ExitCode::interrupted};
  }
  Json result = run::assemble(plan, probe, supervised, folder, journal.replicates());
  for (const std::string& text : of_parts) {
    result["warnings"].push_back(
        {{"text", text}, {"action", "start a new run where times are to be compared"}});
  }
  run::write_file(folder.result_file(), run::result_text(result));
  const ExitCode code = code_of(result);
  return {std::move(result), code};
}

ExitCode most_urgent(const std::vector<ExitCode>& codes) {
  for (const ExitCode code :
       {ExitCode::interrupted, ExitCode::internal, ExitCode::machine, ExitCode::wrong_answer,
        ExitCode::crash, ExitCode::regression, ExitCode::inconclusive}) {
    if (std::ranges::find(codes, code) != codes.end()) return code;
  }
  const bool unmet = std::ranges::find(codes, ExitCode::all_unmet) != codes.end();
  const bool measured = std::ranges::find(codes, ExitCode::ok) != codes.end();
  return unmet && !measured ? ExitCode::all_unmet : ExitCode::ok;
}

ExitCode strict_code(const std::vector<Json>& results) {
  ExitCode code = ExitCode::ok;
  for (const report::ClaimRow& claim : report::merge_claims(results)) {
    if (claim.verdict == "not reproduced") return ExitCode::regression;
    if (claim.verdict == "inconclusive") code = ExitCode::inconclusive;
  }
  return code;
}

Json read_result(const std::filesystem::path& path) {
  const std::filesystem::path file =
      std::filesystem::is_directory(path) ? path / "result.json" : path;
  std::ifstream stream(file);
  if (!stream) {
    throw InputError(file.string(), "cannot be read",
                     "name a result.json or the folder of a finished run");
  }
  Json result = Json::parse(stream, nullptr, false);
  const bool known = result.is_object() && result.contains("schema") &&
                     result["schema"].is_object() &&
                     result["schema"].value("name", Json()) == "bellmark-result";
  if (!known) {
    throw InputError(file.string(), "is no Bellmark result",
                     "name a result.json that `bellmark run` wrote");
  }
  const Json number = result["schema"].value("version", Json());
  const std::string version = number.is_string() ? number.get<std::string>() : number.dump();
  if (!version.starts_with("1.")) {
    throw InputError(file.string(), "has schema version '" + version + "', this build reads 1.x",
                     "use the Bellmark that wrote it");
  }
  for (const char* part : {"experiment", "provenance", "cells", "comparisons", "verdicts",
                           "not_measured", "warnings"}) {
    if (result.contains(part) && result[part].is_structured()) continue;
    throw InputError(file.string(), "is damaged: it has no '" + std::string(part) + "'",
                     "run the experiment again");
  }
  return result;
}

void with_results(const std::vector<std::string>& paths,
                  const std::function<void(std::vector<Json>&)>& use) {
  std::vector<Json> results;
  results.reserve(paths.size());
  for (const std::string& path : paths) results.push_back(read_result(path));
  try {
    use(results);
  } catch (const Json::exception& error) {
    throw InputError(join(paths, ", "), std::string("is damaged: ") + error.what(),
                     "run the experiment again");
  }
}

}  // namespace bellmark::cli
