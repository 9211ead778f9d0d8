// Plans: cells, their ids and labels, forms, budgets, and what the command line says.
#include "harness/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/error.hpp"

namespace bellmark::plan {
namespace {

machine::Topology four_cores() { return machine::Topology::synthetic("pack:1 core:4 pu:2"); }

constexpr const char* kText = R"(id = "e"
variants = ["sssp/dijkstra:arity={arity},extract={extract}"]
[workload]
problem = "sssp"
queries = { kind = "uniform-sources", count = 16, seed = 1 }
[axes]
graph = ["g", "h"]
arity = [2, 4]
extract = ["bottom-up", "top-down"]
[quick]
query_count = 4
sample_count = 5
seconds_per_process = 0.5
axes = { graph = ["g"] }
)";

Experiment experiment(const std::string& old = "", const std::string& now = "") {
  std::string text = kText;
  if (!old.empty()) {
    const std::size_t at = text.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    text.replace(at, old.size(), now);
  }
  return parse_experiment(text, "e.toml");
}

template <class Set>
Options with(Set&& set) {
  Options options;
  set(options);
  return options;
}

Plan plan_of(const Experiment& experiment, const Options& options = {}) {
  return make_plan(experiment, options, four_cores());
}

std::set<std::string> ids(const Plan& plan) {
  std::set<std::string> ids;
  for (const Cell& cell : plan.cells) ids.insert(cell.id);
  return ids;
}

std::string fault(const Experiment& experiment, const Options& options = {}) {
  try {
    plan_of(experiment, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Cells, RanksAndTheirLauncher) {
  Experiment ranks = experiment("graph = [\"g\", \"h\"]\n", "graph = [\"g\"]\nranks = [1, 4]\n");
  EXPECT_EQ(fault(ranks),
            "experiment 'e': ranks = 4, but nothing launches them; add --launcher 'mpirun -n "
            "{ranks}' (or 'srun -n {ranks}'), or write it as launcher under [run]");
  Options options;
  options.launcher = " mpirun  --x={ranks} -n {ranks}";
  const Plan plan = plan_of(ranks, options);
  ASSERT_EQ(plan.cells.size(), 2 * 4U);
  EXPECT_EQ(ids(plan).size(), plan.cells.size());
  EXPECT_EQ(plan.cells[0].rank_count, 1U);
  EXPECT_EQ(plan.cells[4].rank_count, 4U);
  EXPECT_EQ(plan.cells[4].launcher, (std::vector<std::string>{"mpirun", "--x=4", "-n", "4"}));
  EXPECT_EQ(plan.cells[4].variant, plan.cells[0].variant);  // no key of the variant's
  EXPECT_NE(plan.cells[4].label.find("ranks=4"), std::string::npos);
  // Cells of as many ranks are launched together.
  ASSERT_EQ(plan.groups.size(), 2U);
  EXPECT_EQ(plan.groups[1].rank_count, 4U);
  EXPECT_EQ(plan.groups[1].launcher, plan.cells[4].launcher);
  EXPECT_EQ(plan.groups[1].cells, (std::vector<std::size_t>{4, 5, 6, 7}));

  // One rank of a launch is not the same as no launch, whichever launcher it was.
  const std::set<std::string> launched = ids(plan);
  options.launcher = "srun -n {ranks}";
  EXPECT_EQ(ids(plan_of(ranks, options)), launched);
  for (const std::string& id : ids(plan_of(experiment()))) EXPECT_FALSE(launched.contains(id));

  options.launcher = "mpirun -n 4";
  EXPECT_EQ(fault(ranks, options),
            "launcher 'mpirun -n 4': it doesn't say how many ranks to start; write {ranks} where "
            "their number goes, e.g. 'mpirun -n {ranks}'");
  options.launcher = "mpirun -n {ranks}";
  ranks.axes[1].second = {"many"};
  EXPECT_NE(fault(ranks, options).find("ranks = many is no number from 1 on"), std::string::npos);
  ranks = experiment();
  ranks.process_count = 2;
  ranks.placement = "core:0-1";
  EXPECT_NE(fault(ranks, options).find("can't be launched as ranks too"), std::string::npos);
}

TEST(Cells, TooManyRanksOrTooFewAreKnownBeforeTheyAreStarted) {
  const Experiment pairs = parse_experiment(R"(
id = "e"
title = "pairs"
variants = ["distributed-bfs/hybrid:form={form},direction=top-down"]
[workload]
problem = "distributed-bfs"
queries = { kind = "uniform-sources", count = 1, seed = 1 }
[axes]
graph = ["g"]
ranks = [2, 4]
form = ["grid", "pairs"]
[run]
launcher = "mpirun -n {ranks}"
)",
                                            "e.toml");
  const Plan plan = plan_of(pairs);
  ASSERT_EQ(plan.cells.size(), 2 * 2U);
  for (const Cell& cell : plan.cells) {
    const bool fits = cell.rank_count == 2 || cell.axes.at("form") == "grid";
    EXPECT_EQ(cell.unmet.find("can't be dealt to 4 ranks") == std::string::npos, fits)
        << cell.label;
    EXPECT_EQ(cell.unmet.empty(), fits) << cell.unmet;
  }
}

TEST(Cells, PairsProcessesAndClocks) {
  const std::string axes =
      "graph = [\"g\"]\nplacement = [\"pair:shared-l2\", \"pair:other-package\"]\n"
      "processes = [1, 2]\n";
  Experiment two = experiment("graph = [\"g\", \"h\"]\n", axes);
  const Plan plan = make_plan(two, {}, machine::Topology::synthetic("pack:1 l2:2 core:2 pu:1"));
  ASSERT_EQ(plan.cells.size(), 2 * 2 * 4U);
  EXPECT_EQ(ids(plan).size(), plan.cells.size());
  // The axis keeps the class; the place is the cores.
  EXPECT_EQ(plan.cells[0].axes.at("placement"), "pair:shared-l2");
  EXPECT_EQ(plan.cells[0].placement, "core:0-1");
  EXPECT_EQ(plan.cells[0].process_count, 1U);
  EXPECT_EQ(plan.cells[4].process_count, 2U);
  EXPECT_TRUE(plan.cells[4].unmet.empty());
  EXPECT_EQ(plan.cells[4].variant, plan.cells[0].variant);
  EXPECT_NE(plan.cells[8].unmet.find("all cores are in one package here"), std::string::npos);
  // One process alone shares its process with other cells; two at once share with none.
  for (const Group& group : plan.groups) {
    EXPECT_EQ(group.cells.size(), group.process_count == 2 ? 1U : 4U);
  }

  Options one_core;
  one_core.placements = {"core:0"};
  EXPECT_NE(fault(two, one_core).find("2 processes at once, but places for 1 at 'core:0'"),
            std::string::npos);
  two.axes[2].second = {"two"};
  EXPECT_NE(fault(two).find("is no number from 1 on"), std::string::npos);
  two = experiment();
  two.frequency = "fast";
  EXPECT_NE(fault(two).find("frequency 'fast'"), std::string::npos);
}

TEST(Cells, CrossProductInTheAxesOrder) {
  const Plan plan = plan_of(experiment());
  ASSERT_EQ(plan.cells.size(), 8U);
  EXPECT_EQ(ids(plan).size(), 8U);
  EXPECT_EQ(plan.cells[0].axes.dump(),
            R"({"graph":"g","arity":2,"extract":"bottom-up","placement":"core:0"})");
  EXPECT_EQ(plan.cells[1].axes.at("extract"), "top-down");
  EXPECT_EQ(plan.cells[7].axes.at("graph"), "h");
  EXPECT_TRUE(plan.cells[0].variant.starts_with("sssp/dijkstra:queue=heap,arity=2,"));
  ASSERT_EQ(plan.groups.size(), 2U);
  EXPECT_EQ(plan.groups[0].cells, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(plan.groups[1].graph, "h");
}

TEST(Cells, LabelsNameWhatVaries) {
  const Plan plan = plan_of(experiment());
  EXPECT_EQ(plan.cells[0].label, "graph=g, arity=2, extract=bottom-up");
  const Plan one =
      plan_of(experiment("[2, 4]", "[2]"), with([&](Options& o) { o.graphs = {"g"}; }));
  EXPECT_EQ(one.cells.at(0).label, "extract=bottom-up");
}

TEST(Cells, GraphsOfTheCommandLineAreNoRegionsOfMemory) {
  Experiment regions = experiment("graph = [\"g\", \"h\"]", "graph = [\"region:bytes=64\"]");
  const Plan kept = plan_of(regions, with([&](Options& o) { o.graphs = {"g"}; }));
  EXPECT_EQ(kept.cells.at(0).graph, "region:bytes=64");
  EXPECT_EQ(kept.cuts.front(),
            "-g: left out: this experiment reads regions of memory (region:bytes=N)");
  const Plan other = plan_of(regions, with([&](Options& o) { o.graphs = {"region:bytes=128"}; }));
  EXPECT_EQ(other.cells.at(0).graph, "region:bytes=128");
}

TEST(Cells, LabelsTellVariantsApart) {
  Experiment two = experiment("[\"sssp/dijkstra:arity={arity},extract={extract}\"]",
                              "[\"sssp/dijkstra\", \"sssp/boost-dijkstra\"]");
  two.axes = {{"graph", {"g"}}};
  const Plan plan = plan_of(two);
  ASSERT_EQ(plan.cells.size(), 2U);
  EXPECT_EQ(plan.cells[0].label, plan.cells[0].variant);
  EXPECT_NE(plan.cells[0].label, plan.cells[1].label);
}

TEST(Cells, KnowWhetherTheVariantTakesBatches) {
  Experiment two = experiment("[\"sssp/dijkstra:arity={arity},extract={extract}\"]",
                              "[\"sssp/dijkstra\", \"sssp/dijkstra-queries\"]");
  two.axes = {{"graph", {"g"}}};
  const Plan plan = plan_of(two);
  ASSERT_EQ(plan.cells.size(), 2U);
  EXPECT_FALSE(plan.cells[0].batch);
  EXPECT_TRUE(plan.cells[1].batch);
}

TEST(Cells, AxisThatNoPatternNamesIsAKey) {
  const Plan plan = plan_of(
      experiment("[\"sssp/dijkstra:arity={arity},extract={extract}\"]", "[\"sssp/dijkstra\"]"),
      with([&](Options& o) { o.graphs = {"g"}; }));
  ASSERT_EQ(plan.cells.size(), 4U);
  EXPECT_NE(plan.cells[3].variant.find("arity=4,extract=top-down"), std::string::npos);
}

TEST(Cells, AGraphMayNameOtherAxes) {
  const Plan plan = plan_of(experiment(R"(graph = ["g", "h"])",
                                       R"(graph = ["square:scale={scale}"]
scale = [14, 15])"));
  ASSERT_EQ(plan.cells.size(), 8U);
  EXPECT_EQ(plan.cells.front().graph, "square:scale=14");
  EXPECT_EQ(plan.cells.back().graph, "square:scale=15");
  EXPECT_EQ(plan.cells.front().axes["graph"], "square:scale={scale}");
  EXPECT_EQ(plan.cells.front().variant.find("scale"), std::string::npos);
  EXPECT_EQ(plan.groups.size(), 2U);
  EXPECT_EQ(fault(experiment(R"("g", "h")", R"("square:scale={scael}")")),
            "graph 'square:scale={scael}': '{scael}' names no axis; add it under [axes] or with -a "
            "scael=...");
}

TEST(Cells, AnyValueMayNameOtherAxes) {
  Experiment some = experiment();
  some.variants = {"sssp/dijkstra:{system}"};
  some.axes = {{"graph", {"g"}}, {"system", {"arity={cores}", "arity=8"}}, {"cores", {2, 4}}};
  // `cores` is no key of the second system, which is one cell whatever its value.
  const Plan plan = plan_of(some);
  ASSERT_EQ(plan.cells.size(), 3U);
  EXPECT_NE(plan.cells[0].variant.find("arity=2"), std::string::npos);
  EXPECT_NE(plan.cells[1].variant.find("arity=4"), std::string::npos);
  EXPECT_NE(plan.cells[2].variant.find("arity=8"), std::string::npos);
  some.axes[1].second = {"arity={cores}", "arity={system}"};
  EXPECT_NE(fault(some).find("mentions itself"), std::string::npos) << fault(some);
}

TEST(Cells, TwoWaysToTheSameCellAreOne) {
  const Plan plan =
      plan_of(adhoc_experiment({"sssp/dijkstra", "sssp/dijkstra:arity=4"}), with([&](Options& o) {
                o.graphs = {"g", "g"};
              }));
  EXPECT_EQ(plan.cells.size(), 1U);
}

TEST(Cells, IdsDoNotDependOnTheOrder) {
  const std::set<std::string> before = ids(plan_of(experiment()));
  EXPECT_EQ(before, ids(plan_of(experiment("[2, 4]", "[4, 2]"))));
  EXPECT_EQ(before, ids(plan_of(experiment("graph = [\"g\", \"h\"]\narity = [2, 4]",
                                           "arity = [2, 4]\ngraph = [\"h\", \"g\"]"))));
  EXPECT_EQ(before, ids(plan_of(experiment("arity={arity},extract={extract}",
                                           "extract={extract},arity={arity}"))));
  EXPECT_EQ(before, ids(plan_of(experiment("id = \"e\"", "id = \"other\""))));
}

TEST(Cells, IdsDependOnWhatIsAsked) {
  const std::set<std::string> before = ids(plan_of(experiment()));
  const auto differs = [&](const Plan& plan) {
    return std::ranges::none_of(ids(plan), [&](const auto& id) { return before.contains(id); });
  };
  EXPECT_TRUE(differs(plan_of(experiment(), with([&](Options& o) { o.query_count = 15; }))));
  EXPECT_TRUE(differs(plan_of(experiment(), with([&](Options& o) { o.seed = 2; }))));
  EXPECT_TRUE(differs(plan_of(experiment(), with([&](Options& o) { o.placements = {"core:1"}; }))));
  EXPECT_TRUE(differs(plan_of(experiment(), with([&](Options& o) { o.graphs = {"i"}; }))));
  Experiment list = experiment();
  list.queries.kind = "list";
  list.queries.list = {1, 2};
  const std::set<std::string> one = ids(plan_of(list));
  list.queries.list = {2, 1};
  EXPECT_NE(one, ids(plan_of(list)));
}

TEST(Cells, ExcludesLeaveOutAndSayWhy) {
  Experiment some = experiment();
  some.excludes.push_back({Selector{{{"arity", {2}}, {"graph", {"h"}}}}, "too slow there"});
  some.excludes.push_back({Selector{{{"arity", {32}}}}, "never met"});
  const Plan plan = plan_of(some);
  EXPECT_EQ(plan.cells.size(), 6U);
  EXPECT_EQ(plan.cuts, std::vector<std::string>{"excluded: arity = 2, graph = h (too slow there)"});
  some.excludes.push_back({Selector{{{"graph", {"g", "h"}}}}, "all"});
  EXPECT_NE(fault(some).find("no cells are left"), std::string::npos);
}

TEST(Cells, FaultsAreInputErrors) {
  EXPECT_NE(fault(experiment("{extract}", "{extrct}")).find("'{extrct}' names no axis"),
            std::string::npos);
  EXPECT_NE(fault(experiment("{extract}", "{extract")).find("names no axis"), std::string::npos);
  EXPECT_NE(fault(experiment(), with([&](Options& o) { o.variants = {"sssp/dijkstr"}; }))
                .find("did you mean"),
            std::string::npos);
  EXPECT_NE(fault(experiment("arity={arity},", "arty={arity},")).find("arty"), std::string::npos);
  EXPECT_NE(fault(experiment(), with([&](Options& o) { o.variants = {"p2p/dijkstra"}; }))
                .find("does not answer problem"),
            std::string::npos);
  EXPECT_NE(fault(adhoc_experiment({"sssp/dijkstra"})).find("no graph"), std::string::npos);
  EXPECT_NE(fault(experiment(), with([&](Options& o) { o.placements = {"core:9"}; })), "no error");
  EXPECT_NE(fault(experiment(), with([&](Options& o) { o.placements = {"everywhere"}; })),
            "no error");
  EXPECT_THROW(adhoc_experiment({}), InputError);
}

TEST(Cells, EachCoreIsAnAxis) {
  const Plan plan = plan_of(adhoc_experiment({"sssp/dijkstra"}), with([&](Options& o) {
                              o.graphs = {"g"};
                              o.placements = {"each:core"};
                            }));
  ASSERT_EQ(plan.cells.size(), 4U);
  ASSERT_EQ(plan.groups.size(), 4U);
  for (std::size_t core = 0; core < 4; ++core) {
    const std::string word = "core:" + std::to_string(core);
    EXPECT_EQ(plan.cells[core].placement, word);
    EXPECT_EQ(plan.cells[core].axes.at("placement"), word);
    EXPECT_EQ(plan.cells[core].label, "placement=" + word);
    EXPECT_EQ(plan.groups[core].placement, word);
  }
}

TEST(Cells, FoundBySelector) {
  const Plan plan = plan_of(experiment());
  EXPECT_EQ(plan.find({}).size(), 8U);
  const auto found = plan.find(Selector{{{"arity", {4}}, {"graph", {"h"}}}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0]->id, plan.cells[6].id);
}

TEST(Cells, BaselineSharesTheMostAxes) {
  const auto baselines = [](const Plan& plan) {
    std::vector<std::string> labels;
    for (const Cell& cell : plan.cells) {
      const Json& axes = plan.baseline_of(cell).axes;
      labels.push_back(axes.at("graph").get<std::string>() + axes.at("arity").dump() +
                       axes.at("extract").get<std::string>().substr(0, 1));
    }
    return labels;
  };
  using Labels = std::vector<std::string>;
  EXPECT_EQ(baselines(plan_of(experiment())),
            (Labels{"g2b", "g2b", "g2b", "g2b", "h2b", "h2b", "h2b", "h2b"}))
      << "without a baseline the graph's first";
  EXPECT_EQ(baselines(plan_of(experiment("[quick]", "[run]\nbaseline = { arity = 4 }\n[quick]"))),
            (Labels{"g4b", "g4t", "g4b", "g4t", "h4b", "h4t", "h4b", "h4t"}));
  EXPECT_EQ(
      baselines(plan_of(experiment(
          "[quick]",
          "[run]\nbaseline = { graph = \"g\", arity = 2, extract = \"top-down\" }\n[quick]"))),
      Labels(8, "g2t"));
}

TEST(Forms, QuickCutsAndSaysSo) {
  const Plan plan = plan_of(experiment(), with([&](Options& o) { o.form = "quick"; }));
  EXPECT_EQ(plan.cells.size(), 4U);
  EXPECT_EQ(plan.block_count, 6U);
  EXPECT_EQ(plan.experiment.queries.count, 4U);
  EXPECT_EQ(plan.stop_rule.sample_count, 5U);
  EXPECT_EQ(plan.stop_rule.seconds, 0.5);
  EXPECT_EQ(plan.cuts, (std::vector<std::string>{"quick: 1 of 2 values of axis graph",
                                                 "quick: 4 of 16 queries"}));
}

TEST(Forms, AListIsCutFromItsEnd) {
  Experiment list = experiment();
  list.queries = {.kind = "list", .list = {5, 6, 7, 8, 9, 10}};
  const Plan plan = plan_of(list, with([&](Options& o) { o.form = "quick"; }));
  EXPECT_EQ(plan.experiment.queries.count, 4U);
  EXPECT_EQ(plan.cuts.back(), "quick: the first 4 queries");
  list.queries.list = {5, 6};
  const Plan whole = plan_of(list, with([&](Options& o) { o.form = "quick"; }));
  EXPECT_EQ(whole.experiment.queries.count, 0U);
  EXPECT_EQ(whole.cuts, std::vector<std::string>{"quick: 1 of 2 values of axis graph"});
}

TEST(Forms, SmokeIsOneBlockOfOneSample) {
  const Plan plan = plan_of(experiment(), with([&](Options& o) { o.form = "smoke"; }));
  EXPECT_EQ(plan.block_count, 1U);
  EXPECT_EQ(plan.stop_rule.sample_count, 1U);
  EXPECT_EQ(plan.cuts.back(), "smoke: 1 block of 1 sample: no interval, no verdict");
}

TEST(Forms, TheCommandLineWinsOverTheForm) {
  const Plan plan = plan_of(experiment(), with([&](Options& o) {
                              o.form = "quick";
                              o.graphs = {"x", "y", "z"};
                              o.query_count = 9;
                            }));
  EXPECT_EQ(plan.cells.size(), 12U);
  EXPECT_EQ(plan.experiment.queries.count, 9U);
  for (const std::string& cut : plan.cuts) {
    EXPECT_EQ(cut.find("queries"), std::string::npos) << cut;
  }
}

TEST(Forms, FullCutsNothing) {
  const Plan plan = plan_of(experiment());
  EXPECT_TRUE(plan.cuts.empty());
  EXPECT_GT(plan.estimated_s, 0);
}

/// A file whose graphs mention an axis, and whose short form has a stand-in of its own.
Experiment scaled() {
  return parse_experiment(R"(id = "s"
variants = ["sssp/dijkstra:arity={arity}"]
stand_in = "large for huge"
[workload]
problem = "sssp"
queries = { kind = "uniform-sources", count = 16, seed = 1 }
[axes]
graph = ["square:scale={scale},seed={seed}"]
scale = [19, 20, 21, 22, 23]
seed = ["1{digit}"]
digit = [0]
arity = [2, 4]
placement = ["core:0"]
[run]
baseline = { arity = 2 }
[quick]
stand_in = "small for huge"
axes = { scale = [14, 15, 16], placement = ["none"] }
)",
                          "s.toml");
}

using Cuts = std::vector<std::string>;

TEST(Cuts, CompareValues) {
  EXPECT_EQ(
      plan_of(scaled(), with([](Options& o) { o.form = "quick"; })).cuts,
      (Cuts{"quick: scale 14..16 instead of 19..23", "quick: placement none instead of core:0"}));
  EXPECT_EQ(plan_of(scaled(), with([](Options& o) {
                      o.form = "quick";
                      o.axes = {{"scale", {14, 22}}, {"arity", {4, 2}}};
                      o.placements = {"core:0"};
                    }))
                .cuts,
            Cuts{"-a: scale 14, 22 instead of 19..23"});
  EXPECT_EQ(plan_of(scaled(), with([](Options& o) {
                      o.axes = {{"scale", {20, 22}}, {"arity", {2}}};
                      o.placements = {"core:1"};
                    }))
                .cuts,
            (Cuts{"-a: 2 of 5 values of axis scale", "-a: 1 of 2 values of axis arity",
                  "-c: placement core:1 instead of core:0"}));
}

TEST(Cuts, AxesOfTheFilesGraphsGoWithThem) {
  const Plan plan = plan_of(scaled(), with([](Options& o) {
                              o.form = "quick";
                              o.graphs = {"g"};
                            }));
  EXPECT_EQ(plan.cells.size(), 2U);
  EXPECT_FALSE(plan.cells.front().axes.contains("scale"));
  EXPECT_EQ(plan.cuts.front(),
            "-g: without axes digit, scale, seed, which only the experiment's own graphs mention");
  // What something else mentions stays, and what the command line says itself.
  Experiment shared = scaled();
  shared.variants = {"sssp/dijkstra:arity={arity},width={scale}"};
  shared.axes[1].second = {32};
  const Plan kept = plan_of(shared, with([](Options& o) { o.graphs = {"square:scale={seed}"}; }));
  EXPECT_EQ(kept.cells.front().graph, "square:scale=10");
  EXPECT_EQ(kept.cells.front().axes.at("scale"), 32);
  EXPECT_EQ(kept.cuts, Cuts{"-g: graph square:scale={seed} instead of "
                            "square:scale={scale},seed={seed}"});
  EXPECT_NE(fault(scaled(), with([](Options& o) {
                    o.axes = {{"graph", {"g"}}, {"scale", {3}}};
                  }))
                .find("scale"),
            std::string::npos);
}

std::string stand_in(const Experiment& experiment, const Options& options = {}) {
  return plan_of(experiment, options).experiment.stand_in;
}

TEST(StandIn, IsTheFilesForItsOwnGraphs) {
  EXPECT_EQ(stand_in(scaled()), "large for huge");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) { o.form = "smoke"; })), "small for huge");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.axes = {{"scale", {20}}, {"arity", {4}}};
                     })),
            "large for huge");
  // The full form's, asked for in the short one.
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.form = "quick";
                       o.axes = {{"scale", {20}}};
                     })),
            "large for huge");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) { o.graphs = {"square:scale=20,seed=10"}; })),
            "large for huge");
  EXPECT_EQ(stand_in(experiment()), "");
  EXPECT_EQ(stand_in(experiment(), with([](Options& o) { o.graphs = {"h"}; })), "");
}

