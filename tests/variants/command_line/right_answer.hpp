// A right answer, for variants that spoil it afterwards.
#pragma once

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark::broken {

/// Dijkstra's algorithm with the standard library's queue. O(m log m).
inline Sssp::Answer right_answer(const Graph& graph, Vertex source) {
  Sssp::Answer answer{std::vector<Distance>(graph.vertex_count(), kUnreached),
                      std::vector<Vertex>(graph.vertex_count(), kNoVertex)};
  using Entry = std::pair<Distance, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  answer.distances[source] = 0;
  queue.emplace(0, source);
  while (!queue.empty()) {
    const auto [distance, u] = queue.top();
    queue.pop();
    if (distance > answer.distances[u]) continue;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      const Distance through_u = distance + graph.length(e);
      if (through_u >= answer.distances[v]) continue;
      answer.distances[v] = through_u;
      answer.predecessors[v] = u;
      queue.emplace(through_u, v);
    }
  }
  return answer;
}

/// The common part of all broken variants: it keeps the graph and answers rightly.
class RightSssp {
 public:
  using Problem = Sssp;

  explicit RightSssp(const Settings&) {}
  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }
  void run(std::span<const Sssp::Query> queries, RunContext&) {
    answer_ = right_answer(graph_, queries[0].source);
  }
  void extract(Sssp::Answer& answer) const { answer = answer_; }

 protected:
  static Description named(const char* name, const char* summary) {
    Description description;
    description.name = name;
    description.summary = summary;
    description.source = "test";
    description.needs = {Need::non_negative};
    return description;
  }

  Graph graph_;
  Sssp::Answer answer_;
};

}  // namespace bellmark::broken
