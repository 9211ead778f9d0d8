#include "harness/cli/experiment_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/contract/prepared.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/cli/command_programs.hpp"
#include "harness/external/family.hpp"
#include "harness/plan/axes.hpp"
#include "harness/run/session/programs.hpp"
#include "harness/verdict/experiment_check.hpp"

namespace bellmark::cli {
namespace {

/// Two flags for the same axis would silently drop one.
void refuse_contradictions(const ExperimentFlags& flags, const std::vector<plan::Axis>& axes) {
  const auto refuse = [&](std::size_t at, const std::string& other, const std::string& remedy) {
    throw InputError("-a " + flags.axes[at],
                     "axis '" + axes[at].first + "' has values already, from " + other, remedy);
  };
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::string& name = axes[i].first;
    if (plan::is_input_axis(name) && !flags.graphs.empty()) {
      const std::string flag = name == "graph" ? "-g" : "-i";
      refuse(i, flag + " " + flags.graphs.front(),
             "name all " + name + "s with " + flag + ", or all with -a " + name + "=");
    }
    if (name == "placement" && !flags.placements.empty()) {
      refuse(i, "-c " + flags.placements.front(),
             "name all places with -c, or all with -a placement=");
    }
    const auto same = std::ranges::find(axes.begin(), axes.begin() + static_cast<std::ptrdiff_t>(i),
                                        name, &plan::Axis::first);
    const auto first = static_cast<std::size_t>(same - axes.begin());
    if (first < i) {
      refuse(i, "-a " + flags.axes[first], "write all its values in one: -a " + name + "=2,4,8");
    }
  }
}

/// An axis that nothing mentions is a key of the variants. If no family has the key, and an axis of
/// runs has a similar name, it is a typing error. Programs of others have settings that are not
/// known yet.
void refuse_near_misses(const ExperimentFlags& flags, const std::vector<plan::Axis>& axes) {
  static const std::vector<std::string> kOfRuns = {
      "graph", "input", "placement", "processes", "ranks", "frequency", "pages", "memory", "start"};
  const auto is_key = [](const std::string& name) {
    return std::ranges::any_of(Registry::global().families(),
                               [&](const Family& family) { return family.key(name) != nullptr; });
  };
  const auto is_external = [](const std::string& variant) {
    return variant.find("external") != std::string::npos;
  };
  if (std::ranges::any_of(flags.variants, is_external)) return;
  for (const auto& [name, values] : axes) {
    if (plan::is_of_run(name) || is_key(name)) continue;
    const auto mentions = [word = "{" + name + "}"](const std::string& text) {
      return text.find(word) != std::string::npos;
    };
    if (std::ranges::any_of(flags.graphs, mentions) ||
        std::ranges::any_of(flags.variants, mentions)) {
      continue;
    }
    const std::string near = nearest(name, kOfRuns);
    if (near.empty()) continue;
    throw InputError("-a " + name, "is not an axis, and no family has such a key",
                     "did you mean '" + near + "'?");
  }
}

/// A flag whose values are an axis: `--memory local,interleave`.
void add_axis(const std::string& name, const std::string& values, std::vector<plan::Axis>& axes) {
  if (std::ranges::find(axes, name, &plan::Axis::first) != axes.end()) {
    throw InputError("--" + name + " " + values, "axis '" + name + "' has values already, from -a",
                     "leave one of them out");
  }
  axes.push_back(plan::parse_axis(name + "=" + values));
}

/// A graph or place that is named twice would silently be measured once.
void refuse_repeated(const char* flag, const std::vector<std::string>& values) {
  const std::string twice = plan::repeated_value(plan::text_axis("", values).second);
  if (!twice.empty()) throw InputError(flag, "names '" + twice + "' twice", "name it once");
}

}  // namespace

std::string input_or_default(const std::string& named, const std::string& problem) {
  if (!named.empty()) return named;
  const std::string own = Registry::global().default_input(problem);
  return own.empty() && Registry::global().takes_graphs(problem) ? kDefaultGraph : own;
}

namespace {

/// True if any problem here has inputs that are not graphs.
bool has_other_inputs() {
  const Registry& registry = Registry::global();
  return std::ranges::any_of(registry.problems(), [&](const std::string& problem) {
    return !registry.takes_graphs(problem);
  });
}

}  // namespace

std::string input_option() {
  if (!has_other_inputs()) return "-g,--graph";
  return Registry::global().takes_graphs() ? "-g,--graph,-i,--input" : "-i,--input";
}

std::string input_help() {
  const std::string graphs = "an id (dimacs:USA-road-d.NY), a file, or grid:/random: settings";
  const std::string keys = "keys=values that make it (n=256,seed=1); see: list";
  if (!has_other_inputs()) return "graph: " + graphs;
  return Registry::global().takes_graphs() ? "graph: " + graphs + ";\nother input: " + keys
                                           : "input: " + keys;
}