TEST(StandIn, NamesTheGraphsThatAreMeasured) {
  const std::string other = "x instead of the experiment's ";
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) { o.graphs = {"x"}; })), other + "graphs");
  EXPECT_EQ(stand_in(experiment("[\"g\", \"h\"]", "[\"g\"]"), with([](Options& o) {
                       o.axes = {{"graph", {"x"}}};
                     })),
            other + "graph");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.axes = {{"scale", {14}}};
                     })),
            "square:scale=14,seed=10 instead of the experiment's graphs")
      << "of the short form alone";
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.form = "quick";
                       o.axes = {{"scale", {13, 14}}};
                     })),
            "square:scale=13,seed=10 instead of the experiment's graphs; small for huge");
  const auto in_shard = [](std::size_t index) {
    return stand_in(experiment(), with([&](Options& o) {
                      o.graphs = {"x", "y", "h"};
                      o.shard = {index, 3};
                    }));
  };
  EXPECT_EQ(in_shard(1), "x instead of the experiment's graphs");
  EXPECT_EQ(in_shard(2), "y instead of the experiment's graphs");
  EXPECT_EQ(in_shard(3), "");
  Experiment open = scaled();  // the file leaves the scale to the command line
  std::erase_if(open.axes, [](const Axis& axis) { return axis.first == "scale"; });
  EXPECT_EQ(stand_in(open, with([](Options& o) { o.axes = {{"scale", {7}}}; })), "large for huge");
}

