#include "algorithms/sssp/plain_search.hpp"

#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace bellmark {

Sssp::Answer plain_search(const Graph& graph, Vertex source) {
  const auto offsets = graph.row_offsets();
  const auto heads = graph.heads();
  Sssp::Answer answer{std::vector(graph.vertex_count(), kUnreached),
                      std::vector(graph.vertex_count(), kNoVertex)};
  using Entry = std::pair<Distance, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  answer.distances[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [distance, u] = queue.top();
    queue.pop();
    if (distance != answer.distances[u]) continue;  // a shorter path was found since
    for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
      const Distance through = distance + graph.length(e);
      if (through >= answer.distances[heads[e]]) continue;
      answer.distances[heads[e]] = through;
      answer.predecessors[heads[e]] = u;
      queue.emplace(through, heads[e]);
    }
  }
  return answer;
}

}  // namespace bellmark
