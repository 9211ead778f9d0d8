#include "algorithms/problems/sssp/plain_search.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <string>
#include <vector>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/problems/sssp/monotone_queue.hpp"
#include "algorithms/problems/sssp/predecessor_cycles.hpp"
#include "base/error.hpp"

namespace bellmark {

Sssp::Answer plain_search(const Graph& graph, Vertex source) {
  if (const std::string reason = graph_unmet(Need::non_negative, graph); !reason.empty()) {
    throw UnmetError("certificate", reason + ", over which it can't search",
                     "declare Need::non_negative");
  }
  const auto offsets = graph.row_offsets();
  const auto heads = graph.heads();
  Sssp::Answer answer{std::vector(graph.vertex_count(), kUnreached),
                      std::vector(graph.vertex_count(), kNoVertex)};
  MonotoneQueue queue;
  answer.distances[source] = 0;
  queue.push(0, source);
  while (!queue.empty()) {
    const auto [distance, u] = queue.top();
    queue.pop();
    if (distance != answer.distances[u]) continue;  // a shorter path was found later
    for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
      const Distance through = distance + graph.length(e);
      if (through >= answer.distances[heads[e]]) continue;
      answer.distances[heads[e]] = through;
      answer.predecessors[heads[e]] = u;
      queue.push(through, heads[e]);
    }
  }
  return answer;
}

std::optional<bool> has_negative_cycle(const Graph& graph) {
  const Vertex n = graph.vertex_count();
  const auto above_zero = [](std::int64_t length) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(length, 0));
  };
  const std::uint64_t rise = above_zero(graph.properties().largest_length);
  const std::uint64_t fall = above_zero(-std::int64_t{graph.properties().least_length});
  // Both products are below 2^64: n is below 2^32, and lengths are below 2^31.
  const std::uint64_t bound = std::max(n * rise, 2 * n * fall);
  if (bound >= static_cast<std::uint64_t>(std::numeric_limits<Distance>::max())) return {};

  std::vector<Distance> labels(n, 0);
  std::vector<Vertex> predecessors(n, kNoVertex);
  std::vector<bool> waits(n, true);
  std::deque<Vertex> queue;
  for (Vertex v = 0; v < n; ++v) queue.push_back(v);
  PredecessorCycles cycles(n);
  for (Vertex scanned = 1; !queue.empty(); ++scanned) {
    const Vertex u = queue.front();
    queue.pop_front();
    waits[u] = false;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      const Distance through = labels[u] + graph.length(e);
      if (through >= labels[v]) continue;
      labels[v] = through;
      predecessors[v] = u;
      if (!waits[v]) queue.push_back(v);
      waits[v] = true;
    }
    if (scanned < n) continue;
    if (!cycles.find(predecessors).empty()) return true;
    scanned = 0;
  }
  return false;
}

}  // namespace bellmark
