#include "algorithms/searches/contracted/key.hpp"

namespace bellmark::contracted {

Key contract_key() {
  return implied(at_run_time(word_key(kContract, "none", {"none", "chains"},
                                      "search without leaves and chains, and label these last")));
}

bool contracts(const Settings& settings) {
  return settings.has(kContract) && settings.get(kContract) == "chains";
}

bool has_chains(const Graph& graph) {
  const auto offsets = graph.row_offsets();
  Vertex few = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const Offset degree = offsets[v + 1] - offsets[v];
    few += degree == 1 || degree == 2 ? 1 : 0;
  }
  return few > graph.vertex_count() / 8;
}

}  // namespace bellmark::contracted
