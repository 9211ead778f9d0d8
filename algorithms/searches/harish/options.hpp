// The keys of sssp/harish, and the combinations of them that are built.
#pragma once

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/instances.hpp"
#include "algorithms/searches/harish/harish.hpp"
#include "graph/graph.hpp"

namespace bellmark::harish {

/// The largest number of threads a block: every kernel is compiled to fit.
inline constexpr int kLargestBlock = 1024;

/// The place that repeats the phases.
enum class Loop { host, graph, cooperative };

/// One combination of the compile-time keys.
struct Options {
  ThreadCreation threads;
  Loop loop;
  int distance;
};

/// A graph would have to choose its kernels by nested conditional nodes, whose cost would hide the
/// difference that is compared. loop=cooperative has adaptive without the host.
constexpr bool is_offered(const Options& o) {
  return o.threads != ThreadCreation::adaptive || o.loop != Loop::graph;
}

/// smoke: everything in 32 bits; in 64 bits the paper's three.
constexpr bool is_built(const Options& o, Instances instances) {
  if (!is_offered(o)) return false;
  return instances != Instances::smoke || o.distance == 32 || o.loop == Loop::host;
}

/// The combinations of this build.
inline constexpr auto kBuilt = built_by<Options>([](auto add) {
  for (const int distance : {32, 64}) {
    for (const Loop loop : {Loop::host, Loop::graph, Loop::cooperative}) {
      for (const ThreadCreation threads :
           {ThreadCreation::all_vertices, ThreadCreation::updated_vertices,
            ThreadCreation::adaptive}) {
        const Options options{threads, loop, distance};
        if (is_built(options, kInstances)) add(options);
      }
    }
  }
});

Description describe(const Options& options);

/// Turns `distance=auto` into the narrowest label that fits (dijkstra::resolve_distance). Throws
/// InputError when an explicit one doesn't, or for a combination that is not offered. O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);

}  // namespace bellmark::harish
