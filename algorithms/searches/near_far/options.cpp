#include "algorithms/searches/near_far/options.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "base/error.hpp"

namespace bellmark::near_far {
namespace {

constexpr std::int64_t kLargestDelta = std::numeric_limits<Length>::max();
/// A row longer than this would keep one lane of a cluster busy while all others wait.
constexpr Offset kLongRow = 64;
constexpr double kLowDegree = 8;
/// A graph with a core has a row that is this many times as long as the mean.
constexpr double kCoreRow = 32;
constexpr double kHorizonShare = 1.0 / 32;
/// Widths of buckets without leaves and chains, in mean lengths. A map's frontier is about as long
/// as the root of its vertices, so a bucket of that many vertices is narrower on larger maps.
/// Chosen on New York, the Bay Area, COL and NW, on an H200.
constexpr double kWidestChains = 400;
constexpr double kBucketVertices = 400'000;
constexpr std::int64_t kMostHops = 1024;
constexpr std::int64_t kMostAhead = 2048;  // more than a block keeps for a hop alone

bool pulls(const Settings& settings) {
  return settings.has("direction") && settings.get("direction") == "push-pull";
}

double mean_length(const Graph& graph) {
  if (graph.arc_count() == 0 || graph.lengths().empty()) return 1;
  const double sum = std::accumulate(graph.lengths().begin(), graph.lengths().end(), 0.0);
  return sum / static_cast<double>(graph.arc_count());
}

double mean_degree(const Graph& graph) {
  return static_cast<double>(graph.arc_count()) / std::max<double>(1, graph.vertex_count());
}

bool has_zero_length(const Graph& graph) {
  return graph.arc_count() > 0 && graph.properties().least_length == 0;
}

bool has_many_arcs(const Graph& graph) { return graph.arc_count() > gpu::kMostNarrowArcs; }

/// A scanned label lies less than `width` beyond a final one, and one more arc is added. A search
/// with distances of 64 bits has offsets of 64 bits, too.
std::string resolve_distance(const std::string& wanted, std::int64_t width, const Graph& graph) {
  if (has_many_arcs(graph) && wanted == "32") {
    throw InputError("distance=32", std::to_string(graph.arc_count()) + " arcs need 64 bits",
                     "use distance=64 or distance=auto");
  }
  if (has_many_arcs(graph)) return "64";
  if (!has_zero_length(graph)) {
    const auto beyond = static_cast<std::uint64_t>(width + graph.properties().largest_length);
    return dijkstra::resolve_distance(wanted, graph, beyond);
  }
  if (wanted == "32") {
    throw InputError("distance=32", "the graph has arcs of length 0",
                     "use distance=64 or distance=auto");
  }
  return "64";
}

bool has_even_rows(const Graph& graph) {
  return mean_degree(graph) <= kLowDegree && longest_row(graph) <= kLongRow;
}

bool has_slots(const Settings& settings) {
  return settings.has("rows") && settings.get("rows") == "slots";
}

void resolve_rows(Settings& settings, const Graph& graph, Scope scope) {
  if (settings.get("rows") == "auto") {
    const bool slots = scope == Scope::cluster ||
                       (!pulls(settings) && has_even_rows(graph) && !has_many_arcs(graph));
    settings.set("rows", slots ? "slots" : "scan");
  }
  if (scope == Scope::cluster && !has_slots(settings)) {
    throw InputError("rows=scan", "one cluster reads rows of slots only", "use scope=device");
  }
  if (has_slots(settings) && has_many_arcs(graph)) {
    throw InputError("rows=slots",
                     std::to_string(graph.arc_count()) + " arcs, and slots count up to " +
                         std::to_string(gpu::kMostNarrowArcs),
                     "use scope=device,rows=scan");
  }
  if (pulls(settings) && has_slots(settings)) {
    throw InputError("rows=slots", "push-pull reads rows in order of length", "use rows=scan");
  }
}

std::int64_t automatic_delta(const Settings& settings, const Graph& graph, Scope scope) {
  double factor = 0;
  if (scope == Scope::cluster) {
    factor = contracted::contracts(settings) ? 40 : 96 / std::max(1.0, mean_degree(graph));
    if (graph.vertex_count() >= kLargeGraph) factor /= 4;
  } else if (has_slots(settings) && contracted::contracts(settings)) {
    const double side = std::sqrt(static_cast<double>(std::max<Vertex>(1, graph.vertex_count())));
    factor = std::min(kWidestChains, kBucketVertices / side);
  } else if (has_slots(settings)) {
    factor = 160 / std::max(1.0, mean_degree(graph));
  } else if (pulls(settings)) {
    factor = 1.0 / 8;
  } else {
    factor = 16 / std::max(1.0, mean_degree(graph));
  }
  return std::clamp(static_cast<std::int64_t>(factor * mean_length(graph)), std::int64_t{1},
                    kLargestDelta);
}

bool has_core(const Graph& graph) {
  return mean_degree(graph) >= kLowDegree &&
         static_cast<double>(longest_row(graph)) >= kCoreRow * mean_degree(graph);
}

void resolve_hops(Settings& settings) {
  if (!has_slots(settings)) settings.set("hops", "1");
  if (settings.integer("hops") == 1) settings.set("ahead", "0");
}

void resolve_contract(Settings& settings, const Graph& graph) {
  if (settings.get(contracted::kContract) == "auto") {
    const bool pays = !pulls(settings) && !has_many_arcs(graph) && !has_zero_length(graph) &&
                      contracted::has_chains(graph);
    settings.set(contracted::kContract, pays ? "chains" : "none");
  }
  if (contracted::contracts(settings) && has_zero_length(graph)) {
    throw InputError("contract=chains", "the graph has arcs of length 0, which near-far counts",
                     "use contract=none");
  }
}

void resolve_direction(Settings& settings, const Graph& graph, Scope scope) {
  const bool symmetric = graph.properties().symmetric;
  if (settings.get("direction") == "auto") {
    const bool pays = scope == Scope::device && symmetric && has_core(graph);
    settings.set("direction", pays ? "push-pull" : "push");
  }
  if (!pulls(settings)) return settings.set("horizon", "0");
  if (scope == Scope::cluster) {
    throw InputError("direction=push-pull", "one cluster only pushes", "use scope=device");
  }
  if (!symmetric) {
    throw InputError("direction=push-pull",
                     "the graph is not symmetric, and arcs are stored by tail",
                     "use direction=push");
  }
  if (settings.integer("horizon") == 0) {
    const auto horizon = static_cast<std::int64_t>(kHorizonShare * mean_length(graph));
    settings.set("horizon", std::to_string(std::max(std::int64_t{1}, horizon)));
  }
}

}  // namespace

Key scope_key() {
  return word_key(
      "scope", "auto", {"auto", "cluster", "device"},
      "Part of the GPU that answers a query: one thread-block cluster, or the whole device, which "
      "auto takes");
}

Key rows_key() {
  return implied(at_run_time(
      word_key("rows", "auto", {"auto", "scan", "slots"},
               "Arcs of a vertex. slots: 4 or 8 lanes take one each. scan: a scan of the degrees "
               "deals arcs to all lanes of a warp")));
}

std::vector<Key> direction_keys() {
  return {
      implied(at_run_time(word_key("direction", "auto", {"auto", "push", "push-pull"},
                                   "push: settled vertices relax their arcs. push-pull: at the "
                                   "end, unsettled vertices pull their distances"))),
      implied(at_run_time(integer_key("horizon", 0, 0, kLargestDelta,
                                      "push-pull: distance that is pushed beyond the first meeting "
                                      "with the core. 0: 1/32 of the mean length"),
                          true, "length")),
  };
}

Key contract_key() {
  return implied(at_run_time(
      word_key(contracted::kContract, "auto", {"auto", "none", "chains"},
               "chains: the search leaves out leaves and chains, and labels them at the end")));
}

Key hops_key() {
  return implied(at_run_time(
      integer_key("hops", 16, 1, kMostHops,
                  "rows=slots: hops that a block follows alone before it hands its vertices over"),
      true));
}

Key ahead_key() {
  return implied(at_run_time(
      integer_key("ahead", 512, 0, kMostAhead,
                  "hops: entries of a block, up to which it reads the rows of a hop alone ahead"),
      true));
}

Description describe(int distance_bits) {
  Description description;
  description.source = "near and far piles: Davidson, Baxter, Garland, Owens (IPDPS 2014)";
  description.keys = {
      word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(integer_key("delta", 0, 0, kLargestDelta,
                              "Width of a bucket. 0: from mean length and mean degree"),
                  true, "length")};
  description.instance = {{"device", "gpu"}, {"distance", std::to_string(distance_bits)}};
  description.needs = {Need::cuda, Need::non_negative};
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  std::string scope = settings.get("scope");
  if (scope == "auto") scope = "device";
  Settings resolved = resolve(settings, graph, scope == "cluster" ? Scope::cluster : Scope::device);
  resolved.set("scope", scope);
  return resolved;
}

Settings resolve(const Settings& settings, const Graph& graph, Scope scope) {
  Settings resolved = settings;
  if (settings.has("direction")) resolve_direction(resolved, graph, scope);
  if (settings.has("rows")) resolve_rows(resolved, graph, scope);
  if (settings.has(contracted::kContract)) resolve_contract(resolved, graph);
  if (settings.has("hops")) resolve_hops(resolved);
  if (settings.integer("delta") == 0) {
    resolved.set("delta", std::to_string(automatic_delta(resolved, graph, scope)));
  }
  const std::int64_t horizon = pulls(resolved) ? resolved.integer("horizon") : 0;
  const std::int64_t width = resolved.integer("delta") + horizon;
  resolved.set("distance", resolve_distance(settings.get("distance"), width, graph));
  return resolved;
}

std::uint32_t longest_chain(const Graph& graph, std::uint64_t delta, int distance_bits) {
  constexpr std::uint64_t kLongest = std::numeric_limits<Length>::max();
  if (distance_bits == 64) return kLongest;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  const std::uint64_t room = kMost - std::min(kMost, distance_bound(graph).value + delta + largest);
  return static_cast<std::uint32_t>(std::min(kLongest, room / 2));
}

Offset longest_row(const Graph& graph) {
  Offset longest = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    longest = std::max(longest, graph.row_offsets()[v + 1] - graph.row_offsets()[v]);
  }
  return longest;
}

void require_device(const char* family) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) {
    throw UnmetError(family, reason, "run it where a CUDA device is");
  }
}

void require_arcs(const Graph& graph, const char* family, const char* instead) {
  if (!has_many_arcs(graph)) return;
  throw UnmetError(family,
                   std::to_string(graph.arc_count()) + " arcs, and its kernels count up to " +
                       std::to_string(gpu::kMostNarrowArcs),
                   std::string("use ") + instead);
}

}  // namespace bellmark::near_far
