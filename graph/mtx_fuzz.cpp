// Fuzz target: a `.mtx` file, plain or gzip.
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "graph/fuzz_support.hpp"
#include "graph/matrix_market.hpp"

namespace bellmark {
namespace {

/// The words of every line of an accepted file that is not a comment, the header first.
std::vector<std::vector<std::string>> plain_lines(std::string_view text) {
  std::vector<std::vector<std::string>> all;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos || (line[begin] == '%' && !all.empty())) continue;
    std::istringstream fields(line);
    std::vector<std::string>& words = all.emplace_back();
    for (std::string word; fields >> word;) words.push_back(word);
  }
  return all;
}

std::string in_lower_case(std::string word) {
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

Vertex vertex_of(const std::string& word) {
  return static_cast<Vertex>(std::strtoull(word.c_str(), nullptr, 10) - 1);
}

void check(std::string_view bytes) {
  const Graph graph = parse_matrix_market(bytes, "fuzz.mtx");
  require_sound(graph);
  if (is_gzip(bytes)) return;
  const auto lines = plain_lines(bytes);
  require(lines.size() >= 2 && lines[0].size() == 5 && lines[1].size() == 3, "header and size");
  const bool has_lengths = in_lower_case(lines[0][3]) != "pattern";
  const bool symmetric = in_lower_case(lines[0][4]) == "symmetric";
  require(graph.vertex_count() == std::strtoull(lines[1][0].c_str(), nullptr, 10), "vertex count");
  require(lines.size() - 2 == std::strtoull(lines[1][2].c_str(), nullptr, 10), "entry count");
  require(has_lengths || graph.lengths().empty(), "no lengths");
  require(!symmetric || graph.properties().symmetric, "symmetric");
  std::vector<Arc> arcs;
  for (std::size_t i = 2; i < lines.size(); ++i) {
    const std::vector<std::string>& words = lines[i];
    require(words.size() == (has_lengths ? 3 : 2), "fields of an entry");
    const Vertex u = vertex_of(words[0]);
    const Vertex v = vertex_of(words[1]);
    const double value = has_lengths ? std::strtod(words[2].c_str(), nullptr) : 1;
    const auto length = static_cast<Length>(value);
    require(static_cast<double>(length) == value, "whole values");
    arcs.push_back({u, v, length});
    if (symmetric && u != v) arcs.push_back({v, u, length});
  }
  std::ranges::stable_sort(arcs, {}, &Arc::tail);
  std::vector<Arc> found;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      found.push_back({u, graph.heads()[e], graph.length(e)});
    }
  }
  require(found == arcs, "the entries of the file");
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({reinterpret_cast<const char*>(data), size});
  } catch (const bellmark::InputError&) {
    // A refusal is a good answer. Any other exception is a finding.
  }
  return 0;
}
