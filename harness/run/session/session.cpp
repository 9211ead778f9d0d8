#include "harness/run/session/session.hpp"

#include <iostream>
#include <utility>

#include "harness/run/result/assemble.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/supervise/signals_noted.hpp"

namespace bellmark::run {

std::chrono::steady_clock::duration to_duration(double seconds) {
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds));
}

Prepared prepare(const plan::Experiment& experiment, const plan::Options& options) {
  Prepared prepared{plan::make_plan(experiment, options, machine::Topology::this_machine()), {}};
  if (!prepared.plan.cells.empty()) prepared.probe = probe(prepared.plan);
  return prepared;
}

Prepared prepare_ending(const RunFolder& folder) {
  Prepared prepared{
      plan::make_plan(folder.experiment, folder.options, machine::Topology::this_machine()), {}};
  prepared.probe = noted_probe(folder, prepared.plan);
  return prepared;
}

SessionOutcome run_session(const RunFolder& folder, const Prepared& prepared, bool quiet,
                           std::optional<std::chrono::steady_clock::time_point> deadline,
                           const Among& among) {
  const plan::Plan& plan = prepared.plan;
  const Probe& probe = prepared.probe;
  Journal journal(folder.journal_file());
  const std::vector<std::string> of_parts = note_beginning(folder, plan, probe);
  if (!journal.damage().empty()) std::cerr << "bellmark: " << journal.damage() << "\n";
  for (const std::string& text : of_parts) std::cerr << "bellmark: " << text << "\n";

  const auto is_over = [&] { return deadline && std::chrono::steady_clock::now() >= *deadline; };
  const auto interrupted = [&] { return SignalsNoted::any() || is_over(); };
  Supervised supervised;
  {
    const SignalsNoted signals;
    ConsoleProgress progress(plan, quiet, among);
    supervised = supervise(plan, probe, folder, journal, progress, interrupted);
  }
  if (supervised.interrupted && !SignalsNoted::any()) {
    supervised.cuts.push_back("stopped after " + supervised.finished);
  } else if (supervised.interrupted) {
    std::cerr << "bellmark: interrupted; go on with: bellmark resume " << folder.path.string()
              << "\n";
    return {std::nullopt, ExitCode::interrupted};
  }
  Json result = assemble(plan, probe, supervised, folder, journal.replicates());
  for (const std::string& text : of_parts) {
    result["warnings"].push_back(
        {{"text", text}, {"action", "start a new run where times are to be compared"}});
  }
  write_file(folder.result_file(), result_text(result));
  const ExitCode code = code_of(result);
  return {std::move(result), code};
}

}  // namespace bellmark::run
