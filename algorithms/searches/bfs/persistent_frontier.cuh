// The two forms of a frontier that bfs/persistent searches top-down.
//
// Pieces: whoever finds a hub reads its degree and lists each part of its row. One lane writes
// hundreds of parts, one after the other: 10 us for a source beside the largest hubs of Kronecker
// scale 20, and 30 us or more on scale 24.
//
// Spans: vertices are numbered by degree, so that a hub is known by its number. It is listed once,
// beside the sum of the spans before it. Its finder reads no other degree: 32 vertices that follow
// each other have nearly the same, so their mean tells a frontier's arcs. That is a table of n / 32
// numbers, which stays in L2, in place of a sector of row offsets a vertex. Bottom-up, the next
// level asks for none of these lists, and little was spent on them. Top-down, each warp looks up
// the hub of its first span, two or three reads, and goes along the list from there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/bfs/persistent_search.cuh"

namespace bellmark::bfs::persistent::detail {

/// A frontier whose hubs are cut into pieces when they are found.
struct PieceFrontier {
  static constexpr bool kSpans = false;
  using Search = DeviceSearch<std::uint32_t>;
  using Memory = WarpMemory;
  using Counts = FrontierCounts;
  using Queue = FrontierQueue;

  static __device__ Counts* counts(const Search& search, unsigned level) {
    return &search.control->frontiers[level % 3];
  }
  /// The number of vertices, and of arcs where top-down made the frontier.
  static __device__ Counts read(const Search& search, unsigned level) {
    const Counts* const from = counts(search, level);
    return {__ldcg(&from->vertex_count), __ldcg(&from->arc_count), 0, 0};
  }
  static __device__ FrontierLists lists(const Search& search, unsigned level) {
    return {counts(search, level), search.queues + std::size_t{level % 2} * search.vertex_count,
            search.pieces + std::size_t{level % 2} * search.piece_capacity};
  }
  static __device__ Queue queue(const Search& search, unsigned level, Memory& memory) {
    return {search.rows, lists(search, level), memory};
  }
  template <class Visitor>
  static __device__ void expand(const Search& search, unsigned level, const Counts&,
                                Visitor& visitor) {
    expand_frontier(search.rows, lists(search, level), visitor);
  }
};

/// A warp's own shared memory, with the hubs that it has to list.
struct SpanMemory : WarpMemory {
  static constexpr std::uint32_t kHubs = 2 * kWarp;
  Vertex hubs[kHubs];
};

/// The arcs that a warp reads at once.
inline constexpr std::uint32_t kSpanArcs = kInFlight * kWarp;

/// One warp's additions to a frontier's queue and hubs. Whole warps call its functions.
template <class RowOffset>
class SpanQueue {
 public:
  __device__ SpanQueue(const DeviceSearch<RowOffset>& search, SpanCountsOf<RowOffset>* counts,
                       Vertex* queue, Hub* hubs, SpanMemory& memory)
      : search_(search),
        counts_(counts),
        hubs_(hubs),
        memory_(memory),
        queue_(memory.buffer, queue, &counts->queue_count) {}

  /// Adds a vertex and returns the number of its arcs, nearly; 0 where it isn't wanted.
  __device__ std::uint32_t add(Vertex vertex, bool wanted) {
    const std::uint32_t degree = wanted ? __ldg(&search_.mean_degrees[vertex / kWarp]) : 0;
    const bool hub = wanted && vertex < search_.hub_end;
    queue_.append(vertex, wanted && !hub);
    const unsigned adding = __ballot_sync(kAllLanes, hub);
    if (adding == 0) return degree;
    const auto more = static_cast<std::uint32_t>(__popc(adding));
    if (held_ + more > SpanMemory::kHubs) list_hubs();
    const unsigned lane = threadIdx.x % kWarp;
    if (hub) memory_.hubs[held_ + __popc(adding & ((1u << lane) - 1))] = vertex;
    held_ += more;
    return degree;
  }

  __device__ void flush() {
    queue_.flush();
    list_hubs();
  }

 private:
  /// Lists the hubs held, 32 with one atomic: places and spans come together.
  __device__ void list_hubs() {
    const unsigned lane = threadIdx.x % kWarp;
    __syncwarp();
    for (std::uint32_t first = 0; first < held_; first += kWarp) {
      const bool active = first + lane < held_;
      const Vertex vertex = active ? memory_.hubs[first + lane] : 0;
      const std::uint32_t degree = active ? degree_of(search_.rows, vertex) : 0;
      const std::uint32_t spans = (degree + kSpanArcs - 1) / kSpanArcs;
      const std::uint32_t ends = gpu::inclusive_sum(spans);
      const std::uint32_t count = min(held_ - first, kWarp);
      const std::uint32_t total = __shfl_sync(kAllLanes, ends, kWarp - 1);
      unsigned long long before = 0;
      if (lane == 0) before = atomicAdd(&counts_->hubs, std::uint64_t{count} << 32 | total);
      before = __shfl_sync(kAllLanes, before, 0);
      if (!active) continue;
      hubs_[(before >> 32) + lane] = {vertex, static_cast<std::uint32_t>(before) + ends - spans};
    }
    __syncwarp();
    held_ = 0;
  }

