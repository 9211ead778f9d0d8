// The loop of sssp/harish without the host: as kernels of a CUDA graph that repeats itself, and as
// one persistent kernel. Neither is the paper's (Algorithms 1 and 4 loop on the host). Beside the
// host's loop they show apart the cost of creating threads and the cost of the way to the host. A
// vertex's work in a phase is the same code (harish.cuh), and so are the phases.
#pragma once

#include <cooperative_groups.h>

#include "algorithms/searches/harish/harish.cuh"

namespace bellmark::harish {

/// The persistent kernel's own arguments.
struct Steering {
  Thresholds thresholds;
  const std::uint8_t* schedule;  ///< choices to repeat instead of deciding by the clock
  std::uint32_t schedule_count;
  bool counts;  ///< count the updated vertices of every phase, outside of its time
};

__device__ inline void write_log(const Workspace& workspace, std::uint32_t phase,
                                 LoggedPhase line) {
  if (phase < workspace.log_capacity) workspace.log[phase] = line;
}

/// In a graph, where a phase is RELAX, UPDATE, and a kernel of one thread that ends it. A phase
/// lasts from the end of the one before it, so that the time between kernels is in it. This kernel
/// comes before the first.
static __global__ void begin_kernel(Workspace workspace) { workspace.state->begin_ns = clock_ns(); }

__device__ inline void end_phase(const Workspace& workspace, LoggedPhase line, bool again,
                                 cudaGraphConditionalHandle handle) {
  State& state = *workspace.state;
  const std::uint64_t end_ns = clock_ns();
  line.gpu_ns = end_ns - state.begin_ns;
  write_log(workspace, state.phase_count++, line);
  state.begin_ns = end_ns;
  cudaGraphSetConditional(handle, again ? 1U : 0U);
}

static __global__ void end_all_vertices_kernel(Workspace workspace,
                                               cudaGraphConditionalHandle handle) {
  const bool again = workspace.state->any_updated[0] != 0;
  workspace.state->any_updated[0] = 0;
  end_phase(workspace, {0, 0, ThreadsFor::all_vertices}, again, handle);
}

/// NR_a = NW_a and NW_a = empty: the lists change roles.
static __global__ void end_updated_vertices_kernel(Workspace workspace,
                                                   cudaGraphConditionalHandle handle) {
  State& state = *workspace.state;
  state.listed_count = state.appended_count[0];
  state.appended_count[0] = 0;
  state.list = 1 - state.list;
  end_phase(workspace, {0, state.listed_count, ThreadsFor::updated_vertices},
            state.listed_count > 0, handle);
}

/// The number of threads that fills the device: a graph's grid is fixed, the list's length is not.
template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    graph_select_relax_kernel(Search<Distance> search, Workspace workspace) {
  State& state = *workspace.state;
  const Vertex* const read = workspace.lists[state.list];
  Vertex* const write = workspace.lists[1 - state.list];
  const std::uint32_t listed_count = state.listed_count;
  for (std::uint32_t x = thread_index(); x < listed_count; x += gridDim.x * blockDim.x) {
    select_relax(search, read[x], write, &state.appended_count[0]);
  }
}

template <class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    graph_select_update_kernel(Search<Distance> search, Workspace workspace) {
  const State& state = *workspace.state;
  const Vertex* const read = workspace.lists[1 - state.list];
  const std::uint32_t listed_count = state.appended_count[0];
  for (std::uint32_t x = thread_index(); x < listed_count; x += gridDim.x * blockDim.x) {
    select_update(search, read[x]);
  }
}

/// The whole search in one cooperative launch: the grid waits for itself between the steps.
///
/// Counters are cleared where nobody uses them. Phase k uses entry k % 2 of a pair: it is written
/// in one step and read after the next sync. The other entry was last read in phase k - 1 before
/// the first sync of phase k, and is next written after the second one. Between these two the
/// leader clears it. `switched_count` and `updated_count` are read before that first sync too, and
/// written after the second.
///
/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole grid's.
template <ThreadCreation threads, class Distance>
__global__ void __launch_bounds__(kLargestBlock)
    persistent_kernel(Search<Distance> search, Workspace workspace, Steering steering) {
  const auto grid = cooperative_groups::this_grid();
  const std::uint32_t first = thread_index();
  const std::uint32_t stride = gridDim.x * blockDim.x;
  const bool leader = first == 0;
  State& state = *workspace.state;

  ThreadsFor threads_for = first_threads(threads);
  Vertex* read = workspace.lists[0];
  Vertex* write = workspace.lists[1];
  std::uint32_t listed_count = 1;  // the source
  std::uint64_t previous_ns = 0;
  for (std::uint32_t phase = 0;; ++phase) {
    const std::uint32_t own = phase % 2;
    const std::uint64_t begin_ns = clock_ns();
    if (threads_for == ThreadsFor::all_vertices) {
      for (Vertex v = first; v < search.vertex_count; v += stride) relax(search, v);
    } else {
      for (std::uint32_t x = first; x < listed_count; x += stride) {
        select_relax(search, read[x], write, &state.appended_count[own]);
      }
    }
    grid.sync();

    if (leader) {
      state.appended_count[1 - own] = 0;
      state.any_updated[1 - own] = 0;
      state.switched_count = 0;
      state.updated_count = 0;
    }
    if (threads_for == ThreadsFor::all_vertices) {
      bool any = false;
      for (Vertex v = first; v < search.vertex_count; v += stride) any |= update(search, v);
      if (any) raise(state.any_updated[own]);
    } else {
      listed_count = state.appended_count[own];
      Vertex* const written = write;
      write = read;
      read = written;
      for (std::uint32_t x = first; x < listed_count; x += stride) select_update(search, read[x]);
    }
    grid.sync();
    const std::uint64_t end_ns = clock_ns();

    const bool again =
        threads_for == ThreadsFor::all_vertices ? state.any_updated[own] != 0 : listed_count > 0;
    if (steering.counts) {
      std::uint32_t count = 0;
      for (Vertex v = first; v < search.vertex_count; v += stride) count += search.updated[v];
      if (count > 0) atomicAdd(&state.updated_count, count);
      grid.sync();
    }
    if (leader) {
      const std::uint64_t this_ns = end_ns - begin_ns;
      const std::uint32_t count = steering.counts ? state.updated_count : listed_count;
      write_log(workspace, phase, {this_ns, count, threads_for});
      state.phase_count = phase + 1;
      if constexpr (threads == ThreadCreation::adaptive) {
        state.threads_for = phase + 1 < steering.schedule_count
                                ? static_cast<ThreadsFor>(steering.schedule[phase + 1])
                                : next_threads(threads_for, phase == 0 ? this_ns : previous_ns,
                                               this_ns, steering.thresholds);
      }
      previous_ns = this_ns;
    }
    if (!again) return;

    if constexpr (threads == ThreadCreation::adaptive) {
      grid.sync();  // the leader has decided
      const ThreadsFor next = state.threads_for;
      if (threads_for == ThreadsFor::all_vertices && next == ThreadsFor::updated_vertices) {
        for (Vertex v = first; v < search.vertex_count; v += stride) {
          list_updated(search, v, read, &state.switched_count);
        }
        grid.sync();
        listed_count = state.switched_count;
      }
      threads_for = next;
    }
  }
}

}  // namespace bellmark::harish
