// The machine as hwloc sees it: packages, NUMA nodes, cores, processing units (PUs), caches.
#include "harness/machine/topology.hpp"

#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
namespace bellmark::machine {
namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

std::string cache_type(hwloc_obj_cache_type_t type) {
  switch (type) {
    case HWLOC_OBJ_CACHE_DATA:
      return "data";
    case HWLOC_OBJ_CACHE_INSTRUCTION:
      return "instruction";
    case HWLOC_OBJ_CACHE_UNIFIED:
      break;
  }
  return "unified";
}

/// The highest data cache above a PU; null where the topology shows none.
hwloc_obj_t last_level_cache(hwloc_obj_t pu) {
  hwloc_obj_t highest = nullptr;
  for (hwloc_obj_t above = pu->parent; above != nullptr; above = above->parent) {
    if (hwloc_obj_type_is_dcache(above->type) != 0) highest = above;
  }
  return highest;
}

/// The number of PUs of a synthetic description: the product of its arities, written `type:arity`
/// or just `arity`; attributes stand in parentheses. Saturates well above any real machine.
std::uint64_t described_pus(std::string_view description) {
  constexpr std::uint64_t kEnough = 1U << 30;
  std::uint64_t product = 1;
  for (const std::string& token : split(description, ' ')) {
    const std::string word = token.substr(0, token.find('('));
    const std::size_t colon = word.find(':');
    const char* first = word.data() + (colon == std::string::npos ? 0 : colon + 1);
    std::uint64_t arity = 1;
    if (std::from_chars(first, word.data() + word.size(), arity).ec ==
        std::errc::result_out_of_range) {
      arity = kEnough;
    }
    product = std::min(kEnough, product * std::min(kEnough, std::max<std::uint64_t>(arity, 1)));
  }
  return product;
}

}  // namespace

void Topology::Destroy::operator()(hwloc_topology* topology) const {
  hwloc_topology_destroy(topology);
}

Topology::Topology() {
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) {
    throw MachineError("hwloc", "cannot start: " + reason_of(errno));
  }
  handle_.reset(topology);
  // hwloc drops instruction caches unless asked to keep them.
  hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
}

Topology Topology::this_machine() {
  Topology topology;
  if (hwloc_topology_load(topology.handle()) != 0) {
    throw MachineError("hwloc", "cannot read this machine's topology: " + reason_of(errno));
  }
  return topology;
}

Topology Topology::this_machine_with_devices() {
  Topology topology;
  hwloc_topology_set_io_types_filter(topology.handle(), HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  if (hwloc_topology_load(topology.handle()) != 0) {
    throw MachineError("hwloc", "cannot read this machine's devices: " + reason_of(errno));
  }
  return topology;
}

Topology Topology::synthetic(const std::string& description) {
  // hwloc would build any machine until memory runs out.
  constexpr std::uint64_t kMostPus = 1U << 16;
  const std::string where = "synthetic topology '" + description + "'";
  if (described_pus(description) > kMostPus) {
    throw InputError(where, "too large", "describe at most " + std::to_string(kMostPus) + " PUs");
  }
  Topology topology;
  if (description.empty() ||
      hwloc_topology_set_synthetic(topology.handle(), description.c_str()) != 0 ||
      hwloc_topology_load(topology.handle()) != 0) {
    throw InputError(where, "not an hwloc synthetic description",
                     "write e.g. 'pack:2 core:4 pu:2'");
  }
  return topology;
}

Topology Topology::from_xml(const std::string& xml) {
  Topology topology;
  hwloc_topology_set_io_types_filter(topology.handle(), HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  // hwloc counts the zero at the end as well.
  if (hwloc_topology_set_xmlbuffer(topology.handle(), xml.c_str(),
                                   static_cast<int>(xml.size() + 1)) != 0 ||
      hwloc_topology_load(topology.handle()) != 0) {
    throw InputError("topology", "not hwloc's XML", "write it with lstopo");
  }
  return topology;
}

int Topology::package_count() const {
  return hwloc_get_nbobjs_by_type(handle(), HWLOC_OBJ_PACKAGE);
}
int Topology::numa_count() const { return hwloc_get_nbobjs_by_type(handle(), HWLOC_OBJ_NUMANODE); }
int Topology::core_count() const { return hwloc_get_nbobjs_by_type(handle(), HWLOC_OBJ_CORE); }
int Topology::pu_count() const { return hwloc_get_nbobjs_by_type(handle(), HWLOC_OBJ_PU); }

std::vector<Cache> Topology::caches() const {
  std::vector<Cache> caches;
  for (int number = HWLOC_OBJ_TYPE_MIN; number < HWLOC_OBJ_TYPE_MAX; ++number) {
    const auto type = static_cast<hwloc_obj_type_t>(number);
    if (hwloc_obj_type_is_cache(type) == 0) continue;
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(handle(), type, object)) != nullptr) {
      Cache cache{.level = object->attr->cache.depth,
                  .type = cache_type(object->attr->cache.type),
                  .size_bytes = object->attr->cache.size,
                  .shared_by_core_count = hwloc_get_nbobjs_inside_cpuset_by_type(
                      handle(), object->cpuset, HWLOC_OBJ_CORE),
                  .count = 1};
      const auto same = std::find_if(caches.begin(), caches.end(), [&](Cache seen) {
        seen.count = 1;
        return seen == cache;
      });
      if (same == caches.end()) {
        caches.push_back(std::move(cache));
      } else {
        ++same->count;
      }
    }
  }
  std::stable_sort(caches.begin(), caches.end(),
                   [](const Cache& a, const Cache& b) { return a.level < b.level; });
  return caches;
}

