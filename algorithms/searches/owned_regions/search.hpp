// Shortest paths by several threads, each of which owns regions of the graph.
//
// Only its owner reads and writes a label, with plain loads and stores, so that no cache line moves
// between cores for it. An arc that leads to another owner's vertex sends a message. Every thread
// has approximate buckets of its own and takes them in order. There is no barrier: a thread waits
// only where it is `window` buckets ahead of the last one. A label that it takes too early is
// corrected later, as in every label-correcting search. The search ends when no thread has work and
// no message is under way. One counter tells it.
//
// A scan costs as much as in label_correcting/search.hpp, and a bit of a map that lies in the first
// two levels of cache. An arc that crosses costs 16 bytes written and read in sequence. It also has
// its share of the lines that pass from core to core, some 100 ns a batch.
//
// Predecessors form a tree, zero lengths or not: as in delta_stepping/search.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/spin_barrier.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/contracted/contracted_graph.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/label_correcting/buckets.hpp"
#include "algorithms/searches/label_correcting/core_labels.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "algorithms/searches/label_correcting/rows.hpp"
#include "algorithms/searches/owned_regions/mailbox.hpp"
#include "algorithms/searches/owned_regions/regions.hpp"
#include "base/error.hpp"
#include "base/spin_pause.hpp"
#include "graph/graph.hpp"

namespace bellmark::owned_regions {

using label_correcting::kNone;

/// The run-time keys, resolved.
struct Tuning {
  std::size_t thread_count = 1;
  std::size_t region_count = 1;
  int delta_log2 = 0;        ///< a bucket is 2^delta_log2 wide
  std::uint64_t window = 1;  ///< number of buckets that a thread may be ahead of another
  bool contracts = false;    ///< leaves and chains are left out
};

/// The counts of the last search, all threads together.
struct Counts {
  std::uint64_t scanned_count = 0;  ///< rows visited; a vertex scanned again counts again
  std::uint64_t queued_count = 0;   ///< labels that got smaller
  std::uint64_t message_count = 0;  ///< arcs scanned that lead to another owner's vertex
};

inline void note(Phase& phase, const Counts& counts) {
  phase.note("scanned_count", counts.scanned_count);
  phase.note("queued_count", counts.queued_count);
  phase.note("message_count", counts.message_count);
}

template <class Distance>
class Search {
 public:
  using Labelled = label_correcting::Epochs<Distance, label_correcting::Rows::four_slots>;

  explicit Search(const Tuning& tuning) : tuning_(tuning) {}

  /// O(n + m).
  void prepare(const Graph& graph, RunContext& context) {
    label_correcting::Tuning bucket_tuning;
    bucket_tuning.delta_log2 = tuning_.delta_log2;
    auto longest = static_cast<std::uint64_t>(graph.properties().largest_length);
    Graph searched = graph;
    if (tuning_.contracts) {
      contracted_.emplace(graph, label_correcting::longest_chain(bucket_tuning));
      searched = contracted_->core();
      longest = contracted_->longest_step();
      context.account("chains", contracted_->bytes());
    }
    labels_ = Labelled(graph.vertex_count(), distance_bound(graph).value);
    deal(searched);
    barrier_ = std::make_unique<SpinBarrier>(tuning_.thread_count);
    team_ = std::make_unique<ThreadTeam>(tuning_.thread_count, context);
    workers_ = std::vector<Worker>(tuning_.thread_count);
    mailboxes_ = std::vector<Mailbox<Message>>(tuning_.thread_count * tuning_.thread_count);
    // A label pushed lies at most one step beyond the bucket that is taken, by a thread that may be
    // a window ahead. A label still further on is only taken too early. So are labels that wait
    // while a late message sends a thread back. Room for more windows keeps that rare.
    constexpr std::uint64_t kWindows = 8;
    const std::uint64_t reach = (longest >> tuning_.delta_log2) + 1 + kWindows * tuning_.window;
    const int ring_log2 = static_cast<int>(std::bit_width(std::min(reach, kMostBuckets)));
    team_->run([&](std::size_t thread) { workers_[thread].buckets = Buckets(ring_log2); });
    context.account("arcs", rows_.bytes() + crossing_.bytes());
    context.account("vertices", labels_.bytes() + owners_.size() + border_.size() * sizeof(Word));
    context.account("messages", mailboxes_.size() * sizeof(Message) * Mailbox<Message>::kCapacity);
    account_queues(context);
  }