TEST(StandIn, NamesOtherVariantsAndValues) {
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.axes = {{"arity", {4, 8}}};
                     })),
            "large for huge; arity = 8 instead of the experiment's");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.axes = {{"extract", {"top-down"}}};
                     })),
            "large for huge; extract = top-down, of which the experiment says nothing");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.variants = {"sssp/dijkstra:queue=heap,arity={arity}"};
                     })),
            "large for huge");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.variants = {"sssp/dijkstra:arity={arity},extract=top-down"};
                     })),
            "large for huge; sssp/dijkstra:arity={arity},extract=top-down instead of the "
            "experiment's variants");
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) {
                       o.axes = {{"processes", {1}}};
                     })),
            "large for huge")
      << "what it says under [run], or leaves as it is";
  // A file's places are part of it; where it names none as an axis they are the machine's.
  EXPECT_EQ(stand_in(scaled(), with([](Options& o) { o.placements = {"core:1"}; })),
            "large for huge; placement = core:1 instead of the experiment's");
  EXPECT_EQ(stand_in(experiment(), with([](Options& o) { o.placements = {"core:1"}; })), "");
  Experiment every = scaled();
  every.axes.back().second = {"each:core"};
  EXPECT_EQ(stand_in(every, with([](Options& o) { o.placements = {"core:1"}; })), "large for huge");
  EXPECT_EQ(stand_in(adhoc_experiment({"sssp/dijkstra"}), with([](Options& o) {
                       o.graphs = {"x"};
                       o.axes = {{"arity", {2}}};
                     })),
            "");
}

