// The host's side of bfs/persistent: device copies of the rows, work areas, launches, answers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/grid_kernel.cuh"
#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/searches/bfs/persistent_cluster.cuh"
#include "algorithms/searches/bfs/persistent_device.cuh"
#include "algorithms/searches/bfs/persistent_layout.hpp"
#include "algorithms/searches/bfs/persistent_tree.cuh"
#include "base/error.hpp"

namespace bellmark::bfs::persistent {

using gpu::download;
using gpu::upload;

inline constexpr const char* kFamily = "bfs/persistent";
/// The number of lines of a recorded run's log that are kept.
inline constexpr std::uint32_t kRecordCapacity = 1 << 18;

/// The rule for changes of direction.
struct Switch {
  std::uint64_t alpha;       ///< bottom-up when alpha * frontier arcs > arcs of unvisited vertices
  std::uint64_t beta;        ///< top-down when beta * frontier vertices < vertices
  std::uint64_t stay_below;  ///< but not while unvisited + vertices / kBitsPerLook < stay_below
};

/// The log of recorded runs: filled on the device, one line a level.
class Levels {
 public:
  LevelRecord* records(bool recorded) {
    recorded_ = recorded;
    if (!recorded) return nullptr;
    if (records_.size() == 0) {
      records_ = gpu::DeviceArray<LevelRecord>(kRecordCapacity);
      count_ = gpu::DeviceArray<std::uint32_t>(1);
    }
    records_.clear();
    count_.clear();
    // The stream doesn't wait for the default one.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return records_.data();
  }
  std::uint32_t* count() const { return count_.data(); }

  /// The log of the last run; it has no rows when the run was not recorded or had more levels than
  /// are kept. `vertex_count`: of the whole graph.
  PhaseLog log(Vertex vertex_count) const {
    PhaseLog log{{"bottom_up", "frontier_count", "unvisited_count", "gpu_ns"}, {}};
    if (!recorded_) return log;
    const std::uint32_t count = download(count_).front();
    if (count >= kRecordCapacity) return log;
    const std::vector<LevelRecord> levels = download(records_);
    std::uint64_t unvisited = vertex_count;
    for (std::size_t i = 0; i + 1 < count && levels[i].frontier_count != 0; ++i) {
      unvisited -= levels[i].frontier_count;
      log.values.insert(log.values.end(), {levels[i].bottom_up, levels[i].frontier_count, unvisited,
                                           levels[i + 1].begin_ns - levels[i].begin_ns});
    }
    return log;
  }

 private:
  bool recorded_ = false;
  gpu::DeviceArray<LevelRecord> records_;
  gpu::DeviceArray<std::uint32_t> count_;
};

/// Whether the last search of the whole device reached a vertex.
template <class RowOffset>
struct DeviceReached {
  const std::uint32_t* visited[2];
  const DeviceControl<RowOffset>* control;
  __device__ bool operator()(Vertex v) const {
    return (visited[control->visited_side][v / kWarp] >> v % kWarp & 1) != 0;
  }
};

/// Whether the last search of a cluster reached a vertex.
struct ClusterReached {
  const std::uint32_t* visited;
  unsigned shift;
  std::uint32_t words;
  __host__ __device__ bool operator()(Vertex v) const {
    const Vertex local = v >> shift;
    const std::size_t owner = v & ((1u << shift) - 1);
    return (visited[owner * words + local / kWarp] >> local % kWarp & 1) != 0;
  }
};

/// The form of the whole device's searches. All forms give right answers.
struct DeviceForm {
  bool spans;  ///< a frontier lists its hubs, not their parts; only where numbers are by degree
  std::uint32_t hub_degree;  ///< of spans: a hub has so many arcs or more
  bool gathers;  ///< the search ends with the answer; not where levels and ids are untimed
};

/// Rows on the device.
template <class RowOffset>
class RowArrays {
 public:
  static std::uint64_t bytes(std::uint64_t row_count, std::uint64_t arc_count) {
    return (row_count + 1) * sizeof(RowOffset) +
           (arc_count + (1 + kNextHeads) * row_count) * sizeof(Vertex);
  }

