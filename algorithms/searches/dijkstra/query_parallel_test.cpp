// The query-parallel families beyond right answers on the zoo: any number of threads for any number
// of queries, work areas used again, and the memory that t threads hold.
#include "algorithms/searches/dijkstra/query_parallel.hpp"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::dijkstra {
namespace {

/// One-way streets leave parts unreachable, so that searches of all sizes follow one another.
Graph one_way_graph() { return make_graph("random:n=300,m=520,lengths=uniform:0..50,seed=5"); }

std::unique_ptr<BoundVariant> bound(const std::string& pattern, Workload& workload) {
  const auto selections = Registry::global().select(pattern);
  EXPECT_EQ(selections.size(), 1u) << pattern;
  Settings resolved;
  return find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
}

/// Runs batches of several sizes, one after the other, and certifies every answer.
void check_batches(const std::string& pattern, Workload& workload) {
  const auto variant = bound(pattern, workload);
  RunContext context;
  variant->prepare(context);
  const std::size_t all = workload.query_count();
  for (const std::size_t count : {std::size_t{1}, std::size_t{0}, std::size_t{3}, all, all}) {
    variant->run(0, count, context);
    for (std::size_t query = 0; query < count; ++query) {
      ASSERT_EQ(variant->certify(query), std::nullopt) << pattern << ", query " << query;
    }
  }
}

class QueryParallel : public ::testing::TestWithParam<std::string> {};

TEST_P(QueryParallel, AnyNumberOfQueries) {
  const Graph graph = one_way_graph();
  detail::WorkloadOf<Sssp> sources(
      graph, Sssp::make_queries(graph, {.kind = "uniform-sources", .count = 60, .seed = 3}));
  detail::WorkloadOf<P2p> pairs(
      graph, P2p::make_queries(graph, {.kind = "uniform-pairs", .count = 200, .seed = 3}));
  for (const std::string keys : {"", "queue=heap-dynamic,arity=2,width=32,distance=64,",
                                 "arity=2,width=32,distance=64,", "queue=dial,", "width=64,"}) {
    const std::string settings = ":" + keys + "threads=" + GetParam();
    check_batches("sssp/dijkstra-queries" + settings, sources);
    check_batches("p2p/dijkstra-queries" + settings, pairs);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, QueryParallel, ::testing::Values("1", "2", "7"));

/// Bytes by the paper's memory model (Tables 21 and 24): the graph once, the rest for each thread.
TEST(QueryParallelMemory, FollowsThePapersModel) {
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  ASSERT_GT(m, 0u);
  detail::WorkloadOf<P2p> workload(graph, {{0, static_cast<Vertex>(n - 1)}});
  const auto account = [&](const std::string& pattern) {
    const auto variant = bound(pattern, workload);
    RunContext context;
    variant->prepare(context);
    std::map<std::string, std::uint64_t> bytes;
    for (const auto& [name, held] : context.accounted()) bytes[name] = held;
    return bytes;
  };
  for (const std::uint64_t threads : {1U, 2U, 4U, 8U}) {
    const std::string key = ",threads=" + std::to_string(threads);
    auto bytes = account("p2p/yasui2011:parallel-2-heap" + key);
    EXPECT_EQ(bytes["arcs"], 4 * (n + 1) + 8 * m);
    EXPECT_EQ(bytes["vertices"] + bytes["queue"], threads * 32 * n);
    bytes = account("p2p/yasui2011:parallel-2-heap*" + key);
    EXPECT_EQ(bytes["arcs"], 4 * (n + 1) + 8 * m);
    EXPECT_EQ(bytes["vertices"], threads * 16 * n);
    EXPECT_EQ(bytes["queue"], 0u) << "nothing is held before the first query";
    bytes = account("p2p/yasui2011:parallel-buckets" + key);
    EXPECT_EQ(bytes["vertices"] + bytes["queue"], threads * (24 * n + 4 * (largest + 1)));
    bytes = account("p2p/dijkstra-queries:width=64" + key);
    EXPECT_EQ(bytes["arcs"], 8 * (n + 1) + 16 * m);
    EXPECT_EQ(bytes["vertices"] + bytes["queue"], threads * 40 * n);
  }
}

TEST(QueryParallelMemory, AnswersAreAccountedApart) {
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  detail::WorkloadOf<Sssp> workload(graph, {{0}, {1}, {0}});
  const auto variant = bound("sssp/dijkstra-queries:width=32,distance=64", workload);
  RunContext context;
  variant->prepare(context);
  const std::size_t before = context.accounted().size();
  variant->run(0, 3, context);
  ASSERT_EQ(context.accounted().size(), before + 1);
  EXPECT_EQ(context.accounted().back(), (std::pair<std::string, std::uint64_t>("answers", 36 * n)));
}

TEST(QueryParallelPhases, CountsAreThoseOfAllThreads) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < 100; ++v) arcs.push_back({v, v + 1, 1});
  detail::WorkloadOf<P2p> workload(Graph::from_arcs(100, arcs), {{0, 9}, {0, 0}, {50, 52}});
  const auto variant = bound("p2p/dijkstra-queries:threads=2", workload);
  struct Log : Recorder {
    void begin(std::string_view phase) override { text.append(phase).append(" "); }
    void note(std::string_view name, std::uint64_t value) override {
      text.append(name).append("=").append(std::to_string(value)).append(" ");
    }
    void end() override {}
    std::string text;
  } log;
  RunContext context(&log);
  variant->prepare(context);
  variant->run(0, 3, context);
  EXPECT_EQ(log.text, "search settled_count=14 reached_count=14 ");
}

TEST(QueryParallel, KeysAreThoseThatVary) {
  const auto selections = Registry::global().select("p2p/dijkstra-queries");
  EXPECT_EQ(selections.at(0).settings.text(),
            "queue=heap,arity=4,width=auto,distance=auto,threads=1");
  for (const char* pattern :
       {"p2p/dijkstra-queries:threads=0", "p2p/dijkstra-queries:threads=1025",
        "p2p/dijkstra-queries:threads=two", "p2p/dijkstra-queries:extract=top-down",
        "p2p/dijkstra-queries:queue=radix", "p2p/dijkstra-queries:queue=dial,arity=2"}) {
    EXPECT_THROW(Registry::global().select(pattern), InputError) << pattern;
  }
}

}  // namespace
}  // namespace bellmark::dijkstra