TEST(Baseline, IsACellOrSaidNotToBe) {
  Experiment wrong = scaled();
  wrong.baseline = {{{"arity", {3}}}};
  EXPECT_EQ(
      fault(wrong),
      "experiment 's': no cell is its baseline, arity = 3; arity is 2, 4; write values of its "
      "axes as baseline under [run], or leave it out");
  wrong.baseline = {{{"arity", {2}}, {"scale", {19}}}};
  wrong.excludes.push_back({wrong.baseline, "too slow"});
  EXPECT_NE(fault(wrong).find("no cell is its baseline, arity = 2, scale = 19; write"),
            std::string::npos)
      << fault(wrong);
  const Plan without = plan_of(scaled(), with([](Options& o) { o.axes = {{"arity", {4}}}; }));
  EXPECT_EQ(without.cuts.back(),
            "baseline: no cell has arity = 2; each graph's first takes its place");
  wrong = scaled();
  wrong.baseline = {{{"arity", {3}}}};
  EXPECT_TRUE(plan_of(wrong, with([](Options& o) { o.axes = {{"arity", {3, 4}}}; })).cells.size());
}

TEST(Counters, UnknownGroupsAreFaults) {
  const std::string said = fault(experiment(), with([](Options& o) { o.counters = {"foo"}; }));
  EXPECT_TRUE(
      said.starts_with("counter group 'foo': not known; known: branches, cache, "
                       "cachegrind, cycles, "))
      << said;
  for (const char* known : {"software", "cachegrind", "gpu-l2"}) {
    EXPECT_EQ(fault(experiment(), with([&](Options& o) { o.counters = {known}; })), "no error");
  }
}

