// The distances between all spots over a road network: many-to-many shortest paths. oishi2015,
// section 2.1, finds them before any centrality.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/spots/places/spots.hpp"

namespace bellmark {

struct SpotDistances {
  static constexpr const char* kName = "distance-matrix";
  static constexpr const char* kSummary = "Distances between all spots over roads";
  static constexpr const char* kDefaultQueries = "all-pairs";
  static constexpr bool kWholeInput = true;
  static std::string default_input() { return "spots:random,n=64,roads=dimacs:USA-road-d.NY"; }

  using Input = RoadSpots;
  struct Query {
    Spot spot_count;
    friend bool operator==(const Query&, const Query&) = default;
  };
  struct Answer {
    /// Row s has the distances from spot s to every spot, in the roads' units; kUnreached where no
    /// path leads.
    std::vector<Distance> distances;
  };

  /// Proves whole rows: all of up to 64 spots, of more 64 drawn at random. A row is compared with a
  /// plain search from its spot, which Sssp::Certificate proves. Proved rows are kept. The first
  /// check() takes O((n + m) log n) a row, later ones O(N) a row.
  class Certificate {
   public:
    explicit Certificate(const RoadSpots& input) : input_(input), sssp_(input.roads) {}
    std::optional<std::string> check(const Query& query, const Answer& answer);

   private:
    /// Finds the proved distances from a vertex to all spots; returns the fault of the proof
    /// itself, if any.
    std::optional<std::string> prove(Vertex source, const std::vector<Distance>*& row);

    const RoadSpots& input_;
    Sssp::Certificate sssp_;
    std::map<Vertex, std::vector<Distance>> proved_;
  };

  /// A `spots:` reference with roads (spots.hpp); `unreachable` and `k` don't matter here.
  static RoadSpots open(const std::string& reference);
  /// The facts of the roads, with a digest of roads and spots, `graph_digest` and `spot_count`.
  static Facts facts(const RoadSpots& input);
  /// One kind, `all-pairs`: one query.
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const RoadSpots& input, const QueryRule& rule);
  static std::string query_text(const Query& query);
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) { return std::tie(answer.distances); }
  static std::string unmet(Need need, const RoadSpots& input);
};

/// `settings` with `distance=auto` resolved (dijkstra::resolve_distance). Throws InputError where a
/// distance of 32 bits doesn't fit, or where 32 bits don't count the arcs. O(n + m).
Settings resolve_distance_key(const Settings& settings, const Graph& roads);

}  // namespace bellmark
