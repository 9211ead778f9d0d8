// Location words (`core:0`, `numa:0.core:0-3`, `each:core`) to the PUs that workers are bound to.
#include "harness/machine/location.hpp"

#include <hwloc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/place_classes.hpp"

namespace bellmark::machine {
namespace {

struct Kind {
  std::string_view name;
  std::string_view noun;
  hwloc_obj_type_t type;
};
constexpr std::array kKinds{Kind{"core", "core", HWLOC_OBJ_CORE}, Kind{"pu", "PU", HWLOC_OBJ_PU},
                            Kind{"numa", "NUMA node", HWLOC_OBJ_NUMANODE},
                            Kind{"package", "package", HWLOC_OBJ_PACKAGE}};
constexpr std::string_view kNear = "near:";
constexpr std::string_view kSpread = "spread:";
constexpr std::string_view kPair = "pair:";
constexpr std::string_view kFar = "far:";
constexpr std::string_view kCompact = "compact:";
constexpr std::string_view kScatter = "scatter:";
constexpr std::string_view kClass = "class:";

std::string where_of(std::string_view word) { return "placement '" + std::string(word) + "'"; }

std::string canonical(const Kind& kind, hwloc_obj_t object) {
  return std::string(kind.name) + ":" + std::to_string(object->logical_index);
}

const Kind& find_kind(std::string_view name, std::string_view word) {
  const auto found = std::find_if(kKinds.begin(), kKinds.end(),
                                  [&](const Kind& kind) { return kind.name == name; });
  if (found != kKinds.end()) return *found;
  std::vector<std::string> known{"none",    "each",    "near", "far",  "spread",
                                 "compact", "scatter", "pair", "class"};
  for (const Kind& kind : kKinds) known.emplace_back(kind.name);
  std::erase(known, name);  // a known word at the wrong position
  throw InputError(where_of(word), "unknown word '" + std::string(name) + "'",
                   suggestion(name, known));
}

/// Objects of one kind within `parent`, or on the whole machine when it is null.
std::vector<hwloc_obj_t> objects(const Topology& topology, const Kind& kind, hwloc_obj_t parent) {
  std::vector<hwloc_obj_t> found;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology.handle(), kind.type, object)) != nullptr) {
    // A NUMA node without PUs keeps its index on the machine, but lies inside no other object.
    if (parent == nullptr || (hwloc_bitmap_iszero(object->cpuset) == 0 &&
                              hwloc_bitmap_isincluded(object->cpuset, parent->cpuset) != 0)) {
      found.push_back(object);
    }
  }
  return found;
}

std::size_t parse_index(std::string_view text, std::string_view word) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) return static_cast<std::size_t>(-1);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw InputError(where_of(word), "'" + std::string(text) + "' is not an index",
                     "write 0, 0-3, 0,2 or all");
  }
  return value;
}

struct Range {
  std::size_t first;
  std::size_t last;
  std::string text;
};

/// The ranges that `list` names among `count` objects: `0`, `0-3`, `0,2` or `all`. They may be past
/// the last object.
std::vector<Range> parse_list(std::string_view list, std::size_t count, std::string_view word) {
  const std::string whole = "0-" + std::to_string(count - 1);
  std::vector<std::string> items = split(list == "all" ? whole : list, ',');
  if (items.empty()) items.emplace_back();
  std::vector<Range> ranges;
  for (const std::string& item : items) {
    const std::size_t dash = item.find('-');
    const std::size_t first = parse_index(std::string_view(item).substr(0, dash), word);
    const std::size_t last = dash == std::string::npos
                                 ? first
                                 : parse_index(std::string_view(item).substr(dash + 1), word);
    if (first > last) {
      throw InputError(where_of(word), "range '" + item + "' runs backwards",
                       "write the smaller index first");
    }
    ranges.push_back({first, last, item});
  }
  return ranges;
}

