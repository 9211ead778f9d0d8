// Levels of a breadth-first search as text.
#include "algorithms/problems/graph_input/answer_text.hpp"

#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/graph_input/graph_input.hpp"
#include "base/error.hpp"

namespace bellmark {
namespace {

Distance distance_of(Level level) { return level == kNoLevel ? kUnreached : Distance{level}; }

/// The levels that a plain search finds.
std::vector<Level> plain_levels(const Graph& graph, Vertex source) {
  std::vector<Level> levels(graph.vertex_count(), kNoLevel);
  std::vector<Vertex> queue = {source};
  levels[source] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Vertex u = queue[i];
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (levels[v] != kNoLevel) continue;
      levels[v] = levels[u] + 1;
      queue.push_back(v);
    }
  }
  return levels;
}

}  // namespace

void Bfs::write_answer(const Query& query, const Answer& answer, const TextSink& out) {
  write_answer_head(out, kName, query.source);
  for (Vertex v = 0; v < answer.levels.size(); ++v) {
    write_vertex_line(out, v, distance_of(answer.levels[v]), answer.predecessors[v]);
  }
}

Bfs::Answer Bfs::read_answer(const Graph& graph, const Query& query, const std::string& file) {
  AnswerText text = read_answer_text(file, graph.vertex_count());
  if (text.distances.empty()) {
    throw InputError(file, "it has no levels", "write a line for each vertex: ID LEVEL");
  }
  Answer answer{{}, std::move(text.predecessors)};
  answer.levels.reserve(text.distances.size());
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const Distance level = text.distances[v];
    const bool fits = level >= 0 && level < Distance{kNoLevel};
    if (!fits && level != kUnreached) {
      throw InputError(file,
                       "vertex " + id_text(v) + " has level " + std::to_string(level) +
                           ", where levels are from 0 to " + std::to_string(kNoLevel - 1),
                       "correct it, or write 'unreached'");
    }
    answer.levels.push_back(fits ? static_cast<Level>(level) : kNoLevel);
  }
  if (answer.predecessors.empty()) {
    answer.predecessors = tight_tree(graph, query.source, text.distances, true);
  }
  return answer;
}

std::optional<std::string> Bfs::first_wrong(const Graph& graph, const Query& query,
                                            const Answer& answer) {
  const std::vector<Level> right = plain_levels(graph, query.source);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (answer.levels[v] == right[v]) continue;
    return "vertex " + id_text(v) + " has level " + distance_word(distance_of(answer.levels[v])) +
           ", and " + distance_word(distance_of(right[v])) + " is right";
  }
  return std::nullopt;
}

}  // namespace bellmark
