// Hops that a block follows alone, between two barriers of all blocks that search.
//
// Entries of a bucket may be relaxed in any order: labels only fall, and a lowered vertex is queued
// again. So a block goes on with the entries that it queued itself. After `hops` hops it hands over
// those that are left, and the barrier shares them out. (Bucket fusion: Zhang, Brahmakshatriya,
// Chen, Dhulipala, Kamil, Amarasinghe, Shun: Optimizing Ordered Graph Algorithms with GraphIt, CGO
// 2020. There a thread goes on alone.)
//
// Cost model, estimated from the steps of cluster.cuh: a round of one hop pays, in cycles of an
// H200, beside the row and the label (400) and
// the atomic on a head's label (620):
//   on one cluster   450 for a place in another block's queue, and 1,000 for the barrier
//   on the device    2,500 for the count, an entry, a place in the list and the barrier
// A hop alone pays 150 instead: a place in this block's shared memory and a barrier of the block.
// While a block has few entries (`ahead`), a hop alone waits for the atomic only. The rows of heads
// come beside the atomics of the hop before, and the label of the tail beside that on the head. A
// tail with a lower label has an entry of its own, which lowers the heads further. So its heads
// need not be queued.
//
// With H hops a round takes F + (H - 1) * 1,200 cycles, where F is a round of one hop: 2,600 or
// 6,500. Entries are shared out H times less often, and a vertex may be relaxed more often.
#pragma once

#include <cooperative_groups.h>

#include <cuda/atomic>

#include "algorithms/gpu/warp.cuh"

namespace bellmark::near_far::detail {

namespace cg = cooperative_groups;

/// A word that atomics change.
template <class T>
__device__ T load_relaxed(T* value) {
  return cuda::atomic_ref<T, cuda::thread_scope_device>(*value).load(cuda::memory_order_relaxed);
}

/// A place for each of the threads of a warp that call it together, with one atomic.
inline __device__ unsigned take_place(unsigned* count) {
  const cg::coalesced_group group = cg::coalesced_threads();
  unsigned first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(count, group.size());
  return group.shfl(first, 0) + group.thread_rank();
}

/// All bits set where the row has no arcs. Its sectors then lie in this multiprocessor's L1 cache,
/// where the next hop alone finds them. A lane without an arc is all bits set, and so are all lanes
/// after it.
template <unsigned slots>
__device__ Vertex read_row(const uint2* row) {
  constexpr unsigned kSectorSlots = 4;
  Vertex heads = __ldg(&row->x);
  if constexpr (slots > kSectorSlots) heads &= __ldg(&row[kSectorSlots].x);
  return heads;
}

/// What the threads of a block queue in shared memory. With two sides the block reads the items of
/// a hop while it appends those of the next.
template <class Item, unsigned capacity, unsigned sides>
struct HopQueue {
  static_assert(sides == 1 || sides == 2);

  Item items[sides][capacity];
  unsigned counts[2 * sides - 1];  ///< by hop: of one read, one filled, and one cleared

  /// Of one thread, before a barrier of the block.
  __device__ void clear() {
    for (unsigned& one : counts) one = 0;
  }

  /// Appended in a hop; those beyond the capacity lie elsewhere.
  __device__ unsigned& count(unsigned hop) { return counts[sides == 1 ? 0 : hop % 3]; }

  __device__ const Item* of(unsigned hop) const { return items[sides == 1 ? 0 : hop % 2]; }

  /// False when there is no room.
  __device__ bool append(unsigned hop, Item item) {
    const unsigned at = take_place(&count(hop));
    if (at >= capacity) return false;
    items[sides == 1 ? 0 : hop % 2][at] = item;
    return true;
  }

  /// Begins to fill the hop after `hop`, whose items are read. All threads have passed a barrier of
  /// the block since they read the count that is cleared, and pass one before it counts again.
  __device__ void begin_after(unsigned hop) {
    if (threadIdx.x == 0) count(hop + 2) = 0;
  }
};

}  // namespace bellmark::near_far::detail
