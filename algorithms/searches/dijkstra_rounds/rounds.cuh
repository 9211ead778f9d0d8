// The kernels of sssp/dijkstra-rounds-gpu: Dijkstra's algorithm with many vertices closed a round
// (ma2022, sections 3.1.3 and 4.1, Algorithm 5). options.hpp has the criteria and their proofs.
// A round has three steps, each after the whole of the one before:
//   bounds  the thresholds of the open vertices, by parallel reduction
//   close   vertices that are proven final leave the open set for the list of closed vertices
//   relax   the arcs of those; vertices reached for the first time become open
//
// Algorithm 5 nests kernels: a thread of RelaxNode launches RelaxEdge with a thread an arc.
// Launches from the device are not used. From CUDA 12 on a parent can't wait for its children, so
// that the next step would need one more launch after them. A launch also costs microseconds where
// a road's vertex has two or three arcs. Here the threads are there already: one an arc, by warps
// or by blocks.
//
// Both loops share the code for a vertex and for an arc, and so do the rounds.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra_rounds/options.hpp"
#include "algorithms/searches/near_far/graph.cuh"

namespace bellmark::dijkstra_rounds_gpu {

using dijkstra_rounds::Criterion;
using near_far::Label;
using near_far::Word;

inline constexpr unsigned kWarp = 32;
/// loop=block: threads of the one block, and the entries that it keeps in shared memory (36 KiB);
/// the rest of a list is behind it in global memory.
inline constexpr unsigned kThreads = 1024;
inline constexpr unsigned kSharedOpen = 2048;
inline constexpr unsigned kSharedClosed = 1024;
/// Rows with more arcs are the whole block's; a warp takes each shorter one.
inline constexpr std::uint32_t kWideRow = 512;
/// loop=host: threads a block.
inline constexpr unsigned kBlock = 256;
inline constexpr unsigned kRelaxBlock = 64;

inline constexpr Vertex kRowEnd = kNoVertex;
inline constexpr std::uint32_t kNotClosed = 0xffffffffu;

/// An open vertex, and the last known place in its row of its lightest arc to a vertex not closed.
struct Open {
  Vertex vertex;
  std::uint32_t arc;
};

template <class Distance>
struct Bounds {
  Distance out;    ///< D or L: the bound by arcs out of open vertices
  Distance least;  ///< M: of an open vertex's distances
};

/// The cost of finding the lightest arcs to vertices not closed (open_out).
struct Work {
  std::uint64_t reevaluated_count;   ///< vertices whose last such arc had come to a closed one
  std::uint64_t examined_arc_count;  ///< arcs whose heads were looked at
};

/// Counters of a search.
template <class Distance>
struct State {
  std::uint64_t closed_count;
  Work work;
  std::uint32_t round_count;
  // Of loop=host: side i is of one list of open vertices, and of rounds i, i + 2, ...
  std::uint32_t open_count[2];
  std::uint32_t round_closed_count;
  Bounds<Distance> bounds[2];
};

/// An instrumented run of loop=block writes this of a round.
struct LoggedRound {
  std::uint64_t gpu_ns;      ///< after the line before, by the device's clock
  std::uint32_t open_count;  ///< when it began
  std::uint32_t closed_count;
};

template <class Distance>
struct Search {
  static constexpr Distance kInfinite = Label<Distance>::kInfinite;

