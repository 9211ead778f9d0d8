#include "harness/run/session/session.hpp"

#include <algorithm>
#include <iostream>
#include <utility>
#include <vector>

#include "base/installation.hpp"
#include "harness/external/family.hpp"
#include "harness/run/result/assemble.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/supervise/signals_noted.hpp"
#include "harness/verdict/decidable.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::run {
namespace {

/// The looks of a run: the numbers of blocks after which it judges.
std::vector<std::size_t> looks_of(const plan::Plan& plan) {
  if (!plan.options.until_decided) return {plan.block_count};
  std::vector<std::size_t> looks = {plan.block_count};
  for (const std::size_t look : verdict::kLooks) {
    if (look > looks.back()) looks.push_back(look);
  }
  return looks;
}

}  // namespace

std::chrono::steady_clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

Prepared prepare(const plan::Experiment& experiment, const plan::Options& options) {
  external::define(experiment.programs);
  Prepared prepared{verdict::plan_to_decide(experiment, options, machine::Topology::this_machine()),
                    {}};
  if (!prepared.plan.cells.empty()) prepared.probe = probe(prepared.plan);
  return prepared;
}

Prepared prepare_ending(const RunFolder& folder) {
  Prepared prepared{
      verdict::plan_to_decide(folder.experiment, folder.options, noted_topology(folder)), {}};
  Noted noted = noted_beginning(folder, prepared.plan);
  prepared.probe = std::move(noted.probe);
  prepared.noted_warnings = std::move(noted.warnings);
  return prepared;
}

void say_interrupted(const RunFolder& folder) {
  const std::string& name = installation().name;
  std::cerr << name << ": interrupted; go on with: " << name << " resume " << folder.path.string()
            << "\n";
}

SessionOutcome run_session(const RunFolder& folder, const Prepared& prepared, bool quiet,
                           std::optional<std::chrono::steady_clock::time_point> deadline,
                           const Among& among) {
  const plan::Plan& plan = prepared.plan;
  Probe probe = prepared.probe;
  if (!prepared.noted_warnings) probe.origin = origin_here();
  // Another experiment may have a program of the same name.
  external::define(plan.experiment.programs);
  Journal journal(folder.journal_file());
  const std::vector<std::string> of_parts =
      prepared.noted_warnings ? *prepared.noted_warnings : note_beginning(folder, plan, probe);
  if (!journal.damage().empty())
    std::cerr << installation().name << ": " << journal.damage() << "\n";
  for (const std::string& text : of_parts) std::cerr << installation().name << ": " << text << "\n";

  const auto begin = std::chrono::steady_clock::now();
  const auto is_over = [&] { return deadline && std::chrono::steady_clock::now() >= *deadline; };
  const auto interrupted = [&] { return SignalsNoted::any() || is_over(); };
  // Measures the plan's cells that the journal lacks; nothing when it is interrupted.
  const auto measure = [&](const plan::Plan& wanted) -> std::optional<Json> {
    Supervised supervised;
    {
      const SignalsNoted signals;
      ConsoleProgress progress(wanted, quiet, among);
      supervised = supervise(wanted, probe, folder, journal, progress, interrupted);
    }
    if (supervised.interrupted && !SignalsNoted::any()) {
      supervised.cuts.push_back("stopped after " + supervised.finished);
    } else if (supervised.interrupted) {
      return std::nullopt;
    }
    return assemble(wanted, probe, supervised, folder, journal.replicates());
  };
  plan::Plan wanted = plan;
  std::optional<Json> measured;
  for (const std::size_t look : looks_of(plan)) {
    wanted.block_count = look;
    measured = measure(wanted);
    if (!measured) return {std::nullopt, ExitCode::interrupted};
    // The plan fits the budget. Work beyond the plan ends with it.
    if (plan.options.budget_s) {
      const auto end = begin + to_duration(*plan.options.budget_s);
      deadline = deadline ? std::min(*deadline, end) : end;
    }
    if (is_over() || !verdict::wants_blocks(measured->at("verdicts"))) break;
  }
  for (const std::string& id : verdict::cells_to_confirm(plan.experiment, *measured)) {
    wanted.fresh_cells.push_back(static_cast<std::size_t>(
        std::ranges::find(plan.cells, id, &plan::Cell::id) - plan.cells.begin()));
  }
  if (!wanted.fresh_cells.empty() && !is_over() && plan.options.form != "smoke") {
    measured = measure(wanted);
    if (!measured) return {std::nullopt, ExitCode::interrupted};
  }
  Json result = std::move(*measured);
  for (const std::string& text : of_parts) {
    result["warnings"].push_back(
        {{"text", text}, {"action", "start a new run where times are to be compared"}});
  }
  write_file(folder.result_file(), result_text(result));
  const ExitCode code = code_of(result);
  return {std::move(result), code};
}

}  // namespace bellmark::run
