#include "harness/machine/place_classes.hpp"

#include <hwloc.h>
#include <hwloc/cpukinds.h>
#include <hwloc/distances.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace bellmark::machine {
namespace {

std::vector<hwloc_obj_t> all_of(const Topology& topology, hwloc_obj_type_t type) {
  std::vector<hwloc_obj_t> found;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology.handle(), type, object)) != nullptr) {
    found.push_back(object);
  }
  return found;
}

/// Facts of a topology that are read again and again.
struct Known {
  explicit Known(const Topology& machine)
      : topology(machine),
        nodes(all_of(machine, HWLOC_OBJ_NUMANODE)),
        distances(numa_distances(machine)) {}

  const Topology& topology;
  std::vector<hwloc_obj_t> nodes;
  std::optional<std::vector<std::vector<std::uint64_t>>> distances;

  std::vector<std::size_t> nodes_of(hwloc_obj_t core) const {
    std::vector<std::size_t> own;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (hwloc_bitmap_intersects(nodes[i]->cpuset, core->cpuset) != 0) own.push_back(i);
    }
    return own;
  }
};

int weight(const hwloc_bitmap_s* set) { return hwloc_bitmap_weight(set); }

/// One word for each level from the core up, and the facts of its nodes.
std::string signature(const Known& known, hwloc_obj_t core) {
  std::string text = "pus " + std::to_string(weight(core->cpuset));
  const int kind = hwloc_cpukinds_get_by_cpuset(known.topology.handle(), core->cpuset, 0);
  if (kind >= 0) text += ", kind " + std::to_string(kind);
  for (hwloc_obj_t above = core->parent; above != nullptr; above = above->parent) {
    text += std::string(", ") + hwloc_obj_type_string(above->type);
    if (hwloc_obj_type_is_cache(above->type) != 0) {
      text += " " + std::to_string(above->attr->cache.size);
    }
    text += " of " + std::to_string(hwloc_get_nbobjs_inside_cpuset_by_type(
                         known.topology.handle(), above->cpuset, HWLOC_OBJ_CORE));
  }
  for (hwloc_obj_t below = core->first_child; below != nullptr; below = below->first_child) {
    if (hwloc_obj_type_is_cache(below->type) == 0) continue;
    text += ", below " + std::to_string(below->attr->cache.size);
  }
  for (const std::size_t node : known.nodes_of(core)) {
    text += ", node of " + std::to_string(known.nodes[node]->attr->numanode.local_memory);
    if (!known.distances) continue;
    std::vector<std::uint64_t> row = (*known.distances)[node];
    std::ranges::sort(row);
    for (const std::uint64_t distance : row) text += " " + std::to_string(distance);
  }
  return text;
}

std::map<hwloc_obj_t, std::string> signatures(const Known& known) {
  std::map<hwloc_obj_t, std::string> texts;
  for (const hwloc_obj_t core : all_of(known.topology, HWLOC_OBJ_CORE)) {
    texts[core] = signature(known, core);
  }
  return texts;
}

/// The parts that two cores share, and the distance of their nodes.
std::string between(const Known& known, hwloc_obj_t a, hwloc_obj_t b) {
  const hwloc_obj_t common = hwloc_get_common_ancestor_obj(known.topology.handle(), a, b);
  std::string text = hwloc_obj_type_string(common->type);
  const auto of_a = known.nodes_of(a);
  const auto of_b = known.nodes_of(b);
  if (of_a == of_b) return text + ", same node";
  if (!known.distances || of_a.empty() || of_b.empty()) return text + ", other node";
  return text + ", " + std::to_string((*known.distances)[of_a.front()][of_b.front()]);
}

}  // namespace

std::optional<std::vector<std::vector<std::uint64_t>>> numa_distances(const Topology& topology) {
  unsigned count = 1;
  hwloc_distances_s* distances = nullptr;
  const std::size_t size = static_cast<std::size_t>(topology.numa_count());
  const int failure =
      hwloc_distances_get_by_type(topology.handle(), HWLOC_OBJ_NUMANODE, &count, &distances,
                                  HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
  if (failure != 0 || count == 0 || distances == nullptr) return std::nullopt;
  std::optional<std::vector<std::vector<std::uint64_t>>> matrix;
  if (distances->nbobjs == size) {
    matrix.emplace(size, std::vector<std::uint64_t>(size, 0));
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        (*matrix)[distances->objs[i]->logical_index][distances->objs[j]->logical_index] =
            distances->values[i * size + j];
      }
    }
  }
  hwloc_distances_release(topology.handle(), distances);
  return matrix;
}

std::vector<hwloc_obj*> core_classes(const Topology& topology) {
  const Known known(topology);
  std::vector<hwloc_obj*> first;
  std::set<std::string> seen;
  for (const hwloc_obj_t core : all_of(topology, HWLOC_OBJ_CORE)) {
    if (seen.insert(signature(known, core)).second) first.push_back(core);
  }
  return first;
}

std::vector<std::pair<hwloc_obj*, hwloc_obj*>> pair_classes(const Topology& topology) {
  const Known known(topology);
  const auto texts = signatures(known);
  const std::vector<hwloc_obj_t> cores = all_of(topology, HWLOC_OBJ_CORE);
  std::vector<std::pair<hwloc_obj*, hwloc_obj*>> first;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < cores.size(); ++i) {
    for (std::size_t j = i + 1; j < cores.size(); ++j) {
      const auto [low, high] = std::minmax(texts.at(cores[i]), texts.at(cores[j]));
      const std::string text = low + "\n" + high + "\n" + between(known, cores[i], cores[j]);
      if (seen.insert(text).second) first.emplace_back(cores[i], cores[j]);
    }
  }
  return first;
}

}  // namespace bellmark::machine
