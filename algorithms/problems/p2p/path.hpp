// From a search's predecessors to the answer of a point-to-point query.
#pragma once

#include <algorithm>

#include "algorithms/problems/p2p/problem.hpp"

namespace bellmark {

/// The distance and path to `target` that the search's last run found. O(length of the path). An
/// older path in `answer` lends its storage.
template <class Search>
void extract_path(const Search& search, Vertex target, P2p::Answer& answer) {
  const auto vertices = search.vertices();
  answer.path.clear();
  answer.distance = kUnreached;
  if (vertices.distance(target) == Search::kInfinite) return;
  answer.distance = static_cast<Distance>(vertices.distance(target));
  for (auto v = static_cast<typename Search::Id>(target); v != Search::kNone;
       v = vertices.predecessor(v)) {
    answer.path.push_back(static_cast<Vertex>(v));
  }
  std::ranges::reverse(answer.path);
}

}  // namespace bellmark
