// Proof of the contract: a variant that goes by phases and logs them. It runs the rounds of Harish
// and Narayanan (suzuki, Algorithms 1 to 3) on one CPU thread. So the use of phase logs can be
// tested without a GPU.
#include <chrono>
#include <span>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark {
namespace {

class BellmanFord {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description;
    description.name = "sssp/test-bellman-ford";
    description.summary = "rounds over all vertices or over the updated ones, with a phase log";
    description.source = "test";
    description.keys = {at_run_time(
        word_key("vertices", "all", {"all", "updated"}, "which vertices a round visits"))};
    description.needs = {Need::non_negative};
    return description;
  }

  explicit BellmanFord(const Settings& settings) : all_(settings.get("vertices") == "all") {}

  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }

  /// Counting is instrumentation: a plain run logs only its times.
  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const Phase phase(context, "search");
    const Vertex n = graph_.vertex_count();
    answer_.distances.assign(n, kUnreached);
    answer_.predecessors.assign(n, kNoVertex);
    answer_.distances[queries[0].source] = 0;
    log_.columns = {"host_ns"};
    if (context.instrumented()) log_.columns = {"updated_count", "visited_count", "host_ns"};
    log_.values.clear();

    updates_ = answer_.distances;
    std::vector<Vertex> updated = {queries[0].source};
    while (!updated.empty()) {
      const auto begin = std::chrono::steady_clock::now();
      const std::uint64_t visited = all_ ? n : updated.size();
      for (const Vertex u : updated) relax(u);
      updated = commit();
      if (context.instrumented()) {
        log_.values.push_back(updated.size());
        log_.values.push_back(visited);
      }
      const auto time = std::chrono::steady_clock::now() - begin;
      log_.values.push_back(static_cast<std::uint64_t>(
          std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
    }
  }

  void extract(Sssp::Answer& answer) const { answer = answer_; }
  PhaseLog phase_log() const { return log_; }

 private:
  /// Reads the distances of the last round and writes the next ones. The number of rounds, and the
  /// updates of each, don't depend on the order.
  void relax(Vertex u) {
    for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph_.heads()[e];
      const Distance through = answer_.distances[u] + graph_.length(e);
      if (through >= updates_[v]) continue;
      updates_[v] = through;
      answer_.predecessors[v] = u;
    }
  }

  std::vector<Vertex> commit() {
    std::vector<Vertex> updated;
    for (Vertex v = 0; v < graph_.vertex_count(); ++v) {
      if (updates_[v] == answer_.distances[v]) continue;
      answer_.distances[v] = updates_[v];
      updated.push_back(v);
    }
    return updated;
  }

  bool all_;
  Graph graph_;
  Sssp::Answer answer_;
  std::vector<Distance> updates_;
  PhaseLog log_;
};

BELLMARK_REGISTER(BellmanFord);

}  // namespace
}  // namespace bellmark
