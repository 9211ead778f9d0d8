// Breadth-first search from one source to every vertex, as Graph500 asks for it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

namespace bfs {
class GpuCertificate;
}

/// Arcs on a shortest path from the source, each counting as 1.
using Level = std::uint32_t;

inline constexpr Level kNoLevel = std::numeric_limits<Level>::max();

struct Bfs {
  static constexpr const char* kName = "bfs";
  static constexpr const char* kSummary = "Levels and predecessors from one source to all vertices";
  static constexpr const char* kDefaultQueries = "uniform-sources";

  using Input = Graph;
  struct Query {
    Vertex source;
    friend bool operator==(const Query&, const Query&) = default;
  };
  /// One a vertex.
  struct Answer {
    std::vector<Level> levels;         ///< kNoLevel where no path leads
    std::vector<Vertex> predecessors;  ///< kNoVertex for the source and unreached vertices
  };

  /// The five checks of Graph500 (its specification, section 8), for directed graphs too:
  ///   1. predecessors form a tree: each is one level above, so that no walk along them can turn
  ///      round, and only the source, at level 0, has no predecessor;
  ///   2. a vertex and its predecessor differ by one level;
  ///   3. an arc leads at most one level down (in a symmetric graph so its ends differ by at most
  ///      one);
  ///   4. all vertices that a path leads to are reached, others are not. No arc leads from a
  ///      reached vertex to an unreached one, and reached vertices hang on the tree;
  ///   5. the graph has an arc from each predecessor to its vertex.
  /// check() takes O(n + m) with all threads that the process may use. It names the fault at the
  /// lowest vertex, of the first check that fails. Vertices have their file ids.
  ///
  /// A graph of `gpu_from_arc_count` arcs or more is checked on a GPU where the process uses one
  /// that has the memory (bfs/certificate_gpu.hpp). The first such check uploads the graph, which
  /// then stays there. The CPU checks a wrong answer again, to name the fault. When it finds none,
  /// check() throws Error(internal).
  class Certificate {
   public:
    /// Fewer arcs take two cores tens of milliseconds. Their upload would take a good part of that.
    static constexpr Offset kGpuFromArcCount = Offset{1} << 24;

    explicit Certificate(const Graph& graph, Offset gpu_from_arc_count = kGpuFromArcCount);
    ~Certificate();
    std::optional<std::string> check(const Query& query, const Answer& answer);
    /// Whether a GPU did the last check.
    bool on_gpu() const { return on_gpu_; }

   private:
    /// Null where the CPU is to check.
    bfs::GpuCertificate* gpu();
    std::optional<std::string> check_on_cpu(const Query& query, const Answer& answer) const;

    const Graph& graph_;
    Offset gpu_from_arc_count_;
    std::unique_ptr<bfs::GpuCertificate> gpu_;  ///< made at the first check that can use it
    bool on_gpu_ = false;
  };

  static Graph open(const std::string& reference);
  static bool look_ahead(const std::string& reference);
  /// graph_facts(), and more facts. Where the graph has edge-list degrees: `edge_list_edge_count`,
  /// loops and duplicates included. Where there are vertices: `degrees_above_<bound>_ratio` for the
  /// bounds 1, 2, 4, ... below the largest degree. Where there are arcs:
  /// `block_degrees_above_32_ratio`, the share of rows with more than 32 arcs among those of
  /// kBlocks x kBlocks blocks of the adjacency matrix. That is hiragushi2013, Figure 11, with 128
  /// processes. O(n + m).
  static Facts facts(const Graph& graph);
  /// Kinds `uniform-sources` (draws among vertices that an arc leaves: Graph500's roots), `list`
  /// and `file`, as for sssp.
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Graph& graph, const QueryRule& rule);
  static std::string query_text(const Query& query);
  /// Of the levels; predecessors may differ between right answers.
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) { return std::tie(answer.levels, answer.predecessors); }
  /// `level_count` (of levels that have vertices), `reached_count` (vertices, with the source) and
  /// `traversed_edge_count`, which traversed edges per second (TEPS) are counted by. In a symmetric
  /// graph with edge-list degrees Graph500's rule holds (its specification, section 9): the edges
  /// of the list within the component of the source, loops and duplicates included. In any other
  /// graph it is the number of arcs that leave reached vertices, parallel ones included, and in a
  /// symmetric graph half that number. O(n) with all threads that the process may use.
  static Facts answer_facts(const Graph& graph, const Answer& answer);
  /// As text, and back (graph_input/answer_text.hpp). Predecessors that a file leaves out are found
  /// from its levels. read_answer() throws InputError.
  static void write_answer(const Query& query, const Answer& answer, const TextSink& out);
  static Answer read_answer(const Graph& graph, const Query& query, const std::string& file);
  /// The lowest vertex whose level is wrong, with the right one; nothing where none is.
  static std::optional<std::string> first_wrong(const Graph& graph, const Query& query,
                                                const Answer& answer);
  static std::string unmet(Need need, const Graph& graph);
  static void verify(const Graph& graph, std::string_view reference);

  /// The number of parts a side in which 128 processes with two blocks each cut the adjacency
  /// matrix.
  static constexpr Vertex kBlocks = 16;
};

}  // namespace bellmark