  /// From `source` to all vertices.
  void run(Vertex source, RunContext& context) {
    labels_.begin();
    failed_.store(false, std::memory_order_relaxed);
    for (Mailbox<Message>& mailbox : mailboxes_) mailbox.clear();
    const contracted::End alone{source, 0};
    std::span<const contracted::End> seeds(&alone, 1);
    if (contracted_) {
      source_.find(*contracted_, source);
      seeds = source_.ends();
    }
    for (Worker& worker : workers_) worker.begin();
    for (const contracted::End& seed : seeds) plant(seed);
    const bool counts = context.work() != nullptr;
    for (Worker& worker : workers_) worker.publish_place();
    work_.store(static_cast<std::int64_t>(workers_.size()), std::memory_order_relaxed);
    team_->run([&](std::size_t thread) {
      try {
        if (counts) {
          search<Tally>(thread);
        } else {
          search<Untallied>(thread);
        }
      } catch (...) {
        failed_.store(true, std::memory_order_relaxed);
        for (int i = 0; i < kFinishBarriers; ++i) barrier_->wait();
        throw;
      }
      finish(thread);
    });
    counts_ = {};
    for (Worker& worker : workers_) {
      counts_.scanned_count += worker.scanned_count;
      counts_.queued_count += worker.queued_count;
      counts_.message_count += worker.message_count;
      worker.buckets.clear();
    }
    if (counts) count_work(seeds.size(), *context.work());
    account_queues(context);
  }

  const Labelled& labels() const { return labels_; }
  const Counts& counts() const { return counts_; }

 private:
  using Word = std::uint64_t;
  using Rows = label_correcting::ArcRows<label_correcting::Rows::four_slots>;
  using Entry = label_correcting::Pair<Distance>;
  using Buckets = label_correcting::Buckets<Entry>;
  static constexpr std::ptrdiff_t kAhead = 6;
  static constexpr std::uint64_t kMostBuckets = 2 * label_correcting::kMostBuckets;
  static constexpr std::uint64_t kIdle = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t kLineBytes = 64;

  struct Message {
    Vertex vertex;
    Vertex predecessor;
    Distance label;
  };

  /// Arcs to vertices of other owners, by tail.
  struct Crossing {
    std::vector<std::uint32_t> offsets;
    std::vector<label_correcting::ArcRecord> arcs;

    std::uint64_t bytes() const {
      return offsets.size() * sizeof(std::uint32_t) +
             arcs.size() * sizeof(label_correcting::ArcRecord);
    }
  };

  /// A thread's part of the search. Its place is on a line of its own: others read it.
  struct alignas(kLineBytes) Worker {
    Buckets buckets;
    std::uint64_t bucket = kIdle;  ///< nothing waits in an earlier one
    std::uint64_t limit = 0;       ///< a bucket beyond it waits for other threads
    std::uint64_t queued_count = 0;
    std::uint64_t taken_count = 0;  ///< entries that left the queue
    std::uint64_t scanned_count = 0;
    std::uint64_t message_count = 0;
    Tally tally;  ///< of the last search that was counted
    alignas(kLineBytes) std::atomic<std::uint64_t> place = kIdle;  ///< bucket, for the others

    void begin() {
      bucket = kIdle;
      limit = queued_count = taken_count = scanned_count = message_count = 0;
    }
    bool is_empty() const { return queued_count == taken_count; }
    void publish_place() { place.store(is_empty() ? kIdle : bucket, std::memory_order_relaxed); }
  };

  void account_queues(RunContext& context) {
    std::uint64_t bytes = 0;
    for (const Worker& worker : workers_) bytes += worker.buckets.bytes();
    context.account("queue", bytes);
  }

  /// Messages are the arcs across, and are tested by their receivers.
  void count_work(std::size_t seed_count, SearchWork& work) const {
    Tally all;
    for (const Worker& worker : workers_) all.add(worker.tally);
    all.lowered_count += seed_count;
    all.add_distances_to(work);
    work.lacks(WorkCount::settled, kNotFinal);
    work.lacks(WorkCount::rounds, kNoRounds);
    work.lacks_atomics(kNoAtomics);
  }

  /// Owners, the rows within them, and the arcs across.
  void deal(const Graph& graph) {
    const Vertex n = graph.vertex_count();
    owners_ = deal_regions(graph, tuning_.region_count, tuning_.thread_count);
    border_.assign(n / 64 + 1, 0);
    crossing_.offsets.assign(std::size_t{n} + 1, 0);
    crossing_.arcs.clear();
    std::vector<Arc> inner;
    inner.reserve(graph.arc_count());
    for (Vertex u = 0; u < n; ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        const Vertex v = graph.heads()[e];
        if (owners_[u] == owners_[v]) {
          inner.push_back({u, v, graph.length(e)});
        } else {
          crossing_.arcs.push_back({v, static_cast<std::uint32_t>(graph.length(e))});
          border_[u / 64] |= Word{1} << (u % 64);
        }
      }
      crossing_.offsets[std::size_t{u} + 1] = static_cast<std::uint32_t>(crossing_.arcs.size());
    }
    rows_ = Rows(Graph::from_arcs(n, inner));
  }

