// A block of an adjacency matrix: the part that one process of a distributed search owns. On one
// node the block is the whole matrix.
#pragma once

#include <memory>
#include <span>

#include "graph/graph.hpp"

namespace bellmark::bfs {

/// Vertices begin..end-1.
struct VertexRange {
  Vertex begin = 0;
  Vertex end = 0;
  Vertex size() const { return end - begin; }
  friend bool operator==(const VertexRange&, const VertexRange&) = default;
};

/// Part `index` of `count` equal ranges of n vertices; the first ranges are one longer where n is
/// no multiple.
VertexRange part(Vertex n, Vertex index, Vertex count);

/// The index of the part that vertex v < n is in.
inline Vertex part_of(Vertex n, Vertex v, Vertex count) {
  const Vertex size = n / count;
  const Vertex in_longer = n % count * (size + 1);
  return v < in_longer ? v / (size + 1) : n % count + (v - in_longer) / size;
}

/// The arcs that lead from vertices of `rows` to vertices of `columns`, in CSR form with local
/// numbers: row i is vertex rows.begin + i, column j is vertex columns.begin + j.
///
/// In a symmetric matrix the mirrored block (columns, rows) is this one's transpose. Top-down goes
/// along rows of the one, bottom-up along rows of the other. hiragushi2013, section 3.2, keeps both
/// on one process. The whole matrix is its own mirror.
class Block {
 public:
  Block() = default;
  /// The whole matrix; shares the graph's arrays.
  explicit Block(const Graph& graph);
  /// A part; copies its arcs, in the order of the graph's rows. O(arcs of `rows`), by all threads
  /// that the process may use.
  Block(const Graph& graph, VertexRange rows, VertexRange columns);
  /// A part made elsewhere, from the arrays that the accessors below describe.
  Block(VertexRange rows, VertexRange columns, std::unique_ptr<const Offset[]> row_offsets,
        std::unique_ptr<const Vertex[]> heads);

  VertexRange rows() const { return rows_; }
  VertexRange columns() const { return columns_; }
  /// rows().size() + 1 entries.
  std::span<const Offset> row_offsets() const { return row_offsets_; }
  /// Local columns.
  std::span<const Vertex> heads() const { return heads_; }
  Offset arc_count() const { return heads_.size(); }

 private:
  struct Arrays {
    std::unique_ptr<const Offset[]> row_offsets;
    std::unique_ptr<const Vertex[]> heads;
  };

  Graph graph_;  ///< keeps shared arrays alive
  std::shared_ptr<const Arrays> arrays_;
  VertexRange rows_;
  VertexRange columns_;
  std::span<const Offset> row_offsets_;
  std::span<const Vertex> heads_;
};

}  // namespace bellmark::bfs
