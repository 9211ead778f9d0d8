// Delta-stepping by several threads (Meyer, Sanders 2003), with two later ideas. A thread scans the
// vertices that it queues itself, without a barrier (bucket fusion: Zhang, Brahmakshatriya, Chen,
// Dhulipala, Kamil, Amarasinghe, Shun, CGO 2020). A thread that has nothing left gets work of the
// others (Wasp: D'Antonio, Mai, Tsigas, Vandierendonck, SC 2025).
//
// Every thread has approximate buckets of its own, as the sequential search has, and takes them in
// order. A round, between two barriers, has several buckets. Their number is chosen round by round,
// so that each thread has work for longer than a barrier takes. A thread may scan a vertex before
// another finds a shorter path to it. It is scanned again then, but nobody is ahead by more than a
// round. A thread without work in this round asks for some, and a busy one hands it half of its
// rest. While the search is small one thread does it all and no barrier comes.
//
// A scan costs as much as in label_correcting/search.hpp, and a compare-and-swap for each label
// that gets smaller. That is one arc in three on a road graph (8 % more time, measured with one
// thread). Labels that another core wrote last come from its cache, and are asked for in time.
//
// Predecessors form a tree, zero lengths or not. A label is only ever replaced by a smaller one, so
// each vertex gets its final distance once. It gets it from a vertex that has its own final
// distance by then, else the distance would be larger. So along a path of predecessors these
// moments lie earlier and earlier, and no path is a cycle.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/delta_stepping/labels.hpp"
#include "algorithms/searches/delta_stepping/options.hpp"
#include "algorithms/searches/delta_stepping/rounds.hpp"
#include "algorithms/searches/label_correcting/buckets.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "base/first_touch.hpp"
#include "graph/graph.hpp"

namespace bellmark::delta_stepping {

using label_correcting::ArcRecord;
using label_correcting::ArcRows;

/// The counts of the last search, all threads together.
struct Counts {
  std::uint64_t scanned_count = 0;  ///< rows visited; a vertex scanned again counts again
  std::uint64_t queued_count = 0;   ///< labels that got smaller: entries that entered a queue
  std::uint64_t fused_count = 0;    ///< of these, entries for the round that queued them
  std::uint64_t parcel_count = 0;   ///< parcels of work that threads were handed
  std::uint64_t round_count = 0;    ///< barriers
};

/// A search by `Tuning::thread_count` threads; by one without atomic operations.
/// label_correcting::ApproximateSearch describes push_pull; every thread pulls for vertices of its
/// own.
template <Options o>
class Search {
 public:
  explicit Search(const Tuning& tuning) : tuning_(tuning) {}

  /// Makes rows, labels and threads, and in each thread its queue. O(n + m), by_length O(n + m
  /// log(largest degree)).
  void prepare(const Graph& graph, RunContext& context) {
    team_ = std::make_unique<ThreadTeam>(tuning_.thread_count, context);
    {
      // Any thread may label any vertex: equal parts at least keep all nodes equally busy.
      const FirstTouch touch(tuning_.touched_by_threads ? touch_by_threads() : nullptr);
      rows_ = ArcRows<o.rows>(graph);
      labels_ = Labels(graph);
    }
    core_ = graph.arc_count() / 64;
    rounds_ = std::make_unique<Rounds<Parcel>>(tuning_.thread_count);
    workers_ = std::vector<Worker>(tuning_.thread_count);
    const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
    // A label pushed lies at most one length and one bucket beyond the round that is scanned.
    const std::uint64_t reach = (largest >> tuning_.delta_log2) + 1 + kMostBuckets;
    team_->run([&](std::size_t thread) {
      workers_[thread].queue = Queue(static_cast<int>(std::bit_width(reach)));
    });
    context.account("arcs", rows_.bytes());
    context.account("vertices", labels_.bytes());
    account_queues(context);
  }

  /// From `source` to all vertices.
  void run(Vertex source, RunContext& context) {
    if (context.work() == nullptr) {
      search<Untallied>(source);
    } else {
      search<Tally>(source);
      count_work(*context.work());
    }
    account_queues(context);
  }

  const Labels& labels() const { return labels_; }
  const Counts& counts() const { return counts_; }
  /// The number of the last search's scans that a sequential Dijkstra would not make. O(n).
  std::uint64_t rescanned_count() const {
    std::uint64_t reached_count = 0;
    for (Vertex v = 0; v < labels_.vertex_count(); ++v) reached_count += labels_.reached(v) ? 1 : 0;
    return counts_.scanned_count - reached_count;
  }

