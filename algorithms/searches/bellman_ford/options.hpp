// The common part of `sssp/bellman-ford` and `sssp/bellman-ford-queue`: the width that labels need.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/contract/description.hpp"
#include "graph/graph.hpp"

namespace bellmark::bellman_ford {

/// The sign by which a search notices a negative cycle.
enum class Detection {
  count,              ///< a vertex has entered the queue n times, the source's first time left out
  predecessor_cycle,  ///< predecessors have a cycle: tested at least once every n rows
};

/// The largest absolute value that a label or a sum of lengths can have in a search. search.hpp has
/// the proof. With C the largest length and -c the least, where they are above and below 0, it is
///   predecessor_cycle  max(n C, 2 n c), below 2^63 unless there are more than 2^31 vertices
///   count              max(n C, n^2 c): a vertex enters the queue n - 1 times before the search
///                      ends, and each row lowers the least label by c at most
/// or the largest number of 64 bits, where these don't fit.
std::uint64_t label_bound(const Graph& graph, Detection detection);

/// `distance=auto` becomes 32 where label_bound() fits, else 64. Throws InputError, with the bound,
/// where the bits asked for don't hold it, or 64 don't.
std::string resolve_distance(const std::string& wanted, const Graph& graph, Detection detection);

Key distance_key();

}  // namespace bellmark::bellman_ford
