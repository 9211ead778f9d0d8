// Fuzz target: an answer as text; the first byte is the graph's vertex count.
#include <cstddef>
#include <cstdint>
#include <string>

#include "algorithms/problems/graph_input/answer_text.hpp"
#include "base/error.hpp"
#include "graph/fuzz_support.hpp"

namespace bellmark {
namespace {

void check(std::string_view bytes, Vertex vertex_count) {
  const AnswerText text = parse_answer_text(bytes, "fuzz.txt", vertex_count);
  const bool has_vertices = !text.distances.empty();
  require(!has_vertices || text.distances.size() == vertex_count, "a distance for every vertex");
  require(text.predecessors.empty() || text.predecessors.size() == vertex_count,
          "a predecessor for every vertex, or none");
  for (const Vertex v : text.route) require(v < vertex_count, "routes within the graph");
  for (const Vertex v : text.cycle) require(v < vertex_count, "cycles within the graph");
  for (const Vertex p : text.predecessors) {
    require(p < vertex_count || p == kNoVertex, "predecessors within the graph");
  }
  if (!has_vertices || text.predecessors.empty()) return;
  std::string written;
  for (Vertex v = 0; v < vertex_count; ++v) {
    write_vertex_line([&](std::string_view line) { written += line; }, v, text.distances[v],
                      text.predecessors[v]);
  }
  const AnswerText again = parse_answer_text(written, "again.txt", vertex_count);
  require(again.distances == text.distances && again.predecessors == text.predecessors,
          "the same answer when written and read");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    bellmark::check({reinterpret_cast<const char*>(data) + 1, size - 1}, data[0]);
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer; anything else that is thrown is a finding.
  }
  return 0;
}
