#include "algorithms/spots/distance_matrix/problem.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/problems/sssp/plain_search.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

using Fault = std::optional<std::string>;

constexpr std::size_t kMostRowsProved = 64;

std::string distance_text(Distance distance) {
  return distance == kUnreached ? "unreached" : std::to_string(distance);
}

/// The rows that are proved, the same for every answer.
std::vector<Spot> rows_to_prove(Spot spot_count) {
  std::vector<Spot> rows;
  if (spot_count <= kMostRowsProved) {
    for (Spot s = 0; s < spot_count; ++s) rows.push_back(s);
    return rows;
  }
  constexpr std::uint64_t kSeed = 1;
  for (std::uint64_t i = 0; rows.size() < kMostRowsProved; ++i) {
    const Spot s = draw_vertex(kSeed, DrawStream::spots, i, spot_count);
    if (std::find(rows.begin(), rows.end(), s) == rows.end()) rows.push_back(s);
  }
  return rows;
}

}  // namespace

Fault SpotDistances::Certificate::prove(Vertex source, const std::vector<Distance>*& row) {
  auto found = proved_.find(source);
  if (found == proved_.end()) {
    const Sssp::Answer answer = plain_search(input_.roads, source);
    if (const Fault fault = sssp_.check({source}, answer)) {
      return "the certificate's own search is at fault: " + *fault;
    }
    std::vector<Distance> distances;
    for (const Vertex v : input_.vertices) distances.push_back(answer.distances[v]);
    found = proved_.emplace(source, std::move(distances)).first;
  }
  row = &found->second;
  return std::nullopt;
}

Fault SpotDistances::Certificate::check(const Query& query, const Answer& answer) {
  const std::size_t n = input_.vertices.size();
  if (query.spot_count != n || answer.distances.size() != n * n) {
    return "the answer has " + std::to_string(answer.distances.size()) + " distances for " +
           std::to_string(n) + " spots";
  }
  for (const Spot s : rows_to_prove(query.spot_count)) {
    const std::vector<Distance>* row = nullptr;
    if (Fault fault = prove(input_.vertices[s], row)) return fault;
    for (std::size_t t = 0; t < n; ++t) {
      const Distance given = answer.distances[s * n + t];
      if (given == (*row)[t]) continue;
      return "from spot " + std::to_string(s) + " to spot " + std::to_string(t) + " (vertices " +
             id_text(input_.vertices[s]) + " and " + id_text(input_.vertices[t]) +
             ") the distance is " + distance_text((*row)[t]) + ", given as " + distance_text(given);
    }
  }
  return std::nullopt;
}

RoadSpots SpotDistances::open(const std::string& reference) {
  return open_road_spots(parse_spots_reference(reference));
}

Facts SpotDistances::facts(const RoadSpots& input) {
  Facts facts = graph_facts(input.roads);
  const std::string graph_digest = input.roads.content_digest();
  for (auto& [key, value] : facts) {
    if (key == "digest") {
      Digest digest;
      digest.add(graph_digest).add(std::span<const Vertex>(input.vertices));
      value = digest.hex();
    }
    if (key == "provenance") value = input.provenance;
  }
  facts.emplace_back("graph_digest", graph_digest);
  facts.emplace_back("spot_count", std::uint64_t{input.vertices.size()});
  return facts;
}

void SpotDistances::check_rule(const QueryRule& rule) {
  check_query_kind(rule, kName, {kDefaultQueries});
}

std::vector<SpotDistances::Query> SpotDistances::make_queries(const RoadSpots& input,
                                                              const QueryRule& rule) {
  check_rule(rule);
  return {{static_cast<Spot>(input.vertices.size())}};
}

std::string SpotDistances::query_text(const Query& query) {
  return "all pairs of " + std::to_string(query.spot_count) + " spots";
}

std::uint64_t SpotDistances::digest(const Answer& answer) {
  return digest64(std::as_bytes(std::span(answer.distances)));
}

std::string SpotDistances::unmet(Need need, const RoadSpots& input) {
  return graph_unmet(need, input.roads);
}

Settings resolve_distance_key(const Settings& settings, const Graph& roads) {
  if (roads.arc_count() + roads.vertex_count() >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("distance-matrix",
                     std::to_string(roads.arc_count()) + " arcs can't be counted in 32 bits",
                     "use a smaller graph");
  }
  Settings resolved = settings;
  resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), roads));
  return resolved;
}

}  // namespace bellmark
