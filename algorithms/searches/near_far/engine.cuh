// The host's side of the near-far kernels: device copies of the graph, work areas, launches.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/grid_kernel.cuh"
#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/searches/near_far/cluster.cuh"
#include "algorithms/searches/near_far/device.cuh"
#include "algorithms/searches/near_far/device_slots.cuh"
#include "algorithms/searches/near_far/graph.cuh"
#include "algorithms/searches/near_far/options.hpp"

namespace bellmark::near_far {

/// The number of lines of a recorded run's log that are kept.
inline constexpr std::uint32_t kRecordCapacity = 1 << 18;

/// The log of recorded runs: filled on the device, one line a round.
class Rounds {
 public:
  RoundRecord* records(bool recorded) {
    recorded_ = recorded;
    if (!recorded) return nullptr;
    if (records_.size() == 0) {
      records_ = gpu::DeviceArray<RoundRecord>(kRecordCapacity);
      count_ = gpu::DeviceArray<std::uint32_t>(1);
    }
    count_.clear();
    // The stream doesn't wait for the default one.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return records_.data();
  }
  std::uint32_t* count() const { return count_.data(); }

  /// The log of the last run; no rows when it was not recorded or had more rounds than are kept.
  PhaseLog log() const {
    PhaseLog log{{"updated_count", "gpu_ns", "threshold"}, {}};
    if (!recorded_) return log;
    std::uint32_t count = 0;
    count_.download({&count, 1});
    if (count >= kRecordCapacity) return log;
    std::vector<RoundRecord> rounds(count);
    gpu::check(cudaMemcpy(rounds.data(), records_.data(), count * sizeof(RoundRecord),
                          cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    for (std::size_t i = 0; i + 1 < rounds.size(); ++i) {
      log.values.insert(log.values.end(),
                        {rounds[i].entry_count, rounds[i + 1].begin_ns - rounds[i].begin_ns,
                         rounds[i].threshold});
    }
    return log;
  }

 private:
  bool recorded_ = false;
  gpu::DeviceArray<RoundRecord> records_;
  gpu::DeviceArray<std::uint32_t> count_;
};

/// Labels may fall until the search ends, those of levels too.
inline void count_work(const Tally& tally, SearchWork& work) {
  tally.add_distances_to(work);
  tally.add_atomics_to(work);
  work.lacks(WorkCount::settled, kNotFinal);
}

/// Slots of a row: 4 where no row is longer, else 8. One lane that walks the rest of a long row
/// alone makes a round twice as long: on road networks some vertex of nearly every round has more
/// than four arcs.
inline constexpr unsigned kFewSlots = 4;
inline constexpr unsigned kManySlots = 8;

inline unsigned row_slots(const Graph& graph) {
  return longest_row(graph) > kFewSlots ? kManySlots : kFewSlots;
}

/// The number of entries that surely queue no more than `capacity`: an arc queues its head once.
inline unsigned most_alone(const Graph& graph, unsigned capacity) {
  return static_cast<unsigned>(capacity / std::max<Offset>(1, longest_row(graph)));
}

template <class T>
void fill(const gpu::DeviceArray<T>& array, int byte, cudaStream_t stream) {
  gpu::check(cudaMemsetAsync(array.data(), byte, array.bytes(), stream), "cudaMemsetAsync");
}

/// Answers queries, each by one cluster, with all clusters at once that the device holds, up to
/// `most_clusters`.
template <class Distance, unsigned most_clusters>
class ClusterEngine {
 public:
  /// `hops`: that a block follows before it hands over; more than one with one cluster alone.
  /// `ahead`: entries of a block, up to which it reads rows ahead. O(n + m).
  void prepare(const Graph& graph, Measure measure, std::size_t query_count, unsigned hops,
               unsigned ahead, RunContext& context) {
    const Vertex n = graph.vertex_count();
    measure_ = measure;
    vertex_count_ = n;
    hops_ = hops;
    ahead_ = ahead;
    const unsigned slots = configure(graph);
    const ShortRows rows(graph, slots);
    const std::vector<std::uint32_t> offsets = near_offsets(graph);
    near_size_ = offsets.back();
    far_size_ = n / blocks_ + 1;
    const std::uint64_t row_bytes = (rows.slots.size() + rows.rest.size()) * sizeof(uint2);
    const std::uint64_t near_bytes = 2 * near_size_ * clusters_ * sizeof(Entry<Distance>);
    const std::uint64_t far_bytes =
        2 * std::uint64_t{far_size_} * blocks_ * clusters_ * sizeof(Vertex);
    const std::uint64_t label_bytes = std::uint64_t{n} * query_count * sizeof(Word);
    gpu::require_memory(row_bytes + near_bytes + far_bytes + label_bytes, "sssp/near-far");
    context.account("device rows", row_bytes);
    context.account("device queues", near_bytes + far_bytes);
    context.account("device labels", label_bytes);
    slots_ = gpu::upload(rows.slots);
    rest_ = gpu::upload(rows.rest);
    near_offsets_ = gpu::upload(offsets);
    near_ = gpu::DeviceArray<Entry<Distance>>(2 * near_size_ * clusters_);
    far_ = gpu::DeviceArray<Vertex>(2 * std::size_t{far_size_} * blocks_ * clusters_);
    labels_ = gpu::DeviceArray<Word>(std::size_t{n} * query_count);
    starts_ = gpu::DeviceArray<Starts<Distance>>(query_count);
  }

  /// Enqueues the searches of all queries; labels of query i begin at labels() + i * n. With `work`
  /// it counts.
  void run(std::span<const Starts<Distance>> queries, Distance delta, bool recorded,
           gpu::WorkSums* work, cudaStream_t stream) {
    const std::size_t n = vertex_count_;
    gpu::check(cudaMemsetAsync(labels_.data(), 0xff, n * queries.size() * sizeof(Word), stream),
               "cudaMemsetAsync");
    gpu::check(cudaMemcpyAsync(starts_.data(), queries.data(), queries.size_bytes(),
                               cudaMemcpyHostToDevice, stream),
               "cudaMemcpyAsync");
    ClusterSearch<Distance> search{};
    search.slots = slots_.data();
    search.rest = rest_.data();
    search.vertex_count = vertex_count_;
    search.measure = measure_;
    search.delta = delta;
    search.starts = starts_.data();
    search.query_count = static_cast<std::uint32_t>(queries.size());
    search.labels = labels_.data();
    search.near_area = near_.data();
    search.near_offsets = near_offsets_.data();
    search.near_size = near_size_;
    search.far_area = far_.data();
    search.far_size = far_size_;
    search.hops = hops_;
    search.most_alone = most_alone_;
    search.ahead = ahead_;
    search.records = rounds_.records(recorded);
    search.record_capacity = kRecordCapacity;
    search.record_count = rounds_.count();
    search.work = work;
    const auto used = static_cast<unsigned>(std::min<std::size_t>(clusters_, queries.size()));
    cudaLaunchAttribute attribute;
    const cudaLaunchConfig_t config = launch_config(used, attribute, stream);
    gpu::check(cudaLaunchKernelEx(&config, kernel_.of(work), search), "cluster_kernel");
  }

  const gpu::DeviceArray<Word>& labels() const { return labels_; }
  unsigned clusters() const { return clusters_; }
  PhaseLog phase_log() const { return rounds_.log(); }

 private:
  // A small block has the cheaper barrier, and the smallest leaves room for the most clusters side
  // by side. A large one keeps more of a wide frontier in flight.
  static constexpr unsigned kBatchBlock = 256;
  static constexpr unsigned kSmallBlock = 512;
  static constexpr unsigned kLargeBlock = 1024;

  using Kernel = void (*)(ClusterSearch<Distance>);

  cudaLaunchConfig_t launch_config(unsigned clusters, cudaLaunchAttribute& attribute,
                                   cudaStream_t stream) const {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(clusters * blocks_);
    config.blockDim = dim3(threads_);
    config.stream = stream;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = blocks_;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return config;
  }

  template <unsigned threads, bool alone>
  void choose(unsigned slots) {
    threads_ = threads;
    kernel_ = {form<threads, alone, gpu::NoTally>(slots),
               form<threads, alone, gpu::WorkTally>(slots)};
  }
  template <unsigned threads, bool alone, class Tally>
  static Kernel form(unsigned slots) {
    return slots == kFewSlots ? cluster_kernel<Distance, threads, kFewSlots, alone, Tally>
                              : cluster_kernel<Distance, threads, kManySlots, alone, Tally>;
  }

  /// For one cluster.
  template <unsigned threads>
  void choose_hops(const Graph& graph, unsigned slots) {
    if (hops_ == 1) return choose<threads, false>(slots);
    choose<threads, true>(slots);
    kept_size_ = kClusterItems<Distance, threads>;
    most_alone_ = most_alone(graph, kept_size_);
  }

  static void allow_large_clusters(Kernel kernel) {
    gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
               "cudaFuncSetAttribute");
  }

  /// The largest cluster that this device schedules, and the number of them at once. Returns the
  /// slots of a row.
  unsigned configure(const Graph& graph) {
    if (gpu::properties().major < 9) {
      throw UnmetError("sssp/near-far", "thread-block clusters need compute capability 9.0",
                       "use scope=device");
    }
    const unsigned slots = row_slots(graph);
    if constexpr (most_clusters > 1) {
      choose<kBatchBlock, false>(slots);
    } else if (vertex_count_ >= kLargeGraph) {
      choose_hops<kLargeBlock>(graph, slots);
    } else {
      choose_hops<kSmallBlock>(graph, slots);
    }
    allow_large_clusters(kernel_.timed);
    allow_large_clusters(kernel_.counting);
    for (blocks_ = kClusterBlocks; blocks_ > 0; blocks_ /= 2) {
      cudaLaunchAttribute attribute;
      const cudaLaunchConfig_t config = launch_config(1, attribute, nullptr);
      int count = 0;
      gpu::check(cudaOccupancyMaxActiveClusters(&count, kernel_.timed, &config),
                 "cudaOccupancyMaxActiveClusters");
      clusters_ = std::min(most_clusters, static_cast<unsigned>(count));
      if (count > 0) return slots;
    }
    throw UnmetError("sssp/near-far", "no thread-block cluster fits on this device",
                     "use scope=device");
  }

  /// The places where each owner's part of a queue begins: a place an arc that enters it, one for a
  /// source, and those for the entries that each block kept.
  std::vector<std::uint32_t> near_offsets(const Graph& graph) const {
    std::vector<std::uint64_t> sizes(blocks_, 1 + std::uint64_t{kept_size_} * blocks_);
    for (const Vertex head : graph.heads()) ++sizes[head % blocks_];
    std::vector<std::uint32_t> offsets(1, 0);
    for (const std::uint64_t size : sizes) {
      offsets.push_back(static_cast<std::uint32_t>(offsets.back() + size));
    }
    return offsets;
  }

  Measure measure_;
  Vertex vertex_count_ = 0;
  unsigned blocks_ = kClusterBlocks;
  unsigned clusters_ = 1;
  unsigned threads_ = kSmallBlock;
  unsigned hops_ = 1;
  unsigned ahead_ = 0;
  unsigned kept_size_ = 0;  ///< entries that a block keeps at most
  unsigned most_alone_ = 0;
  gpu::TalliedKernel<Kernel> kernel_;
  std::uint64_t near_size_ = 0;
  std::uint32_t far_size_ = 0;
  gpu::DeviceArray<uint2> slots_;
  gpu::DeviceArray<uint2> rest_;
  gpu::DeviceArray<std::uint32_t> near_offsets_;
  gpu::DeviceArray<Entry<Distance>> near_;
  gpu::DeviceArray<Vertex> far_;
  gpu::DeviceArray<Word> labels_;
  gpu::DeviceArray<Starts<Distance>> starts_;
  Rounds rounds_;
};

/// Answers one query at a time with the whole device.
template <class Distance>
class DeviceEngine {
 public:
  using RowOffset = typename DeviceSearch<Distance>::RowOffset;

