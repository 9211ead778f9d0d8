// bfs/persistent: the values of `auto` and the layouts, which need no GPU; and, where there is one,
// right levels in both scopes and orders, with the direction forced at every level.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/searches/bfs/persistent_layout.hpp"
#include "algorithms/searches/bfs/persistent_options.hpp"
#include "algorithms/searches/bfs/persistent_packed_tree.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::bfs::persistent {
namespace {

using testing::BfsWorkload;
using testing::chain_of;
using testing::column;
using testing::expect_right_levels;
using testing::from_edges;
using testing::star_of;

Settings resolved(const std::string& changes, const Graph& graph) {
  Settings settings = {{"scope", "auto"}, {"order", "auto"}, {"alpha", "25"}, {"beta", "256"}};
  const Settings changed = Settings::parse(changes);
  for (const auto& [key, value] : changed.entries()) settings.set(key, value);
  return resolve(settings, graph);
}

TEST(BfsPersistentOptions, ScopeFollowsDegreesAndLevels) {
  EXPECT_EQ(resolved("", make_graph("grid:rows=50,columns=50")).get("scope"), "cluster");
  EXPECT_EQ(resolved("", make_graph("random:n=100,m=3000")).get("scope"), "device");
  EXPECT_EQ(resolved("", star_of(100)).get("scope"), "device") << "a hub";
  EXPECT_EQ(resolved("", make_graph("random4:scale=19")).get("scope"), "device")
      << "low degrees, but few levels";
  EXPECT_EQ(resolved("", Graph()).get("scope"), "device");
}

TEST(BfsPersistentOptions, OrderFollowsTheScopeUnlessGiven) {
  const Graph grid = make_graph("grid:rows=5,columns=5");
  EXPECT_EQ(resolved("", grid).get("order"), "as-given");
  EXPECT_EQ(resolved("scope=device", grid).get("order"), "by-degree");
  EXPECT_EQ(resolved("scope=device,order=as-given", grid).get("order"), "as-given");
  EXPECT_EQ(resolved("scope=device,frontier=spans", grid).get("frontier"), "spans");
  EXPECT_EQ(resolved("scope=device,order=as-given,frontier=spans", grid).get("frontier"), "pieces");
  EXPECT_EQ(resolved("scope=cluster,order=as-given,frontier=spans", grid).get("frontier"),
            "pieces");
  EXPECT_EQ(resolved("order=by-degree", grid).get("order"), "by-degree");
  EXPECT_EQ(resolved("scope=device,transpose=made", grid).get("transpose"), "none");
  const Graph directed = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 1}});
  EXPECT_EQ(resolved("scope=device,transpose=made", directed).get("transpose"), "made");
  EXPECT_EQ(resolved("scope=cluster,transpose=made", directed).get("transpose"), "none");
  EXPECT_EQ(resolved("scope=device,alpha=0,transpose=made", directed).get("transpose"), "none");
}

TEST(BfsPersistentOptions, RowOffsetsFollowTheArcs) {
  const Graph graph = make_graph("random:n=100,m=3000");
  const std::string given = "frontier=spans,row-offsets=";
  EXPECT_EQ(resolved(given + "auto", graph).get("row-offsets"), "32");
  EXPECT_EQ(resolved(given + "64", graph).get("row-offsets"), "64");
  EXPECT_THROW(resolved("order=as-given," + given + "64", graph), InputError);
  EXPECT_THROW(resolved("scope=cluster," + given + "64", graph), InputError);
  EXPECT_THROW(resolved("frontier=pieces,row-offsets=64", graph), InputError);
}

/// The row of a vertex, in the block's ids, sorted.
std::vector<Vertex> row_of(const Layout& layout, Vertex vertex) {
  std::vector<Vertex> row(layout.heads.data() + layout.row_offsets.data()[vertex],
                          layout.heads.data() + layout.row_offsets.data()[vertex + 1]);
  for (Vertex& head : row) head = layout.numbering.original(head);
  std::sort(row.begin(), row.end());
  return row;
}

std::uint32_t degree_in(const Layout& layout, Vertex v) {
  return layout.row_offsets.data()[v + 1] - layout.row_offsets.data()[v];
}

/// By degree, the rows of more than some number of arcs are those below an end.
void expect_numbers_tell_hubs(const Layout& layout) {
  for (const std::uint32_t most : {0U, 1U, 7U, 100U}) {
    const Vertex end = longer_end(layout.row_offsets, most);
    for (Vertex v = 0; v < layout.vertex_count; ++v) {
      EXPECT_EQ(degree_in(layout, v) > most, v < end);
    }
  }
}

