// The kernels of sssp/harish: Algorithms 2, 3, 5 and 6 of suzuki (Suzuki, Kan, Hayashi, Yoshikawa:
// Accelerating SSSP Algorithm on GPU with Adaptive Thread Creation), and its SWITCH_KERNEL, which
// is described but not printed. The work of one thread for one vertex is a function of the paper's
// name. Kernels of three kinds call it: launched by the host, by a CUDA graph, or persistent.
//
// Names: V_a row_offsets, E_a heads, W_a lengths, M_a updated, C_a distances, U_a candidates,
// NR_a and NW_a two lists of vertices.
//
// Places where the printed algorithms can't be meant as they stand:
//   Algorithms 2, 5   `W_a[n]` must be `W_a[i]`: a length belongs to an arc, not to a vertex
//   Algorithm 5       appends n when U_a[n] equals the new sum; the text says when it is smaller
//                     than before. Equality would schedule vertices whose distance stays the same
//   Algorithm 5       "n is not scheduled" needs a flag a vertex, which Algorithm 4 never creates
//   Algorithm 6       lacks `U_a[v] = C_a[v]`, the last line of Algorithm 3
//   Algorithms 1, 4   leave U_a[s] infinite: an arc back to s would then schedule s once in vain
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <limits>

#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/harish/harish.hpp"
#include "algorithms/searches/harish/options.hpp"

namespace bellmark::harish {

/// The data of the kernels: the graph and the lists with one entry a vertex. `Distance` is
/// std::uint32_t or unsigned long long, the types that atomicMin knows. Its largest value means
/// "unreached", and the recorded bound proves that no addition here reaches it.
template <class Distance>
struct Search {
  static constexpr Distance kInfinite = std::numeric_limits<Distance>::max();

  Vertex vertex_count;
  const std::uint32_t* row_offsets;
  const Vertex* heads;
  const Length* lengths;