 private:
  template <class AnyTally>
  void search(Vertex source) {
    labels_.begin();
    rounds_->begin();
    const Packing packing = labels_.packing();
    labels_.cursor().set(source, packing.above(packing.word(labels_.zero(), 0)));
    const std::uint64_t first = labels_.zero() >> tuning_.delta_log2;
    counts_ = {};
    scanned_before_ = 0;
    bucket_count_ = workers_.size() == 1 ? kMostBuckets : 1;  // one thread meets nobody
    limit_ = kNoLimit;
    visited_ = 0;
    seeking_ = o.direction == Direction::push_pull;
    plan_ = {.begin = first, .end = first + (seeking_ ? 1 : bucket_count_)};
    team_->run([&](std::size_t thread) {
      Worker& own = workers_[thread];
      own.begin();
      if (thread == 0) own.push(bucket_of(labels_.zero()), packing.word(labels_.zero(), source));
      try {
        if (workers_.size() == 1) {
          work<false, AnyTally>(thread);
        } else {
          work<true, AnyTally>(thread);
        }
      } catch (...) {
        rounds_->fail();
        throw;
      }
    });
    for (const Worker& worker : workers_) {
      counts_.scanned_count += worker.scanned_count;
      counts_.queued_count += worker.queued_count;
      counts_.fused_count += worker.fused_count;
      counts_.parcel_count += worker.parcel_count;
    }
  }

  void count_work(SearchWork& work) const {
    Tally all;
    for (const Worker& worker : workers_) all.add(worker.tally);
    all.lower();  // the source's label
    all.add_distances_to(work);
    work.lacks(WorkCount::settled, kNotFinal);
    work.add(WorkCount::rounds, counts_.round_count);
    if (workers_.size() == 1) {
      work.lacks_atomics(kOneThread);
    } else {
      all.add_atomics_to(work);
    }
  }

  FirstTouch::Touch touch_by_threads() const {
    return [this](std::span<std::byte> memory) {
      team_->run([&](std::size_t thread) { touch_part(memory, thread, team_->size()); });
    };
  }

  /// A label and its vertex, packed as labels are with predecessors.
  using Entry = std::uint64_t;
  using Queue = label_correcting::Buckets<Entry>;
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kNoBucket = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t kMostBuckets = 64;  ///< of a round
  static constexpr std::size_t kAhead = 6;
  /// The number of entries, and of arcs of one row, between two looks whether a thread asks.
  static constexpr std::size_t kOfferEvery = o.rows == Rows::four_slots ? 32 : 4;
  static constexpr std::ptrdiff_t kOfferEveryArcs = 1024;
  static constexpr std::uint64_t kPause = 64;   ///< scans after an offer that was too small
  static constexpr std::size_t kPulled = 2048;  ///< vertices that a thread pulls for at a time

  /// The work that a thread hands over: entries of this round, or the end of a row.
  struct Parcel {
    static constexpr std::size_t kMost = kMostParcel;
    std::size_t count = 0;
    Entry entries[kMost];
    Entry tail = 0;
    const ArcRecord* first = nullptr;
    const ArcRecord* last = nullptr;
  };

  struct alignas(2 * dijkstra::kLineBytes) Worker {
    Queue queue;
    std::vector<Entry> current;       ///< entries of the bucket that is scanned
    std::vector<Entry> spare;         ///< while a parcel is made
    std::vector<Entry> offer;         ///< the same
    std::uint64_t held_count = 0;     ///< entries in the queue
    std::uint64_t next_bucket = 0;    ///< the first that is not empty, when the thread rests
    std::uint64_t offer_from = 0;     ///< scanned_count from which to offer again
    std::uint64_t visited_count = 0;  ///< arcs, not yet in visited_
    std::uint64_t scanned_count = 0;
    std::uint64_t queued_count = 0;
    std::uint64_t fused_count = 0;
    std::uint64_t parcel_count = 0;
    Tally tally;  ///< of the last search that was counted