void expect_means_of_words(const Layout& layout) {
  const PagedArray<std::uint32_t> means = mean_degrees(layout.row_offsets);
  ASSERT_EQ(means.size(), (layout.vertex_count + 31) / 32);
  std::uint64_t sum_of_means = 0;
  for (Vertex first = 0; first < layout.vertex_count; first += 32) {
    const Vertex last = std::min(first + 32, layout.vertex_count);
    std::uint32_t sum = 0;
    for (Vertex v = first; v < last; ++v) sum += degree_in(layout, v);
    EXPECT_EQ(means.data()[first / 32], sum / (last - first));
    sum_of_means += std::uint64_t{means.data()[first / 32]} * (last - first);
  }
  EXPECT_LE(sum_of_means, layout.heads.size());
}

/// Heads 1 to 4 of the rows that have more than one arc, if rows get shorter.
void expect_next_heads(const Layout& layout) {
  const Vertex end = longer_end(layout.row_offsets);
  const PagedArray<Vertex> next = next_heads(layout.row_offsets, layout.heads, end);
  ASSERT_EQ(next.size(), std::size_t{4} * end);
  for (Vertex v = 0; v < end; ++v) {
    const Vertex* const row = layout.heads.data() + layout.row_offsets.data()[v];
    for (std::uint32_t i = 0; i < 4; ++i) {
      EXPECT_EQ(next.data()[4 * v + i], i + 1 < degree_in(layout, v) ? row[i + 1] : kNoHead);
    }
  }
}

/// By definition, an arc at a time.
void expect_mean_degree_of_heads(const Layout& layout) {
  double sum = 0;
  for (std::size_t i = 0; i < layout.heads.size(); ++i) {
    sum += degree_in(layout, layout.heads.data()[i]);
  }
  EXPECT_NEAR(mean_degree_of_heads(layout), sum / static_cast<double>(layout.heads.size()), 1e-9);
}

TEST(BfsPersistentLayout, KeepsEveryRowWithHubsFirst) {
  for (const char* reference :
       {"kronecker:scale=9,seed=3", "kronecker:scale=13,seed=3", "random:n=300,m=900,seed=2"}) {
    const Graph graph = make_graph(reference);
    const auto degree = [&](Vertex v) {
      return graph.row_offsets()[v + 1] - graph.row_offsets()[v];
    };
    for (const bool by_degree : {true, false}) {
      const Layout layout(Block(graph), by_degree, graph.properties().symmetric);
      for (Vertex id = 0; id < graph.vertex_count(); ++id) {
        const Vertex vertex = layout.numbering.number(id);
        EXPECT_TRUE(by_degree || vertex == id);
        if (vertex == kNoVertex) {
          EXPECT_TRUE(by_degree && graph.properties().symmetric);
          EXPECT_EQ(degree(id), 0u);
          continue;
        }
        EXPECT_LT(vertex, layout.vertex_count);
        EXPECT_EQ(layout.numbering.original(vertex), id);
        std::vector<Vertex> row(graph.heads().begin() + graph.row_offsets()[id],
                                graph.heads().begin() + graph.row_offsets()[id + 1]);
        std::sort(row.begin(), row.end());
        EXPECT_EQ(row_of(layout, vertex), row);
        for (std::uint32_t e = layout.row_offsets.data()[vertex];
             e + 1 < layout.row_offsets.data()[vertex + 1]; ++e) {
          EXPECT_GE(degree(layout.numbering.original(layout.heads.data()[e])),
                    degree(layout.numbering.original(layout.heads.data()[e + 1])));
        }
        if (by_degree && vertex > 0) {
          EXPECT_LE(degree(id), degree(layout.numbering.original(vertex - 1)));
        }
      }
      const PagedArray<Vertex> first = first_heads(layout.row_offsets, layout.heads);
      ASSERT_EQ(first.size(), layout.vertex_count);
      for (Vertex v = 0; v < layout.vertex_count; ++v) {
        const bool empty = layout.row_offsets.data()[v] == layout.row_offsets.data()[v + 1];
        EXPECT_EQ(first.data()[v],
                  empty ? kNoHead : layout.heads.data()[layout.row_offsets.data()[v]]);
      }
      const Vertex end = longer_end(layout.row_offsets);
      for (Vertex v = 0; v < layout.vertex_count; ++v) {
        const std::uint32_t size = layout.row_offsets.data()[v + 1] - layout.row_offsets.data()[v];
        if (v >= end) {
          EXPECT_LE(size, 1U);
        }
        if (v + 1 == end) {
          EXPECT_GE(size, 2U);
        }
      }
      if (by_degree) expect_numbers_tell_hubs(layout);
      expect_means_of_words(layout);
      expect_next_heads(layout);
      if (graph.properties().symmetric) expect_mean_degree_of_heads(layout);
    }
  }
}

