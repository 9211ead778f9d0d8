// sssp/phast-batch: many sources at once on the GPU, by sweeps over a contraction hierarchy in
// which all sources share each row. Delling, Goldberg, Nowatzyk, Werneck: PHAST:
// hardware-accelerated shortest path trees, IPDPS 2011. There the way up is a search a source on
// the CPU. Here it is a sweep too, so that only the sources come from the host.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/contraction_hierarchy/contraction.hpp"
#include "algorithms/searches/phast/levels.hpp"
#include "algorithms/searches/phast/sweep.cuh"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark {
namespace {

using contraction_hierarchy::Contraction;
using contraction_hierarchy::Limits;

constexpr const char* kFamily = "sssp/phast-batch";

/// Rows of arcs in device memory.
class UploadedRows {
 public:
  void upload(const phast::EnteringRows& rows) {
    offsets_ = gpu::upload(rows.offsets);
    arcs_ = gpu::upload(rows.arcs);
  }
  phast::DeviceRows view() const { return {offsets_.data(), arcs_.data()}; }
  std::uint64_t bytes() const { return offsets_.bytes() + arcs_.bytes(); }

 private:
  gpu::DeviceArray<std::uint32_t> offsets_;
  gpu::DeviceArray<phast::Entering> arcs_;
};

class PhastBatch {
 public:
  using Problem = Sssp;

  static Description describe() {
    Description description;
    description.name = kFamily;
    description.summary = "Many sources at once on a GPU, by sweeps over a contraction hierarchy";
    description.source = "PHAST: Delling, Goldberg, Nowatzyk, Werneck (IPDPS 2011)";
    description.keys = {word_key("device", "gpu", {"gpu"}, "Device that runs the search")};
    description.instance = {{"device", "gpu"}};
    description.needs = {Need::cuda, Need::non_negative};
    description.batch = true;
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    constexpr const char* kInstead = "use sssp/near-far-batch";
    if (graph.arc_count() > std::numeric_limits<std::uint32_t>::max() / 16) {
      throw UnmetError(kFamily,
                       "shortcuts of " + std::to_string(graph.arc_count()) +
                           " arcs may be more than 32 bits can count",
                       kInstead);
    }
    if (graph.arc_count() > 0 && graph.properties().least_length == 0) {
      throw UnmetError(kFamily, "the graph has arcs of length 0, which leave predecessors open",
                       kInstead);
    }
    if (const std::uint64_t bound = distance_bound(graph).value; bound >= phast::kInfinite) {
      throw UnmetError(kFamily,
                       "distances up to " + std::to_string(bound) + " may lie beyond its " +
                           std::to_string(phast::kInfinite),
                       kInstead);
    }
    return settings;
  }

  explicit PhastBatch(const Settings&) {}

  /// Throws UnmetError where shortcuts explode.
  void prepare(const Graph& graph, RunContext& context) {
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError(kFamily, reason, "run it where a CUDA device is");
    }
    vertex_count_ = graph.vertex_count();
    {
      ThreadTeam team(1, context);
      const phast::Levels levels = phast::make_levels(
          Contraction<std::uint32_t>(graph, distance_bound(graph).value, Limits::of(graph))
              .contract_all(team));
      vertices_ = gpu::upload(levels.vertices);
      level_offsets_ = gpu::upload(levels.level_offsets);
      level_count_ = static_cast<std::uint32_t>(levels.level_offsets.size() - 1);
      from_below_.upload(levels.from_below);
      from_above_.upload(levels.from_above);
    }
    entering_.upload(phast::entering_rows(graph));
    context.account("device rows", from_below_.bytes() + from_above_.bytes() + entering_.bytes() +
                                       vertices_.bytes() + level_offsets_.bytes());
    is_reached_ = gpu::DeviceArray<std::uint8_t>(vertex_count_);
    int blocks = 0;
    gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, phast::sweep_kernel,
                                                             phast::kThreads, 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    grid_ = static_cast<unsigned>(blocks * gpu::properties().multiProcessorCount);
    stream_ = std::make_unique<gpu::Stream>();
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    // The number of queries is known only here, in the first, untimed run; all answers stay on the
    // device.
    if (queries.size() != source_count_) allocate(queries.size(), context);
    if (vertex_count_ == 0 || source_count_ == 0) return;
    for (std::size_t i = 0; i < queries.size(); ++i) host_sources_[i] = queries[i].source;
    {
      const gpu::GpuPhase phase(context, "sweeps", *stream_);
      enqueue_sweeps();
    }
    {
      const gpu::GpuPhase phase(context, "predecessors", *stream_);
      const std::uint64_t threads = std::uint64_t{vertex_count_} * row_size_ / 4;
      phast::predecessor_kernel<<<blocks_of(threads), phast::kThreads, 0, *stream_>>>(
          entering_.view(), vertex_count_, row_size_, distances_.data(), predecessors_.data());
      gpu::check_launch("predecessor_kernel");
    }
    stream_->synchronize();
  }

