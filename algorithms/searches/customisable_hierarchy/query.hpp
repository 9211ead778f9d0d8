// Queries to a customised hierarchy: they look at all vertices between an end and its root, in
// order, without a queue. Dibbelt, Strasser, Wagner (SEA 2014), elimination-tree query.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/contract/search_work.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/unpacking.hpp"

namespace bellmark::customisable_hierarchy {

/// Labels lie by depth, since heads are ancestors: some hundred side by side, in the nearest cache.
template <class Label>
class Query {
 public:
  /// All arguments outlive this; of a symmetric graph both rows are the same.
  void prepare(const Elimination& tree, const Rows<Label>& forward, const Rows<Label>& backward) {
    tree_ = &tree;
    rows_ = {&forward, &backward};
    const std::uint32_t deepest =
        tree.depth.empty() ? 0 : *std::max_element(tree.depth.begin(), tree.depth.end());
    for (std::size_t side : {kForward, kBackward}) {
      labels_[side].assign(std::size_t{deepest} + 1, kNone);
      chain_[side].assign(std::size_t{deepest} + 1, kNoVertex);
    }
    steps_.resize(tree.parent.size());
    for (Vertex v = 0; v < steps_.size(); ++v) steps_[v] = {tree.parent[v], tree.depth[v]};
  }

  /// Between the graph's vertices. No path yet.
  void run(Vertex source, Vertex target, SearchWork* work = nullptr) {
    if (work == nullptr) {
      Untallied none;
      return search(source, target, none);
    }
    Tally tally;
    search(source, target, tally);
    work->add(WorkCount::settled, settled_count_);
    tally.add_sequential_to(*work);
  }

  bool is_reached() const { return meeting_ != kNoVertex; }
  Label distance() const { return best_; }
  std::uint64_t settled_count() const { return settled_count_; }
  std::uint64_t bytes() const {
    return steps_.size() * sizeof(Step) + 2 * labels_[0].size() * (sizeof(Word) + sizeof(Vertex));
  }

  /// The last run's path in the graph's vertices; empty when there is none. O(its length x the
  /// rows on it).
  void unpack(std::vector<Vertex>& path) const {
    path.clear();
    if (meeting_ == kNoVertex) return;
    tops_.clear();
    collect(kForward);
    std::ranges::reverse(tops_);
    tops_.push_back(meeting_);
    collect(kBackward);
    unpacking_.run(tops_, UnpackedRows{*this}, tree_->vertex.span(), path);
  }

 private:
  enum : std::size_t { kForward, kBackward };
  using Word = typename Packed<Label>::Word;  ///< a length above the depth of the one before
  static constexpr std::uint32_t kNoDepth = std::numeric_limits<std::uint32_t>::max();
  static constexpr Word kNone = packed<Label>(kNoWay<Label>, kNoDepth);

  struct Step {
    Vertex parent;
    std::uint32_t depth;
  };

  template <class AnyTally>
  void search(Vertex source, Vertex target, AnyTally& tally) {
    Vertex s = tree_->number[source];
    Vertex t = tree_->number[target];
    settled_count_ = 0;
    best_ = kNoWay<Label>;
    meeting_ = kNoVertex;
    begin(kForward, s);
    begin(kBackward, t);
    tally.lower();
    tally.lower();
    // Ancestors have larger numbers: the lesser one is no common ancestor.
    while (s != t) {
      if (s < t) {
        s = climb(kForward, s, tally);
      } else {
        t = climb(kBackward, t, tally);
      }
    }
    for (Vertex v = s; v != kNoVertex; v = steps_[v].parent) {
      const std::uint32_t depth = steps_[v].depth;
      const Label to = length_of<Label>(labels_[kForward][depth]);
      const Label from = length_of<Label>(labels_[kBackward][depth]);
      chain_[kForward][depth] = v;
      chain_[kBackward][depth] = v;
      if (to + from < best_) {
        best_ = to + from;
        meeting_ = v;
      }
      if (to < best_) relax(kForward, v, depth, to, tally);
      if (from < best_) relax(kBackward, v, depth, from, tally);
    }
  }

