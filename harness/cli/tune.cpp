// `bellmark tune`: searches settings on training queries, and judges the winner on held-out
// queries.
#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>
#include <memory>

#include "harness/cli/command_programs.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/machine/pages.hpp"
#include "harness/run/session/programs.hpp"
#include "harness/tune/tuning.hpp"

namespace bellmark::cli {
namespace {

/// The place of another program that is tuned.
struct ProgramFlags {
  std::vector<std::string> files;
  std::vector<std::string> homes;
  bool allow_commands = false;

  void add_to(CLI::App& app) {
    app.add_option("--programs", files,
                   "a file of [[program]] tables that -v may name as external/NAME")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--program", homes,
                   "NAME=FOLDER: the folder with the executables of a described program")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_flag("--allow-commands", allow_commands,
                 "start programs of a file that did not come with Bellmark");
  }

  std::vector<external::Program> programs_of(const std::string& variant) const {
    std::vector<external::Program> programs = named_programs({variant}, files, homes);
    run::refuse_foreign(programs, allow_commands);
    run::begin_programs(programs);
    return programs;
  }
};

void add_options(CLI::App& app, tune::Request& request) {
  app.add_option("-v,--variant", request.variant,
                 "one variant; its settings are the default to beat (see: bellmark list)")
      ->required();
  app.add_option("-p,--keys,--parameters", request.keys,
                 "keys to search, with commas; without it, all tunable keys");
  app.add_option_function<std::string>(
      "--strategy",
      [&request](const std::string& name) { request.strategy = tune::strategy_of(name); },
      "ladder (the default): one key at a time; grid: all combinations of two or three keys");
  app.add_option_function<std::string>(
      "--objective",
      [&request](const std::string& name) { request.objective = tune::objective_of(name); },
      "quantity to make small: time (the default) or energy of a query, or resident memory");
  app.add_option(input_option(), request.graph,
                 input_help() + "\n(without it, the problem's default)");
  app.add_option("-c,--placement", request.placement, "one place: core:0, pu:3, none")
      ->capture_default_str();
  app.add_option("--budget", request.budget, "time for the whole search (90s, 8m)")
      ->capture_default_str();
  app.add_option("--queries", request.queries,
                 "number of held-out queries, and most training queries")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}))
      ->capture_default_str();
  // Held-out seeds come after it, and an experiment file holds 63 bits.
  app.add_option("--seed", request.seed, "seed of the training queries")
      ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max() -
                                              static_cast<std::int64_t>(tune::kSeedTries)))
      ->capture_default_str();
  app.add_option("--timeout", request.timeout_s,
                 "seconds of silence after which a worker is killed")
      ->check(number_above_zero());
  app.add_option_function<std::string>(
      "--pages", [&request](const std::string& name) { request.pages = machine::pages_of(name); },
      "memory pages of all candidates alike: huge (the default), small, or system");
  app.add_option("--runs", request.runs, "folder for raw runs")->capture_default_str();
  app.add_option("-o,--output", request.output,
                 "the tuned experiment: default against tuned\n"
                 "(without it, tuned.toml beside the held-out result)");
  app.add_flag("--force", request.force, "go on when a worker can't be pinned");
  app.add_flag("-q,--quiet", request.quiet, "print no progress on stderr");
}

}  // namespace

Command tune_command() {
  return {
      "tune", "Search the settings of a variant, and judge them on held-out queries",
      "Training and held-out queries have different seeds and share no query. The tuned settings\n"
      "are called better only when the held-out interval excludes 1. Every step is a run of its\n"
      "own under runs/tune/. Ctrl-C loses the search, not the runs that are finished.\n\n"
      "  bellmark tune -v sssp/yours --budget 8m -o tuned.toml\n"
      "  bellmark tune -v sssp/dijkstra -p arity,extract -g my.gr.gz\n"
      "  bellmark tune -v bfs/hybrid -p alpha,beta --strategy grid -g my.gr.gz\n"
      "  bellmark tune -v sssp/dijkstra -p width --objective memory -g my.gr.gz\n"
      "  bellmark run tuned.toml",
      [](CLI::App& app) -> Action {
        const auto request = std::make_shared<tune::Request>();
        add_options(app, *request);
        const auto programs = std::make_shared<ProgramFlags>();
        programs->add_to(app);
        return [request, programs](const Argv& argv) {
          request->programs = programs->programs_of(request->variant);
          const Selection selection = Registry::global().select(request->variant).front();
          request->graph = input_or_default(request->graph, selection.family->problem());
          return tune::tune_variant(*request, argv, std::cout);
        };
      }};
}

}  // namespace bellmark::cli
