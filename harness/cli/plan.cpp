// `bellmark plan`: the cells of an experiment and their expected time; runs nothing.
#include "harness/plan/plan.hpp"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/counted.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/cli/output_options.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/run/session/console_progress.hpp"
#include "harness/run/session/foresight.hpp"
#include "harness/run/session/known_spread.hpp"
#include "harness/verdict/decidable.hpp"
#include "harness/verdict/outcome.hpp"

namespace bellmark::cli {
namespace {

std::string query_count_text(const QueryRule& rule) {
  return rule.count == 0 ? "all" : std::to_string(rule.count);
}

/// `same data`, or `same data (2 cells); smaller, effect can show (1 cells)`; "" without any.
std::string stand_in_classes(const plan::Plan& plan) {
  std::map<plan::StandInClass, std::size_t> counts;
  for (const plan::Cell& cell : plan.cells) {
    if (cell.stand_in_class) ++counts[*cell.stand_in_class];
  }
  std::vector<std::string> texts;
  texts.reserve(counts.size());
  for (const auto& [stand_in_class, count] : counts) {
    texts.push_back(to_string(stand_in_class) +
                    (count == plan.cells.size() ? "" : " (" + std::to_string(count) + " cells)"));
  }
  return join(texts, "; ");
}

/// The number of blocks that the paper's effects need on this machine, if a run here has shown its
/// spread.
void print_blocks_for_effects(const plan::Plan& plan, const std::string& claim,
                              const run::KnownSpread& spread) {
  constexpr double kMost = 1000;
  const auto blocks = verdict::blocks_for_effects(plan.experiment, claim, spread.log_deviation);
  if (!blocks) return;
  std::cout << "  " << claim << ": ";
  if (*blocks > kMost) {
    std::cout << "more than 1000 blocks";
  } else {
    const double block_s = plan.estimated_s / static_cast<double>(plan.block_count);
    std::cout << "about " << *blocks << " blocks (" << run::time_left_text(*blocks * block_s)
              << ")";
  }
  std::cout << " would show the paper's effect, at the spread of " << spread.file << "\n";
}

void print_plan(const plan::Plan& plan, const std::optional<run::KnownSpread>& spread) {
  const plan::Experiment& experiment = plan.experiment;
  const run::Foresight foresight = run::foresee(plan);
  const bool takes_graphs = Registry::global().takes_graphs(experiment.problem);
  std::cout << experiment.id << "  " << experiment.title << "  (" << plan.options.form << ")\n"
            << "  " << counted(plan.cells.size(), "cell") << " in "
            << counted(plan.groups.size(), "group") << ", " << counted(plan.block_count, "block")
            << ", " << query_count_text(experiment.queries) << " queries ("
            << experiment.queries.kind << ", seed " << experiment.queries.seed << "), at most "
            << plan.stop_rule.sample_count << " samples or " << plan.stop_rule.seconds
            << " s a cell and block\n  about " << run::time_left_text(plan.estimated_s)
            << (takes_graphs ? ", by the size of its graphs\n" : "\n");
  for (const std::string& cut : plan.cuts) std::cout << "  " << cut << "\n";
  if (!experiment.stand_in.empty()) std::cout << "  stand-in: " << experiment.stand_in << "\n";
  if (const std::string classes = stand_in_classes(plan); !classes.empty()) {
    std::cout << "  data: " << classes << "\n";
  }
  std::vector<std::vector<std::string>> rows = {
      {"id", "variant", plan.options.input_axis, "placement"}};
  const bool launched = !experiment.launcher.empty();
  if (launched) rows.front().emplace_back("ranks");
  for (const plan::Cell& cell : plan.cells) {
    rows.push_back({cell.id, cell.variant, cell.graph, cell.placement});
    if (launched) rows.back().push_back(std::to_string(cell.rank_count));
  }
  std::cout << report::fitted_or_whole(rows, "  ", terminal_columns(STDOUT_FILENO), 2);
  std::cout << foresight.reasons.text(plan.cells.size());
  for (const std::string& input : foresight.unopened) {
    std::cout << "  not opened: " << input << "; `bellmark run --dry-run` finds what it lacks\n";
  }
  std::vector<plan::Claim> claims = experiment.claims;
  std::ranges::stable_sort(claims, natural_less, &plan::Claim::id);
  for (const plan::Claim& claim : claims) {
    std::cout << "  claim " << claim.id << " (" << to_string(claim.kind) << "): " << claim.text
              << "\n";
  }
  if (plan.options.form == "smoke") return;
  for (const auto& [id, count, needs_blocks] : verdict::rows_of_claims(plan)) {
    const double level = verdict::kLevel / static_cast<double>(std::max<std::size_t>(1, count));
    std::cout << "  " << id << ": " << count << (count == 1 ? " row" : " rows")
              << "; the least p of " << plan.block_count << " blocks is "
              << verdict::least_p(plan.block_count) << ", " << level << " is needed\n";
    if (spread) print_blocks_for_effects(plan, id, *spread);
  }
}

void plan_named(const ExperimentFlags& flags, const std::string& runs) {
  const machine::Topology topology = machine::Topology::this_machine();
  const plan::Options options = flags.to_options();
  const std::vector<plan::Experiment> experiments = flags.read(topology);
  const std::optional<run::KnownSpread> spread = run::newest_spread(runs);
  std::size_t cell_count = 0;
  double estimated_s = 0;
  for (const plan::Experiment& experiment : experiments) {
    const plan::Plan plan = verdict::plan_to_decide(experiment, options, topology);
    print_plan(plan, spread);
    cell_count += plan.cells.size();
    estimated_s += plan.estimated_s;
  }
  if (experiments.size() == 1) return;
  std::cout << "all " << experiments.size() << " experiments: " << cell_count << " cells, about "
            << run::time_left_text(estimated_s) << "\n";
}

}  // namespace

Command plan_command() {
  return {
      "plan", "Show the cells that `run` would measure, and how long they would take",
      "A cell is one point of an experiment; its id depends on what it is, not on its place.\n\n"
      "  bellmark plan yasui2011 --quick\n"
      "  bellmark plan sweeps/bfs --shard 2/2\n"
      "  bellmark plan -v 'sssp/*' -g my.gr.gz -a arity=[2:8:2]",
      [](CLI::App& app) -> Action {
        const auto flags = std::make_shared<ExperimentFlags>();
        const auto runs = std::make_shared<std::string>(run::Output().runs);
        flags->add_to(app, true);
        app.add_option("--runs", *runs,
                       "folder of raw runs; the newest run says how much blocks spread here")
            ->capture_default_str();
        return [flags, runs](const Argv&) {
          plan_named(*flags, *runs);
          return ExitCode::ok;
        };
      }};
}

}  // namespace bellmark::cli
