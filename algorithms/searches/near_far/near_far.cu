// sssp/near-far: Bellmark's own search on the GPU, one query at a time. It is delta-stepping with
// two piles in one persistent kernel; algorithms/searches/near_far/ has the kernels and their cost
// models.
#include <memory>
#include <optional>
#include <type_traits>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/near_far/answer.cuh"
#include "algorithms/searches/near_far/engine.cuh"
#include "algorithms/searches/near_far/expansion.cuh"
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
    description.summary = "Delta-stepping with two piles in one persistent kernel on a GPU";
    description.keys.insert(description.keys.begin() + 1, near_far::scope_key());
    description.keys.push_back(near_far::rows_key());
    for (const Key& key : near_far::direction_keys()) description.keys.push_back(key);
    description.keys.push_back(near_far::contract_key());
    description.keys.push_back(near_far::hops_key());
    description.keys.push_back(near_far::ahead_key());
    description.instance.set("scope", kCluster ? "cluster" : "device");
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return near_far::resolve(settings, graph);
  }

  explicit NearFar(const Settings& settings)
      : delta_(static_cast<Distance>(settings.integer("delta"))),
        horizon_(static_cast<Distance>(settings.integer("horizon"))),
        pulls_(settings.get("direction") == "push-pull"),
        hops_(static_cast<unsigned>(settings.integer("hops"))),
        ahead_(static_cast<unsigned>(settings.integer("ahead"))) {
    if constexpr (!kCluster) {
      if (settings.get("rows") == "slots") slot_engine_.emplace();
    }
    if (contracted::contracts(settings)) expansion_.emplace();
  }

  void prepare(const Graph& graph, RunContext& context) {
    near_far::require_device("sssp/near-far");
    const near_far::Measure measure = near_far::measure_of<Distance>(graph);
    scaled_delta_ = static_cast<Distance>(delta_ * measure.scale);
    scaled_horizon_ = static_cast<Distance>(horizon_ * measure.scale);
    const Graph searched =
        expansion_
            ? expansion_->prepare(
                  graph, near_far::longest_chain(graph, delta_, 8 * sizeof(Distance)), context)
            : graph;
    if constexpr (kCluster) {
      engine_.prepare(searched, measure, 1, hops_, ahead_, context);
    } else if (slot_engine_) {
      slot_engine_->prepare(searched, measure, hops_, ahead_, "sssp/near-far", context);
    } else {
      const std::uint64_t light = std::uint64_t{scaled_delta_} + scaled_horizon_;
      engine_.prepare(searched, measure, pulls_, light, context);
    }
    predecessors_.prepare(graph, measure, 1, context);
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const bool recorded = context.instrumented();
    gpu::WorkSums* const work = counter_.begin(context.work());
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      const Vertex source = queries[0].source;
      near_far::Starts<Distance> starts{{.vertex = source}, {}};
      if (expansion_) {
        expansion_->begin();
        starts = expansion_->add(source);
        expansion_->upload(*stream_);
      }
      if constexpr (kCluster) {
        engine_.run({&starts, 1}, scaled_delta_, recorded, work, *stream_);
      } else if (slot_engine_) {
        slot_engine_->run(starts, scaled_delta_, recorded, work, *stream_);
      } else {
        engine_.run(starts, scaled_delta_, scaled_horizon_, recorded, work, *stream_);
      }
      if (expansion_) expansion_->expand(0, labels(), *stream_);
      predecessors_.find(labels(), 0, *stream_);
    }
    stream_->synchronize();
    if (context.work() != nullptr) near_far::count_work(counter_.counts(), *context.work());
  }

  void extract(Sssp::Answer& answer) const { predecessors_.extract(labels(), 0, answer); }

  PhaseLog phase_log() const {
    return slot_engine_ ? slot_engine_->phase_log() : engine_.phase_log();
  }

 private:
  near_far::Word* labels() const {
    return slot_engine_ ? slot_engine_->labels().data() : engine_.labels().data();
  }

  Distance delta_;
  Distance horizon_;
  bool pulls_;
  unsigned hops_;
  unsigned ahead_;
  Distance scaled_delta_ = 1;
  Distance scaled_horizon_ = 0;
  std::conditional_t<kCluster, near_far::ClusterEngine<Distance, 1>,
                     near_far::DeviceEngine<Distance>>
      engine_;
  std::optional<near_far::SlotEngine<Distance>> slot_engine_;  ///< in its place, with rows=slots
  std::optional<near_far::Expansion<Distance>> expansion_;     ///< with contract=chains
  near_far::Predecessors<Distance> predecessors_;
  gpu::WorkCounter counter_;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(NearFar<Scope::cluster, std::uint32_t>, NearFar<Scope::cluster, std::uint64_t>,
                  NearFar<Scope::device, std::uint32_t>, NearFar<Scope::device, std::uint64_t>);

}  // namespace
}  // namespace bellmark
