// sssp/near-far-batch: many sources at once, a thread-block cluster each. One query leaves most of
// the GPU idle on a road graph: its frontier is small, and a round is latency. The clusters wait
// side by side instead.
#include <memory>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/near_far/answer.cuh"
#include "algorithms/searches/near_far/engine.cuh"
#include "algorithms/searches/near_far/options.hpp"

namespace bellmark {
namespace {

template <class Distance>
class NearFarBatch {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description = near_far::describe(8 * sizeof(Distance));
    description.name = "sssp/near-far-batch";
    description.summary = "many sources at once on the GPU, a thread-block cluster each";
    description.batch = true;
    return description;
  }

  /// Only clusters answer side by side, whatever the graph.
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return near_far::resolve(settings, graph, near_far::Scope::cluster);
  }

  explicit NearFarBatch(const Settings& settings)
      : delta_(static_cast<Distance>(settings.integer("delta"))) {}

  void prepare(const Graph& graph, RunContext&) {
    near_far::require_device(graph);
    graph_ = graph;
    measure_ = near_far::measure_of<Distance>(graph);
    stream_ = std::make_unique<gpu::Stream>();
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    // How many there are is known only now, in the first, untimed run; the answers of all of them
    // stay on the device.
    if (queries.size() != query_count_) allocate(queries.size(), context);
    sources_.clear();
    for (const Sssp::Query& query : queries) sources_.push_back(query.source);
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      engine_.run(sources_, static_cast<Distance>(delta_ * measure_.scale), context.instrumented(),
                  *stream_);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        predecessors_.find(labels(i), i, *stream_);
      }
    }
    stream_->synchronize();
  }

  void extract(std::size_t i, Sssp::Answer& answer) const {
    predecessors_.extract(labels(i), i, answer);
  }

 private:
  static constexpr unsigned kMostClusters = 64;

  void allocate(std::size_t query_count, RunContext& context) {
    query_count_ = query_count;
    engine_ = {};
    predecessors_ = {};
    engine_.prepare(graph_, measure_, kMostClusters, query_count, context);
    predecessors_.prepare(graph_, measure_, query_count, context);
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  const near_far::Word* labels(std::size_t i) const {
    return engine_.labels().data() + i * graph_.vertex_count();
  }

  Distance delta_;
  near_far::Measure measure_;
  Graph graph_;
  std::size_t query_count_ = 0;
  std::vector<Vertex> sources_;
  near_far::ClusterEngine<Distance> engine_;
  near_far::Predecessors<Distance> predecessors_;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(NearFarBatch<std::uint32_t>, NearFarBatch<std::uint64_t>);

}  // namespace
}  // namespace bellmark
