#include "algorithms/searches/customisable_hierarchy/subtrees.hpp"

namespace bellmark::customisable_hierarchy {

Subtrees make_subtrees(const Elimination& tree, std::size_t task_count) {
  const Vertex n = tree.vertex_count();
  std::vector<Vertex> size(n, 1);
  for (Vertex v = 0; v < n; ++v) {
    if (tree.parent[v] != kNoVertex) size[tree.parent[v]] += size[v];
  }
  Subtrees made;
  const std::size_t most = task_count <= 1 ? n : n / task_count + 1;
  for (Vertex v = 0; v < n; ++v) {
    if (size[v] > most) {
      made.top.push_back(v);
    } else if (tree.parent[v] == kNoVertex || size[tree.parent[v]] > most) {
      const Vertex begin = v + 1 - size[v];
      // Small subtrees beside one another are one run.
      if (!made.runs.empty() && made.runs.back().second == begin &&
          v + 1 - made.runs.back().first <= most) {
        made.runs.back().second = v + 1;
      } else {
        made.runs.emplace_back(begin, v + 1);
      }
    }
  }
  return made;
}

}  // namespace bellmark::customisable_hierarchy
