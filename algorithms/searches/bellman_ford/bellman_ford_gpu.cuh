// The kernels of sssp/bellman-ford-gpu (ma2022, sections 3.2.2 and 4.2). A round is Jacobi's: it
// reads one row of distances and writes the other (the thesis's dist[i-1] and dist[i]). So a vertex
// depends on no other change of the same round. A warp, or a part of one, reduces the arcs that
// enter a vertex.
//
// Choices that the thesis leaves open:
//   a thread a vertex      its threads walk a row of the transposed matrix each, and no two lanes
//                          read side by side; here the lanes of a warp share a row
//   compaction             "only vertices whose distance changed in round i-1 need relaxing", which
//                          takes "fewer distances to shared memory" and "fewer threads". A row
//                          looks at their distances and columns alone (matrix), or only the ends of
//                          their arcs get threads (CSR). Algorithm 6 still launches for all
//                          vertices; here section 4.2.3 is followed
//   merge sort of flags    CUB's selection, which keeps the order: columns are read side by side
//   K = ceil(m/warp)*warp  kernels over a list get K threads, rounded to blocks from 256 on; a row
//                          of the matrix, always a warp, takes K/32 steps over the list
//   pre in shared memory   not done: a predecessor is written once a round at most, never read
//
// The reason why predecessors can be trusted. Let d_k be the distances after round k, and p(v) the
// predecessor that v's last improvement set, in round j: d_j(v) = d_{j-1}(p(v)) + l < d_{j-1}(v), l
// the length of the arc. Distances never grow, so d_k(v) >= d_k(p(v)) + l ever after.
//   A cycle of predecessors is a negative cycle: let it be closed in round r. For each of its v,
//   d_{r-1}(v) >= d_{r-1}(p(v)) + l. It holds strictly where round r set p(v), which it did
//   somewhere on the cycle, and by the line above elsewhere. All of these are finite. Summed over
//   the cycle the distances cancel, and 0 exceeds its length. So cycles of length 0 do no harm.
//   Without a negative cycle predecessors are a tree: every reached vertex but the source has one.
//   A change in round n, of n vertices, closes such a cycle. d_k(v) is the length of the shortest
//   walk of at most k arcs, so a change in round n needs a walk of n arcs shorter than all of
//   fewer, which has a negative cycle. And if round k changed v, round k-1 changed p(v), or v would
//   have got as low then. Following predecessors from v, the i-th was changed in round n-i or
//   later, so it has a predecessor for all i < n: the walk has n+1 vertices, and meets one twice.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "algorithms/searches/bellman_ford/bellman_ford_gpu.hpp"

namespace bellmark::bellman_ford_gpu {

inline constexpr unsigned kWarp = 32;
inline constexpr unsigned kBlock = 256;  ///< threads; a warp a row of the matrix
inline constexpr unsigned kRowsAtOnce = kBlock / kWarp;
/// Columns whose distances a block keeps in shared memory at once: 16 KiB of 64-bit ones, or 12 KiB
/// of them with their columns. A multiple of kColumnsAtOnce.
inline constexpr unsigned kTile = 2048;
inline constexpr unsigned kListTile = 1024;

/// `Label` is std::int32_t or std::int64_t; its largest value means "unreached".
template <class Label>
inline constexpr Label kInfinite = std::numeric_limits<Label>::max();

/// The transposed matrix, row after row.
struct Matrix {
  const Length* lengths;
  std::uint64_t pitch;  ///< entries a row
};

/// The transposed graph by rows: the arcs that enter a vertex.
struct InRows {
  const std::uint32_t* offsets;
  const Vertex* tails;
  const Length* lengths;
};

/// The arcs that leave a vertex; lengths don't matter.
struct OutRows {
  const std::uint32_t* offsets;
  const Vertex* heads;
};

template <class Label>
struct Round {
  const Label* old_distances;
  Label* new_distances;
  Vertex* predecessors;
};

struct State {
  /// Vertices that a round lowered: round k counts in entry k % 2 and clears the other one.
  std::uint32_t changed_count[2];
  std::uint32_t listed_count;  ///< by CUB, where there is a list
};

/// A row's result; without a tail it is the vertex's old distance.
template <class Label>
struct Candidate {
  Label distance;
  Vertex tail;
};

template <class Label>
struct alignas(16) Four {
  Label at[4];
};

/// There is no overflow: 32-bit labels are used only where no walk of n arcs can reach kInfinite.
template <class Label>
__device__ void offer(Candidate<Label>& best, Label from, Length length, Vertex tail) {
  if (from == kInfinite<Label>) return;
  const Label through = from + length;
  if (through < best.distance) best = {through, tail};
}

/// The least candidate of each group of `lanes` lanes, a power of two; the whole warp takes part.
template <class Label>
__device__ Candidate<Label> least_of(Candidate<Label> best, unsigned lanes) {
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) {
    const Candidate<Label> other = {__shfl_xor_sync(0xffffffffu, best.distance, distance),
                                    __shfl_xor_sync(0xffffffffu, best.tail, distance)};
    if (other.distance < best.distance ||
        (other.distance == best.distance && other.tail < best.tail)) {
      best = other;
    }
  }
  return best;
}