template <class T, class U>
void expect_same(const PagedArray<T>& one, const PagedArray<U>& other) {
  EXPECT_TRUE(std::ranges::equal(one.values(), other.values()));
}

TEST(BfsPersistentLayout, OffsetsOf64BitsTellTheSame) {
  for (const char* reference : {"kronecker:scale=9,seed=3", "random:n=300,m=900,seed=2"}) {
    const Graph graph = make_graph(reference);
    const Graph transpose = transposed(graph);
    const Block entering(transpose);
    const bool symmetric = graph.properties().symmetric;
    const Layout narrow(Block(graph), true, symmetric, &entering);
    const LayoutOf<std::uint64_t> wide(Block(graph), true, symmetric, &entering);
    expect_same(narrow.row_offsets, wide.row_offsets);
    expect_same(narrow.heads, wide.heads);
    expect_same(narrow.entering.offsets, wide.entering.offsets);
    expect_same(narrow.entering.heads, wide.entering.heads);
    expect_same(first_heads(narrow.row_offsets, narrow.heads),
                first_heads(wide.row_offsets, wide.heads));
    const Vertex end = longer_end(narrow.row_offsets);
    EXPECT_EQ(longer_end(wide.row_offsets), end);
    expect_same(next_heads(narrow.row_offsets, narrow.heads, end),
                next_heads(wide.row_offsets, wide.heads, end));
    expect_same(mean_degrees(narrow.row_offsets), mean_degrees(wide.row_offsets));
    EXPECT_EQ(mean_degree_of_heads(narrow), mean_degree_of_heads(wide));
  }
}