TEST(Budget, CutsQueriesFirstThenSamples) {
  const double full = plan_of(experiment()).estimated_s;
  const Plan roomy = plan_of(experiment(), with([&](Options& o) { o.budget_s = full + 1; }));
  EXPECT_TRUE(roomy.cuts.empty());
  EXPECT_EQ(roomy.experiment.queries.count, 16U);

  const Plan tight = plan_of(experiment(), with([&](Options& o) { o.budget_s = full * 0.9; }));
  EXPECT_LE(tight.estimated_s, full * 0.9);
  EXPECT_LT(tight.experiment.queries.count, 16U);
  EXPECT_EQ(tight.block_count, 6U);
  ASSERT_EQ(tight.cuts.size(), 1U);
  EXPECT_TRUE(tight.cuts[0].starts_with("budget: ") && tight.cuts[0].ends_with(" of 16 queries"));

  const Plan impossible = plan_of(experiment(), with([&](Options& o) { o.budget_s = 0.001; }));
  EXPECT_EQ(impossible.experiment.queries.count, 2U);
  EXPECT_EQ(impossible.stop_rule.sample_count, 1U);
  EXPECT_EQ(impossible.block_count, 6U);
  EXPECT_TRUE(impossible.cuts.back().starts_with("budget: not kept"));
}

