// Reading a graph from a file, as text or in the binary form: the Init times of yasui2011, Tables
// 14 to 16.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "base/descriptor.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// A graph as two files in the folder for temporary files: DIMACS text (`.gr`, not compressed) and
/// the binary form (`.bmg`). They lose their names at once, so that nothing remains of a process
/// that is killed. They are read while this lives.
class GraphFiles {
 public:
  /// Throws MachineError where they can't be written, InputError for a graph that has no text form.
  explicit GraphFiles(const Graph& graph);

  std::filesystem::path text() const { return path_of(text_); }
  std::filesystem::path binary() const { return path_of(binary_); }

 private:
  static std::filesystem::path path_of(const Descriptor& file);

  Descriptor text_;
  Descriptor binary_;
};

struct ReadGraph {
  static constexpr const char* kName = "read-graph";
  static constexpr const char* kSummary = "A graph read from a file";
  static constexpr const char* kDefaultQueries = "whole";
  static constexpr bool kWholeInput = true;

  struct Input {
    Graph graph;  ///< as it was opened
    GraphFiles files;
  };
  /// Reads the whole file.
  struct Query {};
  /// The graph as a program would hold it; lengths are 1 where the graph has none.
  struct Answer {
    std::vector<Offset> row_offsets;
    std::vector<Vertex> heads;
    std::vector<Length> lengths;
  };

  /// All rows, heads and lengths are those of the graph that was written.
  class Certificate {
   public:
    explicit Certificate(const Input& input) : graph_(input.graph) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const;

   private:
    const Graph& graph_;
  };

  static Input open(const std::string& reference);
  static bool look_ahead(const std::string& reference);
  /// The facts of the graph, and `text_bytes` and `binary_bytes`.
  static Facts facts(const Input& input);
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Input& input, const QueryRule& rule);
  static std::string query_text(const Query& query);
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) {
    return std::tie(answer.row_offsets, answer.heads, answer.lengths);
  }
  static std::string unmet(Need need, const Input& input);
  static void verify(const Input& input, std::string_view reference);
};

}  // namespace bellmark
