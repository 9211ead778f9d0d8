// Single-source shortest paths: from one source to every vertex.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark {

namespace sssp {
class GpuCertificate;
}  // namespace sssp

struct Sssp {
  static constexpr const char* kName = "sssp";
  static constexpr const char* kSummary =
      "Distances and predecessors from one source to all vertices";
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
    /// Empty, or a cycle of negative length that the source reaches, in the order of its arcs. The
    /// last vertex's arc leads to the first. The other two are then empty.
    std::vector<Vertex> negative_cycle = {};
  };

  /// Proves an answer right from the graph alone:
  ///   - the source has distance 0, and no arc is relaxable, so no distance is too large. No
  ///     distances pass where the source reaches a negative cycle: one of its arcs is relaxable;
  ///   - every other reached vertex has a predecessor whose arc to it is tight, and following
  ///     predecessors ends at the source. So every distance is the length of a real path. The end
  ///     at the source matters where cycles of length 0 let tight arcs form a cycle;
  ///   - a negative cycle goes arc by arc over different vertices, and the lightest of parallel
  ///     arcs counts. It has a length below 0, and a breadth-first search from the source finds it.
  /// check() takes O(n + m) and names the first fault: vertices by their file ids, with figures.
  /// From `gpu_from_arc_count` arcs on, a GPU that this process uses anyway goes over the arcs,
  /// where it has the memory (sssp/certificate_gpu.hpp). The first such check uploads the graph,
  /// which stays there. The CPU names a fault that the GPU finds. Throws Error when the two
  /// disagree or a CUDA call fails.
  class Certificate {
   public:
    /// The same bound as Bfs::Certificate's.
    static constexpr Offset kGpuFromArcCount = Offset{1} << 24;

    explicit Certificate(const Graph& graph, Offset gpu_from_arc_count = kGpuFromArcCount);
    ~Certificate();
    std::optional<std::string> check(const Query& query, const Answer& answer);
    /// Whether a GPU did the last check.
    bool on_gpu() const { return on_gpu_; }

   private:
    /// Null where the CPU is to check.
    sssp::GpuCertificate* gpu();
    std::optional<std::string> check_on_cpu(const Query& query, const Answer& answer) const;

    const Graph& graph_;
    Offset gpu_from_arc_count_;
    std::unique_ptr<sssp::GpuCertificate> gpu_;  ///< made at the first check that can use it
    bool on_gpu_ = false;
  };

  static Graph open(const std::string& reference);
  static bool look_ahead(const std::string& reference);
  /// graph_facts(), and where lengths are negative `negative_cycle`: "present" when the graph has
  /// one, "none" when it hasn't. A cycle that no source reaches is no error; only this fact tells
  /// of it. O(m), and O(n m) where lengths are negative (in practice far less).
  static Facts facts(const Graph& graph);
  /// Kinds `uniform-sources`, `list` and `file`: see make_sources() (graph_input.hpp).
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Graph& graph, const QueryRule& rule);
  static std::string query_text(const Query& query);
  /// Of the distances; predecessors may differ between right answers. All negative cycles have one
  /// value, because any of them is right.
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
  /// The lowest vertex whose distance is wrong, with the right one; nothing where there is none, or
  /// where it can't be told.
  static std::optional<std::string> first_wrong(const Graph& graph, const Query& query,
                                                const Answer& answer);
  static std::string unmet(Need need, const Graph& graph);
  /// verify_graph(): opening a mapped file checks its header only.
  static void verify(const Graph& graph, std::string_view reference);
};

}  // namespace bellmark