/// Adds the objects that `list` names in `pool` to `picked`. `holder` has these objects, for
/// messages.
void pick(const std::vector<hwloc_obj_t>& pool, const Kind& kind, std::string_view list,
          const std::string& holder, std::string_view word, std::vector<hwloc_obj_t>& picked) {
  const std::string noun(kind.noun);
  const std::size_t count = pool.size();
  if (count == 0) throw InputError(where_of(word), holder + " has no " + noun);
  const std::string range = count == 1 ? ": 0" : "s: 0-" + std::to_string(count - 1);
  for (const auto& [first, last, text] : parse_list(list, count, word)) {
    if (last >= count) {
      throw InputError(where_of(word), "there is no " + noun + " " + text,
                       holder + " has " + std::to_string(count) + " " + noun + range);
    }
    for (std::size_t index = first; index <= last; ++index) {
      if (std::find(picked.begin(), picked.end(), pool[index]) != picked.end()) {
        throw InputError(where_of(word), canonical(kind, pool[index]) + " is named twice",
                         "two workers would share it; name each place once");
      }
      picked.push_back(pool[index]);
    }
  }
}

/// One worker for each of `objects`, in that order.
Placement place(std::string_view requested, const Kind& kind,
                const std::vector<hwloc_obj_t>& chosen) {
  Placement placement;
  placement.requested = requested;
  std::vector<unsigned> indices;
  for (const hwloc_obj_t object : chosen) {
    Cpuset cpuset = to_cpuset(object->cpuset);
    if (cpuset.pus.empty()) {
      throw InputError(where_of(requested), canonical(kind, object) + " has no PU",
                       "name a place with PUs to run on");
    }
    std::string detail;
    if (const std::size_t count = cpuset.pus.size(); kind.type == HWLOC_OBJ_CORE && count > 1) {
      // hwloc numbers the PUs of a core by OS index, so `core:N.pu:0` names the same PU.
      cpuset.pus.erase(cpuset.pus.begin() + 1, cpuset.pus.end());
      detail = ", first of " + std::to_string(count);
    }
    if (!placement.resolved.empty()) placement.resolved += ", ";
    placement.resolved += canonical(kind, object) +
                          (cpuset.pus.size() == 1 ? " (pu P#" : " (pus P#") + cpuset.list() +
                          detail + ")";
    placement.workers.push_back(std::move(cpuset));
    indices.push_back(object->logical_index);
  }
  placement.word = std::string(kind.name) + ":" + list_of(indices);
  return placement;
}

/// `KIND:LIST` or `KIND:LIST.KIND:LIST...`, outer to inner.
Placement expand_path(const Topology& topology, std::string_view word) {
  std::vector<hwloc_obj_t> chosen{nullptr};
  const Kind* kind = nullptr;
  for (const std::string& step : split(word, '.')) {
    const std::size_t colon = step.find(':');
    if (colon == std::string::npos && !step.empty() &&
        step.find_first_not_of("0123456789-,") == std::string::npos) {
      throw InputError(where_of(word), "'" + step + "' names no kind of object",
                       "did you mean 'core:" + step + "'?");
    }
    const Kind& inner = find_kind(step.substr(0, colon), word);
    if (colon == std::string::npos) {
      throw InputError(where_of(word), "'" + step + "' says no index", "write e.g. " + step + ":0");
    }
    std::vector<hwloc_obj_t> picked;
    for (const hwloc_obj_t parent : chosen) {
      pick(objects(topology, inner, parent), inner, step.substr(colon + 1),
           parent == nullptr ? "this machine" : canonical(*kind, parent), word, picked);
    }
    chosen = std::move(picked);
    kind = &inner;
  }
  if (kind == nullptr) {
    throw InputError("placement", "no location word was given", "write e.g. core:0 or none");
  }
  return place(word, *kind, chosen);
}

