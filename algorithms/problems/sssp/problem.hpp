// Single-source shortest paths: from one source to every vertex.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

struct Sssp {
  static constexpr const char* kName = "sssp";
  static constexpr const char* kDefaultQueries = "uniform-sources";

  using Input = Graph;
  struct Query {
    Vertex source;
    friend bool operator==(const Query&, const Query&) = default;
  };
  /// Distances and predecessors, one a vertex; or else a cycle that shows that there are none.
  struct Answer {
    std::vector<Distance> distances;   ///< kUnreached where no path leads
    std::vector<Vertex> predecessors;  ///< kNoVertex for the source and unreached vertices
    /// Empty, or a cycle of negative length that the source reaches, in the order of its arcs (the
    /// last one's arc leads to the first); then the other two are empty.
    std::vector<Vertex> negative_cycle = {};
  };

  /// Proves an answer right from the graph alone:
  ///   - the source has distance 0, and no arc is relaxable, so no distance is too large. No
  ///     distances pass where the source reaches a negative cycle: one of its arcs is relaxable;
  ///   - every other reached vertex has a predecessor whose arc to it is tight, and following
  ///     predecessors ends at the source, so every distance is the length of a real path. The
  ///     second half matters where cycles of length 0 let tight arcs form one;
  ///   - a negative cycle goes arc by arc over different vertices, the lightest of parallel arcs
  ///     counting, has a length below 0, and is found by a breadth-first search from the source.
  /// check() takes O(n + m) and names the first fault: vertices by their file ids, with figures.
  class Certificate {
   public:
    explicit Certificate(const Graph& graph) : graph_(graph) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const;

   private:
    const Graph& graph_;
  };

  static Graph open(const std::string& reference);
  static bool look_ahead(const std::string& reference);
  /// graph_facts(), and where lengths are negative `negative_cycle`: "present" when the graph has
  /// one, "none" when it hasn't. One that no source reaches is no error; only this says that it is
  /// there. O(m), and O(n m) where lengths are negative (in practice far less).
  static Facts facts(const Graph& graph);
  /// Kinds `uniform-sources`, `list` and `file`: see make_sources() (graph_input.hpp).
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Graph& graph, const QueryRule& rule);
  static std::string query_text(const Query& query);
  /// Of the distances; predecessors may differ between right answers. One value for all negative
  /// cycles, of which any is right.
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) {
    return std::tie(answer.distances, answer.predecessors, answer.negative_cycle);
  }
  /// `negative_cycle_arc_count` and `negative_cycle_length` of an answer with a negative cycle;
  /// nothing of one with distances.
  static Facts answer_facts(const Graph& graph, const Answer& answer);
  /// As text, and back (graph_input/answer_text.hpp). Predecessors that a file leaves out are found
  /// from its distances. read_answer() throws InputError.
  static void write_answer(const Query& query, const Answer& answer, const TextSink& out);
  static Answer read_answer(const Graph& graph, const Query& query, const std::string& file);
  /// The lowest vertex whose distance is wrong, with the right one; nothing where none is, or where
  /// it can't be told.
  static std::optional<std::string> first_wrong(const Graph& graph, const Query& query,
                                                const Answer& answer);
  static std::string unmet(Need need, const Graph& graph);
  /// verify_graph(): opening a mapped file checks its header only.
  static void verify(const Graph& graph, std::string_view reference);
};

}  // namespace bellmark
