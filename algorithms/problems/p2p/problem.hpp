// Point-to-point shortest paths: from one source to one target.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "algorithms/problems/p2p/lower_bound.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

struct P2p {
  static constexpr const char* kName = "p2p";
  static constexpr const char* kSummary = "A shortest path from one vertex to another";
  static constexpr const char* kDefaultQueries = "uniform-pairs";

  using Input = Graph;
  struct Query {
    Vertex source;
    Vertex target;
    friend bool operator==(const Query&, const Query&) = default;
  };
  struct Answer {
    Distance distance;         ///< kUnreached when no path leads to the target
    std::vector<Vertex> path;  ///< source, ..., target; empty when there is none
  };

  /// The path exists arc by arc and has the answer's length. LowerBound proves that no path is
  /// shorter. Where it does not, or where the pair before had the same source, a plain search from
  /// the source does, itself proved by Sssp::Certificate. Proved distances are kept: for all
  /// vertices from the last source of a plain search, and for each asked pair. check() takes
  /// O(length of the path + degrees on it), and O((n + m) log n) for a new pair at most. It throws
  /// UnmetError for a graph with negative lengths.
  class Certificate {
   public:
    explicit Certificate(const Graph& graph) : graph_(graph), sssp_(graph) {}
    std::optional<std::string> check(const Query& query, const Answer& answer);

   private:
    /// Sets `distance` to the proved one; returns the fault of the proof itself, if any. `given` is
    /// the length of a path, or kUnreached.
    std::optional<std::string> prove(const Query& query, Distance given, Distance& distance);

    const Graph& graph_;
    Sssp::Certificate sssp_;
    std::optional<LowerBound> lower_bound_;  ///< made when it is first asked
    Vertex last_asked_ = kNoVertex;
    Vertex last_source_ = kNoVertex;  ///< of a plain search
    std::vector<Distance> last_distances_;
    std::unordered_map<std::uint64_t, Distance> asked_;  // source << 32 | target -> distance
  };

  static Graph open(const std::string& reference);
  static bool look_ahead(const std::string& reference);
  static Facts facts(const Graph& graph);
  /// Kinds:
  ///   uniform-pairs  count, seed: pair i is draw i of streams `sources` and `targets`
  ///                  (graph_input.hpp); when both are the same vertex, the target is the next one
  ///                  (the last one's next is the first)
  ///   list           list: source, target, source, target, ... ids from 1; the first `count`
  ///                  pairs, 0 for all
  ///   file           file: a DIMACS `.p2p` file; the first `count` pairs, 0 for all
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Graph& graph, const QueryRule& rule);
  static std::string query_text(const Query& query);
  /// Of the distance; paths may differ between right answers.
  static std::uint64_t digest(const Answer& answer);
  /// As text, and back (graph_input/answer_text.hpp). read_answer() throws InputError.
  static void write_answer(const Query& query, const Answer& answer, const TextSink& out);
  static Answer read_answer(const Graph& graph, const Query& query, const std::string& file);
  static auto parts(Answer& answer) { return std::tie(answer.distance, answer.path); }
  static std::string unmet(Need need, const Graph& graph);
  /// verify_graph(): opening a mapped file checks its header only.
  static void verify(const Graph& graph, std::string_view reference);
};

}  // namespace bellmark