  /// O(n).
  void upload(const PagedArray<RowOffset>& offsets, const PagedArray<Vertex>& heads) {
    offsets_ = gpu::upload(offsets);
    heads_ = gpu::upload(heads);
    first_heads_ = gpu::upload(first_heads(offsets, heads));
    longer_end_ = longer_end(offsets);
    next_heads_ = gpu::upload(next_heads(offsets, heads, longer_end_));
  }
  DeviceRowsOf<RowOffset> device() const {
    return {offsets_.data(), heads_.data(), first_heads_.data(),
            reinterpret_cast<const uint4*>(next_heads_.data()), longer_end_};
  }
  RowOffset arc_count() const { return static_cast<RowOffset>(heads_.size()); }

 private:
  gpu::DeviceArray<RowOffset> offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Vertex> first_heads_;
  gpu::DeviceArray<Vertex> next_heads_;
  Vertex longer_end_ = 0;
};

/// Answers one query at a time with the whole device. With offsets of 64 bits, frontiers are lists
/// of spans: the numbering must be by degree.
template <class RowOffset>
class DeviceEngine {
 public:
  DeviceEngine(bool is_whole, DeviceForm form)
      : spans_(form.spans),
        gathers_(is_whole && form.gathers),
        hub_degree_(form.hub_degree),
        tree_(is_whole) {}

  /// Goes bottom-up where the graph is symmetric, or the layout has entering rows. O(n + m).
  void prepare(const LayoutOf<RowOffset>& layout, bool symmetric, RunContext& context) {
    const std::uint64_t n = layout.vertex_count;
    has_entering_ = layout.entering.offsets.size() > 0;
    turns_ = symmetric || has_entering_;
    vertex_count_ = layout.vertex_count;
    spans_ = spans_ && !layout.numbering.originals().empty();
    gathers_ = gathers_ && PackedTree::fits(layout.vertex_count);
    const std::uint64_t word_count = (n + kWarp - 1) / kWarp;
    piece_capacity_ = spans_ ? 0 : piece_count(layout);
    hub_end_ = spans_ ? longer_end(layout.row_offsets, hub_degree_ - 1) : 0;
    const std::uint64_t row_bytes =
        (has_entering_ ? 2 : 1) * RowArrays<RowOffset>::bytes(n, layout.heads.size());
    const std::uint64_t queue_bytes =
        2 * n * sizeof(Vertex) + 2 * std::uint64_t{piece_capacity_} * sizeof(HubPiece) +
        2 * std::uint64_t{hub_end_} * sizeof(Hub) + (spans_ ? word_count * sizeof(Vertex) : 0);
    const std::uint64_t tree_bytes =
        (gathers_ ? DirectAnswer::bytes(layout.numbering) : tree_.bytes(layout.numbering)) +
        2 * word_count * sizeof(std::uint32_t) + sizeof(DeviceControl<RowOffset>);
    gpu::require_memory(row_bytes + queue_bytes + tree_bytes, kFamily);
    context.account("device rows", row_bytes);
    context.account("device queues", queue_bytes);
    context.account("device answer and visited bits", tree_bytes);

    rows_.upload(layout.row_offsets, layout.heads);
    if (has_entering_) entering_.upload(layout.entering.offsets, layout.entering.heads);
    for (auto& bitmap : visited_) bitmap = gpu::DeviceArray<std::uint32_t>(word_count);
    queues_ = gpu::DeviceArray<Vertex>(2 * n);
    pieces_ = gpu::DeviceArray<HubPiece>(2 * std::size_t{piece_capacity_});
    hubs_ = gpu::DeviceArray<Hub>(2 * std::size_t{hub_end_});
    mean_degree_of_heads_ = mean_degree_of_heads(layout);
    if (spans_) mean_degrees_ = upload(mean_degrees(layout.row_offsets));
    control_ = gpu::DeviceArray<DeviceControl<RowOffset>>(1);
    control_.clear();
    original_count_ = layout.numbering.original_count();
    if (gathers_) {
      prepare_answer(layout.numbering);
    } else {
      tree_.prepare(layout.numbering);
    }
    kernel_ = {{kernel<gpu::NoTally>(), kDeviceThreads},
               {kernel<gpu::WorkTally>(), kDeviceThreads}};
  }

