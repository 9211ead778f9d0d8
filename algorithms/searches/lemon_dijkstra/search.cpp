// LEMON's Dijkstra on its StaticDigraph. Compiled as C++17: see search.hpp.
#include "algorithms/searches/lemon_dijkstra/search.hpp"

#include <lemon/bin_heap.h>
#include <lemon/config.h>
#include <lemon/dijkstra.h>
#include <lemon/quad_heap.h>
#include <lemon/static_graph.h>

#include <type_traits>
#include <utility>
#include <vector>

namespace bellmark::lemon_dijkstra {
namespace {

using Digraph = ::lemon::StaticDigraph;

template <Heap heap, class Distance>
using HeapOf =
    std::conditional_t<heap == Heap::binary, ::lemon::BinHeap<Distance, Digraph::NodeMap<int>>,
                       ::lemon::QuadHeap<Distance, Digraph::NodeMap<int>>>;

}  // namespace

template <Heap heap, class Distance>
struct Search<heap, Distance>::State {
  using Lengths = Digraph::ArcMap<Distance>;
  using Dijkstra = typename ::lemon::Dijkstra<Digraph, Lengths>::template SetStandardHeap<
      HeapOf<heap, Distance>, Digraph::NodeMap<int>>::Create;

  State() : lengths(digraph), dijkstra(digraph, lengths) {}

  Digraph digraph;
  Lengths lengths;
  Dijkstra dijkstra;
};

template <Heap heap, class Distance>
Search<heap, Distance>::Search() : state_(std::make_unique<State>()) {}

template <Heap heap, class Distance>
Search<heap, Distance>::~Search() = default;

template <Heap heap, class Distance>
void Search<heap, Distance>::prepare(std::uint32_t vertex_count, const std::uint64_t* row_offsets,
                                     const std::uint32_t* heads, const std::int32_t* lengths) {
  std::vector<std::pair<int, int>> arcs;
  arcs.reserve(row_offsets[vertex_count]);
  for (std::uint32_t u = 0; u < vertex_count; ++u) {
    for (std::uint64_t e = row_offsets[u]; e < row_offsets[u + 1]; ++e) {
      arcs.emplace_back(static_cast<int>(u), static_cast<int>(heads[e]));
    }
  }
  state_->digraph.build(static_cast<int>(vertex_count), arcs.begin(), arcs.end());
  for (std::size_t e = 0; e < arcs.size(); ++e) {
    state_->lengths[Digraph::arc(static_cast<int>(e))] =
        lengths == nullptr ? Distance{1} : static_cast<Distance>(lengths[e]);
  }
}

template <Heap heap, class Distance>
void Search<heap, Distance>::run(std::uint32_t source, std::uint32_t target) {
  const auto from = Digraph::node(static_cast<int>(source));
  if (target == kNone) {
    state_->dijkstra.run(from);
  } else {
    state_->dijkstra.run(from, Digraph::node(static_cast<int>(target)));
  }
}

template <Heap heap, class Distance>
bool Search<heap, Distance>::reached(std::uint32_t vertex) const {
  return state_->dijkstra.reached(Digraph::node(static_cast<int>(vertex)));
}

template <Heap heap, class Distance>
std::uint64_t Search<heap, Distance>::distance(std::uint32_t vertex) const {
  return static_cast<std::uint64_t>(state_->dijkstra.dist(Digraph::node(static_cast<int>(vertex))));
}

template <Heap heap, class Distance>
std::uint32_t Search<heap, Distance>::predecessor(std::uint32_t vertex) const {
  const auto node = state_->dijkstra.predNode(Digraph::node(static_cast<int>(vertex)));
  return node == ::lemon::INVALID ? kNone : static_cast<std::uint32_t>(Digraph::id(node));
}

template class Search<Heap::binary, std::uint32_t>;
template class Search<Heap::binary, std::uint64_t>;
template class Search<Heap::quad, std::uint32_t>;
template class Search<Heap::quad, std::uint64_t>;

const char* version() { return LEMON_VERSION; }

}  // namespace bellmark::lemon_dijkstra
