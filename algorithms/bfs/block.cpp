#include "algorithms/bfs/block.hpp"

#include <algorithm>
#include <utility>

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

Block::Block(const Graph& graph, VertexRange rows, VertexRange columns)
    : rows_(rows), columns_(columns) {
  auto arrays = std::make_shared<Arrays>();
  arrays->row_offsets.reserve(std::size_t{rows.size()} + 1);
  arrays->row_offsets.push_back(0);
  for (Vertex u = rows.begin; u < rows.end; ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (v >= columns.begin && v < columns.end) arrays->heads.push_back(v - columns.begin);
    }
    arrays->row_offsets.push_back(arrays->heads.size());
  }
  row_offsets_ = arrays->row_offsets;
  heads_ = arrays->heads;
  arrays_ = std::move(arrays);
}

Block::Block(VertexRange rows, VertexRange columns, std::vector<Offset> row_offsets,
             std::vector<Vertex> heads)
    : rows_(rows), columns_(columns) {
  auto arrays = std::make_shared<Arrays>();
  arrays->row_offsets = std::move(row_offsets);
  arrays->heads = std::move(heads);
  row_offsets_ = arrays->row_offsets;
  heads_ = arrays->heads;
  arrays_ = std::move(arrays);
}

}  // namespace bellmark::bfs
