// The barrier over all GPUs of distributed-bfs/persistent: the mails of ranks after a level, and
// the decision that all of them take from these.
#pragma once

#include <cstddef>
#include <cstdint>

#include "algorithms/gpu/warp.cuh"
#include "algorithms/searches/distributed_bfs/persistent_search.cuh"

namespace bellmark::distributed_bfs::persistent {

namespace detail {

/// Whether this block is the GPU's last at the barrier. One thread of a block.
inline __device__ bool arrives_last(const Search& search) {
  __threadfence_system();
  return (atomicAdd(&search.control->arrived_count, 1ull) + 1) % gridDim.x == 0;
}

/// Lets all ranks go on that wait for this one. One thread of a rank.
inline __device__ void signal(const Search& search, unsigned long long epoch) {
  // One fence for all: each rank waits until the writes over the links have arrived.
  __threadfence_system();
#pragma unroll 1
  for (unsigned to = 0; to < search.rank_count; ++to) {
    write_shared(&mail_of(search, to, epoch, search.rank)->epoch, epoch);
  }
}

/// Waits for the mail of rank threadIdx.x.
inline __device__ const Mail* wait(const Search& search, unsigned long long epoch) {
  const Mail* const mail = mail_of(search, search.rank, epoch, threadIdx.x);
  while (read_acquire(&mail->epoch) != epoch) {
  }
  return mail;
}

/// Tells each rank the length of the list for it. One thread of a rank.
inline __device__ void tell_owners(const Search& search, unsigned long long epoch) {
  for (unsigned to = 0; to < search.rank_count; ++to) {
    mail_of(search, to, epoch, search.rank)->listed_count =
        atomicExch(&search.control->listed_counts[to].value, 0u);
  }
}

/// Tells all ranks that this one has ended the level before. One thread of a rank.
inline __device__ void tell(const Search& search, unsigned long long epoch, unsigned level,
                            const State& state) {
  Control& control = *search.control;
  __threadfence();
  if (search.records != nullptr && level > 0 && level <= search.record_capacity) {
    search.records[level - 1].searched_ns = gpu::global_timer();
  }
  const Totals own = {atomicExch(&control.found.vertex_count, 0ull),
                      atomicExch(&control.found.arc_count, 0ull)};
  // The frontier has been searched; nobody adds to the next one before this rank's mail.
  control.frontier = {};
  const unsigned long long listed_count = __ldcg(&control.listed_count);
#pragma unroll 1
  for (unsigned to = 0; to < search.rank_count; ++to) {
    Mail* const mail = mail_of(search, to, epoch, search.rank);
    mail->totals = own;
    mail->listed_count = listed_count;
  }
  if (state.by_owner) tell_owners(search, epoch);
  signal(search, epoch);
}

/// Reads the mail of rank threadIdx.x.
inline __device__ void read_mail(const Search& search, unsigned long long epoch, State& state) {
  const Mail* const mail = wait(search, epoch);
  const Totals found = {__ldcv(&mail->totals.vertex_count), __ldcv(&mail->totals.arc_count)};
  state.found[threadIdx.x] = found;
  state.listed_begins[threadIdx.x] =
      static_cast<std::uint32_t>(__ldcv(&mail->listed_count) - found.vertex_count);
}

/// Reads the lengths of the lists for this rank. One thread of a block, which has waited for all
/// mails.
inline __device__ void read_owner_lists(const Search& search, State& state) {
  Count end = 0;
  for (unsigned rank = 0; rank < search.rank_count; ++rank) {
    end += __ldcv(&mail_of(search, search.rank, state.epoch, rank)->listed_count);
    state.listed_ends[rank] = end;
    state.listed_begins[rank] = 0;
  }
}

/// Decides about the level whose mails have come. One thread of a block; the blocks of all ranks
/// decide the same.
inline __device__ void decide(const Search& search, State& state) {
  Totals frontier = {0, 0};
#pragma unroll 1
  for (unsigned rank = 0; rank < search.rank_count; ++rank) {
    frontier.vertex_count += state.found[rank].vertex_count;
    frontier.arc_count += state.found[rank].arc_count;
    state.listed_ends[rank] = frontier.vertex_count;
  }
  if (state.by_owner) read_owner_lists(search, state);
  state.ended = frontier.vertex_count == 0;
  state.bits_left = state.gathered != Gathered::lists;
  state.lists_by_owner = state.by_owner;
  state.gathered = state.bottom_up                           ? Gathered::bitmaps
                   : state.by_owner && search.rank_count > 1 ? Gathered::lists_by_owner
                                                             : Gathered::lists;
  const bool shrinks = frontier.vertex_count < state.frontier_count;
  state.frontier_count = frontier.vertex_count;
  if (state.bottom_up) {
    state.bottom_up = frontier.vertex_count * search.beta >= search.vertex_count;
  } else {
    std::uint64_t& unvisited = state.unvisited_arc_count;
    unvisited -= frontier.arc_count < unvisited ? frontier.arc_count : unvisited;
    // Like alpha * arcs > unvisited, which 64 bits may not hold.
    state.bottom_up = search.symmetric && search.alpha > 0 && !shrinks &&
                      frontier.arc_count > unvisited / search.alpha;
  }
  state.by_owner = !state.bottom_up && search.owner_lists > 0 &&
                   frontier.arc_count > search.vertex_count / search.owner_lists;
}

/// A barrier over all GPUs; tells the finds of all ranks after the last one. All threads of all
/// blocks call it. After it all see what any of them wrote before.
inline __device__ void exchange(const Search& search, unsigned level, State& state) {
  __syncthreads();
  if (threadIdx.x < kWarp) {
    const unsigned long long epoch = state.epoch + 1;
    if (threadIdx.x == 0 && arrives_last(search)) tell(search, epoch, level, state);
    if (threadIdx.x < search.rank_count) read_mail(search, epoch, state);
    __syncwarp();
    if (threadIdx.x == 0) {
      state.epoch = epoch;
      decide(search, state);
    }
  }
  __syncthreads();
}

/// Like exchange(), but within a level: nothing is told.
inline __device__ void meet(const Search& search, State& state) {
  __syncthreads();
  if (threadIdx.x < kWarp) {
    const unsigned long long epoch = state.epoch + 1;
    if (threadIdx.x == 0 && arrives_last(search)) {
      __threadfence();
      signal(search, epoch);
    }
    if (threadIdx.x < search.rank_count) wait(search, epoch);
    __syncwarp();
    if (threadIdx.x == 0) state.epoch = epoch;
  }
  __syncthreads();
}

}  // namespace detail

}  // namespace bellmark::distributed_bfs::persistent
