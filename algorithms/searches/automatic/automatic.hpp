// `auto` families: they choose another family's variant by facts of the graph, and give the reason.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "algorithms/contract/registry.hpp"
#include "graph/graph.hpp"

namespace bellmark::automatic {

/// A family of the same problem, the word for the reason, and settings that differ from its own
/// defaults (`contract=chains`).
struct Choice {
  std::string algorithm;
  std::string reason;
  std::string settings = {};
};

/// The first of these that holds:
///   dijkstra          skewed-lengths  buckets would have to be too wide
///                                     (label_correcting::has_skewed_lengths)
///   label-correcting  dense-core      a symmetric graph with very long rows: it pushes, then pulls
///   label-correcting  chains          more than an eighth of the vertices have one or two arcs:
///                                     leaves and chains are left out of the search
///                                     (contract=chains)
///   label-correcting  short-rows      four slots hold most rows
///   label-correcting  long-rows       other graphs
/// Measured on road graphs, grids, Kronecker graphs and families of sweeps/auto, on one core. In
/// p2p, label-correcting goes from both sides (sides=both). O(n).
Choice choose(const Graph& graph);

/// The choice from the files for this graph in the folder of prepared files:
///   contraction-hierarchy   prepared                  p2p: a hierarchy of the graph with its
///                                                     lengths
///   customisable-hierarchy  prepared-for-any-lengths  an elimination of its arcs; for sssp, where
///                                                     labels fit
/// Nothing where it has neither, or where there is no folder. Otherwise preparing takes seconds, so
/// that no hierarchy is made for a choice. O(n + m) with a folder.
std::optional<Choice> choose_prepared(std::string_view problem, const Graph& graph);

Description describe(std::string_view problem);

/// Sets `algorithm` and `reason`, and in `settings` the resolved settings of the chosen variant,
/// separated by semicolons. With `tuned=yes` these are the settings that a tuning of that variant
/// found better, if one did, and the reason is `tuned`.
Settings resolve(const std::string& problem, const Settings& settings, const Graph& graph,
                 const Workload& workload);

/// The variant that resolved settings name.
std::unique_ptr<BoundVariant> bind(const std::string& problem, Workload& workload,
                                   const Settings& resolved);

/// Registers `<problem>/auto` of a problem whose input is a graph.
template <Problem P>
bool register_family() {
  Description description = describe(P::kName);
  Registry& registry = Registry::global();
  registry.add({std::move(description),
                [](Workload& workload, const Settings& settings) {
                  return bind(P::kName, workload, settings);
                },
                [](const Settings& settings, const Workload& workload) {
                  const Graph& graph = dynamic_cast<const detail::WorkloadOf<P>&>(workload).input;
                  return resolve(P::kName, settings, graph, workload);
                }});
  return true;
}

}  // namespace bellmark::automatic
