#include "algorithms/searches/customisable_hierarchy/nested_dissection.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/parallel.hpp"

namespace bellmark::customisable_hierarchy {
namespace {

/// Rows of neighbours, each edge in the rows of both ends; no loops, no parallel edges.
struct Neighbours {
  std::vector<std::uint32_t> first;
  std::vector<Vertex> heads;

  std::size_t vertex_count() const { return first.size() - 1; }
  std::span<const Vertex> row(Vertex v) const {
    return std::span(heads).subspan(first[v], first[v + 1] - first[v]);
  }
};

Neighbours neighbours_of(const Graph& graph) {
  const std::size_t n = graph.vertex_count();
  std::vector<std::uint32_t> first(n + 1, 0);
  const auto for_each_edge = [&](auto visit) {
    for (Vertex u = 0; u < n; ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
        if (graph.heads()[e] != u) visit(u, graph.heads()[e]);
      }
    }
  };
  for_each_edge([&](Vertex u, Vertex v) {
    ++first[u + 1];
    ++first[v + 1];
  });
  for (std::size_t v = 0; v < n; ++v) first[v + 1] += first[v];
  std::vector<Vertex> ends(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_each_edge([&](Vertex u, Vertex v) {
    ends[next[u]++] = v;
    ends[next[v]++] = u;
  });
  Neighbours made;
  made.first.assign(1, 0);
  made.first.reserve(n + 1);
  for (std::size_t v = 0; v < n; ++v) {
    const auto begin = ends.begin() + first[v];
    const auto end = ends.begin() + first[v + 1];
    std::sort(begin, end);
    made.heads.insert(made.heads.end(), begin, std::unique(begin, end));
    made.first.push_back(static_cast<std::uint32_t>(made.heads.size()));
  }
  return made;
}

/// Eliminates vertices of at most two neighbours until none is left, in rounds. Of two neighbours
/// one waits, so that a chain or a tree of n vertices takes some log n rounds and becomes as high.
/// The one or two neighbours then are neighbours themselves: no row ever grows.
class LowDegrees {
 public:
  explicit LowDegrees(Neighbours& graph) : graph_(graph), degrees_(graph.vertex_count()) {
    for (Vertex v = 0; v < degrees_.size(); ++v) {
      degrees_[v] = graph.first[v + 1] - graph.first[v];
    }
  }

  /// Appends them to `order`; returns the rest, with rows of its own and the names of its vertices.
  std::pair<Neighbours, std::vector<Vertex>> eliminate(std::vector<Vertex>& order) {
    std::vector<Vertex> round;
    for (Vertex v = 0; v < degrees_.size(); ++v) {
      if (degrees_[v] <= 2) round.push_back(v);
    }
    std::vector<char> is_gone(degrees_.size(), 0);
    std::vector<std::uint32_t> waits_in(degrees_.size(), 0);
    std::vector<Vertex> next;
    for (std::uint32_t number = 1; !round.empty(); ++number) {
      next.clear();
      for (const Vertex v : round) {
        if (is_gone[v] != 0) continue;
        if (waits_in[v] == number) {
          next.push_back(v);
          continue;
        }
        is_gone[v] = 1;
        order.push_back(v);
        const std::span<Vertex> ends(graph_.heads.data() + graph_.first[v], degrees_[v]);
        for (const Vertex u : ends) {
          const Vertex other = ends.size() == 2 ? ends[0] + ends[1] - u : kNoVertex;
          replace(u, v, other);
          waits_in[u] = number;
          if (degrees_[u] <= 2) next.push_back(u);
        }
      }
      std::swap(round, next);
    }
    std::vector<Vertex> kept;
    std::vector<Vertex> number_of(degrees_.size(), kNoVertex);
    for (Vertex v = 0; v < degrees_.size(); ++v) {
      if (is_gone[v] != 0) continue;
      number_of[v] = static_cast<Vertex>(kept.size());
      kept.push_back(v);
    }
    Neighbours core;
    core.first.assign(1, 0);
    for (const Vertex v : kept) {
      for (std::uint32_t i = 0; i < degrees_[v]; ++i) {
        core.heads.push_back(number_of[graph_.heads[graph_.first[v] + i]]);
      }
      core.first.push_back(static_cast<std::uint32_t>(core.heads.size()));
    }
    return {std::move(core), std::move(kept)};
  }

 private:
  /// In the row of u, v gives its place to `other`, or to nobody when u has that one already.
  void replace(Vertex u, Vertex v, Vertex other) {
    const std::span<Vertex> row(graph_.heads.data() + graph_.first[u], degrees_[u]);
    const bool is_known = other == kNoVertex || std::ranges::find(row, other) != row.end();
    Vertex& place = *std::ranges::find(row, v);
    if (is_known) {
      place = row.back();
      --degrees_[u];
    } else {
      place = other;
    }
  }

