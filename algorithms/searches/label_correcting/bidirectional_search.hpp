// Approximate buckets from the source and, against the arcs, from the target. The search ends when
// no way through the rest can be shorter than the best way found (Pohl, Bi-directional search,
// Machine Intelligence 6, 1971).
//
// Potentials make buckets prefer vertices towards the other side's end (potential.hpp). On New York
// that leaves 0.45 of the scans.
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
#include "algorithms/searches/label_correcting/potential.hpp"
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

  /// `whole`: of the graph that this one is a part of. `coordinates`: of its vertices, and unused
  /// unless tuning.guided. O(n + m).
  void prepare(const Graph& graph, const Whole& whole, std::span<const Coordinate> coordinates,
               RunContext& context) {
    ahead().rows = ApproximateSearch<o>::make_rows(graph, context);
    behind().rows = graph.properties().symmetric
                        ? ahead().rows
                        : ApproximateSearch<o>::make_rows(transposed(graph), context);
    // A potential changes along an arc by at most twice its length, and keys count halves.
    const std::uint64_t longest_step = whole.longest_step * (tuning_.guided ? 2 : 1);
    for (Side& side : sides_) {
      side.labels = Labelled(graph.vertex_count(), whole.largest_distance);
      side.buckets = Buckets<Entry>(
          static_cast<int>(std::bit_width((longest_step >> tuning_.delta_log2) + 1)));
    }
    context.account("vertices", ahead().labels.bytes() + behind().labels.bytes());
    if (!tuning_.guided) return;
    places_ = Places(graph, coordinates);
    context.account("places", places_.bytes());
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
    std::int64_t bucket = 0;  ///< the first that may hold anything
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
    if (!tuning_.guided || sources.empty() || targets.empty()) {
      return search(sources, targets, NoPotential(), NoPotential(), tally);
    }
    // Any two vertices give valid potentials. Ends of one chain are near each other.
    const Vertex source = sources[0].vertex;
    const Vertex target = targets[0].vertex;
    search(sources, targets, PlacePotential(places_, source, target),
           PlacePotential(places_, target, source), tally);
  }

  template <class Potential, class AnyTally>
  void search(std::span<const contracted::End> sources, std::span<const contracted::End> targets,
              const Potential& to_target, const Potential& to_source, AnyTally& tally) {
    distance_ = kNoWay;
    meeting_ = kNone;
    for (Side& side : sides_) side.labels.begin();
    begin(ahead(), behind(), sources, to_target, tally);
    begin(behind(), ahead(), targets, to_source, tally);
    // A side that has nothing left has settled all vertices that it reaches: the other's ends too.
    while (!ahead().is_empty() && !behind().is_empty()) {
      find_bucket(ahead());
      find_bucket(behind());
      if (settled<Potential>(ahead()) + settled<Potential>(behind()) >= longest<Potential>()) break;
      if (ahead().waiting() <= behind().waiting()) {
        take(ahead(), behind(), to_target, tally);
      } else {
        take(behind(), ahead(), to_source, tally);
      }
    }
    for (Side& side : sides_) side.buckets.clear();
  }

  template <class Potential, class AnyTally>
  void begin(Side& own, const Side& other, std::span<const contracted::End> seeds,
             const Potential& potential, AnyTally& tally) {
    own.queued_count = own.taken_count = own.scanned_count = 0;
    const auto labels = own.labels.cursor();
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (const contracted::End& seed : seeds) {
      const std::uint64_t label = own.labels.zero() + seed.distance;
      if (label >= labels.distance(seed.vertex)) continue;
      tally.lower();
      labels.set(seed.vertex, static_cast<Distance>(label), kNone);
      const std::int64_t bucket = bucket_of(seed.distance, seed.vertex, potential);
      own.buckets.push(static_cast<std::uint64_t>(bucket) & own.buckets.mask(),
                       {static_cast<Distance>(label), seed.vertex});
      ++own.queued_count;
      least = std::min(least, bucket);
      meet(own, other, seed.vertex, label);
    }
    own.bucket = least;
  }

  template <class Potential>
  static std::int64_t key_of(std::uint64_t distance, Vertex v, const Potential& potential) {
    return static_cast<std::int64_t>(distance << Potential::kShift) + potential.of(v);
  }
  /// Potentials may be negative, and so may buckets be.
  template <class Potential>
  std::int64_t bucket_of(std::uint64_t distance, Vertex v, const Potential& potential) const {
    return key_of(distance, v, potential) >> (tuning_.delta_log2 + Potential::kShift);
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
    while (side.buckets.empty(place_of(side))) ++side.bucket;
  }
  static std::size_t place_of(const Side& side) {
    return static_cast<std::uint64_t>(side.bucket) & side.buckets.mask();
  }

  /// Distances with keys below are final.
  template <class Potential>
  std::int64_t settled(const Side& side) const {
    return side.bucket * (std::int64_t{1} << (tuning_.delta_log2 + Potential::kShift));
  }

  /// Two keys that sum up to so much belong to no way that is shorter than the best one.
  template <class Potential>
  std::int64_t longest() const {
    if (distance_ == kNoWay) return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(distance_ << Potential::kShift);
  }

  template <class Potential, class AnyTally>
  void take(Side& own, Side& other, const Potential& potential, AnyTally& tally) {
    const std::size_t bucket = place_of(own);
    const std::int64_t other_settled = settled<Potential>(other);
    while (!own.buckets.empty(bucket)) {
      own.buckets.take(bucket, [&](const Entry* first, const Entry* last) {
        scan(own, other, other_settled, first, last, potential, tally);
      });
    }
  }

  /// A label is scanned only if a way through unsettled vertices of the other side could be shorter
  /// than the best.
  template <class Potential, class AnyTally>
  [[gnu::flatten]] void scan(Side& own, const Side& other, std::int64_t other_settled,
                             const Entry* first, const Entry* last, const Potential potential,
                             AnyTally& tally) {
    const auto rows = own.rows->cursor();
    const auto labels = own.labels.cursor();
    const auto others = other.labels.cursor();
    const std::uint64_t zero = own.labels.zero();
    const std::size_t mask = own.buckets.mask();
    std::uint64_t queued_count = 0;
    std::uint64_t scanned_count = 0;
    for (const Entry* entry = first; entry != last; ++entry) {
      if constexpr (o.prefetch) {
        if (last - entry > kAhead) {
          rows.prefetch_heads(entry[kAhead].vertex(), labels);
          rows.prefetch_heads(entry[kAhead].vertex(), others);
          if constexpr (Potential::kShift > 0) {
            rows.prefetch_heads(entry[kAhead].vertex(), potential);
          }
        }
        if (last - entry > 2 * kAhead) {
          rows.prefetch(entry[2 * kAhead].vertex());
          labels.prefetch(entry[2 * kAhead].vertex());
        }
      }
      const Vertex u = entry->vertex();
      const Distance label = entry->distance();
      if (labels.distance(u) != label) continue;  // a smaller one was scanned, or will be
      // No potential is computed before a way is known.
      if (distance_ != kNoWay &&
          key_of(label - zero, u, potential) + other_settled >= longest<Potential>()) {
        continue;
      }
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
        const std::int64_t bucket = bucket_of(through - zero, v, potential);
        own.buckets.push(static_cast<std::uint64_t>(bucket) & mask,
                         {static_cast<Distance>(through), v});
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
  Places places_;
  std::uint64_t distance_ = kNoWay;
  Vertex meeting_ = kNone;
};

}  // namespace bellmark::label_correcting
