// bfs/near-far: breadth-first search of graphs with many levels on the whole GPU, by the kernel of
// sssp/near-far. A level of a road map is a few hundred vertices, and a barrier over the device
// takes longer than they do. Here a bucket is many levels, and a block follows several arcs alone
// between two barriers. Some vertices then get a level too high first, and are searched again.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/equal_lengths.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/near_far/answer.cuh"
#include "algorithms/searches/near_far/engine.cuh"
#include "algorithms/searches/near_far/expansion.cuh"
#include "algorithms/searches/near_far/options.hpp"

namespace bellmark {
namespace {

class BfsNearFar {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description = near_far::describe(32);
    description.name = kFamily;
    description.summary = "Buckets of many levels in one persistent kernel on a GPU";
    description.keys = {
        word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
        at_run_time(integer_key("delta", 1000, 1, kLargestDelta, "Levels of a bucket"), true),
        near_far::contract_key(), near_far::hops_key(), near_far::ahead_key()};
    description.instance = {{"device", "gpu"}};
    description.needs = {Need::cuda};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    Settings resolved = settings;
    if (graph.arc_count() > gpu::kMostNarrowArcs) {  // prepare() refuses it
      resolved.set(contracted::kContract, "none");
      return resolved;
    }
    Settings searched = settings;
    searched.set("rows", "slots");
    searched.set("distance", "32");
    searched = near_far::resolve(searched, bfs::without_lengths(graph), near_far::Scope::device);
    for (const char* key : {contracted::kContract, "hops", "ahead"}) {
      resolved.set(key, searched.get(key));
    }
    return resolved;
  }

  explicit BfsNearFar(const Settings& settings)
      : delta_(static_cast<Level>(settings.integer("delta"))),
        hops_(static_cast<unsigned>(settings.integer("hops"))),
        ahead_(static_cast<unsigned>(settings.integer("ahead"))) {
    if (contracted::contracts(settings)) expansion_.emplace();
  }

  void prepare(const Graph& graph, RunContext& context) {
    near_far::require_device(kFamily);
    near_far::require_arcs(graph, kFamily, "bfs/persistent");
    const Graph equal = bfs::without_lengths(graph);
    const near_far::Measure measure = near_far::measure_of<Level>(equal);
    const Graph searched =
        expansion_ ? expansion_->prepare(equal, near_far::longest_chain(equal, delta_, 32), context)
                   : equal;
    engine_.prepare(searched, measure, hops_, ahead_, kFamily, context);
    labels_.prepare(equal, measure, 1, context);
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    gpu::WorkSums* const work = counter_.begin(context.work());
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      near_far::Starts<Level> starts{{.vertex = queries[0].source}, {}};
      if (expansion_) {
        expansion_->begin();
        starts = expansion_->add(queries[0].source);
        expansion_->upload(*stream_);
      }
      engine_.run(starts, delta_, context.instrumented(), work, *stream_);
      if (expansion_) expansion_->expand(0, engine_.labels().data(), *stream_);
    }
    stream_->synchronize();
    if (context.work() != nullptr) near_far::count_work(counter_.counts(), *context.work());
  }

  void extract(Bfs::Answer& answer) const {
    Sssp::Answer paths;
    labels_.extract(engine_.labels().data(), 0, paths);
    answer.predecessors = std::move(paths.predecessors);
    answer.levels.resize(paths.distances.size());
    for (std::size_t v = 0; v < answer.levels.size(); ++v) {
      const bool reached = paths.distances[v] != kUnreached;
      answer.levels[v] = reached ? static_cast<Level>(paths.distances[v]) : kNoLevel;
    }
  }

  PhaseLog phase_log() const { return engine_.phase_log(); }

 private:
  static constexpr const char* kFamily = "bfs/near-far";
  static constexpr std::int64_t kLargestDelta = 1'000'000'000;

  Level delta_;
  unsigned hops_;
  unsigned ahead_;
  near_far::SlotEngine<Level> engine_;
  std::optional<near_far::Expansion<Level>> expansion_;  ///< with contract=chains
  near_far::Predecessors<Level> labels_;
  gpu::WorkCounter counter_;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(BfsNearFar);

}  // namespace
}  // namespace bellmark