  Neighbours& graph_;
  std::vector<std::uint32_t> degrees_;
};

/// A part of the core: rows over its own numbers, and the core's names of them.
struct Part {
  Neighbours rows;
  std::vector<Vertex> names;

  std::size_t size() const { return names.size(); }
};

/// The least cut between two ends of a connected part: a flow of one unit an edge in phases (Dinitz
/// 1970).
class LeastCut {
 public:
  explicit LeastCut(const Neighbours& rows)
      : rows_(rows),
        partner_(rows.heads.size()),
        flow_(rows.heads.size()),
        level_(rows.vertex_count()),
        next_(rows.vertex_count()) {
    // Rows ascend: an edge's partner is found where rows of its head were read so far.
    std::vector<std::uint32_t> read(rows.first.begin(), rows.first.end() - 1);
    for (Vertex u = 0; u < rows.vertex_count(); ++u) {
      for (std::uint32_t e = rows.first[u]; e < rows.first[u + 1]; ++e) {
        partner_[e] = read[rows.heads[e]]++;
      }
    }
  }

  /// Of the part's vertices in this order, the first `end_size` and the last `end_size` are the
  /// ends. Returns the flow; more than `most`: it was given up.
  std::uint64_t find(std::span<const Vertex> order, std::size_t end_size, std::uint64_t most) {
    order_ = order;
    end_size_ = end_size;
    std::ranges::fill(flow_, std::int8_t{0});
    is_target_.assign(level_.size(), 0);
    for (std::size_t i = 0; i < end_size; ++i) is_target_[order[order.size() - 1 - i]] = 1;
    std::uint64_t flow = 0;
    while (flow <= most && find_levels(true)) {
      for (std::size_t v = 0; v < next_.size(); ++v) next_[v] = rows_.first[v];
      for (std::size_t i = 0; i < end_size && flow <= most; ++i) {
        while (flow <= most && push_one(order[i])) ++flow;
      }
    }
    return flow;
  }

  /// Of the two least cuts, nearest to one end and nearest to the other, the more balanced one.
  /// Sets `side` to 1 for the vertices behind it; returns the size of the smaller side.
  std::size_t sides(std::vector<char>& side) {
    const std::size_t n = level_.size();
    find_levels(true);
    std::vector<char> near_source(n);
    std::size_t source_count = 0;
    for (std::size_t v = 0; v < n; ++v) {
      near_source[v] = level_[v] != kFar ? 0 : 1;
      source_count += near_source[v] == 0 ? 1U : 0U;
    }
    find_levels(false);
    side.assign(n, 0);
    std::size_t target_count = 0;
    for (std::size_t v = 0; v < n; ++v) {
      side[v] = level_[v] != kFar ? 1 : 0;
      target_count += side[v] != 0 ? 1U : 0U;
    }
    const std::size_t by_source = std::min(source_count, n - source_count);
    const std::size_t by_target = std::min(target_count, n - target_count);
    if (by_source <= by_target) return by_target;
    side = std::move(near_source);
    return by_source;
  }

 private:
  static constexpr std::uint32_t kFar = ~std::uint32_t{0};

  /// Levels of the arcs that can take more, from the source's end or back from the target's.
  /// Returns whether the other end is reached.
  bool find_levels(bool from_source) {
    std::ranges::fill(level_, kFar);
    line_.clear();
    for (std::size_t i = 0; i < end_size_; ++i) {
      const Vertex v = from_source ? order_[i] : order_[order_.size() - 1 - i];
      level_[v] = 0;
      line_.push_back(v);
    }
    const std::int8_t full = from_source ? 1 : -1;
    bool is_reached = false;
    for (std::size_t i = 0; i < line_.size(); ++i) {
      const Vertex u = line_[i];
      if (from_source && is_target_[u] != 0) {
        is_reached = true;
        continue;
      }
      for (std::uint32_t e = rows_.first[u]; e < rows_.first[u + 1]; ++e) {
        const Vertex v = rows_.heads[e];
        if (flow_[e] == full || level_[v] != kFar) continue;
        level_[v] = level_[u] + 1;
        line_.push_back(v);
      }
    }
    return is_reached;
  }