  /// `pulls`: direction=push-pull, for a symmetric graph. `light`: length of arcs from which on
  /// they lead out of a bucket and the horizon. O(n + m), with `pulls` O(n + m log(largest
  /// degree)).
  void prepare(const Graph& graph, Measure measure, bool pulls, std::uint64_t light,
               RunContext& context) {
    const std::size_t n = graph.vertex_count();
    measure_ = measure;
    light_ = light;
    vertex_count_ = graph.vertex_count();
    core_arcs_ = graph.arc_count() / kCoreShare;
    std::uint64_t pieces = 0;
    for (std::size_t v = 0; v < n; ++v) {
      const Offset degree = graph.row_offsets()[v + 1] - graph.row_offsets()[v];
      if (degree >= kHubDegree) pieces += (degree + kPieceArcs - 1) / kPieceArcs;
    }
    hub_capacity_ = static_cast<std::uint32_t>(pieces);
    const std::uint64_t row_bytes = (n + 1) * sizeof(RowOffset) +
                                    graph.arc_count() * sizeof(uint2) +
                                    (pulls ? n * (sizeof(RowOffset) + sizeof(Vertex)) : 0);
    const std::uint64_t queue_bytes =
        n * (4 * sizeof(Vertex) + sizeof(std::uint32_t)) + 2 * pieces * sizeof(HubPiece);
    const std::uint64_t label_bytes = n * (sizeof(Word) + sizeof(Distance));
    gpu::require_memory(row_bytes + queue_bytes + label_bytes, "sssp/near-far");
    context.account("device rows", row_bytes);
    context.account("device queues", queue_bytes);
    context.account("device labels", label_bytes);

    const std::vector<RowOffset> offsets(graph.row_offsets().begin(), graph.row_offsets().end());
    row_offsets_ = gpu::DeviceArray<RowOffset>(offsets.size());
    row_offsets_.upload(offsets);
    upload_arcs(graph, pulls);
    labels_ = gpu::DeviceArray<Word>(n);
    filter_ = gpu::DeviceArray<Distance>(n);
    seen_ = gpu::DeviceArray<std::uint32_t>(n);
    near_ = gpu::DeviceArray<Vertex>(2 * n);
    far_ = gpu::DeviceArray<Vertex>(2 * n);
    hubs_ = gpu::DeviceArray<HubPiece>(2 * pieces);
    control_ = gpu::DeviceArray<DeviceControl>(1);
    kernel_ = pulls ? forms<true>() : forms<false>();
  }

