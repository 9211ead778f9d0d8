#include "algorithms/searches/contracted/key.hpp"

#include <limits>
#include <string>

#include "base/error.hpp"

namespace bellmark::contracted {
namespace {

/// Contraction numbers arcs in 32 bits.
bool fits(const Graph& graph) {
  return graph.arc_count() < std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

Key contract_key() {
  return implied(at_run_time(
      word_key(kContract, "none", {"none", "chains"},
               "chains: the search leaves out leaves and chains, and labels them at the end")));
}

bool contracts(const Settings& settings) {
  return settings.has(kContract) && settings.get(kContract) == "chains";
}

void refuse_large(const Graph& graph) {
  if (fits(graph)) return;
  throw InputError("contract=chains",
                   std::to_string(graph.arc_count()) + " arcs can't be counted in 32 bits",
                   "leave the key out");
}

bool has_chains(const Graph& graph) {
  if (!fits(graph)) return false;
  const auto offsets = graph.row_offsets();
  Vertex few = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const Offset degree = offsets[v + 1] - offsets[v];
    few += degree == 1 || degree == 2 ? 1 : 0;
  }
  return few > graph.vertex_count() / 8;
}

}  // namespace bellmark::contracted
