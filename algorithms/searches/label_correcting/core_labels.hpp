// The labels of a graph's chains and trees, from those of its core.
//
// Cost beyond the search: a vertex of a chain or a tree of the source's component reads 20 or 16
// bytes in order. It reads the labels of its ends or its parent, which mostly lie near, and writes
// its own label.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "algorithms/searches/contracted/contracted_graph.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

/// Of `count` shares of a whole the one with this index.
struct Share {
  std::size_t index = 0;
  std::size_t count = 1;

  std::size_t begin_of(std::size_t size) const { return size * index / count; }
  std::size_t end_of(std::size_t size) const { return size * (index + 1) / count; }
};

/// After a search of the core from the ends of `source`: write_source(), write_between(),
/// write_ends() and write_trees(), one after the other. Threads may take shares of all but the
/// first. Other components are not touched: their vertices are unreached.
template <class Labelled, class Distance>
class CoreLabels {
 public:
  CoreLabels(const contracted::ContractedGraph& graph,
             const contracted::Outlet<contracted::Way::from>& source, const Labelled& labels)
      : graph_(graph),
        source_(source),
        labels_(labels),
        component_(graph.component_of(source.root().vertex)) {}

  /// The vertices that the source climbed over, and the chain that it lies on.
  void write_source() const {
    write_climbed();
    if (source_.is_on_chain()) write_own_chain(graph_.chains()[source_.chain()]);
  }

  void write_between(const Share& share) const {
    const std::size_t size = component_.between_end - component_.between_begin;
    const std::size_t begin = component_.between_begin + share.begin_of(size);
    const std::size_t end = component_.between_begin + share.end_of(size);
    if (!source_.is_on_chain()) return write_between(begin, end);
    const Chain& own = graph_.chains()[source_.chain()];
    write_between(begin, std::min<std::size_t>(end, own.first));
    write_between(std::max<std::size_t>(begin, own.end), end);
  }

  /// Where the core's search came over a chain, the chain's last vertex is the predecessor. A share
  /// has all arrivals at its vertices. Where a record is more than a word, the first share has all.
  void write_ends(const Share& share) const {
    const std::size_t size = 2 * std::size_t{component_.chain_end - component_.chain_begin};
    const bool is_shared = Labelled::kSharesRecords;
    const std::size_t from = is_shared ? share.begin_of(size) : 0;
    const std::size_t to = is_shared ? share.end_of(size) : share.index == 0 ? size : 0;
    const std::size_t end = begin_of_vertex(to);
    std::size_t first = begin_of_vertex(from);
    if (source_.is_on_chain()) {
      for (const std::size_t own : own_arrivals()) {
        if (own < first || own >= end) continue;
        write_arrivals(first, own);
        first = own + 1;
      }
    }
    write_arrivals(first, end);
  }

  /// Parents come first. Those that the source climbed over are known. Shares begin at roots.
  void write_trees(const Share& share) const {
    const std::size_t size = component_.hanging_end - component_.hanging_begin;
    std::size_t first = begin_of_tree(component_.hanging_begin + share.begin_of(size));
    const std::size_t end = begin_of_tree(component_.hanging_begin + share.end_of(size));
    for (std::size_t i = source_.climbed().size(); i-- > 0;) {
      const std::size_t known = graph_.hanging_index(source_.climbed()[i].vertex);
      if (known < first || known >= end) continue;
      write_hanging(graph_.hanging().subspan(first, known - first));
      first = known + 1;
    }
    write_hanging(graph_.hanging().subspan(first, end - first));
  }

 private:
  using Chain = contracted::Chain;
  using Between = contracted::Between;
  using Hanging = contracted::Hanging;
  using Arrival = contracted::Arrival;

  /// An end of a part of a chain: its label, and its distance from the chain's own end.
  struct PartEnd {
    Vertex vertex;
    std::uint64_t label;
    std::uint64_t offset;
  };
  /// The end whose way is taken of two of the same length: the root's.
  enum class Tie { tail, head };
  static constexpr std::size_t kAhead = 16;

  /// `condition ? one : other`, never as a branch.
  static Vertex chosen(bool condition, Vertex one, Vertex other) {
    return other ^ ((one ^ other) & (Vertex{0} - Vertex{condition}));
  }

  Distance label_of(std::uint64_t distance) const {
    return static_cast<Distance>(labels_.zero() + distance);
  }

  void write_climbed() const {
    const auto labels = labels_.cursor();
    Vertex before = kNone;
    for (const contracted::End& climbed : source_.climbed()) {
      labels.set(climbed.vertex, label_of(climbed.distance), before);
      before = climbed.vertex;
    }
    labels.set(source_.root().vertex, label_of(source_.root().distance), before);
  }

  /// There is no branch on the way that is shorter, because nothing predicts it. Where both ways
  /// are equally long, as over lengths of 0, the one is taken that the core's search did not come
  /// by. So predecessors form no cycle.
  void write_between(std::size_t begin, std::size_t end) const {
    const std::span<const Between> chained = graph_.between();
    const auto labels = labels_.cursor();
    const std::uint64_t unreached = labels_.end();
    for (std::size_t i = begin; i < end; ++i) {
      const Between& later = chained[std::min(i + kAhead, chained.size() - 1)];
      labels.prefetch(later.head);
      labels.prefetch(later.vertex);
      const Between between = chained[i];
      const std::uint64_t tail = labels.distance(between.tail);
      if (tail >= unreached) continue;  // and so is the head
      const std::uint64_t ahead = tail + between.from_tail;
      const std::uint64_t head = labels.distance(between.head);
      const std::uint64_t behind = head + between.from_head;
      bool is_ahead = ahead < behind;
      if (ahead == behind) [[unlikely]] {
        is_ahead = labels.predecessor(between.tail) != between.head;
      }
      const std::size_t before_index = i - std::size_t{!between.is_first};
      const std::size_t after_index = i + std::size_t{!between.is_last};
      const Vertex before = chosen(between.is_first, between.tail, chained[before_index].vertex);
      const Vertex after = chosen(between.is_last, between.head, chained[after_index].vertex);
      labels.set(between.vertex, static_cast<Distance>(std::min(ahead, behind)),
                 chosen(is_ahead, before, after));
    }
  }