  const DeviceSearch<RowOffset>& search_;
  SpanCountsOf<RowOffset>* counts_;
  Hub* hubs_;
  SpanMemory& memory_;
  gpu::WarpBuffer<Vertex> queue_;
  std::uint32_t held_ = 0;
};

/// The last of `count` hubs that begins at span `span` or before. The first one begins at 0. Whole
/// warps call it, with the same span: a step reads 32 hubs.
inline __device__ std::uint32_t hub_of(const Hub* hubs, std::uint32_t count, std::uint32_t span) {
  const unsigned lane = threadIdx.x % kWarp;
  std::uint32_t first = 0;
  while (count > 1) {
    const std::uint32_t step = (count + kWarp - 1) / kWarp;
    const bool before =
        lane * step < count && __ldcg(&hubs[first + lane * step].first_span) <= span;
    const std::uint32_t skipped = (__popc(__ballot_sync(kAllLanes, before)) - 1) * step;
    first += skipped;
    count = min(step, count - skipped);
  }
  return first;
}

/// A frontier whose hubs are cut into spans when they are searched.
template <class RowOffset>
struct SpanFrontier {
  static constexpr bool kSpans = true;
  using Search = DeviceSearch<RowOffset>;
  using Memory = SpanMemory;
  using Counts = SpanCountsOf<RowOffset>;
  using Queue = SpanQueue<RowOffset>;

  static __device__ Counts* counts(const Search& search, unsigned level) {
    return &search.control->span_frontiers[level % 3];
  }
  /// All of them in one wait for L2, in place of three.
  static __device__ Counts read(const Search& search, unsigned level) {
    const Counts* const from = counts(search, level);
    const uint4 four = __ldcg(reinterpret_cast<const uint4*>(from));
    const unsigned long long hubs = __ldcg(&from->hubs);
    if constexpr (sizeof(RowOffset) == 4) {
      return {four.x, four.y, four.z, 0, hubs};
    } else {
      return {four.x, four.y, static_cast<unsigned long long>(four.w) << 32 | four.z, hubs};
    }
  }
  static __device__ Vertex* queue_of(const Search& search, unsigned level) {
    return search.queues + std::size_t{level % 2} * search.vertex_count;
  }
  static __device__ Hub* hubs_of(const Search& search, unsigned level) {
    return search.hubs + std::size_t{level % 2} * search.hub_end;
  }
  static __device__ Queue queue(const Search& search, unsigned level, Memory& memory) {
    return {search, counts(search, level), queue_of(search, level), hubs_of(search, level), memory};
  }

  /// Every warp gets the same number of spans, and they follow each other. Then it goes along the
  /// rows of the queue. `counts`: the level's, whole.
  template <class Visitor>
  static __device__ void expand(const Search& search, unsigned level, const Counts& counts,
                                Visitor& visitor) {
    const std::uint32_t warp_count = gridDim.x * (kDeviceThreads / kWarp);
    const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
    const auto span_count = static_cast<std::uint32_t>(counts.hubs);
    const std::uint32_t share = (span_count + warp_count - 1) / warp_count;
    const std::uint64_t first = std::uint64_t{warp} * share;
    if (first < span_count) {
      expand_hubs(search.rows, hubs_of(search, level),
                  static_cast<std::uint32_t>(counts.hubs >> 32), span_count,
                  static_cast<std::uint32_t>(first), share, visitor);
    }
    expand_queue(search.rows, queue_of(search, level), counts.queue_count, visitor);
  }

 private:
  /// Spans [span, span + share) of `span_count`, by one warp.
  template <class Visitor>
  static __device__ void expand_hubs(const DeviceRowsOf<RowOffset>& rows, const Hub* hubs,
                                     std::uint32_t hub_count, std::uint32_t span_count,
                                     std::uint32_t span, std::uint32_t share, Visitor& visitor) {
    const std::uint32_t lane = threadIdx.x % kWarp;
    const std::uint32_t end = min(span_count, span + share);
    for (std::uint32_t at = hub_of(hubs, hub_count, span); span < end; ++at) {
      const Vertex vertex = __ldcg(&hubs[at].vertex);
      const std::uint32_t first = __ldcg(&hubs[at].first_span);
      const std::uint32_t next = at + 1 < hub_count ? __ldcg(&hubs[at + 1].first_span) : span_count;
      const RowOffset row = rows.row_offsets[vertex];
      const RowOffset row_end = rows.row_offsets[vertex + 1];
      for (const std::uint32_t stop = min(end, next); span < stop; ++span) {
        visitor.template visit<kInFlight>(vertex, row + (span - first) * kSpanArcs + lane, kWarp,
                                          row_end);
      }
    }
  }
};

}  // namespace bellmark::bfs::persistent::detail
