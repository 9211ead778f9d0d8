// Near-far search by the whole device: one cooperative kernel with a barrier over all its blocks.
// It is for graphs whose frontier is large and whose degrees are uneven (Kronecker graphs).
//
// Cost model: memory traffic. An arc is read once a relaxation of its tail (8 bytes, in order). Its
// head's distance is gathered (4 bytes; from the L2 cache while the distances fit there). The
// atomic on the label follows only where the gathered distance says that it may succeed, which is
// rare. Rows are shared out over lanes: whole warps for rows from 32 arcs on, a scan of the degrees
// for shorter ones (Merrill, Garland, Grimshaw: Scalable GPU Graph Traversal, PPoPP 2012). Rows
// from kHubDegree on are cut into pieces, a block each. Work is drawn by tickets, and several arcs
// a lane are in flight at once.
//
// direction=push-pull is that of Chakaravarthy, Checconi, Murali, Petrini, Sabharwal: Scalable
// Single Source Shortest Path Algorithms for Massively Parallel Systems, TPDS 2017. Once 1/64 of
// the arcs were queued the search pushes only up to a horizon. Rows in order of length end where no
// arc leads below it: with the default width a fourteenth of a Kronecker graph's arcs is left. Then
// each vertex beyond takes the least distance over its own row, because the graph is symmetric.
// Only its own thread writes a vertex, without atomics, and reads its row as far as it can matter.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/searches/near_far/cluster.cuh"
#include "algorithms/searches/near_far/graph.cuh"

namespace bellmark::near_far {

using gpu::kAllLanes;
using gpu::kWarp;
using gpu::lowest_bit;

inline constexpr unsigned kDeviceThreads = 256;
inline constexpr std::uint32_t kHubDegree = 512;
inline constexpr unsigned kArcsInFlight = 4;       ///< a lane
inline constexpr unsigned kShortArcsInFlight = 2;  ///< a lane, of different rows
inline constexpr std::uint32_t kPieceArcs = kDeviceThreads * kArcsInFlight;
/// The number of passes over all vertices, after which the vertices that are left are pushed again:
/// a graph without a core would take a pass a hop.
inline constexpr unsigned kMostPulls = 32;

/// Counters that all blocks share. A round's counters are read in it, written in the one before and
/// cleared in the one after.
struct DeviceControl {
  std::uint32_t near_count[3];
  std::uint32_t hub_count[3];
  std::uint32_t near_ticket[3];
  std::uint32_t hub_ticket[3];
  /// Push-pull: of the rows of all queued vertices. In a round of 2^32 arcs and more it is too
  /// small, and then the core is met later.
  std::uint32_t queued_arcs[3];
  std::uint32_t far_count[2];
  Word far_least[2];
  std::uint32_t is_pulling_on[3];  ///< by pass: whether it lowered a label
  std::uint32_t pulled_count;      ///< vertices that passes after the first ask
};

/// A piece of a hub's row.
struct HubPiece {
  Vertex vertex;
  std::uint32_t index;  ///< arcs [index * kPieceArcs, ...) of the row
};

/// A search with distances of 64 bits also has offsets of 64 bits, for 2^32 arcs and more.
template <class Distance>
struct DeviceSearch {
  using RowOffset = Distance;