  Vertex vertex_count;
  const uint2* arcs;  ///< head and length, rows sorted by length; each is followed by a kRowEnd
  const std::uint32_t* row_begins;  ///< one a vertex, and one after the last row
  const Length* lightest_in;        ///< criteria in, in_out: lightest arc into a vertex
  Word* labels;
  std::uint32_t* closed_in;  ///< the round that closed the vertex
  Open* open[2];
  Vertex* closed;  ///< in this round
  State<Distance>* state;
  LoggedRound* log;  ///< null unless instrumented
  std::uint32_t log_capacity;
};

template <Criterion criterion>
inline constexpr bool kUsesOut = criterion != Criterion::in;
template <Criterion criterion>
inline constexpr bool kUsesIn = criterion == Criterion::in || criterion == Criterion::in_out;

template <class Distance>
__device__ Distance distance_of(const Search<Distance>& search, Vertex v) {
  return Label<Distance>::distance(search.labels[v]);
}

/// By comparison: an index would copy the whole of `search` to local memory, where it has an
/// address.
template <class Distance>
__device__ Open* list_of(const Search<Distance>& search, unsigned side) {
  return side == 0 ? search.open[0] : search.open[1];
}

/// The thresholds that one open vertex gives. Moves `open.arc` on over closed heads (open_out):
/// they stay closed.
template <Criterion criterion, class Distance>
__device__ Bounds<Distance> bounds_of(const Search<Distance>& search, Open& open, Work& work) {
  const Distance distance = distance_of(search, open.vertex);
  Bounds<Distance> bounds = {Search<Distance>::kInfinite, distance};
  if constexpr (kUsesOut<criterion>) {
    uint2 arc = __ldg(&search.arcs[open.arc]);
    if constexpr (criterion == Criterion::open_out) {
      const std::uint32_t known = open.arc;
      while (arc.x != kRowEnd && search.closed_in[arc.x] != kNotClosed) {
        arc = __ldg(&search.arcs[++open.arc]);
      }
      work.reevaluated_count += open.arc > known ? 1 : 0;
      work.examined_arc_count += open.arc - known + (arc.x != kRowEnd ? 1 : 0);
    }
    // The recorded bound is of final distances and one more arc, and this one may not be final. A
    // sum that doesn't fit is larger than any label, and bounds nothing.
    const Distance through = distance + arc.y;
    if (arc.x != kRowEnd && through >= distance) bounds.out = through;
  }
  return bounds;
}

template <Criterion criterion, class Distance>
__device__ bool is_final(const Search<Distance>& search, Vertex v, const Bounds<Distance>& bounds) {
  const Distance distance = distance_of(search, v);
  if constexpr (kUsesOut<criterion>) {
    if (distance <= bounds.out) return true;
  }
  if constexpr (kUsesIn<criterion>) {
    const auto lightest = static_cast<Distance>(search.lightest_in[v]);
    return distance <= lightest || distance - lightest <= bounds.least;
  }
  return false;
}

/// Relaxes an arc of a vertex that was just closed; returns whether its head becomes open. A closed
/// head is never improved: its distance is final. So predecessors were closed in an earlier round
/// than their vertices, and form a tree, zero lengths or not.
template <class Distance>
__device__ bool relax(const Search<Distance>& search, Vertex tail, Distance distance, uint2 arc) {
  const Distance through = distance + arc.y;
  const Word now = *static_cast<volatile const Word*>(&search.labels[arc.x]);
  if (through >= Label<Distance>::distance(now)) return false;
  const Word old = atomicMin(&search.labels[arc.x], Label<Distance>::make(through, tail));
  return Label<Distance>::distance(old) == Search<Distance>::kInfinite;
}

template <class Distance>
__device__ Open opened(const Search<Distance>& search, Vertex v) {
  return {v, search.row_begins[v]};
}

/// A place in a list for each of the lanes that call this together: one atomic for all.
__device__ inline unsigned place_in(unsigned& count) {
  const unsigned lanes = __activemask();
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned before = lanes & ((1u << lane) - 1);
  unsigned first = 0;
  if (before == 0) first = atomicAdd(&count, static_cast<unsigned>(__popc(lanes)));
  return __shfl_sync(lanes, first, __ffs(static_cast<int>(lanes)) - 1) +
         static_cast<unsigned>(__popc(before));
}

__device__ inline std::uint32_t least_of_warp(std::uint32_t value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  return __reduce_min_sync(0xffffffffu, value);
#else
  for (unsigned i = kWarp / 2; i > 0; i /= 2) {
    value = min(value, __shfl_xor_sync(0xffffffffu, value, i));
  }
  return value;
#endif
}
__device__ inline std::uint64_t least_of_warp(std::uint64_t value) {
  for (unsigned i = kWarp / 2; i > 0; i /= 2) {
    const std::uint64_t other = __shfl_xor_sync(0xffffffffu, value, i);
    if (other < value) value = other;
  }
  return value;
}

__device__ inline void lower(std::uint32_t& least, std::uint32_t value) {
  atomicMin(&least, value);
}
__device__ inline void lower(std::uint64_t& least, std::uint64_t value) {
  atomicMin(reinterpret_cast<Word*>(&least), Word{value});
}

/// The warp's bounds into those of all; the whole warp takes part.
template <Criterion criterion, class Distance>
__device__ void lower_bounds(Bounds<Distance>& all, const Bounds<Distance>& mine, unsigned lane) {
  if constexpr (kUsesOut<criterion>) {
    const Distance out = least_of_warp(mine.out);
    if (lane == 0) lower(all.out, out);
  }
  if constexpr (kUsesIn<criterion>) {
    const Distance least = least_of_warp(mine.least);
    if (lane == 0) lower(all.least, least);
  }
}

template <class Distance>
__device__ Bounds<Distance> no_bounds() {
  return {Search<Distance>::kInfinite, Search<Distance>::kInfinite};
}

__device__ inline std::uint64_t sum_of_warp(std::uint64_t value) {
  for (unsigned i = kWarp / 2; i > 0; i /= 2) value += __shfl_xor_sync(0xffffffffu, value, i);
  return value;
}

/// The warp's work to that of all; the whole warp takes part.
template <Criterion criterion>
__device__ void add_work(Work& all, const Work& mine, unsigned lane) {
  if constexpr (criterion == Criterion::open_out) {
    const std::uint64_t reevaluated_count = sum_of_warp(mine.reevaluated_count);
    const std::uint64_t examined_arc_count = sum_of_warp(mine.examined_arc_count);
    if (lane != 0 || examined_arc_count == 0) return;
    atomicAdd(reinterpret_cast<Word*>(&all.reevaluated_count), Word{reevaluated_count});
    atomicAdd(reinterpret_cast<Word*>(&all.examined_arc_count), Word{examined_arc_count});
  }
}

__device__ inline std::uint64_t clock_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// The source alone is open. Labels and `closed_in` have all bits set.
template <class Distance>
__global__ void begin_kernel(Search<Distance> search, Vertex source) {
  search.labels[source] = Label<Distance>::make(0, kNoVertex);
  search.open[0][0] = opened(search, source);
  *search.state = {0, {0, 0}, 0, {1, 0}, 0, {no_bounds<Distance>(), no_bounds<Distance>()}};
}

// loop=host. A counter is cleared by a kernel between the last that reads it and the next that adds
// to it; kernels of one stream are apart.

template <Criterion criterion, class Distance>
__global__ void __launch_bounds__(kBlock)
    bounds_kernel(Search<Distance> search, unsigned side, std::uint32_t open_count) {
  const unsigned thread = blockIdx.x * kBlock + threadIdx.x;
  State<Distance>& state = *search.state;
  Bounds<Distance> bounds = no_bounds<Distance>();
  Work work = {0, 0};
  if (thread < open_count) {
    Open open = list_of(search, side)[thread];
    bounds = bounds_of<criterion>(search, open, work);
    if (work.reevaluated_count > 0) list_of(search, side)[thread].arc = open.arc;
  }
  __syncwarp();
  lower_bounds<criterion>(state.bounds[side], bounds, threadIdx.x % kWarp);
  add_work<criterion>(state.work, work, threadIdx.x % kWarp);
  if (thread != 0) return;
  state.open_count[1 - side] = 0;
  state.round_closed_count = 0;
  state.bounds[1 - side] = no_bounds<Distance>();
}

template <Criterion criterion, class Distance>
__global__ void __launch_bounds__(kBlock)
    close_kernel(Search<Distance> search, unsigned side, std::uint32_t open_count,
                 std::uint32_t round) {
  const unsigned thread = blockIdx.x * kBlock + threadIdx.x;
  if (thread >= open_count) return;
  State<Distance>& state = *search.state;
  const Open open = list_of(search, side)[thread];
  if (is_final<criterion>(search, open.vertex, state.bounds[side])) {
    search.closed_in[open.vertex] = round;
    search.closed[place_in(state.round_closed_count)] = open.vertex;
  } else {
    list_of(search, 1 - side)[place_in(state.open_count[1 - side])] = open;
  }
}

/// A block a vertex that was just closed, a thread an arc.
template <class Distance>
__global__ void __launch_bounds__(kRelaxBlock)
    relax_kernel(Search<Distance> search, unsigned side) {
  State<Distance>& state = *search.state;
  const std::uint32_t round_closed_count = state.round_closed_count;
  for (std::uint32_t i = blockIdx.x; i < round_closed_count; i += gridDim.x) {
    const Vertex tail = search.closed[i];
    const Distance distance = distance_of(search, tail);
    const std::uint32_t row_end = search.row_begins[tail + 1] - 1;
    for (std::uint32_t a = search.row_begins[tail] + threadIdx.x; a < row_end; a += kRelaxBlock) {
      const uint2 arc = __ldg(&search.arcs[a]);
      const Open head = opened(search, arc.x);
      if (!relax(search, tail, distance, arc)) continue;
      list_of(search, 1 - side)[place_in(state.open_count[1 - side])] = head;
    }
  }
}

/// loop=block: the whole search in one block, whose threads wait for each other three times a
/// round. It ends: each round closes at least one vertex, so there are no more rounds than
/// vertices.
///
/// Cost: a round is a chain of latencies, for any number of closed vertices. Bounds: an entry from
/// shared memory, its label, its arc and that arc's head's state one after the other; then a
/// reduction over the warp and one over the block. Close: the label again, from the L1 cache.
/// Relax: the row's begin, the arc, its head's label, and the atomic on it. That is four to six
/// accesses to the L2 cache (about 280 cycles each on an H200) where the L1 cache has nothing, and
/// three barriers. By this count a round takes 1 to 2 us.
///
/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole block's.
template <Criterion criterion, class Distance>
__global__ void __launch_bounds__(kThreads)
    block_kernel(Search<Distance> search, bool has_wide_rows) {
  __shared__ Open shared_open[2][kSharedOpen];
  __shared__ Vertex shared_closed[kSharedClosed];
  __shared__ Bounds<Distance> bounds;
  __shared__ unsigned open_count[2];
  __shared__ unsigned round_closed_count;
  const unsigned thread = threadIdx.x;
  const unsigned lane = thread % kWarp;
  const auto open_at = [&](unsigned side, unsigned i) -> Open& {
    return i < kSharedOpen ? shared_open[side][i] : list_of(search, side)[i];
  };
  const auto closed_at = [&](unsigned i) -> Vertex& {
    return i < kSharedClosed ? shared_closed[i] : search.closed[i];
  };

  if (thread == 0) {
    shared_open[0][0] = search.open[0][0];
    open_count[0] = 1;
    bounds = no_bounds<Distance>();
  }
  std::uint64_t closed_count = 0;
  Work work = {0, 0};
  std::uint64_t logged_ns = search.log == nullptr ? 0 : clock_ns();
  std::uint32_t round = 0;
  __syncthreads();
  unsigned count = 1;
  for (; count > 0 && round < search.vertex_count; ++round) {
    const unsigned side = round % 2;
    // Nobody has read these after the last barrier, or adds to them before the next.
    if (thread == 0) {
      open_count[1 - side] = 0;
      round_closed_count = 0;
    }
    if (thread - lane < count) {
      Bounds<Distance> mine = no_bounds<Distance>();
      for (unsigned i = thread; i < count; i += kThreads) {
        Open open = open_at(side, i);
        const std::uint32_t arc = open.arc;
        const Bounds<Distance> one = bounds_of<criterion>(search, open, work);
        if (open.arc != arc) open_at(side, i).arc = open.arc;
        mine.out = min(mine.out, one.out);
        mine.least = min(mine.least, one.least);
      }
      __syncwarp();
      lower_bounds<criterion>(bounds, mine, lane);
    }
    __syncthreads();

    for (unsigned i = thread; i < count; i += kThreads) {
      const Open open = open_at(side, i);
      if (is_final<criterion>(search, open.vertex, bounds)) {
        search.closed_in[open.vertex] = round;
        closed_at(place_in(round_closed_count)) = open.vertex;
      } else {
        open_at(1 - side, place_in(open_count[1 - side])) = open;
      }
    }
    __syncthreads();

    const unsigned tail_count = round_closed_count;
    // The arcs of a row, `stride` threads at once, of which this one takes the `first`.
    const auto relax_row = [&](Vertex tail, std::uint32_t begin, std::uint32_t end, unsigned first,
                               unsigned stride) {
      const Distance distance = distance_of(search, tail);
      for (std::uint32_t a = begin + first; a < end; a += stride) {
        const uint2 arc = __ldg(&search.arcs[a]);
        const Open head = opened(search, arc.x);  // fetched beside its label
        if (!relax(search, tail, distance, arc)) continue;
        open_at(1 - side, place_in(open_count[1 - side])) = head;
      }
    };
    for (unsigned i = thread / kWarp; i < tail_count; i += kThreads / kWarp) {
      const Vertex tail = closed_at(i);
      const std::uint32_t begin = search.row_begins[tail];
      const std::uint32_t end = search.row_begins[tail + 1] - 1;
      if (end - begin <= kWideRow) relax_row(tail, begin, end, lane, kWarp);
    }
    if (has_wide_rows) {
      for (unsigned i = 0; i < tail_count; ++i) {
        const Vertex tail = closed_at(i);
        const std::uint32_t begin = search.row_begins[tail];
        const std::uint32_t end = search.row_begins[tail + 1] - 1;
        if (end - begin > kWideRow) relax_row(tail, begin, end, thread, kThreads);
      }
    }
    if (thread == 0) {
      bounds = no_bounds<Distance>();
      closed_count += tail_count;
      if (search.log != nullptr && round < search.log_capacity) {
        const std::uint64_t now_ns = clock_ns();
        search.log[round] = {now_ns - logged_ns, count, tail_count};
        logged_ns = now_ns;
      }
    }
    __syncthreads();
    count = open_count[1 - side];
  }
  add_work<criterion>(search.state->work, work, lane);
  if (thread != 0) return;
  search.state->closed_count = closed_count;
  search.state->round_count = round;
  search.state->open_count[0] = count;
}

/// 64-bit labels: a tight arc from a vertex that was closed earlier gives the predecessor. The arc
/// that lowered the label last is such an arc.
template <class Distance>
__global__ void __launch_bounds__(kBlock)
    predecessors_kernel(Search<Distance> search, Vertex* predecessors) {
  const std::uint64_t tail = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (tail >= search.vertex_count || search.closed_in[tail] == kNotClosed) return;
  const Distance distance = distance_of(search, static_cast<Vertex>(tail));
  for (std::uint32_t a = search.row_begins[tail];; ++a) {
    const uint2 arc = search.arcs[a];
    if (arc.x == kRowEnd) return;
    if (distance + arc.y == distance_of(search, arc.x) &&
        search.closed_in[tail] < search.closed_in[arc.x]) {
      predecessors[arc.x] = static_cast<Vertex>(tail);
    }
  }
}

}  // namespace bellmark::dijkstra_rounds_gpu
