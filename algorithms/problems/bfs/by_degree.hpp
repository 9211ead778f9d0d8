// A search's own numbers for the vertices of a graph, and the way back to the graph's ids. Vertices
// with most arcs come first, so that the data that a search asks for most often lie close together
// (Yasui, Fujisawa, Sato, ISC 2015).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "base/paged_array.hpp"
#include "base/parallel.hpp"

namespace bellmark::bfs {

/// Vertices by their degrees: most arcs first, equal ones by their ids.
struct DegreeOrder {
  PagedArray<Vertex> vertices;  ///< in this order
  PagedArray<Vertex> ranks;     ///< by vertex: its place in `vertices`
  Vertex with_arcs_count = 0;   ///< vertices that have arcs: they come first
};

/// `degrees`: by vertex. All threads that the process may use. O(n), and O(h log h) for the h
/// vertices with about a thousand arcs or more: there are at most m / 1000.
DegreeOrder order_by_degree(std::span<const std::uint32_t> degrees);

/// Makes a row ascend. Its vertices are below `bound`; `scratch` has room for the same number.
/// O(row's length * log(bound)), by digits: half the time of std::sort on rows of a Kronecker
/// graph.
void sort_row(std::span<Vertex> row, Vertex bound, Vertex* scratch);

/// The graph's vertices, called originals, and a search's numbers for them, 0..vertex_count()-1.
class Numbering {
 public:
  Numbering() = default;
  /// Every vertex keeps its id.
  explicit Numbering(Vertex n) : original_count_(n), vertex_count_(n) {}
  /// Vertices have their ranks; those from `vertex_count` on have no number.
  Numbering(DegreeOrder order, Vertex vertex_count)
      : original_count_(static_cast<Vertex>(order.ranks.size())),
        vertex_count_(vertex_count),
        order_(std::move(order)) {}

  Vertex original_count() const { return original_count_; }
  Vertex vertex_count() const { return vertex_count_; }
  /// kNoVertex where it has none.
  Vertex number(Vertex original) const {
    if (order_.ranks.size() == 0) return original;
    const Vertex rank = order_.ranks.data()[original];
    return rank < vertex_count_ ? rank : kNoVertex;
  }
  Vertex original(Vertex number) const {
    return order_.vertices.size() == 0 ? number : order_.vertices.data()[number];
  }
  /// By original: its number; vertex_count() or more where it has none. Empty where every vertex
  /// keeps its id, and originals() is empty then, too.
  std::span<const Vertex> numbers() const { return order_.ranks.values(); }
  /// By number; the vertices without one come last.
  std::span<const Vertex> originals() const { return order_.vertices.values(); }
  std::uint64_t bytes() const { return order_.vertices.bytes() + order_.ranks.bytes(); }

 private:
  Vertex original_count_ = 0;
  Vertex vertex_count_ = 0;
  DegreeOrder order_;  ///< empty where every vertex keeps its id
};

/// The answer for `source`, an original, from a search's result. The result says whether the vertex
/// of a number was reached, and for those but the source the number that it was reached from. Only
/// a wrong search says that a vertex was reached from no vertex. It gets no predecessor and no
/// level, so that the certificate names it. O(n) by all threads that the process may use. Levels
/// are counted in the search's numbers: by degree nearly all predecessors are hubs in a few lines.
template <class Reached>
void fill_answer(const Numbering& numbering, Vertex source, std::span<const Vertex> predecessors,
                 Reached reached, Bfs::Answer& answer) {
  const Vertex n = numbering.vertex_count();
  const Vertex root = numbering.number(source);
  const PagedArray<Vertex> tree(n);
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
      tree.data()[v] = v != root && reached(v) ? predecessors[v] : kNoVertex;
    }
  });
  std::vector<Level> levels;
  if (root != kNoVertex) levels = levels_of({tree.data(), n}, root);
  answer.levels.resize(numbering.original_count());
  answer.predecessors.resize(numbering.original_count());
  in_parallel(numbering.original_count(), [&](std::uint64_t begin, std::uint64_t end) {
    for (auto id = static_cast<Vertex>(begin); id < end; ++id) {
      const Vertex v = numbering.number(id);
      const bool known = v < levels.size();
      const Vertex u = known ? tree.data()[v] : kNoVertex;
      answer.levels[id] = known ? levels[v] : kNoLevel;
      answer.predecessors[id] = u < n ? numbering.original(u) : kNoVertex;
    }
  });
  answer.levels[source] = 0;  // without a number it reaches itself
}

}  // namespace bellmark::bfs
