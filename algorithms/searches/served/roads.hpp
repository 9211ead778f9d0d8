// A graph that served searches share, and the roads that one request closes.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/searches/bidirectional/search.hpp"
#include "graph/graph.hpp"

namespace bellmark::served {

/// A graph without negative lengths, and its rows for both directions. Any number of searches in
/// any threads may read it.
struct Roads {
  Graph graph;
  Graph backward;  ///< every arc turned round
  bidirectional::SharedRows rows;

  /// O(n + m). Throws InputError for negative lengths, or more arcs than 32 bits can count.
  static Roads of(Graph graph);
};

/// Arcs that are left out. One object serves one request after the other.
class Closures {
 public:
  /// Closures for all graphs with these arcs, of any lengths. O(m).
  explicit Closures(const Roads& roads);

  /// Closes all arcs between both ends, in both directions. Returns the number of arcs that this
  /// closed. O(both degrees).
  std::size_t close(Vertex u, Vertex v);
  /// Opens everything. O(arcs closed).
  void open_all();

  bool empty() const { return closed_.empty(); }
  std::size_t size() const { return closed_.size(); }
  bool is_closed(Offset arc) const { return forward_[arc] != 0; }

  /// Marks by the place of arcs in the rows of the side; null where nothing is closed.
  const std::uint8_t* marks(std::size_t side, const Roads& roads) const {
    if (closed_.empty()) return nullptr;
    return side == 0 || roads.graph.properties().symmetric ? forward_.data() : backward_.data();
  }

  /// The graph without the arcs that are closed, and its coordinates. O(n + m).
  Graph without(const Graph& graph) const;

 private:
  Graph graph_;
  Graph backward_graph_;
  std::vector<std::uint8_t> forward_;
  std::vector<std::uint8_t> backward_;
  std::vector<std::pair<Offset, Offset>> closed_;  ///< places in both
};

}  // namespace bellmark::served