double factor_of_percent(const std::string& text) {
  constexpr double kHundred = 100;
  const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  double percent = -1;
  if (!CLI::detail::lexical_cast(number, percent) || !(percent >= 0 && percent <= kHundred)) {
    throw InputError("'" + text + "'", "is not a percentage from 0 to 100", "write it as 3%");
  }
  return 1 + percent / kHundred;
}

CLI::Validator whole_number_from(std::int64_t least, std::int64_t most) {
  const bool has_end = most < std::numeric_limits<std::int64_t>::max();
  const std::string range = "a whole number from " + std::to_string(least) +
                            (has_end ? " to " + std::to_string(most) : " on");
  return CLI::Validator(
      [least, most, range](const std::string& text) {
        const auto number = parse_integer(text);
        const bool fits = number && *number >= least && *number <= most;
        return fits ? std::string() : "'" + text + "' is not " + range;
      },
      "");
}

CLI::Validator number_above_zero() {
  return CLI::Validator(
      [](const std::string& text) {
        double number = 0;
        const bool is_number = CLI::detail::lexical_cast(text, number) && std::isfinite(number);
        if (!is_number || !(number > 0)) return "'" + text + "' is not a number above 0";
        return number <= plan::kLongestSeconds ? std::string() : "'" + text + "' is above 10^9";
      },
      "");
}

void ExperimentFlags::add_to(CLI::App& app, bool with_experiments) {
  if (with_experiments) {
    app.add_option("experiment", experiments,
                   "experiment files or folders (yasui2011, yasui2011/table4, my.toml);\nwithout "
                   "one, the variants of -v are compared");
    app.add_option(
        "--shard", shard,
        "i/n: the i-th of n parts of each experiment's cells, for job arrays; cells that\n"
        "are compared stay together");
  }
  // One value for each flag: `-v A EXPERIMENT` must not take the experiment.
  const auto repeated = [&](const std::string& name, std::vector<std::string>& values,
                            const std::string& help) {
    app.add_option(name, values, help)->expected(1)->take_all()->allow_extra_args(false);
  };
  repeated("-v,--variant", variants,
           "variant, glob or paper alias; repeat it (see: bellmark list)");
  repeated(input_option(), graphs, input_help());
  repeated("-a,--axis", axes,
           "measure several values of any key: key=2,4,8 or key=2..8 or key=[2:32:x2]");
  repeated("-c,--placement", placements,
           "cores to run on: core:0, numa:0, near:gpu:0, each:core, none");
  repeated("--counters", counters,
           "counter group (software, cache, cachegrind, ...), read in a pass of its own");
  repeated("--profile", profiles,
           "profile each cell in a process and pass of its own: perf, callgrind, nsys or ncu");
  repeated("--baseline", baseline,
           "baseline of ratios: AXIS=VALUE (repeat it), or one of the variants");
  app.add_option("--queries", queries, "number of queries")
      ->check(whole_number_from(1, plan::kMostQueries));
  app.add_option("--seed", seed, "seed of the queries")->check(whole_number_from(0));
  app.add_option("--budget", budget, "time for each experiment (90s, 8m): cuts queries first");
  app.add_option("--timeout", timeout_s, "seconds of silence after which a worker is killed")
      ->check(number_above_zero());
  app.add_option("--launcher", launcher,
                 "words that start the ranks of a distributed search: 'mpirun -n {ranks}';\nnumber "
                 "of ranks: -a ranks=2,4");
  app.add_option(
      "--pages", pages,
      "memory pages: huge (the default), reserved, small, or system; several with commas\n"
      "are an axis");
  app.add_option("--memory", memory,
                 "place of memory: first-touch, interleave, local, numa:N, or system, which "
                 "asks\nfor nothing; several with commas are an axis");
  app.add_option("--prepared", prepared,
                 "folder of prepared data: variants read theirs from it, or write it there");
  if (Registry::global().takes_graphs()) add_programs(app);
  app.add_flag("--quick", quick,
               "measure the short form of the experiment: fewer queries and values");
  app.add_flag("--smoke", smoke,
               "measure 1 block of 1 sample, to see that it works; no interval, no verdict");
  app.add_flag("--energy", energy,
               "measure energy of CPUs (RAPL) and GPUs, in a pass of its own in each block");
  app.add_flag("--force", force, "go on when a worker can't be pinned");
}

