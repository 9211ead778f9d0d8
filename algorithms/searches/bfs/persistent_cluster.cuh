// Breadth-first search by one thread-block cluster (Hopper): up to 16 blocks that share a hardware
// barrier and reach each other's shared memory. It is for graphs with many levels and narrow
// frontiers: road networks, grids.
//
// Every vertex has an owner, one of the blocks. The owner alone has its `visited` bit, in its
// shared memory. In a round the owner takes the messages (vertex, predecessor) that came in. It
// drops those to vertices visited before, and sends a message along each arc of the others. A round
// is a level.
//
// Cost model: a level is a chain of dependent latencies. In cycles of an H200:
//   a message from this block's shared memory                                               30
//   the atomic on its vertex's bit there                                                    60
//   beside it the row, one sector from L2                                                  400
//   a place in this block's own part of the receiver's inbox, by a counter in this
//   block's shared memory                                                                   60
//   the message's store into the receiver's shared memory, which the barrier waits for     200
//   the barrier                                                                            400
// So a level takes some 1200 cycles, 0.7 us. A barrier over the device alone takes 1 us, a claim in
// global memory 600 cycles and a counter at the receiver 450.
#pragma once

#include <cooperative_groups.h>

#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/bfs/persistent_device.cuh"
#include "algorithms/searches/bfs/persistent_layout.hpp"

