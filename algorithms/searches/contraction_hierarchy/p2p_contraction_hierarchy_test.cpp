// p2p/contraction-hierarchy beyond right answers: shortcuts stand for ways of the graph, graphs
// that explode are refused, and a work area that is used again is as good as new.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "graph/generate.hpp"

namespace bellmark::contraction_hierarchy {
namespace {

using P2pWorkload = detail::WorkloadOf<P2p>;
using testing::bound_variant;

/// Shortcuts over more vertices than one list of them may have.
constexpr const char* kLongWays = "grid:rows=2,columns=400,lengths=uniform:1..9,seed=4";

constexpr const char* kGraphs[] = {
    "random:n=400,m=700,lengths=uniform:0..50,seed=5",
    "random:n=300,m=1500,lengths=uniform:0..3,seed=6",
    "random:n=60,m=1200,lengths=uniform:0..9,seed=8",
    "grid:rows=20,columns=30,lengths=uniform:1..1000,seed=7",
    "grid:rows=12,columns=12,lengths=unit",
    "road:n=2000,seed=3",
    kLongWays,
};

TEST(P2pContractionHierarchy, QueriesInARowAreRight) {
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    P2pWorkload workload(
        graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 300, .seed = 3}));
    for (const char* name :
         {"p2p/contraction-hierarchy", "p2p/contraction-hierarchy:distance=64,threads=3"}) {
      const auto variant = bound_variant(name, workload);
      RunContext context;
      variant->prepare(context);
      for (std::size_t query = 0; query < workload.query_count(); ++query) {
        variant->run(query, 1, context);
        ASSERT_EQ(variant->certify(query), std::nullopt) << formula << " " << name << " " << query;
      }
    }
  }
}

Hierarchy<std::uint32_t> contracted(const Graph& graph, const Limits& limits,
                                    std::size_t thread_count = 1) {
  ThreadTeam team(thread_count, RunContext());
  return Contraction<std::uint32_t>(graph, distance_bound(graph).value, limits).contract_all(team);
}

TEST(Contraction, ShortcutsAreWaysOfTheGraph) {
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    const Hierarchy<std::uint32_t> made = contracted(graph, Limits::of(graph));
    EXPECT_TRUE(formula != kLongWays || !made.shortcuts.splits.empty());
    Unpacking unpacking;
    const auto check = [&](const auto& rows, bool is_forward) {
      for (Vertex u = 0; u < graph.vertex_count(); ++u) {
        for (std::uint32_t e = rows.offsets[u]; e < rows.offsets[u + 1]; ++e) {
          const auto& [length, high, stretch] = rows.arcs[e];
          ASSERT_LT(high, u) << "upwards";
          const Vertex tail = made.vertex[is_forward ? u : high];
          const Vertex head = made.vertex[is_forward ? high : u];
          std::vector<Vertex> path = {tail};
          unpacking.append(stretch, head, made.shortcuts, path);
          ASSERT_EQ(path.back(), head);
          ASSERT_EQ(path.size() > 2, !stretch.is_arc());
          Distance sum = 0;
          for (std::size_t i = 1; i < path.size(); ++i) {
            const auto arc = shortest_arc(graph, path[i - 1], path[i]);
            ASSERT_TRUE(arc) << path[i - 1] << " to " << path[i];
            sum += *arc;
            if (i + 1 < path.size()) {
              ASSERT_GT(made.number[path[i]], u) << "over less important ones";
            }
          }
          ASSERT_EQ(Distance{length}, sum);
        }
      }
    };
    check(made.forward, true);
    if (!graph.properties().symmetric) check(made.backward, false);
  }
}

