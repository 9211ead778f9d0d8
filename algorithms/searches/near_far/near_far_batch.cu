// sssp/near-far-batch: many sources at once, a thread-block cluster each. One query leaves most of
// the GPU idle on a road graph: its frontier is small, and a round is latency. The clusters wait
// side by side instead.
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/near_far/answer.cuh"
#include "algorithms/searches/near_far/engine.cuh"
#include "algorithms/searches/near_far/expansion.cuh"
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
    description.summary = "Many sources at once on a GPU; a thread-block cluster for each";
    description.batch = true;
    description.keys.push_back(near_far::contract_key());
    return description;
  }

  /// Only clusters answer side by side, on any graph.
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return near_far::resolve(settings, graph, near_far::Scope::cluster);
  }

  explicit NearFarBatch(const Settings& settings)
      : delta_(static_cast<Distance>(settings.integer("delta"))) {
    if (contracted::contracts(settings)) expansion_.emplace();
  }

  void prepare(const Graph& graph, RunContext& context) {
    near_far::require_device("sssp/near-far-batch");
    near_far::require_arcs(graph, "sssp/near-far-batch", "sssp/dijkstra-queries");
    graph_ = graph;
    searched_ = graph;
    if (expansion_) {
      searched_ = expansion_->prepare(
          graph, near_far::longest_chain(graph, delta_, 8 * sizeof(Distance)), context);
    }
    measure_ = near_far::measure_of<Distance>(graph);
    stream_ = std::make_unique<gpu::Stream>();
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    // The number of queries is known only here, in the first, untimed run; all answers stay on the
    // device.
    if (queries.size() != query_count_) allocate(queries.size(), context);
    starts_.clear();
    if (expansion_) expansion_->begin();
    for (const auto& [source] : queries) {
      starts_.push_back(expansion_ ? expansion_->add(source)
                                   : near_far::Starts<Distance>{{.vertex = source}, {}});
    }
    gpu::WorkSums* const work = counter_.begin(context.work());
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      if (expansion_) expansion_->upload(*stream_);
      engine_.run(starts_, static_cast<Distance>(delta_ * measure_.scale), context.instrumented(),
                  work, *stream_);
      for (std::size_t i = 0; i < queries.size(); ++i) {
        if (expansion_) expansion_->expand(i, labels(i), *stream_);
        predecessors_.find(labels(i), i, *stream_);
      }
    }
    stream_->synchronize();
    if (context.work() != nullptr) near_far::count_work(counter_.counts(), *context.work());
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
    engine_.prepare(searched_, measure_, query_count, 1, 0, context);
    predecessors_.prepare(graph_, measure_, query_count, context);
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  near_far::Word* labels(std::size_t i) const {
    return engine_.labels().data() + i * graph_.vertex_count();
  }

  Distance delta_;
  near_far::Measure measure_;
  Graph graph_;
  Graph searched_;                                          ///< all of it, or its core
  std::optional<near_far::Expansion<Distance>> expansion_;  ///< with contract=chains
  std::size_t query_count_ = 0;
  std::vector<near_far::Starts<Distance>> starts_;
  near_far::ClusterEngine<Distance, kMostClusters> engine_;
  near_far::Predecessors<Distance> predecessors_;
  gpu::WorkCounter counter_;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(NearFarBatch<std::uint32_t>, NearFarBatch<std::uint64_t>);

}  // namespace
}  // namespace bellmark
