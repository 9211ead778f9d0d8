#include "harness/machine/rank_places.hpp"

#include <hwloc.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/pin.hpp"

namespace bellmark::machine {
namespace {

/// Places that stay together: those of one core, or one place of several cores.
using Unit = std::vector<Cpuset>;

/// The number of each PU's core: its first PU, or the PU itself where hwloc shows no cores.
unsigned core_of(const Topology& topology, unsigned pu) {
  const hwloc_obj_t object = hwloc_get_pu_obj_by_os_index(topology.handle(), pu);
  const hwloc_obj_t core =
      object == nullptr ? nullptr
                        : hwloc_get_ancestor_obj_by_type(topology.handle(), HWLOC_OBJ_CORE, object);
  return core == nullptr ? pu : static_cast<unsigned>(hwloc_bitmap_first(core->cpuset));
}

/// The units of places in their order; with `cut`, the units of the cores under them.
std::vector<Unit> units_by_core(const Topology& topology, const std::vector<Cpuset>& places,
                                bool cut) {
  std::vector<std::pair<unsigned, Unit>> cores;
  const auto add = [&](unsigned core, const Cpuset& place) {
    const auto found =
        std::find_if(cores.begin(), cores.end(), [&](const auto& c) { return c.first == core; });
    Unit& unit = found != cores.end() ? found->second : cores.emplace_back(core, Unit{}).second;
    if (std::find(unit.begin(), unit.end(), place) == unit.end()) unit.push_back(place);
  };
  for (const Cpuset& place : places) {
    if (!cut) {
      add(core_of(topology, place.pus.front()), place);
      continue;
    }
    for (const unsigned pu : place.pus) add(core_of(topology, pu), Cpuset{{pu}});
  }
  std::vector<Unit> units;
  units.reserve(cores.size());
  for (auto& [core, unit] : cores) units.push_back(std::move(unit));
  return units;
}

bool within_one_core(const Topology& topology, const Cpuset& place) {
  const unsigned core = core_of(topology, place.pus.front());
  return std::all_of(place.pus.begin(), place.pus.end(),
                     [&](unsigned pu) { return core_of(topology, pu) == core; });
}

/// One place of all PUs: threads float over it, as over the NUMA node that it was cut from.
Cpuset merged(const std::vector<Unit>& units) {
  Cpuset all;
  for (const Unit& unit : units) {
    for (const Cpuset& place : unit) {
      all.pus.insert(all.pus.end(), place.pus.begin(), place.pus.end());
    }
  }
  std::sort(all.pus.begin(), all.pus.end());
  all.pus.erase(std::unique(all.pus.begin(), all.pus.end()), all.pus.end());
  return all;
}

std::vector<Unit> share_of(const std::vector<Unit>& units, const LocalRank& rank) {
  const std::size_t each = units.size() / rank.count;
  const auto first = units.begin() + static_cast<std::ptrdiff_t>(rank.index * each);
  return {first, first + static_cast<std::ptrdiff_t>(each)};
}

Unit flat(const std::vector<Unit>& units) {
  Unit places;
  for (const Unit& unit : units) places.insert(places.end(), unit.begin(), unit.end());
  return places;
}

Unit deal(const Topology& topology, const std::vector<Cpuset>& places, const LocalRank& rank,
          const std::string& where, bool force) {
  const auto small = [&](const Cpuset& place) { return within_one_core(topology, place); };
  if (std::all_of(places.begin(), places.end(), small)) {
    const auto cores = units_by_core(topology, places, false);
    if (cores.size() >= rank.count) return flat(share_of(cores, rank));
  } else {
    if (places.size() >= rank.count) {
      std::vector<Unit> units;
      units.reserve(places.size());
      for (const Cpuset& place : places) units.push_back({place});
      return flat(share_of(units, rank));
    }
    const auto cores = units_by_core(topology, places, true);
    if (cores.size() >= rank.count) return {merged(share_of(cores, rank))};
  }
  std::vector<Unit> pus;
  const Cpuset all = merged(std::vector<Unit>(1, places));
  for (const unsigned pu : all.pus) pus.emplace_back(1, Cpuset{{pu}});
  if (pus.size() >= rank.count) return {merged(share_of(pus, rank))};
  if (force) return pus[rank.index * pus.size() / rank.count];
  throw UnmetError(where,
                   std::to_string(rank.count) + " ranks on this host, but " +
                       std::to_string(pus.size()) + (pus.size() == 1 ? " PU" : " PUs"),
                   "name more places, start fewer ranks, or let them share with --force");
}

/// The GPUs of a rank among `count`: an equal share when they divide evenly, else one.
std::vector<std::size_t> gpus_of(std::size_t count, const LocalRank& rank) {
  const std::size_t each = count % rank.count == 0 ? count / rank.count : 1;
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < each; ++i) own.push_back((rank.index * each + i) % count);
  return own;
}

/// A placement's places among the CPUs of one side of the machine.
std::vector<Cpuset> places_at(const Placement& placement, const Cpuset& side) {
  std::vector<Cpuset> places;
  for (const Cpuset& place : placement.workers) {
    const bool inside = std::binary_search(side.pus.begin(), side.pus.end(), place.pus.front());
    if (inside) places.push_back(place);
  }
  return places;
}

/// The rank's number among those ranks of its host that have a GPU at `side`.
LocalRank beside(const Placement& placement, const Cpuset& side, const LocalRank& rank) {
  LocalRank among{0, 0};
  for (std::size_t other = 0; other < rank.count; ++other) {
    const auto own = gpus_of(placement.gpus.size(), {other, rank.count});
    const bool there = std::any_of(own.begin(), own.end(), [&](std::size_t index) {
      return placement.gpus[index].near == side;
    });
    if (!there) continue;
    if (other < rank.index) ++among.index;
    ++among.count;
  }
  return among;
}

}  // namespace

