// Cells: their ids, labels, places and baselines.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "base/digest.hpp"
#include "base/text.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/test_plans.hpp"

namespace bellmark::plan {
namespace {

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
  EXPECT_EQ(plan.cells[4].variant, plan.cells[0].variant);  // not a key of the variant
  EXPECT_NE(plan.cells[4].label.find("ranks=4"), std::string::npos);
  // Cells of the same number of ranks are launched together.
  ASSERT_EQ(plan.groups.size(), 2U);
  EXPECT_EQ(plan.groups[1].rank_count, 4U);
  EXPECT_EQ(plan.groups[1].launcher, plan.cells[4].launcher);
  EXPECT_EQ(plan.groups[1].cells, (std::vector<std::size_t>{4, 5, 6, 7}));

  // One rank of a launch differs from no launch, whichever launcher it was.
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
  EXPECT_NE(fault(ranks, options).find("ranks = many is not a number from 1 on"),
            std::string::npos);
  ranks = experiment();
  ranks.process_count = 2;
  ranks.placement = "core:0-1";
  EXPECT_NE(fault(ranks, options).find("can't be launched as ranks too"), std::string::npos);
}

TEST(Cells, PagesAndMemoryAreAxes) {
  const Experiment stated = experiment("arity = [2, 4]\n",
                                       "arity = [2, 4]\npages = [\"small\", \"system\"]\n"
                                       "memory = [\"system\", \"interleave\"]\n");
  const Plan plan = plan_of(stated);
  ASSERT_EQ(plan.cells.size(), 4 * plan_of(experiment()).cells.size());
  EXPECT_EQ(ids(plan).size(), plan.cells.size());
  for (const Cell& cell : plan.cells) {
    EXPECT_EQ(machine::to_string(cell.pages), cell.axes.at("pages"));
    EXPECT_EQ(cell.memory, cell.axes.at("memory"));
    // The made-up machine can't bind memory, and the other cells go on.
    EXPECT_EQ(cell.unmet, cell.memory == "system"
                              ? ""
                              : "memory 'interleave': hwloc can't bind memory so here");
  }
  for (const Group& group : plan.groups) {
    for (const std::size_t cell : group.cells) {
      EXPECT_EQ(plan.cells[cell].pages, group.pages);
      EXPECT_EQ(plan.cells[cell].memory, group.memory);
    }
  }
  ASSERT_EQ(plan.groups.size(), 8U);  // graphs, pages, memory
  // As a rule of all cells, pages make no other cells.
  const Options options = with([](Options& o) { o.pages = "small"; });
  EXPECT_EQ(ids(plan_of(experiment(), options)), ids(plan_of(experiment())));
  EXPECT_EQ(plan_of(experiment(), options).groups.front().pages, machine::Pages::small);
  EXPECT_NE(fault(experiment("arity = [2, 4]\n", "arity = [2, 4]\nmemory = [\"lokal\"]\n"))
                .find("did you mean 'local'?"),
            std::string::npos);
}

TEST(Cells, BuildsHaveCellsAndProcessesOfTheirOwn) {
  const Options options = with([](Options& o) {
    o.builds = {{"v1", "/old/bellmark", {}}, {"HEAD", "/new/bellmark", {}}};
  });
  const Plan plan = plan_of(experiment(), options);
  const Plan alone = plan_of(experiment());
  ASSERT_EQ(plan.cells.size(), 2 * alone.cells.size());
  EXPECT_EQ(ids(plan).size(), plan.cells.size());
  for (const std::string& id : ids(alone)) EXPECT_FALSE(ids(plan).contains(id));
  for (const Cell& cell : plan.cells) {
    const Cell& baseline = plan.baseline_of(cell);
    EXPECT_EQ(baseline.build, 0U);
    EXPECT_EQ(baseline.first_name, cell.first_name);
    EXPECT_EQ(baseline.graph, cell.graph);
    EXPECT_EQ(cell.variant, cell.first_name);  // an older build knows no later names
    EXPECT_EQ(cell.axes.at("build"), plan.options.builds[*cell.build].name);
  }
  // One graph after the other, and for each graph one build after the other.
  ASSERT_EQ(plan.groups.size(), 4U);
  for (std::size_t i = 0; i < plan.groups.size(); ++i) {
    EXPECT_EQ(plan.groups[i].build, i % 2);
    EXPECT_EQ(plan.groups[i].graph, i < 2 ? "g" : "h");
    for (const std::size_t cell : plan.groups[i].cells) EXPECT_EQ(plan.cells[cell].build, i % 2);
  }
  // A resumed run plans them in this way.
  const Options again = Options::from_json(plan.options.to_json());
  EXPECT_EQ(ids(plan_of(experiment(), again)), ids(plan));
  EXPECT_EQ(again.builds[1].program, "/new/bellmark");
  Experiment stated = experiment("arity = [2, 4]\n", "arity = [2, 4]\nbuild = [\"v1\"]\n");
  EXPECT_EQ(fault(stated),
            "axis 'build': is that of builds; name them: bellmark compare --build DIR --build DIR "
            "-v ...");
}

TEST(Cells, TooManyRanksOrTooFewAreKnownBeforeTheyAreStarted) {
  const Experiment pairs = parse_experiment(R"(
id = "e"
title = "pairs"
variants = ["distributed-bfs/hybrid:partition={partition},direction=top-down"]
[workload]
problem = "distributed-bfs"
queries = { kind = "uniform-sources", count = 1, seed = 1 }
[axes]
graph = ["g"]
ranks = [2, 4]
partition = ["grid", "pairs"]
[run]
launcher = "mpirun -n {ranks}"
)",
                                            "e.toml");
  const Plan plan = plan_of(pairs);
  ASSERT_EQ(plan.cells.size(), 2 * 2U);
  for (const Cell& cell : plan.cells) {
    const bool fits = cell.rank_count == 2 || cell.axes.at("partition") == "grid";
    EXPECT_EQ(cell.unmet.find("can't be dealt to 4 ranks") == std::string::npos, fits)
        << cell.label;
    EXPECT_EQ(cell.unmet.empty(), fits) << cell.unmet;
  }
}