TEST(Contraction, AStarIsNoWork) {
  std::vector<Arc> arcs;
  constexpr Vertex kLeaves = 50'000;
  for (Vertex leaf = 1; leaf <= kLeaves; ++leaf) {
    arcs.push_back({0, leaf, 3});
    arcs.push_back({leaf, 0, 3});
  }
  const Graph graph = Graph::from_arcs(kLeaves + 1, arcs);
  const Hierarchy<std::uint32_t> made = contracted(graph, Limits::of(graph));
  EXPECT_TRUE(made.shortcuts.all.empty());
  EXPECT_EQ(made.vertex.front(), 0U) << "the hub is on top";
}

TEST(Contraction, OnlyRowsThatAreCheckedAreReadBack) {
  const TestFolder folder;
  for (const char* formula :
       {"grid:rows=12,columns=12,lengths=unit", "random:n=60,m=1200,seed=8"}) {
    const Graph graph = make_graph(formula);
    const bool is_symmetric = graph.properties().symmetric;
    const Hierarchy<std::uint32_t> made = contracted(graph, Limits::of(graph));
    const prepared::Identity its = identity(graph, 32);
    prepared::Writer writer;
    write(made, writer);
    writer.write(its, folder / "file");
    prepared::Reader reader(folder / "file", its);
    const auto back = read<std::uint32_t>(reader, graph.vertex_count(), is_symmetric);
    EXPECT_TRUE(std::ranges::equal(back.forward.arcs, made.forward.arcs)) << formula;
    EXPECT_EQ(back.backward.arcs.size() == 0, is_symmetric) << formula;
    // A symmetric graph's queries use one of the two directions.
    prepared::Reader again(folder / "file", its);
    const auto read_otherwise = [&] {
      read<std::uint32_t>(again, graph.vertex_count(), !is_symmetric);
    };
    EXPECT_THROW(read_otherwise(), InputError) << formula;
  }
}

TEST(Contraction, IsTheSameWithAnyNumberOfThreads) {
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    const Hierarchy<std::uint32_t> one = contracted(graph, Limits::of(graph));
    for (const std::size_t thread_count : {2, 5}) {
      const Hierarchy<std::uint32_t> more = contracted(graph, Limits::of(graph), thread_count);
      ASSERT_TRUE(std::ranges::equal(one.vertex, more.vertex)) << formula;
      for (const auto rows :
           {&Hierarchy<std::uint32_t>::forward, &Hierarchy<std::uint32_t>::backward}) {
        ASSERT_TRUE(std::ranges::equal((one.*rows).offsets, (more.*rows).offsets)) << formula;
        ASSERT_TRUE(std::ranges::equal((one.*rows).arcs, (more.*rows).arcs)) << formula;
      }
      ASSERT_TRUE(std::ranges::equal(one.shortcuts.all, more.shortcuts.all)) << formula;
      ASSERT_TRUE(std::ranges::equal(one.shortcuts.splits, more.shortcuts.splits)) << formula;
      ASSERT_TRUE(std::ranges::equal(one.shortcuts.inner, more.shortcuts.inner)) << formula;
    }
  }
}

/// The reason for which a contraction within these limits is refused.
std::string refusal(const Graph& graph, const Limits& limits) {
  try {
    contracted(graph, limits, 2);
  } catch (const UnmetError& error) {
    return error.what();
  }
  return "none";
}

TEST(Contraction, RefusesWhatExplodes) {
  const Graph graph = make_graph("random:n=500,m=5000,lengths=uniform:1..1000,seed=1");
  const std::uint64_t many = std::uint64_t{1} << 40;
  EXPECT_NE(refusal(graph, {1000, many}).find("shortcuts and a look at"), std::string::npos);
  EXPECT_NE(refusal(graph, {many, 1000}).find("need a look at about"), std::string::npos);
}

TEST(Contraction, RefusesAKroneckerGraphBeforeItBegins) {
  const Graph graph = make_graph("kronecker:scale=15,lengths=uniform:1..255");
  EXPECT_NE(refusal(graph, Limits::of(graph)).find("need a look at about"), std::string::npos);
}

}  // namespace
}  // namespace bellmark::contraction_hierarchy
