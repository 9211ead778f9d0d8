// A label-correcting search of a graph's core from one vertex to another, and the whole way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/searches/contracted/contracted_graph.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/label_correcting/bidirectional_search.hpp"
#include "algorithms/searches/label_correcting/search.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

/// The search begins where the source meets the core. It ends when the ends that the target hangs
/// from are final; or it begins at both (Sides::both). Ways within a tree, or along a chain that
/// both lie on, need no search.
template <Options o, Sides sides>
class ContractedRoute {
 public:
  static constexpr std::uint64_t kNoWay = std::numeric_limits<std::uint64_t>::max();

  ContractedRoute() = default;
  explicit ContractedRoute(const Tuning& tuning) : tuning_(tuning), search_(tuning) {}

  /// O(n + m).
  void prepare(const Graph& graph, RunContext& context) {
    graph_ = contracted::ContractedGraph(graph, longest_chain(tuning_));
    const Whole whole = {distance_bound(graph).value, graph_.longest_step()};
    if constexpr (sides == Sides::both) {
      search_.prepare(graph_.core(), whole, graph.coordinates(), context);
    } else {
      search_.prepare(graph_.core(), whole, Inner::make_rows(graph_.core(), context), context);
    }
    number_chains();
    context.account("chains", graph_.bytes() + (offsets_.size() + at_.size()) * sizeof(Vertex));
  }

  void run(Vertex source, Vertex target, RunContext& context) {
    source_.find(graph_, source);
    target_.find(graph_, target);
    reversed_.clear();
    counts_ = {};
    if (source_.root().vertex == target_.root().vertex) {
      if (context.work() != nullptr) count_work({}, *context.work());
      return stay_in_tree();
    }
    const Meeting meeting = search_core(context);
    counts_ = search_.counts();
    distance_ = along();
    const bool is_through_core = meeting.distance < distance_;
    distance_ = std::min(distance_, meeting.distance);
    if (distance_ == kNoWay) return;
    for (const contracted::End& climbed : target_.climbed()) reversed_.push_back(climbed.vertex);
    reversed_.push_back(target_.root().vertex);
    if (is_through_core) {
      come_to_meeting(meeting.vertex);
      come_from_meeting(meeting.vertex);
    } else {
      walk(target_.index(), source_.index());
    }
    reversed_.push_back(source_.root().vertex);
    drop_to_source(source_.climbed().size());
  }

  /// kNoWay where none leads there.
  std::uint64_t distance() const { return distance_; }
  /// From the target to the source; empty where there is no way.
  std::span<const Vertex> reversed() const { return reversed_; }
  const Counts& counts() const { return counts_; }

 private:
  using Inner =
      std::conditional_t<sides == Sides::both, BidirectionalSearch<o>, ApproximateSearch<o>>;
  using Chain = contracted::Chain;
  using Between = contracted::Between;

  /// The place where the search from the target's side begins, and the length of the whole way.
  struct Meeting {
    Vertex vertex;
    std::uint64_t distance;
  };

  const auto& from_source() const {
    if constexpr (sides == Sides::both) {
      return search_.from_source();
    } else {
      return search_.labels();
    }
  }

  Meeting search_core(RunContext& context) {
    if constexpr (sides == Sides::both) {
      search_.run(source_.ends(), target_.ends(), context);
      return {search_.meeting(), search_.distance()};
    } else {
      std::array<Vertex, 2> ends = {};
      const std::size_t end_count = target_.ends().size();
      for (std::size_t i = 0; i < end_count; ++i) ends[i] = target_.ends()[i].vertex;
      search_.run(source_.ends(), std::span(ends).first(end_count), context);
      Meeting meeting = {kNone, kNoWay};
      for (const contracted::End& end : target_.ends()) {
        if (!search_.labels().reached(end.vertex)) continue;
        const std::uint64_t whole = search_.labels().distance(end.vertex) + end.distance;
        if (whole < meeting.distance) meeting = {end.vertex, whole};
      }
      return meeting;
    }
  }