    void begin() {
      queue.clear();  // a search that failed leaves entries
      held_count = offer_from = visited_count = 0;
      scanned_count = queued_count = fused_count = parcel_count = 0;
    }
    void push(std::uint64_t bucket, Entry entry) {
      queue.push(bucket & queue.mask(), entry);
      ++held_count;
    }
    bool empty(std::uint64_t bucket) const { return queue.empty(bucket & queue.mask()); }
    /// Moves a bucket's entries to the end of `into`.
    void take(std::uint64_t bucket, std::vector<Entry>& into) {
      const std::size_t before = into.size();
      queue.take(bucket & queue.mask(), [&](const Entry* first, const Entry* last) {
        into.insert(into.end(), first, last);
      });
      held_count -= into.size() - before;
    }
    std::uint64_t bytes() const {
      return queue.bytes() +
             (current.capacity() + spare.capacity() + offer.capacity()) * sizeof(Entry);
    }
  };

  /// A round, written by the leader while all others rest.
  struct Plan {
    std::uint64_t begin = 0;  ///< buckets from here
    std::uint64_t end = 0;    ///< to here
    bool pulls = false;       ///< no bucket is scanned, vertices pull
    bool finished = false;
  };

  std::uint64_t bucket_of(std::uint64_t distance) const { return distance >> tuning_.delta_log2; }
  std::uint64_t bucket_of_entry(Entry entry) const {
    return bucket_of(labels_.packing().distance(entry));
  }

  template <bool kShared, class AnyTally>
  void work(std::size_t thread) {
    Worker& own = workers_[thread];
    AnyTally tally;
    while (!plan_.finished && !rounds_->failed()) {
      if (plan_.pulls) {
        pull(own, tally);
      } else {
        scan_from<kShared>(thread, plan_.begin, tally);
      }
      while (rest(thread) == Wake::parcel) {
        scan_from<kShared>(thread, unpack<kShared>(thread, tally), tally);
      }
    }
    if constexpr (AnyTally::kCounts) own.tally = tally;
  }

  using Wake = typename Rounds<Parcel>::Wake;
  using Open = typename Rounds<Parcel>::Open;
  Wake rest(std::size_t thread) {
    Worker& own = workers_[thread];
    own.next_bucket = kNoBucket;
    if (own.held_count > 0) {
      own.next_bucket = plan_.end;
      while (own.empty(own.next_bucket)) ++own.next_bucket;
    }
    return rounds_->rest(thread, [this, &own] {
      plan();
      const auto holds = [](const Worker& worker) { return worker.held_count > 0; };
      const bool alone = own.held_count > 0 && !plan_.pulls &&
                         std::count_if(workers_.begin(), workers_.end(), holds) == 1;
      if (!alone) ++counts_.round_count;
      return alone ? Open::caller : Open::all;
    });
  }

  /// Plans the next round: from the first bucket that is not empty.
  void plan() {
    std::uint64_t first = kNoBucket;
    std::uint64_t scanned_count = 0;
    for (const Worker& worker : workers_) {
      first = std::min(first, worker.next_bucket);
      scanned_count += worker.scanned_count;
    }
    std::uint64_t limit = limit_.load(std::memory_order_relaxed);
    const bool pulled = std::exchange(plan_.pulls, false);
    if (pulled) {
      limit = kNoLimit;
      limit_.store(limit, std::memory_order_relaxed);
    } else if (limit != kNoLimit && (first == kNoBucket || first >= bucket_of(limit))) {
      plan_ = {.begin = bucket_of(limit), .end = bucket_of(limit), .pulls = true};
      pulled_.store(0, std::memory_order_relaxed);
      return;
    }
    if (first == kNoBucket) {
      plan_.finished = true;
      return;
    }
    const bool seeking = seeking_.load(std::memory_order_relaxed);
    if (workers_.size() > 1 && !seeking && !pulled) adapt(scanned_count - scanned_before_);
    scanned_before_ = scanned_count;
    plan_.begin = first;
    plan_.end = first + (seeking ? 1 : bucket_count_);
    if (limit != kNoLimit) plan_.end = std::min(plan_.end, bucket_of(limit));
  }

  /// Twice or half as many buckets a round, when the last one had too little or too much work.
  void adapt(std::uint64_t scanned_count) {
    const std::uint64_t wanted = tuning_.round_scans * workers_.size();
    if (scanned_count < wanted / 2) {
      bucket_count_ = std::min(2 * bucket_count_, kMostBuckets);
    } else if (scanned_count > 2 * wanted) {
      bucket_count_ = std::max(bucket_count_ / 2, std::uint64_t{1});
    }
  }

