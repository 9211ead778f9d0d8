#include "algorithms/searches/contracted/contracted_graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace bellmark::contracted {

/// A chain on the way from its tail to its head.
struct ContractedGraph::Walk {
  struct FromEnds {
    std::uint64_t tail;
    std::uint64_t head;
  };

  Vertex tail;
  Vertex head;
  std::vector<Vertex> between;
  std::vector<FromEnds> lengths;  ///< of each vertex between
  std::uint64_t ahead = 0;
  std::uint64_t behind = 0;
};

namespace {

constexpr std::uint32_t kLengthBits = std::numeric_limits<Length>::max();
constexpr std::uint32_t kNoArc = std::numeric_limits<std::uint32_t>::max();

/// Puts items in the order of a vertex of theirs, and leaves those of one vertex as they stand.
/// O(items + vertex_count).
template <class Item, class Key>
void sort_by(std::vector<Item>& items, Vertex vertex_count, Key key) {
  std::vector<std::size_t> next(std::size_t{vertex_count} + 1);
  for (const Item& item : items) ++next[std::size_t{key(item)} + 1];
  for (std::size_t v = 1; v < next.size(); ++v) next[v] += next[v - 1];
  std::vector<Item> sorted(items.size());
  for (const Item& item : items) sorted[next[key(item)]++] = item;
  items.swap(sorted);
}

/// An edge as one of its ends sees it: the shortest arc to the other end, and from there.
struct Link {
  Vertex other;
  std::uint32_t out;
  std::uint32_t in;

  bool both_ways() const { return out != kNoArc && in != kNoArc; }
};

/// Rows of links: each vertex's neighbours, once each, without itself.
class Links {
 public:
  /// O(n + m).
  explicit Links(const Graph& graph) : offsets_(std::size_t{graph.vertex_count()} + 1) {
    struct Ended {
      Vertex low;
      Vertex high;
      bool upwards;
      std::uint32_t length;
    };
    std::vector<Ended> arcs;
    arcs.reserve(graph.arc_count());
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        const Vertex v = graph.heads()[e];
        if (u == v) continue;
        arcs.push_back(
            {std::min(u, v), std::max(u, v), u < v, static_cast<std::uint32_t>(graph.length(e))});
      }
    }
    sort_by(arcs, graph.vertex_count(), [](const Ended& arc) { return arc.high; });
    sort_by(arcs, graph.vertex_count(), [](const Ended& arc) { return arc.low; });
    struct Edge {
      Vertex low;
      Vertex high;
      std::uint32_t up = kNoArc;
      std::uint32_t down = kNoArc;
    };
    std::vector<Edge> edges;
    for (const Ended& arc : arcs) {
      if (edges.empty() || edges.back().low != arc.low || edges.back().high != arc.high) {
        edges.push_back({arc.low, arc.high});
      }
      std::uint32_t& length = arc.upwards ? edges.back().up : edges.back().down;
      length = std::min(length, arc.length);
    }
    for (const Edge& edge : edges) {
      ++offsets_[std::size_t{edge.low} + 1];
      ++offsets_[std::size_t{edge.high} + 1];
    }
    for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
    links_.resize(2 * edges.size());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const Edge& edge : edges) {
      links_[next[edge.low]++] = {edge.high, edge.up, edge.down};
      links_[next[edge.high]++] = {edge.low, edge.down, edge.up};
    }
  }

  Vertex vertex_count() const { return static_cast<Vertex>(offsets_.size() - 1); }
  std::span<const Link> of(Vertex v) const {
    return std::span(links_).subspan(offsets_[v], offsets_[std::size_t{v} + 1] - offsets_[v]);
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<Link> links_;
};

/// Where a vertex lies.
enum class Part : std::uint8_t { core, chain, tree };

/// Which vertices hang in trees, and from which link.
struct Trees {
  std::vector<Part> parts;
  std::vector<std::uint32_t> degrees;            ///< neighbours that hang in no tree
  std::vector<std::pair<Vertex, Link>> removed;  ///< in the order in which leaves fell
};