  /// A way from `source` to the target's end by ascending levels, if there is one more.
  bool push_one(Vertex source) {
    way_.clear();
    Vertex u = source;
    for (;;) {
      if (is_target_[u] != 0) {
        for (const std::uint32_t e : way_) {
          ++flow_[e];
          --flow_[partner_[e]];
        }
        return true;
      }
      bool goes_on = false;
      for (std::uint32_t& e = next_[u]; e < rows_.first[u + 1]; ++e) {
        const Vertex v = rows_.heads[e];
        if (flow_[e] == 1 || level_[v] != level_[u] + 1) continue;
        way_.push_back(e);
        u = v;
        goes_on = true;
        break;
      }
      if (goes_on) continue;
      if (way_.empty()) return false;
      u = rows_.heads[partner_[way_.back()]];
      way_.pop_back();
      ++next_[u];
    }
  }

  const Neighbours& rows_;
  std::vector<std::uint32_t> partner_;  ///< of each arc the one back
  std::vector<std::int8_t> flow_;
  std::vector<std::uint32_t> level_;
  std::vector<std::uint32_t> next_;
  std::vector<char> is_target_;
  std::vector<Vertex> line_;
  std::vector<std::uint32_t> way_;
  std::span<const Vertex> order_;
  std::size_t end_size_ = 0;
};

/// Distances in arcs from `source`, and a vertex that is farthest from it.
Vertex search_breadth_first(const Neighbours& rows, Vertex source, std::vector<std::int32_t>& to) {
  to.assign(rows.vertex_count(), -1);
  to[source] = 0;
  std::vector<Vertex> line = {source};
  for (std::size_t i = 0; i < line.size(); ++i) {
    for (const Vertex v : rows.row(line[i])) {
      if (to[v] >= 0) continue;
      to[v] = to[line[i]] + 1;
      line.push_back(v);
    }
  }
  return line.back();
}

class Dissection {
 public:
  Dissection(std::vector<Vertex>& order, std::uint64_t most_cut)
      : order_(order), most_cut_(most_cut) {}

  /// Writes the part's names to the places that end before `end`.
  void order(Part part, std::size_t end) {
    // Parts of three vertices at most are cliques by then, or nearly so.
    while (part.size() > 3) {
      std::vector<char> place = split(part);
      std::array<Part, 2> halves = {half(part, place, kFirst), half(part, place, kSecond)};
      for (std::size_t v = 0; v < part.size(); ++v) {
        if (place[v] == kBetween) order_[--end] = part.names[v];
      }
      const bool are_large = std::min(halves[0].size(), halves[1].size()) > kLarge;
      part = Part();
      if (halves[0].size() < halves[1].size()) std::swap(halves[0], halves[1]);
      const std::size_t middle = end - halves[0].size();
      if (are_large) {
        const std::array<std::size_t, 2> ends = {end, middle};
        in_parallel(
            2, [&](std::uint64_t i, std::uint64_t) { order(std::move(halves[i]), ends[i]); }, 1);
        return;
      }
      // The smaller half by recursion: no more than log n deep.
      order(std::move(halves[1]), middle);
      part = std::move(halves[0]);
    }
    for (const Vertex name : part.names) order_[--end] = name;
  }

 private:
  enum Place : char { kFirst, kSecond, kBetween };
  static constexpr std::size_t kLarge = 1 << 13;

  /// The part to which each vertex goes.
  std::vector<char> split(const Part& part) const {
    std::vector<std::int32_t> from_any;
    const Vertex far = search_breadth_first(part.rows, 0, from_any);
    if (std::ranges::find(from_any, -1) != from_any.end()) return by_components(part);
    const std::size_t n = part.size();
    if (part.rows.heads.size() == n * (n - 1)) return std::vector<char>(n, kBetween);  // a clique

    std::array<std::vector<std::int32_t>, 4> from;
    const Vertex opposite = search_breadth_first(part.rows, far, from[0]);
    search_breadth_first(part.rows, opposite, from[1]);
    // Across: far from both.
    Vertex beside = 0;
    for (Vertex v = 0; v < n; ++v) {
      const auto least = [&](Vertex at) { return std::min(from[0][at], from[1][at]); };
      if (least(v) > least(beside)) beside = v;
    }
    const Vertex other_side = search_breadth_first(part.rows, beside, from[2]);
    search_breadth_first(part.rows, other_side, from[3]);

    LeastCut cut(part.rows);
    std::vector<Vertex> order(n);
    std::vector<std::int32_t> keys(n);
    std::vector<char> best_side;
    std::uint64_t best_flow = most_cut_ + 1;
    double best_rate = 0;
    const std::size_t end_size = std::max<std::size_t>(1, n / 4);
    constexpr std::array<std::array<std::int32_t, 2>, 4> kDirections = {
        {{1, 0}, {0, 1}, {1, 1}, {1, -1}}};
    for (const auto& [along, across] : kDirections) {
      for (Vertex v = 0; v < n; ++v) {
        order[v] = v;
        keys[v] = along * (from[0][v] - from[1][v]) + across * (from[2][v] - from[3][v]);
      }
      const auto by_key = [&](Vertex a, Vertex b) {
        return std::pair(keys[a], a) < std::pair(keys[b], b);
      };
      const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
      std::nth_element(at(0), at(end_size), at(n), by_key);
      std::nth_element(at(end_size), at(n - end_size), at(n), by_key);
      // A cut of twice the best one's edges can't have twice its balance.
      const std::uint64_t flow = cut.find(order, end_size, std::min(most_cut_, 2 * best_flow));
      if (flow > std::min(most_cut_, 2 * best_flow)) continue;
      std::vector<char> side;
      const std::size_t smaller = cut.sides(side);
      const double rate = static_cast<double>(flow) / static_cast<double>(smaller);
      if (!best_side.empty() && rate >= best_rate) continue;
      best_rate = rate;
      best_flow = flow;
      best_side = std::move(side);
    }
    if (best_side.empty()) {
      throw UnmetError("customisable-hierarchy",
                       "this graph has no small separators: each cut found of " +
                           std::to_string(n) + " vertices has more than " +
                           std::to_string(most_cut_) + " edges",
                       "use p2p/auto or sssp/auto, which prepare no hierarchy");
    }
    separate(part.rows, best_side);
    return best_side;
  }