  /// Enqueues the search from `source`, by the numbering. With `work` it counts.
  void search(Vertex source, Switch change, bool recorded, gpu::WorkSums* work,
              cudaStream_t stream) {
    DeviceSearch<RowOffset> search{};
    search.rows = rows_.device();
    search.entering = has_entering_ ? entering_.device() : search.rows;
    search.vertex_count = vertex_count_;
    search.arc_count = rows_.arc_count();
    search.source = source;
    search.turns = turns_;
    search.alpha = change.alpha;
    search.unlisted_arcs = unlisted_arcs(change.alpha);
    search.beta = change.beta;
    search.stay_below = change.stay_below;
    search.visited[0] = visited_[0].data();
    search.visited[1] = visited_[1].data();
    search.tree = tree_.device();
    search.packed = answer_.tree();
    search.queues = queues_.data();
    search.pieces = pieces_.data();
    search.piece_capacity = piece_capacity_;
    search.hubs = hubs_.data();
    search.hub_end = hub_end_;
    search.mean_degrees = mean_degrees_.data();
    search.answer = answer_.answer();
    search.originals = answer_.originals();
    search.numbers = answer_.numbers();
    search.original_count = original_count_;
    search.control = control_.data();
    search.records = levels_.records(recorded);
    search.record_capacity = kRecordCapacity;
    search.record_count = levels_.count();
    search.work = work;
    kernel_.of(work).launch(search, "device_kernel", stream);
  }

  /// Enqueues the kernel that turns the result into the answer to `source`, an original, unless the
  /// search has written it.
  void renumber(Vertex source, cudaStream_t stream) const {
    if (gathers_) return;
    const DeviceReached<RowOffset> reached = {{visited_[0].data(), visited_[1].data()},
                                              control_.data()};
    tree_.renumber(reached, source, stream);
  }

  void extract(const Numbering& numbering, Vertex source, Bfs::Answer& answer) const {
    if (gathers_) {
      answer_.extract(answer);
      return;
    }
    const auto visited = download(visited_[download(control_).front().visited_side]);
    const auto reached = [&](Vertex v) { return (visited[v / kWarp] >> v % kWarp & 1) != 0; };
    tree_.extract(numbering, source, reached, answer);
  }

  PhaseLog phase_log(Vertex vertex_count) const { return levels_.log(vertex_count); }

 private:
  using Kernel = void (*)(DeviceSearch<RowOffset>);

  /// The number of pieces that all rows of hubs are cut into.
  static std::uint32_t piece_count(const LayoutOf<RowOffset>& layout) {
    std::uint64_t count = 0;
    for (std::size_t v = 0; v < layout.vertex_count; ++v) {
      const RowOffset degree = layout.row_offsets.data()[v + 1] - layout.row_offsets.data()[v];
      if (degree >= kHubDegree) count += (degree + kPieceArcs - 1) / kPieceArcs;
    }
    return static_cast<std::uint32_t>(count);
  }

  /// From so many arcs of a frontier on, its heads have twice the arcs, by the mean, that alpha's
  /// rule asks for. So the next level goes bottom-up: while few vertices are visited, nearly each
  /// of these arcs finds one. By count, with alpha=25, in 421 searches of R-MAT graphs (scales 20
  /// to 24) and of a random graph: all levels from 1.10 times the rule on were followed by one
  /// bottom-up, and none up to 1.00 times was.
  std::uint64_t unlisted_arcs(std::uint64_t alpha) const {
    constexpr double kCertain = 2;
    const double arcs_found = mean_degree_of_heads_ * static_cast<double>(alpha);
    if (!turns_ || arcs_found == 0) return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(kCertain * static_cast<double>(rows_.arc_count()) /
                                      arcs_found) +
           1;
  }

  /// The answer, and the bits as each search leaves them for the next: its last side is 0, which
  /// control_ says.
  void prepare_answer(const Numbering& numbering) {
    answer_.prepare(numbering);
    std::vector<std::uint32_t> bits(visited_[0].size(), 0);
    const std::uint32_t last_bits = vertex_count_ % kWarp;
    if (last_bits != 0) bits.back() = ~std::uint32_t{0} << last_bits;
    visited_[1].upload(bits);
  }

