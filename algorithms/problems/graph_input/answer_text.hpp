// Answers of searches as text, for other programs: docs/reference/answers.md has the format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// Problems whose answers have a text form: those whose queries are sources or pairs of vertices.
inline constexpr std::array<std::string_view, 3> kTextProblems = {"sssp", "p2p", "bfs"};

/// The question, as the first lines of a file say it; ids count from 1.
struct AnswerHead {
  std::string problem;  ///< "" where the file doesn't say
  std::optional<std::uint64_t> source;
  std::optional<std::uint64_t> target;
};

/// One answer, in the form of its file.
struct AnswerText {
  /// One a vertex, kUnreached where no path leads; of breadth-first search they are levels.
  std::vector<Distance> distances;
  /// One a vertex, or none at all where the file leaves them out.
  std::vector<Vertex> predecessors;
  std::vector<Vertex> cycle;         ///< of negative length, in the order of its arcs
  std::optional<Distance> distance;  ///< of a pair
  std::vector<Vertex> route;         ///< of a pair: source, ..., target
};

/// Reads the lines that come before the answer itself. Throws InputError.
AnswerHead read_answer_head(const std::string& file);

/// Reads a whole answer, plain or gzip: of all vertices, or the cycle, or the distance and route of
/// a pair. Throws InputError with file and line.
AnswerText read_answer_text(const std::string& file, Vertex vertex_count);

/// The same from bytes in memory; `name` stands for the file in errors.
AnswerText parse_answer_text(std::string_view bytes, const std::string& name, Vertex vertex_count);

/// The lines `problem`, `source` and, of a pair, `target`.
void write_answer_head(const TextSink& out, std::string_view problem, Vertex source,
                       Vertex target = kNoVertex);

/// A line for each vertex: its id, its distance, its predecessor.
void write_vertex_line(const TextSink& out, Vertex vertex, Distance distance, Vertex predecessor);

/// `WORD ID` for each vertex: `route`, `cycle`.
void write_named_lines(const TextSink& out, std::string_view word,
                       const std::vector<Vertex>& vertices);

/// `803`, or `unreached`.
std::string distance_word(Distance distance);

/// Predecessors for distances that came without: a tree of tight arcs from the source. It is found
/// in breadth, so that arcs of length 0 form no cycle. A vertex that it doesn't reach has no
/// predecessor, and its distance is wrong. Arcs count as 1 with `unit`. O(n + m).
std::vector<Vertex> tight_tree(const Graph& graph, Vertex source,
                               const std::vector<Distance>& distances, bool unit);

}  // namespace bellmark
