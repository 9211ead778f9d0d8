// Shortest paths from one source as text.
#include "algorithms/problems/graph_input/answer_text.hpp"

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/problems/sssp/plain_search.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "base/error.hpp"

namespace bellmark {

void Sssp::write_answer(const Query& query, const Answer& answer, const TextSink& out) {
  write_answer_head(out, kName, query.source);
  write_named_lines(out, "cycle", answer.negative_cycle);
  for (Vertex v = 0; v < answer.distances.size(); ++v) {
    write_vertex_line(out, v, answer.distances[v], answer.predecessors[v]);
  }
}

Sssp::Answer Sssp::read_answer(const Graph& graph, const Query& query, const std::string& file) {
  AnswerText text = read_answer_text(file, graph.vertex_count());
  if (text.distances.empty() && text.cycle.empty()) {
    throw InputError(file, "it has no distances", "write a line for each vertex: ID DISTANCE");
  }
  if (text.predecessors.empty() && !text.distances.empty()) {
    text.predecessors = tight_tree(graph, query.source, text.distances, false);
  }
  return {std::move(text.distances), std::move(text.predecessors), std::move(text.cycle)};
}

std::optional<std::string> Sssp::first_wrong(const Graph& graph, const Query& query,
                                             const Answer& answer) {
  // With negative lengths a plain search proves nothing.
  if (answer.distances.empty() || graph.properties().least_length < 0) return std::nullopt;
  const Answer right = plain_search(graph, query.source);
  if (Certificate(graph).check(query, right)) return std::nullopt;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (answer.distances[v] == right.distances[v]) continue;
    return "vertex " + id_text(v) + " has distance " + distance_word(answer.distances[v]) +
           ", and " + distance_word(right.distances[v]) + " is right";
  }
  return std::nullopt;
}

}  // namespace bellmark
