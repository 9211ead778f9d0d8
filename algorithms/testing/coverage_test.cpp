// Every built instance answers at least one small input rightly. The accounting that says so sees
// an instance that never answers.
#include "algorithms/testing/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "algorithms/parallel/thread_ranks.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/distributed_bfs/problem.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/spots/distance_matrix/problem.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "algorithms/testing/set_zoo.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

using testing::Exempt;
using testing::Sample;
using testing::unchecked;

/// Instances that answer nothing rightly on purpose, or have their inputs elsewhere.
constexpr Exempt kExempt[] = {
    {"*/test-wrong-*", "wrong on purpose: Conformance.WrongVariantsAreCaught has them"},
    {"row-minimum/*", "the proof that an input may be anything: registry_test.cpp has its input"},
};

/// The zoos, and graphs by chance.
std::vector<testing::ZooGraph> graphs() {
  std::vector<testing::ZooGraph> graphs = testing::zoo();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    graphs.push_back({"random graph " + std::to_string(seed), testing::small_random_graph(seed)});
  }
  return graphs;
}

std::vector<testing::ZooGraph> negative_graphs() {
  std::vector<testing::ZooGraph> graphs = testing::negative_zoo();
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    graphs.push_back({"random negative graph " + std::to_string(seed),
                      testing::small_random_negative_graph(seed)});
  }
  return graphs;
}

template <class P>
Sample sample(std::string name, typename P::Input input, std::vector<typename P::Query> queries,
              std::vector<std::uint64_t> expected = {}) {
  return {std::move(name),
          std::make_shared<detail::WorkloadOf<P>>(std::move(input), std::move(queries)),
          std::move(expected)};
}

std::vector<Sample> sssp_samples() {
  std::vector<testing::ZooGraph> all = graphs();
  std::ranges::copy(negative_graphs(), std::back_inserter(all));
  std::vector<Sample> samples;
  for (const auto& [name, graph] : all) {
    const std::vector<Sssp::Query> queries = {{0}, {graph.vertex_count() / 2}};
    std::vector<std::uint64_t> digests;
    for (const auto& [source] : queries) {
      const auto distances = testing::oracle_distances(graph, source);
      digests.push_back(distances.empty() ? Sssp::digest({{}, {}, {0}})
                                          : Sssp::digest({distances, {}}));
    }
    samples.push_back(sample<Sssp>(name, graph, queries, digests));
  }
  return samples;
}

std::vector<Sample> p2p_samples() {
  std::vector<Sample> samples;
  for (const auto& [name, graph] : graphs()) {
    const Vertex n = graph.vertex_count();
    const std::vector<P2p::Query> queries = {{0, n - 1}, {n / 2, 0}};
    std::vector<std::uint64_t> digests;
    digests.reserve(queries.size());
    for (const auto& [source, target] : queries) {
      digests.push_back(P2p::digest({testing::oracle_distances(graph, source)[target], {}}));
    }
    samples.push_back(sample<P2p>(name, graph, queries, digests));
  }
  return samples;
}

std::vector<Sample> bfs_samples() {
  std::vector<Sample> samples;
  for (const auto& [name, one_way] : graphs()) {
    for (const Graph& graph : {one_way, testing::both_ways(one_way)}) {
      const std::vector<Bfs::Query> queries = {{0}, {graph.vertex_count() / 2}};
      std::vector<std::uint64_t> digests;
      digests.reserve(queries.size());
      for (const auto& [source] : queries) {
        digests.push_back(Bfs::digest({testing::oracle_levels(graph, source), {}}));
      }
      samples.push_back(sample<Bfs>(name, graph, queries, digests));
    }
  }
  return samples;
}

std::vector<Sample> distributed_bfs_samples(Communicator& ranks) {
  std::vector<Sample> samples;
  for (const auto& [name, one_way] : graphs()) {
    for (const Graph& graph : {one_way, testing::both_ways(one_way)}) {
      samples.push_back(
          sample<DistributedBfs>(name, distributed_bfs::DistributedGraph::of(graph, ranks), {{0}}));
    }
  }
  return samples;
}

std::vector<Sample> distance_matrix_samples() {
  std::vector<Sample> samples;
  for (const auto& [name, graph] : graphs()) {
    RoadSpots spots;
    spots.roads = graph;
    for (Vertex v = 0; v < graph.vertex_count(); v += 2) spots.vertices.push_back(v);
    const auto queries = SpotDistances::make_queries(spots, {.kind = "all-pairs"});
    samples.push_back(sample<SpotDistances>(name, spots, queries));
  }
  return samples;
}

/// One spot and two of each: a variant that tries all sets has few to try.
template <class P>
std::vector<Sample> set_samples() {
  std::vector<Sample> samples;
  for (const auto& [name, distances] : testing::set_zoo()) {
    std::vector<SetQuery> queries = {{1}};
    if (distances.spot_count() >= 2) queries.push_back({2});
    samples.push_back(sample<P>(name, SetInput{distances, {}, 0}, queries));
  }
  return samples;
}

/// The samples of a problem that opens by a reference alone.
std::vector<Sample> samples_by_reference(const char* problem, const std::string& reference) {
  return {{reference,
           Registry::global().open_workload(problem, reference, {.kind = "default", .count = 2}),
           {}}};
}
std::vector<Sample> read_bandwidth_samples() {
  return samples_by_reference("read-bandwidth", "region:bytes=4096");
}
std::vector<Sample> read_graph_samples() {
  return samples_by_reference("read-graph", "grid:rows=9,columns=9,seed=1");
}

