#include "algorithms/searches/contracted/contracted_graph.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

namespace bellmark::contracted {

namespace {

constexpr std::uint32_t kLengthBits = std::numeric_limits<Length>::max();
constexpr std::uint32_t kNoArc = std::numeric_limits<std::uint32_t>::max();

/// An edge as one of its ends sees it: the shortest arc to the other end, and the shortest from
/// there.
struct Link {
  Vertex other;
  std::uint32_t out;
  std::uint32_t in;

  bool both_ways() const { return out != kNoArc && in != kNoArc; }
};

/// Rows of links: each vertex's neighbours, once each and in order, without itself.
class Links {
 public:
  /// O(n + m log(largest degree)).
  explicit Links(const Graph& graph) {
    offsets_.reserve(std::size_t{graph.vertex_count()} + 1);
    offsets_.push_back(0);
    links_.reserve(graph.arc_count());
    if (graph.properties().symmetric) {
      read_symmetric(graph);
    } else {
      read(graph, Entering(graph));
    }
  }

  Vertex vertex_count() const { return static_cast<Vertex>(offsets_.size() - 1); }
  std::span<const Link> of(Vertex v) const {
    return std::span(links_).subspan(offsets_[v], offsets_[std::size_t{v} + 1] - offsets_[v]);
  }

 private:
  struct Neighbour {
    Vertex vertex;
    std::uint32_t length;
  };

  /// Rows of the arcs that enter each vertex, in the order of their tails.
  struct Entering {
    std::vector<std::size_t> offsets;
    std::vector<Neighbour> neighbours;

    explicit Entering(const Graph& graph)
        : offsets(std::size_t{graph.vertex_count()} + 1), neighbours(graph.arc_count()) {
      for (const Vertex head : graph.heads()) ++offsets[std::size_t{head} + 1];
      for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
      std::vector<std::size_t> next(offsets.begin(), offsets.end() - 1);
      for (Vertex tail = 0; tail < graph.vertex_count(); ++tail) {
        for (Offset e = graph.row_offsets()[tail]; e < graph.row_offsets()[tail + 1]; ++e) {
          neighbours[next[graph.heads()[e]]++] = {tail, length_of(graph, e)};
        }
      }
    }
  };

  static std::uint32_t length_of(const Graph& graph, Offset e) {
    return static_cast<std::uint32_t>(graph.length(e));
  }

  /// Takes the heads of the arcs that leave `v`, by number, and parallel arcs by length.
  void take_leaving(const Graph& graph, Vertex v) {
    leaving_.clear();
    for (Offset e = graph.row_offsets()[v]; e < graph.row_offsets()[v + 1]; ++e) {
      if (graph.heads()[e] != v) leaving_.push_back({graph.heads()[e], length_of(graph, e)});
    }
    std::ranges::sort(leaving_, [](const Neighbour& one, const Neighbour& other) {
      return one.vertex != other.vertex ? one.vertex < other.vertex : one.length < other.length;
    });
  }

  /// Each arc has a partner of its own length.
  void read_symmetric(const Graph& graph) {
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      take_leaving(graph, v);
      for (const Neighbour& one : leaving_) {
        if (has_last(one.vertex)) continue;
        links_.push_back({one.vertex, one.length, one.length});
      }
      offsets_.push_back(links_.size());
    }
  }

  void read(const Graph& graph, const Entering& entering) {
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      take_leaving(graph, v);
      auto out = leaving_.begin();
      std::size_t in = entering.offsets[v];
      const std::size_t in_end = entering.offsets[std::size_t{v} + 1];
      while (out != leaving_.end() || in < in_end) {
        const bool leaves = in == in_end || (out != leaving_.end() &&
                                             out->vertex <= entering.neighbours[in].vertex);
        const Neighbour& one = leaves ? *out : entering.neighbours[in];
        if (one.vertex != v) {
          if (!has_last(one.vertex)) links_.push_back({one.vertex, kNoArc, kNoArc});
          std::uint32_t& length = leaves ? links_.back().out : links_.back().in;
          length = std::min(length, one.length);
        }
        if (leaves) {
          ++out;
        } else {
          ++in;
        }
      }
      offsets_.push_back(links_.size());
    }
  }

  /// Whether the row that grows ends in a link to this vertex.
  bool has_last(Vertex vertex) const {
    return links_.size() > offsets_.back() && links_.back().other == vertex;
  }

