// sssp/phast-batch: levels hold no arc between their vertices, and values that its numbers can't
// hold are refused. Where there is a GPU, batches of any size are right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "algorithms/searches/phast/levels.hpp"
#include "algorithms/testing/gpu_family.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::phast {
namespace {

using contraction_hierarchy::Contraction;
using contraction_hierarchy::Limits;
using SsspWorkload = detail::WorkloadOf<Sssp>;

constexpr const char* kName = "sssp/phast-batch";
constexpr const char* kGraphs[] = {
    "random:n=400,m=700,lengths=uniform:1..50,seed=5",
    "random:n=60,m=1200,lengths=uniform:1..9,seed=8",
    "grid:rows=20,columns=30,lengths=uniform:1..1000,seed=7",
    "grid:rows=12,columns=12,lengths=unit",
    "grid:rows=40,columns=40,keep=0.5,lengths=uniform:1..9",
    "road:n=2000,seed=3",
};

Levels levels_of(const Graph& graph) {
  ThreadTeam team(1, RunContext());
  return make_levels(
      Contraction<std::uint32_t>(graph, distance_bound(graph).value, Limits::of(graph))
          .contract_all(team));
}

/// Distances by the two sweeps, in plain words.
std::vector<Distance> swept(const Levels& levels, Vertex source) {
  std::vector<Distance> distances(levels.vertices.size(), kUnreached);
  distances[source] = 0;
  const auto pull = [&](const EnteringRows& rows, std::size_t place) {
    for (std::uint32_t e = rows.offsets[place]; e < rows.offsets[place + 1]; ++e) {
      const Distance tail = distances[rows.arcs[e].tail];
      if (tail == kUnreached) continue;
      Distance& own = distances[levels.vertices[place]];
      own = std::min(own, tail + rows.arcs[e].length);
    }
  };
  for (std::size_t place = 0; place < distances.size(); ++place) pull(levels.from_below, place);
  for (std::size_t place = distances.size(); place-- > 0;) pull(levels.from_above, place);
  return distances;
}

TEST(PhastLevels, ArcsLeadFromLevelToLevel) {
  for (const char* formula : kGraphs) {
    const Levels levels = levels_of(make_graph(formula));
    std::map<Vertex, std::size_t> level;
    for (std::size_t own = 0; own + 1 < levels.level_offsets.size(); ++own) {
      ASSERT_LT(levels.level_offsets[own], levels.level_offsets[own + 1]) << "an empty level";
      for (auto i = levels.level_offsets[own]; i < levels.level_offsets[own + 1]; ++i) {
        level[levels.vertices[i]] = own;
      }
    }
    ASSERT_EQ(level.size(), levels.vertices.size()) << "each vertex once";
    for (std::size_t place = 0; place < levels.vertices.size(); ++place) {
      const std::size_t own = level[levels.vertices[place]];
      for (auto e = levels.from_below.offsets[place]; e < levels.from_below.offsets[place + 1];
           ++e) {
        ASSERT_LT(level[levels.from_below.arcs[e].tail], own) << formula;
      }
      for (auto e = levels.from_above.offsets[place]; e < levels.from_above.offsets[place + 1];
           ++e) {
        ASSERT_GT(level[levels.from_above.arcs[e].tail], own) << formula;
      }
    }
  }
}

TEST(PhastLevels, TwoSweepsFindAllDistances) {
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    const Levels levels = levels_of(graph);
    for (Vertex source = 0; source < graph.vertex_count(); source += 17) {
      ASSERT_EQ(swept(levels, source), testing::oracle_distances(graph, source)) << formula;
    }
  }
}

TEST(PhastLevels, EnteringRowsHoldEveryArc) {
  const Graph graph = make_graph(kGraphs[0]);
  std::multimap<Vertex, std::pair<Vertex, Length>> expected;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      expected.emplace(graph.heads()[e], std::pair(u, graph.length(e)));
    }
  }
  const EnteringRows rows = entering_rows(graph);
  std::multimap<Vertex, std::pair<Vertex, Length>> found;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    for (auto e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e) {
      found.emplace(v, std::pair(rows.arcs[e].tail, static_cast<Length>(rows.arcs[e].length)));
    }
  }
  EXPECT_EQ(found, expected);
}

/// Every query of one batch, against the oracle.
void check_batch(const Graph& graph, const std::vector<Sssp::Query>& queries,
                 const std::string& what) {
  SsspWorkload workload(graph, queries);
  const auto variant =
      testing::bind_where_it_fits(Registry::global().select(kName).at(0), workload);
  ASSERT_NE(variant, nullptr) << what;
  RunContext context;
  variant->prepare(context);
  variant->run(0, queries.size(), context);
  variant->run(0, queries.size(), context);
  for (std::size_t query = 0; query < queries.size(); ++query) {
    ASSERT_EQ(variant->certify(query), std::nullopt) << what;
    ASSERT_EQ(variant->digest(query),
              Sssp::digest({testing::oracle_distances(graph, queries[query].source), {}}))
        << what << " " << query;
  }
}

TEST(PhastGpu, BatchesOfAnySizeAreRight) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::mt19937 draw(1);
  for (const char* formula : kGraphs) {
    const Graph graph = make_graph(formula);
    for (const std::size_t count : {1U, 4U, 127U, 128U, 129U, 300U}) {
      std::vector<Sssp::Query> queries;
      for (std::size_t i = 0; i < count; ++i) {
        queries.push_back({static_cast<Vertex>(draw() % graph.vertex_count())});
      }
      check_batch(graph, queries, formula);
      if (HasFailure()) return;
    }
  }
}

TEST(PhastGpu, RandomGraphsAreRight) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Graph graph = testing::small_random_graph(seed);
    if (graph.arc_count() > 0 && graph.properties().least_length == 0) continue;
    if (distance_bound(graph).value >= 0x7f7f7f7f) continue;
    check_batch(graph, testing::all_sources(graph), "seed " + std::to_string(seed));
    if (HasFailure()) return;
    ++checked;
  }
  EXPECT_GT(checked, 20);
}

TEST(PhastGpu, RefusesWhatItsNumbersCantHold) {
  if (const std::string reason = testing::without_family(kName); !reason.empty()) {
    GTEST_SKIP() << reason;
  }
  const auto refusal = [](const Graph& graph) -> std::string {
    SsspWorkload workload(graph, {{0}});
    Settings settings;
    try {
      find_instance(Registry::global().select(kName).at(0), workload, settings);
    } catch (const UnmetError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal(make_graph("grid:rows=3,columns=3")), "");
  EXPECT_EQ(refusal(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}})),
            "sssp/phast-batch: the graph has arcs of length 0, which leave predecessors open; use "
            "sssp/near-far-batch");
  EXPECT_EQ(refusal(Graph::from_arcs(2, std::vector<Arc>{{0, 1, 2139062143}})),
            "sssp/phast-batch: distances up to 2139062143 may lie beyond its 2139062143; use "
            "sssp/near-far-batch");
}

}  // namespace
}  // namespace bellmark::phast
