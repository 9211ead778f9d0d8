#include "harness/machine/memory_policy.hpp"

#include <hwloc.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/files.hpp"

namespace bellmark::machine {
namespace {

constexpr std::string_view kNode = "numa:";

std::string named(std::string_view word) { return "memory '" + std::string(word) + "'"; }

int policy_of(std::string_view word) {
  if (word == "first-touch") return HWLOC_MEMBIND_FIRSTTOUCH;
  if (word == "interleave") return HWLOC_MEMBIND_INTERLEAVE;
  return HWLOC_MEMBIND_BIND;
}

/// The nodes that a word names, or why there are none.
struct Nodes {
  Bitmap set;
  std::string absence;
};

bool has_memory(hwloc_obj_t node) { return node->attr->numanode.local_memory > 0; }

Nodes nodes_of(const Topology& topology, std::string_view word, const Placement& placement) {
  Nodes nodes{make_bitmap(), ""};
  if (word.starts_with(kNode)) {
    const auto index = static_cast<unsigned>(*to_integer(word.substr(kNode.size())));
    const hwloc_obj_t node = hwloc_get_obj_by_type(topology.handle(), HWLOC_OBJ_NUMANODE, index);
    if (node == nullptr) {
      nodes.absence = "there is no NUMA node " + std::to_string(index) + "; this machine has " +
                      std::to_string(topology.numa_count());
    } else if (!has_memory(node)) {
      nodes.absence = "NUMA node " + std::to_string(index) + " has no memory";
    } else {
      hwloc_bitmap_set(nodes.set.get(), node->os_index);
    }
    return nodes;
  }
  if (word == "local" && placement.workers.empty()) {
    nodes.absence = "nothing is pinned at '" + placement.word + "', so that no node is near";
    return nodes;
  }
  const Bitmap pus = make_bitmap();
  for (const unsigned pu : pus_of(placement)) hwloc_bitmap_set(pus.get(), pu);
  hwloc_obj_t node = nullptr;
  while ((node = hwloc_get_next_obj_by_type(topology.handle(), HWLOC_OBJ_NUMANODE, node)) !=
         nullptr) {
    const bool is_near = hwloc_bitmap_intersects(node->cpuset, pus.get()) != 0;
    if (!has_memory(node) || (word == "local" && !is_near)) continue;
    hwloc_bitmap_set(nodes.set.get(), node->os_index);
  }
  if (hwloc_bitmap_iszero(nodes.set.get()) != 0) {
    nodes.absence = word == "local" ? "the nodes of '" + placement.word + "' have no memory"
                                    : "no NUMA node shows memory";
  }
  return nodes;
}

int bind_here(const Topology& topology, const hwloc_bitmap_s* nodes, int policy) {
  return hwloc_set_membind(topology.handle(), nodes, static_cast<hwloc_membind_policy_t>(policy),
                           HWLOC_MEMBIND_THREAD | HWLOC_MEMBIND_BYNODESET);
}

bool is_supported(const Topology& topology, int policy) {
  if (!topology.is_this_machine()) return false;
  const auto& support = *hwloc_topology_get_support(topology.handle())->membind;
  if (support.set_thisthread_membind == 0) return false;
  switch (policy) {
    case HWLOC_MEMBIND_FIRSTTOUCH:
      return support.firsttouch_membind != 0;
    case HWLOC_MEMBIND_INTERLEAVE:
      return support.interleave_membind != 0;
    default:
      return support.bind_membind != 0;
  }
}

}  // namespace

const MemoryCalls& hwloc_memory() {
  static const MemoryCalls calls{bind_here, is_supported};
  return calls;
}

void check_memory_word(std::string_view word) {
  if (word.starts_with(kNode)) {
    const auto index = to_integer(word.substr(kNode.size()));
    constexpr std::int64_t kMost = 1 << 20;
    if (index && *index >= 0 && *index < kMost) return;
    throw InputError(named(word), "names no NUMA node", "write e.g. numa:0");
  }
  const std::vector<std::string> known = {kSystemMemory, "first-touch", "interleave", "local",
                                          "numa:0"};
  for (const std::string& name : known) {
    if (word == name) return;
  }
  throw InputError(named(word), "is none of " + join(known, ", "),
                   did_you_mean(std::string(word), known));
}

std::string memory_absence(const Topology& topology, std::string_view word,
                           const Placement& placement, const MemoryCalls& calls) {
  check_memory_word(word);
  if (word == kSystemMemory) return {};
  if (!calls.supports(topology, policy_of(word))) {
    return named(word) + ": hwloc can't bind memory so here";
  }
  const std::string absence = nodes_of(topology, word, placement).absence;
  return absence.empty() ? "" : named(word) + ": " + absence;
}

void take_memory(const Topology& topology, std::string_view word, const Placement& placement,
                 const MemoryCalls& calls) {
  if (const std::string absence = memory_absence(topology, word, placement, calls);
      !absence.empty()) {
    throw UnmetError("", absence, "choose another with --memory");
  }
  if (word == kSystemMemory) return;
  const Nodes nodes = nodes_of(topology, word, placement);
  if (calls.bind(topology, nodes.set.get(), policy_of(word)) != 0) {
    throw MachineError(named(word), "the kernel refuses: " + std::generic_category().message(errno),
                       "choose another with --memory");
  }
}

}  // namespace bellmark::machine
