// sssp/near-far: what `auto` becomes, and, where there is a GPU, that the width of a bucket never
// changes an answer.
#include <gtest/gtest.h>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/near_far/options.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::near_far {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

Settings resolved(const std::string& changes, const Graph& graph) {
  Settings settings = {{"device", "gpu"}, {"scope", "auto"}, {"distance", "auto"}, {"delta", "0"}};
  const Settings changed = Settings::parse(changes);
  for (const auto& [key, value] : changed.entries()) settings.set(key, value);
  return resolve(settings, graph);
}

TEST(NearFarOptions, ScopeFollowsTheDegrees) {
  EXPECT_EQ(resolved("", make_graph("grid:rows=50,columns=50")).get("scope"), "cluster");
  EXPECT_EQ(resolved("", make_graph("random:n=100,m=3000")).get("scope"), "device");
  std::vector<Arc> star;
  for (Vertex v = 1; v <= 100; ++v) star.push_back({0, v, 1});
  EXPECT_EQ(resolved("", Graph::from_arcs(101, star)).get("scope"), "device");
}

TEST(NearFarOptions, DistanceFollowsTheBoundAndZeroLengths) {
  const Graph positive = make_graph("grid:rows=5,columns=5,lengths=uniform:1..9");
  EXPECT_EQ(resolved("", positive).get("distance"), "32");
  EXPECT_EQ(resolved("distance=64", positive).get("distance"), "64");
  const Graph zero = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}});
  EXPECT_EQ(resolved("", zero).get("distance"), "64");
  EXPECT_THROW(resolved("distance=32", zero), InputError);
  const Graph longest = make_graph("grid:rows=5,columns=5,lengths=uniform:2000000000..2000000001");
  EXPECT_EQ(resolved("", longest).get("distance"), "64");
  EXPECT_EQ(resolved("", Graph()).get("distance"), "32");
}

TEST(NearFarOptions, DeltaComesFromTheLengthsUnlessGiven) {
  const Graph grid = make_graph("grid:rows=50,columns=50,lengths=uniform:100..100");
  EXPECT_EQ(resolved("", grid).get("delta"), "6400");
  EXPECT_EQ(resolved("delta=7", grid).get("delta"), "7");
  EXPECT_EQ(resolved("scope=device", grid).get("delta"), "408") << "16 * 100 / mean degree 3.92";
  EXPECT_EQ(resolved("", Graph::from_arcs(2, std::vector<Arc>{{0, 1, 0}})).get("delta"), "1");
}

TEST(NearFarGpu, EveryDeltaGivesTheSameDistances) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  int checked = 0;
  for (const auto& [name, graph] : testing::zoo()) {
    SsspWorkload workload(graph, testing::all_sources(graph));
    for (const char* family :
         {"sssp/near-far:scope=cluster,", "sssp/near-far:scope=device,", "sssp/near-far-batch:"}) {
      for (const char* delta : {"1", "7", "2147483647"}) {
        const auto selections = Registry::global().select(std::string(family) + "delta=" + delta);
        Settings settings;
        const Instance& instance = find_instance(selections.at(0), workload, settings);
        const auto variant = instance.bind(workload, settings);
        RunContext context;
        variant->prepare(context);
        const std::size_t step = instance.description.batch ? workload.query_count() : 1;
        for (std::size_t first = 0; first < workload.query_count(); first += step) {
          variant->run(first, step, context);
          for (std::size_t query = first; query < first + step; ++query) {
            const auto& graph_source = workload.queries[query].source;
            EXPECT_EQ(variant->certify(query), std::nullopt) << family << delta << " " << name;
            EXPECT_EQ(variant->digest(query),
                      Sssp::digest({testing::oracle_distances(graph, graph_source), {}}))
                << family << delta << " " << name;
            ++checked;
          }
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(checked, 100);
}

TEST(NearFarGpu, RecordsItsRoundsWhenInstrumented) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  SsspWorkload workload(make_graph("grid:rows=60,columns=60"), {{0}});
  for (const char* scope : {"cluster", "device"}) {
    const auto selections =
        Registry::global().select(std::string("sssp/near-far:delta=500,scope=") + scope);
    Settings settings;
    const auto variant =
        find_instance(selections.at(0), workload, settings).bind(workload, settings);
    RunContext context;
    variant->prepare(context);
    variant->run(0, 1, context);
    EXPECT_EQ(variant->phase_log().phase_count(), 0u) << "a plain run keeps no log";
    context.set_instrumented(true);
    variant->run(0, 1, context);
    const PhaseLog log = variant->phase_log();
    EXPECT_GT(log.phase_count(), 50u);
    EXPECT_EQ(log.values.at(0), 1u) << "the source alone";
  }
}

}  // namespace
}  // namespace bellmark::near_far