  /// Enqueues a search. With `work` it counts.
  void run(const Starts<Distance>& starts, Distance delta, Distance horizon, bool recorded,
           gpu::WorkSums* work, cudaStream_t stream) {
    fill(labels_, 0xff, stream);
    fill(filter_, 0xff, stream);
    fill(seen_, 0, stream);
    fill(control_, 0, stream);
    gpu::check(
        cudaMemsetAsync(control_.data()->far_least, 0xff, sizeof(DeviceControl::far_least), stream),
        "cudaMemsetAsync");
    DeviceSearch<Distance> search{};
    search.row_offsets = row_offsets_.data();
    search.arcs = arcs_.data();
    search.light_ends = light_ends_.data();
    search.tails = tails_.data();
    search.tail_count = static_cast<Vertex>(tails_.size());
    search.vertex_count = vertex_count_;
    search.measure = measure_;
    search.delta = delta;
    search.horizon = horizon;
    search.core_arcs = core_arcs_;
    search.starts = starts;
    search.labels = labels_.data();
    search.filter = filter_.data();
    search.seen = seen_.data();
    search.near = near_.data();
    search.hubs = hubs_.data();
    search.hub_capacity = hub_capacity_;
    search.far = far_.data();
    search.control = control_.data();
    search.records = rounds_.records(recorded);
    search.record_capacity = kRecordCapacity;
    search.record_count = rounds_.count();
    search.work = work;
    kernel_.of(work).launch(search, "device_kernel", stream);
  }