TEST(Budget, CutQueriesAreAnotherCell) {
  const Plan cut = plan_of(experiment(), with([&](Options& o) { o.budget_s = 0.001; }));
  EXPECT_EQ(ids(cut), ids(plan_of(experiment(), with([&](Options& o) { o.query_count = 2; }))));
}

Plan shard_of(const Experiment& experiment, std::size_t index, std::size_t count,
              const Options& options = {}) {
  Options sharded = options;
  sharded.shard = {index, count};
  return plan_of(experiment, sharded);
}

TEST(Shards, AreAPartitionThatKeepsBaselines) {
  const Experiment compared = experiment("[quick]", "[run]\nbaseline = { arity = 2 }\n[quick]");
  const Plan whole = plan_of(compared);
  for (const std::size_t count : {1, 2, 3, 4}) {
    std::vector<std::string> dealt;
    for (std::size_t index = 1; index <= count; ++index) {
      const Plan shard = shard_of(compared, index, count);
      EXPECT_EQ(shard.cuts.back(), "shard " + std::to_string(index) + "/" + std::to_string(count) +
                                       ": " + std::to_string(shard.cells.size()) + " of 8 cells");
      EXPECT_LE(shard.estimated_s, whole.estimated_s);
      std::size_t grouped = 0;
      for (const Group& group : shard.groups) grouped += group.cells.size();
      EXPECT_EQ(grouped, shard.cells.size());
      for (const Cell& cell : shard.cells) {
        dealt.push_back(cell.id);
        const auto same = std::ranges::find(whole.cells, cell.id, &Cell::id);
        ASSERT_NE(same, whole.cells.end());
        EXPECT_EQ(cell.label, same->label);
        EXPECT_EQ(shard.baseline_of(cell).id, whole.baseline_of(*same).id);
      }
    }
    EXPECT_EQ(dealt.size(), whole.cells.size());
    EXPECT_EQ(std::set(dealt.begin(), dealt.end()), ids(whole));
  }
}

