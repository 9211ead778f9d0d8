// Every instance of every family, on every small graph. Each answer goes through its certificate
// and is compared with oracles that no variant shares: Bellman-Ford, and Floyd and Warshall where
// lengths are negative. Boost's Dijkstra is one of the families, so all agree with it too.
// Instances that need a GPU have tests of their own, which are skipped, with the reason, where
// there is none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "algorithms/testing/coverage.hpp"
#include "algorithms/testing/set_zoo.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

using testing::all_pairs;
using testing::all_sources;
using testing::first_fault;
using testing::oracle_distances;
using testing::resolve;
using testing::small_random_graph;
using testing::small_random_negative_graph;
using testing::zoo;

using SsspWorkload = detail::WorkloadOf<Sssp>;
using P2pWorkload = detail::WorkloadOf<P2p>;
using BfsWorkload = detail::WorkloadOf<Bfs>;

/// No distances: the source reaches a negative cycle.
std::uint64_t digest_of(const std::vector<Distance>& distances) {
  return distances.empty() ? Sssp::digest({{}, {}, {0}}) : Sssp::digest({distances, {}});
}

/// The digest that every right answer has, by query.
std::vector<std::uint64_t> expected_digests(const SsspWorkload& workload) {
  std::vector<std::uint64_t> digests;
  for (const Sssp::Query& query : workload.queries) {
    digests.push_back(digest_of(oracle_distances(workload.input, query.source)));
  }
  return digests;
}

std::vector<std::uint64_t> expected_digests(const P2pWorkload& workload) {
  std::vector<std::uint64_t> digests;
  std::vector<Distance> distances;
  Vertex source = kNoVertex;
  for (const P2p::Query& query : workload.queries) {
    if (query.source != source) {
      source = query.source;
      distances = oracle_distances(workload.input, source);
    }
    digests.push_back(P2p::digest({distances[query.target], {}}));
  }
  return digests;
}

std::vector<std::uint64_t> expected_digests(const BfsWorkload& workload) {
  std::vector<std::uint64_t> digests;
  for (const Bfs::Query& query : workload.queries) {
    digests.push_back(Bfs::digest({testing::oracle_levels(workload.input, query.source), {}}));
  }
  return digests;
}

bool is_wrong(const Family& family) { return glob_match("*/test-wrong-*", family.name); }

enum class Device { cpu, gpu };

Device device_of(const Instance& instance) {
  const auto& needs = instance.description.needs;
  return std::ranges::find(needs, Need::cuda) == needs.end() ? Device::cpu : Device::gpu;
}

/// The reason why GPU instances can't be tested here, with their number; "" when they can.
std::string gpu_skipped() {
  const std::string reason = gpu::unmet();
  if (reason.empty()) return {};
  std::size_t count = 0;
  for (const Family& family : Registry::global().families()) {
    count +=
        static_cast<std::size_t>(std::ranges::count(family.instances, Device::gpu, &device_of));
  }
  return std::to_string(count) + " instances that need a GPU are not tested: " + reason;
}

template <class P>
const char* problem_of(const detail::WorkloadOf<P>&) {
  return P::kName;
}

/// Checks all right families of the workload's problem; returns the number of answer sets checked.
template <class WorkloadType>
int check_all(WorkloadType& workload, const std::string& name, Device device = Device::cpu) {
  const auto expected = expected_digests(workload);
  const std::string problem = problem_of(workload);
  int checked = 0;
  for (const Family& family : Registry::global().families()) {
    if (family.problem() != problem || is_wrong(family)) continue;
    for (const Instance& instance : family.instances) {
      if (device_of(instance) != device) continue;
      std::string fault;
      try {
        const auto settings = resolve(family, instance, workload);
        if (!settings) continue;
        fault = first_fault(instance, *settings, workload, expected);
      } catch (const UnmetError&) {
        continue;  // it says why it can't answer on this graph
      }
      EXPECT_EQ(fault, "") << family.name << " on " << name;
      if (!fault.empty()) return checked;  // one report a graph says enough
      ++checked;
    }
  }
  return checked;
}

