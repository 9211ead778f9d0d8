// Plans: budgets, shards, options, and the words of the command line.
#include "harness/plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

#include "harness/plan/test_plans.hpp"

namespace bellmark::plan {
namespace {

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

TEST(Budget, EnergyOfEveryBlockTakesTime) {
  const Plan plain = plan_of(experiment());
  const Plan counted = plan_of(experiment(), with([](Options& o) { o.energy = true; }));
  const double passes = static_cast<double>(counted.block_count * counted.cells.size());
  EXPECT_GT(counted.estimated_s, plain.estimated_s + passes);
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

TEST(Baseline, IsWhatTheCommandLineSays) {
  const Experiment own = experiment();
  const auto baseline_of = [&](const std::vector<std::string>& texts) {
    const Plan plan = plan_of(own, with([&](Options& o) { o.baseline = texts; }));
    return plan.baseline_of(plan.cells.back()).label;
  };
  EXPECT_EQ(baseline_of({"arity=4"}), "graph=h, arity=4, extract=top-down");
  EXPECT_EQ(baseline_of({"arity=2", "graph=g"}), "graph=g, arity=2, extract=top-down");
  const Plan plan = plan_of(own);
  EXPECT_EQ(baseline_of({plan.cells.front().variant}), "graph=h, arity=2, extract=bottom-up");
  const std::string said = fault(own, with([](Options& o) { o.baseline = {"arity=3"}; }));
  EXPECT_NE(said.find("--baseline arity=3: no cell has it; variants are "), std::string::npos);
  EXPECT_NE(said.find("arity is 2, 4"), std::string::npos) << said;
  EXPECT_NE(fault(own, with([](Options& o) { o.baseline = {"sssp/dijkstra:arity=*"}; }))
                .find("names a second variant"),
            std::string::npos);
}

TEST(OptionsJson, RoundTrip) {
  const Options options = with([](Options& o) {
    o.form = "quick";
    o.variants = {"a"};
    o.graphs = {"g", "h"};
    o.placements = {"core:1"};
    o.axes = {{"arity", {2, "x", 2.5}}};
    o.counters = {"cache"};
    o.baseline = {"arity=2"};
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

TEST(ParseAxis, RangesAsTheyArePrinted) {
  EXPECT_EQ(parse_axis("arity=2..5"), (Axis{"arity", {2, 3, 4, 5}}));
  EXPECT_EQ(parse_axis("arity=2..4,8,16"), (Axis{"arity", {2, 3, 4, 8, 16}}));
  EXPECT_EQ(parse_axis("t=-2..1"), (Axis{"t", {-2, -1, 0, 1}}));
  EXPECT_EQ(parse_axis("word=a..b"), (Axis{"word", {"a..b"}}));
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
  for (const char* bad : {"",
                          "arity",
                          "=2",
                          "arity=",
                          "arity=[2:8",
                          "arity=[2]",
                          "arity=[2:8:1:1]",
                          "arity=[a:b]",
                          "arity=[2:8:0]",
                          "arity=[2:8:-1]",
                          "arity=[8:2]",
                          "arity=[2:8:x1]",
                          "arity=[0:8:x2]",
                          "arity=[1:100000]",
                          "arity=[1:2:x]",
                          "arity=8..2",
                          "arity=1..100000",
                          "arity=2,4,2",
                          "arity=2..4,3",
                          "queue=heap,heap"}) {
    EXPECT_THROW(parse_axis(bad), InputError) << bad;
  }
}

}  // namespace
}  // namespace bellmark::plan
