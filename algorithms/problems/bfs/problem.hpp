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
  ///      round, and only the source, at level 0, has none;
  ///   2. a vertex and its predecessor differ by one level;
  ///   3. an arc leads at most one level down (in a symmetric graph so its ends differ by at most
  ///      one);
  ///   4. all vertices that a path leads to are reached, others are not: no arc leads from a
  ///      reached vertex to an unreached one, and those that are reached hang on the tree;
  ///   5. the graph has an arc from each predecessor to its vertex.
  /// check() takes O(n + m) with all threads that the process may use, and names the fault at the
  /// lowest vertex (of the first check that fails): vertices by their file ids.
  ///
  /// A graph of `gpu_from_arc_count` arcs or more is checked on a GPU where the process uses one
  /// that has the memory (bfs/certificate_gpu.hpp): the first such check uploads the graph, which
  /// then stays there. What a GPU finds wrong the CPU checks again, to name the fault; when it
  /// finds none, check() throws Error(internal).
  class Certificate {
   public:
    /// Fewer arcs take two cores tens of milliseconds: to upload them would take a good part of
    /// that.
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
  /// graph_facts(); where the graph has edge-list degrees `edge_list_edge_count`, loops and
  /// duplicates included; where there are vertices `degrees_above_<bound>_ratio` for the bounds 1,
  /// 2, 4, ... below the largest degree; and where there are arcs `block_degrees_above_32_ratio`:
  /// of the rows of kBlocks x kBlocks blocks of the adjacency matrix, how many have more than 32
  /// arcs (hiragushi2013, Figure 11: with 128 processes). O(n + m).
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
  /// `traversed_edge_count`, what traversed edges per second (TEPS) are counted by. In a symmetric
  /// graph with edge-list degrees Graph500's rule (its specification, section 9): the edges of the
  /// list within the component of the source, loops and duplicates included. In any other graph
  /// arcs that leave reached vertices, as often as the graph has them, and in a symmetric one half
  /// as many. O(n) with all threads that the process may use.
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

  /// What 128 processes that hold two blocks each make of the adjacency matrix, a side.
  static constexpr Vertex kBlocks = 16;
};

}  // namespace bellmark
