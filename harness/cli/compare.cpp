// `bellmark compare`: variants or builds against each other in one run, or two stored results.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <set>

#include "base/installation.hpp"
#include "base/terminal.hpp"
#include "harness/builds/builds.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/compare_stored.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/output_options.hpp"
#include "harness/cli/results.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/report/console.hpp"
#include "harness/run/session/exit_codes.hpp"
#include "harness/run/session/experiments.hpp"
#include "harness/run/session/programs.hpp"
#include "harness/run/session/session.hpp"

namespace bellmark::cli {
namespace {

struct CompareFlags {
  ExperimentFlags experiment;
  std::vector<std::string> results;
  std::vector<std::string> revisions;
  std::vector<std::string> builds;
  std::vector<std::string> cmake_flags;
  std::optional<double> least_ratio;
  run::Output output;
  bool across_machines = false;

  bool has_builds() const { return !revisions.empty() || !builds.empty(); }
};

/// For builds a smaller difference says nothing: code that moves in memory makes such a difference.
constexpr double kLeastOfBuilds = 1 + measure::kSameWithin;

/// Revisions and folders in the order of the command line. The first is the baseline.
std::vector<builds::Wanted> wanted_builds(const CompareFlags& flags, const CLI::App& app) {
  using Kind = builds::Wanted::Kind;
  std::vector<builds::Wanted> wanted;
  auto revision = flags.revisions.begin();
  auto folder = flags.builds.begin();
  for (const CLI::Option* option : app.parse_order()) {
    if (option->check_lname("revision")) wanted.push_back({Kind::revision, *revision++});
    if (option->check_lname("build")) wanted.push_back({Kind::folder, *folder++});
  }
  return wanted;
}

/// Refuses what doesn't go with builds: the first build is the baseline.
void refuse_beside_builds(const ExperimentFlags& flags, const plan::Experiment& experiment) {
  const auto refuse = [](const char* flag, const std::string& why) {
    throw InputError(flag, "with builds: " + why, "leave it out");
  };
  if (!flags.baseline.empty()) refuse("--baseline", "the first build is the baseline");
  if (!experiment.programs.empty()) {
    refuse(experiment.programs.front().name.c_str(), "somebody else's program is of no build");
  }
}

/// The compared builds, as far as they name themselves; "" for a run without builds.
std::string builds_text(const Json& result) {
  constexpr std::size_t kShownDigits = 12;
  std::vector<std::vector<std::string>> rows = {{"  build", "commit", "compiler"}};
  for (const Json& build : result.at("provenance").value("builds", Json::array())) {
    const Json& commit = build.at("git_sha");
    std::string text =
        commit.is_null() ? "not known" : commit.get<std::string>().substr(0, kShownDigits);
    if (build.at("git_dirty") == true) text += ", changed files";
    rows.push_back({"  " + build.at("name").get<std::string>(), text,
                    build.value("compiler", std::string("not known")) + " " +
                        build.value("flags", std::string())});
  }
  return rows.size() == 1 ? "" : report::aligned(rows);
}

std::string least_text(const std::optional<double>& least_ratio) {
  if (!least_ratio) return {};
  char text[160];
  std::snprintf(text, sizeof text,
                "A difference counts from %.3g %% on: FASTER and SLOWER are intervals beyond it as "
                "a whole,\nSAME is one within it.\n\n",
                (*least_ratio - 1) * 100);
  return text;
}

ExitCode compare_variants(const CompareFlags& flags, const CLI::App& app, const Argv& argv) {
  plan::Experiment experiment = flags.experiment.adhoc();
  run::refuse_foreign(experiment.programs, flags.experiment.allow_commands);
  if (flags.has_builds()) refuse_beside_builds(flags.experiment, experiment);
  run::begin_programs(experiment.programs);
  plan::Options options = flags.experiment.to_options();
  flags.output.check();
  options.least_ratio = flags.least_ratio;
  std::vector<ExitCode> codes;
  if (flags.has_builds()) {
    builds::Found found = builds::find_builds(wanted_builds(flags, app), flags.cmake_flags);
    options.builds = std::move(found.builds);
    if (!options.least_ratio) options.least_ratio = kLeastOfBuilds;
    if (found.left_out) codes.push_back(ExitCode::crash);
  }
  // Makes the folder only when it has cells to run: `resume` would try it forever.
  const run::Prepared prepared = run::prepare(experiment, options);
  const auto folder = run::RunFolder::create(flags.output.runs, experiment, options, argv);
  const run::SessionOutcome outcome = run::run_session(folder, prepared, flags.output.quiet);
  if (!outcome.result) {
    run::say_interrupted(folder);
    return outcome.code;
  }
  const auto columns = terminal_columns(STDOUT_FILENO);
  std::set<std::string> said;
  std::cout << report::console_result(*outcome.result, said, columns)
            << builds_text(*outcome.result) << "  result: " << folder.result_file().string()
            << "\n\n"
            << report::console_legend({*outcome.result}, columns)
            << least_text(options.least_ratio);
  flags.output.write({folder.result_file().string()}, {*outcome.result});
  bool compared = false;
  bool slower = false;
  for (const Json& comparison : outcome.result->at("comparisons")) {
    const bool failed = report::failure_of(*outcome.result, comparison.at("a")) != nullptr ||
                        report::failure_of(*outcome.result, comparison.at("b")) != nullptr;
    compared = compared || !failed;
    slower = slower || (!failed && comparison.at("outcome") == "SLOWER");
  }
  if (!compared) {
    std::cerr << installation().name << ": nothing was compared: no two cells were measured\n";
  }
  const bool is_lonely = !compared && outcome.code == ExitCode::ok;
  codes.push_back(is_lonely ? ExitCode::all_unmet : outcome.code);
  if (slower && flags.output.strict) codes.push_back(ExitCode::regression);
  return run::most_urgent(codes);
}

/// Two stored results are compared unchanged, so flags about measuring have no use.
void refuse_run_flags(const CLI::App& app) {
  const std::vector<std::string> useful = {"result", "--strict", "--quiet", "--at-least",
                                           "--across-machines"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::find(useful, name) != useful.end()) continue;
    throw InputError("compare", name + " with two results, which are compared as they are",
                     "leave it out, or name variants with -v and no results");
  }
}

/// One variant has no rival, unless a graph, a place or a key makes more of it.
void refuse_single(const ExperimentFlags& flags) {
  const bool has_places =
      flags.placements.size() > 1 ||
      (!flags.placements.empty() && flags.placements.front().starts_with("each:"));
  if (flags.commands.size() > 1 || !flags.axes.empty() || flags.graphs.size() > 1 || has_places) {
    return;
  }
  std::set<std::string> names;  // one variant may be named in several ways
  for (const std::string& variant : flags.variants) {
    for (const Selection& selection : Registry::global().select(variant)) {
      names.insert(selection.name());
    }
  }
  if (names.size() + flags.commands.size() > 1) return;
  if (flags.variants.empty()) {
    throw InputError("compare",
                     "only one program, " + flags.commands.front() + ", and nothing beside it",
                     "name a rival with -v or --command");
  }
  throw InputError(
      "compare", "only one variant, " + *names.begin() + ", and nothing beside it",
      "name a second with -v, or measure it alone: bellmark run -v " + flags.variants.front());
}

ExitCode compare(const CompareFlags& flags, const CLI::App& app, const Argv& argv) {
  if (flags.results.size() == 1) {
    throw InputError("compare", "one result alone", "name two results, or variants with -v");
  }
  if (flags.results.empty() && !flags.experiment.is_adhoc()) {
    throw InputError("compare", "nothing to compare: no variants and no results named",
                     (Registry::global().takes_graphs()
                          ? "try: bellmark compare -v sssp/dijkstra -v 'sssp/boost-dijkstra:*', or "
                          : "try: bellmark compare -v '*/*', or ") +
                         std::string("bellmark compare old/result.json new/result.json"));
  }
  if (!flags.results.empty()) {
    refuse_run_flags(app);
    return compare_stored({flags.results.at(0), flags.results.at(1), flags.least_ratio,
                           flags.across_machines, flags.output.strict});
  }
  if (flags.across_machines) {
    throw InputError("--across-machines", "without results: all is measured on this machine",
                     "leave it out, or name two results");
  }
  if (!flags.has_builds()) refuse_single(flags.experiment);
  return compare_variants(flags, app, argv);
}

void add_build_options(CLI::App& app, CompareFlags& flags) {
  const auto repeated = [&](const char* name, std::vector<std::string>& values, const char* help) {
    return app.add_option(name, values, help)->expected(1)->take_all()->allow_extra_args(false);
  };
  repeated("--revision", flags.revisions,
           "a revision of the git tree around this folder, built in ~/.cache/bellmark; repeat it.\n"
           "HEAD is the commit, without local changes");
  repeated("--build", flags.builds,
           "a folder with a finished build, or its bellmark; repeat it, also beside --revision");
  repeated("--cmake", flags.cmake_flags, "a flag for the CMake of revisions: --cmake=-DNAME=VALUE");
  app.add_option_function<std::string>(
      "--at-least",
      [&flags](const std::string& text) { flags.least_ratio = factor_of_percent(text); },
      "least difference that counts, as 3%; for builds the default is 3%");
}

}  // namespace