Placement rank_part(const Topology& topology, const Placement& placement, const LocalRank& rank,
                    bool force) {
  Placement part = placement;
  if (placement.workers.empty()) {
    const Cpuset bound = observe_this_thread(topology).observed;
    if (!bound.pus.empty() && bound.pus.size() < static_cast<std::size_t>(topology.pu_count())) {
      part.resolved = "none (left on pu P#" + bound.list() + ", where its launcher bound it)";
    }
    return part;
  }
  const std::string where = "placement '" + placement.word + "'";
  if (placement.gpus.empty()) {
    part.workers = deal(topology, placement.workers, rank, where, force);
  } else {
    part.gpus.clear();
    part.workers.clear();
    std::vector<Cpuset> sides;
    for (const std::size_t index : gpus_of(placement.gpus.size(), rank)) {
      const PlacedGpu& gpu = placement.gpus[index];
      part.gpus.push_back(gpu);
      if (std::find(sides.begin(), sides.end(), gpu.near) == sides.end()) sides.push_back(gpu.near);
    }
    for (const Cpuset& side : sides) {
      const Unit dealt =
          deal(topology, places_at(placement, side), beside(placement, side, rank), where, force);
      part.workers.insert(part.workers.end(), dealt.begin(), dealt.end());
    }
  }
  part.resolved.clear();
  for (const Cpuset& place : part.workers) {
    if (!part.resolved.empty()) part.resolved += ", ";
    part.resolved += (place.pus.size() == 1 ? "pu P#" : "pus P#") + place.list();
  }
  return part;
}

std::string rank_gpus(const Placement& placement, const Gpus& gpus, const char* visible,
                      const LocalRank& rank, bool force) {
  std::vector<std::string> devices;
  if (!placement.gpus.empty() || visible == nullptr) {
    std::vector<std::size_t> indices;
    for (const PlacedGpu& gpu : placement.gpus) indices.push_back(gpu.index);
    for (std::size_t i = 0; placement.gpus.empty() && i < gpus.count(); ++i) indices.push_back(i);
    for (const std::size_t index : indices) {
      // An identifier names the same GPU in any order that CUDA counts in.
      const nlohmann::json uuid = gpus.facts(index).at("uuid");
      devices.push_back(uuid.is_string() ? uuid.get<std::string>() : std::to_string(index));
    }
  } else {
    devices = split(visible, ',');
    if (devices.size() == 1) return devices.front();
  }
  if (devices.empty()) return visible == nullptr ? "" : visible;
  if (rank.count > devices.size() && !force) {
    throw UnmetError("placement '" + placement.word + "'",
                     std::to_string(rank.count) + " ranks on this host, but " +
                         std::to_string(devices.size()) + (devices.size() == 1 ? " GPU" : " GPUs"),
                     "start a rank a GPU, or let them share with --force");
  }
  if (placement.gpus.empty()) return devices[rank.index % devices.size()];
  std::vector<std::string> own;
  for (const std::size_t index : gpus_of(devices.size(), rank)) own.push_back(devices[index]);
  return join(own, ",");
}

}  // namespace bellmark::machine
