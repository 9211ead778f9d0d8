// A graph without its leaves and chains, and the way back to the distances of all vertices.
//
// Of New York's 264,346 vertices 19 % hang in trees and 24 % lie on chains between crossings: a
// search need not queue them. A tree is left and entered by its root alone, a chain by its two
// ends. So their distances follow from those of the core in one pass over memory, in order:
//   tree vertex v below p      d(v) = d(p) + l(p, v).
//   v on a chain from a to b   d(v) = min(d(a) + l(a..v), d(b) + l(b..v)).
// A source within a tree or a chain gives the core its first labels, two at most.
// Only edges with arcs both ways are contracted: a one-way street stays in the core. Loops, and
// parallel arcs but the shortest, are on no shortest path that is needed, and are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::contracted {

/// A vertex between the ends of a chain, which are in the core, and its lengths to and from them.
struct Between {
  Vertex vertex;
  Vertex tail;
  Vertex head;                   ///< the same as the tail where the chain is a loop
  std::uint32_t from_tail : 31;  // lengths of arcs have 31 bits
  std::uint32_t is_first : 1;    ///< next to the tail
  std::uint32_t from_head : 31;
  std::uint32_t is_last : 1;  ///< next to the head
};

/// A chain: its vertices stand in a row, from its tail to its head.
struct Chain {
  Vertex tail;
  Vertex head;
  std::uint32_t first;   ///< index in between()
  std::uint32_t end;     ///< after the last of them
  std::uint32_t ahead;   ///< length from tail to head
  std::uint32_t behind;  ///< length from head to tail
};

/// A chain as one of its ends sees it: a search may arrive there over the chain.
struct Arrival {
  Vertex vertex;         ///< the end
  Vertex other;          ///< the other end
  std::uint32_t length;  ///< from the other end
  Vertex last;           ///< the chain's vertex next to `vertex`
};

/// A tree's vertex, and the one that it hangs from.
struct Hanging {
  Vertex vertex;
  Vertex parent;
  std::uint32_t down;  ///< length of the arc from the parent
  std::uint32_t up;    ///< and to it
};

/// The part of chains(), between() and hanging() that belongs to one component of the graph,
/// without regard to directions. A search reaches no other.
struct Component {
  std::uint32_t chain_begin = 0;
  std::uint32_t chain_end = 0;
  std::uint32_t between_begin = 0;
  std::uint32_t between_end = 0;
  std::uint32_t hanging_begin = 0;
  std::uint32_t hanging_end = 0;
};

/// The contracted form of a graph without negative lengths. Vertices keep their numbers, so that
/// answers are in the graph's own. Room: 4 bytes a vertex, 20 more for one of a chain or 16 for one
/// of a tree, 56 a chain, and the core. A graph of several components takes 4 more bytes a vertex.
class ContractedGraph {
 public:
  ContractedGraph() = default;

  /// No chain gets longer than `longest`, so that buckets can hold the core's labels. A longer one
  /// keeps a vertex in the core. O(n + m log(largest degree)).
  ContractedGraph(const Graph& graph, std::uint32_t longest);

  /// All vertices; those of chains and trees have no arcs.
  const Graph& core() const { return core_; }
  /// The largest length of the core's arcs and of chains.
  std::uint64_t longest_step() const { return longest_step_; }

  std::span<const Chain> chains() const { return chains_; }
  std::span<const Between> between() const { return between_; }
  /// Those of chains [a, b) of a whole component are [2a, 2b), by vertex.
  std::span<const Arrival> arrivals() const { return arrivals_; }
  /// A parent in a tree stands before the vertices that hang from it.
  std::span<const Hanging> hanging() const { return hanging_; }

  /// The component of a vertex; empty for a vertex without neighbours.
  Component component_of(Vertex v) const;

  bool is_between(Vertex v) const { return index_[v] < between_.size(); }
  bool hangs(Vertex v) const { return index_[v] >= between_.size() && index_[v] != kCore; }
  /// Of a vertex that is_between(), its index in between().
  std::uint32_t between_index(Vertex v) const { return index_[v]; }
  /// Of one that hangs(), its index in hanging().
  std::uint32_t hanging_index(Vertex v) const {
    return index_[v] - static_cast<std::uint32_t>(between_.size());
  }
  /// The chain of between()[index]. O(log(chains)).
  std::size_t chain_of(std::uint32_t index) const;

  /// Bytes of chains and trees, without the core.
  std::uint64_t bytes() const;

 private:
  static constexpr std::uint32_t kCore = kNoVertex;

  Graph core_;
  std::uint64_t longest_step_ = 0;
  std::vector<Chain> chains_;
  std::vector<Between> between_;
  std::vector<Arrival> arrivals_;
  std::vector<Hanging> hanging_;
  std::vector<std::uint32_t> index_;   ///< by vertex: in between_, and after those in hanging_
  std::vector<Component> components_;  ///< none where one has all chains and trees
  std::vector<std::uint32_t> component_numbers_;  ///< by vertex; likewise
};

}  // namespace bellmark::contracted