/// A family whose answers to graphs are checked; the test bears its name: `sssp_dijkstra`.
class EachVariant : public ::testing::TestWithParam<std::string> {
 protected:
  const Family& family() const {
    return *std::ranges::find(Registry::global().families(), GetParam(), &Family::name);
  }
};

template <class WorkloadType, class Queries>
testing::Sample sample_of(const std::string& name, const Graph& graph, Queries queries) {
  auto workload = std::make_shared<WorkloadType>(graph, std::move(queries));
  auto expected = expected_digests(*workload);
  return {name, std::move(workload), std::move(expected)};
}

/// Every graph of the zoo, asked for every source or pair.
std::vector<testing::Sample> zoo_samples(const std::string& problem) {
  std::vector<testing::Sample> samples;
  for (const auto& [name, graph] : zoo()) {
    if (problem == "sssp") {
      samples.push_back(sample_of<SsspWorkload>(name, graph, all_sources(graph)));
    } else if (problem == "p2p") {
      samples.push_back(sample_of<P2pWorkload>(name, graph, all_pairs(graph)));
    } else {
      samples.push_back(sample_of<BfsWorkload>(name, graph, testing::all_roots(graph)));
      samples.push_back(sample_of<BfsWorkload>(name + ", both ways", testing::both_ways(graph),
                                               testing::all_roots(graph)));
    }
  }
  return samples;
}

TEST_P(EachVariant, AnswersEveryQueryOnTheZoo) {
  static std::map<std::string, std::vector<testing::Sample>> known;
  const auto [at, is_new] = known.try_emplace(family().problem());
  if (is_new) at->second = zoo_samples(family().problem());
  int checked = 0;
  for (const testing::Sample& sample : at->second) {
    for (const Instance& instance : family().instances) {
      if (device_of(instance) != Device::cpu) continue;
      const auto settings = resolve(family(), instance, *sample.workload);
      if (!settings) continue;
      ASSERT_EQ(first_fault(instance, *settings, *sample.workload, sample.expected), "")
          << GetParam() << " on " << sample.name;
      ++checked;
    }
  }
  EXPECT_GT(checked, 0) << GetParam() << " answers no graph of the zoo";
}