  void extract(std::size_t i, Sssp::Answer& answer) const {
    const gpu::DeviceArray<uint2> column(vertex_count_);
    if (vertex_count_ > 0) {
      phast::column_kernel<<<blocks_of(vertex_count_), phast::kThreads>>>(
          vertex_count_, row_size_, static_cast<std::uint32_t>(i), distances_.data(),
          predecessors_.data(), column.data());
      gpu::check_launch("column_kernel");
    }
    const std::vector<uint2> found = gpu::download(column);
    answer.distances.resize(vertex_count_);
    answer.predecessors.resize(vertex_count_);
    for (std::size_t v = 0; v < found.size(); ++v) {
      answer.distances[v] = found[v].x == phast::kInfinite ? kUnreached : Distance{found[v].x};
      answer.predecessors[v] = found[v].y;
    }
  }

 private:
  static unsigned blocks_of(std::uint64_t threads) {
    return static_cast<unsigned>((threads + phast::kThreads - 1) / phast::kThreads);
  }

  void allocate(std::size_t source_count, RunContext& context) {
    source_count_ = source_count;
    distances_ = {};
    predecessors_ = {};
    const std::uint64_t rounded =
        (source_count + phast::kWarpSources - 1) / phast::kWarpSources * phast::kWarpSources;
    const std::uint64_t values = rounded * vertex_count_;
    gpu::require_memory(values * (sizeof(std::uint32_t) + sizeof(Vertex)), kFamily);
    row_size_ = static_cast<std::uint32_t>(rounded);
    distances_ = gpu::DeviceArray<std::uint32_t>(values);
    predecessors_ = gpu::DeviceArray<Vertex>(values);
    host_sources_ = gpu::PinnedArray<Vertex>(source_count);
    sources_ = gpu::DeviceArray<Vertex>(source_count);
    context.account("device distances", distances_.bytes());
    context.account("device predecessors", predecessors_.bytes());
  }

  void enqueue_sweeps() {
    gpu::check(cudaMemcpyAsync(sources_.data(), host_sources_.data(), sources_.bytes(),
                               cudaMemcpyHostToDevice, *stream_),
               "cudaMemcpyAsync");
    gpu::check(
        cudaMemsetAsync(distances_.data(), phast::kInfiniteByte, distances_.bytes(), *stream_),
        "cudaMemsetAsync");
    gpu::check(cudaMemsetAsync(is_reached_.data(), 0, is_reached_.bytes(), *stream_),
               "cudaMemsetAsync");
    phast::Sweep sweep = {vertices_.data(),
                          level_offsets_.data(),
                          level_count_,
                          from_below_.view(),
                          from_above_.view(),
                          sources_.data(),
                          static_cast<std::uint32_t>(source_count_),
                          row_size_,
                          distances_.data(),
                          is_reached_.data()};
    void* arguments[] = {&sweep};
    gpu::check(
        cudaLaunchCooperativeKernel(reinterpret_cast<void*>(phast::sweep_kernel), dim3(grid_),
                                    dim3(phast::kThreads), arguments, 0, *stream_),
        "sweep_kernel");
  }

  Vertex vertex_count_ = 0;
  std::uint32_t level_count_ = 0;
  gpu::DeviceArray<Vertex> vertices_;
  gpu::DeviceArray<std::uint32_t> level_offsets_;
  UploadedRows from_below_;
  UploadedRows from_above_;
  UploadedRows entering_;
  gpu::DeviceArray<std::uint8_t> is_reached_;
  unsigned grid_ = 1;
  std::size_t source_count_ = 0;
  std::uint32_t row_size_ = 0;
  gpu::PinnedArray<Vertex> host_sources_;
  gpu::DeviceArray<Vertex> sources_;
  gpu::DeviceArray<std::uint32_t> distances_;
  gpu::DeviceArray<Vertex> predecessors_;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(PhastBatch);

}  // namespace
}  // namespace bellmark
