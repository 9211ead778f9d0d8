// A contraction hierarchy: vertices in an order of importance, and shortcuts over those that are
// less important than both ends. Geisberger, Sanders, Schultes, Delling: Contraction hierarchies:
// faster and simpler hierarchical routing in road networks, WEA 2008.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/watch.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::contraction_hierarchy {

/// An arc to or from a more important vertex. `via` is the vertex that a shortcut leads over;
/// kNoVertex for an arc of the graph.
template <class Label>
struct UpwardArc {
  Label length;
  Vertex vertex;
  Vertex via;
};

/// Rows of upward arcs, by vertices in the hierarchy's numbers: 0 is the most important.
template <class Label>
struct UpwardRows {
  prepared::Kept<std::uint32_t> offsets;
  prepared::Kept<UpwardArc<Label>> arcs;
};

/// The result of preparing. `forward` has arcs to more important vertices, `backward` arcs from
/// them. Of a symmetric graph both are alike, and `backward` is empty.
template <class Label>
struct Hierarchy {
  prepared::Kept<Vertex> number;  ///< of each of the graph's vertices
  prepared::Kept<Vertex> vertex;  ///< of each number
  UpwardRows<Label> forward;
  UpwardRows<Label> backward;
  std::size_t shortcut_count = 0;
};

/// A hierarchy to a file and back. read() throws InputError unless no query to it can go wrong in
/// memory. The hierarchy must have that many vertices, arcs must lead up, and the arcs of each
/// shortcut must be there. O(n + arcs x rows).
template <class Label>
void write(const Hierarchy<Label>& hierarchy, prepared::Writer& writer) {
  writer.add(hierarchy.number);
  writer.add(hierarchy.vertex);
  for (const UpwardRows<Label>* rows : {&hierarchy.forward, &hierarchy.backward}) {
    writer.add(rows->offsets);
    writer.add(rows->arcs);
  }
}

template <class Label>
Hierarchy<Label> read(prepared::Reader& reader, Vertex vertex_count, bool is_symmetric) {
  Hierarchy<Label> read;
  read.number = reader.take<Vertex>();
  read.vertex = reader.take<Vertex>();
  for (UpwardRows<Label>* rows : {&read.forward, &read.backward}) {
    rows->offsets = reader.take<std::uint32_t>();
    rows->arcs = reader.take<UpwardArc<Label>>();
  }
  const std::size_t n = vertex_count;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) reader.refuse(what);
  };
  require(read.number.size() == n && read.vertex.size() == n, "has another count of vertices");
  for (Vertex v = 0; v < n; ++v) {
    require(read.number[v] < n && read.vertex[read.number[v]] == v, "has a number twice");
  }
  const UpwardRows<Label>& forward = read.forward;
  const UpwardRows<Label>& backward = is_symmetric ? read.forward : read.backward;
  for (const UpwardRows<Label>* rows : {&forward, &backward}) {
    require(rows->offsets.size() == n + 1, "has another count of rows");
    require(rows->offsets[0] == 0 && rows->offsets[n] == rows->arcs.size(),
            "has rows without an end");
    for (Vertex v = 0; v < n; ++v) {
      require(rows->offsets[v] <= rows->offsets[v + 1], "has rows that do not ascend");
    }
  }
  const auto has = [&](const UpwardRows<Label>& rows, Vertex low, Vertex high) {
    for (std::uint32_t e = rows.offsets[low]; e < rows.offsets[low + 1]; ++e) {
      if (rows.arcs[e].vertex == high) return true;
    }
    return false;
  };
  for (const bool is_forward : {true, false}) {
    const UpwardRows<Label>& rows = is_forward ? forward : backward;
    for (Vertex v = 0; v < n; ++v) {
      for (std::uint32_t e = rows.offsets[v]; e < rows.offsets[v + 1]; ++e) {
        const UpwardArc<Label>& arc = rows.arcs[e];
        require(arc.vertex < v, "has an arc that leads down");
        if (arc.via == kNoVertex) continue;
        require(arc.via > v && arc.via < n, "has a shortcut over a more important vertex");
        require(has(backward, arc.via, is_forward ? v : arc.vertex) &&
                    has(forward, arc.via, is_forward ? arc.vertex : v),
                "lacks an arc of a shortcut");
      }
    }
  }
  return read;
}

