// The counts that searches make of their work, against the counts that the graph alone tells.
#include "algorithms/contract/search_work.hpp"

#include <gtest/gtest.h>

#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark {
namespace {

constexpr Vertex kSide = 12;
constexpr Vertex kVertices = kSide * kSide;

/// A grid with different lengths, in both directions: connected, with rows of two to four arcs.
Graph counted_grid() {
  std::vector<Arc> arcs;
  const auto join = [&](Vertex u, Vertex v) {
    const Length length = 1 + (u * 7 + v * 3) % 11;
    arcs.push_back({u, v, length});
    arcs.push_back({v, u, length});
  };
  for (Vertex v = 0; v < kVertices; ++v) {
    if (v % kSide + 1 < kSide) join(v, v + 1);
    if (v + kSide < kVertices) join(v, v + kSide);
  }
  return Graph::from_arcs(kVertices, arcs);
}

/// A binary tree of equal lengths, in both directions. No label falls twice, in whatever order.
Graph counted_tree() {
  std::vector<Arc> arcs;
  for (Vertex v = 1; v < kVertices; ++v) {
    arcs.push_back({v, (v - 1) / 2, 3});
    arcs.push_back({(v - 1) / 2, v, 3});
  }
  return Graph::from_arcs(kVertices, arcs);
}

/// The counts of one query, whose answer is certified. Plain runs come before and after.
template <class Problem>
SearchWork counted(const std::string& variant, const typename Problem::Query& query,
                   const Graph& graph = counted_grid()) {
  detail::WorkloadOf<Problem> workload(graph, {query});
  Settings resolved;
  const auto selections = Registry::global().select(variant);
  const auto bound = find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
  RunContext plain;
  bound->prepare(plain);
  bound->run(0, 1, plain);
  SearchWork work;
  RunContext counting;
  counting.set_work(&work);
  bound->run(0, 1, counting);
  EXPECT_EQ(bound->certify(0), std::nullopt) << variant;
  bound->run(0, 1, plain);
  EXPECT_EQ(bound->certify(0), std::nullopt) << variant;
  return work;
}

const std::uint64_t kArcs = counted_grid().arc_count();

TEST(SearchWorkTest, DijkstraLooksAtEachArcOnce) {
  for (const std::string variant :
       {"sssp/dijkstra:arity=4", "sssp/dijkstra:queue=dial", "sssp/boost-dijkstra:color-map=no",
        "sssp/boost-dijkstra:color-map=yes"}) {
    const SearchWork work = counted<Sssp>(variant, {0});
    EXPECT_EQ(work.value(WorkCount::settled), kVertices) << variant;
    EXPECT_EQ(work.value(WorkCount::scanned), kVertices) << variant;
    EXPECT_EQ(work.value(WorkCount::looked_at_arcs), kArcs) << variant;
    EXPECT_EQ(work.value(WorkCount::relaxations), kArcs) << variant;
    EXPECT_GE(work.value(WorkCount::lowered), kVertices) << variant;
    EXPECT_EQ(work.value(WorkCount::rounds), std::nullopt) << variant;
    EXPECT_EQ(work.reason(WorkCount::rounds), kNoRounds) << variant;
    EXPECT_EQ(work.reason(WorkCount::atomics), kOneThread) << variant;
  }
}

TEST(SearchWorkTest, LabelCorrectingScansEachVertexOnceOrMore) {
  for (const std::string variant :
       {"sssp/label-correcting:queue=approximate,rows=four-slots,contract=none",
        "sssp/label-correcting:queue=two-queue,rows=four-slots", "sssp/delta-stepping:threads=1",
        "sssp/delta-stepping:threads=3", "sssp/bellman-ford-queue"}) {
    const SearchWork work = counted<Sssp>(variant, {0});
    EXPECT_GE(work.value(WorkCount::scanned), kVertices) << variant;
    EXPECT_GE(work.value(WorkCount::looked_at_arcs), kArcs) << variant << ": no free slots";
    EXPECT_LE(work.value(WorkCount::looked_at_arcs), 4 * *work.value(WorkCount::scanned))
        << variant;
    EXPECT_GE(work.value(WorkCount::lowered), kVertices) << variant;
    EXPECT_EQ(work.reason(WorkCount::settled), kNotFinal) << variant;
  }
}

TEST(SearchWorkTest, ThreadsTryAtomicOperations) {
  const SearchWork work = counted<Sssp>("sssp/delta-stepping:threads=3", {0});
  // One label is the source's; every other label that fell took an operation that succeeded.
  EXPECT_EQ(*work.value(WorkCount::atomics) - *work.value(WorkCount::failed_atomics),
            *work.value(WorkCount::lowered) - 1);
  const SearchWork alone = counted<Sssp>("sssp/delta-stepping:threads=1", {0});
  EXPECT_EQ(alone.value(WorkCount::atomics), std::nullopt);
}

TEST(SearchWorkTest, RoundsCloseEachVertexOnce) {
  for (const std::string threads : {"1", "3"}) {
    const SearchWork work = counted<Sssp>("sssp/dijkstra-rounds:threads=" + threads, {0});
    EXPECT_EQ(work.value(WorkCount::settled), kVertices);
    EXPECT_EQ(work.value(WorkCount::relaxations), kArcs);
    EXPECT_GE(work.value(WorkCount::looked_at_arcs), kArcs);
    EXPECT_GT(work.value(WorkCount::rounds), 1U);
    EXPECT_EQ(work.reason(WorkCount::atomics), kNoAtomics);
  }
}

TEST(SearchWorkTest, OwnersTestTheArcsAcross) {
  const SearchWork work = counted<Sssp>("sssp/owned-regions:threads=2", {0});
  EXPECT_GE(work.value(WorkCount::relaxations), work.value(WorkCount::scanned));
  EXPECT_EQ(work.reason(WorkCount::atomics), kNoAtomics);
}

TEST(SearchWorkTest, PointToPoint) {
  for (const std::string variant :
       {"p2p/dijkstra:arity=4", "p2p/boost-dijkstra", "p2p/bidirectional", "p2p/alt",
        "p2p/contraction-hierarchy", "p2p/customisable-hierarchy",
        "p2p/label-correcting:contract=none,sides=one",
        "p2p/label-correcting:contract=none,sides=both", "p2p/auto"}) {
    const SearchWork work = counted<P2p>(variant, {kSide + 1, kVertices - kSide - 2});
    EXPECT_GT(work.value(WorkCount::scanned), 0U) << variant;
    EXPECT_GE(work.value(WorkCount::looked_at_arcs), work.value(WorkCount::relaxations)) << variant;
    EXPECT_LE(work.value(WorkCount::lowered), *work.value(WorkCount::relaxations) + 2) << variant;
  }
  for (const std::string variant : {"p2p/dijkstra:arity=4", "p2p/boost-dijkstra"}) {
    EXPECT_EQ(counted<P2p>(variant, {0, 0}).value(WorkCount::settled), 1U) << variant;
    EXPECT_EQ(counted<P2p>(variant, {0, 0}).value(WorkCount::scanned), 0U) << variant;
  }
}

TEST(SearchWorkTest, Levels) {
  for (const std::string threads : {"1", "3"}) {
    const SearchWork work = counted<Bfs>("bfs/hybrid:direction=top-down,threads=" + threads, {0});
    EXPECT_EQ(work.value(WorkCount::settled), kVertices);
    EXPECT_EQ(work.value(WorkCount::scanned), kVertices);
    EXPECT_EQ(work.value(WorkCount::looked_at_arcs), kArcs);
    EXPECT_EQ(work.value(WorkCount::rounds), 2U * kSide - 1);
    EXPECT_EQ(work.reason(WorkCount::relaxations), kNoLengths);
    if (threads == "1") {
      EXPECT_EQ(work.value(WorkCount::atomics), std::nullopt);
    } else {
      EXPECT_EQ(*work.value(WorkCount::atomics) - *work.value(WorkCount::failed_atomics),
                kVertices - 1);
    }
  }
}

TEST(SearchWorkTest, SweepsLookAtTheSameArcsWithAnyThreads) {
  const std::string variant = "sssp/customisable-hierarchy:threads=";
  const SearchWork one = counted<Sssp>(variant + "1", {0});
  EXPECT_EQ(one.value(WorkCount::settled), kVertices);
  // The sweep scans each vertex, and the walk up those above the source.
  EXPECT_GT(one.value(WorkCount::scanned), kVertices);
  EXPECT_LT(one.value(WorkCount::scanned), 2 * kVertices);
  EXPECT_GT(one.value(WorkCount::looked_at_arcs), kArcs / 2);
  EXPECT_GE(one.value(WorkCount::lowered), kVertices);
  EXPECT_EQ(one.reason(WorkCount::atomics), kNoAtomics);
  const SearchWork three = counted<Sssp>(variant + "3", {0});
  for (const WorkCount what : all_work_counts()) {
    EXPECT_EQ(one.value(what), three.value(what)) << name_of(what);
  }
}

TEST(SearchWorkTest, LevelsInBothDirections) {
  for (const std::string keys : {"threads=1", "threads=3", "threads=3,share-from=0"}) {
    const SearchWork down = counted<Bfs>("bfs/direction-optimizing:alpha=1," + keys, {0});
    EXPECT_EQ(down.value(WorkCount::settled), kVertices) << keys;
    EXPECT_EQ(down.value(WorkCount::scanned), kVertices) << keys;
    EXPECT_EQ(down.value(WorkCount::looked_at_arcs), kArcs) << keys;
    EXPECT_EQ(down.value(WorkCount::rounds), 2U * kSide - 1) << keys;
    const SearchWork up =
        counted<Bfs>("bfs/direction-optimizing:alpha=1000000,beta=1000000," + keys, {0});
    EXPECT_EQ(up.value(WorkCount::settled), kVertices) << keys;
    // A level tests each vertex that it does not find, and again in the next level.
    EXPECT_GT(up.value(WorkCount::scanned), kVertices) << keys;
    EXPECT_GE(up.value(WorkCount::looked_at_arcs), up.value(WorkCount::scanned)) << keys;
  }
  const SearchWork shared =
      counted<Bfs>("bfs/direction-optimizing:alpha=1,threads=3,share-from=0", {0});
  EXPECT_EQ(*shared.value(WorkCount::atomics) - *shared.value(WorkCount::failed_atomics),
            kVertices - 1);
  EXPECT_EQ(counted<Bfs>("bfs/direction-optimizing:threads=1", {0}).reason(WorkCount::atomics),
            kOneThread);
}

// Whatever the kernel and the threads' order, these are the counts of a tree.
template <class Problem>
void expect_counts_of_tree(const std::string& variant) {
  const SearchWork work = counted<Problem>(variant, {0}, counted_tree());
  constexpr std::uint64_t kTreeArcs = 2 * (kVertices - 1);
  EXPECT_EQ(work.value(WorkCount::scanned), kVertices) << variant;
  EXPECT_EQ(work.value(WorkCount::looked_at_arcs), kTreeArcs) << variant;
  EXPECT_EQ(work.value(WorkCount::relaxations), kTreeArcs) << variant;
  EXPECT_EQ(work.value(WorkCount::lowered), kVertices) << variant;
  EXPECT_EQ(work.reason(WorkCount::settled), kNotFinal) << variant;
}

TEST(SearchWorkGpu, NearFarCountsWhatATreeNeeds) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::string scope : {"scope=cluster", "scope=device,rows=slots"}) {
    for (const std::string hops : {"hops=1", "hops=4,ahead=0", "hops=4,ahead=16"}) {
      for (const std::string distance : {"32", "64"}) {
        expect_counts_of_tree<Sssp>("sssp/near-far:contract=none,delta=7,distance=" + distance +
                                    "," + scope + "," + hops);
      }
    }
  }
  expect_counts_of_tree<Sssp>(
      "sssp/near-far:contract=none,delta=7,scope=device,rows=scan,direction=push");
  expect_counts_of_tree<Sssp>("sssp/near-far-batch:contract=none,delta=7");
  expect_counts_of_tree<Bfs>("bfs/near-far:contract=none,delta=2");
}