  std::vector<std::size_t> offsets_;
  std::vector<Link> links_;
  std::vector<Neighbour> leaving_;  ///< of one vertex at a time
};

constexpr std::uint32_t kAlone = std::numeric_limits<std::uint32_t>::max();

/// The components, numbered by their first vertices. Vertices without neighbours are in none.
struct Components {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> numbers;  ///< by vertex

  /// O(n + m).
  explicit Components(const Links& links) : numbers(links.vertex_count(), kAlone) {
    std::vector<Vertex> open;
    for (Vertex v = 0; v < links.vertex_count(); ++v) {
      if (numbers[v] != kAlone || links.of(v).empty()) continue;
      numbers[v] = count;
      open.push_back(v);
      while (!open.empty()) {
        const Vertex next = open.back();
        open.pop_back();
        for (const Link& link : links.of(next)) {
          if (numbers[link.other] != kAlone) continue;
          numbers[link.other] = count;
          open.push_back(link.other);
        }
      }
      ++count;
    }
  }

  /// The vertices by component, and in each by number. O(n).
  std::vector<Vertex> order() const {
    std::vector<Vertex> next(std::size_t{count} + 2);
    const auto place = [this](std::uint32_t number) { return std::min(number, count); };
    for (const std::uint32_t number : numbers) ++next[std::size_t{place(number)} + 1];
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    std::vector<Vertex> order(numbers.size());
    for (Vertex v = 0; v < numbers.size(); ++v) order[next[place(numbers[v])]++] = v;
    return order;
  }
};

/// The part in which a vertex lies.
enum class Part : std::uint8_t { core, chain, tree };

/// The vertices that hang in trees, each with the link from which it hangs.
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

/// Every chain, and the vertices between their ends.
struct Chains {
  std::vector<Chain> chains;  ///< also those that were cut before their first vertex
  std::vector<Between> between;
};

/// Walks along chains; vertices that a chain leaves out join the core.
class Walker {
 public:
  Walker(const Links& links, Trees& trees, std::uint32_t longest)
      : links_(links), trees_(trees), longest_(longest), walked_(links.vertex_count(), false) {}

