// bfs/persistent: the values that `auto` takes on a graph, and the limits of its kernels.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/contract/settings.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/gpu/narrow_offsets.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs::persistent {

/// The part of the GPU that answers a query: the whole device, or one thread-block cluster.
enum class Scope { device, cluster };

/// A cluster keeps a bit a vertex in the shared memory of its 16 blocks: 192 KB each.
inline constexpr Vertex kMostClusterVertices = 25'000'000;

namespace detail {

/// A row longer than this keeps one lane of a cluster busy while all others wait.
inline constexpr Offset kLongRow = 64;
inline constexpr double kLowDegree = 8;
/// The mean number of vertices a level: up to here a cluster has a thread for each of their arcs.
inline constexpr double kNarrowFrontier = 16'384;

/// The mean number of vertices a level of a search from a vertex with the most arcs. O(n + m).
inline double mean_frontier(const Graph& graph) {
  const std::size_t n = graph.vertex_count();
  const auto offsets = graph.row_offsets();
  Vertex source = 0;
  for (Vertex v = 1; v < n; ++v) {
    if (offsets[v + 1] - offsets[v] > offsets[source + 1] - offsets[source]) source = v;
  }
  std::vector<bool> visited(n, false);
  std::vector<Vertex> queue = {source};
  queue.reserve(n);
  visited[source] = true;
  std::size_t level_count = 0;
  for (std::size_t begin = 0; begin < queue.size(); ++level_count) {
    const std::size_t end = queue.size();
    for (; begin < end; ++begin) {
      const Vertex tail = queue[begin];
      for (Offset e = offsets[tail]; e < offsets[tail + 1]; ++e) {
        const Vertex head = graph.heads()[e];
        if (visited[head]) continue;
        visited[head] = true;
        queue.push_back(head);
      }
    }
  }
  return static_cast<double>(queue.size()) / static_cast<double>(level_count);
}

inline bool suits_cluster(const Graph& graph) {
  const Vertex n = graph.vertex_count();
  if (n == 0 || n > kMostClusterVertices) return false;
  if (static_cast<double>(graph.arc_count()) > kLowDegree * n) return false;
  for (Vertex v = 0; v < n; ++v) {
    if (graph.row_offsets()[v + 1] - graph.row_offsets()[v] > kLongRow) return false;
  }
  return mean_frontier(graph) <= kNarrowFrontier;
}

inline void resolve_row_offsets(Settings& settings, const Graph& graph) {
  if (settings.get("row-offsets") == "auto") {
    settings.set("row-offsets", graph.arc_count() > gpu::kMostNarrowArcs ? "64" : "32");
  }
  if (settings.get("row-offsets") == "64" && settings.get("frontier") == "pieces") {
    throw InputError("row-offsets=64", "pieces of rows have offsets of 32 bits",
                     "use scope=device,order=by-degree,frontier=spans");
  }
}

}  // namespace detail

/// Turns `auto` into the values that the graph asks for:
///   scope  cluster on graphs of even, low degree and many levels, where the GPU has clusters;
///          device on others
///   order  by-degree for the device, as-given for a cluster, which never goes bottom-up
///   row-offsets  64 on graphs of about 2^32 arcs or more
/// Spans need vertices by degree on the whole device: elsewhere the frontier is kept in pieces.
/// Only directed graphs need a transpose, on the whole device, unless they never go bottom-up.
/// Throws InputError where offsets of 64 bits were asked for, and the frontier is not in spans. O(n
/// + m).
inline Settings resolve(const Settings& settings, const Graph& graph) {
  Settings resolved = settings;
  if (settings.get("scope") == "auto") {
    resolved.set("scope",
                 !gpu::lacks_clusters() && detail::suits_cluster(graph) ? "cluster" : "device");
  }
  if (settings.get("order") == "auto") {
    resolved.set("order", resolved.get("scope") == "device" ? "by-degree" : "as-given");
  }
  const bool keeps_spans =
      resolved.get("scope") == "device" && resolved.get("order") == "by-degree";
  if (resolved.has("frontier") && !keeps_spans) resolved.set("frontier", "pieces");
  if (resolved.has("row-offsets")) detail::resolve_row_offsets(resolved, graph);
  const bool needs_none = graph.properties().symmetric || resolved.get("scope") != "device" ||
                          resolved.integer("alpha") == 0;
  if (resolved.has("transpose") && needs_none) resolved.set("transpose", "none");
  return resolved;
}

/// Throws UnmetError when the graph has more arcs than offsets of 32 bits reach.
inline void require_arcs(const Graph& graph) {
  if (graph.arc_count() <= gpu::kMostNarrowArcs) return;
  throw UnmetError("bfs/persistent",
                   std::to_string(graph.arc_count()) + " arcs, and row-offsets=32 reach " +
                       std::to_string(gpu::kMostNarrowArcs),
                   "use row-offsets=64");
}

}  // namespace bellmark::bfs::persistent