  /// Rows of the chains that begin or end at each vertex.
  void number_chains() {
    const std::span<const Chain> chains = graph_.chains();
    offsets_.assign(std::size_t{graph_.core().vertex_count()} + 1, 0);
    for (const Chain& chain : chains) {
      ++offsets_[std::size_t{chain.tail} + 1];
      ++offsets_[std::size_t{chain.head} + 1];
    }
    for (std::size_t v = 1; v < offsets_.size(); ++v) offsets_[v] += offsets_[v - 1];
    at_.resize(2 * chains.size());
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::uint32_t i = 0; i < chains.size(); ++i) {
      at_[next[chains[i].tail]++] = i;
      at_[next[chains[i].head]++] = i;
    }
  }

  /// Both hang from one root: the way goes up to the last vertex that both ways have, and down.
  /// O(depth).
  void stay_in_tree() {
    const auto up = source_.climbed();
    const auto down = target_.climbed();
    std::size_t ups = up.size();
    std::size_t downs = down.size();
    Vertex turn = source_.root().vertex;
    distance_ = source_.root().distance + target_.root().distance;
    while (ups > 0 && downs > 0 && up[ups - 1].vertex == down[downs - 1].vertex) {
      turn = up[--ups].vertex;
      distance_ = up[ups].distance + down[--downs].distance;
    }
    for (const contracted::End& climbed : down.first(downs)) reversed_.push_back(climbed.vertex);
    reversed_.push_back(turn);
    drop_to_source(ups);
  }

  /// Takes the first `count` vertices that the source climbed over, from above.
  void drop_to_source(std::size_t count) {
    while (count > 0) reversed_.push_back(source_.climbed()[--count].vertex);
  }

  /// The length of the way along the chain that both roots lie on, if they do.
  std::uint64_t along() const {
    if (!source_.is_on_chain() || !target_.is_on_chain()) return kNoWay;
    if (source_.chain() != target_.chain()) return kNoWay;
    const Between& from = graph_.between()[source_.index()];
    const Between& to = graph_.between()[target_.index()];
    const std::uint64_t length = source_.index() < target_.index() ? to.from_tail - from.from_tail
                                                                   : to.from_head - from.from_head;
    return source_.root().distance + length + target_.root().distance;
  }

  /// The vertices of a chain from one index to another, without these.
  void walk(std::size_t from, std::size_t to) {
    const std::span<const Between> chained = graph_.between();
    if (from < to) {
      for (std::size_t i = from + 1; i < to; ++i) reversed_.push_back(chained[i].vertex);
    } else {
      for (std::size_t i = from; i-- > to + 1;) reversed_.push_back(chained[i].vertex);
    }
  }

  /// From after one end of a chain to before its index, or the other way round.
  void walk_from_end(const Chain& chain, bool from_tail, std::size_t to) {
    const std::span<const Between> chained = graph_.between();
    if (from_tail) {
      for (std::size_t i = chain.first; i < to; ++i) reversed_.push_back(chained[i].vertex);
    } else {
      for (std::size_t i = chain.end; i-- > to + 1;) reversed_.push_back(chained[i].vertex);
    }
  }
  void walk_to_end(const Chain& chain, bool to_tail, std::size_t from) {
    const std::span<const Between> chained = graph_.between();
    if (to_tail) {
      for (std::size_t i = from; i-- > chain.first;) reversed_.push_back(chained[i].vertex);
    } else {
      for (std::size_t i = from + 1; i < chain.end; ++i) reversed_.push_back(chained[i].vertex);
    }
  }

  /// From after the target's root over one of its ends to the meeting, with it, unless the meeting
  /// is the root.
  void come_to_meeting(Vertex meeting) {
    onward_.assign(1, meeting);
    std::uint64_t to_target = distance_ - from_source().distance(meeting);
    if constexpr (sides == Sides::both) {
      const auto labels = search_.to_target().cursor();
      for (Vertex v = labels.predecessor(meeting); v != kNone; v = labels.predecessor(v)) {
        onward_.push_back(v);
      }
      to_target = search_.to_target().distance(onward_.back());
    }
    const Vertex end = onward_.back();
    if (target_.is_on_chain()) {
      const bool over_first =
          end == target_.ends()[0].vertex && to_target == target_.ends()[0].distance;
      walk_to_end(graph_.chains()[target_.chain()], over_first, target_.index());
      reversed_.push_back(end);
    }
    if constexpr (sides == Sides::both) {
      for (std::size_t i = onward_.size() - 1; i-- > 0;) {
        const Vertex after = onward_[i + 1];
        unpack(onward_[i], after,
               search_.to_target().distance(onward_[i]) - search_.to_target().distance(after));
        reversed_.push_back(onward_[i]);
      }
    }
  }

  /// Back along predecessors, to before the source's root.
  void come_from_meeting(Vertex meeting) {
    const auto& known = from_source();
    const auto labels = known.cursor();
    Vertex v = meeting;
    for (Vertex before = labels.predecessor(v); before != kNone; before = labels.predecessor(v)) {
      unpack(before, v, known.distance(v) - known.distance(before));
      reversed_.push_back(before);
      v = before;
    }
    if (!source_.is_on_chain()) {
      reversed_.pop_back();  // the source's root, or the target's when it is the same
      return;
    }
    const bool from_tail =
        v == source_.ends()[0].vertex && known.distance(v) == source_.ends()[0].distance;
    walk_from_end(graph_.chains()[source_.chain()], from_tail, source_.index());
  }

  /// The vertices between two neighbours of the core: none, or those of a chain of this length,
  /// from `v`.
  void unpack(Vertex before, Vertex v, std::uint64_t length) {
    for (std::uint32_t i = offsets_[v]; i < offsets_[std::size_t{v} + 1]; ++i) {
      const Chain& chain = graph_.chains()[at_[i]];
      if (chain.head == v && chain.tail == before && chain.ahead == length) {
        return walk_to_end(chain, true, chain.end);
      }
      if (chain.tail == v && chain.head == before && chain.behind == length) {
        return walk_from_end(chain, true, chain.end);
      }
    }
  }

  Tuning tuning_;
  contracted::ContractedGraph graph_;
  Inner search_;
  std::vector<std::uint32_t> offsets_;  ///< of each vertex's chains
  std::vector<std::uint32_t> at_;
  contracted::Outlet<contracted::Way::from> source_;
  contracted::Outlet<contracted::Way::to> target_;
  Counts counts_;
  std::uint64_t distance_ = kNoWay;
  std::vector<Vertex> onward_;  ///< from the meeting to the target's side
  std::vector<Vertex> reversed_;
};

}  // namespace bellmark::label_correcting
