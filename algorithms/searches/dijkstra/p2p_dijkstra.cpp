// p2p/dijkstra with every queue that is built.
#include "algorithms/searches/dijkstra/p2p_dijkstra.hpp"

#include <cstddef>
#include <utility>

#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<P2pDijkstra<dijkstra::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<dijkstra::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