  /// Scans the thread's own buckets from this one to the end of the round.
  template <bool kShared, class AnyTally>
  void scan_from(std::size_t thread, std::uint64_t bucket, AnyTally& tally) {
    Worker& own = workers_[thread];
    for (; bucket < plan_.end && own.held_count > 0; ++bucket) {
      while (!own.empty(bucket)) {
        own.current.clear();
        own.take(bucket, own.current);
        scan<kShared>(thread, bucket, tally);
      }
    }
  }

  /// Lowers labels along arcs, and queues the vertices whose labels it lowered.
  template <bool kShared, class AnyTally>
  class Relaxation {
   public:
    Relaxation(Search& search, Worker& own, AnyTally& tally)
        : own_(own),
          tally_(tally),
          labels_(search.labels_.cursor()),
          bucket_shift_(labels_.packing.vertex_bits + search.tuning_.delta_log2),
          round_end_(search.plan_.end),
          mask_(own.queue.mask()),
          vertex_count_(search.labels_.vertex_count()) {}
    Relaxation(const Relaxation&) = delete;
    Relaxation& operator=(const Relaxation&) = delete;
    ~Relaxation() {
      own_.queued_count += queued_count_;
      own_.held_count += queued_count_;
      own_.fused_count += fused_count_;
    }

    const Labels::Cursor& labels() const { return labels_; }

    /// The arc to v from the vertex whose entry is `tail`. Whether it lowered v's label.
    bool operator()(Entry tail, Vertex v, std::uint32_t length) {
      const Packing& packing = labels_.packing;
      if constexpr (AnyTally::kCounts) {
        if (v < vertex_count_) tally_.relax();  // beyond it: a row's free slot
      }
      const std::uint64_t through = packing.above(tail) + length * packing.unit;
      const std::uint64_t cleared = through - packing.vertex_mask;
      if (!labels_.template lower<kShared>(v, through, cleared + packing.vertex(tail), tally_)) {
        return false;
      }
      tally_.lower();
      const std::uint64_t bucket = through >> bucket_shift_;
      own_.queue.push(bucket & mask_, cleared + v);
      ++queued_count_;
      fused_count_ += bucket < round_end_ ? 1 : 0;
      return true;
    }

   private:
    Worker& own_;
    AnyTally& tally_;
    const Labels::Cursor labels_;
    const int bucket_shift_;
    const std::uint64_t round_end_;
    const std::size_t mask_;
    const Vertex vertex_count_;
    std::uint64_t queued_count_ = 0;
    std::uint64_t fused_count_ = 0;
  };

  /// Scans own.current, the entries of this bucket.
  template <bool kShared, class AnyTally>
  [[gnu::flatten]] void scan(std::size_t thread, std::uint64_t bucket, AnyTally& tally) {
    Worker& own = workers_[thread];
    const auto rows = rows_.cursor();
    Relaxation<kShared, AnyTally> relax(*this, own, tally);
    const Labels::Cursor labels = relax.labels();
    const Entry* const entries = own.current.data();
    std::size_t end = own.current.size();
    for (std::size_t i = 0; i < std::min(end, kAhead); ++i) {
      rows.prefetch_heads(labels.packing.vertex(entries[i]), labels);
    }
    for (std::size_t i = 0; i < end; ++i) {
      if constexpr (kShared) {
        if (i % kOfferEvery == 0 && rounds_->asked()) end = offer(thread, bucket, i, end);
      }
      if (end - i > kAhead) {
        rows.prefetch_heads(labels.packing.vertex(entries[i + kAhead]), labels);
      }
      if (end - i > 2 * kAhead) {
        const Vertex later = labels.packing.vertex(entries[i + 2 * kAhead]);
        rows.prefetch(later);
        labels.prefetch(later);
      }
      const Entry entry = entries[i];
      const Vertex u = labels.packing.vertex(entry);
      // A smaller label has an entry of its own.
      if (!labels.packing.same_distance(labels.word(u), entry)) continue;
      ++own.scanned_count;
      tally.scan();
      if constexpr (o.rows == Rows::by_length) {
        visit<kShared>(thread, relax, entry, rows.begin(u), rows.end(u));
      } else {
        rows.visit(u, [&](Vertex v, std::uint32_t length) {
          if (relax(entry, v, length)) rows.prefetch(v);
        });
      }
    }
  }

