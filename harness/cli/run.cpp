// `bellmark run`: measures, judges, writes results.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/output_options.hpp"
#include "harness/run/session/programs.hpp"

namespace bellmark::cli {
namespace {

ExitCode run_named(const ExperimentFlags& flags, const run::Output& output, const Argv& argv) {
  const plan::Options options = flags.to_options();
  std::vector<plan::Experiment> experiments = flags.read(machine::Topology::this_machine());
  if (!output.json.empty() && experiments.size() != 1) {
    throw InputError("--export-json",
                     "takes one experiment, not " + std::to_string(experiments.size()),
                     "name one, or read runs/");
  }
  for (plan::Experiment& experiment : experiments) {
    run::refuse_foreign(experiment.programs, flags.allow_commands);
    if (!output.dry_run) run::begin_programs(experiment.programs);
  }
  return run::run_experiments(experiments, options, output, argv);
}

}  // namespace

Command run_command() {
  return {"run", "Measure experiments or variants, and judge claims",
          "Every run leaves runs/<experiment>/<utc>-<id>/result.json. Ctrl-C leaves a run that\n"
          "`bellmark resume` goes on with.\n\n"
          "  bellmark run yasui2011 --quick --report report\n"
          "  bellmark run -v sssp/dijkstra -v sssp/boost-dijkstra -g my.gr.gz --queries 8\n"
          "  bellmark run sweeps/placement -v 'sssp/dijkstra:arity=4' -c each:core\n"
          "  bellmark run sweeps/bfs --shard 1/4\n"
          "  bellmark run yasui2011/T5 --until-decided --budget 30m\n"
          "  bellmark run --command './mine -t {threads} {graph}' -a threads=1,2,4 -c each:core\n"
          "  bellmark run -v distributed-bfs/hybrid -g kronecker:scale=20 -c core:0-3\n"
          "      -a ranks=1,2,4 --launcher 'mpirun -n {ranks}'",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<ExperimentFlags>();
            const auto output = std::make_shared<run::Output>();
            flags->add_to(app, true);
            add_output_options(app, *output);
            app.add_flag("--until-decided", flags->until_decided,
                         "judge after 8, 16 and 32 blocks, and stop when no claim is "
                         "inconclusive\nfor want of blocks; --budget ends it sooner");
            app.add_flag("--dry-run", output->dry_run, "check everything, measure nothing");
            return [flags, output](const Argv& argv) { return run_named(*flags, *output, argv); };
          }};
}

}  // namespace bellmark::cli