/// Writes v's new distance, and its predecessor if that is lower than the old one.
template <class Label>
__device__ bool store(const Round<Label>& round, Vertex v, Candidate<Label> best) {
  round.new_distances[v] = best.distance;
  if (best.tail == kNoVertex) return false;
  round.predecessors[v] = best.tail;
  return true;
}

/// Counts the threads of the block that changed a vertex: one atomic a block.
__device__ inline void count_changed(bool changed, unsigned parity, State* state) {
  const int count = __syncthreads_count(changed);
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) state->changed_count[1 - parity] = 0;
  if (count > 0) atomicAdd(&state->changed_count[parity], static_cast<std::uint32_t>(count));
}

/// Fills both rows, up to the pitch: the filling of the matrix meets distances too.
template <class Label>
__global__ void __launch_bounds__(kBlock)
    initialise_kernel(Label* row, Label* other_row, std::uint64_t row_size, Vertex* predecessors,
                      std::uint8_t* flags, Vertex* listed, State* state, Vertex vertex_count,
                      Vertex source) {
  const std::uint64_t v = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (v >= row_size) return;
  row[v] = v == source ? 0 : kInfinite<Label>;
  other_row[v] = v == source ? 0 : kInfinite<Label>;
  if (v >= vertex_count) return;
  predecessors[v] = kNoVertex;
  if (flags != nullptr) flags[v] = 0;
  if (v != source) return;
  *state = {{0, 0}, 1};
  if (listed != nullptr) listed[0] = source;
}

/// Rows [first, end) of the matrix, all columns.
///
/// Cost: the matrix once a round, 16 bytes a lane, from memory where it is larger than the L2
/// cache: 405 MB for 10,000 vertices. `shared`: 8 rows share one read of the distances.
template <bool shared, class Label>
__global__ void __launch_bounds__(kBlock)
    all_columns_kernel(Matrix matrix, Round<Label> round, Vertex first, Vertex end, unsigned parity,
                       State* state) {
  const unsigned lane = threadIdx.x % kWarp;
  const Vertex v = first + blockIdx.x * kRowsAtOnce + threadIdx.x / kWarp;
  const bool has_row = v < end;
  Candidate<Label> best = {has_row ? round.old_distances[v] : kInfinite<Label>, kNoVertex};
  const auto* const lengths =
      reinterpret_cast<const int4*>(matrix.lengths + (has_row ? v : first) * matrix.pitch);
  const auto* const old_distances = reinterpret_cast<const Four<Label>*>(round.old_distances);
  const auto relax = [&](const Four<Label>& from, int4 four, unsigned index) {
    if (four.x != kNoArc) offer(best, from.at[0], four.x, 4 * index);
    if (four.y != kNoArc) offer(best, from.at[1], four.y, 4 * index + 1);
    if (four.z != kNoArc) offer(best, from.at[2], four.z, 4 * index + 2);
    if (four.w != kNoArc) offer(best, from.at[3], four.w, 4 * index + 3);
  };
  const auto count = static_cast<unsigned>(matrix.pitch / 4);
  if constexpr (shared) {
    __shared__ Four<Label> tile[kTile / 4];
    for (unsigned begin = 0; begin < count; begin += kTile / 4) {
      const unsigned tile_count = min(kTile / 4, count - begin);
      __syncthreads();  // everybody is done with the tile before
      for (unsigned i = threadIdx.x; i < tile_count; i += kBlock) {
        tile[i] = old_distances[begin + i];
      }
      __syncthreads();
      if (!has_row) continue;
#pragma unroll 4
      for (unsigned i = lane; i < tile_count; i += kWarp) {
        relax(tile[i], lengths[begin + i], begin + i);
      }
    }
  } else if (has_row) {
#pragma unroll 4
    for (unsigned i = lane; i < count; i += kWarp) relax(old_distances[i], lengths[i], i);
  }
  best = least_of(best, kWarp);
  count_changed(has_row && lane == 0 && store(round, v, best), parity, state);
}

