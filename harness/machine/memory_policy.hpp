// On which NUMA nodes the memory of a process lies, through hwloc.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "harness/machine/location.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

/// The word that asks for nothing: what started the process may have asked, as numactl does.
inline constexpr const char* kSystemMemory = "system";

/// Where a process may have its memory, by hwloc.
struct MemoryCalls {
  /// hwloc_set_membind() of the calling thread by node; the policy is a hwloc_membind_policy_t. 0,
  /// or -1 with errno.
  std::function<int(const Topology& topology, const hwloc_bitmap_s* nodes, int policy)> bind;
  /// Whether hwloc can do it here; a topology that is no machine of ours can't.
  std::function<bool(const Topology& topology, int policy)> supports;
};
const MemoryCalls& hwloc_memory();

/// Throws InputError for anything but these words, and for a number that is none.
///   `system`       asks for nothing
///   `first-touch`  a page lies where the thread runs that touches it first
///   `interleave`   pages are dealt to all nodes with memory in turn
///   `local`        on the nodes of the placement's cores
///   `numa:N`       on that node, by hwloc's logical index
void check_memory_word(std::string_view word);

/// Why memory can't lie so at this placement; "" when it can. A single node decides nothing, but
/// has each policy.
std::string memory_absence(const Topology& topology, std::string_view word,
                           const Placement& placement, const MemoryCalls& calls = hwloc_memory());

/// For the calling thread and all that it starts, programs too, from here on. Nodes are preferred:
/// where one is full, others serve, and page_use() tells. Throws UnmetError with
/// memory_absence(), MachineError when the kernel refuses.
void take_memory(const Topology& topology, std::string_view word, const Placement& placement,
                 const MemoryCalls& calls = hwloc_memory());

}  // namespace bellmark::machine
