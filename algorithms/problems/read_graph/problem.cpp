#include "algorithms/problems/read_graph/problem.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <system_error>
#include <utility>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

/// A new folder; it is removed with all that is in it.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "bellmark-graph-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw MachineError(name, std::string("cannot be made: ") + std::strerror(errno),
                         "name another folder by TMPDIR");
    }
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace

GraphFiles::GraphFiles(const Graph& graph) {
  const Folder folder;
  const auto text = folder / "graph.gr";
  const auto binary = folder / "graph.bmg";
  write_gr(graph, text);
  write_binary(graph, binary);
  text_ = open_for_reading(text);
  binary_ = open_for_reading(binary);
}

std::filesystem::path GraphFiles::path_of(const Descriptor& file) {
  return "/proc/self/fd/" + std::to_string(file.get());
}

std::optional<std::string> ReadGraph::Certificate::check(const Query&, const Answer& answer) const {
  const auto offsets = graph_.row_offsets();
  if (!std::ranges::equal(answer.row_offsets, offsets)) {
    return "the rows are not those of the graph: " + std::to_string(answer.row_offsets.size()) +
           " offsets where it has " + std::to_string(offsets.size()) + ", or other ones";
  }
  if (answer.heads.size() != graph_.arc_count() || answer.lengths.size() != graph_.arc_count()) {
    return std::to_string(answer.heads.size()) + " heads and " +
           std::to_string(answer.lengths.size()) + " lengths of " +
           std::to_string(graph_.arc_count()) + " arcs";
  }
  for (Offset e = 0; e < graph_.arc_count(); ++e) {
    if (answer.heads[e] == graph_.heads()[e] && answer.lengths[e] == graph_.length(e)) continue;
    return "arc " + std::to_string(e + 1) + " leads to vertex " +
           std::to_string(answer.heads[e] + std::uint64_t{1}) + " with length " +
           std::to_string(answer.lengths[e]) + ", not to vertex " +
           std::to_string(graph_.heads()[e] + std::uint64_t{1}) + " with length " +
           std::to_string(graph_.length(e));
  }
  return std::nullopt;
}

ReadGraph::Input ReadGraph::open(const std::string& reference) {
  Graph graph = open_graph(reference);
  GraphFiles files(graph);
  return {std::move(graph), std::move(files)};
}

bool ReadGraph::look_ahead(const std::string& reference) { return opens_at_once(reference); }

Facts ReadGraph::facts(const Input& input) {
  Facts facts = graph_facts(input.graph);
  facts.emplace_back("text_bytes", std::uint64_t{std::filesystem::file_size(input.files.text())});
  facts.emplace_back("binary_bytes",
                     std::uint64_t{std::filesystem::file_size(input.files.binary())});
  return facts;
}

void ReadGraph::check_rule(const QueryRule& rule) {
  check_query_kind(rule, kName, {kDefaultQueries});
}

std::vector<ReadGraph::Query> ReadGraph::make_queries(const Input&, const QueryRule& rule) {
  check_rule(rule);
  return std::vector<Query>(rule.count);
}

std::string ReadGraph::query_text(const Query&) { return "the whole file"; }

std::uint64_t ReadGraph::digest(const Answer& answer) {
  const std::uint64_t digests[] = {digest64(std::as_bytes(std::span(answer.row_offsets))),
                                   digest64(std::as_bytes(std::span(answer.heads))),
                                   digest64(std::as_bytes(std::span(answer.lengths)))};
  return digest64(std::as_bytes(std::span(digests)));
}

std::string ReadGraph::unmet(Need need, const Input& input) {
  return graph_unmet(need, input.graph);
}

void ReadGraph::verify(const Input& input, std::string_view reference) {
  verify_graph(input.graph, reference);
}

}  // namespace bellmark