  template <class Tally>
  Kernel kernel() const {
    if constexpr (sizeof(RowOffset) == sizeof(std::uint32_t)) {
      if (!spans_) return kernel_of<detail::PieceFrontier, Tally>();
    }
    return kernel_of<detail::SpanFrontier<RowOffset>, Tally>();
  }
  template <class Frontier, class Tally>
  Kernel kernel_of() const {
    return gathers_ ? device_kernel<detail::Form<Frontier, true, Tally>>
                    : device_kernel<detail::Form<Frontier, false, Tally>>;
  }

  bool spans_;
  bool gathers_;
  std::uint32_t hub_degree_;
  bool has_entering_ = false;
  bool turns_ = false;
  Vertex vertex_count_ = 0;
  Vertex original_count_ = 0;
  std::uint32_t piece_capacity_ = 0;
  Vertex hub_end_ = 0;
  double mean_degree_of_heads_ = 0;
  gpu::TalliedKernel<gpu::GridKernel<DeviceSearch<RowOffset>>> kernel_;
  RowArrays<RowOffset> rows_;
  RowArrays<RowOffset> entering_;  ///< where the graph is not symmetric
  gpu::DeviceArray<std::uint32_t> visited_[2];
  Tree tree_;            ///< unless it gathers
  DirectAnswer answer_;  ///< else
  gpu::DeviceArray<Vertex> queues_;
  gpu::DeviceArray<HubPiece> pieces_;
  gpu::DeviceArray<Hub> hubs_;
  gpu::DeviceArray<std::uint32_t> mean_degrees_;
  gpu::DeviceArray<DeviceControl<RowOffset>> control_;
  Levels levels_;
};

/// Answers one query at a time with one cluster, always top-down.
class ClusterEngine {
 public:
  ClusterEngine(bool is_whole, DeviceForm) : tree_(is_whole) {}

  /// Throws UnmetError where no cluster can hold the graph's bits. O(n + m).
  void prepare(const Layout& layout, bool, RunContext& context) {
    vertex_count_ = layout.vertex_count;
    configure();
    const SlotRows rows(layout);
    const unsigned blocks = 1u << shift_;
    const std::vector<std::uint32_t> offsets = overflow_offsets(layout, blocks);
    overflow_size_ = offsets.back();
    const std::uint64_t word_count = std::uint64_t{blocks} * local_words(vertex_count_, blocks);
    const std::uint64_t row_bytes = (rows.slots.size() + rows.rest.size()) * sizeof(Vertex);
    const std::uint64_t queue_bytes = 2 * overflow_size_ * sizeof(Message);
    const std::uint64_t tree_bytes =
        tree_.bytes(layout.numbering) + word_count * sizeof(std::uint32_t);
    gpu::require_memory(row_bytes + queue_bytes + tree_bytes, kFamily);
    context.account("device rows", row_bytes);
    context.account("device queues", queue_bytes);
    context.account("device answer and visited bits", tree_bytes);
    slots_ = upload(rows.slots);
    rest_ = upload(rows.rest);
    overflow_offsets_ = upload(offsets);
    overflow_ = gpu::DeviceArray<Message>(2 * overflow_size_);
    tree_.prepare(layout.numbering);
    visited_ = gpu::DeviceArray<std::uint32_t>(word_count);
  }

  /// Enqueues the search. With `work` it counts.
  void search(Vertex source, Switch, bool recorded, gpu::WorkSums* work, cudaStream_t stream) {
    ClusterSearch search{};
    search.rows = reinterpret_cast<const uint4*>(slots_.data());
    search.rest = reinterpret_cast<const uint4*>(rest_.data());
    search.vertex_count = vertex_count_;
    search.source = source;
    search.tree = tree_.device();
    search.visited = visited_.data();
    search.overflow = overflow_.data();
    search.overflow_offsets = overflow_offsets_.data();
    search.overflow_size = overflow_size_;
    search.records = levels_.records(recorded);
    search.record_capacity = kRecordCapacity;
    search.record_count = levels_.count();
    search.work = work;
    cudaLaunchAttribute attribute;
    const cudaLaunchConfig_t config = launch_config(attribute, stream);
    gpu::check(cudaLaunchKernelEx(&config, kernel_.of(work), search, shift_), "cluster_kernel");
  }

