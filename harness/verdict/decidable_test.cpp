// The number of blocks that a claim's rows need, and claims that need none.
#include "harness/verdict/decidable.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "base/error.hpp"

namespace bellmark::verdict {
namespace {

using plan::Options;

machine::Topology one_core() { return machine::Topology::synthetic("pack:1 core:1 pu:1"); }

/// Graphs g1, g2, ... with two arities each. A comparison of arities has a row for each graph.
plan::Experiment on_graphs(std::size_t count, const std::string& run, const std::string& claims) {
  std::string graphs;
  for (std::size_t i = 1; i <= count; ++i) graphs += "'g" + std::to_string(i) + "', ";
  return plan::parse_experiment(
      "id = 'e'\nvariants = ['sssp/dijkstra:arity={arity}']\n[workload]\nproblem = 'sssp'\n"
      "queries = { kind = 'uniform-sources', count = 2 }\n[axes]\ngraph = [" +
          graphs + "]\narity = [2, 4]\n[run]\nplacement = 'none'\n" + run + claims,
      "e.toml");
}

std::string ratio(const std::string& metric, const std::string& id = "C") {
  return "[[claim]]\nid = '" + id + "'\nkind = 'ratio'\ntext = 't'\nmetric = '" + metric +
         "'\nnumerator = { arity = 2 }\ndenominator = { arity = 4 }\npaper = { value = 1.3 }\n";
}

std::size_t blocks_of(const plan::Experiment& experiment, const Options& options = {}) {
  return plan_to_decide(experiment, options, one_core()).block_count;
}

std::string fault(const plan::Experiment& experiment, const Options& options = {}) {
  try {
    plan_to_decide(experiment, options, one_core());
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlanToDecide, HasAsManyBlocksAsTheClaimWithTheMostRowsNeeds) {
  const std::string claim = ratio("wall_ns");
  for (const auto& [graphs, blocks] : {std::pair(1, 6), std::pair(2, 8), std::pair(6, 8),
                                       std::pair(7, 10), std::pair(25, 10), std::pair(26, 12)}) {
    EXPECT_EQ(blocks_of(on_graphs(static_cast<std::size_t>(graphs), "", claim)),
              static_cast<std::size_t>(blocks))
        << graphs;
  }
  EXPECT_EQ(blocks_of(on_graphs(7, "", "")), 6U) << "nothing is judged";
  // Parts of one claim are corrected together. Several claims are not.
  EXPECT_EQ(blocks_of(on_graphs(1, "", claim + ratio("teps.median"))), 8U);
  EXPECT_EQ(blocks_of(on_graphs(1, "", claim + ratio("teps.median", "D"))), 6U);
}

TEST(PlanToDecide, RefusesStatedBlocksThatCanNotContradict) {
  const std::string claim = ratio("wall_ns");
  EXPECT_EQ(fault(on_graphs(2, "block_count = 6\n", claim)),
            "e.toml:11: 6 blocks can't contradict claim C with 2 rows; ask for 8, or leave "
            "block_count out");
  EXPECT_EQ(blocks_of(on_graphs(2, "block_count = 8\n", claim)), 8U);
  EXPECT_EQ(blocks_of(on_graphs(2, "block_count = 20\n", claim)), 20U);
}

/// Facts are exact, and counts of phases the same in every block.
TEST(PlanToDecide, WhatNoBlockDecidesNeedsNone) {
  for (const char* metric : {"graph.vertex_count", "memory.accounted_bytes", "answer.objective",
                             "phase_log.phase_count", "phase_log.updated_count.sum"}) {
    EXPECT_EQ(blocks_of(on_graphs(7, "block_count = 1\n", ratio(metric))), 1U) << metric;
    EXPECT_TRUE(
        rows_of_claims(plan_to_decide(on_graphs(7, "", ratio(metric)), {}, one_core())).empty());
  }
  for (const char* metric : {"wall_ns", "teps.median", "rates.bytes_per_second",
                             "memory.resident_bytes", "phase_log.host_ns.sum"}) {
    EXPECT_NE(fault(on_graphs(7, "block_count = 1\n", ratio(metric))), "no error") << metric;
  }
  // One row over blocks is enough, and all rows of its claim count.
  const plan::Experiment mixed = on_graphs(2, "", ratio("graph.vertex_count") + ratio("wall_ns"));
  const auto rows = rows_of_claims(plan_to_decide(mixed, {}, one_core()));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows.at(0).count, 4U);
}

TEST(PlanToDecide, UntilDecidedBeginsWithTheFirstLook) {
  Options options;
  options.until_decided = true;
  EXPECT_EQ(blocks_of(on_graphs(1, "", ratio("wall_ns")), options), kLooks[0]);
  EXPECT_EQ(blocks_of(on_graphs(7, "", ratio("wall_ns")), options), 10U);
  for (const std::string& claims : {std::string(), ratio("graph.vertex_count")}) {
    EXPECT_EQ(fault(on_graphs(1, "", claims), options),
              "--until-decided: experiment 'e' judges no claim by its blocks; leave it out");
  }
}

}  // namespace
}  // namespace bellmark::verdict
