// The arcs of a path that leads over shortcuts of a hierarchy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

/// Unpacks paths, one after the other, and allocates nothing once it has unpacked a long one.
///
/// A path of New York has a thousand vertices, and the row of each lies anywhere in memory. One
/// shortcut after the other would wait for each row. So all shortcuts that are known are unpacked
/// together: their rows are asked for at once, and arrive at once. The pieces are a linked list,
/// since a piece becomes two in its place.
class Unpacking {
 public:
  /// Puts the path over `tops`, vertices of the hierarchy, into `path` as vertices of the graph:
  /// `vertex_of` has one for each. `Rows` says of the hierarchy
  ///   over(u, v)         the vertex that the arc from u to v leads over; kNoVertex for an arc of
  ///                      the graph. The arcs from u to it and from it to v are in its row.
  ///   ask_for_offset(v)  prefetches the place of v's row
  ///   ask_for_row(v)     prefetches the row
  /// O(arcs of the path x their rows).
  template <class Rows>
  void run(std::span<const Vertex> tops, const Rows& rows, std::span<const Vertex> vertex_of,
           std::vector<Vertex>& path) {
    path.clear();
    if (tops.empty()) return;
    path.push_back(vertex_of[tops.front()]);
    if (tops.size() == 1) return;
    pieces_.clear();
    open_.clear();
    for (std::size_t i = 0; i + 1 < tops.size(); ++i) {
      const auto next = static_cast<std::uint32_t>(i + 1);
      add({tops[i], tops[i + 1], rows.over(tops[i], tops[i + 1]), next});
    }
    pieces_.back().next = kLast;
    while (!open_.empty()) {
      for (const std::uint32_t i : open_) rows.ask_for_offset(pieces_[i].over);
      for (const std::uint32_t i : open_) rows.ask_for_row(pieces_[i].over);
      known_.swap(open_);
      open_.clear();
      for (const std::uint32_t i : known_) {
        const auto [tail, head, over, next] = pieces_[i];
        const auto second = static_cast<std::uint32_t>(pieces_.size());
        pieces_[i] = {tail, over, rows.over(tail, over), second};
        if (pieces_[i].over != kNoVertex) open_.push_back(i);
        add({over, head, rows.over(over, head), next});
      }
    }
    for (std::uint32_t i = 0; i != kLast; i = pieces_[i].next) {
      path.push_back(vertex_of[pieces_[i].head]);
    }
  }

 private:
  static constexpr std::uint32_t kLast = std::numeric_limits<std::uint32_t>::max();

  struct Piece {
    Vertex tail;
    Vertex head;
    Vertex over;
    std::uint32_t next;  ///< the piece that follows on the path
  };

  void add(const Piece& piece) {
    if (piece.over != kNoVertex) open_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    pieces_.push_back(piece);
  }

  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> open_;   ///< pieces that are shortcuts
  std::vector<std::uint32_t> known_;  ///< of them, those that are unpacked together
};

}  // namespace bellmark::customisable_hierarchy