void ExperimentFlags::add_programs(CLI::App& app) {
  const auto repeated = [&](const std::string& name, std::vector<std::string>& values,
                            const std::string& help) {
    app.add_option(name, values, help)->expected(1)->take_all()->allow_extra_args(false);
  };
  repeated(
      "--command", commands,
      "take any program as a variant: './mine -t {threads} {graph}'; repeat it. No shell\nreads "
      "it. {graph} {source} {target} {answer} {threads} and axes stand for values");
  CLI::Option* const command = app.get_option("--command");
  app.add_option("--command-problem", command_problem,
                 "problem that the commands answer: sssp, bfs, p2p")
      ->needs(command)
      ->capture_default_str();
  app.add_option("--command-format", command_format,
                 "format of {graph}: gr, gr.gz, bmg, el, wel, mtx, sg, wsg, adj, galois or sp")
      ->needs(command)
      ->capture_default_str();
  app.add_option("--command-time", command_time,
                 "time of the command: process, or a line that it prints as UNIT:PATTERN with one "
                 "group:\n's:Trial Time: *([0-9.]+)'")
      ->needs(command)
      ->capture_default_str();
  app.add_option("--command-check", command_check,
                 "proof that its answer is right: exit-code, or the file that it writes to "
                 "{answer}:\ndistances, predecessors, levels, answer")
      ->needs(command);
  app.add_option("--command-speaks", command_speaks,
                 "wire: the program starts once for each cell, and is "
                 "asked\n(docs/reference/program-wire.md)")
      ->needs(command);
  repeated("--programs", program_files,
           "a file of [[program]] tables that -v may name as external/NAME");
  repeated("--program", homes,
           "NAME=FOLDER: the folder with the executables of a described program");
  app.add_flag("--allow-commands", allow_commands,
               "start programs of a file that did not come with Bellmark");
}

plan::Options ExperimentFlags::to_options() const {
  plan::Options options;
  if (quick && smoke) {
    throw InputError("--quick", "excludes --smoke", "choose one of them");
  }
  options.form = smoke ? "smoke" : quick ? "quick" : "full";
  if (!experiments.empty()) options.variants = variants;
  options.graphs = graphs;
  options.placements = placements;
  for (const std::string& axis : axes) options.axes.push_back(plan::parse_axis(axis));
  refuse_contradictions(*this, options.axes);
  if (is_adhoc() && experiments.empty() && commands.empty())
    refuse_near_misses(*this, options.axes);
  if (!memory.empty()) add_axis("memory", memory, options.axes);
  if (pages.find(',') != std::string::npos) add_axis("pages", pages, options.axes);
  refuse_repeated(Registry::global().takes_graphs() ? "-g" : "-i", graphs);
  refuse_repeated("-c", placements);
  if (experiments.empty() && graphs.empty() && plan::find_input_axis(options.axes) == nullptr &&
      is_adhoc()) {
    options.graphs = {input_or_default("", problem())};
  }
  options.counters = counters;
  options.profiles = profiles;
  options.baseline = baseline;
  if (queries > 0) options.query_count = queries;
  if (seed >= 0) options.seed = static_cast<std::uint64_t>(seed);
  if (!budget.empty()) options.budget_s = plan::parse_duration(budget);
  if (timeout_s > 0) options.timeout_s = timeout_s;
  options.launcher = launcher;
  if (!pages.empty() && pages.find(',') == std::string::npos) {
    options.pages = machine::to_string(machine::pages_of(pages));
  }
  if (!prepared.empty()) options.prepared = prepared::made_folder(prepared).string();
  if (!shard.empty()) options.shard = plan::parse_shard(shard);
  options.energy = energy;
  options.force = force;
  options.until_decided = until_decided;
  return options;
}

std::string ExperimentFlags::problem() const {
  if (variants.empty() || variants.front().starts_with("external/")) return command_problem;
  return Registry::global().select(variants.front()).front().family->problem();
}

plan::Experiment ExperimentFlags::adhoc() const {
  std::vector<external::Program> programs = named_programs(variants, program_files, homes);
  const std::size_t named_count = programs.size();
  for (const std::string& line : commands) {
    programs.push_back(program_of(line, programs, *this, to_options().axes));
  }
  external::define(programs);
  std::vector<std::string> patterns = variants;
  for (std::size_t i = named_count; i < programs.size(); ++i) {
    patterns.push_back(external::family_name(programs[i]));
  }
  plan::Experiment experiment = plan::adhoc_experiment(patterns);
  experiment.programs = std::move(programs);
  return experiment;
}

std::vector<plan::Experiment> ExperimentFlags::read(const machine::Topology& topology) const {
  std::vector<plan::Experiment> read;
  for (const std::string& reference : experiments) {
    for (const auto& file : plan::find_experiments(reference)) {
      read.push_back(plan::read_experiment(file));
      place_programs(read.back().programs, homes);
      verdict::check_experiment(read.back(), topology);
    }
  }
  if (experiments.empty()) {
    if (!is_adhoc()) {
      throw InputError("", "nothing to do: no experiment and no variant named",
                       Registry::global().takes_graphs()
                           ? "try: bellmark run yasui2011 --quick, or bellmark run -v sssp/dijkstra"
                           : "try: bellmark run EXPERIMENT.toml --quick, or bellmark run -v '*/*'");
    }
    read.push_back(adhoc());
  } else if (!commands.empty()) {
    throw InputError("--command", "stands beside an experiment, which has variants of its own",
                     "leave one of them out, or write the program into the file as [[program]]");
  }
  return read;
}

}  // namespace bellmark::cli