  std::uint8_t* updated;
  Distance* distances;
  Distance* candidates;
  std::uint32_t* scheduled;  ///< in NW_a; null where no list is kept
  Vertex* predecessors;
};

/// Counters of the search, zero when it begins but for `listed_count`.
struct State {
  // A phase uses one of each pair, and clears the other for the next phase.
  std::uint32_t appended_count[2];  ///< entries of NW_a
  std::uint32_t any_updated[2];     ///< M_a is not empty
  // Of SWITCH_KERNEL and of the counting in instrumented runs.
  std::uint32_t switched_count;
  std::uint32_t updated_count;
  // Of loops that the host doesn't steer.
  std::uint32_t listed_count;  ///< entries of NR_a
  std::uint32_t list;          ///< the index of the list that is NR_a
  std::uint32_t phase_count;
  ThreadsFor threads_for;
  std::uint64_t begin_ns;
};

/// A loop that the host doesn't steer writes this of one phase.
struct LoggedPhase {
  std::uint64_t gpu_ns;
  std::uint32_t updated_count;  ///< where it is known
  ThreadsFor threads_for;
};

/// The two lists, the counters and the log.
struct Workspace {
  State* state;
  Vertex* lists[2];            ///< null where no list is kept
  LoggedPhase* log;            ///< written by loops that the host doesn't steer
  std::uint32_t log_capacity;  ///< phases beyond it are not logged
};

__device__ inline std::uint32_t thread_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

/// The device's clock. How finely it ticks depends on the device: tens of nanoseconds to 1 us.
__device__ inline std::uint64_t clock_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Raises a flag that many threads may raise at once: a volatile access is a relaxed atomic one.
__device__ inline void raise(std::uint32_t& flag) {
  *static_cast<volatile std::uint32_t*>(&flag) = 1;
}

/// Appends to a list: the "exclusive processing" whose cost the paper measures.
__device__ inline void append(Vertex* list, std::uint32_t* count, Vertex v) {
  list[atomicAdd(count, 1U)] = v;
}

/// The path over one more arc. In a phase a label may be that of a path far longer than any
/// shortest one, and its sums may not fit: nobody needs such a path.
template <class Distance>
__device__ inline Distance extended(Distance distance, Length length) {
  const Distance sum = distance + static_cast<Distance>(length);
  return sum < distance ? Search<Distance>::kInfinite : sum;
}

/// Algorithm 2. Only this thread touches updated[v]; nobody writes distances in this kernel. Only
/// atomicMin changes candidates, so their final values don't depend on the order.
template <class Distance>
__device__ void relax(const Search<Distance>& search, Vertex v) {
  if (search.updated[v] == 0) return;
  search.updated[v] = 0;
  const Distance distance = search.distances[v];
  const std::uint32_t end = search.row_offsets[v + 1];
  for (std::uint32_t i = search.row_offsets[v]; i < end; ++i) {
    atomicMin(&search.candidates[search.heads[i]], extended(distance, search.lengths[i]));
  }
}

/// Algorithm 3; returns whether v was updated. Vertices don't share anything here.
template <class Distance>
__device__ bool update(const Search<Distance>& search, Vertex v) {
  const Distance candidate = search.candidates[v];
  const Distance distance = search.distances[v];
  const bool improved = distance > candidate;
  if (improved) {
    search.distances[v] = candidate;
    search.updated[v] = 1;
  }
  // The last line. It changes nothing, since candidates[v] <= distances[v] always holds: both
  // begin equal, and atomicMin only lowers the former. Kept, as the cost of one store.
  search.candidates[v] = improved ? candidate : distance;
  return improved;
}

/// Algorithm 5. "Smaller than before" is asked of the value that atomicMin found. Before the phase
/// candidates and distances are equal. Of the threads that improve n, the one whose atomicMin comes
/// first gets a yes. Every thread that gets a yes has improved on n's distance. So NW_a becomes the
/// set of improved vertices, and atomicExch lets each in once.
template <class Distance>
__device__ void select_relax(const Search<Distance>& search, Vertex v, Vertex* list,
                             std::uint32_t* appended_count) {
  if (search.updated[v] == 0) return;
  search.updated[v] = 0;
  const Distance distance = search.distances[v];
  const std::uint32_t end = search.row_offsets[v + 1];
  for (std::uint32_t i = search.row_offsets[v]; i < end; ++i) {
    const Vertex n = search.heads[i];
    const Distance sum = extended(distance, search.lengths[i]);
    if (sum >= atomicMin(&search.candidates[n], sum)) continue;
    if (atomicExch(&search.scheduled[n], 1U) == 0) append(list, appended_count, n);
  }
}

/// Algorithm 6, with the last line of Algorithm 3. v leaves the schedule, and is listed once, so
/// no other thread looks at it.
template <class Distance>
__device__ void select_update(const Search<Distance>& search, Vertex v) {
  search.scheduled[v] = 0;
  update(search, v);
}

/// SWITCH_KERNEL: NR_a from M_a.
template <class Distance>
__device__ void list_updated(const Search<Distance>& search, Vertex v, Vertex* list,
                             std::uint32_t* switched_count) {
  if (search.updated[v] != 0) append(list, switched_count, v);
}

/// Algorithm 1, lines 1-4, and Algorithm 4's additions to them.
template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    initialise_kernel(Search<Distance> search, Workspace workspace, Vertex source) {
  const Vertex v = thread_index();
  if (v >= search.vertex_count) return;
  const bool is_source = v == source;
  const Distance distance = is_source ? 0 : Search<Distance>::kInfinite;
  search.distances[v] = distance;
  search.candidates[v] = distance;
  search.updated[v] = is_source ? 1 : 0;
  search.predecessors[v] = kNoVertex;
  if (search.scheduled != nullptr) search.scheduled[v] = 0;
  if (!is_source) return;
  *workspace.state = {};
  workspace.state->listed_count = 1;
  if (workspace.lists[0] != nullptr) workspace.lists[0][0] = source;
}

template <class Distance>
__global__ void __launch_bounds__(kLargestBlock) relax_kernel(Search<Distance> search) {
  const Vertex v = thread_index();
  if (v < search.vertex_count) relax(search, v);
}

template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    update_kernel(Search<Distance> search, State* state) {
  const Vertex v = thread_index();
  if (v < search.vertex_count && update(search, v)) raise(state->any_updated[0]);
}

template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    select_relax_kernel(Search<Distance> search, const Vertex* read, std::uint32_t listed_count,
                        Vertex* write, State* state) {
  const std::uint32_t x = thread_index();
  if (x < listed_count) select_relax(search, read[x], write, &state->appended_count[0]);
}

template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    select_update_kernel(Search<Distance> search, const Vertex* read, std::uint32_t listed_count) {
  const std::uint32_t x = thread_index();
  if (x < listed_count) select_update(search, read[x]);
}

template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    switch_kernel(Search<Distance> search, Vertex* list, State* state) {
  const Vertex v = thread_index();
  if (v < search.vertex_count) list_updated(search, v, list, &state->switched_count);
}

/// The size of M_a, for the log of an instrumented run.
template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    count_kernel(Search<Distance> search, State* state) {
  const Vertex v = thread_index();
  const int count = __syncthreads_count(v < search.vertex_count && search.updated[v] != 0);
  if (threadIdx.x == 0 && count > 0) {
    atomicAdd(&state->updated_count, static_cast<std::uint32_t>(count));
  }
}

/// A vertex's predecessor is the least tail of a tight arc of positive length to it.
template <class Distance>
__global__ void __launch_bounds__(kLargestBlock) predecessors_kernel(Search<Distance> search) {
  const Vertex v = thread_index();
  if (v >= search.vertex_count) return;
  const Distance distance = search.distances[v];
  if (distance == Search<Distance>::kInfinite) return;
  const std::uint32_t end = search.row_offsets[v + 1];
  for (std::uint32_t i = search.row_offsets[v]; i < end; ++i) {
    if (search.lengths[i] == 0) continue;
    const Vertex n = search.heads[i];
    const Distance sum = distance + static_cast<Distance>(search.lengths[i]);
    if (sum == search.distances[n]) atomicMin(&search.predecessors[n], v);
  }
}

/// One round for the vertices that only tight arcs of length 0 reach: a vertex that has a
/// predecessor (or is the source) claims those at the ends of such arcs that have none yet.
///
/// The proof that predecessors form a tree. Along them distances never grow, so all vertices of a
/// cycle would have one distance, and every one of them would have been claimed. But a vertex is
/// claimed once, by one that had its predecessor earlier: claims don't close a cycle. No vertex is
/// left out. On a shortest path to v, the last vertex that is the source or the end of a positive
/// arc has its predecessor; from there claims follow the path. A "none" read too early costs
/// another round: the thread that wrote the predecessor raised the flag.
template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    zero_length_predecessors_kernel(Search<Distance> search, Vertex source, State* state) {
  const Vertex v = thread_index();
  if (v >= search.vertex_count) return;
  const Distance distance = search.distances[v];
  if (distance == Search<Distance>::kInfinite) return;
  const auto* const predecessors = static_cast<const volatile Vertex*>(search.predecessors);
  if (v != source && predecessors[v] == kNoVertex) return;
  const std::uint32_t end = search.row_offsets[v + 1];
  for (std::uint32_t i = search.row_offsets[v]; i < end; ++i) {
    if (search.lengths[i] != 0) continue;
    const Vertex n = search.heads[i];
    if (n == source || search.distances[n] != distance) continue;
    if (atomicCAS(&search.predecessors[n], kNoVertex, v) == kNoVertex) raise(state->any_updated[0]);
  }
}

}  // namespace bellmark::harish
