// Near-far search by the whole device over rows of a few slots: one cooperative kernel with a
// barrier over all its blocks. For graphs of low, even degree: road networks and grids.
//
// Cost model: a round is a chain of dependent accesses to the L2 cache, of the same length for 1
// entry and for 10,000. It takes 3.3 to 4.1 us on an H100. A cluster takes 1.5 to 2.6 us up to
// 1,000 entries, and 6.6 us for 10,000. The chain has five steps: the number of entries, read
// beside a first entry; its row beside its own label; the atomic on a head's label; a place in the
// queue for all that a block gathered; the barrier. With hops alone (hops.cuh) a round has several
// hops, and the row, the label and the atomic alone are paid for each of them.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/searches/near_far/cluster.cuh"
#include "algorithms/searches/near_far/graph.cuh"
#include "algorithms/searches/near_far/hops.cuh"

namespace bellmark::near_far {

inline constexpr unsigned kSlotThreads = 1024;
/// Entries that a block gathers. A pass over all groups appends less where rows have no rest.
template <class Distance>
inline constexpr unsigned kSlotItems = sizeof(Distance) == 4 ? 2048 : 1024;

/// Counters that all blocks share. Those of a round are read in it, written in the one before and
/// cleared in the one after.
struct SlotControl {
  std::uint32_t near_count[3];
  std::uint32_t far_count[2];
  Word far_least[2];
};

template <class Distance>
struct SlotSearch {
  const uint2* slots;  ///< ShortRows
  const uint2* rest;
  Measure measure;
  Distance delta;
  Starts<Distance> starts;
  Word* labels;  ///< all bits set
  /// Two queues of near_size. In a round an arc queues its head once, and the hops that a block
  /// follows alone add what the block gathers.
  Entry<Distance>* near;
  std::uint64_t near_size;
  Vertex* far;  ///< two piles of far_size: a vertex lies in one once
  std::uint64_t far_size;
  unsigned hops;        ///< that a block follows before it hands over
  unsigned most_alone;  ///< entries that all of them queue no more than a block gathers
  unsigned ahead;       ///< entries of a block, up to which it reads the rows of heads ahead
  SlotControl* control;
  RoundRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
  gpu::WorkSums* work;  ///< not read by a kernel with NoTally
};

namespace detail {

/// What the threads of a block append to a list of the device: gathered in shared memory, so that
/// one atomic a block makes room for it.
template <class Item, unsigned capacity, unsigned sides = 1>
struct BlockBuffer : HopQueue<Item, capacity, sides> {
  unsigned held;        ///< while it is handed over
  std::uint32_t begin;  ///< where it goes

  __device__ void append(unsigned hop, Item item, Item* list, std::uint32_t* list_count) {
    if (HopQueue<Item, capacity, sides>::append(hop, item)) return;
    list[take_place(list_count)] = item;
  }

  /// Of one thread, between two barriers of the block. Then hop 0 is filled.
  __device__ void make_room(unsigned hop, std::uint32_t* list_count) {
    held = min(this->count(hop), capacity);
    this->clear();
    if (held != 0) begin = atomicAdd(list_count, held);
  }

  /// Of all threads, after make_room().
  __device__ void hand_over(unsigned hop, Item* list) const {
    const Item* const items = this->of(hop);
    for (unsigned i = threadIdx.x; i < held; i += kSlotThreads) list[begin + i] = items[i];
  }
};

inline __device__ void prefetch(const void* address) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
}

}  // namespace detail

