// The NUMA nodes of a process's memory, through hwloc.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "harness/machine/location.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

/// The word that asks for nothing. The program that started the process may have asked, as numactl
/// does.
inline constexpr const char* kSystemMemory = "system";

/// hwloc's calls for the place of a process's memory.
struct MemoryCalls {
  /// hwloc_set_membind() of the calling thread by node; the policy is a hwloc_membind_policy_t. 0,
  /// or -1 with errno.
  std::function<int(const Topology& topology, const hwloc_bitmap_s* nodes, int policy)> bind;
  /// True if hwloc can do it here. A topology that is not this machine's can't.
  std::function<bool(const Topology& topology, int policy)> supports;
};
const MemoryCalls& hwloc_memory();

/// Throws InputError for a word that is not in this list, or a node's index that is not a number:
///   `system`       asks for nothing
///   `first-touch`  a page lies where the thread runs that touches it first
///   `interleave`   pages are dealt to all nodes with memory in turn
///   `local`        on the nodes of the placement's cores
///   `numa:N`       on that node, by hwloc's logical index
void check_memory_word(std::string_view word);

/// Why memory can't lie there at this placement; "" when it can. A machine with a single node
/// supports every policy, and none changes anything.
std::string memory_absence(const Topology& topology, std::string_view word,
                           const Placement& placement, const MemoryCalls& calls = hwloc_memory());

/// For the calling thread and all that it starts later, programs too. Nodes are only preferred:
/// when one is full, others serve, and page_use() shows it. Throws UnmetError with
/// memory_absence(), and MachineError when the kernel refuses.
void take_memory(const Topology& topology, std::string_view word, const Placement& placement,
                 const MemoryCalls& calls = hwloc_memory());

}  // namespace bellmark::machine
