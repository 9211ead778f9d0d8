// Approximate buckets from the source and, against the arcs, from the target. The search ends when
// no way through the rest can be shorter than the best way found (Pohl, Bi-directional search,
// Machine Intelligence 6, 1971).
//
// Cost: an arc that improves reads the other side's label too, which is asked for in time like the
// own one. On a road graph both sides together scan about half of the vertices that one side would.
// Two circles of half the radius have half the area of one.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/label_correcting/buckets.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "algorithms/searches/label_correcting/search.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

template <Options o>
class BidirectionalSearch {
 public:
  using Distance = typename ApproximateSearch<o>::Distance;
  using Labelled = typename ApproximateSearch<o>::Labelled;
  using SharedRows = typename ApproximateSearch<o>::SharedRows;
  static constexpr std::uint64_t kNoWay = std::numeric_limits<std::uint64_t>::max();

  BidirectionalSearch() = default;
  explicit BidirectionalSearch(const Tuning& tuning) : tuning_(tuning) {}

  /// `whole`: of the graph that this one is a part of. O(n + m).
  void prepare(const Graph& graph, const Whole& whole, RunContext& context) {
    ahead().rows = ApproximateSearch<o>::make_rows(graph, context);
    behind().rows = graph.properties().symmetric
                        ? ahead().rows
                        : ApproximateSearch<o>::make_rows(transposed(graph), context);
    for (Side& side : sides_) {
      side.labels = Labelled(graph.vertex_count(), whole.largest_distance);
      side.buckets = Buckets<Entry>(
          static_cast<int>(std::bit_width((whole.longest_step >> tuning_.delta_log2) + 1)));
    }
    context.account("vertices", ahead().labels.bytes() + behind().labels.bytes());
  }

  /// The shortest way from any of `sources` to any of `targets`, whose distances count.
  void run(std::span<const contracted::End> sources, std::span<const contracted::End> targets,
           RunContext& context) {
    if (context.work() == nullptr) {
      Untallied none;
      search(sources, targets, none);
    } else {
      Tally tally;
      search(sources, targets, tally);
      count_work(tally, *context.work());
    }
    context.account("queue", ahead().buckets.bytes() + behind().buckets.bytes());
  }

  /// kNoWay where none was found.
  std::uint64_t distance() const { return distance_; }
  /// A vertex on the way; the sides' predecessors lead from there to its ends.
  Vertex meeting() const { return meeting_; }
  const Labelled& from_source() const { return sides_[0].labels; }
  const Labelled& to_target() const { return sides_[1].labels; }
  Counts counts() const {
    return {sides_[0].scanned_count + sides_[1].scanned_count,
            sides_[0].queued_count + sides_[1].queued_count};
  }

 private:
  using Entry = Pair<Distance>;
  static constexpr std::ptrdiff_t kAhead = 6;

  struct Side {
    SharedRows rows;
    Labelled labels;
    Buckets<Entry> buckets;
    std::uint64_t bucket = 0;  ///< the first that may hold anything
    std::uint64_t queued_count = 0;
    std::uint64_t taken_count = 0;  ///< entries that left the queue
    std::uint64_t scanned_count = 0;

    std::uint64_t waiting() const { return queued_count - taken_count; }
    bool is_empty() const { return waiting() == 0; }
  };

  Side& ahead() { return sides_[0]; }
  Side& behind() { return sides_[1]; }

  template <class AnyTally>
  void search(std::span<const contracted::End> sources, std::span<const contracted::End> targets,
              AnyTally& tally) {
    distance_ = kNoWay;
    meeting_ = kNone;
    for (Side& side : sides_) side.labels.begin();
    begin(ahead(), behind(), sources, tally);
    begin(behind(), ahead(), targets, tally);
    // A side that has nothing left has settled all vertices that it reaches: the other's ends too.
    while (!ahead().is_empty() && !behind().is_empty()) {
      find_bucket(ahead());
      find_bucket(behind());
      if (settled(ahead()) + settled(behind()) >= distance_) break;
      if (ahead().waiting() <= behind().waiting()) {
        take(ahead(), behind(), tally);
      } else {
        take(behind(), ahead(), tally);
      }
    }
    for (Side& side : sides_) side.buckets.clear();
  }