/// `near:gpu:LIST`: every core that lies wholly on the side of one of the GPUs.
Placement expand_near(const Topology& topology, std::string_view word, const Gpus& gpus) {
  constexpr std::string_view kGpu = "gpu:";
  const std::string_view what = word.substr(kNear.size());
  if (!what.starts_with(kGpu)) {
    throw InputError(where_of(word), "'near:' takes a GPU or a network interface",
                     "write e.g. near:gpu:0 or near:nic:eth0");
  }
  const std::string_view list = what.substr(kGpu.size());
  const std::size_t count = gpus.count();
  const auto indices = parse_list(list, std::max<std::size_t>(count, 1), word);
  if (count == 0) {
    throw UnmetError(where_of(word), "no GPU is here (" + gpus.absence() + ")",
                     "name the cores, e.g. core:0");
  }
  const std::vector<hwloc_obj_t> all = objects(topology, kKinds[0], nullptr);
  std::vector<bool> chosen(all.size(), false);
  std::vector<PlacedGpu> placed;
  for (const auto& [first, last, text] : indices) {
    if (last >= count) {
      throw InputError(where_of(word), "there is no GPU " + text,
                       "this machine has " + std::to_string(count) + " GPU" +
                           (count == 1 ? ": 0" : "s: 0-" + std::to_string(count - 1)));
    }
    for (std::size_t index = first; index <= last; ++index) {
      const auto same = [&](const PlacedGpu& other) { return other.index == index; };
      if (std::any_of(placed.begin(), placed.end(), same)) {
        throw InputError(where_of(word), "GPU " + std::to_string(index) + " is named twice",
                         "name each once");
      }
      const Told<Cpuset> local = gpus.local_cpus(index);
      if (!local.value) {
        throw UnmetError(where_of(word), "which CPUs are near it is not known: " + local.reason,
                         "name the cores, e.g. core:0");
      }
      const Bitmap near = to_bitmap(*local.value);
      bool any = false;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (hwloc_bitmap_isincluded(all[i]->cpuset, near.get()) == 0) continue;
        chosen[i] = true;
        any = true;
      }
      if (!any) {
        throw InputError(where_of(word),
                         "none of the CPUs near it (" + local.value->list() + ") may be used here",
                         "name other cores, e.g. core:0");
      }
      placed.push_back({index, *local.value});
    }
  }
  std::vector<hwloc_obj_t> cores;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (chosen[i]) cores.push_back(all[i]);
  }
  Placement placement = place(word, kKinds[0], cores);
  if (placed.size() > 1) {
    placement.word = word;  // cores alone would not name the GPUs
    placement.gpus = std::move(placed);
  }
  return placement;
}

/// The cores that lie wholly within a set of PUs, one worker each.
Placement place_within(const Topology& topology, std::string_view word,
                       const hwloc_bitmap_s* near) {
  std::vector<hwloc_obj_t> cores = objects(topology, kKinds[0], nullptr);
  std::erase_if(cores,
                [&](hwloc_obj_t core) { return hwloc_bitmap_isincluded(core->cpuset, near) == 0; });
  if (cores.empty()) {
    throw UnmetError(where_of(word), "none of the cores there may be used here",
                     "name other cores, e.g. core:0");
  }
  return place(word, kKinds[0], cores);
}

/// A device of the system by name; null where there is none.
hwloc_obj_t find_device(const Topology& topology, std::string_view name) {
  hwloc_obj_t device = nullptr;
  while ((device = hwloc_get_next_osdev(topology.handle(), device)) != nullptr) {
    if (name == device->name) return device;
  }
  return nullptr;
}

/// `near:gpu:LIST` of a stored topology: its devices `nvml0`, `nvml1`, ... in place of NVML.
std::optional<Placement> expand_near_stored(const Topology& topology, std::string_view word,
                                            std::string_view list) {
  std::size_t count = 0;
  while (find_device(topology, "nvml" + std::to_string(count)) != nullptr) ++count;
  if (count == 0) return std::nullopt;
  const Bitmap near = make_bitmap();
  for (const auto& [first, last, text] : parse_list(list, count, word)) {
    if (last >= count) {
      throw InputError(where_of(word), "there is no GPU " + text,
                       "this machine has " + std::to_string(count));
    }
    for (std::size_t index = first; index <= last; ++index) {
      const hwloc_obj_t device = find_device(topology, "nvml" + std::to_string(index));
      const hwloc_obj_t side = hwloc_get_non_io_ancestor_obj(topology.handle(), device);
      hwloc_bitmap_or(near.get(), near.get(), side->cpuset);
    }
  }
  return place_within(topology, word, near.get());
}