TEST(BfsPersistentLayout, EnteringRowsAreTheTranspose) {
  const Graph graph = make_graph("random:n=300,m=900,seed=2");
  const Graph transpose = transposed(graph);
  const Block entering(transpose);
  for (const bool by_degree : {true, false}) {
    const Layout layout(Block(graph), by_degree, false, &entering);
    ASSERT_EQ(layout.entering.offsets.size(), layout.vertex_count + 1);
    for (Vertex id = 0; id < graph.vertex_count(); ++id) {
      const Vertex vertex = layout.numbering.number(id);
      const std::uint32_t* const ends = layout.entering.offsets.data() + vertex;
      std::vector<Vertex> row(layout.entering.heads.data() + ends[0],
                              layout.entering.heads.data() + ends[1]);
      if (by_degree) {
        EXPECT_TRUE(std::is_sorted(row.begin(), row.end()));
      }
      for (Vertex& tail : row) tail = layout.numbering.original(tail);
      std::vector<Vertex> expected(transpose.heads().begin() + transpose.row_offsets()[id],
                                   transpose.heads().begin() + transpose.row_offsets()[id + 1]);
      std::sort(row.begin(), row.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(row, expected);
    }
    expect_mean_degree_of_heads(layout);
  }
  EXPECT_EQ(Layout(Block(graph), true, false).entering.offsets.size(), 0u);
}

TEST(BfsPersistentLayout, SlotsHoldRowsOfAnyLength) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  constexpr Vertex kLongest = 23;
  for (const Vertex base : {0, 4085, 9000}) {  // in several threads' ranges
    for (Vertex v = base; v <= base + kLongest; ++v) {
      for (Vertex leaf = base; leaf < v; ++leaf) edges.push_back({v, 100 + leaf});
    }
  }
  const Layout layout(Block(from_edges(10'000, edges)), false, true);
  const SlotRows rows(layout);
  for (Vertex v = 0; v < layout.vertex_count; ++v) {
    std::vector<Vertex> found(rows.slots.data() + SlotRows::kSlots * v,
                              rows.slots.data() + SlotRows::kSlots * (v + 1));
    if (found[6] == kLink) {
      std::size_t at = std::size_t{SlotRows::kFour} * found[7];
      found.resize(6);
      do {
        found.insert(found.end(), rows.rest.data() + at, rows.rest.data() + at + SlotRows::kFour);
        at += SlotRows::kFour;
      } while (found.back() != kNoHead);
    }
    found.erase(std::remove(found.begin(), found.end(), kNoHead), found.end());
    EXPECT_EQ(found, std::vector<Vertex>(layout.heads.data() + layout.row_offsets.data()[v],
                                         layout.heads.data() + layout.row_offsets.data()[v + 1]));
  }
}

TEST(BfsPersistentTree, WordsHoldPredecessorsAndLevels) {
  for (const Vertex n : {1u, 2u, 3u, 4u, 255u, 256u, 1u << 20, (1u << 31) - 1}) {
    SCOPED_TRACE(n);
    ASSERT_TRUE(PackedTree::fits(n));
    std::uint32_t word = 0;
    Level far_level = 0;
    const PackedTree tree{&word, &far_level, PackedTree::shift_for(n)};
    const auto expect_kept = [&](Vertex predecessor, Level level) {
      const Vertex given = predecessor == kNoVertex ? tree.no_predecessor() : predecessor;
      tree.set(0, given, level);
      EXPECT_NE(word, PackedTree::kUnreached);
      EXPECT_EQ(tree.visit(0, word).predecessor, predecessor);
      EXPECT_EQ(tree.visit(0, word).level, level);
    };
    expect_kept(kNoVertex, 0);
    const Level most = tree.most_level();
    ASSERT_GE(most, 1u);
    for (const Level level : {1u, most - 1, most, std::min(most, n) + 1, n}) {
      if (level == 0 || level > n) continue;
      expect_kept(0, level);
      expect_kept(n - 1, level);
    }
    EXPECT_EQ(tree.visit(0, PackedTree::kUnreached).predecessor, kNoVertex);
    EXPECT_EQ(tree.visit(0, PackedTree::kUnreached).level, kNoLevel);
  }
  EXPECT_FALSE(PackedTree::fits(1u << 31));
}

/// The forms of a search of the whole device.
const std::vector<std::string>& all_forms() {
  static const std::vector<std::string> forms = {
      "scope=device,frontier=pieces,answer=renumbered",
      "scope=device,frontier=spans,answer=renumbered",
      "scope=device,frontier=pieces,answer=gathered",
      "scope=device,frontier=spans,answer=renumbered,row-offsets=64",
      "scope=device,frontier=spans,answer=gathered,row-offsets=64",
      "scope=device,frontier=spans,answer=gathered",
  };
  return forms;
}

/// Forced and free: alpha 0 never goes bottom-up, a large alpha goes at once. A large beta or
/// stay-below stays there, 1 goes back after each level.
const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> keys = [] {
    std::vector<std::string> made = {"scope=cluster", "scope=device,hub-degree=2",
                                     "scope=device,hub-degree=40,alpha=0"};
    for (const std::string& form : all_forms()) {
      for (const char* direction :
           {"", ",alpha=0", ",alpha=1,beta=1", ",alpha=1000000000,beta=1000000000",
            ",alpha=1000000000,beta=1", ",beta=1,stay-below=1000000000"}) {
        made.push_back(form + direction);
      }
    }
    return made;
  }();
  return keys;
}

void expect_right_with_all_keys(const Graph& graph, std::vector<Bfs::Query> queries,
                                const std::string& more = "") {
  BfsWorkload workload(graph, std::move(queries));
  for (const std::string& keys : all_keys()) {
    for (const std::string order : {"by-degree", "as-given"}) {
      const bool has_none = order == "as-given" && keys.find("row-offsets=64") != std::string::npos;
      if (has_none) continue;
      expect_right_levels("bfs/persistent:" + keys + ",order=" + order + more, workload);
      if (::testing::Test::HasFailure()) return;
    }
  }
}

/// A hub whose row ends with the one neighbour that a search from the last vertex meets first:
/// `others` neighbours with more arcs come before it.
Graph late_in_row(Vertex others) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex v = 1; v <= others; ++v) {
    edges.push_back({0, v});
    edges.push_back({v, v % others + 1});
  }
  edges.push_back({0, others + 1});
  edges.push_back({others + 1, others + 2});
  return from_edges(others + 3, edges);
}

