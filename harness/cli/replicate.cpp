// `bellmark replicate`: measures a stored result again here, and compares the two.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/terminal.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/results.hpp"
#include "harness/report/replication.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/session/replica.hpp"

namespace bellmark::cli {
namespace {

struct ReplicateFlags {
  std::string result;
  std::string here;
  std::string budget;
  std::string runs = "runs";
  double within = 1.1;
  run::ReplicaChanges changes;
  bool json = false;
  bool quiet = false;
  bool strict = false;
};

/// The one result of a path.
Json read_one(const std::string& path) {
  Json result;
  with_results({path}, [&](auto& results) { result = std::move(results.front()); });
  return result;
}

/// The measurement here in a result's place.
struct Rerun {
  Json result;       ///< null where nothing could be
  std::string file;  ///< of the result
  ExitCode code = ExitCode::ok;
  std::map<std::string, std::string> missing;
};

Rerun measure_again(const Json& there, const ReplicateFlags& flags, const Argv& argv) {
  const run::Replica replica = run::prepare_replica(there, flags.result, flags.changes);
  if (!replica.prepared) return {nullptr, "", ExitCode::all_unmet, replica.missing};
  const auto folder = run::RunFolder::create(flags.runs, replica.experiment, replica.options, argv);
  run::SessionOutcome outcome = run::run_session(folder, *replica.prepared, flags.quiet);
  if (!outcome.result) {
    run::say_interrupted(folder);
    std::cerr << "then: bellmark replicate " << flags.result << " --here " << folder.path.string()
              << "\n";
    return {nullptr, "", outcome.code, {}};
  }
  return {std::move(*outcome.result), folder.result_file().string(), outcome.code, replica.missing};
}

/// The exit code of the cells under `--strict`.
ExitCode strict_code(const Json& replication) {
  const Json& counts = replication.at("counts");
  if (counts.at("differs") > 0) return ExitCode::regression;
  return counts.at("can't") > 0 ? ExitCode::inconclusive : ExitCode::ok;
}

ExitCode replicate(const Json& there, const ReplicateFlags& flags, const Argv& argv) {
  const Rerun here = flags.here.empty() ? measure_again(there, flags, argv)
                                        : Rerun{read_one(flags.here), flags.here, ExitCode::ok, {}};
  if (here.code == ExitCode::interrupted) return here.code;
  Json replication = report::replication(there, here.result, here.missing, flags.within);
  replication["there"] = flags.result;
  replication["here"] = here.file.empty() ? Json() : Json(here.file);
  if (flags.json) {
    std::cout << replication.dump(1) << "\n";
  } else {
    const Json& experiment = there.at("experiment");
    std::cout << experiment.at("id").get<std::string>() << "  "
              << experiment.at("title").get<std::string>() << "\n"
              << report::replication_text(replication, terminal_columns(STDOUT_FILENO));
    if (!here.file.empty()) std::cout << "  result: " << here.file << "\n";
  }
  std::vector<ExitCode> codes = {here.code};
  if (flags.strict) codes.push_back(strict_code(replication));
  return run::most_urgent(codes);
}

void add_options(CLI::App& app, ReplicateFlags& flags) {
  app.add_option("result", flags.result, "a stored result, or the folder of one")->required();
  app.add_flag("--quick", flags.changes.quick,
               "measure the short form of the experiment: fewer queries, same inputs and settings");
  app.add_option_function<std::string>(
      "--budget",
      [&flags](const std::string& text) { flags.changes.budget_s = plan::parse_duration(text); },
      "time for it (90s, 8m): cuts queries");
  app.add_option(
      "--launcher", flags.changes.launcher,
      "words that start ranks: 'mpirun -n {ranks}'; the launcher of the result is not started");
  app.add_flag("--allow-commands", flags.changes.allow_commands,
               "start programs of other people that the result defines");
  app.add_option_function<std::string>(
      "--within", [&flags](const std::string& text) { flags.within = factor_of_percent(text); },
      "how far ratios may be apart and still agree [10%]");
  app.add_option("--here", flags.here,
                 "compare with a result that was measured here before, and measure nothing");
  app.add_flag("--json", flags.json, "print JSON, for programs");
  app.add_option("--runs", flags.runs, "folder for raw runs")->capture_default_str();
  app.add_flag("--strict", flags.strict, "exit 5 if a cell differs, 6 if a cell can't be told");
  app.add_flag("--force", flags.changes.force, "go on when a worker can't be pinned");
  app.add_flag("-q,--quiet", flags.quiet, "print no progress on stderr");
}

}  // namespace

Command replicate_command() {
  return {"replicate", "Measure a stored result again on this machine, and compare the two",
          "The experiment, its settings and seeds come from the result, and graphs must have its\n"
          "digests. Ratios against the baseline are judged. Times are judged on machines that are\n"
          "alike, and shown on others. The new result is kept like that of any run.\n\n"
          "  bellmark replicate theirs/result.json\n"
          "  bellmark replicate theirs/result.json --quick --budget 2m --json\n"
          "  bellmark replicate theirs/result.json --here runs/adhoc/20261121T054000Z-1a2b3c4d",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ReplicateFlags>();
            add_options(app, *flags);
            return [flags](const Argv& argv) {
              ExitCode code = ExitCode::ok;
              with_results({flags->result}, [&](const auto& results) {
                code = replicate(results.front(), *flags, argv);
              });
              return code;
            };
          }};
}

}  // namespace bellmark::cli