  void begin(std::size_t side, Vertex v) {
    const std::uint32_t depth = steps_[v].depth;
    std::fill(labels_[side].begin(), labels_[side].begin() + depth, kNone);
    labels_[side][depth] = packed<Label>(0, kNoDepth);
  }

  template <class AnyTally>
  Vertex climb(std::size_t side, Vertex v, AnyTally& tally) {
    const auto [parent, depth] = steps_[v];
    chain_[side][depth] = v;
    const Label length = length_of<Label>(labels_[side][depth]);
    if (length < kNoWay<Label>) relax(side, v, depth, length, tally);
    // The other tree's root is not reached by a vertex of this one.
    return parent;
  }

  template <class AnyTally>
  void relax(std::size_t side, Vertex v, std::uint32_t depth, Label length, AnyTally& tally) {
    ++settled_count_;
    tally.scan();
    const Rows<Label>& rows = *rows_[side];
    Word* const labels = labels_[side].data();
    const Word base = packed<Label>(length, depth);
    const Arc<Label>* const end = rows.arcs.data() + rows.first[v + 1];
    for (const Arc<Label>* arc = rows.arcs.data() + rows.first[v]; arc != end; ++arc) {
      Word& label = labels[arc->depth];
      const Word through = base + (static_cast<Word>(arc->length) << 32);
      tally.relax();
      if constexpr (AnyTally::kCounts) {
        if (through < label) tally.lower();
      }
      label = std::min(label, through);
    }
  }

  /// The vertices from below the meeting to the side's end.
  void collect(std::size_t side) const {
    std::uint32_t depth = number_of(labels_[side][steps_[meeting_].depth]);
    for (; depth != kNoDepth; depth = number_of(labels_[side][depth])) {
      tops_.push_back(chain_[side][depth]);
    }
  }

  /// The vertex that an arc leads over; its row is the less important end's.
  Vertex via(std::size_t side, Vertex low, Vertex high) const {
    const Rows<Label>& rows = *rows_[side];
    const std::uint32_t depth = steps_[high].depth;
    std::uint32_t e = rows.first[low];
    while (rows.arcs[e].depth != depth) ++e;
    return rows.via[e];
  }

  /// The hierarchy as unpacking asks for it.
  struct UnpackedRows {
    const Query& query;
    Vertex over(Vertex u, Vertex v) const {
      return u < v ? query.via(kForward, u, v) : query.via(kBackward, v, u);
    }
    void ask_for_offset(Vertex v) const {
      __builtin_prefetch(query.steps_.data() + v);
      for (const Rows<Label>* rows : query.rows_) {
        __builtin_prefetch(rows->first.data() + v);
        if (query.rows_[kForward] == query.rows_[kBackward]) return;
      }
    }
    void ask_for_row(Vertex v) const {
      for (const Rows<Label>* rows : query.rows_) {
        __builtin_prefetch(rows->arcs.data() + rows->first[v]);
        __builtin_prefetch(rows->via.data() + rows->first[v]);
        if (query.rows_[kForward] == query.rows_[kBackward]) return;
      }
    }
  };

  const Elimination* tree_ = nullptr;
  std::array<const Rows<Label>*, 2> rows_{};
  std::vector<Step> steps_;
  std::array<std::vector<Word>, 2> labels_;
  std::array<std::vector<Vertex>, 2> chain_;  ///< by depth, of the last query
  Label best_ = 0;
  Vertex meeting_ = kNoVertex;
  std::uint64_t settled_count_ = 0;
  // Kept between answers: unpacking allocates nothing.
  mutable std::vector<Vertex> tops_;
  mutable Unpacking unpacking_;
};

}  // namespace bellmark::customisable_hierarchy