/// Rows [first, end) of the matrix, the columns of `listed` vertices: those that the round before
/// changed. Others have already lowered all that they can. Flags the vertices that it changes.
///
/// Cost where few are listed: 32 bytes of the matrix for each of its rows and listed columns.
template <bool shared, class Label>
__global__ void __launch_bounds__(kBlock)
    listed_columns_kernel(Matrix matrix, Round<Label> round, const Vertex* listed,
                          std::uint32_t listed_count, Vertex first, Vertex end,
                          std::uint8_t* flags) {
  const unsigned lane = threadIdx.x % kWarp;
  const Vertex v = first + blockIdx.x * kRowsAtOnce + threadIdx.x / kWarp;
  const bool has_row = v < end;
  Candidate<Label> best = {has_row ? round.old_distances[v] : kInfinite<Label>, kNoVertex};
  const Length* const lengths = matrix.lengths + (has_row ? v : first) * matrix.pitch;
  const auto relax = [&](Vertex tail, Label from) {
    const Length length = lengths[tail];
    if (length != kNoArc) offer(best, from, length, tail);
  };
  if constexpr (shared) {
    __shared__ Vertex tails[kListTile];
    __shared__ Label distances[kListTile];
    for (std::uint32_t begin = 0; begin < listed_count; begin += kListTile) {
      const unsigned tile_count = min(kListTile, listed_count - begin);
      __syncthreads();  // everybody is done with the tile before
      for (unsigned i = threadIdx.x; i < tile_count; i += kBlock) {
        tails[i] = listed[begin + i];
        distances[i] = round.old_distances[tails[i]];
      }
      __syncthreads();
      if (!has_row) continue;
#pragma unroll 4
      for (unsigned i = lane; i < tile_count; i += kWarp) relax(tails[i], distances[i]);
    }
  } else if (has_row) {
#pragma unroll 4
    for (std::uint32_t i = lane; i < listed_count; i += kWarp) {
      relax(listed[i], round.old_distances[listed[i]]);
    }
  }
  best = least_of(best, kWarp);
  if (has_row && lane == 0) flags[v] = store(round, v, best) ? 1 : 0;
}

/// The arcs that enter v, shared among `lanes` lanes.
template <class Label>
__device__ Candidate<Label> least_arc(const InRows& rows, const Round<Label>& round, bool has_row,
                                      Vertex v, unsigned lanes) {
  Candidate<Label> best = {kInfinite<Label>, kNoVertex};
  if (has_row) {
    best.distance = round.old_distances[v];
    const std::uint32_t row_end = rows.offsets[v + 1];
    for (std::uint32_t i = rows.offsets[v] + threadIdx.x % lanes; i < row_end; i += lanes) {
      offer(best, round.old_distances[rows.tails[i]], rows.lengths[i], rows.tails[i]);
    }
  }
  return least_of(best, lanes);
}

/// One round over all vertices, `lanes` lanes each.
///
/// Cost: 8 bytes an arc read in order, and a distance at random, which the L2 cache holds.
template <class Label>
__global__ void __launch_bounds__(kBlock)
    all_rows_kernel(InRows rows, Round<Label> round, Vertex vertex_count, unsigned lanes,
                    unsigned parity, State* state) {
  const std::uint64_t v = (std::uint64_t{blockIdx.x} * kBlock + threadIdx.x) / lanes;
  const bool has_row = v < vertex_count;
  const auto best = least_arc(rows, round, has_row, static_cast<Vertex>(v), lanes);
  const bool first_lane = threadIdx.x % lanes == 0;
  count_changed(has_row && first_lane && store(round, static_cast<Vertex>(v), best), parity, state);
}

/// The same for the listed vertices, the only ones that an arc from a changed vertex enters. They
/// leave the list. The next kernel commits distances: vertices that are not listed have one row
/// only, and others still read it.
template <class Label>
__global__ void __launch_bounds__(kBlock)
    listed_rows_kernel(InRows rows, Round<Label> round, const Vertex* listed,
                       std::uint32_t listed_count, unsigned lanes, std::uint8_t* flags) {
  const std::uint64_t i = (std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x) / lanes;
  const bool has_row = i < listed_count;
  const Vertex v = has_row ? listed[i] : 0;
  const auto best = least_arc(rows, round, has_row, v, lanes);
  if (!has_row || threadIdx.x % lanes != 0) return;
  store(round, v, best);
  flags[v] = 0;
}

/// Flags the ends of v's arcs, every `stride`-th from the `first` on.
__device__ inline void flag_heads(const OutRows& rows, Vertex v, std::uint8_t* flags,
                                  unsigned first, unsigned stride) {
  const std::uint32_t row_end = rows.offsets[v + 1];
  for (std::uint32_t i = rows.offsets[v] + first; i < row_end; i += stride) {
    flags[rows.heads[i]] = 1;
  }
}

/// One block for one vertex.
static __global__ void flag_heads_kernel(OutRows rows, Vertex v, std::uint8_t* flags) {
  flag_heads(rows, v, flags, threadIdx.x, blockDim.x);
}

template <class Label>
__global__ void __launch_bounds__(kBlock)
    commit_kernel(OutRows rows, Label* distances, const Label* new_distances, const Vertex* listed,
                  std::uint32_t listed_count, std::uint8_t* flags, unsigned parity, State* state) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  bool changed = false;
  if (i < listed_count) {
    const Vertex v = listed[i];
    changed = new_distances[v] < distances[v];
    if (changed) {
      distances[v] = new_distances[v];
      flag_heads(rows, v, flags, 0, 1);
    }
  }
  count_changed(changed, parity, state);
}

}  // namespace bellmark::bellman_ford_gpu