  const RowOffset* row_offsets;
  const uint2* arcs;  ///< {head, length}; with push-pull in order of length in each row
  /// Push-pull: the end of the arcs in each row that are shorter than a bucket and the horizon.
  const RowOffset* light_ends;
  const Vertex* tails;  ///< push-pull: the vertices that have arcs
  Vertex tail_count;
  Vertex vertex_count;
  Measure measure;
  Distance delta;
  Distance horizon;  ///< push-pull: length that it pushes beyond the core's first vertex
  Word core_arcs;    ///< push-pull: number of queued arcs that means that it has met the core
  Starts<Distance> starts;
  Word* labels;         ///< all bits set
  Distance* filter;     ///< never below a label's distance; all bits set
  std::uint32_t* seen;  ///< the round for which a vertex was queued last; 0
  Vertex* near;         ///< two queues of vertex_count
  HubPiece* hubs;       ///< two lists of hub_capacity
  std::uint32_t hub_capacity;
  Vertex* far;  ///< two piles of vertex_count
  DeviceControl* control;
  RoundRecord* records;
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
  gpu::WorkSums* work;  ///< not read by a kernel with NoTally
};

namespace detail {

/// One warp's part in a round. Whole warps call its functions: lanes without work of their own
/// help.
template <class Distance, bool pulls, class Tally>
class DeviceRound {
 public:
  using RowOffset = typename DeviceSearch<Distance>::RowOffset;
  static constexpr RowOffset kNoArc = std::numeric_limits<RowOffset>::max();

  /// `buffers`: 2 * gpu::WarpBuffer<Vertex>::kSize vertices of the warp's own, in shared memory.
  /// `limit`: no label from there on is written; with push-pull alone. `row_ends`: the end
  /// of the part of each row that is relaxed.
  __device__ DeviceRound(const DeviceSearch<Distance>& search, const RowOffset* row_ends,
                         unsigned round, unsigned next_counter, unsigned far_side,
                         Distance threshold, Distance limit, Vertex* buffers, Tally& tally)
      : search_(search),
        tally_(tally),
        row_ends_(row_ends),
        limit_(limit),
        next_round_(round + 1),
        next_counter_(next_counter),
        threshold_(threshold),
        near_(buffers, search.near + std::size_t{(round + 1) % 2} * search.vertex_count,
              &search.control->near_count[next_counter]),
        far_(buffers + gpu::WarpBuffer<Vertex>::kSize,
             search.far + std::size_t{far_side} * search.vertex_count,
             &search.control->far_count[far_side]) {}

  /// Queues a vertex whose label is below the threshold for the next round, once.
  __device__ void queue(Vertex vertex, bool wanted) { queue_all<1>({vertex}, {wanted}); }

  /// Puts a vertex into the far pile.
  __device__ void put_off(Vertex vertex, bool wanted) { far_.append(vertex, wanted); }

  /// Hands over the vertices that the warp has queued.
  __device__ void flush() {
    near_.flush();
    far_.flush();
    if constexpr (pulls) {
      const std::uint32_t queued = __reduce_add_sync(kAllLanes, queued_arcs_);
      if (threadIdx.x % kWarp == 0 && queued != 0) {
        atomicAdd(&search_.control->queued_arcs[next_counter_], queued);
      }
      queued_arcs_ = 0;
    }
  }

  /// Relaxes up to `count` arcs of one row a lane, `stride` apart, those before `end`. False when
  /// all arcs of the warp lead to the limit or beyond, as then do all that follow in their row.
  template <unsigned count>
  __device__ bool relax(Vertex tail, Distance distance, RowOffset begin, std::uint32_t stride,
                        RowOffset end) {
    Vertex tails[count];
    Distance from[count];
    RowOffset at[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      tails[i] = tail;
      from[i] = distance;
      at[i] = begin + i * stride < end ? begin + i * stride : kNoArc;
    }
    return relax(tails, from, at);
  }

