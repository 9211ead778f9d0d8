// Breadth-first search by several ranks; no rank holds the whole graph or the whole answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"
#include "algorithms/problems/distributed_bfs/grid_ranks.hpp"

namespace bellmark {

/// The problem `bfs` for the ranks of a launch group. Every function is collective. It gives all
/// ranks the same results but for the answers' vertices. Sources, facts and the texts of faults are
/// those of `bfs`, for any number of ranks.
struct DistributedBfs {
  static constexpr const char* kName = "distributed-bfs";
  static constexpr const char* kSummary =
      "Levels and predecessors from one source, found by several ranks";
  static constexpr const char* kDefaultQueries = "uniform-sources";
  static constexpr bool kDistributed = true;

  using Input = distributed_bfs::DistributedGraph;  ///< as a grid
  using Query = Bfs::Query;
  /// The answer for the vertices of this rank's piece. Ids are those of the whole graph.
  struct Answer {
    Communicator* ranks = nullptr;  ///< whose answers make up the whole
    bfs::VertexRange vertices;
    std::vector<Level> levels;         ///< kNoLevel where no path leads
    std::vector<Vertex> predecessors;  ///< kNoVertex for the source and unreached vertices
  };

  /// The checks of Bfs::Certificate, across ranks. Every block gets the levels of its rows, and the
  /// levels and predecessors of its columns. The block where a vertex and its predecessor lie
  /// compares the two, and looks for the arc between them. Sending apart, it takes O((n + m) / P +
  /// n / sqrt(P)) time by all threads that the process may use. It takes O(n / sqrt(P)) memory a
  /// rank: 4 bytes for each row, 9 for each column, and 4 for each vertex of a piece. All ranks
  /// name the fault that Bfs::Certificate names. Where rows don't ascend, arcs of one tail may be
  /// in another order.
  class Certificate {
   public:
    explicit Certificate(const Input& graph)
        : graph_(graph), grid_(graph.partition(), graph.ranks()) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const;

   private:
    const Input& graph_;
    distributed_bfs::GridRanks grid_;
  };

  /// For the ranks of world().
  static Input open(const std::string& reference);
  static bool look_ahead(const std::string& reference);
  /// Collective; O(n + m) by one rank, where the graph is a file's.
  static void verify(const Input& graph, const std::string& reference) { graph.verify(reference); }
  /// `digest`, `vertex_count`, `arc_count`, `symmetric`, `sorted_rows`, `provenance`, where there
  /// is a list of edges `edge_list_edge_count`, `mean_degree`, and `degrees_above_<bound>_ratio` as
  /// in Bfs::facts(). The digest is of the arcs, in any order. It is the same for any number of
  /// ranks, and differs from that of other problems. Lengths are not held, so that there are no
  /// facts of them. O((n + m) / P).
  static Facts facts(const Input& graph);
  /// Kinds as for `bfs`; the same rule gives the same queries.
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Input& graph, const QueryRule& rule);
  static std::string query_text(const Query& query) { return Bfs::query_text(query); }
  /// The digest of the levels, whose digests by vertex are added up: the same for any number of
  /// ranks.
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) { return std::tie(answer.levels, answer.predecessors); }
  /// `level_count`, `reached_count` and `traversed_edge_count` as in Bfs::answer_facts(). Where the
  /// graph lacks edges of its list, the last is by Graph500's rule (its specification, section 9):
  /// edges of the list within the component of the source, loops and duplicates too.
  static Facts answer_facts(const Input& graph, const Answer& answer);
  static std::string unmet(Need need, const Input& graph);
};

}  // namespace bellmark
