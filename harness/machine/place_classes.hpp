// Classes of alike places of a machine: a sweep measures one place of each class.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "harness/machine/topology.hpp"

struct hwloc_obj;

namespace bellmark::machine {

/// The distances between the nodes' memories, from the firmware: 10 is a node's own. By hwloc's
/// logical index; nothing where hwloc shows none.
std::optional<std::vector<std::vector<std::uint64_t>>> numa_distances(const Topology& topology);

/// The first core of each class, in hwloc's order. Alike cores have the same number of PUs, and
/// caches of the same sizes that the same number of cores share. Their nodes have the same amount
/// of memory at the same distances. Where kinds of cores are known, alike cores are of one kind.
/// O(cores * depth).
std::vector<hwloc_obj*> core_classes(const Topology& topology);

/// The first pair of cores of each class. A class is given by the classes of both cores, the parts
/// that they share, and the distance of their nodes. At most one pair for each class; O(cores^2).
std::vector<std::pair<hwloc_obj*, hwloc_obj*>> pair_classes(const Topology& topology);

}  // namespace bellmark::machine