/// `slots` lanes work on a vertex, one an arc. What a block wrote before a barrier of the grid is
/// seen by all after it, past the L1 caches. `alone`: a block follows `search.hops` hops alone.
/// `Tally`: WorkTally or NoTally.
///
/// This function has more than 60 lines: its steps share registers and shared memory, and a barrier
/// after each of them is the whole grid's.
template <class Distance, unsigned slots, bool alone, class Tally>
__global__ void __launch_bounds__(kSlotThreads) slot_kernel(const SlotSearch<Distance> search) {
  using L = Label<Distance>;
  using NearEntry = Entry<Distance>;
  constexpr unsigned kGroups = kSlotThreads / slots;
  constexpr unsigned kWarpGroups = gpu::kWarp / slots;
  constexpr unsigned kFarItems = 2048;
  __shared__ detail::BlockBuffer<NearEntry, kSlotItems<Distance>, alone ? 2 : 1> near;
  __shared__ detail::BlockBuffer<Vertex, kFarItems> far;
  __shared__ Distance least_far;
  Tally tally;

  const cg::grid_group grid = cg::this_grid();
  SlotControl& control = *search.control;
  const unsigned thread = threadIdx.x;
  const unsigned slot = thread % slots;
  // Neighbouring warps lie in different blocks, so that a small frontier spreads over the device.
  const unsigned warp = thread / gpu::kWarp * gridDim.x + blockIdx.x;
  const unsigned first_group = warp * kWarpGroups + thread % gpu::kWarp / slots;
  const unsigned group_count = gridDim.x * kGroups;
  const bool leads = blockIdx.x == 0 && thread == 0;

  if (thread == 0) {
    near.clear();
    far.clear();
  }
  if (leads) {
    std::uint32_t count = 0;
    const auto begin = [&](const Start<Distance>& start) {
      if (start.vertex == kNoHead) return;
      search.near[count++] = {start.vertex, start.distance};
      search.labels[start.vertex] = L::make(start.distance, start.predecessor);
      tally.lower();
    };
    begin(search.starts.first);
    begin(search.starts.second);
    control.near_count[0] = count;
  }
  grid.sync();

  Distance threshold = first_threshold(search.starts, search.delta);
  unsigned far_side = 0;
  unsigned counter = 0;  // round % 3: which counter is read; the next is written
  for (unsigned round = 0;; ++round) {
    const unsigned side = round % 2;
    const unsigned next_counter = counter == 2 ? 0 : counter + 1;
    const unsigned free_counter = 3 - counter - next_counter;
    const NearEntry* const this_near = search.near + side * search.near_size;
    NearEntry* const next_near = search.near + (side ^ 1) * search.near_size;
    std::uint32_t* const next_count = &control.near_count[next_counter];
    unsigned hop = 0;                     // for which entries are appended
    [[maybe_unused]] bool ahead = false;  // whether rows are read for a hop alone
    const auto far_pile = [&](unsigned which) { return search.far + which * search.far_size; };

    const auto queue = [&](Vertex vertex, Distance distance) {
      near.append(hop, {vertex, distance}, next_near, next_count);
      detail::prefetch(&search.slots[std::size_t{slots} * vertex]);
    };
    // `own`: the tail's label. Whoever lowers it queues the tail again.
    const auto relax = [&](Vertex tail, Distance distance, Word own, uint2 arc) {
      Vertex heads = 0;
      if constexpr (alone) {
        const uint2* const row = &search.slots[std::size_t{slots} * arc.x];
        if (ahead) {
          heads = detail::read_row<slots>(row);
        } else {
          detail::prefetch(row);  // the hop that reads it comes soon
        }
      }
      const Distance through = distance + search.measure.template length<Distance>(arc.y);
      const Distance old = L::distance(atomicMin(&search.labels[arc.x], L::make(through, tail)));
      tally.relax();
      tally.try_atomic(through < old);
      if (through >= old) return;
      tally.lower();
      if (through < threshold) {
        if (alone && (heads == kNoHead || L::distance(own) < distance)) return;
        queue(arc.x, through);
      } else if (old == L::kInfinite) {
        // Any other vertex at or beyond the threshold is in the far pile already.
        far.append(0, arc.x, far_pile(far_side), &control.far_count[far_side]);
      }
    };
    const auto relax_slot = [&](NearEntry entry, Word own, uint2 arc) {
      if (slot == 0) tally.scan();
      if (arc.x == kNoHead) return;
      if (arc.x != kLink) return relax(entry.vertex, entry.distance, own, arc);
      for (const uint2* more = &search.rest[arc.y]; more->x != kNoHead; ++more) {
        relax(entry.vertex, entry.distance, own, *more);
      }
    };
    const auto visit = [&](NearEntry entry) {
      const uint2 arc = __ldg(&search.slots[std::size_t{slots} * entry.vertex + slot]);
      const Word own = detail::load_relaxed(&search.labels[entry.vertex]);
      if (L::distance(own) >= entry.distance) relax_slot(entry, own, arc);
    };
    // The atomics don't wait for the tail's label.
    [[maybe_unused]] const auto visit_ahead = [&](NearEntry entry) {
      const uint2 arc = __ldg(&search.slots[std::size_t{slots} * entry.vertex + slot]);
      relax_slot(entry, detail::load_relaxed(&search.labels[entry.vertex]), arc);
    };
    // Whole blocks call it: what the block has gathered goes to the next queue and a far pile.
    const auto hand_over = [&](unsigned far_to) {
      __syncthreads();
      if (thread == 0) near.make_room(hop, next_count);
      if (thread == gpu::kWarp) far.make_room(0, &control.far_count[far_to]);
      __syncthreads();
      near.hand_over(hop, next_near);
      far.hand_over(0, far_pile(far_to));
      hop = 0;
    };
    // Whole blocks call it: the block goes on with what it has gathered, while all of that surely
    // leaves room for what it queues.
    [[maybe_unused]] const auto go_on_alone = [&] {
      while (hop + 1 < search.hops) {
        __syncthreads();
        const unsigned held = near.count(hop);
        if (held == 0 || held > search.most_alone) return;
        const NearEntry* const items = near.of(hop);
        near.begin_after(hop);
        ++hop;
        ahead = hop + 1 < search.hops && held <= search.ahead;
        if (held <= search.ahead) {
          for (unsigned i = thread / slots; i < held; i += kGroups) visit_ahead(items[i]);
        } else {
          for (unsigned i = thread / slots; i < held; i += kGroups) visit(items[i]);
        }
      }
    };

    // The first entry is read before anybody knows that there is one: the queue has room for it.
    const NearEntry first_entry = detail::load_entry(&this_near[first_group]);
    const std::uint32_t count = detail::load_relaxed(&control.near_count[counter]);
    if (leads) {
      control.near_count[free_counter] = 0;
      if (search.records != nullptr && round < search.record_capacity) {
        search.records[round] = {gpu::global_timer(), count, threshold};
        *search.record_count = round + 1;
      }
    }
    if (count != 0) {
      if constexpr (alone) ahead = count <= std::uint64_t{search.ahead} * gridDim.x;
      if (first_group < count) visit(first_entry);
      for (std::uint32_t i = first_group + group_count; i < count; i += group_count) {
        visit(detail::load_entry(&this_near[i]));
      }
      // Blocks whose first warp had nothing have nothing to hand over.
      if (blockIdx.x * kWarpGroups < count) {
        if constexpr (alone) go_on_alone();
        hand_over(far_side);
      }
      grid.sync();
      counter = next_counter;
      continue;
    }

    // The bucket is empty: move the threshold on until it lets something out of the far pile.
    bool finished = false;
    while (true) {
      const Distance settled = threshold;
      threshold += search.delta;
      if (threshold < settled) threshold = L::kInfinite;
      if (thread == 0) least_far = L::kInfinite;
      __syncthreads();
      const std::uint32_t far_count = detail::load_relaxed(&control.far_count[far_side]);
      Distance least = L::kInfinite;
      for (std::uint64_t i = warp * gpu::kWarp + thread % gpu::kWarp; i < far_count;
           i += std::uint64_t{gridDim.x} * kSlotThreads) {
        const Vertex vertex = __ldcg(&far_pile(far_side)[i]);
        const Distance distance = L::distance(detail::load_relaxed(&search.labels[vertex]));
        if (distance < settled) continue;  // it came closer and was relaxed in an earlier bucket
        if (distance < threshold) {
          queue(vertex, distance);
        } else {
          far.append(0, vertex, far_pile(far_side ^ 1), &control.far_count[far_side ^ 1]);
          least = min(least, distance);
        }
      }
      if (least != L::kInfinite) detail::lower(&least_far, least);
      hand_over(far_side ^ 1);
      if (thread == 0 && least_far != L::kInfinite) {
        atomicMin(&control.far_least[far_side ^ 1], Word{least_far});
      }
      grid.sync();
      const bool any_near = detail::load_relaxed(next_count) != 0;
      const Word all_least = detail::load_relaxed(&control.far_least[far_side ^ 1]);
      // Until the next barrier nobody writes to the side that was read.
      if (leads) {
        control.far_count[far_side] = 0;
        control.far_least[far_side] = ~Word{0};
      }
      far_side ^= 1;
      if (any_near) break;
      finished = all_least == ~Word{0};
      if (finished) break;
      threshold = static_cast<Distance>(all_least);  // nothing lies between
      grid.sync();
    }
    if (finished) break;
    counter = next_counter;
  }
  tally.add_to(search.work);
}

}  // namespace bellmark::near_far