/// The samples of a problem; none for one that has no inputs here.
std::vector<Sample> samples_of(const std::string& problem) {
  const std::map<std::string, std::vector<Sample> (*)()> makers = {
      {"sssp", sssp_samples},
      {"p2p", p2p_samples},
      {"bfs", bfs_samples},
      {"distance-matrix", distance_matrix_samples},
      {"set-migration", set_samples<SetMigration>},
      {"set-convenience", set_samples<SetConvenience>},
      {"read-bandwidth", read_bandwidth_samples},
      {"read-graph", read_graph_samples},
  };
  const auto found = makers.find(problem);
  return found == makers.end() ? std::vector<Sample>() : found->second();
}

bool needs_gpu(const Instance& instance) {
  return std::ranges::count(instance.description.needs, Need::cuda) > 0;
}

/// Like unchecked(), by so many ranks together.
std::vector<std::string> unchecked_by_ranks(const Family& family, std::size_t rank_count,
                                            const testing::Wanted& wanted) {
  std::vector<std::string> lines;
  run_ranks(rank_count, [&](Communicator& ranks) {
    const auto found = unchecked(family, distributed_bfs_samples(ranks), kExempt, wanted);
    if (ranks.rank() == 0) lines = found;
  });
  return lines;
}

/// All lines, and the number of instances that were asked. `rank_count`: of searches over ranks.
std::pair<std::vector<std::string>, std::size_t> unchecked_of_all(const testing::Wanted& wanted,
                                                                  std::size_t rank_count) {
  std::map<std::string, std::vector<Sample>> samples;
  std::vector<std::string> lines;
  std::size_t count = 0;
  for (const Family& family : Registry::global().families()) {
    count += static_cast<std::size_t>(std::ranges::count_if(family.instances, wanted));
    if (family.problem() == DistributedBfs::kName) {
      std::ranges::copy(unchecked_by_ranks(family, rank_count, wanted), std::back_inserter(lines));
      continue;
    }
    const auto [at, is_new] = samples.try_emplace(family.problem());
    if (is_new) at->second = samples_of(family.problem());
    std::ranges::copy(unchecked(family, at->second, kExempt, wanted), std::back_inserter(lines));
  }
  return {lines, count};
}

TEST(Coverage, EveryInstanceAnswersSomething) {
  // Pairs of blocks can't be dealt to one rank.
  const auto [lines, count] =
      unchecked_of_all([](const Instance& instance) { return !needs_gpu(instance); }, 2);
  EXPECT_EQ(lines, std::vector<std::string>());
  EXPECT_GT(count, 0U);
}

TEST(GpuCoverage, EveryInstanceAnswersSomething) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const auto [lines, count] = unchecked_of_all(needs_gpu, 1);
  EXPECT_EQ(lines, std::vector<std::string>());
  EXPECT_GT(count, 0U);
}

/// An exemption that names nothing is out of date.
TEST(Coverage, EveryExemptionNamesAnInstance) {
  for (const Exempt& exempt : kExempt) {
    const auto names = [&](const Family& family) {
      return std::ranges::any_of(family.instances, [&](const Instance& instance) {
        return glob_match(exempt.pattern, testing::name_of(family, instance));
      });
    };
    EXPECT_TRUE(std::ranges::any_of(Registry::global().families(), names)) << exempt.pattern;
  }
}

const Family& family_named(const std::string& name) {
  return *std::ranges::find(Registry::global().families(), name, &Family::name);
}

bool all(const Instance&) { return true; }

TEST(Coverage, SeesAnInstanceThatRefusesEveryInput) {
  Family family = family_named("sssp/bellman-ford");
  const std::size_t count = family.instances.size();
  const auto samples = sssp_samples();
  EXPECT_EQ(unchecked(family, samples, {}, all).size(), 0U);
  family.instances.front().resolve = [](const Settings&, const Workload&) -> Settings {
    throw InputError("rows=4", "no graph has so many", "use rows=3");
  };
  const auto lines = unchecked(family, samples, {}, all);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(
      lines.front().find(testing::name_of(family, family.instances.front()) + ": not checked"), 0U);
  EXPECT_LT(lines.size(), count);
  const Exempt exempt[] = {{"sssp/bellman-ford:*", "a test"}};
  EXPECT_EQ(unchecked(family, samples, exempt, all).size(), 0U);
}

TEST(Coverage, SeesAnInstanceThatCannotPrepareOrHasNoInput) {
  Family family = family_named("sssp/bellman-ford");
  for (Instance& instance : family.instances) {
    instance.bind = [](Workload&, const Settings&) -> std::unique_ptr<BoundVariant> {
      throw UnmetError("sssp/bellman-ford", "needs more memory", "use a smaller graph");
    };
  }
  const auto lines = unchecked(family, sssp_samples(), {}, all);
  ASSERT_EQ(lines.size(), family.instances.size());
  EXPECT_NE(lines.front().find("needs more memory"), std::string::npos);
  EXPECT_EQ(unchecked(family_named("sssp/bellman-ford"), {}, {}, all).size(), lines.size());
}

TEST(Coverage, SeesAWrongAnswer) {
  const Family& family = family_named("sssp/test-wrong-distance");
  EXPECT_EQ(unchecked(family, sssp_samples(), {}, all).size(), family.instances.size());
}

}  // namespace
}  // namespace bellmark