  std::uint64_t bucket_of(std::uint64_t label) const { return label >> tuning_.delta_log2; }

  void plant(const contracted::End& seed) {
    const std::uint64_t label = labels_.zero() + seed.distance;
    if (label >= labels_.cursor().distance(seed.vertex)) return;
    improve(workers_[owners_[seed.vertex]], seed.vertex, static_cast<Distance>(label), kNone);
  }

  /// A smaller label of an own vertex, and its entry.
  void improve(Worker& own, Vertex v, Distance label, Vertex predecessor) {
    labels_.cursor().set(v, label, predecessor);
    const std::uint64_t bucket = bucket_of(label);
    own.buckets.push(bucket & own.buckets.mask(), {label, v});
    own.bucket = std::min(own.bucket, bucket);
    ++own.queued_count;
    rows_.cursor().prefetch(v);
  }

  Mailbox<Message>& mailbox(std::size_t from, std::size_t to) {
    return mailboxes_[from * workers_.size() + to];
  }

  /// Takes all messages that were sent to the thread; returns their number.
  template <class AnyTally>
  std::uint64_t receive(std::size_t thread, AnyTally& tally) {
    Worker& own = workers_[thread];
    std::uint64_t count = 0;
    for (std::size_t other = 0; other < workers_.size(); ++other) {
      if (other == thread) continue;
      count += mailbox(other, thread)
                   .take([&](const Message& message) { labels_.cursor().prefetch(message.vertex); },
                         [&](const Message& message) {
                           if (message.label >= labels_.cursor().distance(message.vertex)) return;
                           tally.lower();
                           improve(own, message.vertex, message.label, message.predecessor);
                         });
    }
    return count;
  }

  /// Messages are counted as work before anybody can take them.
  void publish(std::size_t thread) {
    for (std::size_t other = 0; other < workers_.size(); ++other) {
      if (other == thread) continue;
      Mailbox<Message>& box = mailbox(thread, other);
      const std::uint64_t count = box.unpublished();
      if (count == 0) continue;
      work_.fetch_add(static_cast<std::int64_t>(count), std::memory_order_relaxed);
      box.publish();
    }
  }

  /// Active threads and messages count as work. Threads that have taken `count` messages are
  /// active, or become so.
  void count_received(std::uint64_t count, bool& active) {
    if (count == 0) return;
    const std::int64_t becomes = active ? 0 : 1;
    active = true;
    work_.fetch_add(becomes - static_cast<std::int64_t>(count), std::memory_order_acq_rel);
  }

  template <class AnyTally>
  void search(std::size_t thread) {
    Worker& own = workers_[thread];
    AnyTally tally;
    bool active = true;
    int spins = 0;
    const auto rest = [&] {
      if (++spins % kSpins == 0) std::this_thread::yield();
      spin_pause();
    };
    while (!failed_.load(std::memory_order_relaxed)) {
      count_received(receive(thread, tally), active);
      if (own.is_empty()) {
        if (active) {
          own.place.store(kIdle, std::memory_order_relaxed);
          own.bucket = kIdle;
          active = false;
          work_.fetch_sub(1, std::memory_order_acq_rel);
        }
        if (work_.load(std::memory_order_acquire) == 0) {
          if constexpr (AnyTally::kCounts) own.tally = tally;
          return;
        }
        rest();
        continue;
      }
      while (own.buckets.empty(own.bucket & own.buckets.mask())) ++own.bucket;
      own.publish_place();
      if (own.bucket > own.limit && !may_go_on(thread)) {
        rest();
        continue;
      }
      own.buckets.take(own.bucket & own.buckets.mask(), [&](const Entry* first, const Entry* last) {
        scan(thread, first, last, tally);
      });
      publish(thread);
    }
  }

  /// Whether the thread is within the window of the last one.
  bool may_go_on(std::size_t thread) {
    Worker& own = workers_[thread];
    std::uint64_t last = kIdle;
    for (const Worker& worker : workers_) {
      if (&worker != &own) last = std::min(last, worker.place.load(std::memory_order_relaxed));
    }
    own.limit = std::min(last, own.bucket) + tuning_.window;
    return own.bucket <= own.limit;
  }

