// Proof of the contract: a batch variant. Bellman-Ford over many sources at once, the distances of
// one vertex side by side.
#include <span>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark {
namespace {

class Batch {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description;
    description.name = "sssp/test-batch";
    description.summary = "Bellman-Ford over many sources at once";
    description.source = "test";
    description.needs = {Need::non_negative};
    description.batch = true;
    return description;
  }

  explicit Batch(const Settings&) {}

  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }

  void run(std::span<const Sssp::Query> queries, RunContext&) {
    width_ = queries.size();
    distances_.assign(graph_.vertex_count() * width_, kUnreached);
    predecessors_.assign(graph_.vertex_count() * width_, kNoVertex);
    for (std::size_t i = 0; i < width_; ++i) distances_[queries[i].source * width_ + i] = 0;
    while (improve()) {
    }
  }

  void extract(std::size_t i, Sssp::Answer& answer) const {
    answer.distances.clear();
    answer.predecessors.clear();
    for (std::size_t v = 0; v < graph_.vertex_count(); ++v) {
      answer.distances.push_back(distances_[v * width_ + i]);
      answer.predecessors.push_back(predecessors_[v * width_ + i]);
    }
  }

 private:
  bool improve() {
    bool improved = false;
    for (Vertex u = 0; u < graph_.vertex_count(); ++u) {
      for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[u + 1]; ++e) {
        for (std::size_t i = 0; i < width_; ++i) {
          const Distance from = distances_[u * width_ + i];
          Distance& to = distances_[graph_.heads()[e] * width_ + i];
          if (from == kUnreached || from + graph_.length(e) >= to) continue;
          to = from + graph_.length(e);
          predecessors_[graph_.heads()[e] * width_ + i] = u;
          improved = true;
        }
      }
    }
    return improved;
  }

  Graph graph_;
  std::size_t width_ = 0;
  std::vector<Distance> distances_;
  std::vector<Vertex> predecessors_;
};

BELLMARK_REGISTER(Batch);

}  // namespace
}  // namespace bellmark