/// `near:nic:NAME`: hwloc knows interfaces and InfiniBand adapters as devices of the system.
Placement expand_near_nic(const Topology& topology, std::string_view word, std::string_view name) {
  std::optional<Topology> own;
  if (topology.is_this_machine()) own = Topology::this_machine_with_devices();
  const Topology& with_devices = own ? *own : topology;
  std::vector<std::string> known;
  hwloc_obj_t device = nullptr;
  while ((device = hwloc_get_next_osdev(with_devices.handle(), device)) != nullptr) {
    const auto type = device->attr->osdev.type;
    if (type != HWLOC_OBJ_OSDEV_NETWORK && type != HWLOC_OBJ_OSDEV_OPENFABRICS) continue;
    known.emplace_back(device->name);
    if (name != device->name) continue;
    const hwloc_obj_t side = hwloc_get_non_io_ancestor_obj(with_devices.handle(), device);
    return place_within(topology, word, side->cpuset);
  }
  if (known.empty()) throw UnmetError(where_of(word), "hwloc shows no network interface here");
  throw InputError(where_of(word), "there is no network interface '" + std::string(name) + "'",
                   "there are " + join(known, ", "));
}

/// `far:numa:N`: of several farthest nodes the first.
Placement expand_far(const Topology& topology, std::string_view word) {
  constexpr std::string_view kNuma = "numa:";
  const std::string_view what = word.substr(kFar.size());
  if (!what.starts_with(kNuma)) {
    throw InputError(where_of(word), "'far:' takes a NUMA node", "write e.g. far:numa:0");
  }
  const std::size_t index = parse_index(what.substr(kNuma.size()), word);
  const std::vector<hwloc_obj_t> nodes = objects(topology, kKinds[2], nullptr);
  if (index >= nodes.size()) {
    throw InputError(where_of(word),
                     "there is no NUMA node " + std::string(what.substr(kNuma.size())),
                     "this machine has " + std::to_string(nodes.size()));
  }
  if (nodes.size() < 2) throw UnmetError(where_of(word), "there is one NUMA node here");
  const auto distances = numa_distances(topology);
  if (!distances) throw UnmetError(where_of(word), "hwloc shows no distances between NUMA nodes");
  std::size_t farthest = index;
  for (std::size_t other = 0; other < nodes.size(); ++other) {
    if (hwloc_bitmap_iszero(nodes[other]->cpuset) != 0) continue;  // memory alone
    if ((*distances)[index][other] > (*distances)[index][farthest]) farthest = other;
  }
  if (farthest == index) throw UnmetError(where_of(word), "no node with cores is farther away");
  return place_within(topology, word, nodes[farthest]->cpuset);
}

/// PUs below an object, dealt to its children in turn, and so on down.
std::vector<hwloc_obj_t> scattered(hwloc_obj_t object) {
  if (object->type == HWLOC_OBJ_PU) return {object};
  std::vector<std::vector<hwloc_obj_t>> parts;
  std::size_t most = 0;
  for (hwloc_obj_t child = object->first_child; child != nullptr; child = child->next_sibling) {
    parts.push_back(scattered(child));
    most = std::max(most, parts.back().size());
  }
  std::vector<hwloc_obj_t> order;
  for (std::size_t round = 0; round < most; ++round) {
    for (const auto& part : parts) {
      if (round < part.size()) order.push_back(part[round]);
    }
  }
  return order;
}

/// One worker for each PU. If each is the first PU of its core, the word names cores, so that two
/// words for one place become one.
Placement place_pus(const Topology& topology, std::string_view word,
                    const std::vector<hwloc_obj_t>& pus) {
  std::vector<hwloc_obj_t> cores;
  for (const hwloc_obj_t pu : pus) {
    const hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology.handle(), HWLOC_OBJ_CORE, pu);
    const bool is_first =
        core != nullptr && hwloc_bitmap_first(core->cpuset) == static_cast<int>(pu->os_index);
    if (!is_first) return place(word, kKinds[1], pus);
    cores.push_back(core);
  }
  return place(word, kKinds[0], cores);
}

