// Breadth-first search by several GPUs of one host, one a rank, in one kernel each. Between levels
// they read each other's bitmaps and wait for each other's word, and no host is asked. The steps
// along rows are those of bfs/persistent; this file has the additions for several GPUs.
//
// A rank searches its block of the grid: it visits rows and columns lead there, or the other way
// round. It keeps a bit for each row and each column of the block, visited before the level.
//
// Bottom-up it tells the owner of a vertex that it has found it. The owner's piece has a bitmap of
// the level's finds, by any rank, which takes an atomic for a word. It also has a place for each
// vertex's predecessor and level. Any predecessor that is a level above will do, so that nobody
// asks who wrote last. In a grid of one column a row's only finder is its owner, and nothing leaves
// the GPU.
//
// Top-down it lists its finds, with predecessors, in its own memory, and all others read that list.
// Where ranks have whole rows and the frontier many arcs, it has a list for each owner, which alone
// reads it. The owner then has a bitmap of its vertices, as after a level bottom-up.
//
// A level then is:
//   exchange  a barrier over all GPUs, which adds up the finds. The last block of a GPU to arrive
//             writes 32 bytes to each rank, and every block waits for those of all.
//   gather    reads the level's finds, over the link, and adds them to the block's own bits.
//             After a level bottom-up it reads the bitmaps of the pieces of the block's rows and
//             columns. After one top-down it reads the lists of all ranks, of which an owner keeps
//             predecessors. Or it reads the lists for its rank and, after another barrier, bitmaps.
//   search    the block, in either direction.
//
// Cost model, for n numbered vertices and R x C ranks. A barrier is an atomic a block, a write and
// its way over the link. A gather of bitmaps reads n / 8 (1 / R + 1 / C) bytes, of which some are
// the GPU's own, after the link's latency. A gather of lists reads 8 bytes a vertex. A gather of
// lists by owner reads 8 bytes an own vertex, and has a barrier and bitmaps. After each comes a
// barrier over the device.
//
// Medians on one and two H200s with 2^24 vertices each: a barrier takes 1.8 and 2.3 us (3.6 on
// four), a gather of bitmaps 4.3 and 6.3, of short lists 2.5 to 4. Until the first barrier a search
// takes 7 us on one GPU, 8 on two, and 80 to 90 more when links have slept.
//
// Top-down an arc is 4 bytes in order and a gathered bit. A vertex is an atomic on that bit and 8
// bytes of list; its degree is its word's, from a table that L2 holds. In levels of millions on two
// H200s a claim takes 42 to 46 ps of its rank's search. It then takes 23 to 25 ps of every rank's
// gather, because each reads all. By owner a claim takes 38 ps, and 45 of its owner's gather,
// nearly half of them for a visit's 8 bytes at random.
//
// So in a level that finds 10 M vertices by 13.6 M claims the search takes 257 us by owner and the
// gather 306, in place of 299 and 363. Four ranks, two on each GPU, gather it in 340 us in place of
// 688. Owners' bitmaps are (P - 1) / P n / 8 bytes of other ranks' memory. The bits of columns that
// each rank has visited would be (P - 1) n / 8.
//
// A level's loops lack every register that holds a value from level to level.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/distributed_bfs/persistent_exchange.cuh"
#include "algorithms/searches/distributed_bfs/persistent_gather.cuh"
#include "algorithms/searches/distributed_bfs/persistent_levels.cuh"
#include "algorithms/searches/distributed_bfs/persistent_search.cuh"