/// Takes leaves away until none is left. O(n + m).
Trees strip(const Links& links) {
  const Vertex n = links.vertex_count();
  Trees trees{std::vector<Part>(n, Part::core), std::vector<std::uint32_t>(n), {}};
  std::vector<Vertex> leaves;
  for (Vertex v = 0; v < n; ++v) {
    trees.degrees[v] = static_cast<std::uint32_t>(links.of(v).size());
    if (trees.degrees[v] == 1) leaves.push_back(v);
  }
  while (!leaves.empty()) {
    const Vertex v = leaves.back();
    leaves.pop_back();
    if (trees.degrees[v] != 1) continue;  // the last of a tree keeps no neighbour
    const auto row = links.of(v);
    const auto link = std::ranges::find_if(
        row, [&](const Link& one) { return trees.parts[one.other] != Part::tree; });
    if (!link->both_ways()) continue;
    trees.parts[v] = Part::tree;
    trees.removed.emplace_back(v, *link);
    if (--trees.degrees[link->other] == 1) leaves.push_back(link->other);
  }
  return trees;
}

using Walk = ContractedGraph::Walk;

/// Walks along chains; what a chain leaves out joins the core.
class Walker {
 public:
  Walker(const Links& links, Trees& trees, std::uint32_t longest)
      : links_(links), trees_(trees), longest_(longest), walked_(links.vertex_count(), false) {}

  /// O(n + m).
  std::vector<Walk> walk_all() {
    const Vertex n = links_.vertex_count();
    for (Vertex v = 0; v < n; ++v) {
      if (is_between(v)) trees_.parts[v] = Part::chain;
    }
    for (Vertex v = 0; v < n; ++v) {
      if (trees_.parts[v] == Part::core) walk_from(v);
    }
    // What is left are circles without a crossing.
    for (Vertex v = 0; v < n; ++v) {
      if (trees_.parts[v] != Part::chain || walked_[v]) continue;
      trees_.parts[v] = Part::core;
      walk_from(v);
    }
    return std::move(walks_);
  }

 private:
  /// Two neighbours, with arcs both ways each.
  bool is_between(Vertex v) const {
    if (trees_.parts[v] != Part::core || trees_.degrees[v] != 2) return false;
    return std::ranges::all_of(links_.of(v), [&](const Link& link) {
      return trees_.parts[link.other] == Part::tree || link.both_ways();
    });
  }

  /// Every chain of this vertex of the core, and of those that cut them short.
  void walk_from(Vertex v) {
    std::vector<Vertex> tails = {v};
    while (!tails.empty()) {
      const Vertex tail = tails.back();
      tails.pop_back();
      for (const Link& link : links_.of(tail)) {
        if (trees_.parts[link.other] != Part::chain || walked_[link.other]) continue;
        if (walk(tail, link)) tails.push_back(walks_.back().head);
      }
    }
  }

  /// From `tail` over `link` to the next vertex of the core. A chain that gets too long ends before
  /// that: at a vertex that joins the core, and true.
  bool walk(Vertex tail, Link link) {
    Walk way{tail, tail, {}, {}, 0, 0};
    Vertex before = tail;
    bool is_cut = false;
    while (trees_.parts[link.other] == Part::chain) {
      const Link onward = next(link.other, before);
      const std::uint64_t ahead = way.ahead + link.out;
      const std::uint64_t behind = way.behind + link.in;
      if (ahead + onward.out > longest_ || behind + onward.in > longest_) {
        trees_.parts[link.other] = Part::core;
        is_cut = true;
        break;
      }
      way.ahead = ahead;
      way.behind = behind;
      before = link.other;
      walked_[before] = true;
      way.between.push_back(before);
      way.lengths.push_back({ahead, behind});
      link = onward;
    }
    way.head = link.other;
    way.ahead += link.out;
    way.behind += link.in;
    // Until here the length back to the tail; what is left of the whole leads from the head.
    for (Walk::FromEnds& from : way.lengths) from.head = way.behind - from.head;
    walks_.push_back(std::move(way));
    return is_cut;
  }

  /// The link of a vertex between that doesn't lead back.
  Link next(Vertex v, Vertex before) const {
    return *std::ranges::find_if(links_.of(v), [&](const Link& link) {
      return link.other != before && trees_.parts[link.other] != Part::tree;
    });
  }

  const Links& links_;
  Trees& trees_;
  std::uint64_t longest_;
  std::vector<bool> walked_;
  std::vector<Walk> walks_;
};