TEST(Cells, RenamesLeaveTheirIds) {
  const auto cell_of = [](const std::string& variant) {
    Experiment renamed =
        experiment("arity = [2, 4]\nextract = [\"bottom-up\", \"top-down\"]\n", "");
    renamed.variants = {variant};
    renamed.problem = variant.substr(0, variant.find('/'));
    return plan_of(renamed).cells.at(0);
  };
  const Cell rounds = cell_of("sssp/dijkstra-rounds:criterion=in");
  const Cell pairs = cell_of("distributed-bfs/hybrid:partition=pairs");
  EXPECT_EQ(rounds.id, cell_of("sssp/dijkstra-batch:criterion=in").id);
  EXPECT_EQ(pairs.id, cell_of("distributed-bfs/hybrid:form=pairs").id);
  EXPECT_NE(pairs.id, cell_of("distributed-bfs/hybrid").id);
  // The ids of builds that knew only the first names.
  const auto id_of = [](const std::string& variant, const std::string& problem) {
    const std::string text = join({variant, problem, "g", "uniform-sources/16/1/", "core:0"}, "\n");
    return hex64(digest64(std::as_bytes(std::span(text))));
  };
  EXPECT_EQ(rounds.id, id_of("sssp/dijkstra-batch:device=cpu,criterion=in,distance=auto,threads=1,"
                             "share-from=4096",
                             "sssp"));
  EXPECT_EQ(pairs.id,
            id_of("distributed-bfs/hybrid:form=pairs,direction=hybrid,alpha=10,beta=14,threads=1",
                  "distributed-bfs"));
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
  EXPECT_NE(fault(two).find("is not a number from 1 on"), std::string::npos);
  two = experiment();
  two.frequency = "fast";
  EXPECT_NE(fault(two).find("frequency 'fast'"), std::string::npos);
  EXPECT_TRUE(fault(experiment("arity = [2, 4]\n", "arity = [2]\nfrequency = [\"fast\"]\n"))
                  .starts_with("e.toml:9: frequency 'fast': not understood"));
  EXPECT_TRUE(fault(experiment("[quick]\n", "[run]\nfrequency = \"fast\"\n[quick]\n"))
                  .starts_with("e.toml:11: frequency 'fast': not understood"));
  EXPECT_TRUE(fault(experiment("[quick]\n", "[run]\nplacement = \"cor:0\"\n[quick]\n"))
                  .starts_with("e.toml:11: placement 'cor:0': unknown word"));
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

TEST(Cells, LabelsTellVariantsApartWithoutTheirDefaults) {
  Experiment three = experiment(
      "[\"sssp/dijkstra:arity={arity},extract={extract}\"]",
      "[\"sssp/dijkstra\", \"sssp/dijkstra:arity=8,extract=top-down\", \"sssp/boost-dijkstra\"]");
  three.axes = {{"graph", {"g"}}};
  const Plan plan = plan_of(three);
  ASSERT_EQ(plan.cells.size(), 3U);
  EXPECT_EQ(plan.cells[0].label, "sssp/dijkstra");
  EXPECT_EQ(plan.cells[1].label, "sssp/dijkstra:arity=8,extract=top-down");
  EXPECT_EQ(plan.cells[2].label, "sssp/boost-dijkstra");
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
            "e.toml:7: graph 'square:scale={scael}': '{scael}' names no axis; add it under [axes] "
            "or with -a scael=...");
}

TEST(Cells, AnyValueMayNameOtherAxes) {
  Experiment some = experiment();
  some.variants = {"sssp/dijkstra:{system}"};
  some.axes = {{"graph", {"g"}}, {"system", {"arity={cores}", "arity=8"}}, {"cores", {2, 4}}};
  // `cores` is not a key of the second system, which is one cell whatever its value.
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

TEST(Cells, AreNotMoreThanCanBeHeld) {
  const std::vector<AxisValue> ten = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto with_axes = [&](std::size_t count) {
    return with([&](Options& o) {
      o.graphs = {"g"};
      for (std::size_t i = 0; i < count; ++i) o.axes.emplace_back("axis" + std::to_string(i), ten);
    });
  };
  EXPECT_NE(fault(adhoc_experiment({"sssp/dijkstra"}), with_axes(12))
                .find("makes more than 100000 combinations of axis values"),
            std::string::npos);
  const Options many = with([&](Options& o) {
    for (int i = 0; i <= 10'000; ++i) o.graphs.push_back("g" + std::to_string(i));
  });
  EXPECT_NE(fault(adhoc_experiment({"sssp/dijkstra"}), many).find("has more than 10000 cells"),
            std::string::npos);
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

}  // namespace
}  // namespace bellmark::plan
