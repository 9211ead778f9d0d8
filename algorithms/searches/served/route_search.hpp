// Exact searches for requests: from a vertex to another, to several, or to all within a limit. They
// need no preparation, go past closed roads, and end by a stop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/served/roads.hpp"
#include "algorithms/searches/served/stop.hpp"
#include "graph/graph.hpp"

namespace bellmark::served {

/// A vertex that a search settled.
struct Settled {
  Vertex vertex;
  Distance distance;
};

/// The work area of one worker for one graph, one search after the other. Every search throws
/// Stopped when its stop says so, which does not harm the next one.
class RouteSearch {
 public:
  /// O(n). `roads` must outlive it.
  explicit RouteSearch(const Roads& roads);
  ~RouteSearch();
  RouteSearch(RouteSearch&&) noexcept;

  /// The shortest path, by Dijkstra's algorithm from both ends. `answer` lends its storage.
  void find(const P2p::Query& query, const Closures& closures, const Stop& stop,
            P2p::Answer& answer);

  /// The distances to all targets, which may be there twice; kUnreached where no way leads. By
  /// Dijkstra's algorithm until the last one is settled.
  void find_all(Vertex source, std::span<const Vertex> targets, const Closures& closures,
                const Stop& stop, std::span<Distance> distances);

  /// All vertices within the limit, the nearest first.
  void find_within(Vertex source, Distance limit, const Closures& closures, const Stop& stop,
                   std::vector<Settled>& settled);

  /// The number of vertices that the last search settled, of both sides together.
  std::size_t settled_count() const;

 private:
  struct Area;
  std::unique_ptr<Area> area_;
};

}  // namespace bellmark::served
