// Dijkstra's algorithm for one pair, on lengths that may differ from the graph's, and that may be
// stopped. For services; what is timed are the families of searches/dijkstra.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/searches/stoppable/stop_poll.hpp"
#include "graph/graph.hpp"

namespace bellmark::stoppable {

class Dijkstra {
 public:
  explicit Dijkstra(const Graph& graph)
      : graph_(graph),
        distances_(graph.vertex_count(), kUnreached),
        predecessors_(graph.vertex_count(), kNoVertex) {}

  /// Whether it ran to its end. `lengths`: one an arc; less than 0 is a closed arc. Sets `distance`
  /// (kUnreached without a path) and `path`; both are left alone when it stops.
  template <class Poll>
  bool run(Vertex source, Vertex target, std::span<const Length> lengths, Poll&& poll,
           Distance& distance, std::vector<Vertex>& path) {
    for (const Vertex v : touched_) distances_[v] = kUnreached;
    touched_.clear();
    heap_.clear();
    label(source, 0, kNoVertex);
    while (!heap_.empty()) {
      std::ranges::pop_heap(heap_, std::greater<>());
      const auto [least, u] = heap_.back();
      heap_.pop_back();
      if (least > distances_[u]) continue;
      if (u == target) break;
      if (poll.after_settling_one()) return false;
      for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[std::size_t{u} + 1]; ++e) {
        if (lengths[e] < 0) continue;
        const Distance through = least + lengths[e];
        if (through < distances_[graph_.heads()[e]]) label(graph_.heads()[e], through, u);
      }
    }
    distance = distances_[target];
    path.clear();
    if (distance == kUnreached) return true;
    for (Vertex v = target; v != kNoVertex; v = predecessors_[v]) path.push_back(v);
    std::ranges::reverse(path);
    return true;
  }

 private:
  void label(Vertex v, Distance distance, Vertex predecessor) {
    if (distances_[v] == kUnreached) touched_.push_back(v);
    distances_[v] = distance;
    predecessors_[v] = predecessor;
    heap_.emplace_back(distance, v);
    std::ranges::push_heap(heap_, std::greater<>());
  }

  const Graph& graph_;
  std::vector<Distance> distances_;
  std::vector<Vertex> predecessors_;
  std::vector<Vertex> touched_;
  std::vector<std::pair<Distance, Vertex>> heap_;
};

}  // namespace bellmark::stoppable
