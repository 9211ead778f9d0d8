// Cycles in a graph of predecessors: each proves a cycle of negative length.
//
// A search that only ever lowers labels keeps d(v) >= d(p(v)) + l(p(v), v). The label of v was set
// to the sum, and that of p(v) can only have fallen afterwards. When setting p(v) = u closes a
// cycle, d(v) was larger than d(u) + l(u, v). Summed over the cycle, the labels cancel and its
// length is below 0. So every cycle of predecessors is of negative length. It is reached from the
// source because its labels are finite (Cormen et al., lemma 24.16).
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

/// Finds cycles among n predecessors (kNoVertex: none), in room that it keeps: 4 bytes a vertex.
class PredecessorCycles {
 public:
  explicit PredecessorCycles(Vertex vertex_count = 0) : walks_(vertex_count) {}

  /// The first cycle met from vertex 0, 1, ..., in the order of its arcs; empty when there is none.
  /// O(n): reads each predecessor twice at most, and walks end where another walk went.
  std::vector<Vertex> find(std::span<const Vertex> predecessors) {
    std::fill(walks_.begin(), walks_.end(), kNoVertex);
    for (Vertex start = 0; start < walks_.size(); ++start) {
      if (const Vertex met = walk(predecessors, start); met != kNoVertex) {
        return cycle_of(predecessors, met);
      }
    }
    return {};
  }

  /// The same for the cycle that is met from `start` alone. O(n).
  std::vector<Vertex> find_from(std::span<const Vertex> predecessors, Vertex start) {
    std::fill(walks_.begin(), walks_.end(), kNoVertex);
    const Vertex met = walk(predecessors, start);
    return met == kNoVertex ? std::vector<Vertex>() : cycle_of(predecessors, met);
  }

  std::uint64_t bytes() const { return walks_.size() * sizeof(Vertex); }

 private:
  /// Marks the vertices from `start` on. Returns a vertex of this walk that it meets again, or
  /// kNoVertex.
  Vertex walk(std::span<const Vertex> predecessors, Vertex start) {
    Vertex v = start;
    for (; v != kNoVertex && walks_[v] == kNoVertex; v = predecessors[v]) walks_[v] = start;
    return v != kNoVertex && walks_[v] == start ? v : kNoVertex;
  }

  static std::vector<Vertex> cycle_of(std::span<const Vertex> predecessors, Vertex met) {
    std::vector<Vertex> cycle = {met};
    for (Vertex v = predecessors[met]; v != met; v = predecessors[v]) cycle.push_back(v);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }

  std::vector<Vertex> walks_;  ///< the vertex from which a walk first came here
};

}  // namespace bellmark