/// One arc for each pair of ends, the shortest. O(n + arcs).
Graph core_of(Vertex vertex_count, std::vector<Arc> arcs) {
  sort_by(arcs, vertex_count, [](const Arc& arc) { return arc.head; });
  sort_by(arcs, vertex_count, [](const Arc& arc) { return arc.tail; });
  std::vector<Arc> shortest;
  shortest.reserve(arcs.size());
  for (const Arc& arc : arcs) {
    if (!shortest.empty() && shortest.back().tail == arc.tail && shortest.back().head == arc.head) {
      shortest.back().length = std::min(shortest.back().length, arc.length);
    } else {
      shortest.push_back(arc);
    }
  }
  return Graph::from_arcs(vertex_count, shortest);
}

/// The vertices that hang from each vertex, in rows.
struct Children {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> removed;  ///< indices of Trees::removed

  Children(const Trees& trees, Vertex n)
      : offsets(std::size_t{n} + 1), removed(trees.removed.size()) {
    for (const auto& [v, link] : trees.removed) ++offsets[std::size_t{link.other} + 1];
    for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
    for (std::uint32_t i = 0; i < trees.removed.size(); ++i) {
      removed[next[trees.removed[i].second.other]++] = i;
    }
  }
};

}  // namespace

ContractedGraph::ContractedGraph(const Graph& graph, std::uint32_t longest)
    : index_(graph.vertex_count(), kCore) {
  const Vertex n = graph.vertex_count();
  const Links links(graph);
  Trees trees = strip(links);
  std::vector<Arc> arcs;
  for (const Walk& walk : Walker(links, trees, longest).walk_all()) {
    if (walk.tail != walk.head) {
      arcs.push_back({walk.tail, walk.head, static_cast<Length>(walk.ahead)});
      arcs.push_back({walk.head, walk.tail, static_cast<Length>(walk.behind)});
    }
    longest_step_ = std::max({longest_step_, walk.ahead, walk.behind});
    add_chain(walk);
  }
  for (Vertex tail = 0; tail < n; ++tail) {
    if (trees.parts[tail] != Part::core) continue;
    for (const Link& link : links.of(tail)) {
      if (link.out == kNoArc || trees.parts[link.other] != Part::core) continue;
      arcs.push_back({tail, link.other, static_cast<Length>(link.out)});
    }
  }
  core_ = core_of(n, std::move(arcs));
  longest_step_ =
      std::max(longest_step_, static_cast<std::uint64_t>(core_.properties().largest_length));
  const Children children(trees, n);
  std::vector<std::uint32_t> open;
  const auto open_children = [&](Vertex parent) {
    for (std::uint32_t i = children.offsets[parent]; i < children.offsets[parent + 1]; ++i) {
      open.push_back(children.removed[i]);
    }
  };
  for (Vertex root = 0; root < n; ++root) {
    if (trees.parts[root] == Part::tree) continue;
    open_children(root);
    while (!open.empty()) {
      const auto& [v, link] = trees.removed[open.back()];
      open.pop_back();
      index_[v] = static_cast<std::uint32_t>(between_.size() + hanging_.size());
      hanging_.push_back({v, link.other, link.in, link.out});
      open_children(v);
    }
  }
}

void ContractedGraph::add_chain(const Walk& walk) {
  if (walk.between.empty()) return;
  const auto first = static_cast<std::uint32_t>(between_.size());
  for (std::size_t i = 0; i < walk.between.size(); ++i) {
    index_[walk.between[i]] = static_cast<std::uint32_t>(between_.size());
    Between& between = between_.emplace_back();
    between.vertex = walk.between[i];
    between.tail = walk.tail;
    between.head = walk.head;
    between.from_tail = kLengthBits & walk.lengths[i].tail;
    between.from_head = kLengthBits & walk.lengths[i].head;
    between.is_first = i == 0;
    between.is_last = i + 1 == walk.between.size();
  }
  chains_.push_back({walk.tail, walk.head, first, static_cast<std::uint32_t>(between_.size()),
                     static_cast<std::uint32_t>(walk.ahead),
                     static_cast<std::uint32_t>(walk.behind)});
}

std::size_t ContractedGraph::chain_of(std::uint32_t index) const {
  const auto after = std::ranges::upper_bound(chains_, index, {}, &Chain::first);
  return static_cast<std::size_t>(after - chains_.begin()) - 1;
}

std::uint64_t ContractedGraph::bytes() const {
  return chains_.size() * sizeof(Chain) + between_.size() * sizeof(Between) +
         hanging_.size() * sizeof(Hanging) + index_.size() * sizeof(std::uint32_t);
}

}  // namespace bellmark::contracted