/// The number of workers that a word asks for: from 1 to the number of objects of a kind.
std::size_t worker_count_of(std::string_view word, std::string_view text, std::size_t most,
                            const std::string& noun) {
  const std::size_t count = parse_index(text, word);
  if (count == 0) throw InputError(where_of(word), "no worker is asked for", "ask for one or more");
  if (count > most) {
    throw InputError(where_of(word), "there are fewer " + noun + "s",
                     "this machine has " + std::to_string(most));
  }
  return count;
}

/// `compact:K` and `scatter:K`.
Placement expand_pus(const Topology& topology, std::string_view word) {
  const bool is_compact = word.starts_with(kCompact);
  std::vector<hwloc_obj_t> pus = is_compact ? objects(topology, kKinds[1], nullptr)
                                            : scattered(hwloc_get_root_obj(topology.handle()));
  pus.resize(worker_count_of(word, word.substr(is_compact ? kCompact.size() : kScatter.size()),
                             pus.size(), "PU"));
  return place_pus(topology, word, pus);
}

/// `spread:K`.
Placement expand_steps(const Topology& topology, std::string_view word) {
  const std::vector<hwloc_obj_t> all = objects(topology, kKinds[0], nullptr);
  const std::size_t count = worker_count_of(word, word.substr(kSpread.size()), all.size(), "core");
  std::vector<hwloc_obj_t> cores;
  for (std::size_t i = 0; i < count; ++i) cores.push_back(all[i * all.size() / count]);
  return place(word, kKinds[0], cores);
}

/// `spread:numa:K`: worker i gets a core of node i modulo the number of nodes with cores left.
Placement expand_spread(const Topology& topology, std::string_view word) {
  constexpr std::string_view kNuma = "numa:";
  const std::string_view what = word.substr(kSpread.size());
  if (!what.starts_with(kNuma)) {
    throw InputError(where_of(word), "'spread:' takes a number of workers",
                     "write e.g. spread:2 (at even steps) or spread:numa:2 (over NUMA nodes)");
  }
  const std::size_t worker_count = parse_index(what.substr(kNuma.size()), word);
  if (worker_count == 0) {
    throw InputError(where_of(word), "no worker is asked for", "write e.g. spread:numa:1");
  }
  std::vector<std::vector<hwloc_obj_t>> nodes;
  std::size_t core_count = 0;
  std::size_t most = 0;
  for (const hwloc_obj_t node : objects(topology, kKinds[2], nullptr)) {
    if (hwloc_bitmap_iszero(node->cpuset) != 0) continue;
    nodes.push_back(objects(topology, kKinds[0], node));
    core_count += nodes.back().size();
    most = std::max(most, nodes.back().size());
  }
  if (worker_count > core_count) {
    throw InputError(where_of(word), "there are fewer cores",
                     "this machine has " + std::to_string(core_count) + " on " +
                         std::to_string(nodes.size()) + " NUMA nodes");
  }
  std::vector<hwloc_obj_t> cores;
  for (std::size_t round = 0; round < most; ++round) {
    for (const auto& node : nodes) {
      if (round < node.size() && cores.size() < worker_count) cores.push_back(node[round]);
    }
  }
  return place(word, kKinds[0], cores);
}

bool share(const Topology& topology, hwloc_obj_type_t type, hwloc_obj_t a, hwloc_obj_t b) {
  const hwloc_obj_t of_a = hwloc_get_ancestor_obj_by_type(topology.handle(), type, a);
  return of_a != nullptr && of_a == hwloc_get_ancestor_obj_by_type(topology.handle(), type, b);
}

bool share_l2(const Topology& topology, hwloc_obj_t a, hwloc_obj_t b) {
  return share(topology, HWLOC_OBJ_L2CACHE, a, b);
}

