// Which places of a machine are alike: a sweep measures one of each class.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "harness/machine/topology.hpp"

struct hwloc_obj;

namespace bellmark::machine {

/// How far the nodes' memory is from each other, as the firmware says: 10 is a node's own. By
/// hwloc's logical index; nothing where hwloc shows none.
std::optional<std::vector<std::vector<std::uint64_t>>> numa_distances(const Topology& topology);

/// The first core of each class, in hwloc's order. Cores are alike that have as many PUs, and
/// caches of the same sizes that as many cores share. Their nodes have as much memory at the same
/// distances, and they are of one kind where kinds of cores are known. O(cores * depth).
std::vector<hwloc_obj*> core_classes(const Topology& topology);

/// The first pair of cores of each class: by the classes of both, by what they share, and by how
/// far their nodes are from each other. At most one pair for each; O(cores^2).
std::vector<std::pair<hwloc_obj*, hwloc_obj*>> pair_classes(const Topology& topology);

}  // namespace bellmark::machine
