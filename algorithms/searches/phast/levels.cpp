#include "algorithms/searches/phast/levels.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace bellmark::phast {
namespace {

using Rows = contraction_hierarchy::UpwardRows<std::uint32_t>;

/// The level of each of the hierarchy's numbers: one more than the highest level of the vertices
/// below it. A less important vertex has the larger number.
std::vector<std::uint32_t> levels_of(const Rows& forward, const Rows& backward) {
  std::vector<std::uint32_t> levels(forward.offsets.size() - 1, 0);
  for (std::size_t low = levels.size(); low-- > 0;) {
    for (const Rows* rows : {&forward, &backward}) {
      for (std::uint32_t e = rows->offsets[low]; e < rows->offsets[low + 1]; ++e) {
        std::uint32_t& high = levels[rows->arcs[e].vertex];
        high = std::max(high, levels[low] + 1);
      }
    }
  }
  return levels;
}

/// Turns counts, in place, into the places where each one's part begins; the last one is the end.
void to_offsets(std::vector<std::uint32_t>& counts) {
  std::exclusive_scan(counts.begin(), counts.end(), counts.begin(), 0U);
}

}  // namespace

Levels make_levels(const contraction_hierarchy::Hierarchy<std::uint32_t>& hierarchy) {
  const std::size_t n = hierarchy.vertex.size();
  const Rows& forward = hierarchy.forward;
  const Rows& backward = hierarchy.backward.offsets.empty() ? forward : hierarchy.backward;
  const std::vector<std::uint32_t> level = levels_of(forward, backward);
  Levels made;
  const std::uint32_t level_count = n == 0 ? 0 : 1 + *std::ranges::max_element(level);
  made.level_offsets.assign(std::size_t{level_count} + 1, 0);
  for (const std::uint32_t own : level) ++made.level_offsets[own];
  to_offsets(made.level_offsets);

  std::vector<std::uint32_t> place(n);  // by number
  std::vector<std::uint32_t> next = made.level_offsets;
  made.vertices.resize(n);
  for (std::size_t number = 0; number < n; ++number) {
    place[number] = next[level[number]]++;
    made.vertices[place[number]] = hierarchy.vertex[number];
  }

  made.from_below.offsets.assign(n + 1, 0);
  for (const auto& arc : forward.arcs) ++made.from_below.offsets[place[arc.vertex]];
  to_offsets(made.from_below.offsets);
  made.from_below.arcs.resize(forward.arcs.size());
  next = made.from_below.offsets;
  for (std::size_t low = 0; low < n; ++low) {
    for (std::uint32_t e = forward.offsets[low]; e < forward.offsets[low + 1]; ++e) {
      const auto& arc = forward.arcs[e];
      made.from_below.arcs[next[place[arc.vertex]]++] = {hierarchy.vertex[low], arc.length};
    }
  }

  made.from_above.offsets.assign(n + 1, 0);
  for (std::size_t low = 0; low < n; ++low) {
    made.from_above.offsets[place[low]] = backward.offsets[low + 1] - backward.offsets[low];
  }
  to_offsets(made.from_above.offsets);
  made.from_above.arcs.resize(backward.arcs.size());
  for (std::size_t low = 0; low < n; ++low) {
    std::uint32_t to = made.from_above.offsets[place[low]];
    for (std::uint32_t e = backward.offsets[low]; e < backward.offsets[low + 1]; ++e) {
      const auto& arc = backward.arcs[e];
      made.from_above.arcs[to++] = {hierarchy.vertex[arc.vertex], arc.length};
    }
  }
  return made;
}

EnteringRows entering_rows(const Graph& graph) {
  const std::size_t n = graph.vertex_count();
  EnteringRows rows;
  rows.offsets.assign(n + 1, 0);
  for (const Vertex head : graph.heads()) ++rows.offsets[head];
  to_offsets(rows.offsets);
  rows.arcs.resize(graph.arc_count());
  std::vector<std::uint32_t> next = rows.offsets;
  for (Vertex tail = 0; tail < n; ++tail) {
    for (Offset e = graph.row_offsets()[tail]; e < graph.row_offsets()[std::size_t{tail} + 1];
         ++e) {
      rows.arcs[next[graph.heads()[e]]++] = {tail, static_cast<std::uint32_t>(graph.length(e))};
    }
  }
  return rows;
}

}  // namespace bellmark::phast
