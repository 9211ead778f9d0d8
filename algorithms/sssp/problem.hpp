// Single-source shortest paths: from one source to every vertex.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// Of a path; negative where lengths are. Fits: a path has fewer than 2^32 arcs of at most 2^31.
using Distance = std::int64_t;

inline constexpr Distance kUnreached = std::numeric_limits<Distance>::max();
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

struct Sssp {
  static constexpr const char* kName = "sssp";
  static constexpr const char* kDefaultQueries = "uniform-sources";

  using Input = Graph;
  struct Query {
    Vertex source;
    friend bool operator==(const Query&, const Query&) = default;
  };
  /// Distances and predecessors, one a vertex; or else a cycle that shows that there are none.
  struct Answer {
    std::vector<Distance> distances;   ///< kUnreached where no path leads
    std::vector<Vertex> predecessors;  ///< kNoVertex for the source and unreached vertices
    /// Empty, or a cycle of negative length that the source reaches, in the order of its arcs (the
    /// last one's arc leads to the first); then the other two are empty.
    std::vector<Vertex> negative_cycle = {};
  };

  /// Proves an answer right from the graph alone:
  ///   - the source has distance 0, and no arc is relaxable, so no distance is too large;
  ///   - every other reached vertex has a predecessor whose arc to it is tight, and following
  ///     predecessors ends at the source, so every distance is the length of a real path. The
  ///     second half matters where zero lengths let tight arcs form a cycle.
  /// check() takes O(n + m) and names the first fault: vertices by their file ids, with figures.
  class Certificate {
   public:
    explicit Certificate(const Graph& graph) : graph_(graph) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const;

   private:
    const Graph& graph_;
  };

  static Graph open(const std::string& reference);
  static Facts facts(const Graph& graph);
  /// Kinds:
  ///   uniform-sources  count, seed: draws 0, 1, ... of stream `sources` (graph_input.hpp), without
  ///                    vertices that no arc leaves (as Graph500 draws its roots: a search from
  ///                    there measures nothing), unless the graph has no arcs; a vertex drawn
  ///                    before is skipped too while there are `count` others
  ///   list             list: ids from 1; the first `count`, 0 for all
  ///   file             file: a DIMACS `.ss` file; the first `count`, 0 for all
  static std::vector<Query> make_queries(const Graph& graph, const QueryRule& rule);
  static std::string query_text(const Query& query);
  /// Of the distances; predecessors may differ between right answers.
  static std::uint64_t digest(const Answer& answer);
  static std::string unmet(Need need, const Graph& graph);
  /// verify_graph(): opening a mapped file checks its header only.
  static void verify(const Graph& graph);
};

}  // namespace bellmark
