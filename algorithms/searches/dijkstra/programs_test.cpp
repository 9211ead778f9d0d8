// The programs that yasui2011 compares its own with: right answers in every build, for any
// instances it has, and the bytes that docs/papers/yasui2011.md derives.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/searches/dijkstra/search.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"

namespace bellmark::dijkstra {
namespace {

constexpr auto kPrograms = built_by<Options>([](auto add) {
  for_each_options([&](const Options& o) {
    if (o.records == Records::program) add(o);
  });
});
static_assert(kPrograms.size() == 13);

/// Calls visit.operator()<options>() for each.
template <class Visit>
void for_each_program(Visit visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit.template operator()<kPrograms[i]>(), ...);
  }
  (std::make_index_sequence<kPrograms.size()>());
}

template <Options o>
void check_against_oracle(const Graph& graph, std::span<const Vertex> sources) {
  Search<o> search;
  RunContext context;
  search.prepare(graph, context);
  for (const Vertex source : sources) {
    search.forget_all();
    search.run(source, Search<o>::kNone, context);
    const auto expected = testing::oracle_distances(graph, source);
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      const Word distance = search.vertices().distance(v);
      if (expected[v] == kUnreached) {
        ASSERT_EQ(distance, kMost<Word>) << text(o.queue) << ", vertex " << v;
      } else {
        ASSERT_EQ(distance, static_cast<Word>(expected[v])) << text(o.queue) << ", vertex " << v;
      }
    }
  }
}

TEST(Programs, AgreeWithTheOracleWhateverTheLengths) {
  constexpr std::array<Vertex, 3> kSources = {0, 17, 199};
  // Least lengths that are no power of two make mbp's lowest buckets wider than the least length.
  for (const char* lengths :
       {"0..0", "0..1", "1..1", "0..50", "1..4096", "2..31", "3..3", "3..40", "5..9", "5..100000",
        "9..64", "1000..1030", "100001..100003", "0..16777216", "7..2147483"}) {
    SCOPED_TRACE(lengths);
    const Graph graph =
        make_graph("random:n=200,m=1500,seed=4,lengths=uniform:" + std::string(lengths));
    for_each_program([&]<Options o>() {
      const bool too_long = o.queue == Queue::dial || (o.queue == Queue::multi_level);
      if (too_long && graph.properties().largest_length > 200'000) return;
      check_against_oracle<o>(graph, kSources);
    });
  }
}

TEST(Programs, AgreeWithTheOracleOnTheZoo) {
  for (const testing::ZooGraph& one : testing::zoo()) {
    SCOPED_TRACE(one.name);
    const Graph& graph = one.graph;
    if (graph.properties().largest_length > 200'000) continue;
    const std::vector<Vertex> sources = {0, graph.vertex_count() - 1};
    for_each_program([&]<Options o>() { check_against_oracle<o>(graph, sources); });
  }
}

/// Lengths to 2^31 - 1 take mbp five levels, and no memory to speak of.
TEST(Programs, MbpTakesTheLongestLengths) {
  constexpr Options kMbp{
      .queue = Queue::mbp, .records = Records::program, .width = 64, .distance = 64};
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const std::vector<Vertex> sources = {0, graph.vertex_count() - 1};
    check_against_oracle<kMbp>(graph, sources);
  }
  const Graph graph =
      make_graph("random:n=200,m=1500,seed=4,lengths=uniform:1000000000..2147483647");
  check_against_oracle<kMbp>(graph, std::vector<Vertex>{0, 100});
}

TEST(Programs, HoldWhatTheirRecordsDo) {
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  for_each_program([&]<Options o>() {
    SCOPED_TRACE(text(o.queue));
    Search<o> search;
    RunContext context;
    search.prepare(graph, context);
    std::map<std::string, std::uint64_t> bytes;
    for (const auto& [name, held] : context.accounted()) bytes[name] = held;
    EXPECT_EQ(bytes["arcs"], 16 * m);
    const std::map<Queue, std::uint64_t> record = {
        {Queue::bag, 40},         {Queue::indirect_heap, 40}, {Queue::dial, 48},
        {Queue::radix, 56},       {Queue::fibonacci, 72},     {Queue::double_buckets, 48},
        {Queue::multi_level, 72}, {Queue::hot, 64},           {Queue::mbp, 56}};
    EXPECT_EQ(bytes["vertices"], record.at(o.queue) * (n + 1));
    const bool has_heap = o.queue == Queue::indirect_heap || o.queue == Queue::hot;
    EXPECT_GE(bytes["queue"], has_heap ? 8 * n : 0);
  });
}

TEST(Programs, MbpTakesThePapersLevelsOnTheRealRoads) {
  const auto present = catalogued_graphs();
  for (const char* reference : {"dimacs:USA-road-d.NY", "dimacs:USA-road-d.BAY"}) {
    if (std::ranges::find(present, reference) == present.end()) {
      GTEST_SKIP() << reference << " is not on this machine";
    }
    const Graph graph = open_graph(reference);
    EXPECT_EQ(graph.properties().least_length, 1);
    EXPECT_EQ(levels_of(1, static_cast<Word>(graph.properties().largest_length)),
              (LevelShape{0, 6, 3}))
        << reference;
  }
}

}  // namespace
}  // namespace bellmark::dijkstra
