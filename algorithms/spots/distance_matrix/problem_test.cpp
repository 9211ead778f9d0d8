// The distances between spots: every instance against the oracle, and the certificate against wrong
// answers.
#include "algorithms/spots/distance_matrix/problem.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/distance_matrix/sssp_per_spot.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using SpotWorkload = detail::WorkloadOf<SpotDistances>;
using testing::oracle_distances;
using testing::small_random_graph;
using testing::zoo;

/// Every second vertex, and the first once more: spots may share a vertex.
RoadSpots spots_of(const Graph& roads) {
  RoadSpots spots;
  spots.roads = roads;
  for (Vertex v = 0; v < roads.vertex_count(); v += 2) spots.vertices.push_back(v);
  if (roads.vertex_count() > 0) spots.vertices.push_back(0);
  return spots;
}

std::vector<Distance> expected_distances(const RoadSpots& spots) {
  std::vector<Distance> expected;
  for (const Vertex s : spots.vertices) {
    const auto distances = oracle_distances(spots.roads, s);
    for (const Vertex t : spots.vertices) expected.push_back(distances[t]);
  }
  return expected;
}

std::vector<SpotDistances::Query> all_pairs(const RoadSpots& spots) {
  return SpotDistances::make_queries(spots, {.kind = "all-pairs"});
}

/// Runs every variant that can answer on these spots; returns their number.
int check_all(const RoadSpots& spots, const std::string& name) {
  SpotWorkload workload(spots, all_pairs(spots));
  const std::uint64_t expected = SpotDistances::digest({expected_distances(spots)});
  int checked = 0;
  for (const char* keys :
       {"sssp-per-spot:search=label-correcting,distance=32", "sssp-per-spot:threads=3",
        "sssp-per-spot:search=label-correcting,distance=64", "p2p-per-pair:distance=32,threads=2",
        "sssp-per-spot:search=dijkstra,distance=32,threads=2", "p2p-per-pair:distance=64",
        "sssp-per-spot:search=dijkstra,distance=64"}) {
    const auto selections = Registry::global().select(std::string("distance-matrix/") + keys);
    Settings settings;
    const Instance* instance = nullptr;
    try {
      instance = &find_instance(selections.at(0), workload, settings);
    } catch (const InputError&) {
      continue;  // 32 bits don't hold these distances
    }
    const auto variant = instance->bind(workload, settings);
    RunContext context;
    variant->prepare(context);
    for (int pass = 0; pass < 2; ++pass) {
      variant->run(0, 1, context);
      EXPECT_EQ(variant->certify(0), std::nullopt) << keys << " on " << name;
      EXPECT_EQ(variant->digest(0), expected) << keys << " on " << name;
    }
    ++checked;
  }
  EXPECT_EQ(distances_over_roads(spots, 2), expected_distances(spots)) << name;
  return checked;
}

TEST(SpotDistances, EveryVariantOnTheZoo) {
  for (const auto& [name, graph] : zoo()) EXPECT_GE(check_all(spots_of(graph), name), 4) << name;
}

TEST(SpotDistances, EveryVariantOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 100 && !HasFailure(); ++seed) {
    check_all(spots_of(small_random_graph(seed)), "random graph " + std::to_string(seed));
  }
}

TEST(SpotDistances, MoreSpotsThanRowsAreProved) {
  check_all(spots_of(make_graph("grid:rows=20,columns=20,lengths=uniform:0..9,seed=1")), "grid");
}

TEST(SpotDistances, NoSpotsOneSpotNoVertices) {
  RoadSpots spots;
  check_all(spots, "nothing");
  spots.roads = make_graph("grid:rows=3,columns=3");
  check_all(spots, "no spots");
  spots.vertices = {4};
  check_all(spots, "one spot");
}

TEST(SpotDistances, TheCertificateFindsEveryWrongDistance) {
  const RoadSpots spots =
      spots_of(Graph::from_arcs(4, std::vector<Arc>{{0, 2, 5}, {2, 1, 1}, {3, 0, 2}}));
  ASSERT_EQ(spots.vertices, (std::vector<Vertex>{0, 2, 0}));
  const SpotDistances::Query query{3};
  const std::vector<Distance> right = expected_distances(spots);
  SpotDistances::Certificate certificate(spots);
  EXPECT_EQ(certificate.check(query, {right}), std::nullopt);
  for (std::size_t i = 0; i < right.size(); ++i) {
    const Distance larger = right[i] == kUnreached ? 0 : right[i] + 1;
    for (const Distance wrong : {larger, right[i] - 1, Distance{77}}) {
      SpotDistances::Answer answer{right};
      answer.distances[i] = wrong;
      EXPECT_NE(certificate.check(query, answer), std::nullopt) << i;
    }
  }
  SpotDistances::Answer answer{right};
  answer.distances[3] = 0;
  EXPECT_EQ(certificate.check(query, answer),
            "from spot 1 to spot 0 (vertices 3 and 1) the distance is unreached, given as 0");
  EXPECT_NE(certificate.check(query, {{}}), std::nullopt);
  EXPECT_NE(certificate.check({2}, {right}), std::nullopt);
}

TEST(SpotDistances, FactsTellRoadsAndSpotsApart) {
  const auto digest = [](const std::string& reference) {
    const Facts facts = SpotDistances::facts(SpotDistances::open(reference));
    EXPECT_EQ(facts.front().first, "digest");
    EXPECT_EQ(facts.back().first, "spot_count");
    return std::get<std::string>(facts.front().second);
  };
  const std::string roads = ",roads=grid:rows=9,columns=9,lengths=uniform:1..9";
  const std::string one = digest("spots:random,n=5,seed=1" + roads);
  EXPECT_EQ(one, digest("spots:random,n=5,seed=1" + roads + ",k=3"));
  EXPECT_NE(one, digest("spots:random,n=5,seed=2" + roads));
  EXPECT_NE(one, digest("spots:random,n=5,seed=1" + roads + ",seed=2"));
  EXPECT_NE(error_of([] { SpotDistances::open("spots:helsinki"); }).find("no roads are named"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              SpotDistances::make_queries({}, {.kind = "all"});
            }).find("kind 'all' is unknown"),
            std::string::npos);
}

}  // namespace
}  // namespace bellmark
