// sssp/near-far: Bellmark's own search on the GPU, one query at a time. Delta-stepping with two
// piles in one persistent kernel; algorithms/searches/near_far/ has the kernels and their cost
// models.
#include <memory>
#include <type_traits>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/near_far/answer.cuh"
#include "algorithms/searches/near_far/engine.cuh"
#include "algorithms/searches/near_far/options.hpp"

namespace bellmark {
namespace {

using near_far::Scope;

template <Scope scope, class Distance>
class NearFar {
 public:
  using Problem = Sssp;
  static constexpr bool kCluster = scope == Scope::cluster;

  static Description describe() {
    Description description = near_far::describe(8 * sizeof(Distance));
    description.name = "sssp/near-far";
    description.summary = "delta-stepping with two piles on the GPU, in one persistent kernel";
    description.keys.insert(description.keys.begin() + 1, near_far::scope_key());
    description.instance.set("scope", kCluster ? "cluster" : "device");
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return near_far::resolve(settings, graph);
  }

  explicit NearFar(const Settings& settings)
      : delta_(static_cast<Distance>(settings.integer("delta"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    near_far::require_device(graph);
    const near_far::Measure measure = near_far::measure_of<Distance>(graph);
    scaled_delta_ = static_cast<Distance>(delta_ * measure.scale);
    if constexpr (kCluster) {
      engine_.prepare(graph, measure, 1, 1, context);
    } else {
      engine_.prepare(graph, measure, context);
    }
    predecessors_.prepare(graph, measure, 1, context);
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const bool recorded = context.instrumented();
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      if constexpr (kCluster) {
        engine_.run({&queries[0].source, 1}, scaled_delta_, recorded, *stream_);
      } else {
        engine_.run(queries[0].source, scaled_delta_, recorded, *stream_);
      }
      predecessors_.find(engine_.labels().data(), 0, *stream_);
    }
    stream_->synchronize();
  }

  void extract(Sssp::Answer& answer) const {
    predecessors_.extract(engine_.labels().data(), 0, answer);
  }

  PhaseLog phase_log() const { return engine_.phase_log(); }

 private:
  Distance delta_;
  Distance scaled_delta_ = 1;
  std::conditional_t<kCluster, near_far::ClusterEngine<Distance>, near_far::DeviceEngine<Distance>>
      engine_;
  near_far::Predecessors<Distance> predecessors_;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(NearFar<Scope::cluster, std::uint32_t>, NearFar<Scope::cluster, std::uint64_t>,
                  NearFar<Scope::device, std::uint32_t>, NearFar<Scope::device, std::uint64_t>);

}  // namespace
}  // namespace bellmark