TEST(BfsPersistentGpu, Zoo) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {{0}, {n / 2}, {n - 1}});
    if (HasFailure()) return;
  }
}

TEST(BfsPersistentGpu, VertexCountsAroundAWord) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const Vertex n : {1, 2, 31, 32, 33, 63, 64, 65, 511, 512, 513}) {
    SCOPED_TRACE(n);
    expect_right_with_all_keys(chain_of(n), {{0}, {n / 2}, {n - 1}});
    expect_right_with_all_keys(star_of(n), {{0}, {n}});
    if (HasFailure()) return;
  }
}

TEST(BfsPersistentGpu, HubsChainsLoopsAndCrumbs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  expect_right_with_all_keys(star_of(5000), {{0}, {17}, {5000}});
  expect_right_with_all_keys(chain_of(300), {{0}, {150}});
  // The last queries begin at vertices without arcs: vertices that earlier searches reached are not
  // reached here.
  expect_right_with_all_keys(testing::hubs_and_crumbs(), {{0}, {1000}, {296}, {999}, {3}});
}

TEST(BfsPersistentGpu, NeighboursLateInRows) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const Vertex others : {3, 4, 5, 8, 31, 36, 37, 38, 100, 132, 164, 165, 600, 3000}) {
    SCOPED_TRACE(others);
    expect_right_with_all_keys(late_in_row(others), {{others + 2}, {0}, {others + 2}, {1}});
    if (HasFailure()) return;
  }
}

/// `hubs` vertices with all of `leaves` leaves, in a ring. A chain hangs on the last leaf, and a
/// component apart has two hubs of its own.
Graph rows_of_many_spans(Vertex hubs, Vertex leaves) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex hub = 0; hub < hubs; ++hub) {
    edges.push_back({hub, (hub + 1) % hubs});
    for (Vertex leaf = 0; leaf < leaves; ++leaf) edges.push_back({hub, hubs + leaf});
  }
  const Vertex chain = hubs + leaves;
  for (Vertex v = chain; v < chain + 5; ++v) edges.push_back({v - 1, v});
  const Vertex apart = chain + 5;
  for (Vertex v = apart + 2; v < apart + 2000; ++v) {
    edges.push_back({apart, v});
    edges.push_back({apart + 1, v});
  }
  return from_edges(apart + 2000 + 40, edges);  // the last ones have no arcs
}

TEST(BfsPersistentGpu, RowsOfManySpans) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  // Rows of 2^16 arcs and more; and more hubs than a step of a warp's look-up tells apart.
  for (const auto& [hubs, leaves] :
       {std::pair<Vertex, Vertex>{3, 70'000}, {40, 600}, {1100, 520}}) {
    SCOPED_TRACE(hubs);
    const Vertex chain = hubs + leaves;
    expect_right_with_all_keys(rows_of_many_spans(hubs, leaves),
                               {{0}, {chain + 4}, {chain + 5}, {hubs}, {chain + 2006}, {1}});
    if (HasFailure()) return;
  }
}

/// A hub with leaves, and a chain from the last of them to a clique. Its vertices are few, but its
/// arcs too many for one block. Pairs of vertices lie apart.
Graph clique_behind_a_chain(Vertex leaves, Vertex members) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex v = 1; v <= leaves; ++v) edges.push_back({0, v});
  const Vertex clique = leaves + 5;
  for (Vertex v = leaves; v < clique; ++v) edges.push_back({v, v + 1});
  for (Vertex v = clique; v < clique + members; ++v) {
    for (Vertex u = clique; u < v; ++u) edges.push_back({u, v});
  }
  const Vertex apart = clique + members;
  for (Vertex v = apart; v < apart + 200; v += 2) edges.push_back({v, v + 1});
  return from_edges(apart + 210, edges);
}