TEST(SearchWorkGpu, NearFarScansEachVertexOnceOrMore) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::string keys :
       {"scope=cluster,hops=1", "scope=device,rows=slots,hops=4", "scope=device,rows=scan"}) {
    const std::string variant = "sssp/near-far:contract=none,delta=20," + keys;
    const SearchWork work = counted<Sssp>(variant, {0});
    EXPECT_GE(work.value(WorkCount::scanned), kVertices) << variant;
    EXPECT_GE(work.value(WorkCount::looked_at_arcs), kArcs) << variant;
    EXPECT_LE(work.value(WorkCount::looked_at_arcs), 4 * *work.value(WorkCount::scanned))
        << variant;
    EXPECT_GE(work.value(WorkCount::lowered), kVertices) << variant;
    if (keys == "scope=device,rows=scan") continue;  // it puts vertices into sets, too
    EXPECT_EQ(work.value(WorkCount::atomics), work.value(WorkCount::relaxations)) << variant;
    EXPECT_EQ(*work.value(WorkCount::atomics) - *work.value(WorkCount::failed_atomics),
              *work.value(WorkCount::lowered) - 1)
        << variant;
  }
}

TEST(SearchWorkGpu, PullsAreRelaxations) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const SearchWork work = counted<Sssp>(
      "sssp/near-far:contract=none,scope=device,direction=push-pull,horizon=2,delta=1", {0});
  EXPECT_GE(work.value(WorkCount::lowered), kVertices);
  EXPECT_GE(*work.value(WorkCount::relaxations), kVertices - 1);
  EXPECT_GE(work.value(WorkCount::looked_at_arcs), work.value(WorkCount::relaxations));
}

