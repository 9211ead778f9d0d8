// The machine in hwloc's view: packages, NUMA nodes, cores, processing units (PUs), caches.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/cpuset.hpp"

struct hwloc_topology;

namespace bellmark::machine {

/// `count` caches of one kind. Several entries of a level tell different cores apart.
struct Cache {
  unsigned level = 0;
  std::string type;  ///< data, instruction or unified
  std::uint64_t size_bytes = 0;
  int shared_by_core_count = 0;
  int count = 0;

  bool operator==(const Cache&) const = default;
};

/// Owns an hwloc topology; movable. It has only objects that this process may use (cgroup cpusets),
/// so logical indices count usable objects.
class Topology {
 public:
  /// Throws MachineError when hwloc can't read the machine.
  static Topology this_machine();

  /// The machine with its network interfaces and other devices, which take longer to find.
  static Topology this_machine_with_devices();

  /// From an hwloc synthetic description, e.g. `pack:2 core:4 pu:2`. Throws InputError.
  static Topology synthetic(const std::string& description);

  /// From the output of xml() or lstopo, on this machine or another, with its devices. Throws
  /// InputError.
  static Topology from_xml(const std::string& xml);

  int package_count() const;
  int numa_count() const;
  int core_count() const;
  int pu_count() const;
  std::vector<Cache> caches() const;  ///< by level

  /// Bytes of the last-level caches of these PUs together. Each PU has the highest cache above it,
  /// and a shared cache counts once. Nothing without PUs, and where one of them is unknown or has
  /// no cache of known size. A virtual machine may show its host's whole cache.
  std::optional<std::uint64_t> last_level_cache_bytes(const Cpuset& pus) const;

  Cpuset pus() const;  ///< all of them

  /// False for synthetic topologies: nothing can be pinned there.
  bool is_this_machine() const;

  /// `package_count`, `numa_count`, `core_count`, `pu_count`, `caches` (level, type, size_bytes,
  /// shared_by_core_count, count), `is_this_machine`. Three keys tell whether this process sees
  /// less than the machine: `installed_pu_count` (before cgroup cpusets), `affinity_pu_count` (the
  /// process's binding at the call; null when not this machine) and `is_restricted`.
  nlohmann::json summary() const;

  /// hwloc's XML, readable by lstopo.
  std::string xml() const;

  hwloc_topology* handle() const { return handle_.get(); }

 private:
  struct Destroy {
    void operator()(hwloc_topology* topology) const;
  };

  Topology();

  std::unique_ptr<hwloc_topology, Destroy> handle_;
};

}  // namespace bellmark::machine