TEST(Shards, HaveAsManyCellsAsCanBe) {
  // A graph each without a baseline: the first of its cells is one.
  const Experiment graphs = experiment("[\"g\", \"h\"]", "[\"g\", \"h\", \"i\"]");
  EXPECT_EQ(shard_of(graphs, 1, 2).cells.size(), 8U);
  EXPECT_EQ(shard_of(graphs, 2, 2).cells.size(), 4U);
  for (const Cell& cell : shard_of(graphs, 2, 3).cells) EXPECT_EQ(cell.graph, "h");
  // The largest group goes first: four cells of h, then two of g.
  const Experiment uneven = experiment(
      "[quick]", "[[exclude]]\nwhere = { graph = \"g\", arity = 4 }\nwhy = \"so\"\n[quick]");
  EXPECT_EQ(shard_of(uneven, 1, 2).cells.front().graph, "h");
}

TEST(Shards, MayBeMoreThanThereIsToDeal) {
  const Plan empty = shard_of(experiment(), 3, 4);
  EXPECT_TRUE(empty.cells.empty());
  EXPECT_TRUE(empty.groups.empty());
  EXPECT_EQ(empty.cuts.back(),
            "shard 3/4: 0 of 8 cells; those that are compared stay together, which leaves nothing "
            "for this one");
}