TEST(SearchWorkGpu, LevelsInBothDirections) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const std::string keys :
       {"frontier=spans,answer=gathered", "frontier=spans,answer=renumbered",
        "frontier=pieces,answer=gathered", "frontier=pieces,answer=renumbered"}) {
    const std::string variant = "bfs/persistent:scope=device,beta=1000000," + keys;
    const SearchWork down = counted<Bfs>(variant + ",alpha=0", {0});
    EXPECT_EQ(down.value(WorkCount::scanned), kVertices) << keys;
    EXPECT_EQ(down.value(WorkCount::looked_at_arcs), kArcs) << keys;
    EXPECT_EQ(*down.value(WorkCount::atomics) - *down.value(WorkCount::failed_atomics),
              kVertices - 1)
        << keys;
    EXPECT_EQ(down.reason(WorkCount::relaxations), kNoLengths) << keys;
    const SearchWork up = counted<Bfs>(variant + ",alpha=1000000", {0});
    // A level tests each vertex that it does not find, and again in the next level.
    EXPECT_GT(up.value(WorkCount::scanned), kVertices) << keys;
    EXPECT_GE(up.value(WorkCount::looked_at_arcs), up.value(WorkCount::scanned)) << keys;
    EXPECT_LE(up.value(WorkCount::looked_at_arcs), 4 * *up.value(WorkCount::scanned)) << keys;
  }
  const SearchWork cluster = counted<Bfs>("bfs/persistent:scope=cluster", {0});
  EXPECT_EQ(cluster.value(WorkCount::scanned), kVertices);
  EXPECT_EQ(cluster.value(WorkCount::looked_at_arcs), kArcs);
  EXPECT_EQ(*cluster.value(WorkCount::atomics) - *cluster.value(WorkCount::failed_atomics),
            kVertices);
}

TEST(SearchWorkTest, WhatIsNotCountedIsNotZero) {
  SearchWork work;
  EXPECT_TRUE(work.empty());
  EXPECT_EQ(work.value(WorkCount::settled), std::nullopt);
  EXPECT_EQ(work.reason(WorkCount::settled), kUncounted);
  SearchWork other;
  other.add(WorkCount::settled, 0);
  other.lacks(WorkCount::rounds, kNoRounds);
  work.add(other);
  EXPECT_FALSE(work.empty());
  EXPECT_EQ(work.value(WorkCount::settled), 0U);
  EXPECT_EQ(work.reason(WorkCount::rounds), kNoRounds);
}

}  // namespace
}  // namespace bellmark
