// bfs/hybrid-gpu: Hybrid-BFS on one GPU. hiragushi2013, section 3: the host decides the direction
// before each level, by the counts of the one before (section 2.3). It then launches the level's
// kernels (device_levels.cuh).
#include <cstdint>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/hybrid_gpu_search.cuh"
#include "algorithms/searches/bfs/options.hpp"

namespace bellmark::bfs::hybrid_gpu {
namespace {

constexpr const char* kName = "bfs/hybrid-gpu";

/// The answer stays on the device until extract().
template <Direction direction, class RowOffset>
class HybridGpu {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description = Search<direction, RowOffset>::describe();
    description.name = kName;
    description.summary = "Levels top-down or bottom-up on one GPU";
    description.source =
        "Hiragushi, Takahashi 2013, section 3; top-down by Merrill, Garland, "
        "Grimshaw 2011 in two phases";
    description.keys = {direction_key(), alpha_key(),       beta_key(),
                        threshold_key(), row_offsets_key(), untimed_levels_key()};
    description.aliases = {{"hiragushi2013:gpu-only",
                            "direction=hybrid,alpha=10,beta=14,threshold=32,untimed=levels"}};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return resolve_row_offsets(settings, graph.arc_count());
  }

  explicit HybridGpu(const Settings& settings) : search_(settings) {}

  void prepare(const Graph& graph, RunContext& context) {
    search_.prepare(Block(graph), 0, kName, context);
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    {
      const gpu::GpuPhase phase(context, "initialise", search_.stream());
      search_.begin(queries[0].source, context.instrumented());
    }
    gpu::GpuPhase phase(context, "search", search_.stream());
    while (search_.plan()) {
      search_.launch(0);
      search_.fetch_counts();
      search_.finish();
    }
    search_.note_counts(phase);
  }

  void extract(Bfs::Answer& answer) const { search_.extract(answer); }

  PhaseLog phase_log() const { return search_.phase_log(); }

 private:
  Search<direction, RowOffset> search_;
};

BELLMARK_REGISTER(HybridGpu<Direction::hybrid, std::uint32_t>,
                  HybridGpu<Direction::top_down, std::uint32_t>,
                  HybridGpu<Direction::bottom_up, std::uint32_t>,
                  HybridGpu<Direction::hybrid, std::uint64_t>,
                  HybridGpu<Direction::top_down, std::uint64_t>,
                  HybridGpu<Direction::bottom_up, std::uint64_t>);

}  // namespace
}  // namespace bellmark::bfs::hybrid_gpu