namespace bellmark::bfs::persistent {

inline constexpr unsigned kClusterBlocks = 16;

/// A vertex in the higher half, its predecessor in the lower.
using Message = unsigned long long;

inline constexpr Message kNoMessage = ~Message{0};

struct ClusterSearch {
  const uint4* rows;  ///< SlotRows: two a vertex
  const uint4* rest;
  Vertex vertex_count;
  Vertex source;
  DeviceTree tree;
  std::uint32_t* visited;  ///< for each block the words of its bits, local_words() each
  /// Messages beyond a full part of an inbox: two lists of overflow_size. They suffice for every
  /// arc that enters an owner's vertices, and a search sends at most one message an arc.
  Message* overflow;
  const std::uint32_t* overflow_offsets;  ///< where each owner's part of a list begins
  std::uint64_t overflow_size;
  LevelRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
  gpu::WorkSums* work;  ///< not read by a kernel with NoTally
};

/// Words of `visited` in each of `blocks` blocks: vertex v is bit v / blocks of block v % blocks.
__host__ __device__ inline std::uint32_t local_words(Vertex vertex_count, unsigned blocks) {
  return (vertex_count / blocks + kWarp) / kWarp;
}

/// A block's shared memory; the words of `visited` follow.
template <unsigned threads>
struct ClusterShared {
  /// By the round's parity. Every sender has an equal part, and every thread looks at one place.
  Message inbox[2][threads];
  unsigned sent[2][kClusterBlocks];  ///< by this block, to each; by the round's parity
  /// By the round % 3: read in their round, made in the one before, cleared in the one after.
  unsigned overflow_count[3];
  /// Whether this block sent anything in the round. By the round % 3: made in its round, read by
  /// all blocks in the next, cleared in the one after.
  unsigned any_sent[3];
  unsigned alive[2];  ///< was anything sent in the round before? By the round's parity
};

/// Launched with one cluster of 2^shift blocks, at most kClusterBlocks, of `threads` threads.
/// `Tally`: gpu::WorkTally or gpu::NoTally.
///
/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole cluster's.
template <unsigned threads, class Tally>
__global__ void __launch_bounds__(threads, 1)
    cluster_kernel(const ClusterSearch search, const unsigned shift) {
// Clusters came with compute capability 9: code for older devices is empty, and never launched.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  extern __shared__ Message dynamic_shared[];
  Tally tally;
  auto& shared = *reinterpret_cast<ClusterShared<threads>*>(dynamic_shared);
  auto* const visited = reinterpret_cast<std::uint32_t*>(&shared + 1);
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = 1u << shift;
  const unsigned rank = cluster.block_rank();
  const unsigned thread = threadIdx.x;
  const unsigned part = threads >> shift;  // places in an inbox for each sender
  const std::uint32_t words = local_words(search.vertex_count, blocks);
  constexpr unsigned kWatchman = threads - kWarp;  // first lane of the warp that looks for the end

  for (std::uint32_t word = thread; word < words; word += threads) visited[word] = 0;
  shared.inbox[0][thread] = kNoMessage;
  shared.inbox[1][thread] = kNoMessage;
  if (thread < kClusterBlocks) shared.sent[0][thread] = shared.sent[1][thread] = 0;
  if (thread == 0) {
    for (unsigned i = 0; i < 3; ++i) shared.overflow_count[i] = shared.any_sent[i] = 0;
    shared.any_sent[2] = 1;  // by the round before the first: the source
    if (search.source % blocks == rank) {
      shared.inbox[0][0] = Message{search.source} << 32 | kNoHead;
    }
  }
  cluster.sync();

  unsigned counter = 0;  // round % 3
  for (unsigned round = 0;; ++round) {
    const unsigned side = round % 2;
    const unsigned next_counter = counter == 2 ? 0 : counter + 1;
    const unsigned last_counter = 3 - counter - next_counter;
    const bool recorded = search.records != nullptr && round < search.record_capacity;
    // Asked for first and looked at last: the last warp goes through its messages in between.
    unsigned sent_before = 0;
    if (thread >= kWatchman && thread - kWatchman < blocks) {
      sent_before = *cluster.map_shared_rank(&shared.any_sent[last_counter], thread - kWatchman);
    }

    // Takes places first, so that the atomics of several heads are under way together.
    const auto send = [&](Vertex tail, Vertex above, const auto& heads) {
      constexpr unsigned kCount = sizeof(heads) / sizeof(heads[0]);
      unsigned places[kCount];
      bool wanted[kCount];
#pragma unroll
      for (unsigned i = 0; i < kCount; ++i) {
        tally.look(heads[i] != kNoHead ? 1 : 0);
        wanted[i] = heads[i] != kNoHead && heads[i] != above;
        places[i] = wanted[i] ? atomicAdd(&shared.sent[side][heads[i] & (blocks - 1)], 1) : 0;
      }
#pragma unroll
      for (unsigned i = 0; i < kCount; ++i) {
        if (!wanted[i]) continue;
        const unsigned owner = heads[i] & (blocks - 1);
        const Message message = Message{heads[i]} << 32 | tail;
        if (places[i] < part) {
          Message* const place = &shared.inbox[side ^ 1][rank * part + places[i]];
          *cluster.map_shared_rank(place, owner) = message;
        } else {
          const unsigned at =
              atomicAdd(cluster.map_shared_rank(&shared.overflow_count[next_counter], owner), 1);
          search.overflow[(side ^ 1) * search.overflow_size + search.overflow_offsets[owner] + at] =
              message;
        }
        shared.any_sent[counter] = 1;
      }
    };

    const auto receive = [&](Message message) {
      const auto vertex = static_cast<Vertex>(message >> 32);
      const auto above = static_cast<Vertex>(message);
      // Asked for beside the claim, before it is known whether they are needed.
      const uint4 near = __ldg(&search.rows[std::size_t{2} * vertex]);
      const uint4 far = __ldg(&search.rows[std::size_t{2} * vertex + 1]);
      const std::uint32_t local = vertex >> shift;
      const std::uint32_t bit = 1u << local % kWarp;
      const bool found = (atomicOr(&visited[local / kWarp], bit) & bit) == 0;
      tally.try_atomic(found);
      if (!found) return;
      tally.scan();
      search.tree.set(vertex, above, round);
      if (recorded) atomicAdd(&search.records[round].frontier_count, 1u);
      const bool longer = far.z == kLink;
      const Vertex heads[SlotRows::kSlots] = {near.x,
                                              near.y,
                                              near.z,
                                              near.w,
                                              far.x,
                                              far.y,
                                              longer ? kNoHead : far.z,
                                              longer ? kNoHead : far.w};
      send(vertex, above, heads);
      if (!longer) return;
      for (const uint4* more = &search.rest[far.w];; ++more) {
        const uint4 four = __ldg(more);
        const Vertex more_heads[SlotRows::kFour] = {four.x, four.y, four.z, four.w};
        send(vertex, above, more_heads);
        if (four.w == kNoHead) break;
      }
    };

    const Message message = shared.inbox[side][thread];
    if (message != kNoMessage) {
      shared.inbox[side][thread] = kNoMessage;
      receive(message);
    }
    const unsigned overflow_count = shared.overflow_count[counter];
    const Message* const overflow =
        search.overflow + side * search.overflow_size + search.overflow_offsets[rank];
    // These loads pass this multiprocessor's L1, which may hold the values of an earlier round.
    for (unsigned i = thread; i < overflow_count; i += threads) receive(__ldcg(&overflow[i]));

    if (thread >= kWatchman) {
      const bool any = __any_sync(kAllLanes, sent_before != 0);
      const unsigned lane = thread - kWatchman;
      if (lane < kClusterBlocks) shared.sent[side ^ 1][lane] = 0;
      if (lane == 0) {
        shared.alive[side] = any ? 1 : 0;
        shared.overflow_count[last_counter] = 0;
        shared.any_sent[next_counter] = 0;
        if (recorded && rank == 0) {
          search.records[round].begin_ns = gpu::global_timer();
          *search.record_count = round + 1;
        }
      }
    }
    cluster.sync();
    // Nothing came in, so nothing went out. This is known one round late: nobody waits for the
    // news.
    if (shared.alive[side] == 0) break;
    counter = next_counter;
  }

  for (std::uint32_t word = thread; word < words; word += threads) {
    search.visited[std::size_t{rank} * words + word] = visited[word];
  }
  tally.add_to(search.work);
#endif
}

}  // namespace bellmark::bfs::persistent
