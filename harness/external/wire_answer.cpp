#include "harness/external/wire_answer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/input.hpp"
#include "graph/scanner.hpp"

namespace bellmark::external {
namespace {

static_assert(std::endian::native == std::endian::little, "binary answers are little-endian");

constexpr std::int64_t kNoNumber = -1;  // in place of a vertex, in the binary form

/// The vertex of a file's number; nothing if the graph has no such vertex.
std::optional<Vertex> vertex_of(std::int64_t number, const WireAnswerShape& shape) {
  const std::int64_t last = shape.first_vertex + std::int64_t{shape.vertex_count} - 1;
  if (number < shape.first_vertex || number > last) return std::nullopt;
  return static_cast<Vertex>(number - shape.first_vertex);
}

std::string no_vertex(const std::string& number, const WireAnswerShape& shape) {
  const std::int64_t last = shape.first_vertex + std::int64_t{shape.vertex_count} - 1;
  return "'" + number + "' is not a vertex: they go from " + std::to_string(shape.first_vertex) +
         " to " + std::to_string(last);
}

std::int64_t take_number(Scanner& in, const char* what) {
  const std::string_view word = in.take_word();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
    in.fail(std::string(what) + " '" + shown(word) + "' is not a whole number",
            "write one of less than 2^63");
  }
  return number;
}

Distance take_distance(Scanner& in) {
  if (in.first() != 'i') return take_number(in, "distance");
  if (in.take_word() != "inf") in.fail("the distance is not a number", "write one, or 'inf'");
  return kUnreached;
}

Vertex take_vertex_of(Scanner& in, const WireAnswerShape& shape) {
  const std::int64_t number = take_number(in, "vertex");
  if (const auto vertex = vertex_of(number, shape)) return *vertex;
  in.fail(no_vertex(std::to_string(number), shape), "number vertices as the graph's file does");
}

/// `-` stands for none. A minus sign before a digit belongs to a number.
Vertex take_predecessor(Scanner& in, const WireAnswerShape& shape) {
  if (in.first() != '-') return take_vertex_of(in, shape);
  if (in.take_word() != "-") in.fail("the predecessor is not a vertex", "write one, or '-'");
  return kNoVertex;
}

/// No program may make us read a file without end.
void check_size(const std::string& file, const WireAnswerShape& shape) {
  constexpr std::uintmax_t kLongestLine = 64;
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(file, missing);
  if (missing) {
    throw InputError(file, "the answer was not written", "write it before 'extracted' is said");
  }
  const std::uintmax_t most = kLongestLine * (std::uintmax_t{shape.vertex_count} + 1);
  if (size <= most) return;
  throw InputError(file,
                   "it has " + std::to_string(size) + " bytes, and no answer has more than " +
                       std::to_string(most),
                   "write the answer to one query alone");
}

AnswerText read_lines(const std::string& file, const WireAnswerShape& shape) {
  Input input(file);
  Scanner in(input);
  AnswerText text;
  for (bool first = true; in.next_line(); first = false) {
    if (shape.of_pair && !first) {
      if (text.route.size() == shape.vertex_count) {
        in.fail("the route has more vertices than the graph", "write each vertex of it once");
      }
      text.route.push_back(take_vertex_of(in, shape));
      in.end_line();
      continue;
    }
    if (text.distances.size() == shape.vertex_count) {
      in.fail("more lines than the " + std::to_string(shape.vertex_count) + " vertices",
              "write one for each");
    }
    text.distances.push_back(take_distance(in));
    const bool has_predecessor = in.first() != '\n';
    if (!first && has_predecessor == text.predecessors.empty()) {
      in.fail(has_predecessor ? "a predecessor, where lines before have none"
                              : "the predecessor is missing",
              "give all vertices one ('-' for none), or no vertex");
    }
    if (has_predecessor) text.predecessors.push_back(take_predecessor(in, shape));
    in.end_line();
  }
  return text;
}

/// Byte by byte: bytes that look like gzip data may be a distance.
std::vector<std::int64_t> numbers_of(const std::string& file) {
  const std::uintmax_t byte_count = std::filesystem::file_size(file);
  if (byte_count % sizeof(std::int64_t) != 0) {
    throw InputError(file, std::to_string(byte_count) + " bytes are no numbers of 8 bytes each",
                     "write 64-bit integers, little-endian");
  }
  std::vector<std::int64_t> numbers(byte_count / sizeof(std::int64_t));
  std::ifstream stream(file, std::ios::binary);
  if (!stream.read(reinterpret_cast<char*>(numbers.data()),
                   static_cast<std::streamsize>(byte_count))) {
    throw InputError(file, "it can't be read", "close it before 'extracted' is said");
  }
  return numbers;
}

AnswerText read_numbers(const std::string& file, const WireAnswerShape& shape) {
  const std::vector<std::int64_t> numbers = numbers_of(file);
  const std::size_t distance_count =
      std::min(numbers.size(), shape.of_pair ? 1 : std::size_t{shape.vertex_count});
  const auto behind_distances = numbers.begin() + static_cast<std::ptrdiff_t>(distance_count);
  AnswerText text;
  text.distances.assign(numbers.begin(), behind_distances);
  std::vector<Vertex>& vertices = shape.of_pair ? text.route : text.predecessors;
  vertices.reserve(numbers.size() - distance_count);
  for (auto number = behind_distances; number != numbers.end(); ++number) {
    const auto vertex = vertex_of(*number, shape);
    if (!vertex && (shape.of_pair || *number != kNoNumber)) {
      throw InputError(file + ": number " + std::to_string(number - numbers.begin() + 1),
                       no_vertex(std::to_string(*number), shape),
                       "number vertices as the graph's file does, and write -1 for none");
    }
    vertices.push_back(vertex.value_or(kNoVertex));
  }
  return text;
}

}  // namespace

AnswerText read_wire_answer(const std::string& file, const WireAnswerShape& shape) {
  check_size(file, shape);
  AnswerText text =
      shape.form == WireForm::binary ? read_numbers(file, shape) : read_lines(file, shape);
  const std::size_t wanted = shape.of_pair ? 1 : shape.vertex_count;
  if (text.distances.size() != wanted) {
    throw InputError(file,
                     "it has " + std::to_string(text.distances.size()) + " distances, not " +
                         std::to_string(wanted),
                     "write one for each vertex");
  }
  if (!text.predecessors.empty() && text.predecessors.size() != wanted) {
    throw InputError(file,
                     "it has " + std::to_string(text.predecessors.size()) + " predecessors, not " +
                         std::to_string(wanted),
                     "write one for each vertex, or none at all");
  }
  if (!shape.of_pair) return text;
  if (!text.predecessors.empty()) {
    throw InputError(file, "its first line has more than a distance", "write the route below it");
  }
  text.distance = text.distances.front();
  text.distances.clear();
  return text;
}

}  // namespace bellmark::external
