// Makes a graph row by row, in parallel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>

#include "base/parallel.hpp"
#include "graph/graph.hpp"

namespace bellmark {

/// A graph from its rows, each made by itself. degree(v) is the length of row v, and fill(v, heads,
/// lengths) writes it. `symmetric` says that every arc has an opposite one of its length, and that
/// heads ascend. Without it, both are found by inspection. There is never a list of arcs: rows
/// alone take 8 bytes for each arc, and a list takes 12 more. O(n + m) plus the work of the rows.
template <class Degree, class Fill>
Graph make_rows(Vertex vertex_count, bool symmetric, Degree degree, Fill fill) {
  struct Arrays {
    std::unique_ptr<Offset[]> row_offsets;
    std::unique_ptr<Vertex[]> heads;
    std::unique_ptr<Length[]> lengths;
  };
  const auto arrays = std::make_shared<Arrays>();
  const std::size_t offset_count = std::size_t{vertex_count} + 1;
  arrays->row_offsets = std::make_unique_for_overwrite<Offset[]>(offset_count);
  Offset* const row_offsets = arrays->row_offsets.get();
  prefix_sums(
      vertex_count, [&](std::uint64_t v) { return degree(static_cast<Vertex>(v)); }, row_offsets);
  const Offset arc_count = row_offsets[vertex_count];

  arrays->heads = std::make_unique_for_overwrite<Vertex[]>(arc_count);
  arrays->lengths = std::make_unique_for_overwrite<Length[]>(arc_count);
  Vertex* const heads = arrays->heads.get();
  Length* const lengths = arrays->lengths.get();
  GraphProperties properties{true, true, 0, 0};
  if (arc_count != 0) {
    properties.least_length = std::numeric_limits<Length>::max();
    properties.largest_length = kLeastLength;
  }
  std::mutex mutex;
  in_parallel(vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v) {
      const Offset row = row_offsets[v];
      const Offset size = row_offsets[v + 1] - row;
      fill(static_cast<Vertex>(v), std::span(heads + row, size), std::span(lengths + row, size));
    }
    const std::span made(lengths + row_offsets[begin], lengths + row_offsets[end]);
    if (made.empty()) return;
    const auto [least, largest] = std::ranges::minmax(made);
    const std::scoped_lock lock(mutex);
    properties.least_length = std::min(properties.least_length, least);
    properties.largest_length = std::max(properties.largest_length, largest);
  });
  const std::span<const Offset> rows(row_offsets, offset_count);
  const std::span<const Vertex> all_heads(heads, arc_count);
  const std::span<const Length> all_lengths(lengths, arc_count);
  if (!symmetric) properties = find_properties(rows, all_heads, all_lengths);
  return Graph::adopt(arrays, rows, all_heads, all_lengths, {}, properties);
}

}  // namespace bellmark