  /// Chains of a component follow each other where its vertices do in `order`. O(n + m).
  Chains walk_all(std::span<const Vertex> order) {
    for (const Vertex v : order) {
      if (is_between(v)) trees_.parts[v] = Part::chain;
    }
    for (const Vertex v : order) {
      if (trees_.parts[v] == Part::core) walk_from(v);
    }
    // The remaining ones are circles without a crossing, each of them a component.
    for (const Vertex v : order) {
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

  /// Walks every chain of this vertex of the core, and of the vertices that cut them short.
  void walk_from(Vertex v) {
    tails_.assign(1, v);
    while (!tails_.empty()) {
      const Vertex tail = tails_.back();
      tails_.pop_back();
      for (const Link& link : links_.of(tail)) {
        if (trees_.parts[link.other] != Part::chain || walked_[link.other]) continue;
        if (walk(tail, link)) tails_.push_back(walks_.chains.back().head);
      }
    }
  }

  /// From `tail` over `link` to the next vertex of the core. A chain that gets too long ends before
  /// that: at a vertex that joins the core. It then returns true.
  bool walk(Vertex tail, Link link) {
    std::vector<Between>& between = walks_.between;
    const std::size_t first = between.size();
    std::uint64_t ahead = 0;
    std::uint64_t behind = 0;
    Vertex before = tail;
    bool is_cut = false;
    while (trees_.parts[link.other] == Part::chain) {
      const Link onward = next(link.other, before);
      if (ahead + link.out + onward.out > longest_ || behind + link.in + onward.in > longest_) {
        trees_.parts[link.other] = Part::core;
        is_cut = true;
        break;
      }
      ahead += link.out;
      behind += link.in;
      before = link.other;
      walked_[before] = true;
      Between& one = between.emplace_back();
      one.vertex = before;
      one.tail = tail;
      one.from_tail = kLengthBits & ahead;
      one.from_head = kLengthBits & behind;
      link = onward;
    }
    ahead += link.out;
    behind += link.in;
    for (Between& one : std::span(between).subspan(first)) {
      one.head = link.other;
      // Until here this is the length back to the tail; the rest of the whole leads from the head.
      one.from_head = kLengthBits & (behind - one.from_head);
    }
    if (between.size() > first) {
      between[first].is_first = 1;
      between.back().is_last = 1;
    }
    walks_.chains.push_back({tail, link.other, static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(between.size()),
                             static_cast<std::uint32_t>(ahead),
                             static_cast<std::uint32_t>(behind)});
    return is_cut;
  }

  /// The link of a vertex between the ends that doesn't lead back.
  Link next(Vertex v, Vertex before) const {
    return *std::ranges::find_if(links_.of(v), [&](const Link& link) {
      return link.other != before && trees_.parts[link.other] != Part::tree;
    });
  }

  const Links& links_;
  Trees& trees_;
  std::uint64_t longest_;
  std::vector<bool> walked_;
  std::vector<Vertex> tails_;
  Chains walks_;
};

/// Chains as arcs, in rows by their tails.
struct ChainArcs {
  struct Ahead {
    Vertex head;
    Length length;
  };
  std::vector<std::uint32_t> offsets;
  std::vector<Ahead> arcs;

  /// Loops are left out. O(n + chains).
  ChainArcs(std::span<const Chain> chains, Vertex n) : offsets(std::size_t{n} + 1) {
    for (const Chain& chain : chains) {
      if (chain.tail == chain.head) continue;
      ++offsets[std::size_t{chain.tail} + 1];
      ++offsets[std::size_t{chain.head} + 1];
    }
    for (std::size_t v = 1; v < offsets.size(); ++v) offsets[v] += offsets[v - 1];
    arcs.resize(offsets.back());
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
    for (const Chain& chain : chains) {
      if (chain.tail == chain.head) continue;
      arcs[next[chain.tail]++] = {chain.head, static_cast<Length>(chain.ahead)};
      arcs[next[chain.head]++] = {chain.tail, static_cast<Length>(chain.behind)};
    }
  }

  std::span<const Ahead> of(Vertex v) const {
    return std::span(arcs).subspan(offsets[v], offsets[std::size_t{v} + 1] - offsets[v]);
  }
};

/// The core's arcs and the arcs that stand for chains, of each pair of ends the shortest. Of a
/// symmetric graph it is symmetric. O(n + m log(largest degree)).
Graph core_of(const Links& links, const Trees& trees, const ChainArcs& chains, bool is_symmetric) {
  struct Rows {
    std::vector<Offset> offsets;
    std::vector<Vertex> heads;
    std::vector<Length> lengths;
  };
  const Vertex n = links.vertex_count();
  auto rows = std::make_shared<Rows>();
  rows->offsets.reserve(std::size_t{n} + 1);
  rows->offsets.push_back(0);
  std::vector<std::pair<Vertex, Length>> row;
  for (Vertex v = 0; v < n; ++v) {
    row.clear();
    if (trees.parts[v] == Part::core) {
      for (const Link& link : links.of(v)) {
        if (link.out == kNoArc || trees.parts[link.other] != Part::core) continue;
        row.emplace_back(link.other, static_cast<Length>(link.out));
      }
      for (const ChainArcs::Ahead& arc : chains.of(v)) row.emplace_back(arc.head, arc.length);
      if (!chains.of(v).empty()) std::ranges::sort(row);
    }
    for (const auto& [head, length] : row) {
      if (rows->heads.size() > rows->offsets.back() && rows->heads.back() == head) continue;
      rows->heads.push_back(head);
      rows->lengths.push_back(length);
    }
    rows->offsets.push_back(rows->heads.size());
  }
  GraphProperties properties{true, true, 0, 0};
  if (!is_symmetric) {
    properties = find_properties(rows->offsets, rows->heads, rows->lengths);
  } else if (!rows->lengths.empty()) {
    const auto [least, largest] = std::ranges::minmax(rows->lengths);
    properties.least_length = least;
    properties.largest_length = largest;
  }
  return Graph::adopt(rows, rows->offsets, rows->heads, rows->lengths, {}, properties);
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

/// The part of each component in both lists, which have it in one piece.
std::vector<Component> ranges_of(const Components& components, std::span<const Chain> chains,
                                 std::span<const Hanging> hanging) {
  std::vector<Component> ranges(components.count);
  for (std::uint32_t i = 0; i < chains.size(); ++i) {
    Component& range = ranges[components.numbers[chains[i].tail]];
    if (range.chain_end == 0) {
      range.chain_begin = i;
      range.between_begin = chains[i].first;
    }
    range.chain_end = i + 1;
    range.between_end = chains[i].end;
  }
  for (std::uint32_t i = 0; i < hanging.size(); ++i) {
    Component& range = ranges[components.numbers[hanging[i].vertex]];
    if (range.hanging_end == 0) range.hanging_begin = i;
    range.hanging_end = i + 1;
  }
  return ranges;
}

/// Both arrivals of every chain, not in order yet.
std::vector<Arrival> arrivals_of(std::span<const Chain> chains, std::span<const Between> between) {
  std::vector<Arrival> arrivals;
  arrivals.reserve(2 * chains.size());
  for (const Chain& chain : chains) {
    arrivals.push_back({chain.head, chain.tail, chain.ahead, between[chain.end - 1].vertex});
    arrivals.push_back({chain.tail, chain.head, chain.behind, between[chain.first].vertex});
  }
  return arrivals;
}

void sort_by_vertex(std::span<Arrival> arrivals) {
  std::ranges::sort(arrivals, [](const Arrival& one, const Arrival& other) {
    return one.vertex != other.vertex ? one.vertex < other.vertex : one.last < other.last;
  });
}

}  // namespace

ContractedGraph::ContractedGraph(const Graph& graph, std::uint32_t longest)
    : index_(graph.vertex_count(), kCore) {
  const Vertex n = graph.vertex_count();
  const Links links(graph);
  Trees trees = strip(links);
  Components components(links);
  const std::vector<Vertex> order = components.order();
  Chains walked = Walker(links, trees, longest).walk_all(order);
  core_ = core_of(links, trees, ChainArcs(walked.chains, n), graph.properties().symmetric);
  longest_step_ = static_cast<std::uint64_t>(core_.properties().largest_length);
  for (const Chain& chain : walked.chains) {
    longest_step_ =
        std::max({longest_step_, std::uint64_t{chain.ahead}, std::uint64_t{chain.behind}});
  }
  std::erase_if(walked.chains, [](const Chain& chain) { return chain.first == chain.end; });
  chains_ = std::move(walked.chains);
  between_ = std::move(walked.between);
  for (std::uint32_t i = 0; i < between_.size(); ++i) index_[between_[i].vertex] = i;
  const Children children(trees, n);
  std::vector<std::uint32_t> open;
  const auto open_children = [&](Vertex parent) {
    for (std::uint32_t i = children.offsets[parent]; i < children.offsets[parent + 1]; ++i) {
      open.push_back(children.removed[i]);
    }
  };
  for (const Vertex root : order) {
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
  if (components.count > 1) {
    components_ = ranges_of(components, chains_, hanging_);
    component_numbers_ = std::move(components.numbers);
  }
  arrivals_ = arrivals_of(chains_, between_);
  if (components_.empty()) sort_by_vertex(arrivals_);
  for (const Component& part : components_) {
    sort_by_vertex(std::span(arrivals_).subspan(
        std::size_t{2} * part.chain_begin, std::size_t{2} * (part.chain_end - part.chain_begin)));
  }
}

Component ContractedGraph::component_of(Vertex v) const {
  if (components_.empty()) {
    return {0, static_cast<std::uint32_t>(chains_.size()),
            0, static_cast<std::uint32_t>(between_.size()),
            0, static_cast<std::uint32_t>(hanging_.size())};
  }
  const std::uint32_t number = component_numbers_[v];
  return number == kAlone ? Component{} : components_[number];
}

std::size_t ContractedGraph::chain_of(std::uint32_t index) const {
  const auto after = std::ranges::upper_bound(chains_, index, {}, &Chain::first);
  return static_cast<std::size_t>(after - chains_.begin()) - 1;
}

std::uint64_t ContractedGraph::bytes() const {
  return chains_.size() * sizeof(Chain) + between_.size() * sizeof(Between) +
         arrivals_.size() * sizeof(Arrival) + hanging_.size() * sizeof(Hanging) +
         components_.size() * sizeof(Component) +
         (index_.size() + component_numbers_.size()) * sizeof(std::uint32_t);
}

}  // namespace bellmark::contracted
