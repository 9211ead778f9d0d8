// The way between a vertex and the core: along its tree, and along its chain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/searches/contracted/contracted_graph.hpp"

namespace bellmark::contracted {

/// A vertex of the core, and its distance.
struct End {
  Vertex vertex;
  std::uint64_t distance;
};

/// The direction in which distances are counted.
enum class Way { from, to };

/// The place where a vertex meets the core. It hangs from its root, which is the vertex itself
/// outside of trees. The root is in the core, or lies between the two ends of a chain.
template <Way way>
class Outlet {
 public:
  /// O(depth in its tree + log(chains)).
  void find(const ContractedGraph& graph, Vertex vertex) {
    climbed_.clear();
    root_ = {vertex, 0};
    while (graph.hangs(root_.vertex)) {
      const Hanging& hanging = graph.hanging()[graph.hanging_index(root_.vertex)];
      climbed_.push_back(root_);
      root_.distance += way == Way::from ? hanging.up : hanging.down;
      root_.vertex = hanging.parent;
    }
    is_on_chain_ = graph.is_between(root_.vertex);
    if (!is_on_chain_) {
      ends_[0] = root_;
      return;
    }
    index_ = graph.between_index(root_.vertex);
    chain_ = graph.chain_of(index_);
    const Chain& chain = graph.chains()[chain_];
    const Between& between = graph.between()[index_];
    const bool is_from = way == Way::from;
    ends_[0] = {chain.tail, root_.distance + (is_from ? chain.behind - between.from_head
                                                      : std::uint64_t{between.from_tail})};
    ends_[1] = {chain.head, root_.distance + (is_from ? chain.ahead - between.from_tail
                                                      : std::uint64_t{between.from_head})};
  }

  /// The vertices below the root, from the vertex itself up, each with the vertex's distance.
  std::span<const End> climbed() const { return climbed_; }
  const End& root() const { return root_; }
  bool is_on_chain() const { return is_on_chain_; }
  /// For a root on a chain: the chain's index, and the root's in between().
  std::size_t chain() const { return chain_; }
  std::uint32_t index() const { return index_; }
  /// The root, or the tail and the head of its chain.
  std::span<const End> ends() const { return std::span(ends_).first(is_on_chain_ ? 2 : 1); }

 private:
  std::vector<End> climbed_;
  End root_ = {};
  bool is_on_chain_ = false;
  std::size_t chain_ = 0;
  std::uint32_t index_ = 0;
  std::array<End, 2> ends_ = {};
};

}  // namespace bellmark::contracted