  /// The arcs [arc, last) of the row of the vertex whose entry is `tail`, in order of length: those
  /// below the limit. A thread that scans a long row alone hands its end to a thread that asks.
  template <bool kShared, class AnyTally>
  void visit(std::size_t thread, Relaxation<kShared, AnyTally>& relax, Entry tail,
             const ArcRecord* arc, const ArcRecord* last) {
    if constexpr (o.direction == Direction::push_pull) {
      const std::uint64_t limit = limit_.load(std::memory_order_relaxed);
      if (limit != kNoLimit) {
        const std::uint64_t room = limit - labels_.packing().distance(tail);
        last = std::partition_point(arc, last, [&](ArcRecord a) { return a.length < room; });
      }
      if (seeking_.load(std::memory_order_relaxed)) count_visited(workers_[thread], last - arc);
    }
    while (kShared && last - arc > kOfferEveryArcs) {
      for (const ArcRecord* stop = arc + kOfferEveryArcs; arc != stop; ++arc) {
        relax(tail, arc->head, arc->length);
      }
      if (rounds_->asked()) last = offer_arcs(thread, tail, arc, last);
    }
    for (; arc != last; ++arc) relax(tail, arc->head, arc->length);
  }

  /// Once 1/64 of the arcs were visited, labels from the horizon on are left out: from the first
  /// bucket's lower end beyond it. A limit beyond every distance bounds nothing, and would take
  /// labels of earlier searches for this one's.
  void count_visited(Worker& own, std::ptrdiff_t count) {
    own.visited_count += static_cast<std::uint64_t>(count);
    if (own.visited_count <= core_ / 16) return;  // spares a shared line
    const std::uint64_t before = visited_.fetch_add(own.visited_count, std::memory_order_relaxed);
    if (before + own.visited_count > core_ && seeking_.exchange(false, std::memory_order_relaxed)) {
      const std::uint64_t wanted = (plan_.end << tuning_.delta_log2) - 1 + tuning_.horizon;
      const std::uint64_t limit = (bucket_of(wanted) + 1) << tuning_.delta_log2;
      if (limit < labels_.end()) limit_.store(limit, std::memory_order_relaxed);
    }
    own.visited_count = 0;
  }

  /// Labels below the limit are final; every other vertex takes the least distance that their arcs
  /// offer. All threads together take O(n), and the rows of the others as far as they can matter.
  template <class AnyTally>
  void pull(Worker& own, AnyTally& tally) {
    if constexpr (o.direction == Direction::push_pull) {
      const std::uint64_t limit = limit_.load(std::memory_order_relaxed);
      const std::size_t n = labels_.vertex_count();
      while (true) {
        const std::size_t first = pulled_.fetch_add(kPulled, std::memory_order_relaxed);
        if (first >= n) return;
        const std::size_t last = std::min(n, first + kPulled);
        for (std::size_t v = first; v < last; ++v)
          pull_for(static_cast<Vertex>(v), limit, own, tally);
      }
    }
  }

  template <class AnyTally>
  void pull_for(Vertex v, std::uint64_t limit, Worker& own, AnyTally& tally) {
    const auto rows = rows_.cursor();
    const Labels::Cursor labels = labels_.cursor();
    const std::uint64_t label = labels.distance(v);
    if (label < limit) return;
    std::uint64_t least = label;
    Vertex predecessor = label_correcting::kNone;
    const ArcRecord* arc = rows.begin(v);
    for (; arc != rows.end(v) && labels_.zero() + arc->length < least; ++arc) {
      tally.relax();
      const std::uint64_t from = labels.distance(arc->head);
      if (from >= limit || from + arc->length >= least) continue;
      least = from + arc->length;
      predecessor = arc->head;
    }
    if (predecessor == label_correcting::kNone) return;
    tally.lower();
    labels.set(v, labels.packing.word(least, predecessor));
    own.push(bucket_of(least), labels.packing.word(least, v));
    ++own.queued_count;
  }