/// The identity of a hierarchy's file.
inline prepared::Identity identity(const Graph& graph, std::size_t label_bits) {
  return {"p2p/contraction-hierarchy:distance=" + std::to_string(label_bits), 1,
          graph.content_digest()};
}

/// The limits of a contraction.
struct Limits {
  std::uint64_t shortcuts;
  std::uint64_t steps;  ///< arcs that searches for witnesses look at

  /// Road graphs need about one shortcut and some hundred steps an arc.
  static Limits of(const Graph& graph) {
    return {8 * graph.arc_count() + (std::uint64_t{1} << 20),
            2000 * graph.arc_count() + (std::uint64_t{1} << 28)};
  }
};

/// Contracts the vertices of a graph one by one, the least important first. A vertex's importance
/// changes with each contraction beside it, and is computed anew when the vertex is first in line.
template <class Label>
class Contraction {
 public:
  /// `longest` bounds all distances of the graph.
  Contraction(const Graph& graph, std::uint64_t longest, const Limits& limits)
      : longest_(longest),
        limits_(limits),
        is_symmetric_(graph.properties().symmetric),
        n_(graph.vertex_count()),
        out_(n_),
        in_(is_symmetric_ ? 0 : n_),
        levels_(n_, 0),
        is_contracted_(n_, 0),
        distances_(n_, kInfinite) {
    for (Vertex u = 0; u < n_; ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
        const Vertex v = graph.heads()[e];
        if (u == v) continue;
        const auto length = static_cast<Label>(graph.length(e));
        out_[u].arcs.push_back({v, length, kNoVertex, 1});
        if (!is_symmetric_) in_[v].arcs.push_back({u, length, kNoVertex, 1});
      }
    }
    for (Row& row : out_) keep_shortest(row);
    for (Row& row : in_) keep_shortest(row);
  }

  /// Throws UnmetError beyond the limits: graphs with dense parts grow cliques of shortcuts.
  /// `watch` is asked before each vertex.
  template <class Watch = Unwatched>
  Hierarchy<Label> contract_all(Watch watch = {}) {
    using Entry = std::pair<std::int64_t, Vertex>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> line;
    for (Vertex v = 0; v < n_; ++v) {
      watch.prepares();
      line.emplace(importance(v), v);
    }
    std::vector<Vertex> order;
    order.reserve(n_);
    while (!line.empty()) {
      watch.prepares();
      const Vertex v = line.top().second;
      line.pop();
      const std::int64_t fresh = importance(v);
      if (!line.empty() && fresh > line.top().first) {
        line.emplace(fresh, v);
        continue;
      }
      contract(v);
      order.push_back(v);
      if (shortcut_count_ <= limits_.shortcuts && step_count_ <= limits_.steps) continue;
      throw UnmetError("p2p/contraction-hierarchy",
                       "the contraction of this graph explodes: " +
                           std::to_string(shortcut_count_) + " shortcuts after " +
                           std::to_string(order.size()) + " of " + std::to_string(n_) + " vertices",
                       "use p2p/auto, which prepares no hierarchy");
    }
    return hierarchy(order);
  }

 private:
  static constexpr Label kInfinite = std::numeric_limits<Label>::max();
  /// A search for a witness settles so many vertices at most. Without a witness a shortcut is made
  /// that may not be needed, which is never wrong.
  static constexpr std::size_t kMostSettled = 60;
  /// With more ways over it a vertex's shortcuts are not counted before it is contracted.
  static constexpr std::size_t kMostWays = std::size_t{1} << 14;

  struct OverlayArc {
    Vertex vertex;
    Label length;
    Vertex via;
    std::uint32_t hop_count;  ///< arcs of the graph that it stands for
  };
  /// Arcs to contracted vertices stay until they are half of the row.
  struct Row {
    std::vector<OverlayArc> arcs;
    std::size_t contracted_count = 0;
  };

  Row& in(Vertex v) { return is_symmetric_ ? out_[v] : in_[v]; }

  /// Keeps the shortest of parallel arcs.
  static void keep_shortest(Row& row) {
    std::ranges::sort(row.arcs, {},
                      [](const OverlayArc& arc) { return std::pair(arc.vertex, arc.length); });
    const auto is_parallel = [](const OverlayArc& a, const OverlayArc& b) {
      return a.vertex == b.vertex;
    };
    row.arcs.erase(std::unique(row.arcs.begin(), row.arcs.end(), is_parallel), row.arcs.end());
    row.arcs.shrink_to_fit();
  }

  /// Adds an arc. Whether it is new to the row.
  static bool add(Row& row, const OverlayArc& arc) {
    for (OverlayArc& known : row.arcs) {
      if (known.vertex != arc.vertex) continue;
      if (arc.length < known.length) known = arc;
      return false;
    }
    row.arcs.push_back(arc);
    return true;
  }

  void forget_contracted(Row& row) {
    if (row.contracted_count == 0) return;
    std::erase_if(row.arcs, [&](const OverlayArc& arc) { return is_contracted_[arc.vertex] != 0; });
    row.contracted_count = 0;
  }

  /// Calls visit(from, to) with the two arcs of every way over v that is the shortest one. The
  /// search for another way must find none. Of a symmetric graph it takes one of the two
  /// directions. The rows of v must be without contracted vertices.
  template <class Visit>
  void for_each_shortcut(Vertex v, Visit visit) {
    const std::vector<OverlayArc>& sources = in(v).arcs;
    const std::vector<OverlayArc>& targets = out_[v].arcs;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const OverlayArc& from = sources[i];
      const std::size_t first = is_symmetric_ ? i + 1 : 0;
      std::uint64_t farthest = 0;
      bool is_end = true;
      for (std::size_t j = first; j < targets.size(); ++j) {
        if (targets[j].vertex == from.vertex) continue;
        farthest = std::max(farthest, std::uint64_t{from.length} + targets[j].length);
        is_end = false;
      }
      if (is_end) continue;
      find_witnesses(from.vertex, v, farthest);
      step_count_ += targets.size() - first;
      for (std::size_t j = first; j < targets.size(); ++j) {
        const OverlayArc& to = targets[j];
        if (to.vertex == from.vertex) continue;
        const std::uint64_t through = std::uint64_t{from.length} + to.length;
        // A way longer than every distance is part of no shortest path.
        if (through > longest_ || distances_[to.vertex] <= through) continue;
        visit(from, to);
      }
      forget();
    }
  }

  /// Labels of ways from `source` that avoid `avoided`, as far as `farthest`.
  void find_witnesses(Vertex source, Vertex avoided, std::uint64_t farthest) {
    label(source, 0);
    for (std::size_t settled = 0; !heap_.empty() && settled < kMostSettled;) {
      std::ranges::pop_heap(heap_, std::greater<>());
      const auto [distance, u] = heap_.back();
      heap_.pop_back();
      if (distance > distances_[u]) continue;
      if (distance > farthest) break;
      ++settled;
      step_count_ += out_[u].arcs.size();
      for (const OverlayArc& arc : out_[u].arcs) {
        if (arc.vertex == avoided || is_contracted_[arc.vertex] != 0) continue;
        const std::uint64_t through = std::uint64_t{distance} + arc.length;
        if (through <= farthest && through < distances_[arc.vertex]) {
          label(arc.vertex, static_cast<Label>(through));
        }
      }
    }
  }

  void label(Vertex v, Label distance) {
    if (distances_[v] == kInfinite) touched_.push_back(v);
    distances_[v] = distance;
    heap_.emplace_back(distance, v);
    std::ranges::push_heap(heap_, std::greater<>());
  }

  void forget() {
    for (const Vertex v : touched_) distances_[v] = kInfinite;
    touched_.clear();
    heap_.clear();
  }

  /// It is less for a vertex that adds few arcs and few hops for those that it takes away, and that
  /// lies over few others.
  std::int64_t importance(Vertex v) {
    constexpr std::int64_t kUnit = 1000;
    std::int64_t removed = 0;
    std::int64_t removed_hops = 0;
    const auto take_away = [&](Row& row) {
      forget_contracted(row);
      removed += static_cast<std::int64_t>(row.arcs.size());
      for (const OverlayArc& arc : row.arcs) removed_hops += arc.hop_count;
    };
    take_away(out_[v]);
    if (!is_symmetric_) take_away(in_[v]);
    const std::int64_t base = kUnit * levels_[v];
    if (removed == 0) return base;
    std::int64_t added = 0;
    std::int64_t added_hops = 0;
    if (const std::size_t ways = in(v).arcs.size() * out_[v].arcs.size(); ways > kMostWays) {
      added = static_cast<std::int64_t>(ways);
    } else {
      for_each_shortcut(v, [&](const OverlayArc& from, const OverlayArc& to) {
        ++added;
        added_hops += from.hop_count + to.hop_count;
      });
    }
    return base + kUnit * added / removed + kUnit * added_hops / removed_hops;
  }

  void contract(Vertex v) {
    forget_contracted(out_[v]);
    if (!is_symmetric_) forget_contracted(in_[v]);
    shortcuts_.clear();
    for_each_shortcut(v, [&](const OverlayArc& from, const OverlayArc& to) {
      shortcuts_.emplace_back(from.vertex,
                              OverlayArc{to.vertex, static_cast<Label>(from.length + to.length), v,
                                         from.hop_count + to.hop_count});
    });
    is_contracted_[v] = 1;
    for (const OverlayArc& arc : in(v).arcs) take_leave(arc.vertex, v, out_[arc.vertex]);
    if (!is_symmetric_) {
      for (const OverlayArc& arc : out_[v].arcs) take_leave(arc.vertex, v, in_[arc.vertex]);
    }
    for (const auto& [from, arc] : shortcuts_) {
      shortcut_count_ += add(out_[from], arc) ? 1 : 0;
      add(in(arc.vertex), {from, arc.length, arc.via, arc.hop_count});
    }
    // The arcs left in the rows of v lead to vertices that go later: the upward ones.
    out_[v].arcs.shrink_to_fit();
    if (!is_symmetric_) in_[v].arcs.shrink_to_fit();
  }

  void take_leave(Vertex neighbour, Vertex v, Row& row) {
    levels_[neighbour] = std::max(levels_[neighbour], levels_[v] + 1);
    if (2 * ++row.contracted_count > row.arcs.size()) forget_contracted(row);
  }

  Hierarchy<Label> hierarchy(const std::vector<Vertex>& order) {
    Hierarchy<Label> made;
    std::vector<Vertex> numbers(n_);
    for (Vertex i = 0; i < n_; ++i) numbers[order[i]] = n_ - 1 - i;
    made.number = std::move(numbers);
    made.vertex = std::vector<Vertex>(order.rbegin(), order.rend());
    made.forward = rows(out_, made);
    if (!is_symmetric_) made.backward = rows(in_, made);
    made.shortcut_count = shortcut_count_;
    return made;
  }

  /// The rows in the hierarchy's numbers. The old rows are given up one by one.
  static UpwardRows<Label> rows(std::vector<Row>& rows, const Hierarchy<Label>& made) {
    std::vector<std::uint32_t> offsets = {0};
    offsets.reserve(made.vertex.size() + 1);
    std::vector<UpwardArc<Label>> arcs;
    for (const Vertex v : made.vertex) {
      for (const OverlayArc& arc : rows[v].arcs) {
        arcs.push_back({arc.length, made.number[arc.vertex],
                        arc.via == kNoVertex ? kNoVertex : made.number[arc.via]});
      }
      rows[v] = Row();
      offsets.push_back(static_cast<std::uint32_t>(arcs.size()));
    }
    return {std::move(offsets), std::move(arcs)};
  }

  std::uint64_t longest_;
  Limits limits_;
  bool is_symmetric_;
  Vertex n_;
  std::vector<Row> out_;
  std::vector<Row> in_;  ///< empty of a symmetric graph
  std::vector<std::int64_t> levels_;
  std::vector<char> is_contracted_;
  std::vector<Label> distances_;  ///< of the search for witnesses
  std::vector<Vertex> touched_;
  std::vector<std::pair<Label, Vertex>> heap_;
  std::vector<std::pair<Vertex, OverlayArc>> shortcuts_;
  std::uint64_t shortcut_count_ = 0;
  std::uint64_t step_count_ = 0;
};

}  // namespace bellmark::contraction_hierarchy
