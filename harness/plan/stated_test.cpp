// Short forms and command lines: their cuts and stand-ins.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/plan/test_plans.hpp"

namespace bellmark::plan {
namespace {

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
  // An axis that something else mentions stays, and so does one of the command line.
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
  // The full form's value, requested in the short form.
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

using Classes = std::vector<std::optional<StandInClass>>;

Classes classes(const std::string& stand_in, const Options& options = {},
                const std::string& paper = "paper = { key = \"p\", item = \"1\" }\n") {
  const Experiment file = experiment("[workload]", stand_in + paper + "[workload]");
  Classes found;
  for (const Cell& cell : plan_of(file, options).cells) found.push_back(cell.stand_in_class);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

TEST(StandIn, HasAClassForEachGraph) {
  const auto same = StandInClass::same_data;
  const auto shows = StandInClass::smaller_can_show;
  EXPECT_EQ(classes(""), Classes{same});
  EXPECT_EQ(classes("", {}, ""), Classes{std::nullopt}) << "no paper";
  EXPECT_EQ(classes("stand_in = \"words\"\n"), Classes{std::nullopt});
  const std::string all = "stand_in = { class = \"smaller, effect can show\", text = \"t\" }\n";
  EXPECT_EQ(classes(all), Classes{shows});
  const std::string of_h =
      "stand_in = [{ class = \"smaller, effect can show\", text = \"t\", graphs = [\"h*\"] }]\n";
  EXPECT_EQ(classes(of_h), (Classes{same, shows}));
  const auto on = [](const char* graph) { return with([&](Options& o) { o.graphs = {graph}; }); };
  EXPECT_EQ(classes(all, on("x")), Classes{std::nullopt}) << "the file knows nothing of it";
  EXPECT_EQ(classes(of_h, on("x")), Classes{std::nullopt});
  EXPECT_EQ(classes(of_h, on("hx")), Classes{shows}) << "which the file names";
  EXPECT_EQ(classes(of_h, on("g")), Classes{same});
}

TEST(StandIn, AVariantMayStandForThePapersProgram) {
  const auto other = StandInClass::other_program;
  const std::string of_all = "{ class = \"other program\", text = \"t\", variants = [\"*\"] }";
  EXPECT_EQ(classes("stand_in = " + of_all + "\n"), Classes{other});
  EXPECT_EQ(classes("stand_in = [" + of_all +
                    ", { class = \"smaller, effect can't\", text = \"t\", graphs = [\"h\"] }]\n"),
            (Classes{other, StandInClass::smaller_cannot}));
  EXPECT_EQ(classes("stand_in = { class = \"other program\", text = \"t\", variants = [\"x\"] }\n"),
            Classes{StandInClass::same_data});
  EXPECT_THROW(classes("stand_in = { class = \"other program\", text = \"t\" }\n"), InputError);
  EXPECT_THROW(classes("stand_in = { class = \"same data\", text = \"t\", variants = [\"x\"] }\n"),
               InputError);
}

TEST(StandIn, OfAShortFormHasItsOwnClass) {
  const std::string stand_in = "stand_in = { class = \"same size, generated\", text = \"t\" }\n";
  Experiment file =
      experiment("[workload]", stand_in + "paper = { key = \"p\", item = \"1\" }\n[workload]");
  file.quick.stand_ins = {{.text = "q", .stand_in_class = StandInClass::smaller_cannot}};
  const auto quick = with([](Options& o) { o.form = "quick"; });
  EXPECT_EQ(plan_of(file).cells.front().stand_in_class, StandInClass::same_size);
  EXPECT_EQ(plan_of(file, quick).cells.front().stand_in_class, StandInClass::smaller_cannot);
  Options full_graph = quick;
  full_graph.graphs = {"h"};
  EXPECT_EQ(plan_of(file, full_graph).cells.front().stand_in_class, StandInClass::same_size);
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
  // A file's places are part of it. If it names none as an axis, they are the machine's.
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

}  // namespace
}  // namespace bellmark::plan