  template <class AnyTally>
  void begin(Side& own, const Side& other, std::span<const contracted::End> seeds,
             AnyTally& tally) {
    own.queued_count = own.taken_count = own.scanned_count = 0;
    const auto labels = own.labels.cursor();
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const contracted::End& seed : seeds) {
      const std::uint64_t label = own.labels.zero() + seed.distance;
      if (label >= labels.distance(seed.vertex)) continue;
      tally.lower();
      labels.set(seed.vertex, static_cast<Distance>(label), kNone);
      own.buckets.push((label >> tuning_.delta_log2) & own.buckets.mask(),
                       {static_cast<Distance>(label), seed.vertex});
      ++own.queued_count;
      least = std::min(least, label);
      meet(own, other, seed.vertex, label);
    }
    own.bucket = least >> tuning_.delta_log2;
  }

  /// The other side may not have begun: then none of its labels is reached.
  void meet(const Side& own, const Side& other, Vertex v, std::uint64_t label) {
    if (!other.labels.reached(v)) return;
    const std::uint64_t whole = label - own.labels.zero() + other.labels.distance(v);
    if (whole >= distance_) return;
    distance_ = whole;
    meeting_ = v;
  }

  /// Queued labels lie less than a ring ahead.
  void find_bucket(Side& side) {
    while (side.buckets.empty(side.bucket & side.buckets.mask())) ++side.bucket;
  }

  /// Distances below are final.
  std::uint64_t settled(const Side& side) const {
    const std::uint64_t begin = side.bucket << tuning_.delta_log2;
    return begin - std::min(begin, side.labels.zero());
  }

  template <class AnyTally>
  void take(Side& own, Side& other, AnyTally& tally) {
    const std::size_t bucket = own.bucket & own.buckets.mask();
    const std::uint64_t other_settled = settled(other);
    while (!own.buckets.empty(bucket)) {
      own.buckets.take(bucket, [&](const Entry* first, const Entry* last) {
        scan(own, other, other_settled, first, last, tally);
      });
    }
  }

  /// A label is scanned only if a way through unsettled vertices of the other side could be shorter
  /// than the best.
  template <class AnyTally>
  [[gnu::flatten]] void scan(Side& own, const Side& other, std::uint64_t other_settled,
                             const Entry* first, const Entry* last, AnyTally& tally) {
    const auto rows = own.rows->cursor();
    const auto labels = own.labels.cursor();
    const auto others = other.labels.cursor();
    const int delta_log2 = tuning_.delta_log2;
    const std::size_t mask = own.buckets.mask();
    std::uint64_t queued_count = 0;
    std::uint64_t scanned_count = 0;
    for (const Entry* entry = first; entry != last; ++entry) {
      if constexpr (o.prefetch) {
        if (last - entry > kAhead) {
          rows.prefetch_heads(entry[kAhead].vertex(), labels);
          rows.prefetch_heads(entry[kAhead].vertex(), others);
        }
        if (last - entry > 2 * kAhead) {
          rows.prefetch(entry[2 * kAhead].vertex());
          labels.prefetch(entry[2 * kAhead].vertex());
        }
      }
      const Vertex u = entry->vertex();
      const Distance label = entry->distance();
      if (labels.distance(u) != label) continue;  // a smaller one was scanned, or will be
      if (label - own.labels.zero() + other_settled >= distance_) continue;
      ++scanned_count;
      tally.scan();
      rows.visit(u, [&](Vertex v, std::uint32_t length) {
        if constexpr (AnyTally::kCounts) {
          if (v < own.labels.vertex_count()) tally.relax();  // beyond it: a row's free slot
        }
        const std::uint64_t through = std::uint64_t{label} + length;
        if (through >= labels.distance(v)) return;
        tally.lower();
        labels.set(v, static_cast<Distance>(through), u);
        own.buckets.push((through >> delta_log2) & mask, {static_cast<Distance>(through), v});
        ++queued_count;
        meet(own, other, v, through);
        if constexpr (o.prefetch && o.rows == Rows::four_slots) rows.prefetch(v);
      });
    }
    own.taken_count += static_cast<std::uint64_t>(last - first);
    own.queued_count += queued_count;
    own.scanned_count += scanned_count;
  }

  Tuning tuning_;
  std::array<Side, 2> sides_;
  std::uint64_t distance_ = kNoWay;
  Vertex meeting_ = kNone;
};

}  // namespace bellmark::label_correcting