  const gpu::DeviceArray<Word>& labels() const { return labels_; }
  PhaseLog phase_log() const { return rounds_.log(); }

 private:
  using Kernel = gpu::TalliedKernel<gpu::GridKernel<DeviceSearch<Distance>>>;

  template <bool pulls>
  static Kernel forms() {
    return {{device_kernel<Distance, pulls, gpu::NoTally>, kDeviceThreads},
            {device_kernel<Distance, pulls, gpu::WorkTally>, kDeviceThreads}};
  }

  /// Uploads in pieces: the host never holds a second copy of all arcs. `pulls`: each row in order
  /// of length.
  void upload_arcs(const Graph& graph, bool pulls) {
    constexpr std::size_t kPiece = std::size_t{1} << 22;
    arcs_ = gpu::DeviceArray<uint2>(graph.arc_count());
    std::vector<uint2> piece;
    std::vector<RowOffset> light_ends;
    std::vector<Vertex> tails;
    Offset sent = 0;
    const auto send = [&] {
      gpu::check(cudaMemcpy(arcs_.data() + sent, piece.data(), piece.size() * sizeof(uint2),
                            cudaMemcpyHostToDevice),
                 "cudaMemcpy");
      sent += piece.size();
      piece.clear();
    };
    for (Vertex v = 0; v < vertex_count_; ++v) {
      const std::size_t first = piece.size();
      for (Offset e = graph.row_offsets()[v]; e < graph.row_offsets()[v + 1]; ++e) {
        piece.push_back(ShortRows::arc(graph, e));
      }
      if (pulls) {
        const auto row = std::span(piece).subspan(first);
        if (!std::ranges::is_sorted(row, {}, &uint2::y)) std::ranges::sort(row, {}, &uint2::y);
        const auto is_light = [this](uint2 arc) {
          return arc.y * measure_.scale + measure_.step < light_;
        };
        const auto light_count = std::ranges::partition_point(row, is_light) - row.begin();
        light_ends.push_back(static_cast<RowOffset>(graph.row_offsets()[v] + light_count));
        if (!row.empty()) tails.push_back(v);
      }
      if (piece.size() >= kPiece) send();
    }
    send();
    light_ends_ = gpu::upload(light_ends);
    tails_ = gpu::upload(tails);
  }

