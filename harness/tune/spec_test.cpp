// Generated experiments are read back as experiments; budgets are divided as documented.
#include "harness/tune/spec.hpp"

#include <gtest/gtest.h>

#include "harness/plan/experiment.hpp"
#include "harness/tune/time_model.hpp"

namespace bellmark::tune {
namespace {

Spec spec() {
  return {"tune/sssp/x/held-out",
          "reserve=256 instead of reserve=1024",
          {"sssp/x:reserve=1024", "sssp/x:reserve=256"},
          "sssp",
          "my \"odd\\name\".gr",
          "core:0",
          43,
          {2, 16, 30, 0.25},
          600};
}

TEST(Spec, IsReadBackAsAnExperiment) {
  const plan::Experiment experiment = plan::parse_experiment(experiment_text(spec()), "spec");
  EXPECT_EQ(experiment.id, "tune/sssp/x/held-out");
  EXPECT_EQ(experiment.variants, spec().variants);
  EXPECT_EQ(experiment.problem, "sssp");
  EXPECT_EQ(experiment.queries.kind, "default");
  EXPECT_EQ(experiment.queries.count, 16U);
  EXPECT_EQ(experiment.queries.seed, 43U);
  ASSERT_EQ(experiment.axes.size(), 1U);
  EXPECT_EQ(experiment.axes[0].second.at(0), "my \"odd\\name\".gr");
  EXPECT_EQ(experiment.placement, "core:0");
  EXPECT_EQ(experiment.block_count, 6U);
  EXPECT_EQ(experiment.sample_count, 30U);
  EXPECT_EQ(experiment.seconds_per_process, 0.25);
  EXPECT_EQ(experiment.timeout_s, 600);
}

TEST(Spec, AsksForThePassesOfItsObjective) {
  Spec wanted = spec();
  const auto parsed = [&] { return plan::parse_experiment(experiment_text(wanted), "spec"); };
  EXPECT_FALSE(parsed().energy || parsed().memory);
  wanted.objective = Objective::memory;
  EXPECT_TRUE(parsed().memory && !parsed().energy);
  wanted.objective = Objective::energy;
  EXPECT_TRUE(parsed().energy && !parsed().memory);
}

TEST(Spec, CarriesItsOriginInCommentsOnly) {
  const Origin origin = {"better", "3 candidates",  "a machine",           "g\nid = \"evil\"",
                         "0.1.0",  "bellmark tune", "2026-11-21T08:00:00Z"};
  const std::string text = tuned_text(spec(), origin);
  EXPECT_EQ(text, tuned_text(spec(), origin));
  for (const char* part : {"# Training: 3 candidates\n", "# Machine: a machine\n",
                           "# Input: g id = \"evil\"\n", "# Date: 2026-11-21T08:00:00Z\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  EXPECT_TRUE(text.ends_with(experiment_text(spec())));
  EXPECT_EQ(plan::parse_experiment(text, "spec").id, "tune/sssp/x/held-out");
}

TEST(TimeModel, SeparatesOpeningFromQueries) {
  // 0.4 s to open, 0.1 s for all of a query, 0.04 s of them timed: 0.06 s for a further sample.
  const TimeModel model(0.5, 1, 0.8, 4, 0.04);
  EXPECT_NEAR(model.process_s({1, 10, 1, 100}), 0.4 + 1.0, 1e-9);
  EXPECT_NEAR(model.process_s({1, 10, 3, 100}), 0.4 + 1.0 + 2 * 0.6, 1e-9);
  EXPECT_NEAR(model.process_s({3, 10, 30, 2}), 0.4 + 3 * (1.0 + 2 * 1.5), 1e-9);
  EXPECT_NEAR(model.plain_run_s({1, 10, 1, 100}), 7 * 1.4, 1e-9);
  EXPECT_NEAR(model.plain_run_s({2, 10, 1, 100, Objective::memory}), 7 * 2.4 + 6 * 2 * 1.4, 1e-9);
  EXPECT_NEAR(model.plain_run_s({2, 10, 1, 100, Objective::energy}),
              7 * 2.4 + 6 * (0.4 + 2 * (1.25 + 1.0)), 1e-9);
  // If the run of more queries was the shorter, the time of a query is the bound.
  EXPECT_NEAR(TimeModel(0.8, 1, 0.5, 4, 0.1).process_s({1, 10, 1, 1}), 0.6 + 2, 1e-9);
}

TEST(TimeModel, LearnsFromWhatRunsTook) {
  TimeModel model(0.5, 1, 0.8, 4, 0.04);
  const Effort effort{4, 2, 6, 1};
  const double plain = model.plain_run_s(effort);
  model.learn(effort, 3 * plain);
  EXPECT_NEAR(model.run_s(effort), 3 * plain, 1e-9);
  EXPECT_NEAR(model.plain_run_s(effort), plain, 1e-9);
}

/// A delay of 0.3 s of the second run, with queries of 0.1 ms.
TEST(Division, ADelayIsNoQuerysTimeWhereManyQueriesCalibrate) {
  constexpr double kQuery = 0.0001;
  constexpr double kDelayed = 0.5;
  EXPECT_GT(divide(TimeModel(0.2, 1, kDelayed, 4, kQuery), 4, 120).shortest_s, 120);
  EXPECT_LT(divide(TimeModel(0.2, 1, kDelayed, 256, kQuery), 4, 120).shortest_s, 20);
}

TEST(Division, KeepsTimeForTheHeldOutComparison) {
  const TimeModel fast(0.1, 1, 0.1003, 4, 0.00004);
  const Shares roomy = divide(fast, 16, 300);
  EXPECT_TRUE(roomy.fits);
  EXPECT_EQ(roomy.held_out.query_count, 16U);
  EXPECT_EQ(roomy.held_out.seconds_per_process, 2);
  EXPECT_LE(roomy.reserve_s, 0.4 * 300);

  const TimeModel slow(0.6, 1, 2.1, 4, 0.2);  // half a second a query
  const Shares cut = divide(slow, 16, 300);
  EXPECT_TRUE(cut.fits);
  EXPECT_LT(cut.held_out.query_count, 16U);
  EXPECT_GE(cut.held_out.query_count, 4U);

  const Shares hopeless = divide(slow, 16, 10);
  EXPECT_FALSE(hopeless.fits);
  EXPECT_GT(hopeless.shortest_s, 10);
  EXPECT_TRUE(divide(slow, 16, hopeless.shortest_s / 0.4).fits);
  // A small requested number of queries is not raised.
  EXPECT_EQ(divide(slow, 1, 10).held_out.query_count, 1U);
}

}  // namespace
}  // namespace bellmark::tune