std::optional<std::uint64_t> Topology::last_level_cache_bytes(const Cpuset& pus) const {
  std::set<hwloc_obj_t> caches;
  for (const unsigned number : pus.pus) {
    const hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(handle(), number);
    const hwloc_obj_t cache = pu == nullptr ? nullptr : last_level_cache(pu);
    if (cache == nullptr || cache->attr->cache.size == 0) return std::nullopt;
    caches.insert(cache);
  }
  if (caches.empty()) return std::nullopt;
  std::uint64_t bytes = 0;
  for (const hwloc_obj_t cache : caches) bytes += cache->attr->cache.size;
  return bytes;
}

Cpuset Topology::pus() const { return to_cpuset(hwloc_topology_get_topology_cpuset(handle())); }

bool Topology::is_this_machine() const { return hwloc_topology_is_thissystem(handle()) != 0; }

nlohmann::json Topology::summary() const {
  nlohmann::json cache_list = nlohmann::json::array();
  for (const Cache& cache : caches()) {
    cache_list.push_back({{"level", cache.level},
                          {"type", cache.type},
                          {"size_bytes", cache.size_bytes},
                          {"shared_by_core_count", cache.shared_by_core_count},
                          {"count", cache.count}});
  }

  const int installed = hwloc_bitmap_weight(hwloc_topology_get_complete_cpuset(handle()));
  nlohmann::json affinity = nullptr;
  const Bitmap bound = make_bitmap();
  if (is_this_machine() && hwloc_get_cpubind(handle(), bound.get(), HWLOC_CPUBIND_PROCESS) == 0) {
    affinity = hwloc_bitmap_weight(bound.get());
  }
  return {
      {"package_count", package_count()},
      {"numa_count", numa_count()},
      {"core_count", core_count()},
      {"pu_count", pu_count()},
      {"caches", std::move(cache_list)},
      {"is_this_machine", is_this_machine()},
      {"installed_pu_count", installed},
      {"affinity_pu_count", affinity},
      {"is_restricted", pu_count() < installed || (affinity.is_number() && affinity < installed)}};
}

std::string Topology::xml() const {
  char* buffer = nullptr;
  int length = 0;
  if (hwloc_topology_export_xmlbuffer(handle(), &buffer, &length, 0) != 0) {
    throw MachineError("hwloc", "cannot write the topology as XML: " + reason_of(errno));
  }
  const std::unique_ptr<char, void (*)(char*)> owner(
      buffer, +[](char* text) { hwloc_free_xmlbuffer(nullptr, text); });
  return buffer;
}

}  // namespace bellmark::machine
