// The part of a customisable hierarchy that needs no lengths: the vertices in an order of
// elimination, the arcs that eliminating them one by one adds, and the tree of first neighbours.
// Dibbelt, Strasser, Wagner: Customizable contraction hierarchies, SEA 2014.
#pragma once

#include <cstdint>
#include <span>

#include "algorithms/contract/prepared.hpp"
#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

/// The limits of an elimination.
struct Limits {
  std::uint64_t arcs;
  std::uint64_t triangles;  ///< that customising looks at

  /// Road graphs need some two arcs and ten triangles an arc.
  static Limits of(const Graph& graph);

  /// A cut of more edges makes a clique of more arcs than that.
  std::uint64_t most_cut() const;
};

/// Vertices go by numbers that ascend with importance. Numbers are by a walk through the tree that
/// comes to a vertex last of its subtree: a subtree is a run of numbers.
struct Elimination {
  template <class T>
  using Kept = prepared::Kept<T>;

  Kept<Vertex> number;        ///< of each of the graph's vertices
  Kept<Vertex> vertex;        ///< of each number
  Kept<Vertex> parent;        ///< the least of the upper neighbours; kNoVertex of a root
  Kept<std::uint32_t> depth;  ///< in the tree; 0 of a root
  Kept<std::uint32_t> first;  ///< the row of each number begins here; n + 1 entries
  /// By rows, ascending: the upper neighbours. They are ancestors, and neighbours of one another.
  Kept<Vertex> heads;

  Vertex vertex_count() const { return static_cast<Vertex>(parent.size()); }
  std::span<const Vertex> row(Vertex v) const {
    return heads.span().subspan(first[v], first[v + 1] - first[v]);
  }
  std::uint64_t bytes() const;
};

/// The identity of an elimination's file, which all families share: the graph's vertices and arcs,
/// not their lengths. O(n + m).
prepared::Identity identity(const Graph& graph);

/// All of an elimination, to a file and back. read() throws InputError unless it is one of that
/// many vertices. O(n + arcs).
void write(const Elimination& elimination, prepared::Writer& writer);
Elimination read(prepared::Reader& reader, Vertex vertex_count);

/// Throws UnmetError beyond the limits. O(n + m + arcs log(longest row)), and the order's time.
Elimination eliminate(const Graph& graph, const Limits& limits);

}  // namespace bellmark::customisable_hierarchy