  /// Relaxes up to `count` arcs a lane: those that are not kNoArc. A round is a chain of dependent
  /// accesses, so that each step of it is taken for all of them before the next one.
  template <unsigned count>
  __device__ bool relax(const Vertex (&tails)[count], const Distance (&from)[count],
                        const RowOffset (&at)[count]) {
    using L = Label<Distance>;
    Vertex heads[count];
    Distance through[count];
    Distance known[count];
    bool near[count];
    bool far[count];
    bool any = false;
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      const uint2 arc = at[i] != kNoArc ? __ldcs(&search_.arcs[at[i]]) : uint2{kNoHead, 0};
      const Distance length = search_.measure.template length<Distance>(arc.y);
      const bool reads = arc.x != kNoHead && (!pulls || length < limit_ - from[i]);
      heads[i] = reads ? arc.x : kNoHead;
      through[i] = from[i] + length;
      if (reads) tally_.relax();
      if (!reads && at[i] != kNoArc) tally_.look();
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      known[i] = heads[i] != kNoHead ? __ldcg(&search_.filter[heads[i]]) : 0;
      any |= heads[i] != kNoHead;
    }
    if constexpr (pulls) {
      if (!__any_sync(kAllLanes, any)) return false;
    }
    // An atomic that can't succeed is not tried.
    Distance old[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      old[i] =
          through[i] < known[i]
              ? L::distance(atomicMin(&search_.labels[heads[i]], L::make(through[i], tails[i])))
              : 0;
    }
    bool any_near = false;
    bool any_far = false;
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      const bool lowered = through[i] < old[i];
      if (through[i] < known[i]) tally_.try_atomic(lowered);
      if (lowered) tally_.lower();
      if (lowered) detail::lower(&search_.filter[heads[i]], through[i]);
      near[i] = lowered && through[i] < threshold_;
      far[i] = lowered && !near[i] && old[i] == L::kInfinite;
      any_near |= near[i];
      any_far |= far[i];
    }
    if (__any_sync(kAllLanes, any_near)) queue_all<count>(heads, near);
    if (__any_sync(kAllLanes, any_far)) {
#pragma unroll
      for (unsigned i = 0; i < count; ++i) put_off(heads[i], far[i]);
    }
    return true;
  }

  /// The end of the part of a row that is relaxed.
  __device__ RowOffset row_end(Vertex vertex) const { return row_ends_[vertex]; }

  __device__ Tally& tally() { return tally_; }