  /// When one arc in so many has been queued, the search has met the graph's core.
  static constexpr Offset kCoreShare = 64;

  Measure measure_;
  Vertex vertex_count_ = 0;
  std::uint64_t light_ = 0;
  Offset core_arcs_ = 0;
  Kernel kernel_;
  std::uint32_t hub_capacity_ = 0;
  gpu::DeviceArray<RowOffset> row_offsets_;
  gpu::DeviceArray<uint2> arcs_;
  gpu::DeviceArray<RowOffset> light_ends_;
  gpu::DeviceArray<Vertex> tails_;
  gpu::DeviceArray<Word> labels_;
  gpu::DeviceArray<Distance> filter_;
  gpu::DeviceArray<std::uint32_t> seen_;
  gpu::DeviceArray<Vertex> near_;
  gpu::DeviceArray<Vertex> far_;
  gpu::DeviceArray<HubPiece> hubs_;
  gpu::DeviceArray<DeviceControl> control_;
  Rounds rounds_;
};

/// Answers one query at a time with the whole device, over rows of a few slots.
template <class Distance>
class SlotEngine {
 public:
  /// `hops`: that a block follows before it hands over. `ahead`: entries of a block, up to which it
  /// reads rows ahead. `family`: for messages. O(n + m).
  void prepare(const Graph& graph, Measure measure, unsigned hops, unsigned ahead,
               const char* family, RunContext& context) {
    const std::size_t n = graph.vertex_count();
    measure_ = measure;
    hops_ = hops;
    ahead_ = ahead;
    most_alone_ = most_alone(graph, kSlotItems<Distance>);
    const unsigned slots = row_slots(graph);
    if (hops == 1) {
      choose<false>(slots);
    } else {
      choose<true>(slots);
    }
    const ShortRows rows(graph, slots);
    // A block a multiprocessor: more of them have the dearer barrier.
    grid_ = static_cast<unsigned>(gpu::properties().multiProcessorCount);
    near_size_ = std::max(std::uint64_t{grid_} * kSlotThreads,
                          std::max<std::uint64_t>(n, graph.arc_count()) + 2);
    if (hops > 1) near_size_ += std::uint64_t{grid_} * kSlotItems<Distance>;
    const std::uint64_t row_bytes = (rows.slots.size() + rows.rest.size()) * sizeof(uint2);
    const std::uint64_t queue_bytes =
        2 * near_size_ * sizeof(Entry<Distance>) + 2 * n * sizeof(Vertex);
    gpu::require_memory(row_bytes + queue_bytes + n * sizeof(Word), family);
    context.account("device rows", row_bytes);
    context.account("device queues", queue_bytes);
    context.account("device labels", n * sizeof(Word));
    slots_ = gpu::upload(rows.slots);
    rest_ = gpu::upload(rows.rest);
    labels_ = gpu::DeviceArray<Word>(n);
    near_ = gpu::DeviceArray<Entry<Distance>>(2 * near_size_);
    far_ = gpu::DeviceArray<Vertex>(2 * n);
    control_ = gpu::DeviceArray<SlotControl>(1);
  }

