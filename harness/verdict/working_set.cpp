#include "harness/verdict/working_set.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/error.hpp"
#include "harness/machine/location.hpp"

namespace bellmark::verdict {
namespace {

/// A number of bytes, or why it is unknown.
struct Bytes {
  std::optional<std::uint64_t> value = {};
  std::string reason = {};

  Json json() const { return value ? Json(*value) : Json(); }
};

Bytes held_by(const Json& cell) {
  const Json accounted = cell.at("memory").at("accounted_bytes");
  if (accounted.is_null()) {
    return {.reason = cell.value("block_count", 1) == 0 ? "the cell was not timed"
                                                        : "the variant accounts no memory"};
  }
  const std::uint64_t one = 1;
  return {.value = accounted.get<std::uint64_t>() * cell.value("process_count", one) *
                   cell.value("rank_count", one)};
}

/// Why this machine's cores don't show the search's caches; "" when they do.
std::string elsewhere(const Json& cell) {
  if (!cell.value("gpu", Json()).is_null()) return "it runs on a GPU, which has caches of its own";
  const Json ranks = cell.value("ranks", Json());
  if (!ranks.is_object()) return {};
  std::set<std::string> hosts;
  for (const Json& place : ranks.at("places")) hosts.insert(place.at("host").get<std::string>());
  return hosts.size() > 1 ? "its ranks run on several hosts" : "";
}

Bytes caches_of(const Json& cell, const machine::Topology& topology) {
  if (std::string reason = elsewhere(cell); !reason.empty()) return {.reason = reason};
  const auto word = cell.at("placement").at("resolved").get<std::string>();
  machine::Placement placement;
  try {
    placement = machine::expand(topology, word).at(0);
  } catch (const Error&) {
    return {.reason = "the topology has no place '" + word + "'"};
  }
  const bool is_pinned = !placement.workers.empty();
  const machine::Cpuset pus =
      is_pinned ? machine::Cpuset{machine::pus_of(placement)} : topology.pus();
  const auto bytes = topology.last_level_cache_bytes(pus);
  if (!bytes) return {.reason = "the topology doesn't tell of a last-level cache"};
  // The place of an unpinned cell is unknown, but with one cache the bytes are known.
  if (!is_pinned && bytes != topology.last_level_cache_bytes({{pus.pus.front()}})) {
    return {.reason = "not pinned, and there are several last-level caches"};
  }
  return {.value = bytes};
}

}  // namespace

Json working_set(const Json& cell, const machine::Topology& topology) {
  const Bytes held = held_by(cell);
  const Bytes caches = caches_of(cell, topology);
  Json ratio;
  Json reason;
  if (held.value && caches.value) {
    ratio = static_cast<double>(*held.value) / static_cast<double>(*caches.value);
  } else {
    reason = held.value ? caches.reason : held.reason;
  }
  return {{"bytes", held.json()},
          {"last_level_cache_bytes", caches.json()},
          {"ratio", ratio},
          {"reason", reason}};
}

Json working_set_of(const Json& result, const Json& cell) {
  if (cell.contains("working_set")) return cell.at("working_set");
  const auto xml = result.at("topology").at("hwloc_xml").get<std::string>();
  return working_set(cell, machine::Topology::from_xml(xml));
}

}  // namespace bellmark::verdict
