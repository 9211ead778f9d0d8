#include "harness/external/answer_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/graph_input/answer_text.hpp"
#include "algorithms/problems/graph_input/graph_input.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/external/wire_answer.hpp"

namespace bellmark::external {
namespace {

namespace fs = std::filesystem;

/// A value of the file; nothing if it stands for "no path" or "no predecessor".
using Value = std::optional<std::int64_t>;

AnswerFault fault(const std::string& what) { return AnswerFault("the answer's file " + what); }

std::string bytes_of(const fs::path& file, std::uint64_t most) {
  std::error_code missing;
  const std::uintmax_t size = fs::file_size(file, missing);
  if (missing) throw fault("was not written");
  if (size > most) {
    throw fault("has " + std::to_string(size) + " bytes, and at most " + std::to_string(most) +
                " can be right");
  }
  std::string bytes(size, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

/// The words for no path, if the definition does not name any.
std::vector<std::string> usual_words(const Program& program, const Graph& graph) {
  std::vector<std::string> words = {"inf", "INF", "Inf", "infinity", "unreached"};
  const bool is_predecessor = program.check == Check::predecessors;
  if (is_predecessor || graph.properties().least_length >= 0) words.emplace_back("-1");
  if (is_predecessor && program.first_vertex == 1) words.emplace_back("0");
  return words;
}

Value whole(double number, std::uint64_t place) {
  constexpr double kMost = 9e18;
  if (std::isinf(number) && number > 0) return std::nullopt;
  if (std::abs(number) <= kMost && std::floor(number) == number) {
    return static_cast<std::int64_t>(number);
  }
  throw fault("has " + std::to_string(number) + " in place " + std::to_string(place) +
              ", which is not a whole number");
}

Value value_of(std::string_view word, const std::vector<std::string>& unreached,
               std::uint64_t line) {
  if (std::ranges::find(unreached, word) != unreached.end()) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error == std::errc() && end == word.data() + word.size()) return number;
  double real = 0;
  const auto [real_end, real_error] = std::from_chars(word.data(), word.data() + word.size(), real);
  if (real_error == std::errc() && real_end == word.data() + word.size()) return whole(real, line);
  constexpr std::size_t kLongest = 40;
  throw fault("has '" + printable(std::string(word), kLongest) + "' in line " +
              std::to_string(line) + ", which is not a number");
}

std::vector<Value> text_values(const Program& program, const Graph& graph,
                               const std::string& bytes) {
  const std::vector<std::string> unreached =
      program.unreached.empty() ? usual_words(program, graph) : program.unreached;
  std::vector<Value> values;
  values.reserve(graph.vertex_count());
  std::string_view rest = bytes;
  for (std::uint64_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view word = trim(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (!word.empty()) values.push_back(value_of(word, unreached, line));
  }
  return values;
}

/// The numbers of the file, one after another. All ones and the largest number stand for no path,
/// and so do the definition's words.
template <class Number>
std::vector<Value> binary_values(const Program& program, const std::string& bytes) {
  std::vector<Value> values;
  values.reserve(bytes.size() / sizeof(Number));
  const bool is_stated = !program.unreached.empty();
  for (std::size_t at = 0; at + sizeof(Number) <= bytes.size(); at += sizeof(Number)) {
    Number number;
    std::memcpy(&number, bytes.data() + at, sizeof number);
    bool is_unreached = !is_stated && (number == std::numeric_limits<Number>::max() ||
                                       number == static_cast<Number>(-1));
    if (is_stated) {
      const std::string text = std::to_string(number);
      is_unreached = std::ranges::find(program.unreached, text) != program.unreached.end();
    }
    if (is_unreached) {
      values.emplace_back();
    } else if constexpr (std::is_floating_point_v<Number>) {
      values.push_back(whole(number, values.size() + 1));
    } else {
      values.emplace_back(static_cast<std::int64_t>(number));
    }
  }
  if (bytes.size() % sizeof(Number) != 0) {
    throw fault("has " + std::to_string(bytes.size()) + " bytes, which are no numbers of " +
                std::to_string(sizeof(Number)));
  }
  return values;
}

/// One value for each vertex.
std::vector<Value> values_of(const Program& program, const Graph& graph, const fs::path& file) {
  constexpr std::uint64_t kMostBytesALine = 64;
  const std::uint64_t n = graph.vertex_count();
  const std::string bytes = bytes_of(file, kMostBytesALine * (n + 1));
  std::vector<Value> values;
  switch (program.form) {
    case Form::text:
      values = text_values(program, graph, bytes);
      break;
    case Form::int32:
      values = binary_values<std::int32_t>(program, bytes);
      break;
    case Form::uint32:
      values = binary_values<std::uint32_t>(program, bytes);
      break;
    case Form::int64:
      values = binary_values<std::int64_t>(program, bytes);
      break;
    case Form::uint64:
      values = binary_values<std::uint64_t>(program, bytes);
      break;
    case Form::float32:
      values = binary_values<float>(program, bytes);
      break;
    case Form::float64:
      values = binary_values<double>(program, bytes);
      break;
  }
  if (values.size() == n) return values;
  throw fault("has " + std::to_string(values.size()) + " numbers, and the graph has " +
              std::to_string(n) + " vertices");
}

std::vector<Distance> distances_of(const std::vector<Value>& values) {
  std::vector<Distance> distances;
  distances.reserve(values.size());
  for (const Value& value : values) distances.push_back(value.value_or(kUnreached));
  return distances;
}

/// The source has no predecessor, and neither has a vertex that names itself.
std::vector<Vertex> predecessors_of(const Program& program, const std::vector<Value>& values,
                                    Vertex source) {
  std::vector<Vertex> predecessors(values.size(), kNoVertex);
  for (Vertex v = 0; v < values.size(); ++v) {
    if (!values[v]) continue;
    const std::int64_t u = *values[v] - program.first_vertex;
    if (u < 0 || u >= static_cast<std::int64_t>(values.size())) {
      throw fault("says that vertex " + std::to_string(v + program.first_vertex) +
                  " has the predecessor " + std::to_string(*values[v]) +
                  ", which is not a vertex of the graph");
    }
    if (u != v && v != source) predecessors[v] = static_cast<Vertex>(u);
  }
  return predecessors;
}

/// The lengths of the paths that predecessors make. With `unit`, arcs count as 1.
std::vector<Distance> along(const Graph& graph, Vertex source,
                            const std::vector<Vertex>& predecessors, bool unit) {
  std::vector<Distance> distances(predecessors.size(), kUnreached);
  std::vector<bool> is_done(predecessors.size(), false);
  distances[source] = 0;
  is_done[source] = true;
  std::vector<Vertex> way;
  for (Vertex v = 0; v < predecessors.size(); ++v) {
    Vertex at = v;
    for (; !is_done[at]; at = predecessors[at]) {
      is_done[at] = true;  // until its distance is known it is unreached, which ends a circle
      way.push_back(at);
      if (predecessors[at] == kNoVertex) break;
    }
    for (; !way.empty(); way.pop_back()) {
      const Vertex head = way.back();
      const Vertex tail = predecessors[head];
      if (tail == kNoVertex || distances[tail] == kUnreached) continue;
      const auto length = shortest_arc(graph, tail, head);
      if (!length) {
        throw AnswerFault("vertex " + id_text(head) + " has the predecessor " + id_text(tail) +
                          ", from which no arc leads to it");
      }
      distances[head] = distances[tail] + (unit ? 1 : *length);
    }
  }
  return distances;
}

/// Bellmark's own text form.
template <class P>
typename P::Answer read_text(const Graph& graph, const typename P::Query& query,
                             const fs::path& file) {
  try {
    return P::read_answer(graph, query, file.string());
  } catch (const InputError& error) {
    throw AnswerFault(error.what());
  }
}

/// The answer of a program on the wire, in the numbers of its graph's file.
AnswerText read_wire(const Program& program, const Graph& graph, const fs::path& file,
                     bool of_pair) {
  const WireForm form = program.form == Form::text ? WireForm::text : WireForm::binary;
  try {
    return read_wire_answer(file.string(),
                            {form, graph.vertex_count(), program.first_vertex, of_pair});
  } catch (const InputError& error) {
    throw AnswerFault(error.what());
  }
}

/// Finds the tree for each source if the program gives none.
template <class Answer>
void take_tree(const Graph& graph, Vertex source, AnswerText& text, bool unit, Answer& answer) {
  answer.predecessors = text.predecessors.empty() ? tight_tree(graph, source, text.distances, unit)
                                                  : std::move(text.predecessors);
}

}  // namespace

Sssp::Answer read_sssp(const Program& program, const Graph& graph, const Sssp::Query& query,
                       const fs::path& file) {
  if (program.check == Check::answer) return read_text<Sssp>(graph, query, file);
  Sssp::Answer answer;
  if (speaks_wire(program)) {
    AnswerText text = read_wire(program, graph, file, false);
    take_tree(graph, query.source, text, false, answer);
    answer.distances = std::move(text.distances);
    return answer;
  }
  const std::vector<Value> values = values_of(program, graph, file);
  if (program.check == Check::predecessors) {
    answer.predecessors = predecessors_of(program, values, query.source);
    answer.distances = along(graph, query.source, answer.predecessors, false);
  } else {
    answer.distances = distances_of(values);
    answer.predecessors = tight_tree(graph, query.source, answer.distances, false);
  }
  return answer;
}

Bfs::Answer read_bfs(const Program& program, const Graph& graph, const Bfs::Query& query,
                     const fs::path& file) {
  if (program.check == Check::answer) return read_text<Bfs>(graph, query, file);
  Bfs::Answer answer;
  std::vector<Distance> levels;
  if (speaks_wire(program)) {
    AnswerText text = read_wire(program, graph, file, false);
    take_tree(graph, query.source, text, true, answer);
    levels = std::move(text.distances);
  } else if (program.check == Check::predecessors) {
    answer.predecessors = predecessors_of(program, values_of(program, graph, file), query.source);
    levels = along(graph, query.source, answer.predecessors, true);
  } else {
    levels = distances_of(values_of(program, graph, file));
    answer.predecessors = tight_tree(graph, query.source, levels, true);
  }
  for (const Distance level : levels) {
    const bool is_level = level >= 0 && level < kNoLevel;
    if (!is_level && level != kUnreached) {
      throw fault("has the level " + std::to_string(level) + ", which is none");
    }
    answer.levels.push_back(level == kUnreached ? kNoLevel : static_cast<Level>(level));
  }
  return answer;
}

P2p::Answer read_p2p(const Program& program, const Graph& graph, const P2p::Query& query,
                     const fs::path& file) {
  if (speaks_wire(program)) {
    AnswerText text = read_wire(program, graph, file, true);
    return {*text.distance, std::move(text.route)};
  }
  return read_text<P2p>(graph, query, file);
}

}  // namespace bellmark::external