Command compare_command() {
  return {"compare", "Compare variants, builds or stored results with the first one, in pairs",
          "Ratios are times against the first variant's: SAME, FASTER, SLOWER by a 95 %\n"
          "interval, or UNCLEAR. Those of -v stand before those of --command.\n\n"
          "  bellmark compare -v sssp/dijkstra -v 'sssp/boost-dijkstra:*'\n"
          "  bellmark compare old/result.json new/result.json --strict\n"
          "  bellmark compare --revision v1 --revision HEAD -v 'sssp/*' -g my.gr.gz --strict\n"
          "  bellmark compare --build ../old/build/release --build build/release -v sssp/auto\n\n"
          "Two folders are compared by the experiments that both have, with the latest result of\n"
          "each.",
          [](CLI::App& app) -> Action {
            const auto flags = std::make_shared<CompareFlags>();
            app.add_option("result", flags->results,
                           "two results, or folders of results of the same experiments: before, "
                           "after")
                ->expected(0, 2);
            flags->experiment.add_to(app, false);
            add_build_options(app, *flags);
            app.add_flag(
                "--across-machines", flags->across_machines,
                "compare results of different machines, GPUs, compilers or inputs, with a note");
            add_output_options(app, flags->output, "exit 5 when something is slower");
            return [flags, &app](const Argv& argv) { return compare(*flags, app, argv); };
          }};
}

}  // namespace bellmark::cli
