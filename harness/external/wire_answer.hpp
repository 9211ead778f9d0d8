// The file in which a program on the wire writes an answer: docs/reference/program-wire.md.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/problems/graph_input/answer_text.hpp"
#include "graph/graph.hpp"

namespace bellmark::external {

/// The forms of such a file.
enum class WireForm { text, binary };

/// The facts that are needed to read an answer's file.
struct WireAnswerShape {
  WireForm form = WireForm::text;
  Vertex vertex_count = 0;
  std::int64_t first_vertex = 1;  ///< in the file of the graph
  bool of_pair = false;           ///< one distance and a route, in place of one for each vertex
};

/// Throws InputError with the line or the place of the first invalid number, or if there are too
/// few or too many numbers.
AnswerText read_wire_answer(const std::string& file, const WireAnswerShape& shape);

}  // namespace bellmark::external