/// Families of searches from a vertex that have an instance for the CPU.
std::vector<std::string> families_to_check() {
  std::vector<std::string> names;
  for (const Family& family : Registry::global().families()) {
    const bool searches = glob_match("sssp/*", family.name) || glob_match("p2p/*", family.name) ||
                          glob_match("bfs/*", family.name);
    const bool on_cpu = std::ranges::count(family.instances, Device::cpu, &device_of) > 0;
    if (searches && on_cpu && !is_wrong(family)) names.push_back(family.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Conformance, EachVariant, ::testing::ValuesIn(families_to_check()),
                         [](const auto& tested) {
                           std::string name = tested.param;
                           std::ranges::replace_if(
                               name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

TEST(GpuConformance, BfsZooFromEverySource) {
  if (const std::string skipped = gpu_skipped(); !skipped.empty()) GTEST_SKIP() << skipped;
  for (const auto& [name, graph] : zoo()) {
    BfsWorkload workload(testing::both_ways(graph), testing::all_roots(graph));
    EXPECT_GT(check_all(workload, name, Device::gpu), 2) << name;
  }
}

TEST(GpuConformance, SsspZooFromEverySource) {
  if (const std::string skipped = gpu_skipped(); !skipped.empty()) GTEST_SKIP() << skipped;
  for (const auto& [name, graph] : zoo()) {
    SsspWorkload workload(graph, all_sources(graph));
    EXPECT_GT(check_all(workload, name, Device::gpu), 2) << name;
  }
}

/// Both oracles, which must agree.
void expect_oracles_agree(const Graph& graph, const std::string& name) {
  const auto matrix = testing::oracle_matrix(graph);
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    EXPECT_EQ(oracle_distances(graph, s), matrix[s]) << name;
  }
}

/// Families that need lengths of 0 or more are left out by that need.
TEST(Conformance, NegativeZooFromEverySource) {
  for (const auto& [name, graph] : testing::negative_zoo()) {
    ASSERT_LT(graph.properties().least_length, 0) << name;
    expect_oracles_agree(graph, name);
    SsspWorkload workload(graph, all_sources(graph));
    EXPECT_GE(check_all(workload, name), 3) << name;
  }
}

/// No search for one target here stops at the right time where lengths are negative.
TEST(Conformance, P2pNeedsLengthsOfZeroOrMore) {
  for (const Family& family : Registry::global().families()) {
    if (family.problem() != "p2p" || is_wrong(family)) continue;
    const auto needs = family.common_needs();
    EXPECT_EQ(std::ranges::count(needs, Need::non_negative), 1) << family.name;
  }
}

TEST(GpuConformance, NegativeZooFromEverySource) {
  if (const std::string skipped = gpu_skipped(); !skipped.empty()) GTEST_SKIP() << skipped;
  for (const auto& [name, graph] : testing::negative_zoo()) {
    SsspWorkload workload(graph, all_sources(graph));
    EXPECT_GE(check_all(workload, name, Device::gpu), 6) << name;
  }
}

/// The result for a user who names nothing but the family: `auto` must find a built instance,
/// unless the graph can't be answered on.
TEST(Conformance, DefaultsResolveOnEveryGraph) {
  std::vector<testing::ZooGraph> graphs = zoo();
  graphs.insert(graphs.end(), testing::negative_zoo().begin(), testing::negative_zoo().end());
  for (const auto& [name, graph] : graphs) {
    SsspWorkload sssp(graph, all_sources(graph));
    P2pWorkload p2p(graph, all_pairs(graph));
    for (const Family& family : Registry::global().families()) {
      if (family.problem() != "sssp" && family.problem() != "p2p") continue;
      Workload& workload = family.problem() == "sssp" ? static_cast<Workload&>(sssp) : p2p;
      const auto needs = family.common_needs();
      const bool unmet =
          std::ranges::any_of(needs, [&](Need need) { return !workload.unmet(need).empty(); });
      if (unmet) continue;
      for (const Selection& selection : Registry::global().select(family.name)) {
        Settings resolved;
        try {
          find_instance(selection, workload, resolved);
        } catch (const UnmetError&) {
          // It says that it can't answer on this graph.
        } catch (const std::exception& error) {
          ADD_FAILURE() << name << ", " << family.name << ": " << error.what();
        }
      }
    }
  }
}

struct Seeds {
  std::uint64_t first;
  std::uint64_t last;
  std::uint64_t count() const { return last - first + 1; }
};

/// 1..200, or 1..10,000 where the environment has BELLMARK_FULL, or BELLMARK_RANDOM_GRAPHS: a count
/// or a range such as 5001..10000, which lets several processes share the work.
Seeds random_seeds() {
  if (const char* asked = std::getenv("BELLMARK_RANDOM_GRAPHS")) {
    const std::string text = asked;
    const auto dots = text.find("..");
    if (dots == std::string::npos) return {1, std::stoull(text)};
    return {std::stoull(text.substr(0, dots)), std::stoull(text.substr(dots + 2))};
  }
  return {1, std::getenv("BELLMARK_FULL") != nullptr ? 10'000U : 200U};
}

TEST(Conformance, RandomGraphs) {
  const auto [first, last] = random_seeds();
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    const Graph graph = small_random_graph(seed);
    const auto n = graph.vertex_count();
    SsspWorkload sssp(graph, {{0}, {n / 2}});
    P2pWorkload p2p(graph, {{0, n - 1}, {n / 2, 0}, {n / 3, n / 2}});
    const std::string name = "random graph " + std::to_string(seed);
    check_all(sssp, name);
    check_all(p2p, name);
    BfsWorkload bfs(graph, {{0}, {n / 2}});
    BfsWorkload symmetric(testing::both_ways(graph), {{0}, {n / 2}});
    check_all(bfs, name);
    check_all(symmetric, name + ", both ways");
    if (HasFailure()) return;
  }
}

TEST(Conformance, RandomNegativeGraphs) {
  const Seeds seeds = random_seeds();
  std::size_t cycle_count = 0;
  std::size_t distances_count = 0;
  for (std::uint64_t seed = seeds.first; seed <= seeds.last; ++seed) {
    const Graph graph = small_random_negative_graph(seed);
    const std::string name = "random negative graph " + std::to_string(seed);
    expect_oracles_agree(graph, name);
    SsspWorkload workload(graph, {{0}, {graph.vertex_count() / 2}});
    check_all(workload, name);
    for (const auto& [source] : workload.queries) {
      ++(oracle_distances(graph, source).empty() ? cycle_count : distances_count);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(cycle_count, seeds.count() / 4);
  EXPECT_GT(distances_count, seeds.count() / 2);
}

TEST(GpuConformance, RandomNegativeGraphs) {
  if (const std::string skipped = gpu_skipped(); !skipped.empty()) GTEST_SKIP() << skipped;
  const std::uint64_t count = std::getenv("BELLMARK_FULL") != nullptr ? 2'000 : 100;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const Graph graph = small_random_negative_graph(seed);
    SsspWorkload sssp(graph, {{0}, {graph.vertex_count() / 2}});
    check_all(sssp, "random negative graph " + std::to_string(seed), Device::gpu);
    if (HasFailure()) return;
  }
}

TEST(GpuConformance, RandomGraphs) {
  if (const std::string skipped = gpu_skipped(); !skipped.empty()) GTEST_SKIP() << skipped;
  const std::uint64_t count = std::getenv("BELLMARK_FULL") != nullptr ? 2'000 : 100;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const Graph graph = small_random_graph(seed);
    const std::string name = "random graph " + std::to_string(seed);
    SsspWorkload sssp(graph, {{0}, {graph.vertex_count() / 2}});
    check_all(sssp, name, Device::gpu);
    BfsWorkload bfs(testing::both_ways(graph), {{0}, {graph.vertex_count() / 2}});
    check_all(bfs, name + ", both ways", Device::gpu);
    if (HasFailure()) return;
  }
}

TEST(Conformance, WrongVariantsAreCaught) {
  const Graph& graph = zoo().at(14).graph;
  ASSERT_EQ(zoo().at(14).name, "grid");
  SsspWorkload sssp(graph, all_sources(graph));
  P2pWorkload p2p(graph, {{0, 41}});
  BfsWorkload bfs(graph, testing::all_roots(graph));
  const std::map<std::string, std::pair<Workload*, std::vector<std::uint64_t>>> workloads = {
      {"sssp", {&sssp, expected_digests(sssp)}},
      {"p2p", {&p2p, expected_digests(p2p)}},
      {"bfs", {&bfs, expected_digests(bfs)}},
  };
  int wrong = 0;
  for (const Family& family : Registry::global().families()) {
    if (!is_wrong(family)) continue;
    const auto& [workload, digests] = workloads.at(family.problem());
    const std::string fault = first_fault(family.instances.front(), {}, *workload, digests);
    EXPECT_NE(fault, "") << family.name;
    EXPECT_EQ(fault.find("differs from"), std::string::npos)
        << family.name << " passed its certificate";
    ++wrong;
  }
  EXPECT_EQ(wrong, 10);
}

/// Values of run-time keys declared tunable all give right answers.
TEST(Conformance, TunableKeysKeepAnswersRight) {
  for (const auto& [name, graph] : zoo()) {
    SsspWorkload workload(graph, all_sources(graph));
    const auto expected = expected_digests(workload);
    for (const char* threshold : {"1", "7", "1000000000"}) {
      for (const char* order : {"first", "last"}) {
        const std::string text =
            "sssp/test-near-far:order=" + std::string(order) + ",threshold=" + threshold;
        const auto selections = Registry::global().select(text);
        ASSERT_EQ(selections.size(), 1u);
        Settings resolved;
        const Instance& instance = find_instance(selections[0], workload, resolved);
        EXPECT_EQ(first_fault(instance, resolved, workload, expected), "") << text << name;
      }
    }
  }
}

/// Whether trying, and certifying, all sets of k of n spots takes long.
bool has_many_sets(Spot n, Spot k) {
  constexpr double kMany = 2'000;
  double count = 1;
  for (Spot i = 1; i <= k; ++i) count *= static_cast<double>(n - k + i) / i;
  return count > kMany;
}

/// First fault of one instance on one set-centrality workload, "" when all answers are right.
template <class P>
std::string first_set_fault(const Family& family, const Instance& instance,
                            const Settings& settings, detail::WorkloadOf<P>& workload) {
  const bool tries_all = glob_match("*/exhaustive", family.name);
  RunContext context;
  const auto variant = instance.bind(workload, settings);
  variant->prepare(context);
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    const Spot k = workload.queries[query].chosen_count;
    if (tries_all && has_many_sets(workload.input.distances.spot_count(), k)) continue;
    variant->run(query, 1, context);
    if (const auto fault = variant->certify(query)) {
      return settings.text() + ", " + workload.query_text(query) + ": " + *fault;
    }
  }
  return {};
}

/// Checks all families of one objective; returns the number of instances checked. Instances that
/// can't answer here say why.
template <class P>
int check_sets(const DistanceMatrix& distances, const std::string& name, Device device) {
  std::vector<SetQuery> queries;
  const Spot n = distances.spot_count();
  for (const Spot k : {Spot{1}, Spot{2}, n / 2, n - 1, n}) {
    if (k >= 1 && k <= n) queries.push_back({k});
  }
  detail::WorkloadOf<P> workload(SetInput{distances, {}, 0}, queries);
  int checked = 0;
  for (const Family& family : Registry::global().families()) {
    if (family.problem() != P::kName || is_wrong(family)) continue;
    for (const Instance& instance : family.instances) {
      if (device_of(instance) != device) continue;
      const auto settings = resolve(family, instance, workload);
      if (!settings) continue;
      try {
        EXPECT_EQ(first_set_fault(family, instance, *settings, workload), "")
            << family.name << " on " << name;
        ++checked;
      } catch (const UnmetError& error) {
        EXPECT_STRNE(error.what(), "");
      }
    }
  }
  return checked;
}

TEST(Conformance, SetCentralityZoo) {
  for (const auto& [name, distances] : testing::set_zoo()) {
    EXPECT_GE(check_sets<SetMigration>(distances, name, Device::cpu), 3) << name;
    EXPECT_GE(check_sets<SetConvenience>(distances, name, Device::cpu), 3) << name;
  }
}

TEST(Conformance, RandomSetCentrality) {
  const std::uint64_t count = std::getenv("BELLMARK_FULL") != nullptr ? 2'000 : 60;
  for (std::uint64_t seed = 1; seed <= count && !HasFailure(); ++seed) {
    const DistanceMatrix distances = testing::small_random_distances(seed);
    const std::string name = "random distances " + std::to_string(seed);
    check_sets<SetMigration>(distances, name, Device::cpu);
    check_sets<SetConvenience>(distances, name, Device::cpu);
  }
}

TEST(GpuConformance, SetCentrality) {
  if (const std::string skipped = gpu_skipped(); !skipped.empty()) GTEST_SKIP() << skipped;
  for (const auto& [name, distances] : testing::set_zoo()) {
    check_sets<SetMigration>(distances, name, Device::gpu);
    check_sets<SetConvenience>(distances, name, Device::gpu);
  }
  for (std::uint64_t seed = 1; seed <= 60 && !HasFailure(); ++seed) {
    const DistanceMatrix distances = testing::small_random_distances(seed);
    const std::string name = "random distances " + std::to_string(seed);
    check_sets<SetMigration>(distances, name, Device::gpu);
    check_sets<SetConvenience>(distances, name, Device::gpu);
  }
}

}  // namespace
}  // namespace bellmark
