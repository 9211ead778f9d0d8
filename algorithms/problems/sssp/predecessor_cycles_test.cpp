#include "algorithms/problems/sssp/predecessor_cycles.hpp"

#include <gtest/gtest.h>

namespace bellmark {
namespace {

TEST(PredecessorCycles, AreFoundFromAnyVertexOrOne) {
  const auto find = [](const std::vector<Vertex>& predecessors) {
    return PredecessorCycles(static_cast<Vertex>(predecessors.size())).find(predecessors);
  };
  using Cycle = std::vector<Vertex>;
  EXPECT_EQ(find({}), Cycle());
  EXPECT_EQ(find({kNoVertex, 0, 1, 1}), Cycle());
  EXPECT_EQ(find({0}), Cycle{0});
  EXPECT_EQ(find({kNoVertex, 0, 4, 2, 3}), (Cycle{3, 4, 2})) << "arcs lead from predecessors";
  EXPECT_EQ(find({1, 2, 3, 2}), (Cycle{3, 2})) << "met after a tail";
  PredecessorCycles cycles(5);
  const std::vector<Vertex> predecessors = {kNoVertex, 0, 4, 2, 3};
  EXPECT_EQ(cycles.find_from(predecessors, 1), Cycle());
  EXPECT_EQ(cycles.find_from(predecessors, 4), (Cycle{2, 3, 4}));
}

}  // namespace
}  // namespace bellmark