/// A class of pairs of cores; the first three are those of yasui2011, Table 9.
struct PairClass {
  std::string_view name;
  bool (*holds)(const Topology& topology, hwloc_obj_t a, hwloc_obj_t b);
  std::string_view absence;
  bool asks_l2;  ///< undecided where hwloc shows no L2 cache
};
constexpr std::array kPairClasses{
    PairClass{"shared-l2", share_l2, "no two cores share an L2 here", true},
    PairClass{"same-package",
              [](const Topology& topology, hwloc_obj_t a, hwloc_obj_t b) {
                return share(topology, HWLOC_OBJ_PACKAGE, a, b) && !share_l2(topology, a, b);
              },
              "no two cores of a package have an L2 each here", true},
    PairClass{"other-package",
              [](const Topology& topology, hwloc_obj_t a, hwloc_obj_t b) {
                return !share(topology, HWLOC_OBJ_PACKAGE, a, b);
              },
              "all cores are in one package here", false},
    PairClass{"shared-l3",
              [](const Topology& topology, hwloc_obj_t a, hwloc_obj_t b) {
                return share(topology, HWLOC_OBJ_L3CACHE, a, b) && !share_l2(topology, a, b);
              },
              "no two cores with an L2 each share an L3 here", true}};

/// `pair:same-core`: the first two PUs of the first core with two or more.
Placement expand_siblings(const Topology& topology, std::string_view word) {
  for (const hwloc_obj_t core : objects(topology, kKinds[0], nullptr)) {
    const std::vector<hwloc_obj_t> pus = objects(topology, kKinds[1], core);
    if (pus.size() > 1) return place(word, kKinds[1], {pus[0], pus[1]});
  }
  throw UnmetError(where_of(word), "no core has two PUs here");
}

/// `pair:near-numa` and `pair:far-numa`: the first cores of two nodes.
Placement expand_numa_pair(const Topology& topology, std::string_view word, bool is_far) {
  const std::vector<hwloc_obj_t> nodes = objects(topology, kKinds[2], nullptr);
  const auto distances = numa_distances(topology);
  std::vector<hwloc_obj_t> found;
  std::uint64_t best = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (std::size_t j = i + 1; j < nodes.size(); ++j) {
      const std::vector<hwloc_obj_t> of_i = objects(topology, kKinds[0], nodes[i]);
      const std::vector<hwloc_obj_t> of_j = objects(topology, kKinds[0], nodes[j]);
      if (of_i.empty() || of_j.empty() || of_i[0] == of_j[0]) continue;
      if (!distances) {
        throw UnmetError(where_of(word), "hwloc shows no distances between NUMA nodes");
      }
      const std::uint64_t distance = (*distances)[i][j];
      if (found.empty() || (is_far ? distance > best : distance < best)) {
        best = distance;
        found = {of_i[0], of_j[0]};
      }
    }
  }
  if (found.empty()) throw UnmetError(where_of(word), "no two NUMA nodes with cores are here");
  return place(word, kKinds[0], found);
}

/// `class:core`, `class:pair`.
std::vector<Placement> expand_classes(const Topology& topology, std::string_view word) {
  const std::string_view what = word.substr(kClass.size());
  std::vector<Placement> placements;
  if (what == "core") {
    for (const hwloc_obj_t core : core_classes(topology)) {
      placements.push_back(place(word, kKinds[0], {core}));
    }
  } else if (what == "pair") {
    for (const hwloc_obj_t core : core_classes(topology)) {
      const std::vector<hwloc_obj_t> pus = objects(topology, kKinds[1], core);
      if (pus.size() > 1) placements.push_back(place(word, kKinds[1], {pus[0], pus[1]}));
    }
    for (const auto& [first, second] : pair_classes(topology)) {
      placements.push_back(place(word, kKinds[0], {first, second}));
    }
  } else {
    throw InputError(where_of(word), "'class:' takes core or pair", "write e.g. class:core");
  }
  if (placements.empty()) throw UnmetError(where_of(word), "this machine has no such place");
  return placements;
}

