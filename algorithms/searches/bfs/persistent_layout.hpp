// bfs/persistent: the rows that its kernels read, made in prepare(). Host code without CUDA, so
// that it is tested everywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/by_degree.hpp"
#include "base/parallel.hpp"

namespace bellmark::bfs::persistent {

inline constexpr Vertex kNoHead = std::numeric_limits<Vertex>::max();
inline constexpr Vertex kLink = kNoHead - 1;  ///< the next slot is a place in SlotRows::rest

/// Rows of a matrix in a search's numbers. RowOffset: 32 bits where arcs are fewer than 2^32.
template <class RowOffset>
struct NumberedRows {
  PagedArray<RowOffset> offsets;  ///< a row a number, and the end
  PagedArray<Vertex> heads;
};

/// A block's rows with the hubs first in each (the vertices with the most arcs, equal ones by their
/// ids). Most vertices that look for a visited neighbour then find one at their first arc. The bits
/// that they ask for lie close together.
template <class RowOffset>
struct LayoutOf {
  Numbering numbering;
  Vertex vertex_count = 0;            ///< of the numbering
  PagedArray<RowOffset> row_offsets;  ///< vertex_count + 1
  PagedArray<Vertex> heads;
  /// The arcs that enter each vertex; empty where none were given.
  NumberedRows<RowOffset> entering;

  /// The block must be a whole matrix, with no more arcs than a RowOffset counts. `by_degree`:
  /// vertex 0 is the one with the most arcs, and so on, equal ones as before. Where the block is
  /// symmetric, vertices without arcs get no number, because no search meets them. Else every
  /// vertex keeps its id. `transposed`: the block with every arc reversed, or null. O(n + m log n)
  /// by all threads that the process may use.
  LayoutOf(const Block& block, bool by_degree, bool symmetric, const Block* transposed = nullptr) {
    const Vertex n = block.rows().size();
    const Offset* const offsets = block.row_offsets().data();
    const PagedArray<std::uint32_t> degrees(n);
    in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t id = begin; id < end; ++id) {
        degrees.data()[id] = static_cast<std::uint32_t>(offsets[id + 1] - offsets[id]);
      }
    });
    DegreeOrder order = order_by_degree({degrees.data(), n});
    const Vertex* const ranked = order.vertices.data();  // stay where they are when they are moved
    const Vertex* const ranks = order.ranks.data();
    vertex_count = by_degree && symmetric ? order.with_arcs_count : n;
    numbering = by_degree ? Numbering(std::move(order), vertex_count) : Numbering(n);
    NumberedRows<RowOffset> rows = numbered(block, by_degree, ranked, ranks);
    row_offsets = std::move(rows.offsets);
    heads = std::move(rows.heads);
    if (transposed != nullptr) entering = numbered(*transposed, by_degree, ranked, ranks);
  }

 private:
  /// `ranked`, `ranks`: vertices by degree, and the place of each among them.
  NumberedRows<RowOffset> numbered(const Block& block, bool by_degree, const Vertex* ranked,
                                   const Vertex* ranks) const {
    const Vertex n = block.rows().size();
    const Offset* const offsets = block.row_offsets().data();
    NumberedRows<RowOffset> rows{PagedArray<RowOffset>(std::size_t{vertex_count} + 1),
                                 PagedArray<Vertex>(block.arc_count())};
    prefix_sums(
        vertex_count,
        [&](std::uint64_t v) {
          const Vertex id = numbering.original(static_cast<Vertex>(v));
          return static_cast<RowOffset>(offsets[id + 1] - offsets[id]);
        },
        rows.offsets.data());
    const auto fill = [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<Vertex> scratch;
      for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
        const RowOffset* const ends = rows.offsets.data() + v;
        const std::span row(rows.heads.data() + ends[0], ends[1] - ends[0]);
        const Vertex* const given = block.heads().data() + offsets[numbering.original(v)];
        std::transform(given, given + row.size(), row.begin(),
                       [=](Vertex id) { return ranks[id]; });
        if (scratch.size() < row.size()) scratch.resize(row.size());
        sort_row(row, n, scratch.data());
        if (by_degree) continue;
        std::transform(row.begin(), row.end(), row.begin(),
                       [=](Vertex rank) { return ranked[rank]; });
      }
    };
    in_parallel_rows(rows.offsets.data(), vertex_count, fill);
    return rows;
  }
};

using Layout = LayoutOf<std::uint32_t>;

/// The first head of every row, kNoHead where it is empty: bottom-up reads 4 bytes a vertex in
/// order. `row_offsets` has an entry more than there are rows.
template <class RowOffset>
PagedArray<Vertex> first_heads(const PagedArray<RowOffset>& row_offsets,
                               const PagedArray<Vertex>& heads) {
  PagedArray<Vertex> first(row_offsets.size() - 1);
  in_parallel(first.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v) {
      const RowOffset row = row_offsets.data()[v];
      first.data()[v] = row == row_offsets.data()[v + 1] ? kNoHead : heads.data()[row];
    }
  });
  return first;
}

