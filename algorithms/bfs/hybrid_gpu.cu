// bfs/hybrid-gpu: Hybrid-BFS on one GPU. hiragushi2013, section 3: the host decides before each
// level which way it goes, by the counts of the one before (section 2.3), and launches its kernels
// (hybrid_gpu.cuh).
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms/bfs/gpu_options.hpp"
#include "algorithms/bfs/hybrid_gpu.cuh"
#include "algorithms/bfs/levels.hpp"
#include "algorithms/bfs/options.hpp"
#include "algorithms/bfs/problem.hpp"
#include "algorithms/contract/gpu.cuh"
#include "algorithms/contract/registry.hpp"

namespace bellmark::bfs::hybrid_gpu {
namespace {

constexpr const char* kName = "bfs/hybrid-gpu";

/// The answer stays on the device until extract(); levels are what the predecessors say.
template <Direction direction, class RowOffset>
class HybridGpu {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description;
    description.name = kName;
    description.summary = "By levels, top-down or bottom-up, on one GPU";
    description.source =
        "Hiragushi, Takahashi 2013, section 3; top-down by Merrill, Garland, "
        "Grimshaw 2011 in two phases";
    description.keys = {direction_key(), alpha_key(), beta_key(), threshold_key(),
                        row_offsets_key()};
    description.instance = {{"direction", to_string(direction)},
                            {"row_offsets", std::to_string(8 * sizeof(RowOffset))}};
    description.needs = {Need::cuda};
    if (direction != Direction::top_down) description.needs.push_back(Need::symmetric);
    description.aliases = {
        {"hiragushi2013:gpu-only", "direction=hybrid,alpha=10,beta=14,threshold=32"}};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return resolve_row_offsets(settings, graph.arc_count());
  }

  explicit HybridGpu(const Settings& settings)
      : alpha_(static_cast<std::uint64_t>(settings.integer("alpha"))),
        beta_(static_cast<std::uint64_t>(settings.integer("beta"))),
        threshold_(static_cast<std::uint32_t>(settings.integer("threshold"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    require_gpu(kName);
    block_ = Block(graph);
    rule_ = SwitchRule(alpha_, beta_, graph.vertex_count(), graph.arc_count());
    levels_.prepare(block_, threshold_, 0, kName, context);
    stream_ = std::make_unique<gpu::Stream>();
    clock_ = std::make_unique<LevelClock>();
    log_.reserve(graph.vertex_count());
    // What uses the default stream is done: a Stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    instrumented_ = context.instrumented();
    source_ = queries[0].source;
    log_.clear();
    gpu_ns_.clear();
    {
      const gpu::GpuPhase phase(context, "initialise", *stream_);
      levels_.begin(source_, *stream_);
    }
    gpu::GpuPhase phase(context, "search", *stream_);
    const std::uint64_t reached_count = search();
    phase.note("level_count", log_.level_count());
    phase.note("reached_count", reached_count);
  }

  void extract(Bfs::Answer& answer) const {
    answer.predecessors = levels_.predecessors();
    answer.levels = levels_of(answer.predecessors, source_);
  }

  /// A level a line; `gpu_ns` in an instrumented run, by events around its kernels.
  PhaseLog phase_log() const {
    const PhaseLog log = log_.phase_log();
    return instrumented_ ? with_column(log, "gpu_ns", gpu_ns_) : log;
  }

 private:
  /// Each level ends when the host has its counts: nothing is under way on return. Gives the number
  /// of vertices reached.
  std::uint64_t search() {
    std::uint64_t begin_ns = gpu::host_now_ns();
    Counts before = {0, 0};
    Counts reached = {1, block_.row_offsets()[source_ + 1] - block_.row_offsets()[source_]};
    LevelRow level;
    while (reached.vertex_count > before.vertex_count) {
      level.frontier_count = reached.vertex_count - before.vertex_count;
      level.frontier_arc_count = reached.arc_count - before.arc_count;
      level.unvisited_count = block_.rows().size() - reached.vertex_count;
      level.bottom_up =
          direction == Direction::hybrid
              ? rule_.bottom_up(level.bottom_up, level.frontier_count, level.frontier_arc_count)
              : direction == Direction::bottom_up;
      if (instrumented_) clock_->start(*stream_);
      if (level.bottom_up) {
        levels_.bottom_up(0, *stream_);
      } else {
        levels_.top_down(0, level.frontier_arc_count, *stream_);
      }
      if (instrumented_) clock_->stop(*stream_);
      levels_.turn();
      levels_.fetch_counts(*stream_);
      stream_->synchronize();
      if (instrumented_) gpu_ns_.push_back(clock_->ns());
      before = reached;
      reached = levels_.counts();
      const std::uint64_t now_ns = gpu::host_now_ns();
      level.host_ns = now_ns - begin_ns;
      begin_ns = now_ns;
      log_.push(level);
    }
    return reached.vertex_count;
  }

  std::uint64_t alpha_;
  std::uint64_t beta_;
  std::uint32_t threshold_;

  Block block_;
  SwitchRule rule_;
  DeviceLevels<RowOffset> levels_;
  std::unique_ptr<gpu::Stream> stream_;
  std::unique_ptr<LevelClock> clock_;

  // Of the last run.
  Vertex source_ = 0;
  bool instrumented_ = false;
  LevelLog log_;
  std::vector<std::uint64_t> gpu_ns_;
};

template <class RowOffset>
bool register_directions() {
  return detail::register_variants<HybridGpu<Direction::hybrid, RowOffset>,
                                   HybridGpu<Direction::top_down, RowOffset>,
                                   HybridGpu<Direction::bottom_up, RowOffset>>();
}

[[maybe_unused]] const bool registered =
    register_directions<std::uint32_t>() && register_directions<std::uint64_t>();

}  // namespace
}  // namespace bellmark::bfs::hybrid_gpu
