// Proof of the contract: a variant with run-time keys. A label-correcting search with a near and a
// far list, split at a threshold. The threshold moves up when the near list is empty.
#include <algorithm>
#include <span>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark {
namespace {

class NearFar {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description;
    description.name = "sssp/test-near-far";
    description.summary = "two lists split at a distance threshold";
    description.source = "test";
    description.keys = {
        at_run_time(integer_key("threshold", 100, 1, 1'000'000'000, "width of the near list"), true,
                    "length"),
        at_run_time(word_key("order", "first", {"first", "last"}, "which near vertex goes first")),
    };
    description.needs = {Need::non_negative};
    description.aliases = {{"test:wide", "threshold=1000000"}};
    return description;
  }

  explicit NearFar(const Settings& settings)
      : threshold_(settings.integer("threshold")), last_(settings.get("order") == "last") {}

  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    answer_.distances.assign(graph_.vertex_count(), kUnreached);
    answer_.predecessors.assign(graph_.vertex_count(), kNoVertex);
    answer_.distances[queries[0].source] = 0;
    std::vector<Vertex> near = {queries[0].source};
    std::vector<Vertex> far;
    std::uint64_t rounds = 0;
    for (Distance limit = threshold_;; ++rounds) {
      while (!near.empty()) {
        if (!last_) std::swap(near.front(), near.back());
        const Vertex u = near.back();
        near.pop_back();
        relax(u, limit, near, far);
      }
      if (far.empty()) break;
      Distance least = kUnreached;
      for (const Vertex v : far) least = std::min(least, answer_.distances[v]);
      limit = least + threshold_;
      const auto middle = std::partition(far.begin(), far.end(),
                                         [&](Vertex v) { return answer_.distances[v] >= limit; });
      near.assign(middle, far.end());
      far.erase(middle, far.end());
    }
    phase.note("round_count", rounds);
  }

  void extract(Sssp::Answer& answer) const { answer = answer_; }

 private:
  void relax(Vertex u, Distance limit, std::vector<Vertex>& near, std::vector<Vertex>& far) {
    for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph_.heads()[e];
      const Distance through = answer_.distances[u] + graph_.length(e);
      if (through >= answer_.distances[v]) continue;
      answer_.distances[v] = through;
      answer_.predecessors[v] = u;
      (through < limit ? near : far).push_back(v);
    }
  }

  Distance threshold_;
  bool last_;
  Graph graph_;
  Sssp::Answer answer_;
};

BELLMARK_REGISTER(NearFar);

}  // namespace
}  // namespace bellmark
