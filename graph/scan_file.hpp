// Common parts of the readers of line-wise graph files: comments, one `p` line, lines of numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "graph/dimacs.hpp"
#include "graph/graph.hpp"
#include "graph/scanner.hpp"

namespace bellmark {

inline constexpr std::uint64_t kMostVertices = std::numeric_limits<Vertex>::max();
inline constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 48;

/// One line alone, the p line or `announcing_line`, never decides an allocation. Errors name the
/// lines `what`.
inline void check_vertex_count(const Input& input, std::uint64_t vertex_count,
                               std::uint64_t line_count, const std::string& what,
                               const std::string& announcing_line = "p line") {
  if (vertex_count <= most_vertices(line_count)) return;
  throw InputError(
      input.name(),
      std::to_string(vertex_count) + " vertices announced for only " + std::to_string(line_count) +
          " " + what,
      "at most 1,000,000 + 16 x " + what + " are believed: correct the " + announcing_line);
}

/// The graph of a file's arcs, under the file's name. Without lengths, the arcs' lengths are left
/// out.
inline Graph graph_of(const Input& input, Vertex vertex_count, std::span<const Arc> arcs,
                      bool has_lengths) {
  Graph graph = Graph::from_arcs(vertex_count, arcs);
  if (!has_lengths) {
    const auto whole = std::make_shared<const Graph>(graph);
    graph = Graph::adopt(whole, whole->row_offsets(), whole->heads(), {}, {}, whole->properties());
  }
  graph.set_provenance(escaped(std::filesystem::path(input.name()).filename().string()));
  return graph;
}

inline Vertex take_vertex(Scanner& in, Vertex vertex_count, const char* what) {
  return static_cast<Vertex>(in.take_number(1, vertex_count, what) - 1);
}

/// Stands for the letter of lines that have none.
inline constexpr char kNoLetter = '\0';

/// Checks the words of a `p` line up to its numbers.
inline void take_problem(Scanner& in, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    const std::string_view found = in.take_word();
    if (found == "tw" && word != "tw") {
      in.fail("this is a PACE graph, not a DIMACS one", "let its name end in .pace.gr");
    }
    if (found != word) {
      std::string line = "p";
      for (const std::string_view each : words) line.append(" ").append(each);
      in.fail("unknown problem in the p line", "it must begin with '" + line + "'");
    }
  }
}

/// The common shape of all formats: comments, one `p` line that announces a count, then that many
/// lines. Each begins with `letter`, or with a number when `letter` is kNoLetter. `on_problem`
/// takes the p line's fields and returns the count. `on_line` takes the fields of one such line.
template <class OnProblem, class OnLine>
void scan_file(Scanner& in, char letter, const char* line_name, OnProblem on_problem,
               OnLine on_line) {
  std::optional<std::uint64_t> announced;
  std::uint64_t problem_line = 0;
  std::uint64_t count = 0;
  while (in.next_line()) {
    const char found = in.first();
    const bool ours = letter == kNoLetter ? found >= '0' && found <= '9' : found == letter;
    if (ours) [[likely]] {
      if (letter != kNoLetter) in.take_letter();
      if (!announced) in.fail("this line comes before the p line", "put the p line first");
      if (count == *announced) {
        in.fail(std::string("more ") + line_name + " lines than the " + std::to_string(*announced) +
                    " that line " + std::to_string(problem_line) + " announces",
                "correct the p line or remove the rest");
      }
      ++count;
      on_line();
      in.end_line();
    } else if (found == 'c') {
      in.skip_line();
    } else if (found == 'p') {
      in.take_letter();
      if (announced) {
        in.fail("second p line, after line " + std::to_string(problem_line), "keep only one");
      }
      announced = on_problem();
      problem_line = in.line();
      in.end_line();
    } else {
      in.fail_letter(found, letter);
    }
  }
  if (!announced) {
    const char* const format = letter == kNoLetter ? "PACE" : "DIMACS";
    in.fail("there is no p line", std::string("is this a ") + format + " file?");
  }
  if (count < *announced) {
    in.fail("the file ends after " + std::to_string(count) + " of the " +
                std::to_string(*announced) + " " + line_name + " lines that line " +
                std::to_string(problem_line) + " announces",
            "fetch the file again or correct the p line");
  }
}

}  // namespace bellmark