  /// Hands the back half of the rest of this round to a thread that asks: of own.current from
  /// `next` on, and where that is little of the buckets after it. It is the back half because
  /// entries beside each other in a bucket tend to lie beside each other in the graph. Returns the
  /// new end of own.current.
  std::size_t offer(std::size_t thread, std::uint64_t bucket, std::size_t next, std::size_t end) {
    Worker& own = workers_[thread];
    if (own.scanned_count < own.offer_from) return end;
    const std::size_t kept = end - std::min((end - next) / 2, Parcel::kMost);
    own.offer.assign(own.current.begin() + kept, own.current.begin() + end);
    for (std::uint64_t b = bucket + 1; b < plan_.end && own.offer.size() < tuning_.least_parcel;
         ++b) {
      if (!own.empty(b)) halve(own, b);
    }
    const auto receiver = own.offer.size() >= tuning_.least_parcel ? rounds_->claim(thread)
                                                                   : std::optional<std::size_t>();
    if (!receiver) {
      own.offer_from = own.scanned_count + kPause;
      for (std::size_t i = end - kept; i < own.offer.size(); ++i) {
        own.push(bucket_of_entry(own.offer[i]), own.offer[i]);
      }
      return end;
    }
    Parcel& parcel = rounds_->parcel(*receiver);
    parcel.count = own.offer.size();
    std::copy(own.offer.begin(), own.offer.end(), parcel.entries);
    parcel.first = parcel.last = nullptr;
    rounds_->deliver(*receiver);
    ++own.parcel_count;
    return kept;
  }

  /// Moves the back half of a bucket to own.offer, as far as a parcel holds it.
  void halve(Worker& own, std::uint64_t bucket) {
    own.spare.clear();
    own.take(bucket, own.spare);
    const std::size_t room = Parcel::kMost - own.offer.size();
    const std::size_t kept = own.spare.size() - std::min(own.spare.size() / 2, room);
    for (std::size_t i = 0; i < kept; ++i) own.push(bucket, own.spare[i]);
    own.offer.insert(own.offer.end(), own.spare.begin() + kept, own.spare.end());
  }

  /// The same for the arcs of one row. Returns the new end.
  const ArcRecord* offer_arcs(std::size_t thread, Entry tail, const ArcRecord* arc,
                              const ArcRecord* last) {
    const auto receiver = rounds_->claim(thread);
    if (!receiver) return last;
    const ArcRecord* const middle = arc + (last - arc) / 2;
    Parcel& parcel = rounds_->parcel(*receiver);
    parcel.count = 0;
    parcel.tail = tail;
    parcel.first = middle;
    parcel.last = last;
    rounds_->deliver(*receiver);
    ++workers_[thread].parcel_count;
    return middle;
  }

  /// Takes the parcel that the thread was handed. Returns its first bucket.
  template <bool kShared, class AnyTally>
  std::uint64_t unpack(std::size_t thread, AnyTally& tally) {
    Worker& own = workers_[thread];
    const Parcel& parcel = rounds_->parcel(thread);
    std::uint64_t first = plan_.end;
    for (std::size_t i = 0; i < parcel.count; ++i) {
      const std::uint64_t bucket = bucket_of_entry(parcel.entries[i]);
      first = std::min(first, bucket);
      own.push(bucket, parcel.entries[i]);
    }
    if (parcel.first != parcel.last) {
      first = std::min(first, bucket_of_entry(parcel.tail));
      Relaxation<kShared, AnyTally> relax(*this, own, tally);
      visit<kShared>(thread, relax, parcel.tail, parcel.first, parcel.last);
    }
    return first;
  }

  void account_queues(RunContext& context) const {
    std::uint64_t bytes = 0;
    for (const Worker& worker : workers_) bytes += worker.bytes() + sizeof(Parcel);
    context.account("queue", bytes);
  }

  Tuning tuning_;
  ArcRows<o.rows> rows_;
  Labels labels_;
  std::unique_ptr<Rounds<Parcel>> rounds_;
  std::vector<Worker> workers_;
  Counts counts_;
  Plan plan_;
  std::uint64_t bucket_count_ = 1;    ///< of a round
  std::uint64_t scanned_before_ = 0;  ///< until the last round
  std::uint64_t core_ = 0;  ///< this many arcs visited mean that the search has met the core

  // Of push_pull, read often and written once or twice a search.
  alignas(2 * dijkstra::kLineBytes) std::atomic<std::uint64_t> limit_ = kNoLimit;
  std::atomic<bool> seeking_ = false;  ///< before the core is met
  // Written often.
  alignas(2 * dijkstra::kLineBytes) std::atomic<std::uint64_t> visited_ = 0;  ///< while seeking
  alignas(2 * dijkstra::kLineBytes) std::atomic<std::size_t> pulled_ = 0;  ///< vertices given out

  std::unique_ptr<ThreadTeam> team_;  ///< last: its threads end first
};

}  // namespace bellmark::delta_stepping