  template <class AnyTally>
  void scan(std::size_t thread, const Entry* first, const Entry* last, AnyTally& tally) {
    Worker& own = workers_[thread];
    const auto rows = rows_.cursor();
    const auto labels = labels_.cursor();
    const int delta_log2 = tuning_.delta_log2;
    const std::size_t mask = own.buckets.mask();
    const Word* const border = border_.data();
    [[maybe_unused]] const Vertex vertex_count = labels_.vertex_count();
    std::uint64_t queued_count = 0;
    std::uint64_t scanned_count = 0;
    // A thread's share of a bucket is short, so that its first entries count.
    const Entry* const ahead = first + std::min(kAhead, last - first);
    for (const Entry* entry = first; entry != ahead; ++entry) {
      rows.prefetch_heads(entry->vertex(), labels);
    }
    for (const Entry* entry = first; entry != last; ++entry) {
      if (last - entry > kAhead) rows.prefetch_heads(entry[kAhead].vertex(), labels);
      if (last - entry > 2 * kAhead) {
        rows.prefetch(entry[2 * kAhead].vertex());
        labels.prefetch(entry[2 * kAhead].vertex());
      }
      const Vertex u = entry->vertex();
      const Distance label = entry->distance();
      if (labels.distance(u) != label) continue;  // a smaller one was scanned, or will be
      ++scanned_count;
      tally.scan();
      rows.visit(u, [&](Vertex v, std::uint32_t length) {
        if constexpr (AnyTally::kCounts) {
          if (v < vertex_count) tally.relax();  // beyond it: a row's free slot
        }
        const std::uint64_t through = std::uint64_t{label} + length;
        if (through >= labels.distance(v)) return;
        tally.lower();
        labels.set(v, static_cast<Distance>(through), u);
        own.buckets.push((through >> delta_log2) & mask, {static_cast<Distance>(through), v});
        ++queued_count;
        rows.prefetch(v);
      });
      if ((border[u / 64] >> (u % 64) & 1) != 0) [[unlikely]] {
        send_across(thread, u, label, tally);
      }
    }
    own.taken_count += static_cast<std::uint64_t>(last - first);
    own.queued_count += queued_count;
    own.scanned_count += scanned_count;
  }

  template <class AnyTally>
  void send_across(std::size_t thread, Vertex u, Distance label, AnyTally& tally) {
    for (std::uint32_t i = crossing_.offsets[u]; i < crossing_.offsets[std::size_t{u} + 1]; ++i) {
      const label_correcting::ArcRecord arc = crossing_.arcs[i];
      const std::uint64_t through = std::uint64_t{label} + arc.length;
      tally.relax();
      if (through > std::numeric_limits<Distance>::max()) continue;  // beyond every distance
      const Message message{arc.head, u, static_cast<Distance>(through)};
      Mailbox<Message>& box = mailbox(thread, owners_[arc.head]);
      while (!box.put(message)) make_room(thread, tally);
      ++workers_[thread].message_count;
    }
  }

  /// The reader of a full mailbox may itself wait for room in ours.
  template <class AnyTally>
  void make_room(std::size_t thread, AnyTally& tally) {
    publish(thread);
    bool active = true;
    count_received(receive(thread, tally), active);
    if (failed_.load(std::memory_order_relaxed)) {
      throw MachineError("sssp/owned-regions", "another thread failed");
    }
    spin_pause();
  }

  /// Leaves and chains, by all threads.
  void finish(std::size_t thread) {
    if (!contracted_) {
      for (int i = 0; i < kFinishBarriers; ++i) barrier_->wait();
      return;
    }
    const label_correcting::CoreLabels<Labelled, Distance> rest(*contracted_, source_, labels_);
    const label_correcting::Share share{thread, workers_.size()};
    barrier_->wait();
    const bool rests = !failed_.load(std::memory_order_relaxed);
    if (rests && thread == 0) rest.write_source();
    barrier_->wait();
    if (rests) rest.write_between(share);
    barrier_->wait();
    if (rests) rest.write_ends(share);
    barrier_->wait();
    if (rests) rest.write_trees(share);
  }

  static constexpr int kSpins = 512;
  static constexpr int kFinishBarriers = 4;

  Tuning tuning_;
  std::optional<contracted::ContractedGraph> contracted_;
  contracted::Outlet<contracted::Way::from> source_;
  std::vector<Owner> owners_;
  std::vector<Word> border_;  ///< a bit a vertex: whether an arc of it crosses
  Rows rows_;                 ///< of arcs within owners
  Crossing crossing_;
  Labelled labels_;
  std::unique_ptr<SpinBarrier> barrier_;
  std::unique_ptr<ThreadTeam> team_;
  std::vector<Worker> workers_;
  std::vector<Mailbox<Message>> mailboxes_;
  /// Threads that are active, and messages that nobody has taken.
  alignas(kLineBytes) std::atomic<std::int64_t> work_ = 0;
  alignas(kLineBytes) std::atomic<bool> failed_ = false;
  Counts counts_;
};

}  // namespace bellmark::owned_regions
