#include "algorithms/problems/bfs/block.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace bellmark::bfs {

VertexRange part(Vertex n, Vertex index, Vertex count) {
  const Vertex size = n / count;
  const Vertex longer = n % count;
  const Vertex begin = index * size + std::min(index, longer);
  return {begin, begin + size + (index < longer ? 1 : 0)};
}

Block::Block(const Graph& graph)
    : graph_(graph),
      rows_{0, graph.vertex_count()},
      columns_{0, graph.vertex_count()},
      row_offsets_(graph_.row_offsets()),
      heads_(graph_.heads()) {}

Block::Block(const Graph& graph, VertexRange rows, VertexRange columns) {
  const auto for_each_head = [&](std::uint64_t row, auto visit) {
    const std::uint64_t u = rows.begin + row;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (v >= columns.begin && v < columns.end) visit(v - columns.begin);
    }
  };
  auto row_offsets = std::make_unique_for_overwrite<Offset[]>(std::size_t{rows.size()} + 1);
  const auto row_size = [&](std::uint64_t row) {
    Offset size = 0;
    for_each_head(row, [&](Vertex) { ++size; });
    return size;
  };
  prefix_sums(rows.size(), row_size, row_offsets.get());
  auto heads = std::make_unique_for_overwrite<Vertex[]>(row_offsets[rows.size()]);
  in_parallel(rows.size(), [&](std::uint64_t begin, std::uint64_t end) {
    Vertex* next = heads.get() + row_offsets[begin];
    for (std::uint64_t row = begin; row < end; ++row) {
      for_each_head(row, [&](Vertex column) { *next++ = column; });
    }
  });
  *this = Block(rows, columns, std::move(row_offsets), std::move(heads));
}

Block::Block(VertexRange rows, VertexRange columns, std::unique_ptr<const Offset[]> row_offsets,
             std::unique_ptr<const Vertex[]> heads)
    : rows_(rows), columns_(columns) {
  row_offsets_ = {row_offsets.get(), std::size_t{rows.size()} + 1};
  heads_ = {heads.get(), row_offsets[rows.size()]};
  arrays_ = std::make_shared<Arrays>(Arrays{std::move(row_offsets), std::move(heads)});
}

}  // namespace bellmark::bfs
