// The shortest path of a pair as text.
#include "algorithms/problems/graph_input/answer_text.hpp"

#include "algorithms/problems/p2p/problem.hpp"
#include "base/error.hpp"

namespace bellmark {

void P2p::write_answer(const Query& query, const Answer& answer, const TextSink& out) {
  write_answer_head(out, kName, query.source, query.target);
  out("distance " + distance_word(answer.distance) + "\n");
  write_named_lines(out, "route", answer.path);
}

P2p::Answer P2p::read_answer(const Graph& graph, const Query& /*query*/, const std::string& file) {
  AnswerText text = read_answer_text(file, graph.vertex_count());
  if (!text.distance) {
    throw InputError(file, "it has no distance",
                     "write a line 'distance N', and 'route ID' for each vertex of the path");
  }
  return {*text.distance, std::move(text.route)};
}

}  // namespace bellmark
