// Near-far search by one thread-block cluster (Hopper): up to 16 blocks that share a hardware
// barrier and reach each other's shared memory. Its rounds are short where the frontier is small,
// as on road networks. `scope=auto` takes the whole device, whose blocks meet less often
// (hops.cuh).
//
// Delta-stepping with two piles (Davidson, Baxter, Garland, Owens: Work-Efficient Parallel GPU
// Methods for Single-Source Shortest Paths, IPDPS 2014). Vertices below the threshold are relaxed
// round by round. The others wait in the far pile until the threshold has passed them.
//
// Cost model: a round is a chain of dependent latencies, not bandwidth. In cycles of an H200:
//   an entry from this block's shared memory                                  30
//   its row (one sector) and its own label, side by side                     400
//   the atomic on a head's label                                             620
//   a place in the queue of the block that owns the head                     450
//   the barrier with its fence, which waits for the entry's store           1000
// A barrier over the whole device would cost twice that, and a queue in global memory 600 more.
// With hops alone (hops.cuh) a round has several hops, and only the last one pays the last two
// steps.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/gpu/work_tally.cuh"
#include "algorithms/searches/near_far/graph.cuh"
#include "algorithms/searches/near_far/hops.cuh"

namespace bellmark::near_far {

namespace cg = cooperative_groups;

inline constexpr unsigned kClusterBlocks = 16;

template <class Distance>
struct alignas(2 * sizeof(Distance)) Entry {
  Vertex vertex;
  Distance distance;  ///< of its label when it was queued: a lower label makes the entry stale
};

/// One line of the log that a recorded run keeps.
struct RoundRecord {
  std::uint64_t begin_ns;  ///< the device's global timer
  std::uint64_t entry_count;
  std::uint64_t threshold;
};

template <class Distance>
struct ClusterSearch {
  const uint2* slots;  ///< ShortRows
  const uint2* rest;
  Vertex vertex_count;
  Measure measure;
  Distance delta;
  const Starts<Distance>* starts;  ///< one a query
  std::uint32_t query_count;
  Word* labels;  ///< vertex_count a query, all bits set
  // Work areas, one a cluster. They hold enough in any case: in one round a vertex is queued at
  // most once an incoming arc, and it is in the far pile at most once. A block that follows hops
  // alone hands over one HopQueue at most.
  Entry<Distance>* near_area;         ///< two queues of near_size entries, behind the shared ones
  const std::uint32_t* near_offsets;  ///< where each owner's part of a queue begins
  std::uint64_t near_size;
  Vertex* far_area;  ///< two piles of far_size vertices an owner
  std::uint32_t far_size;
  unsigned hops;         ///< that a block follows before it hands over
  unsigned most_alone;   ///< entries that all of them queue no more than a HopQueue holds
  unsigned ahead;        ///< entries of a block, up to which it reads the rows of heads ahead
  RoundRecord* records;  ///< null unless recorded
  std::uint32_t record_capacity;
  std::uint32_t* record_count;
  gpu::WorkSums* work;  ///< not read by a kernel with NoTally
};

/// The entries of a HopQueue: with its two sides and the queues that others fill, 40 KiB a block.
template <class Distance, unsigned threads>
inline constexpr unsigned kClusterItems = 20480 / sizeof(Entry<Distance>) - threads;

inline constexpr unsigned kKeptFar = 512;

/// What a block that follows hops alone keeps until it hands over.
template <class Distance, unsigned threads, bool alone>
struct KeptShared {};

template <class Distance, unsigned threads>
struct KeptShared<Distance, threads, true> {
  detail::HopQueue<Entry<Distance>, kClusterItems<Distance, threads>, 2> near;
  detail::HopQueue<Vertex, kKeptFar, 1> far[2];  ///< by the round's parity
};

/// A block's shared memory: `threads` entries a queue, enough for every group of lanes to have
/// four.
template <class Distance, unsigned threads, bool alone>
struct ClusterShared {
  Entry<Distance> near[2][threads];
  unsigned near_count[3];
  unsigned near_total[3];
  unsigned far_count;
  unsigned far_kept;
  unsigned split_near;   ///< whether the last split of the far pile let anything out
  Distance split_least;  ///< the least distance that it left in
  KeptShared<Distance, threads, alone> kept;
};

namespace detail {

/// An entry that another block wrote to global memory. The read passes this SM's L1, which may hold
/// an old one.
template <class Distance>
__device__ Entry<Distance> load_entry(const Entry<Distance>* entry) {
  if constexpr (sizeof(Distance) == 4) {
    const uint2 words = __ldcg(reinterpret_cast<const uint2*>(entry));
    return {words.x, words.y};
  } else {
    const ulonglong2 words = __ldcg(reinterpret_cast<const ulonglong2*>(entry));
    return {static_cast<Vertex>(words.x), words.y};
  }
}

inline __device__ void lower(std::uint32_t* least, std::uint32_t value) { atomicMin(least, value); }
inline __device__ void lower(std::uint64_t* least, std::uint64_t value) {
  atomicMin(reinterpret_cast<Word*>(least), Word{value});
}

}  // namespace detail

/// Launched with blocks of `threads` threads in clusters; cluster i answers queries i, i + number
/// of clusters, ... `slots` lanes work on a vertex, one an arc. `alone`: a block follows
/// `search.hops` hops alone. `Tally`: WorkTally or NoTally.
///
/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole cluster's.
template <class Distance, unsigned threads, unsigned slots, bool alone, class Tally>
__global__ void __launch_bounds__(threads) cluster_kernel(const ClusterSearch<Distance> search) {
// Clusters came with compute capability 9: code for older devices is empty, and never launched.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using L = Label<Distance>;
  __shared__ ClusterShared<Distance, threads, alone> shared;
  Tally tally;
  constexpr unsigned kGroups = threads / slots;
  constexpr unsigned kWatchman = threads - 32;  ///< first lane of the warp that minds the totals

  cg::cluster_group cluster = cg::this_cluster();
  const unsigned blocks = cluster.num_blocks();
  const unsigned rank = cluster.block_rank();
  const unsigned cluster_index = blockIdx.x / blocks;
  const unsigned cluster_count = gridDim.x / blocks;
  const unsigned thread = threadIdx.x;
  const unsigned group = thread / slots;
  const unsigned slot = thread % slots;

  Entry<Distance>* const near_area = search.near_area + 2 * search.near_size * cluster_index;
  Vertex* const far_area =
      search.far_area + 2 * std::size_t{search.far_size} * (std::size_t{blocks} * cluster_index);
  const auto far_pile = [&](unsigned side, unsigned owner) {
    return far_area + (std::size_t{side} * blocks + owner) * search.far_size;
  };
  const auto spilled = [&](unsigned side, unsigned owner, unsigned at) {
    return near_area + side * search.near_size + search.near_offsets[owner] + at;
  };

  for (std::uint32_t query = cluster_index; query < search.query_count; query += cluster_count) {
    Word* const labels = search.labels + std::size_t{query} * search.vertex_count;
    const Starts<Distance> starts = search.starts[query];
    if (thread == 0) {
      unsigned count = 0;
      const auto begin = [&](const Start<Distance>& start) {
        if (start.vertex == kNoHead || start.vertex % blocks != rank) return;
        shared.near[0][count++] = {start.vertex, start.distance};
        labels[start.vertex] = L::make(start.distance, start.predecessor);
        tally.lower();
      };
      begin(starts.first);
      begin(starts.second);
      shared.near_count[0] = count;
      shared.near_count[1] = shared.near_count[2] = 0;
      shared.far_count = 0;
      if constexpr (alone) {
        shared.kept.near.clear();
        shared.kept.far[0].clear();
        shared.kept.far[1].clear();
      }
    }
    cluster.sync();

    Distance threshold = first_threshold(starts, search.delta);
    unsigned far_side = 0;
    unsigned counter = 0;               // round % 3: these counters are read; the next are written
    [[maybe_unused]] unsigned hop = 0;  // for which entries are kept; it goes on over all rounds
    for (unsigned round = 0;; ++round) {
      const unsigned side = round % 2;
      const unsigned next_counter = counter == 2 ? 0 : counter + 1;
      const unsigned free_counter = 3 - counter - next_counter;
      [[maybe_unused]] bool keeps = false;  // whether this block follows the next hop alone
      [[maybe_unused]] bool ahead = false;  // and whether rows are read for it

      const auto send = [&](Vertex vertex, Distance distance) {
        const unsigned owner = vertex % blocks;
        const unsigned at =
            atomicAdd(cluster.map_shared_rank(&shared.near_count[next_counter], owner), 1);
        if (at < threads) {
          *cluster.map_shared_rank(&shared.near[side ^ 1][at], owner) = {vertex, distance};
        } else {
          *spilled(side ^ 1, owner, at) = {vertex, distance};
        }
      };
      const auto send_far = [&](Vertex vertex) {
        const unsigned owner = vertex % blocks;
        const unsigned at = atomicAdd(cluster.map_shared_rank(&shared.far_count, owner), 1);
        far_pile(far_side, owner)[at] = vertex;
      };
      // `own`: the tail's label. Whoever lowers it queues the tail again.
      const auto relax = [&](Vertex tail, Distance distance, Word own, uint2 arc) {
        [[maybe_unused]] Vertex heads = 0;
        if constexpr (alone) {
          if (ahead) heads = detail::read_row<slots>(&search.slots[std::size_t{slots} * arc.x]);
        }
        const Distance through = distance + search.measure.template length<Distance>(arc.y);
        const Distance old = L::distance(atomicMin(&labels[arc.x], L::make(through, tail)));
        tally.relax();
        tally.try_atomic(through < old);
        if (through >= old) return;
        tally.lower();
        if (through < threshold) {
          if constexpr (alone) {
            if (heads == kNoHead || L::distance(own) < distance) return;
            if (keeps && shared.kept.near.append(hop, {arc.x, through})) return;
          }
          send(arc.x, through);
        } else if (old == L::kInfinite) {
          // Any other vertex at or beyond the threshold is in the far pile already.
          if constexpr (alone) {
            if (shared.kept.far[side].append(0, arc.x)) return;
          }
          send_far(arc.x);
        }
      };
      const auto relax_slot = [&](Entry<Distance> entry, Word own, uint2 arc) {
        if (slot == 0) tally.scan();
        if (arc.x == kNoHead) return;
        if (arc.x != kLink) return relax(entry.vertex, entry.distance, own, arc);
        for (const uint2* more = &search.rest[arc.y]; more->x != kNoHead; ++more) {
          relax(entry.vertex, entry.distance, own, *more);
        }
      };
      const auto visit = [&](Entry<Distance> entry) {
        const uint2 arc = __ldg(&search.slots[std::size_t{slots} * entry.vertex + slot]);
        const Word own = detail::load_relaxed(&labels[entry.vertex]);
        if (L::distance(own) >= entry.distance) relax_slot(entry, own, arc);
      };
      // The atomics don't wait for the tail's label.
      [[maybe_unused]] const auto visit_ahead = [&](Entry<Distance> entry) {
        const uint2 arc = __ldg(&search.slots[std::size_t{slots} * entry.vertex + slot]);
        relax_slot(entry, detail::load_relaxed(&labels[entry.vertex]), arc);
      };

      const unsigned count = shared.near_count[counter];
      if constexpr (alone) {
        keeps = count <= search.most_alone;
        ahead = keeps && count <= search.ahead;
      }
      for (unsigned i = group; i < count; i += kGroups) {
        visit(i < threads ? shared.near[side][i] : detail::load_entry(spilled(side, rank, i)));
      }
      // The total is needed only to tell that the queues ran empty. The last warp, which has the
      // least to do, reads it beside the relaxations. That costs one empty round a bucket.
      if (thread >= kWatchman) {
        const unsigned lane = thread - kWatchman;
        const unsigned entries =
            lane < blocks ? *cluster.map_shared_rank(&shared.near_count[counter], lane) : 0;
        const unsigned total = __reduce_add_sync(0xffffffff, entries);
        if (lane == 0) {
          shared.near_total[counter] = total;
          shared.near_count[free_counter] = 0;
          if (search.records != nullptr && rank == 0 && query == 0 &&
              round < search.record_capacity) {
            search.records[round] = {gpu::global_timer(), total, threshold};
            *search.record_count = round + 1;
          }
        }
      }
      if constexpr (alone) {
        // The block goes on with what it has kept, while all of that surely leaves room for what it
        // queues. The last hop sends to the owners.
        for (unsigned done = 1; keeps; ++done) {
          __syncthreads();
          const unsigned held = shared.kept.near.count(hop);
          if (held == 0) break;
          const Entry<Distance>* const items = shared.kept.near.of(hop);
          shared.kept.near.begin_after(hop);
          ++hop;
          if (held > search.most_alone) {
            for (unsigned i = thread; i < held; i += threads) {
              send(items[i].vertex, items[i].distance);
            }
            break;
          }
          keeps = done + 1 < search.hops;
          ahead = keeps && held <= search.ahead;
          if (held <= search.ahead) {
            for (unsigned i = group; i < held; i += kGroups) visit_ahead(items[i]);
          } else {
            for (unsigned i = group; i < held; i += kGroups) visit(items[i]);
          }
        }
        // A hop would wait for places in piles of other blocks.
        __syncthreads();
        const unsigned far_held = min(shared.kept.far[side].count(0), kKeptFar);
        for (unsigned i = thread; i < far_held; i += threads) {
          send_far(shared.kept.far[side].of(0)[i]);
        }
        // All have read it a round before.
        if (thread == 0) shared.kept.far[side ^ 1].clear();
      }
      cluster.sync();
      if (shared.near_total[counter] != 0) {
        counter = next_counter;
        continue;
      }

      // The bucket is empty: move the threshold on until it lets something out of the far pile.
      bool finished = false;
      while (true) {
        const Distance settled = threshold;
        threshold += search.delta;
        if (threshold < settled) threshold = L::kInfinite;
        if (thread == 0) {
          shared.far_kept = 0;
          shared.split_near = 0;
          shared.split_least = L::kInfinite;
        }
        __syncthreads();
        const unsigned far_count = shared.far_count;
        Distance least = L::kInfinite;
        for (unsigned i = thread; i < far_count; i += threads) {
          const Vertex vertex = __ldcg(&far_pile(far_side, rank)[i]);
          const Distance distance = L::distance(__ldcg(&labels[vertex]));
          if (distance < settled) continue;  // it came closer and was relaxed in an earlier bucket
          if (distance < threshold) {
            const unsigned at = atomicAdd(&shared.near_count[next_counter], 1);
            if (at < threads) {
              shared.near[side ^ 1][at] = {vertex, distance};
            } else {
              *spilled(side ^ 1, rank, at) = {vertex, distance};
            }
            shared.split_near = 1;
          } else {
            far_pile(far_side ^ 1, rank)[atomicAdd(&shared.far_kept, 1)] = vertex;
            least = min(least, distance);
          }
        }
        if (least != L::kInfinite) detail::lower(&shared.split_least, least);
        __syncthreads();
        if (thread == 0) shared.far_count = shared.far_kept;
        far_side ^= 1;
        cluster.sync();
        unsigned any_near = 0;
        Distance all_least = L::kInfinite;
        for (unsigned other = 0; other < blocks; ++other) {
          any_near |= *cluster.map_shared_rank(&shared.split_near, other);
          all_least = min(all_least, *cluster.map_shared_rank(&shared.split_least, other));
        }
        cluster.sync();  // the next split resets the counts just read
        if (any_near != 0) break;
        finished = all_least == L::kInfinite;
        if (finished) break;
        threshold = all_least;  // nothing lies between: the next bucket begins there
      }
      if (finished) break;
      counter = next_counter;
    }
    cluster.sync();
  }
  tally.add_to(search.work);
#endif
}

}  // namespace bellmark::near_far