  /// The arrivals at vertices of the source's component.
  std::span<const Arrival> arrivals() const {
    return graph_.arrivals().subspan(
        2 * std::size_t{component_.chain_begin},
        2 * std::size_t{component_.chain_end - component_.chain_begin});
  }

  /// The first index from this one on where another vertex begins.
  std::size_t begin_of_vertex(std::size_t index) const {
    const auto all = arrivals();
    while (index > 0 && index < all.size() && all[index].vertex == all[index - 1].vertex) ++index;
    return index;
  }

  /// The two of the chain that the source's root lies on, in order.
  std::array<std::size_t, 2> own_arrivals() const {
    const Chain& own = graph_.chains()[source_.chain()];
    const auto index_of = [&](Vertex vertex, std::uint32_t last) {
      const auto all = arrivals();
      const Vertex next = graph_.between()[last].vertex;
      // A loop of one vertex has the same arrival twice.
      auto found = std::ranges::lower_bound(all, vertex, {}, &Arrival::vertex);
      while (found->last != next) ++found;
      return static_cast<std::size_t>(found - all.begin());
    };
    const std::size_t head = index_of(own.head, own.end - 1);
    const std::size_t tail = index_of(own.tail, own.first);
    return {std::min(head, tail), std::max(head, tail)};
  }

  /// Only predecessors change, and of one vertex by one thread alone.
  void write_arrivals(std::size_t begin, std::size_t end) const {
    const auto all = arrivals();
    const auto labels = labels_.cursor();
    for (std::size_t i = begin; i < end; ++i) {
      labels.prefetch(all[std::min(i + kAhead, all.size() - 1)].other);
      const Arrival arrival = all[i];
      const auto own = labels.load(arrival.vertex);
      const Vertex before = own.vertex();
      const std::uint64_t label = own.distance();
      const std::uint64_t over = labels.load(arrival.other).distance() + arrival.length;
      const bool came = (before == arrival.other) & (over == label);
      labels.store(arrival.vertex, {own.distance(), chosen(came, arrival.last, before)});
    }
  }

  /// The chain that the source's root lies on: the root is an end of both its parts.
  void write_own_chain(const Chain& chain) const {
    const auto labels = labels_.cursor();
    const std::span<const Between> chained = graph_.between();
    const std::size_t index = source_.index();
    const Between& root = chained[index];
    const std::uint64_t label = label_of(source_.root().distance);
    const std::uint64_t tail = labels.distance(chain.tail);
    const std::uint64_t head = labels.distance(chain.head);
    write_part(chained.subspan(chain.first, index - chain.first), {chain.tail, tail, 0},
               {root.vertex, label, root.from_head}, Tie::head);
    write_part(chained.subspan(index + 1, chain.end - index - 1),
               {root.vertex, label, root.from_tail}, {chain.head, head, 0}, Tie::tail);
    const bool from_tail =
        labels.predecessor(chain.tail) == kNone && tail == label + chain.behind - root.from_head;
    if (from_tail) labels.set(chain.tail, static_cast<Distance>(tail), chained[chain.first].vertex);
    const bool from_head =
        labels.predecessor(chain.head) == kNone && head == label + chain.ahead - root.from_tail;
    if (from_head) {
      labels.set(chain.head, static_cast<Distance>(head), chained[chain.end - 1].vertex);
    }
  }

  /// Writes a part of a chain, which lies between `tail` and `head`.
  void write_part(std::span<const Between> chained, const PartEnd& tail, const PartEnd& head,
                  Tie tie) const {
    const auto labels = labels_.cursor();
    for (std::size_t i = 0; i < chained.size(); ++i) {
      const std::uint64_t ahead = tail.label + chained[i].from_tail - tail.offset;
      const std::uint64_t behind = head.label + chained[i].from_head - head.offset;
      const bool is_ahead = tie == Tie::tail ? ahead <= behind : ahead < behind;
      const Vertex before = i == 0 ? tail.vertex : chained[i - 1].vertex;
      const Vertex after = i + 1 == chained.size() ? head.vertex : chained[i + 1].vertex;
      labels.set(chained[i].vertex, static_cast<Distance>(std::min(ahead, behind)),
                 is_ahead ? before : after);
    }
  }

  /// The first index from this one on in the component whose parent hangs in no tree.
  std::size_t begin_of_tree(std::size_t index) const {
    const auto hanging = graph_.hanging().first(component_.hanging_end);
    while (index < hanging.size() && graph_.hangs(hanging[index].parent)) ++index;
    return index;
  }

  void write_hanging(std::span<const Hanging> all) const {
    const auto labels = labels_.cursor();
    const std::uint64_t unreached = labels_.end();
    for (const Hanging& hanging : all) {
      const std::uint64_t label = labels.distance(hanging.parent);
      if (label >= unreached) continue;
      labels.set(hanging.vertex, static_cast<Distance>(label + hanging.down), hanging.parent);
    }
  }

  const contracted::ContractedGraph& graph_;
  const contracted::Outlet<contracted::Way::from>& source_;
  const Labelled& labels_;
  contracted::Component component_;
};

}  // namespace bellmark::label_correcting