TEST(Shards, OfABudgetAskTheSameQueries) {
  const Experiment graphs = experiment("[\"g\", \"h\"]", "[\"g\", \"h\", \"i\"]");
  const double large = shard_of(graphs, 1, 2).estimated_s;
  const Options options = with([&](Options& o) { o.budget_s = large * 0.9; });
  const Plan first = shard_of(graphs, 1, 2, options);
  const Plan second = shard_of(graphs, 2, 2, options);
  EXPECT_LT(first.experiment.queries.count, 16U);
  EXPECT_LE(first.estimated_s, large * 0.9);
  EXPECT_EQ(first.experiment.queries.count, second.experiment.queries.count);
  EXPECT_LT(second.estimated_s, first.estimated_s);
}

TEST(ParseShard, AnIndexFromOneOn) {
  EXPECT_EQ(parse_shard("2/4").index, 2U);
  EXPECT_EQ(parse_shard("2/4").count, 4U);
  for (const char* bad :
       {"", "x", "2", "0/4", "5/4", "-1/4", "1/0", "1/", "/4", "1/4/2", "1/2.5", "1/1000000000"}) {
    EXPECT_THROW(parse_shard(bad), InputError) << bad;
  }
}

TEST(OptionsJson, RoundTrip) {
  const Options options = with([](Options& o) {
    o.form = "quick";
    o.variants = {"a"};
    o.graphs = {"g", "h"};
    o.placements = {"core:1"};
    o.axes = {{"arity", {2, "x", 2.5}}};
    o.counters = {"cache"};
    o.query_count = 3;
    o.seed = std::numeric_limits<std::uint64_t>::max();
    o.budget_s = 1.5;
    o.shard = {2, 3};
    o.force = true;
  });
  const Options back = Options::from_json(Json::parse(options.to_json().dump()));
  EXPECT_EQ(back.to_json(), options.to_json());
  EXPECT_EQ(back.seed, options.seed);
  EXPECT_EQ(back.timeout_s, std::nullopt);
}

TEST(ParseDuration, SecondsMinutesHours) {
  EXPECT_EQ(parse_duration("45"), 45);
  EXPECT_EQ(parse_duration("90s"), 90);
  EXPECT_EQ(parse_duration("8m"), 480);
  EXPECT_EQ(parse_duration("1h"), 3600);
  EXPECT_EQ(parse_duration("1.5m"), 90);
  for (const char* bad :
       {"", "s", "8 m", "0", "-3s", "5d", "1h30m", "nan", "inf", "1e400", "1e300h"}) {
    EXPECT_THROW(parse_duration(bad), InputError) << bad;
  }
}

TEST(ParseAxis, Lists) {
  EXPECT_EQ(parse_axis("arity=2,4,8"), (Axis{"arity", {2, 4, 8}}));
  EXPECT_EQ(parse_axis("queue=heap"), (Axis{"queue", {"heap"}}));
  EXPECT_EQ(parse_axis(" queue = heap,2"), (Axis{"queue", {"heap", 2}}));
}

TEST(ParseAxis, Ranges) {
  EXPECT_EQ(parse_axis("arity=[2:5]"), (Axis{"arity", {2, 3, 4, 5}}));
  EXPECT_EQ(parse_axis("arity=[1:9:4]"), (Axis{"arity", {1, 5, 9}}));
  EXPECT_EQ(parse_axis("arity=[1:8:4]"), (Axis{"arity", {1, 5}}));
  EXPECT_EQ(parse_axis("arity=[2:32:x2]"), (Axis{"arity", {2, 4, 8, 16, 32}}));
  EXPECT_EQ(parse_axis("arity=[7:7]"), (Axis{"arity", {7}}));
  EXPECT_EQ(parse_axis("arity=[-3:3:3]"), (Axis{"arity", {-3, 0, 3}}));
}

TEST(ParseAxis, RangesAtTheEndOfTheNumbers) {
  EXPECT_EQ(parse_axis("a=[1:9223372036854775807:x2]").second.size(), 63U);
  EXPECT_EQ(parse_axis("a=[9223372036854775800:9223372036854775807:5]").second.size(), 2U);
  EXPECT_EQ(parse_axis("a=[-9223372036854775808:-9223372036854775808]").second.size(), 1U);
  EXPECT_EQ(
      parse_axis("a=[-9223372036854775808:9223372036854775807:9223372036854775807]").second.size(),
      3U);
}

TEST(ParseAxis, Faults) {
  for (const char* bad :
       {"", "arity", "=2", "arity=", "arity=[2:8", "arity=[2]", "arity=[2:8:1:1]", "arity=[a:b]",
        "arity=[2:8:0]", "arity=[2:8:-1]", "arity=[8:2]", "arity=[2:8:x1]", "arity=[0:8:x2]",
        "arity=[1:100000]", "arity=[1:2:x]"}) {
    EXPECT_THROW(parse_axis(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace bellmark::plan