namespace bellmark::distributed_bfs::persistent {

namespace cg = cooperative_groups;

namespace detail {

/// Bits of four words that stand for no vertex: they count as visited.
inline __device__ uint4 padding(const Numbers& numbers, const std::uint32_t* sizes,
                                std::uint32_t quad) {
  const Place first = numbers.place(quad * kQuadVertices);
  const std::uint32_t size = sizes[first.piece];
  const std::uint32_t count = size > first.position ? size - first.position : 0;
  const auto behind = [count](std::uint32_t before) {
    if (count <= before) return ~std::uint32_t{0};
    return count >= before + kWarp ? 0 : ~std::uint32_t{0} << (count - before);
  };
  return {behind(0), behind(kWarp), behind(2 * kWarp), behind(3 * kWarp)};
}

/// Reaches every other GPU by three lines for each 1,024 vertices of a piece, up to thousands. So
/// it reaches over all lanes of its links unless the graph is small. Lanes sleep after some idle
/// time (an H200's NVLink: 20 ms don't put it to sleep, 300 ms do), and the first traffic then
/// takes some 100 us longer. A lane that a barrier's mail would not have woken would wake in the
/// first gather, and take the same time again. Nobody waits for an atomic that changes nothing, as
/// a thread would for a read.
inline __device__ void wake_links(const Search& search) {
  const std::uint32_t warp = threadIdx.x / kWarp * gridDim.x + blockIdx.x;
  if (threadIdx.x % kWarp != 0 || warp >= 3 * search.stripe_count) return;
  for (std::uint32_t owner = 0; owner < search.rank_count; ++owner) {
    if (owner != search.rank) atomicOr_system(found_of(search, owner, 0) + warp * kStripeWords, 0u);
  }
}

/// Clears bits, and lists the source as found by a level before the first.
inline __device__ void begin(const Search& search) {
  wake_links(search);
  const std::uint32_t thread = blockIdx.x * engine::kDeviceThreads + threadIdx.x;
  const std::uint32_t thread_count = gridDim.x * engine::kDeviceThreads;
  const std::uint32_t piece_quads = search.stripe_count * kStripeQuads;
  const std::uint32_t row_quads = piece_quads * search.row_numbers.piece_count();
  const std::uint32_t column_quads = piece_quads * search.column_numbers.piece_count();
  const auto row_visited = reinterpret_cast<uint4*>(search.row_visited);
  const auto column_visited = reinterpret_cast<uint4*>(search.column_visited);
  const auto found = reinterpret_cast<uint4*>(found_of(search, search.rank, 0));
  for (std::uint32_t quad = thread; quad < row_quads; quad += thread_count) {
    row_visited[quad] = padding(search.row_numbers, search.row_sizes, quad);
  }
  for (std::uint32_t quad = thread; quad < column_quads; quad += thread_count) {
    column_visited[quad] = padding(search.column_numbers, search.column_sizes, quad);
  }
  for (std::uint32_t quad = thread; quad < 3 * piece_quads; quad += thread_count) {
    found[quad] = {0, 0, 0, 0};
  }
  if (thread != 0) return;
  const bool has_source = search.source != engine::kNoHead;
  search.control->frontier = {};
  search.control->listed_count = has_source ? 1 : 0;
  if (!has_source) return;
  search.control->found = {1, search.source_degree};
  claims_of(search, search.rank)[0] = {search.all_numbers.number({search.rank, search.source}),
                                       kNoVertex};
}

/// The number of vertices that others have listed.
inline __device__ Count read_count(const Search& search, const State& state) {
  const Count before = search.rank == 0 ? 0 : state.listed_ends[search.rank - 1];
  return state.listed_ends[search.rank_count - 1] - (state.listed_ends[search.rank] - before);
}

}  // namespace detail

/// Launched cooperatively by every rank, in blocks of engine::kDeviceThreads.
static __global__ void __launch_bounds__(engine::kDeviceThreads, engine::kBlocksPerProcessor)
    search_kernel(const Search search) {
  const cg::grid_group grid = cg::this_grid();
  const bool first_thread = blockIdx.x == 0 && threadIdx.x == 0;
  if (first_thread && search.records != nullptr) search.record->begun_ns = gpu::global_timer();
  detail::begin(search);
  __shared__ engine::detail::WarpMemory memories[engine::kDeviceThreads / kWarp];
  __shared__ engine::detail::BlockTotals block_totals;
  __shared__ detail::State state;
  engine::detail::WarpMemory& memory = memories[threadIdx.x / kWarp];
  if (threadIdx.x == 0) {
    block_totals = {0, 0};
    state.epoch = search.control->epoch;
    state.unvisited_arc_count = search.arc_count;
    state.bottom_up = false;
    state.frontier_count = 0;
    state.recorded = blockIdx.x == 0 && search.records != nullptr;
    state.by_owner = false;
    state.gathered = Gathered::lists;
  }
  for (unsigned level = 0;; ++level) {
    detail::exchange(search, level, state);
    const bool recorded = threadIdx.x == 0 && state.recorded && level < search.record_capacity;
    if (recorded) search.records[level].exchanged_ns = gpu::global_timer();
    if (state.ended) {
      if (threadIdx.x == 0 && state.recorded) search.record->level_count = level;
      break;
    }
    if (state.gathered == Gathered::lists) {
      detail::gather_listed(search, state, level, memory);
    } else {
      if (state.gathered == Gathered::lists_by_owner) {
        detail::keep_owned(search, state, level);
        detail::meet(search, state);
      }
      detail::gather(search, state, level, memory);
    }
    grid.sync();
    if (recorded) {
      const bool listed = state.gathered != Gathered::bitmaps;
      search.records[level].gathered_ns = gpu::global_timer();
      search.records[level].bottom_up = state.bottom_up ? 1 : 0;
      search.records[level].gathered = state.gathered;
      search.records[level].read_count = listed ? detail::read_count(search, state) : 0;
    }
    if (state.bottom_up) {
      detail::bottom_up_level(search, level, memory, block_totals);
    } else if (state.by_owner) {
      detail::top_down_level<detail::OwnerLists>(search, memory, block_totals);
    } else {
      detail::top_down_level<detail::CommonList>(search, memory, block_totals);
    }
  }
  if (first_thread) search.control->epoch = state.epoch;
}

}  // namespace bellmark::distributed_bfs::persistent
