// bfs/persistent: the rows that its kernels read, made in prepare(), and the way back to the
// graph's own ids. Host code without CUDA, so that it is tested everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "algorithms/bfs/block.hpp"
#include "algorithms/bfs/levels.hpp"
#include "algorithms/bfs/problem.hpp"
#include "algorithms/sssp/problem.hpp"
#include "graph/parallel.hpp"

namespace bellmark::bfs::persistent {

inline constexpr Vertex kNoHead = std::numeric_limits<Vertex>::max();
inline constexpr Vertex kLink = kNoHead - 1;  ///< the next slot is a place in SlotRows::rest

/// A search's own numbers for the vertices of a block.
struct Numbering {
  std::vector<Vertex> original;    ///< by vertex: its id in the block
  std::vector<Vertex> renumbered;  ///< by id in the block: its vertex
  /// Those that a search can meet: without arcs there is nothing to meet in a symmetric block, and
  /// by degree such vertices come last and are left out.
  Vertex vertex_count = 0;

  std::uint64_t bytes() const { return 2 * original.size() * sizeof(Vertex); }
};

/// A block's rows with the hubs first in each (those with the most arcs, equal ones by their ids):
/// most vertices that look for a visited neighbour then find one at their first arc, and the bits
/// that they ask for lie close together.
struct Layout : Numbering {
  std::vector<std::uint32_t> row_offsets;  ///< vertex_count + 1
  std::vector<Vertex> heads;

  /// The block must be a whole matrix. `by_degree`: vertex 0 is the one with the most arcs, and so
  /// on, equal ones as before; else every vertex keeps its id. O(n log n + m log(largest degree)),
  /// rows by all threads that the process may use.
  Layout(const Block& block, bool by_degree, bool symmetric) {
    const Vertex n = block.rows().size();
    const std::span<const Offset> offsets = block.row_offsets();
    const auto degree = [&](Vertex id) { return offsets[id + 1] - offsets[id]; };
    std::vector<Vertex> ranked(n);  // ids, most arcs first
    std::iota(ranked.begin(), ranked.end(), Vertex{0});
    std::stable_sort(ranked.begin(), ranked.end(),
                     [&](Vertex a, Vertex b) { return degree(a) > degree(b); });
    std::vector<Vertex> ranks(n);
    for (Vertex rank = 0; rank < n; ++rank) ranks[ranked[rank]] = rank;

    vertex_count = n;
    if (by_degree) {
      original = ranked;
      renumbered = ranks;
      while (symmetric && vertex_count > 0 && degree(ranked[vertex_count - 1]) == 0) --vertex_count;
    } else {
      original.resize(n);
      std::iota(original.begin(), original.end(), Vertex{0});
      renumbered = original;
    }
    row_offsets.assign(std::size_t{vertex_count} + 1, 0);
    for (Vertex v = 0; v < vertex_count; ++v) {
      row_offsets[v + 1] = static_cast<std::uint32_t>(row_offsets[v] + degree(original[v]));
    }
    heads.resize(block.arc_count());
    in_parallel(vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t v = begin; v < end; ++v) {
        Vertex* const row = heads.data() + row_offsets[v];
        Vertex* const row_end = heads.data() + row_offsets[v + 1];
        const Vertex* const given = block.heads().data() + offsets[original[v]];
        std::transform(given, given + (row_end - row), row, [&](Vertex id) { return ranks[id]; });
        std::sort(row, row_end);
        std::transform(row, row_end, row,
                       [&](Vertex rank) { return by_degree ? rank : ranked[rank]; });
      }
    });
  }
};

/// The first head of every row, kNoHead where it is empty: bottom-up reads 4 bytes a vertex in
/// order.
inline std::vector<Vertex> first_heads(const Layout& layout) {
  std::vector<Vertex> first(layout.vertex_count, kNoHead);
  for (Vertex v = 0; v < layout.vertex_count; ++v) {
    const std::uint32_t begin = layout.row_offsets[v];
    if (begin < layout.row_offsets[v + 1]) first[v] = layout.heads[begin];
  }
  return first;
}

/// Rows of eight slots, one 32-byte sector each. A shorter row ends in kNoHead; a longer one has
/// kLink in its seventh slot, and in its eighth the place in `rest`, counted in fours, of a run
/// whose last four end in kNoHead.
struct SlotRows {
  static constexpr unsigned kSlots = 8;
  static constexpr unsigned kFour = 4;

  std::vector<Vertex> slots;
  std::vector<Vertex> rest;

  explicit SlotRows(const Layout& layout)
      : slots(std::size_t{kSlots} * layout.vertex_count, kNoHead) {
    for (Vertex v = 0; v < layout.vertex_count; ++v) {
      const auto begin = layout.heads.begin() + layout.row_offsets[v];
      const auto end = layout.heads.begin() + layout.row_offsets[v + 1];
      const auto row = slots.begin() + std::ptrdiff_t{kSlots} * v;
      if (end - begin <= kSlots) {
        std::copy(begin, end, row);
        continue;
      }
      const auto inside = begin + (kSlots - 2);
      std::copy(begin, inside, row);
      row[kSlots - 2] = kLink;
      row[kSlots - 1] = static_cast<Vertex>(rest.size() / kFour);
      rest.insert(rest.end(), inside, end);
      do {
        rest.push_back(kNoHead);
      } while (rest.size() % kFour != 0);
    }
  }
};

/// The answer in the graph's ids, from what a search leaves: for each vertex but the source whether
/// it was reached, and from where. Levels are counted along the predecessors. O(n); the turn to the
/// graph's ids by all threads that the process may use.
template <class Reached>
void fill_answer(const Numbering& numbering, Vertex source, const std::vector<Vertex>& predecessors,
                 Reached reached, Bfs::Answer& answer) {
  const Vertex n = numbering.vertex_count;
  std::vector<Vertex> tree(n, kNoVertex);
  for (Vertex v = 0; v < n; ++v) {
    if (v != source && reached(v)) tree[v] = predecessors[v];
  }
  std::vector<Level> levels;
  if (source < n) levels = levels_of(tree, source);
  const std::size_t count = numbering.original.size();
  answer.levels.assign(count, kNoLevel);
  answer.predecessors.assign(count, kNoVertex);
  in_parallel(count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t id = begin; id < end; ++id) {
      const Vertex v = numbering.renumbered[id];
      if (v >= levels.size() || levels[v] == kNoLevel) continue;
      answer.levels[id] = levels[v];
      if (v != source) answer.predecessors[id] = numbering.original[tree[v]];
    }
  });
  answer.levels[numbering.original[source]] = 0;  // one that was left out reaches itself
}

}  // namespace bellmark::bfs::persistent