  /// Enqueues the kernel that turns the result into the answer to `source`, an original.
  void renumber(Vertex source, cudaStream_t stream) const {
    tree_.renumber(reached(visited_.data()), source, stream);
  }

  void extract(const Numbering& numbering, Vertex source, Bfs::Answer& answer) const {
    const auto visited = download(visited_);
    tree_.extract(numbering, source, reached(visited.data()), answer);
  }

  PhaseLog phase_log(Vertex vertex_count) const { return levels_.log(vertex_count); }

 private:
  // A small block has the cheaper barrier; a large one keeps more of a wide frontier in flight.
  static constexpr unsigned kSmallBlock = 512;
  static constexpr unsigned kLargeBlock = 1024;
  static constexpr Vertex kLargeGraph = 4'000'000;

  using Kernel = void (*)(ClusterSearch, unsigned);

  template <unsigned threads>
  void choose() {
    threads_ = threads;
    kernel_ = {cluster_kernel<threads, gpu::NoTally>, cluster_kernel<threads, gpu::WorkTally>};
    shared_bytes_ = sizeof(ClusterShared<threads>) +
                    std::size_t{local_words(vertex_count_, 1u << shift_)} * sizeof(std::uint32_t);
  }

  ClusterReached reached(const std::uint32_t* visited) const {
    return {visited, shift_, local_words(vertex_count_, 1u << shift_)};
  }

  cudaLaunchConfig_t launch_config(cudaLaunchAttribute& attribute, cudaStream_t stream) const {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1u << shift_);
    config.blockDim = dim3(threads_);
    config.dynamicSmemBytes = shared_bytes_;
    config.stream = stream;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 1u << shift_;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return config;
  }

  /// The largest cluster that this device schedules.
  void configure() {
    const cudaDeviceProp properties = gpu::properties();
    if (properties.major < 9) {
      throw UnmetError(kFamily, "thread-block clusters need compute capability 9.0",
                       "use scope=device");
    }
    for (shift_ = 4; shift_ + 1 > 0; --shift_) {
      vertex_count_ >= kLargeGraph ? choose<kLargeBlock>() : choose<kSmallBlock>();
      if (shared_bytes_ > properties.sharedMemPerBlockOptin) break;
      for (const Kernel kernel : {kernel_.timed, kernel_.counting}) {
        gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
                   "cudaFuncSetAttribute");
        gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes_)),
                   "cudaFuncSetAttribute");
      }
      cudaLaunchAttribute attribute;
      const cudaLaunchConfig_t config = launch_config(attribute, nullptr);
      int count = 0;
      gpu::check(cudaOccupancyMaxActiveClusters(&count, kernel_.timed, &config),
                 "cudaOccupancyMaxActiveClusters");
      if (count > 0) return;
    }
    throw UnmetError(kFamily,
                     "no thread-block cluster of this device holds a bit for each of " +
                         std::to_string(vertex_count_) + " vertices",
                     "use scope=device");
  }

  /// A place for each arc that enters an owner's vertices.
  static std::vector<std::uint32_t> overflow_offsets(const Layout& layout, unsigned blocks) {
    std::vector<std::uint32_t> offsets(blocks + 1, 0);
    for (const Vertex head : std::span(layout.heads.data(), layout.heads.size())) {
      ++offsets[head % blocks + 1];
    }
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    return offsets;
  }

  Vertex vertex_count_ = 0;
  unsigned shift_ = 0;
  unsigned threads_ = kSmallBlock;
  std::size_t shared_bytes_ = 0;
  gpu::TalliedKernel<Kernel> kernel_;
  std::uint64_t overflow_size_ = 0;
  gpu::DeviceArray<Vertex> slots_;
  gpu::DeviceArray<Vertex> rest_;
  gpu::DeviceArray<std::uint32_t> overflow_offsets_;
  gpu::DeviceArray<Message> overflow_;
  Tree tree_;
  gpu::DeviceArray<std::uint32_t> visited_;
  Levels levels_;
};

}  // namespace bellmark::bfs::persistent
