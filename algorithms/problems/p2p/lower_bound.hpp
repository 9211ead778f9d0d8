// A proof that no path between two vertices is shorter than a distance. It looks at the arcs around
// both ends only, and not at the whole graph.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "algorithms/problems/sssp/monotone_queue.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// Two searches label the vertices around the source and around the target. `forward` is the least
/// of a label and a radius, 0 at the source; `backward` likewise, 0 at the target. The two radii
/// add up to the distance. The height of a vertex is forward - backward. The target lies higher
/// than the source by both radii. If no arc rises by more than its length, no path is shorter than
/// that. The searches need no trust: all arcs that may rise are checked.
class LowerBound {
 public:
  /// The graph must outlive it. O(n), and O(n + m) for a directed graph, which it reverses.
  explicit LowerBound(const Graph& graph);
  LowerBound(const LowerBound&) = delete;
  LowerBound& operator=(const LowerBound&) = delete;

  /// Whether all paths from `source` to `target` are proved to have at least that length. False
  /// says nothing about them. O(k log k) for k arcs within a radius of either end. Always false
  /// for a graph with negative lengths.
  bool proves(Vertex source, Vertex target, Distance distance);

 private:
  /// A search from one end.
  struct Side {
    std::reference_wrapper<const Graph> graph;  ///< with arcs that lead away from the end
    std::vector<Distance> labels;
    std::vector<Vertex> reached;
    MonotoneQueue queue;

    explicit Side(const Graph& side_graph)
        : graph(side_graph), labels(side_graph.vertex_count(), kUnreached) {}
    void begin(Vertex end);
    void label(Vertex v, Distance distance);
    /// The least label that may still fall.
    Distance radius() { return queue.empty() ? kUnreached : queue.top().distance; }
    /// Takes the nearest vertex and labels its neighbours, as far as `farthest`.
    void grow(Distance farthest);
    void forget();
  };

  void search(Vertex source, Vertex target, Distance distance);
  bool no_arc_rises_too_far(Distance distance, Distance forward_radius) const;

  std::optional<Graph> reversed_;  ///< none of a symmetric graph
  bool is_negative_;
  Side forward_;
  Side backward_;
};

}  // namespace bellmark
