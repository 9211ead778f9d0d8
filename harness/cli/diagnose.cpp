// `bellmark diagnose`: the level of the memory hierarchy that binds a variant (yasui2011, section
// 4).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/output_options.hpp"
#include "harness/machine/frequency.hpp"
#include "harness/machine/location.hpp"

namespace bellmark::cli {
namespace {

struct DiagnoseFlags {
  std::string variant;
  std::string graph;
  std::string budget;
  std::uint64_t queries = 4;
  bool quick = false;
  run::Output output;
};

constexpr const char* kReader = "read-bandwidth/sum";
constexpr const char* kPairs = R"("pair:other-package", "pair:same-package", "pair:shared-l2")";

/// A clock a third below the highest, as in Table 8. If the highest is unknown, `min` brings the
/// reason why it can't be set.
std::string lowered_clock(const machine::Topology& topology) {
  const auto first = machine::expand(topology, "core:0").front();
  const machine::HighestClock highest = machine::highest_clock(machine::pus_of(first).front());
  constexpr double kLowered = 2.0 / 3;
  if (!highest.mhz) return "min";
  return std::to_string(std::lround(*highest.mhz * kLowered)) + "MHz";
}

/// A TOML string of exactly this text: quotes and control characters have no place in a name.
std::string quoted(const std::string& name) {
  for (const char c : name) {
    if (c == '\'' || static_cast<unsigned char>(c) < ' ') {
      throw InputError(name, "has a character that no name has", "rename the file");
    }
  }
  return "'" + name + "'";
}

/// Tables 7 and 10: the variant alone, with its clock lowered, and twice at once.
std::string search_text(const DiagnoseFlags& flags, const std::string& problem,
                        const std::string& clock) {
  return "id = \"diagnose/search\"\ntitle = \"Alone, with a lower clock, and twice at once\"\n"
         "variants = [" +
         quoted(flags.variant) + "]\n[workload]\nproblem = \"" + problem +
         "\"\nqueries = { kind = \"default\", count = " + std::to_string(flags.queries) +
         ", seed = 42 }\n[axes]\n" + Registry::global().input_axis(problem) + " = [" +
         quoted(input_or_default(flags.graph, problem)) + "]\nplacement = [\"core:0\", " + kPairs +
         "]\nprocesses = [1, 2]\nfrequency = [\"unchanged\", \"" + clock +
         "\"]\n[[exclude]]\nwhere = { placement = \"core:0\", processes = 2 }\n"
         "why = \"one core has one process\"\n[[exclude]]\nwhere = { placement = [" +
         kPairs + "], frequency = \"" + clock +
         "\" }\nwhy = \"the clock is lowered for one process alone\"\n"
         "[run]\nsample_count = 10\nseconds_per_process = 1\ndiagnose = true\n"
         "counters = [\"stalls\"]\n"
         "baseline = { placement = \"core:0\", frequency = \"unchanged\" }\n"
         "[quick]\nquery_count = 2\nsample_count = 3\nseconds_per_process = 0.3\n"
         "[figure]\nkind = \"bars\"\ntitle = \"Time of one query\"\n";
}

/// Figure 21: the same region read by one core and by two.
std::string bandwidth_text() {
  constexpr std::uint64_t kLeast = 16U << 10;
  constexpr std::uint64_t kLargest = 64U << 20;
  std::vector<std::string> regions;
  for (std::uint64_t bytes = kLeast; bytes <= kLargest; bytes *= 2) {
    regions.push_back("\"region:bytes=" + std::to_string(bytes) + "\"");
  }
  return "id = \"diagnose/read-bandwidth\"\ntitle = \"Reading a region with one core and with "
         "two\"\n"
         "variants = [\"" +
         std::string(kReader) +
         "\"]\n[workload]\nproblem = \"read-bandwidth\"\n"
         "queries = { kind = \"rounds\", count = 1 }\n[axes]\ngraph = [" +
         join(regions, ", ") + "]\nplacement = [\"core:0\", " + kPairs +
         "]\nprocesses = [1, 2]\n"
         "[[exclude]]\nwhere = { placement = \"core:0\", processes = 2 }\n"
         "why = \"one core has one process\"\n[[exclude]]\nwhere = { placement = [" +
         kPairs +
         "], processes = 1 }\nwhy = \"core:0 is one process alone\"\n"
         "[run]\nsample_count = 10\nseconds_per_process = 0.2\n"
         "[quick]\nsample_count = 3\naxes = { graph = [\"region:bytes=16384\", "
         "\"region:bytes=262144\", \"region:bytes=4194304\", \"region:bytes=67108864\"] }\n"
         "[figure]\nkind = \"bars\"\ntitle = \"Time of one query\"\n";
}

ExitCode diagnose(const DiagnoseFlags& flags, const Argv& argv) {
  if (!flags.output.json.empty()) {
    throw InputError("--export-json", "takes one experiment, and this runs two",
                     "read diagnose/search below the folder of --runs");
  }
  plan::Options options;
  if (flags.quick) options.form = "quick";
  if (!flags.budget.empty()) options.budget_s = plan::parse_duration(flags.budget) / 2;
  const machine::Topology topology = machine::Topology::this_machine();
  const Selection selection = Registry::global().select(flags.variant).front();
  std::vector<plan::Experiment> experiments = {plan::parse_experiment(
      search_text(flags, selection.family->problem(), lowered_clock(topology)), "diagnose")};
  const auto& families = Registry::global().families();
  if (std::ranges::find(families, kReader, &Family::name) != families.end()) {
    experiments.push_back(plan::parse_experiment(bandwidth_text(), "diagnose"));
  } else {
    std::cerr << "reading a region is not measured: " << kReader
              << " is one of Bellmark's own variants, which this lab was built without\n";
  }
  return run::run_experiments(experiments, options, flags.output, argv);
}

}  // namespace

Command diagnose_command() {
  return {
      "diagnose", "Find what binds a variant: memory bandwidth, a shared cache, or computation",
      "Measures the variant alone, with its core's clock lowered by a third, and beside a second\n"
      "process on each class of pair of cores; then how fast one core and two read memory. What\n"
      "the machine lacks is said, and so is what would be needed to tell.\n\n"
      "  bellmark diagnose -v sssp/dijkstra -g my.gr.gz --budget 5m",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<DiagnoseFlags>();
        if (Registry::global().takes_graphs()) flags->variant = "sssp/dijkstra";
        app.add_option("-v,--variant", flags->variant, "variant to diagnose")
            ->capture_default_str()
            ->required(flags->variant.empty());
        app.add_option(input_option(), flags->graph,
                       input_help() + "\n(without it, the problem's default)");
        app.add_option("--queries", flags->queries, "number of queries of a sample")
            ->check(CLI::Range(1, 1'000'000))
            ->capture_default_str();
        app.add_option("--budget", flags->budget, "time for the whole command (90s, 8m)");
        app.add_flag("--quick", flags->quick,
                     "fewer queries, samples and sizes; never fewer blocks");
        add_output_options(app, flags->output);
        return [flags](const Argv& argv) { return diagnose(*flags, argv); };
      }};
}

}  // namespace bellmark::cli