/// From this row on none has more than `most` arcs. O(n); few steps where rows get shorter and
/// nearly all are longer.
template <class RowOffset>
Vertex longer_end(const PagedArray<RowOffset>& row_offsets, std::uint32_t most = 1) {
  std::size_t end = row_offsets.size() - 1;
  while (end > 0 && row_offsets.data()[end] - row_offsets.data()[end - 1] <= most) --end;
  return static_cast<Vertex>(end);
}

inline constexpr unsigned kNextHeads = 4;

/// Heads 1 to kNextHeads of each row before `end`, kNoHead where it has fewer. A search asks a
/// row whose first head was not visited with one access of 16 bytes. Else it would read the row's
/// offsets, and a place among all arcs. O(end).
template <class RowOffset>
PagedArray<Vertex> next_heads(const PagedArray<RowOffset>& row_offsets,
                              const PagedArray<Vertex>& heads, Vertex end) {
  PagedArray<Vertex> next(std::size_t{kNextHeads} * end);
  in_parallel(end, [&](std::uint64_t begin, std::uint64_t stop) {
    for (std::uint64_t v = begin; v < stop; ++v) {
      const RowOffset row_end = row_offsets.data()[v + 1];
      const RowOffset first = std::min(row_offsets.data()[v] + 1, row_end);
      const RowOffset count = std::min(row_end - first, RowOffset{kNextHeads});
      Vertex* const row = next.data() + kNextHeads * v;
      std::fill(std::copy_n(heads.data() + first, count, row), row + kNextHeads, kNoHead);
    }
  });
  return next;
}

/// The mean number of arcs of the vertex that an arc leads to. The graph is symmetric, or the
/// layout has its entering rows. O(n).
template <class RowOffset>
double mean_degree_of_heads(const LayoutOf<RowOffset>& layout) {
  const auto degree = [](const PagedArray<RowOffset>& offsets, std::size_t v) {
    return static_cast<double>(offsets.data()[v + 1] - offsets.data()[v]);
  };
  const bool symmetric = layout.entering.offsets.size() == 0;
  const auto& entering = symmetric ? layout.row_offsets : layout.entering.offsets;
  double sum = 0;
  for (std::size_t v = 0; v < layout.vertex_count; ++v) {
    sum += degree(entering, v) * degree(layout.row_offsets, v);
  }
  return layout.heads.size() == 0 ? 0 : sum / static_cast<double>(layout.heads.size());
}

/// The mean number of arcs of 32 rows that follow each other, rounded down, so that no sum over
/// rows exceeds the number of all arcs. By degree, all 32 have nearly the same number.
template <class RowOffset>
PagedArray<std::uint32_t> mean_degrees(const PagedArray<RowOffset>& row_offsets) {
  constexpr std::uint64_t kRows = 32;
  const std::uint64_t n = row_offsets.size() - 1;
  PagedArray<std::uint32_t> means((n + kRows - 1) / kRows);
  in_parallel(means.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t first = i * kRows;
      const std::uint64_t last = std::min(first + kRows, n);
      means.data()[i] = static_cast<std::uint32_t>(
          (row_offsets.data()[last] - row_offsets.data()[first]) / (last - first));
    }
  });
  return means;
}

/// Rows of eight slots, one 32-byte sector each. A shorter row ends in kNoHead. A longer one has
/// kLink in its seventh slot and, in its eighth, the place of a run in `rest`, counted in fours.
/// The last four of the run end in kNoHead.
struct SlotRows {
  static constexpr unsigned kSlots = 8;
  static constexpr unsigned kFour = 4;

  PagedArray<Vertex> slots;
  PagedArray<Vertex> rest;

  /// O(n + m) by all threads that the process may use.
  explicit SlotRows(const Layout& layout) : slots(std::size_t{kSlots} * layout.vertex_count) {
    const auto degree = [&](std::uint64_t v) {
      return layout.row_offsets.data()[v + 1] - layout.row_offsets.data()[v];
    };
    // Places in `rest`, in fours.
    const PagedArray<Vertex> places(std::size_t{layout.vertex_count} + 1);
    prefix_sums(
        layout.vertex_count,
        [&](std::uint64_t v) {
          return degree(v) <= kSlots ? 0 : (degree(v) - kInside) / kFour + 1;
        },
        places.data());
    rest = PagedArray<Vertex>(std::size_t{kFour} * places.data()[layout.vertex_count]);
    in_parallel(layout.vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t v = begin; v < end; ++v) {
        const Vertex* const heads = layout.heads.data() + layout.row_offsets.data()[v];
        const std::size_t size = degree(v);
        Vertex* const row = slots.data() + kSlots * v;
        if (size <= kSlots) {
          std::fill(std::copy_n(heads, size, row), row + kSlots, kNoHead);
          continue;
        }
        std::copy_n(heads, kInside, row);
        row[kInside] = kLink;
        row[kInside + 1] = places.data()[v];
        std::fill(std::copy(heads + kInside, heads + size,
                            rest.data() + std::size_t{kFour} * places.data()[v]),
                  rest.data() + std::size_t{kFour} * places.data()[v + 1], kNoHead);
      }
    });
  }

 private:
  static constexpr unsigned kInside = kSlots - 2;  ///< heads of a longer row that are in its slots
};

}  // namespace bellmark::bfs::persistent