 private:
  template <unsigned count>
  __device__ void queue_all(const Vertex (&vertices)[count], const bool (&wanted)[count]) {
    bool first[count];
    std::uint32_t degrees[count];
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      first[i] = wanted[i] && atomicExch(&search_.seen[vertices[i]], next_round_) != next_round_;
      if (wanted[i]) tally_.try_atomic(first[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      degrees[i] = first[i] ? static_cast<std::uint32_t>(row_ends_[vertices[i]] -
                                                         search_.row_offsets[vertices[i]])
                            : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < count; ++i) {
      if constexpr (pulls) queued_arcs_ += degrees[i];
      const bool hub = degrees[i] >= kHubDegree;
      near_.append(vertices[i], first[i] && !hub);
      if (hub) queue_pieces(vertices[i], degrees[i]);
    }
  }

  __device__ void queue_pieces(Vertex hub, std::uint32_t degree) {
    const std::uint32_t pieces = (degree + kPieceArcs - 1) / kPieceArcs;
    const std::uint32_t begin = atomicAdd(&search_.control->hub_count[next_counter_], pieces);
    HubPiece* const list = search_.hubs + std::size_t{next_round_ % 2} * search_.hub_capacity;
    for (std::uint32_t i = 0; i < pieces; ++i) list[begin + i] = {hub, i};
  }

  const DeviceSearch<Distance>& search_;
  Tally& tally_;
  const RowOffset* row_ends_;
  Distance limit_;
  std::uint32_t queued_arcs_ = 0;  ///< of vertices that this lane queued
  unsigned next_round_;
  unsigned next_counter_;
  Distance threshold_;
  gpu::WarpBuffer<Vertex> near_;
  gpu::WarpBuffer<Vertex> far_;
};

/// One warp relaxes the rows of up to 32 vertices.
template <class Distance, bool pulls, class Tally>
__device__ void relax_rows(const DeviceSearch<Distance>& search,
                           DeviceRound<Distance, pulls, Tally>& round, Vertex vertex, bool active) {
  using RowOffset = typename DeviceSearch<Distance>::RowOffset;
  const unsigned lane = threadIdx.x % kWarp;
  RowOffset begin = 0;
  std::uint32_t degree = 0;
  Distance distance = 0;
  if (active) {
    begin = search.row_offsets[vertex];
    degree = static_cast<std::uint32_t>(round.row_end(vertex) - begin);
    round.tally().scan();
    distance = Label<Distance>::distance(__ldcg(&search.labels[vertex]));
  }
  // Long rows, one after the other, a warp each.
  for (unsigned rows = __ballot_sync(kAllLanes, degree >= kWarp); rows != 0; rows &= rows - 1) {
    const unsigned owner = lowest_bit(rows);
    const RowOffset first = __shfl_sync(kAllLanes, begin, owner);
    const std::uint32_t count = __shfl_sync(kAllLanes, degree, owner);
    const Distance from = __shfl_sync(kAllLanes, distance, owner);
    const Vertex tail = __shfl_sync(kAllLanes, vertex, owner);
    for (std::uint32_t i = 0; i < count; i += kArcsInFlight * kWarp) {
      if (!round.template relax<kArcsInFlight>(tail, from, first + i + lane, kWarp,
                                               first + count)) {
        break;
      }
    }
  }
  // Short rows, their arcs side by side.
  const std::uint32_t mine = degree < kWarp ? degree : 0;
  const std::uint32_t ends = gpu::inclusive_sum(mine);
  const std::uint32_t total = __shfl_sync(kAllLanes, ends, kWarp - 1);
  for (std::uint32_t first = lane; first - lane < total; first += kShortArcsInFlight * kWarp) {
    Vertex tails[kShortArcsInFlight];
    Distance from[kShortArcsInFlight];
    RowOffset at[kShortArcsInFlight];
#pragma unroll
    for (unsigned j = 0; j < kShortArcsInFlight; ++j) {
      const std::uint32_t i = first + j * kWarp;
      unsigned owner = 0;  // the number of rows that end at or before arc i
      for (unsigned step = kWarp / 2; step > 0; step /= 2) {
        const std::uint32_t end = __shfl_sync(kAllLanes, ends, owner + step - 1);
        if (end <= i) owner += step;
      }
      owner = min(owner, kWarp - 1);
      const std::uint32_t row_end = __shfl_sync(kAllLanes, ends, owner);
      const RowOffset row_begin = __shfl_sync(kAllLanes, begin, owner);
      const std::uint32_t row_degree = __shfl_sync(kAllLanes, mine, owner);
      from[j] = __shfl_sync(kAllLanes, distance, owner);
      tails[j] = __shfl_sync(kAllLanes, vertex, owner);
      at[j] = i < total ? row_begin + i - (row_end - row_degree) : round.kNoArc;
    }
    round.relax(tails, from, at);
  }
}

/// All blocks relax the pieces of hubs. A block draws up to 32 pieces while there are enough of
/// them: many are empty where a limit cuts rows short. Whole blocks call it.
template <class Distance, bool pulls, class Tally>
__device__ void relax_hubs(const DeviceSearch<Distance>& search,
                           DeviceRound<Distance, pulls, Tally>& round, unsigned number,
                           unsigned counter, std::uint32_t hub_count) {
  using RowOffset = typename DeviceSearch<Distance>::RowOffset;
  __shared__ std::uint32_t drawn;
  const unsigned lane = threadIdx.x % kWarp;
  const HubPiece* const list = search.hubs + std::size_t{number % 2} * search.hub_capacity;
  const std::uint32_t share = max(1u, min(kWarp, hub_count / (2 * gridDim.x)));
  while (hub_count != 0) {
    if (threadIdx.x == 0) drawn = atomicAdd(&search.control->hub_ticket[counter], share);
    __syncthreads();
    const std::uint32_t first = drawn;
    __syncthreads();
    if (first >= hub_count) break;
    Vertex vertex = kNoHead;
    Distance distance = 0;
    RowOffset begin = 0;
    RowOffset end = 0;
    if (lane < share && first + lane < hub_count) {
      const HubPiece* const piece = &list[first + lane];
      vertex = __ldcg(&piece->vertex);
      begin = search.row_offsets[vertex] + __ldcg(&piece->index) * kPieceArcs;
      end = min(round.row_end(vertex), RowOffset{begin + kPieceArcs});
      if (threadIdx.x < kWarp && begin == search.row_offsets[vertex]) round.tally().scan();
      distance = Label<Distance>::distance(__ldcg(&search.labels[vertex]));
    }
    for (unsigned pieces = __ballot_sync(kAllLanes, begin < end); pieces != 0;
         pieces &= pieces - 1) {
      const unsigned owner = lowest_bit(pieces);
      const Vertex tail = __shfl_sync(kAllLanes, vertex, owner);
      const Distance from = __shfl_sync(kAllLanes, distance, owner);
      const RowOffset at = __shfl_sync(kAllLanes, begin, owner) + threadIdx.x;
      round.template relax<kArcsInFlight>(tail, from, at, kDeviceThreads,
                                          __shfl_sync(kAllLanes, end, owner));
    }
  }
}

template <class Distance>
__device__ Distance sum_below_infinite(Distance one, Distance other) {
  const Distance sum = one + other;
  return sum < one ? Label<Distance>::kInfinite : sum;
}

/// Queues the vertices below `limit` in the far pile. Whole warps call it.
template <class Distance, class Tally>
__device__ void take_far(const DeviceSearch<Distance>& search,
                         DeviceRound<Distance, true, Tally>& round, unsigned far_side,
                         Distance limit) {
  const unsigned thread = blockIdx.x * kDeviceThreads + threadIdx.x;
  const unsigned lane = threadIdx.x % kWarp;
  const std::uint32_t far_count = __ldcg(&search.control->far_count[far_side]);
  const std::size_t side = std::size_t{far_side} * search.vertex_count;
  for (std::uint32_t first = thread - lane; first < far_count;
       first += gridDim.x * kDeviceThreads) {
    const bool inside = first + lane < far_count;
    const Vertex vertex =
        inside ? __ldcg(&search.far[side + first + lane]) : search.starts.first.vertex;
    const bool below = inside && Label<Distance>::distance(__ldcg(&search.labels[vertex])) < limit;
    round.queue(vertex, below);
  }
}

/// Puts every vertex that was reached at `limit` or beyond into the far pile. Whole warps call it.
template <class Distance, class Tally>
__device__ void put_all_off(const DeviceSearch<Distance>& search,
                            DeviceRound<Distance, true, Tally>& round, Distance limit) {
  const unsigned thread = blockIdx.x * kDeviceThreads + threadIdx.x;
  const unsigned lane = threadIdx.x % kWarp;
  for (std::size_t first = thread - lane; first < search.vertex_count;
       first += gridDim.x * kDeviceThreads) {
    const bool inside = first + lane < search.vertex_count;
    const std::size_t vertex = inside ? first + lane : 0;
    const Distance distance = Label<Distance>::distance(__ldcg(&search.labels[vertex]));
    const bool waits = inside && distance >= limit && distance != Label<Distance>::kInfinite;
    // The filter knows nothing of pulled vertices, and only has to be above the label.
    round.put_off(static_cast<Vertex>(vertex), waits);
  }
}

/// The least distance over the vertex's row, whose arcs come in order of length. No neighbour that
/// matters lies below `floor`. Returns whether it was lowered. Distances come from the filter,
/// which takes half of the cache that labels take.
template <class Distance, class Tally>
__device__ bool pull(const DeviceSearch<Distance>& search, Vertex vertex, Distance distance,
                     Distance floor, Tally& tally) {
  using L = Label<Distance>;
  std::uint64_t least = distance;
  Vertex predecessor = kNoHead;
  using RowOffset = typename DeviceSearch<Distance>::RowOffset;
  const RowOffset end = search.row_offsets[vertex + 1];
  tally.scan();
  for (RowOffset at = search.row_offsets[vertex]; at < end; at += kArcsInFlight) {
    uint2 arcs[kArcsInFlight];
    std::uint64_t from[kArcsInFlight];
#pragma unroll
    for (unsigned i = 0; i < kArcsInFlight; ++i) {
      arcs[i] = at + i < end ? __ldg(&search.arcs[at + i]) : uint2{kNoHead, 0};
    }
    bool goes_on = true;
#pragma unroll
    for (unsigned i = 0; i < kArcsInFlight; ++i) {
      const std::uint64_t length = search.measure.template length<Distance>(arcs[i].y);
      goes_on = arcs[i].x != kNoHead && floor + length < least;
      from[i] = goes_on ? __ldcg(&search.filter[arcs[i].x]) : L::kInfinite;
      if (goes_on) tally.relax();
      if (!goes_on && arcs[i].x != kNoHead) tally.look();
    }
#pragma unroll
    for (unsigned i = 0; i < kArcsInFlight; ++i) {
      if (from[i] == L::kInfinite) continue;
      const std::uint64_t through = from[i] + search.measure.template length<Distance>(arcs[i].y);
      if (through >= least) continue;
      least = through;
      predecessor = arcs[i].x;
    }
    if (!goes_on) break;
  }
  if (predecessor == kNoHead) return false;
  tally.lower();
  search.labels[vertex] = L::make(static_cast<Distance>(least), predecessor);
  search.filter[vertex] = static_cast<Distance>(least);
  return true;
}

/// Adds a line to the log of a recorded run. One thread calls it.
template <class Distance>
__device__ void record(const DeviceSearch<Distance>& search, unsigned round,
                       std::uint64_t entry_count, std::uint64_t threshold) {
  if (search.records == nullptr || round > search.record_capacity) return;
  search.records[round - 1] = {gpu::global_timer(), entry_count, threshold};
  *search.record_count = round;
}

/// Whether a neighbour at `limit` or beyond could lower the vertex.
template <class Distance, class Tally>
__device__ bool has_room(const DeviceSearch<Distance>& search, Vertex vertex, Distance limit,
                         Tally& tally) {
  tally.look();
  const std::uint64_t length =
      search.measure.template length<Distance>(search.arcs[search.row_offsets[vertex]].y);
  return limit + length < __ldcg(&search.filter[vertex]);
}

/// Passes over all vertices at `limit` or beyond, until none is lowered, or until kMostPulls are
/// done; then it returns false. Labels below the limit are final. The first pass lists, in the
/// place of a queue, the vertices whose shortest arc still leaves room for a neighbour beyond the
/// limit: later passes ask these. Passes are recorded as rounds from `round` on. The whole grid
/// calls it.
template <class Distance, class Tally>
__device__ bool pull_to_the_end(const DeviceSearch<Distance>& search, const cg::grid_group& grid,
                                unsigned round, Distance floor, Distance limit, Vertex* buffer,
                                Tally& tally) {
  const unsigned thread = blockIdx.x * kDeviceThreads + threadIdx.x;
  const unsigned thread_count = gridDim.x * kDeviceThreads;
  const unsigned lane = threadIdx.x % kWarp;
  gpu::WarpBuffer<Vertex> list(buffer, search.near, &search.control->pulled_count);
  std::uint32_t count = search.tail_count;
  const Vertex* asked = search.tails;
  for (unsigned pass = 0; pass < kMostPulls; ++pass) {
    bool lowered = false;
    if (thread == 0) record(search, round + pass, count, limit);
    for (std::uint32_t first = thread - lane; first < count; first += thread_count) {
      const bool inside = first + lane < count;
      const Vertex vertex = inside ? __ldcg(&asked[first + lane]) : 0;
      const Distance distance = inside ? __ldcg(&search.filter[vertex]) : 0;
      const bool waits = inside && distance >= limit;
      if (waits) lowered |= pull(search, vertex, distance, floor, tally);
      if (pass == 0) list.append(vertex, waits && has_room(search, vertex, limit, tally));
    }
    if (pass == 0) list.flush();
    // In the first pass all have asked final vertices: only vertices beyond can lower more.
    floor = limit;
    std::uint32_t* const on = search.control->is_pulling_on;
    if (__syncthreads_or(lowered) && threadIdx.x == 0) on[pass % 3] = 1;
    grid.sync();
    if (__ldcg(&on[pass % 3]) == 0) {
      if (thread == 0) record(search, round + pass + 1, 0, limit);
      return true;
    }
    // All have read it a barrier before, and the next pass writes another.
    if (thread == 0) on[(pass + 2) % 3] = 0;
    asked = search.near;
    count = __ldcg(&search.control->pulled_count);
  }
  return false;
}

}  // namespace detail

