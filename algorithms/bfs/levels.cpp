#include "algorithms/bfs/levels.hpp"

namespace bellmark::bfs {

std::vector<Level> levels_of(std::span<const Vertex> predecessors, Vertex source) {
  std::vector<Level> levels(predecessors.size(), kNoLevel);
  levels[source] = 0;
  std::vector<Vertex> path;
  for (Vertex start = 0; start < predecessors.size(); ++start) {
    path.clear();
    Vertex v = start;
    while (levels[v] == kNoLevel && predecessors[v] < predecessors.size() &&
           path.size() < predecessors.size()) {
      path.push_back(v);
      v = predecessors[v];
    }
    if (levels[v] == kNoLevel) continue;
    Level level = levels[v];
    for (auto above = path.rbegin(); above != path.rend(); ++above) levels[*above] = ++level;
  }
  return levels;
}

}  // namespace bellmark::bfs