TEST(BfsPersistentGpu, FewThatAreLeft) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const Vertex members : {2, 30, 700}) {
    SCOPED_TRACE(members);
    const Vertex apart = 20'000 + 5 + members;
    expect_right_with_all_keys(clique_behind_a_chain(20'000, members),
                               {{0}, {apart + 7}, {20'000}, {0}, {apart - 1}, {apart + 199}, {3}});
    if (HasFailure()) return;
  }
}

/// With 2^16 vertices a predecessor takes 17 bits of a word, and a level from 32,767 on is
/// elsewhere.
TEST(BfsPersistentGpu, LevelsThatNoWordHolds) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kChain = 32'780;
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex v = 1; v < kChain; ++v) edges.push_back({v - 1, v});
  for (Vertex v = kChain; v < (1 << 16) + 10; v += 2) edges.push_back({v, v + 1});
  BfsWorkload workload(from_edges((1 << 16) + 10, edges), {{0}, {kChain / 2}});
  for (const char* direction : {"alpha=0", "alpha=1000000000,beta=1000000000"}) {
    expect_right_levels("bfs/persistent:" + all_forms().back() + "," + direction, workload);
  }
}

/// Each edge of a few hubs is there three times: lanes of a warp meet a vertex at the same time.
TEST(BfsPersistentGpu, ParallelArcs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex hub = 0; hub < 3; ++hub) {
    for (Vertex v = 3; v < 2000; ++v) edges.insert(edges.end(), 3, {hub, v});
  }
  for (Vertex v = 1999; v < 2010; ++v) edges.insert(edges.end(), 2, {v, v + 1});
  expect_right_with_all_keys(from_edges(2020, edges), {{0}, {3}, {2010}, {2015}});
}

/// Directed rows are searched top-down alone, unless the entering ones are made; some vertices have
/// arcs in one direction only.
TEST(BfsPersistentGpu, DirectedGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<Arc> arcs;
  for (Vertex v = 1; v <= 3000; ++v) {
    arcs.push_back({0, v, 1});
    arcs.push_back({v, 3000 + v / 3, 1});
    if (v % 7 == 0) arcs.push_back({v, v, 1});
  }
  arcs.push_back({3500, 4100, 1});
  arcs.push_back({4200, 0, 1});
  for (const char* transpose : {"", ",transpose=made"}) {
    expect_right_with_all_keys(Graph::from_arcs(4205, arcs),
                               {{0}, {4200}, {17}, {3500}, {4100}, {4204}, {0}}, transpose);
    expect_right_with_all_keys(make_graph("random:n=30000,m=90000,seed=5"), {{0}, {77}, {29'999}},
                               transpose);
  }
}

TEST(BfsPersistentGpu, LargerGraphs) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const char* reference :
       {"kronecker:scale=10,seed=2", "kronecker:scale=12,seed=3", "kronecker:scale=16,seed=4",
        "grid:rows=130,columns=141,keep=0.8", "random:n=50000,m=120000,seed=9"}) {
    SCOPED_TRACE(reference);
    const Graph graph = make_graph(reference);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {{0}, {n / 3}, {n - 1}, {0}});
    if (HasFailure()) return;
  }
}

/// The log of one search along a chain of 200 vertices, and a run without a log before it.
PhaseLog log_of_chain(const std::string& keys) {
  BfsWorkload workload(chain_of(200), {{0}});
  const auto selections = Registry::global().select("bfs/persistent:" + keys);
  Settings settings;
  const auto variant = find_instance(selections.at(0), workload, settings).bind(workload, settings);
  RunContext context;
  variant->prepare(context);
  variant->run(0, 1, context);
  EXPECT_EQ(variant->phase_log().phase_count(), 0u) << "a plain run keeps no log";
  context.set_instrumented(true);
  variant->run(0, 1, context);
  return variant->phase_log();
}

TEST(BfsPersistentGpu, RecordsItsLevelsWhenInstrumented) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<std::pair<std::string, std::uint64_t>> expected = {{"scope=cluster", 0}};
  for (const std::string& form : all_forms()) {
    expected.push_back({form + ",alpha=0", 0});
    expected.push_back({form + ",alpha=1000000000,beta=1000000000", 1});
  }
  for (const auto& [keys, bottom_up] : expected) {
    const PhaseLog log = log_of_chain(keys);
    EXPECT_EQ(column(log, "frontier_count"), std::vector<std::uint64_t>(200, 1)) << keys;
    const auto unvisited = column(log, "unvisited_count");
    ASSERT_EQ(unvisited.size(), 200u) << keys;
    EXPECT_EQ(unvisited.front(), 199u) << keys;
    EXPECT_EQ(unvisited.back(), 0u) << keys;
    std::vector<std::uint64_t> directions(200, bottom_up);
    // A search that gathers its answer begins with its source's row.
    if (keys.find("gathered") != std::string::npos) directions.front() = 0;
    EXPECT_EQ(column(log, "bottom_up"), directions) << keys;
  }
}

}  // namespace
}  // namespace bellmark::bfs::persistent