/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole grid's.
template <class Distance, bool pulls, class Tally>
__global__ void __launch_bounds__(kDeviceThreads)
    device_kernel(const DeviceSearch<Distance> search) {
  using L = Label<Distance>;
  using Round = detail::DeviceRound<Distance, pulls, Tally>;
  const cg::grid_group grid = cg::this_grid();
  const unsigned thread = blockIdx.x * kDeviceThreads + threadIdx.x;
  const unsigned thread_count = gridDim.x * kDeviceThreads;
  const unsigned lane = threadIdx.x % kWarp;
  const std::size_t n = search.vertex_count;
  DeviceControl& control = *search.control;
  __shared__ Vertex buffers[kDeviceThreads / kWarp][2 * gpu::WarpBuffer<Vertex>::kSize];
  Vertex* const own_buffers = buffers[threadIdx.x / kWarp];
  Tally tally;

  const auto* row_ends = search.row_offsets + 1;
  // Lanes without work look at this.
  const Vertex idle = search.starts.first.vertex;
  Distance threshold = first_threshold(search.starts, search.delta);
  unsigned far_side = 0;
  unsigned counter = 0;
  if (thread < kWarp) {
    const Start<Distance> start = lane == 0 ? search.starts.first : search.starts.second;
    const bool begins = lane < 2 && start.vertex != kNoHead;
    if (begins) {
      search.labels[start.vertex] = L::make(start.distance, start.predecessor);
      search.filter[start.vertex] = start.distance;
      tally.lower();
    }
    __syncwarp();
    // Queued for round 1: the loop begins with its counters.
    Round first(search, row_ends, 0, 1, far_side, threshold, L::kInfinite, own_buffers, tally);
    first.queue(begins ? start.vertex : idle, begins);
    first.flush();
  }
  grid.sync();
  counter = 1;
  Distance settled = 0;  // labels below are final, and were pushed
  // Push-pull: seeking the core, until there is a limit.
  bool seeks = pulls;
  Word met_arcs = 0;
  Distance limit = L::kInfinite;

  for (unsigned round = 1;; ++round) {
    if constexpr (pulls) {
      if (seeks) met_arcs += __ldcg(&control.queued_arcs[counter]);
      if (seeks && met_arcs > search.core_arcs) {
        // All of the far pile below the limit is pushed together with the queue.
        seeks = false;
        limit = detail::sum_below_infinite(threshold, search.horizon);
        threshold = limit;
        // From `settled` on no longer arc leads below the limit.
        if (limit - settled <= search.delta + search.horizon) row_ends = search.light_ends;
        Round taking(search, row_ends, round - 1, counter, far_side, threshold, limit, own_buffers,
                     tally);
        detail::take_far(search, taking, far_side, limit);
        taking.flush();
        grid.sync();
      }
    }
    const unsigned next_counter = counter == 2 ? 0 : counter + 1;
    const unsigned free_counter = 3 - counter - next_counter;
    const std::size_t side = round % 2;
    const std::uint32_t near_count = __ldcg(&control.near_count[counter]);
    const std::uint32_t hub_count = __ldcg(&control.hub_count[counter]);
    if (thread == 0) {
      control.near_count[free_counter] = 0;
      control.hub_count[free_counter] = 0;
      control.near_ticket[free_counter] = 0;
      control.hub_ticket[free_counter] = 0;
      control.queued_arcs[free_counter] = 0;
      detail::record(search, round, near_count + hub_count, threshold);
    }
    Round relaxing(search, row_ends, round, next_counter, far_side, threshold, limit, own_buffers,
                   tally);

    detail::relax_hubs(search, relaxing, round, counter, hub_count);
    // Warps draw 32 entries while there are enough of them, and fewer otherwise, so that a small
    // frontier still spreads over the device.
    const std::uint32_t warp_count = thread_count / kWarp;
    const std::uint32_t share = min(kWarp, (near_count + warp_count - 1) / warp_count);
    while (near_count != 0) {
      std::uint32_t first = 0;
      if (lane == 0) first = atomicAdd(&control.near_ticket[counter], share);
      first = __shfl_sync(kAllLanes, first, 0);
      if (first >= near_count) break;
      const bool active = lane < share && first + lane < near_count;
      const Vertex vertex = active ? __ldcg(&search.near[side * n + first + lane]) : idle;
      detail::relax_rows(search, relaxing, vertex, active);
    }
    relaxing.flush();
    grid.sync();
    const bool empty = __ldcg(&control.near_count[next_counter]) == 0 &&
                       __ldcg(&control.hub_count[next_counter]) == 0;
    if (!empty) {
      counter = next_counter;
      continue;
    }
    if constexpr (pulls) {
      if (!seeks && limit != L::kInfinite) {
        if (detail::pull_to_the_end(search, grid, round + 1, settled, limit, own_buffers, tally)) {
          break;
        }
        round += kMostPulls;  // even: the queues keep their sides
        row_ends = search.row_offsets + 1;
        // The vertices that are left are pushed as from a far pile.
        Round keeping(search, row_ends, round, next_counter, far_side ^ 1, limit, L::kInfinite,
                      own_buffers, tally);
        detail::put_all_off(search, keeping, limit);
        keeping.flush();
        if (thread == 0) control.far_count[far_side] = 0;
        far_side ^= 1;
        threshold = limit;
        limit = L::kInfinite;
        grid.sync();
      }
    }

    // Splitting the far pile fills the queue that others may still be asking about.
    grid.sync();
    bool finished = false;
    while (true) {
      settled = threshold;
      threshold += search.delta;
      if (threshold < settled) threshold = L::kInfinite;
      const std::uint32_t far_count = __ldcg(&control.far_count[far_side]);
      if (far_count == 0) {
        finished = true;
        break;
      }
      Round splitting(search, row_ends, round, next_counter, far_side ^ 1, threshold, L::kInfinite,
                      own_buffers, tally);
      Distance least = L::kInfinite;
      for (std::uint32_t first = thread - lane; first < far_count; first += thread_count) {
        const bool inside = first + lane < far_count;
        Vertex vertex = idle;
        Distance distance = 0;
        if (inside) {
          vertex = __ldcg(&search.far[far_side * n + first + lane]);
          distance = L::distance(__ldcg(&search.labels[vertex]));
        }
        const bool waiting = inside && distance >= settled;  // else it was relaxed already
        const bool kept = waiting && distance >= threshold;
        splitting.queue(vertex, waiting && !kept);
        splitting.put_off(vertex, kept);
        if (kept) least = min(least, distance);
      }
      splitting.flush();
      if (least != L::kInfinite) atomicMin(&control.far_least[far_side ^ 1], Word{least});
      grid.sync();
      const Distance all_least = static_cast<Distance>(__ldcg(&control.far_least[far_side ^ 1]));
      const bool any_near = __ldcg(&control.near_count[next_counter]) != 0 ||
                            __ldcg(&control.hub_count[next_counter]) != 0;
      const std::uint32_t kept_count = __ldcg(&control.far_count[far_side ^ 1]);
      grid.sync();
      if (thread == 0) {
        control.far_count[far_side] = 0;
        control.far_least[far_side] = ~Word{0};
      }
      far_side ^= 1;
      if (any_near) break;
      finished = kept_count == 0;
      if (finished) break;
      threshold = all_least;
      grid.sync();
    }
    if (finished) break;
    grid.sync();
    counter = next_counter;
  }
  tally.add_to(search.work);
}

}  // namespace bellmark::near_far
