#include "algorithms/problems/graph_input/answer_text.hpp"

#include <charconv>
#include <limits>
#include <utility>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "base/input.hpp"
#include "graph/scan_file.hpp"
#include "graph/scanner.hpp"

namespace bellmark {
namespace {

constexpr char kComment = '#';
constexpr std::string_view kProblem = "problem";
constexpr std::string_view kSource = "source";
constexpr std::string_view kTarget = "target";
constexpr std::string_view kCycle = "cycle";
constexpr std::string_view kRoute = "route";
constexpr std::string_view kDistance = "distance";
constexpr std::string_view kNone = "-";
constexpr std::string_view kNoPath = "unreached";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::uint64_t take_id(Scanner& in, const char* what) {
  return in.take_number(1, std::numeric_limits<Vertex>::max(), what);
}

Distance take_distance(Scanner& in) {
  const std::string_view word = in.take_word();
  if (word == kNoPath || word == "inf") return kUnreached;
  if (word.empty()) in.fail("the distance is missing", "the line ends too early");
  Distance distance = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), distance);
  if (error != std::errc() || end != word.data() + word.size() || distance == kUnreached) {
    in.fail("distance '" + shown(word) + "' is not a whole number",
            "write one of less than 2^63, or 'unreached'");
  }
  return distance;
}

/// Holds the content of one file's lines.
class Reader {
 public:
  Reader(Scanner& in, Vertex vertex_count) : in_(in), n_(vertex_count) {}

  void take_line() {
    if (is_digit(in_.first())) {
      take_vertex_line();
      return;
    }
    const std::string_view word = in_.take_word();
    if (word == kProblem || word == kSource || word == kTarget) {
      in_.skip_line();
      return;
    }
    if (word == kCycle) {
      text_.cycle.push_back(take_vertex(in_, n_, "vertex of the cycle"));
    } else if (word == kRoute) {
      text_.route.push_back(take_vertex(in_, n_, "vertex of the route"));
    } else if (word == kDistance) {
      text_.distance = take_distance(in_);
    } else {
      in_.fail("unknown line '" + shown(word) + "'",
               "a line of an answer begins with an id, '#', problem, source, target, distance, "
               "route or cycle");
    }
    in_.end_line();
  }

  /// Throws InputError where some vertices have lines and others none.
  AnswerText finish() {
    if (seen_.empty()) return std::move(text_);
    for (Vertex v = 0; v < n_; ++v) {
      if (seen_[v]) continue;
      in_.fail("vertex " + id_text(v) + " has no line",
               "give every vertex one; 'unreached' stands where no path leads");
    }
    return std::move(text_);
  }

 private:
  void take_vertex_line() {
    const bool is_first = seen_.empty();
    if (is_first) {
      seen_.resize(n_);
      text_.distances.assign(n_, kUnreached);
    }
    const Vertex v = take_vertex(in_, n_, "vertex");
    if (seen_[v]) in_.fail("vertex " + id_text(v) + " has a second line", "keep only one");
    seen_[v] = true;
    text_.distances[v] = take_distance(in_);
    const bool has_predecessor = in_.first() != '\n';
    if (is_first && has_predecessor) text_.predecessors.assign(n_, kNoVertex);
    if (has_predecessor == text_.predecessors.empty()) {
      in_.fail(has_predecessor ? "a predecessor, where lines before have none"
                               : "the predecessor is missing",
               "give all vertices one ('-' for none), or no vertex");
    }
    if (has_predecessor && in_.first() == kNone.front()) {
      if (in_.take_word() != kNone) in_.fail("the predecessor is no id", "write an id, or '-'");
    } else if (has_predecessor) {
      text_.predecessors[v] = take_vertex(in_, n_, "predecessor");
    }
    in_.end_line();
  }

  Scanner& in_;
  Vertex n_;
  std::vector<bool> seen_;  ///< empty before the first vertex
  AnswerText text_;
};

AnswerText read_lines(Input& input, Vertex vertex_count) {
  Scanner in(input);
  Reader reader(in, vertex_count);
  while (in.next_line()) {
    if (in.first() == kComment) {
      in.skip_line();
    } else {
      reader.take_line();
    }
  }
  return reader.finish();
}

}  // namespace

AnswerHead read_answer_head(const std::string& file) {
  Input input(file);
  Scanner in(input);
  AnswerHead head;
  while (in.next_line()) {
    if (in.first() == kComment) {
      in.skip_line();
      continue;
    }
    if (is_digit(in.first())) break;
    const std::string_view word = in.take_word();
    if (word == kProblem) {
      head.problem = in.take_word();
    } else if (word == kSource) {
      head.source = take_id(in, "source");
    } else if (word == kTarget) {
      head.target = take_id(in, "target");
    } else {
      break;
    }
    in.end_line();
  }
  return head;
}

AnswerText read_answer_text(const std::string& file, Vertex vertex_count) {
  Input input(file);
  return read_lines(input, vertex_count);
}

AnswerText parse_answer_text(std::string_view bytes, const std::string& name, Vertex vertex_count) {
  Input input(bytes, name);
  return read_lines(input, vertex_count);
}

void write_answer_head(const TextSink& out, std::string_view problem, Vertex source,
                       Vertex target) {
  out(std::string(kProblem) + " " + std::string(problem) + "\n");
  write_named_lines(out, kSource, {source});
  if (target != kNoVertex) write_named_lines(out, kTarget, {target});
}

void write_vertex_line(const TextSink& out, Vertex vertex, Distance distance, Vertex predecessor) {
  out(id_text(vertex) + " " + distance_word(distance) + " " +
      (predecessor == kNoVertex ? std::string(kNone) : id_text(predecessor)) + "\n");
}

void write_named_lines(const TextSink& out, std::string_view word,
                       const std::vector<Vertex>& vertices) {
  for (const Vertex v : vertices) out(std::string(word) + " " + id_text(v) + "\n");
}

std::string distance_word(Distance distance) {
  return distance == kUnreached ? std::string(kNoPath) : std::to_string(distance);
}

std::vector<Vertex> tight_tree(const Graph& graph, Vertex source,
                               const std::vector<Distance>& distances, bool unit) {
  std::vector<Vertex> predecessors(graph.vertex_count(), kNoVertex);
  std::vector<Vertex> queue = {source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Vertex u = queue[i];
    if (distances[u] == kUnreached) continue;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (v == source || predecessors[v] != kNoVertex) continue;
      const Distance length = unit ? 1 : graph.length(e);
      Distance through = 0;
      // A wrong answer's distances may be of any size.
      if (__builtin_add_overflow(distances[u], length, &through)) continue;
      if (through != distances[v]) continue;
      predecessors[v] = u;
      queue.push_back(v);
    }
  }
  return predecessors;
}

}  // namespace bellmark