/// `pair:CLASS`: the first two cores of that class, in hwloc's order. At worst all pairs are
/// tested.
Placement expand_pair(const Topology& topology, std::string_view word) {
  const std::string_view name = word.substr(kPair.size());
  if (name == "same-core") return expand_siblings(topology, word);
  if (name == "near-numa" || name == "far-numa") {
    return expand_numa_pair(topology, word, name == "far-numa");
  }
  const auto found = std::find_if(kPairClasses.begin(), kPairClasses.end(),
                                  [&](const PairClass& known) { return known.name == name; });
  if (found == kPairClasses.end()) {
    std::vector<std::string> known = {"same-core", "near-numa", "far-numa"};
    for (const PairClass& pair_class : kPairClasses) known.emplace_back(pair_class.name);
    throw InputError(where_of(word), "'" + std::string(name) + "' is not a class of pairs",
                     suggestion(name, known));
  }
  const std::vector<hwloc_obj_t> cores = objects(topology, kKinds[0], nullptr);
  if (cores.size() < 2) throw UnmetError(where_of(word), "there is one core here");
  if (hwloc_get_nbobjs_by_type(topology.handle(), HWLOC_OBJ_PACKAGE) < 1) {
    throw UnmetError(where_of(word), "hwloc shows no packages here");
  }
  if (found->asks_l2 && hwloc_get_nbobjs_by_type(topology.handle(), HWLOC_OBJ_L2CACHE) < 1) {
    throw UnmetError(where_of(word), "hwloc shows no L2 caches here");
  }
  for (std::size_t i = 0; i < cores.size(); ++i) {
    for (std::size_t j = i + 1; j < cores.size(); ++j) {
      if (found->holds(topology, cores[i], cores[j])) {
        return place(word, kKinds[0], {cores[i], cores[j]});
      }
    }
  }
  throw UnmetError(where_of(word), found->absence);
}

}  // namespace

std::vector<unsigned> pus_of(const Placement& placement) {
  std::vector<unsigned> pus;
  for (const Cpuset& worker : placement.workers) {
    pus.insert(pus.end(), worker.pus.begin(), worker.pus.end());
  }
  return pus;
}

std::vector<Placement> expand(const Topology& topology, std::string_view word, const Gpus& gpus) {
  if (word == "none") {
    return {{.requested = "none", .word = "none", .resolved = "none (not pinned)", .workers = {}}};
  }
  constexpr std::string_view kNic = "near:nic:";
  if (word.starts_with(kNic)) {
    return {expand_near_nic(topology, word, word.substr(kNic.size()))};
  }
  constexpr std::string_view kNearGpu = "near:gpu:";
  if (word.starts_with(kNearGpu) && !topology.is_this_machine() && gpus.count() == 0) {
    const auto stored = expand_near_stored(topology, word, word.substr(kNearGpu.size()));
    if (stored) return {*stored};
  }
  if (word.starts_with(kNear)) return {expand_near(topology, word, gpus)};
  if (word.starts_with(kFar)) return {expand_far(topology, word)};
  if (word.starts_with(kCompact) || word.starts_with(kScatter)) return {expand_pus(topology, word)};
  if (word.starts_with(kClass)) return expand_classes(topology, word);
  const std::string_view spread = word.starts_with(kSpread) ? word.substr(kSpread.size()) : "";
  if (!spread.empty() && spread.find_first_not_of("0123456789") == std::string_view::npos) {
    return {expand_steps(topology, word)};
  }
  if (word.starts_with(kSpread)) return {expand_spread(topology, word)};
  if (word.starts_with(kPair)) return {expand_pair(topology, word)};
  constexpr std::string_view kEach = "each:";
  if (!word.starts_with(kEach)) return {expand_path(topology, word)};

  const Kind& kind = find_kind(word.substr(kEach.size()), word);
  std::vector<Placement> placements;
  for (const hwloc_obj_t object : objects(topology, kind, nullptr)) {
    if (hwloc_bitmap_iszero(object->cpuset) == 0) {
      placements.push_back(place(word, kind, {object}));
    }
  }
  if (placements.empty()) {
    throw InputError(where_of(word), "this machine has no " + std::string(kind.noun));
  }
  return placements;
}

std::vector<Placement> expand(const Topology& topology, std::string_view word) {
  static const Gpus none("a made-up machine has none");
  // NVML is opened only for a word that asks for it.
  const bool asks = word.starts_with(kNear) && topology.is_this_machine();
  return expand(topology, word, asks ? Gpus::this_machine() : none);
}

}  // namespace bellmark::machine