  /// Enqueues a search. With `work` it counts.
  void run(const Starts<Distance>& starts, Distance delta, bool recorded, gpu::WorkSums* work,
           cudaStream_t stream) {
    fill(labels_, 0xff, stream);
    fill(control_, 0, stream);
    gpu::check(
        cudaMemsetAsync(control_.data()->far_least, 0xff, sizeof(SlotControl::far_least), stream),
        "cudaMemsetAsync");
    SlotSearch<Distance> search{};
    search.slots = slots_.data();
    search.rest = rest_.data();
    search.measure = measure_;
    search.delta = delta;
    search.starts = starts;
    search.labels = labels_.data();
    search.near = near_.data();
    search.near_size = near_size_;
    search.far = far_.data();
    search.far_size = far_.size() / 2;
    search.hops = hops_;
    search.most_alone = most_alone_;
    search.ahead = ahead_;
    search.control = control_.data();
    search.records = rounds_.records(recorded);
    search.record_capacity = kRecordCapacity;
    search.record_count = rounds_.count();
    search.work = work;
    void* arguments[] = {&search};
    gpu::check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(kernel_.of(work)), dim3(grid_),
                                           dim3(kSlotThreads), arguments, 0, stream),
               "slot_kernel");
  }

  const gpu::DeviceArray<Word>& labels() const { return labels_; }
  PhaseLog phase_log() const { return rounds_.log(); }

 private:
  using Kernel = void (*)(SlotSearch<Distance>);

  template <bool alone>
  void choose(unsigned slots) {
    kernel_ = {form<alone, gpu::NoTally>(slots), form<alone, gpu::WorkTally>(slots)};
  }
  template <bool alone, class Tally>
  static Kernel form(unsigned slots) {
    return slots == kFewSlots ? slot_kernel<Distance, kFewSlots, alone, Tally>
                              : slot_kernel<Distance, kManySlots, alone, Tally>;
  }

  Measure measure_;
  unsigned hops_ = 1;
  unsigned ahead_ = 0;
  unsigned most_alone_ = 0;
  gpu::TalliedKernel<Kernel> kernel_;
  std::uint64_t near_size_ = 0;
  unsigned grid_ = 1;
  gpu::DeviceArray<uint2> slots_;
  gpu::DeviceArray<uint2> rest_;
  gpu::DeviceArray<Word> labels_;
  gpu::DeviceArray<Entry<Distance>> near_;
  gpu::DeviceArray<Vertex> far_;
  gpu::DeviceArray<SlotControl> control_;
  Rounds rounds_;
};

}  // namespace bellmark::near_far
