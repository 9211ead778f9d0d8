// The label-correcting searches beyond right answers on small graphs (conformance_test.cpp): the
// values of `auto`, refusals, every width and horizon, and labels that are never reset.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/label_correcting/buckets.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/testing/bound_variant.hpp"
#include "algorithms/testing/right_distances.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::label_correcting {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;
using P2pWorkload = detail::WorkloadOf<P2p>;
using testing::expect_right_distances;

constexpr Length kLongest = std::numeric_limits<Length>::max();

Settings resolve(const std::string& keys, const Graph& graph) {
  Settings settings;
  for (const Key& key : describe({}).keys) {
    settings.set(key.name, key.default_value);
  }
  if (!keys.empty()) {
    const Settings given = Settings::parse(keys);
    for (const auto& [key, value] : given.entries()) settings.set(key, value);
  }
  return label_correcting::resolve(settings, graph);
}

std::string chosen(const std::string& keys, const Graph& graph) {
  const Settings resolved = resolve(keys, graph);
  return resolved.get("rows") + " " + resolved.get("direction") + " " + resolved.get("delta") +
         " " + resolved.get("horizon");
}

std::string refusal(const std::string& keys, const Graph& graph) {
  try {
    return "accepted: " + resolve(keys, graph).text();
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(LabelCorrecting, AutoFitsTheGraph) {
  const Graph grid = make_graph("grid:rows=40,columns=40,lengths=uniform:1..4000");
  EXPECT_EQ(chosen("", grid), "four-slots push 512 0");  // 2000 / 3.9
  EXPECT_EQ(chosen("rows=by-length", grid), "by-length push 512 0");
  EXPECT_EQ(chosen("queue=two-queue", grid), "four-slots push 512 0");
  EXPECT_EQ(chosen("delta=1000", grid), "four-slots push 512 0");
  const Graph core = make_graph("kronecker:scale=10,lengths=uniform:1..255");
  EXPECT_EQ(resolve("", core).get("direction"), "push-pull");
  EXPECT_EQ(resolve("", core).get("horizon"), "32");
  EXPECT_EQ(resolve("horizon=77", core).get("horizon"), "77");
  EXPECT_EQ(resolve("direction=push", core).get("rows"), "by-length");
  EXPECT_EQ(resolve("prefetch=no", core).get("rows"), "four-slots");
  const Graph one_way = make_graph("random:n=100,m=2000");
  EXPECT_EQ(resolve("", one_way).get("direction"), "push");
  EXPECT_EQ(chosen("", Graph::from_arcs(1, {})), "four-slots push 1 0");
  EXPECT_EQ(chosen("", make_graph("grid:rows=3,columns=3,lengths=uniform:0..0")),
            "four-slots push 1 0");
}

TEST(LabelCorrecting, RefusesWithTheFigure) {
  const Graph one_way = make_graph("random:n=100,m=2000,lengths=uniform:1..1000000");
  EXPECT_NE(refusal("direction=push-pull", one_way).find("not symmetric"), std::string::npos);
  EXPECT_EQ(refusal("delta=1", one_way).substr(0, 7), "delta=1");
  EXPECT_NE(refusal("delta=1", one_way).find("use delta=256"), std::string::npos);
  EXPECT_NE(refusal("queue=two-queue,rows=by-length", one_way).find("four-slots"),
            std::string::npos);
  EXPECT_NE(refusal("queue=two-queue,direction=push-pull", one_way).find("queue=approximate"),
            std::string::npos);
  EXPECT_NE(refusal("rows=four-slots,direction=push-pull", one_way).find("rows=auto"),
            std::string::npos);
  const Graph far = Graph::from_arcs(4, std::vector<Arc>{{0, 1, kLongest}, {1, 2, kLongest}});
  EXPECT_EQ(resolve("", far).get("distance"), "64");
  EXPECT_NE(refusal("distance=32", far).find("distance=64"), std::string::npos);
}

TEST(LabelCorrecting, SkewedLengthsAskForTooManyBuckets) {
  std::vector<Arc> arcs(20'000, {0, 1, 1});
  EXPECT_FALSE(has_skewed_lengths(Graph::from_arcs(2, arcs)));
  arcs.push_back({1, 0, kLongest});
  const Graph skewed = Graph::from_arcs(20'000, arcs);
  EXPECT_TRUE(has_skewed_lengths(skewed));
  EXPECT_EQ(resolve("", skewed).get("delta"), "1048576");  // 2047 of them, and one more
}

TEST(LabelCorrecting, WidthFollowsTheShortLengths) {
  const auto delta = [](const char* reference) {
    return resolve("", make_graph(reference)).get("delta");
  };
  EXPECT_EQ(delta("grid:rows=40,columns=40,lengths=log-uniform:1..100000"), "32");
  EXPECT_EQ(delta("grid:rows=40,columns=40,lengths=zero-one:20"), "1");
  // Lengths up to 10^9 ask for buckets of 2^18: most lengths of the second graph are shorter.
  EXPECT_FALSE(has_skewed_lengths(make_graph("delaunay:n=900,lengths=log-uniform:1..1000000")));
  EXPECT_TRUE(has_skewed_lengths(make_graph("delaunay:n=900,lengths=log-uniform:1..1000000000")));
  EXPECT_FALSE(has_skewed_lengths(make_graph("delaunay:n=900,lengths=uniform:0..1000000000")));
}

TEST(LabelCorrecting, EveryWidthAndHorizonGivesRightAnswers) {
  for (const char* reference : {"kronecker:scale=7,edge-factor=8,lengths=uniform:0..255,seed=3",
                                "grid:rows=12,columns=17,keep=0.8,lengths=uniform:0..300",
                                "grid:rows=15,columns=15,lengths=log-spread:1..1000000"}) {
    const Graph graph = make_graph(reference);
    SsspWorkload workload(graph, {{0}, {5}, {graph.vertex_count() - 1}, {0}});
    for (const int delta : {256, 4096, 1 << 20}) {
      const std::string key = ",delta=" + std::to_string(delta);
      for (const char* distance : {"32", "64"}) {
        const std::string keys = std::string(":distance=") + distance + key;
        expect_right_distances("sssp/label-correcting" + keys + ",rows=four-slots", workload);
        expect_right_distances("sssp/label-correcting" + keys + ",rows=by-length,direction=push",
                               workload);
        for (const char* horizon : {"1", "40", "300", "5000", "2147483647"}) {
          expect_right_distances(
              "sssp/label-correcting" + keys + ",direction=push-pull,horizon=" + horizon, workload);
        }
      }
    }
  }
}

// Only two or three zeros fit below 2^32. So labels of earlier searches, and refilled ones, follow
// each other, in a graph whose parts don't reach each other.
TEST(LabelCorrecting, SearchesFollowOneAnotherWithoutAReset) {
  std::vector<Arc> arcs;
  constexpr Length kFar = 150'000'000;
  for (Vertex v = 0; v < 8; ++v) {
    arcs.push_back({v, v + 1, static_cast<Length>(kFar - v)});
    if (v % 3 != 0) arcs.push_back({v + 1, v, static_cast<Length>(v)});
  }
  arcs.push_back({9, 10, 1});
  const Graph graph = Graph::from_arcs(11, arcs);
  EXPECT_EQ(resolve("", graph).get("distance"), "32");
  std::vector<Sssp::Query> queries;
  for (Vertex i = 0; i < 60; ++i) queries.push_back({i * 7 % 11});
  SsspWorkload workload(graph, queries);
  for (const char* keys : {"", ":queue=two-queue", ":rows=by-length", ":distance=64"}) {
    expect_right_distances(std::string("sssp/label-correcting") + keys, workload);
  }
}

void expect_contracted_routes(const Graph& graph, const std::string& keys) {
  std::vector<P2p::Query> queries;
  for (Vertex source = 0; source < graph.vertex_count(); ++source) {
    for (Vertex target = 0; target < graph.vertex_count(); ++target) {
      // All pairs of small graphs, about 500 of others.
      const std::size_t pair = std::size_t{source} * graph.vertex_count() + target;
      if (graph.vertex_count() <= 22 || pair % (graph.vertex_count() / 5) == 0) {
        queries.push_back({source, target});
      }
    }
  }
  P2pWorkload workload(graph, queries);
  for (const char* form :
       {"contract=chains", "contract=chains,sides=both", "contract=none,sides=both"}) {
    const auto bound = testing::bound_variant("p2p/label-correcting:" + (form + keys), workload);
    RunContext context;
    bound->prepare(context);
    for (std::size_t query = 0; query < workload.query_count(); ++query) {
      bound->run(query, 1, context);
      ASSERT_EQ(bound->certify(query), std::nullopt)
          << "route " << workload.query_text(query) << " " << form;
    }
  }
}

/// A query from every vertex, twice over: sources in the core, in chains and in trees follow each
/// other. Routes are tested too.
void expect_contracted_right(const Graph& graph, const std::string& keys) {
  expect_contracted_routes(graph, keys);
  std::vector<Sssp::Query> queries;
  for (Vertex i = 0; i < 2 * graph.vertex_count(); ++i)
    queries.push_back({i * 7 % graph.vertex_count()});
  SsspWorkload workload(graph, queries);
  expect_right_distances("sssp/label-correcting:contract=chains" + keys, workload);
}

TEST(LabelCorrecting, ChainsAndTreesGetTheirLabelsFromTheCore) {
  for (const char* formula :
       {"grid:rows=9,columns=12,keep=0.55,lengths=uniform:0..1,seed=2",
        "grid:rows=8,columns=11,keep=0.7,lengths=uniform:0..100,seed=3",
        "random:n=101,m=115,lengths=uniform:0..3,seed=5",
        "random:n=101,m=260,lengths=uniform:0..3,seed=6", "road:n=150,seed=7"}) {
    for (const char* keys : {"", ",rows=by-length", ",distance=64", ",delta=256", ",prefetch=no"}) {
      SCOPED_TRACE(std::string(formula) + keys);
      expect_contracted_right(make_graph(formula), keys);
      if (HasFailure()) return;
    }
  }
}

TEST(LabelCorrecting, ContractionOfRandomGraphs) {
  const std::uint64_t count = std::getenv("BELLMARK_FULL") != nullptr ? 10'000 : 200;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    SCOPED_TRACE(seed);
    expect_contracted_right(testing::small_random_graph(seed), "");
    expect_contracted_right(testing::both_ways(testing::small_random_graph(seed)), "");
    if (HasFailure()) return;
  }
}

// A circle, a path, a lollipop, two circles with one crossing. Lengths of 0 both ways, one way, and
// of the largest size; and chains that are longer than buckets can hold.
TEST(LabelCorrecting, ContractedShapes) {
  using Edges = std::vector<std::pair<Vertex, Vertex>>;
  const std::vector<std::pair<Vertex, Edges>> shapes = {
      {1, {}},
      {3, {{0, 2}}},
      {5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
      {6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
      {7, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 5}, {4, 6}}},
      {7, {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 0}, {4, 5}}},
      {8, {{0, 1}, {1, 7}, {0, 2}, {2, 3}, {3, 7}, {0, 4}, {4, 5}, {5, 6}, {6, 7}, {0, 7}}}};
  for (const auto& [n, edges] : shapes) {
    for (const auto& [there, back] : {std::pair<Length, Length>{0, 0},
                                      {0, 5},
                                      {5, 0},
                                      {3, 4},
                                      {kLongest, kLongest},
                                      {1, kLongest}}) {
      std::vector<Arc> arcs;
      for (const auto& [u, v] : edges) {
        arcs.push_back({u, v, there});
        arcs.push_back({v, u, back});
      }
      for (const char* keys : {"", ",rows=by-length"}) {
        SCOPED_TRACE(std::to_string(n) + " " + std::to_string(there) + " " + std::to_string(back));
        expect_contracted_right(Graph::from_arcs(n, arcs), keys);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(LabelCorrecting, ChainsAreCutWhereBucketsEnd) {
  // Five circles of nine edges through one vertex; with delta=1 buckets hold lengths below 4096.
  std::vector<Arc> arcs;
  for (Vertex v = 1; v <= 40; ++v) {
    const Vertex tail = v % 8 == 1 ? 0 : v - 1;
    arcs.push_back({tail, v, 900});
    arcs.push_back({v, tail, 1000});
    if (v % 8 != 0) continue;
    arcs.push_back({v, 0, 900});
    arcs.push_back({0, v, 1000});
  }
  for (const char* keys : {",delta=1", ",delta=4096"}) {
    expect_contracted_right(Graph::from_arcs(41, arcs), keys);
  }
}

TEST(LabelCorrecting, ContractionIsRefusedWhereItIsNotBuilt) {
  const Graph graph = make_graph("grid:rows=4,columns=4,lengths=uniform:1..9");
  for (const char* keys : {"queue=two-queue", "direction=push-pull"}) {
    Settings settings = Settings::parse(std::string(keys) + ",contract=chains");
    for (const Key& key : describe({}).keys) {
      if (!settings.has(key.name)) settings.set(key.name, key.default_value);
    }
    EXPECT_THROW(resolve_contracting(settings, graph), InputError) << keys;
  }
}

TEST(LabelCorrecting, BothSidesPush) {
  const Graph graph = make_graph("kronecker:scale=6,lengths=uniform:1..9");
  Settings settings = {{"sides", "both"}, {"contract", "none"}};
  for (const Key& key : describe({}).keys) settings.set(key.name, key.default_value);
  EXPECT_EQ(resolve_sides(settings, graph).get("direction"), "push");
  settings.set("direction", "push-pull");
  EXPECT_THROW(resolve_sides(settings, graph), InputError);
}

TEST(LabelCorrecting, ThousandPairsInARowAreRight) {
  const Graph graph = make_graph("random:n=400,m=700,lengths=uniform:0..50,seed=5");
  P2pWorkload workload(
      graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 1000, .seed = 3}));
  for (const char* variant :
       {"p2p/label-correcting", "p2p/label-correcting:rows=by-length",
        "p2p/label-correcting:queue=two-queue", "p2p/label-correcting:distance=64"}) {
    Settings resolved;
    const auto selections = Registry::global().select(variant);
    const auto bound = find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
    RunContext context;
    bound->prepare(context);
    for (std::size_t query = 0; query < workload.query_count(); ++query) {
      bound->run(query, 1, context);
      ASSERT_EQ(bound->certify(query), std::nullopt) << variant << " query " << query;
    }
  }
}

struct Scanned : Recorder {
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    if (name == "scanned_count") count = value;
  }
  void end() override {}
  std::uint64_t count = 0;
};

TEST(LabelCorrecting, StopsWithTheTargetsBucket) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < 100; ++v) arcs.push_back({v, v + 1, 4});
  P2pWorkload workload(Graph::from_arcs(100, arcs), {{0, 9}, {0, 0}, {99, 0}});
  Settings resolved;
  const auto selections = Registry::global().select("p2p/label-correcting");
  const auto bound = find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
  Scanned scanned;
  RunContext context(&scanned);
  bound->prepare(context);
  bound->run(0, 1, context);
  EXPECT_EQ(scanned.count, 10U);
  bound->run(1, 1, context);
  EXPECT_EQ(scanned.count, 1U);
  bound->run(2, 1, context);
  EXPECT_EQ(scanned.count, 1U);
}

TEST(LabelCorrectingBuckets, GiveEntriesInTheOrderOfTheirPushes) {
  Buckets<Pair<std::uint64_t>> buckets(1);
  for (Vertex v = 0; v < 1000; ++v) buckets.push(v % 2, {v, v});
  std::vector<Vertex> odd;
  while (!buckets.empty(1)) {
    buckets.take(1, [&](const auto* first, const auto* last) {
      for (; first != last; ++first) {
        odd.push_back(first->vertex());
        if (odd.size() == 3) buckets.push(1, {7, 7777});  // waits for the next take()
      }
    });
  }
  ASSERT_EQ(odd.size(), 501U);
  for (Vertex i = 0; i < 500; ++i) EXPECT_EQ(odd[i], 2 * i + 1);
  EXPECT_EQ(odd.back(), 7777U);
  EXPECT_FALSE(buckets.empty(0));
  buckets.clear();
  EXPECT_TRUE(buckets.empty(0));
}

}  // namespace
}  // namespace bellmark::label_correcting