  /// Takes the ends of the cut's edges on one side, where they are fewer, for the separator.
  static void separate(const Neighbours& rows, std::vector<char>& side) {
    std::array<std::vector<Vertex>, 2> ends;
    for (Vertex u = 0; u < rows.vertex_count(); ++u) {
      const auto row = rows.row(u);
      if (std::ranges::any_of(row, [&](Vertex v) { return side[v] != side[u]; })) {
        ends[static_cast<std::size_t>(side[u])].push_back(u);
      }
    }
    for (const Vertex v : ends[0].size() <= ends[1].size() ? ends[0] : ends[1]) side[v] = kBetween;
  }

  /// Components stay whole: the next one goes where fewer vertices are.
  static std::vector<char> by_components(const Part& part) {
    std::vector<char> place(part.size(), kBetween);
    std::array<std::size_t, 2> counts = {0, 0};
    std::vector<Vertex> line;
    for (Vertex root = 0; root < part.size(); ++root) {
      if (place[root] != kBetween) continue;
      const char where = counts[0] <= counts[1] ? kFirst : kSecond;
      line.assign(1, root);
      place[root] = where;
      for (std::size_t i = 0; i < line.size(); ++i) {
        for (const Vertex v : part.rows.row(line[i])) {
          if (place[v] != kBetween) continue;
          place[v] = where;
          line.push_back(v);
        }
      }
      counts[static_cast<std::size_t>(where)] += line.size();
    }
    return place;
  }

  static Part half(const Part& part, const std::vector<char>& place, Place which) {
    Part made;
    std::vector<Vertex> number(part.size());
    for (Vertex v = 0; v < part.size(); ++v) {
      if (place[v] != which) continue;
      number[v] = static_cast<Vertex>(made.names.size());
      made.names.push_back(part.names[v]);
    }
    made.rows.first.assign(1, 0);
    made.rows.first.reserve(made.names.size() + 1);
    for (Vertex v = 0; v < part.size(); ++v) {
      if (place[v] != which) continue;
      for (const Vertex u : part.rows.row(v)) {
        if (place[u] == which) made.rows.heads.push_back(number[u]);
      }
      made.rows.first.push_back(static_cast<std::uint32_t>(made.rows.heads.size()));
    }
    return made;
  }

  std::vector<Vertex>& order_;
  std::uint64_t most_cut_;
};

/// Rows of the core don't ascend: vertices took the places of others.
void sort_rows(Neighbours& rows) {
  for (std::size_t v = 0; v < rows.vertex_count(); ++v) {
    std::sort(rows.heads.begin() + rows.first[v], rows.heads.begin() + rows.first[v + 1]);
  }
}

}  // namespace

std::vector<Vertex> nested_dissection(const Graph& graph, std::uint64_t most_cut) {
  Neighbours neighbours = neighbours_of(graph);
  std::vector<Vertex> order;
  order.reserve(graph.vertex_count());
  auto [rows, names] = LowDegrees(neighbours).eliminate(order);
  neighbours = Neighbours();
  sort_rows(rows);
  order.resize(graph.vertex_count());
  Dissection(order, most_cut).order({std::move(rows), std::move(names)}, order.size());
  return order;
}

}  // namespace bellmark::customisable_hierarchy
