// The keys of the Dijkstra family, shared by sssp/dijkstra and p2p/dijkstra, and the combinations
// of them that are built. Yasui, Fujisawa, Sasajima, Goto: Fast implementation of Dijkstra's
// algorithm for the large-scale shortest path problem (2011), section 3.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/instances.hpp"
#include "algorithms/searches/layouts/layout.hpp"
#include "algorithms/searches/queues/extract.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// The priority queue; each has its file in algorithms/searches/queues/. A heap's storage is for n
/// entries allocated up front (the paper's 2-heap), or grown with the number of entries held
/// (2-heap*).
enum class Queue {
  heap,
  heap_dynamic,
  scan,
  open_set,
  dial,
  double_buckets,
  radix,
  fibonacci,
  multi_level,
  hot,
  bag,
  indirect_heap,
  mbp,
};
inline constexpr std::array kQueues = {
    Queue::heap,     Queue::heap_dynamic, Queue::scan,
    Queue::open_set, Queue::dial,         Queue::double_buckets,
    Queue::radix,    Queue::fibonacci,    Queue::multi_level,
    Queue::hot,      Queue::bag,          Queue::indirect_heap,
    Queue::mbp,
};
constexpr bool is_heap(Queue queue) { return queue == Queue::heap || queue == Queue::heap_dynamic; }
/// Queues of buckets on 1 to kMostLevels levels.
constexpr bool has_levels(Queue queue) {
  return queue == Queue::multi_level || queue == Queue::hot;
}
/// The vertices' records. They have the fields that a search needs, in the widths asked for. Or
/// they have the fields of the programs that Yasui et al. (2011) compare theirs with
/// (queues/program_records.hpp).
enum class Records { lean, program };
/// Queues that those programs alone have.
constexpr bool is_program(Queue queue) {
  return queue == Queue::bag || queue == Queue::indirect_heap || queue == Queue::mbp;
}
/// Queues that come with either records.
constexpr bool has_both_records(Queue queue) {
  return queue == Queue::dial || queue == Queue::double_buckets || queue == Queue::radix ||
         queue == Queue::fibonacci || has_levels(queue);
}
/// The form in which the graph is held: rows of arcs one after the other, an n x n matrix of
/// lengths (Fig. 10), or a list of nodes for each vertex.
enum class Storage { csr, matrix, linked_list };

inline constexpr int kLeastArity = 2;
inline constexpr int kLargestArity = 32;
inline constexpr int kMostLevels = 3;

/// One combination of the compile-time keys. Those that don't apply to the queue keep their
/// defaults here and are absent from its description.
struct Options {
  Queue queue = Queue::heap;
  int arity = 4;                         ///< heaps
  Extract extract = Extract::bottom_up;  ///< heaps
  int levels = 1;                        ///< multi_level and hot
  bool caliber = false;                  ///< multi_level: the caliber heuristic
  Records records = Records::lean;       ///< program: 64 bits for all, and no caliber
  Layout vertices = Layout::aos;         ///< queues other than heaps: aos only
  Layout arcs = Layout::aos;             ///< in storage csr; the others: aos only
  Storage storage = Storage::csr;        ///< heaps of arity 2; the others: csr only
  int width = 32;                        ///< bits of vertex ids, row offsets and lengths
  int distance = 32;                     ///< bits of a distance label

  friend constexpr bool operator==(const Options&, const Options&) = default;
};

/// The fastest combination measured on the New York road graph.
inline constexpr Options kDefault{};

/// The same with labels that hold the distances of every graph. A record then takes a quarter of a
/// cache line.
inline constexpr Options kWideLabels{.distance = 64};

/// The number of factors in which a heap departs from the default, arity and widths aside; the four
/// layouts are one factor. The paper's own layout, at arity 2, agrees with the default in these.
constexpr int changes(const Options& o) {
  return int{o.queue != kDefault.queue} + int{o.extract != kDefault.extract} +
         int{o.vertices != kDefault.vertices || o.arcs != kDefault.arcs};
}

/// Whether this heap on rows of arcs is built.
///   smoke  the default in every width, since a graph may need any of them, and changed in one
///          factor (both layouts at once); the paper's 2-heap and 2-heap*
///   paper  those; every arity in the paper's layout, fewer in the narrowest; at arity 2 the
///          paper's comparisons: one factor changed (width 32), or the queue (width 64)
constexpr bool is_heap_built(const Options& o, Instances instances) {
  const bool narrow = o.width == 32 && o.distance == 32;
  const bool queue_only = changes(o) == int{o.queue != kDefault.queue};
  const bool whole_layout = o.vertices == o.arcs || instances != Instances::smoke;
  if (o.arity == kDefault.arity && changes(o) <= int{narrow} && whole_layout) return true;
  if (o.arity == 2 && o.width == 32 && !narrow && queue_only) return true;
  if (instances == Instances::smoke) return false;
  const bool narrow_arity = o.arity <= 8 || o.arity == 16 || o.arity == 32;
  if (o.width == 32 && changes(o) == 0 && (!narrow || narrow_arity)) return true;
  return o.arity == 2 && (queue_only || (o.width == 32 && changes(o) <= 1));
}

/// Whether this queue that is no heap is built. A 64-bit label is always enough, and the paper's
/// 32-bit version has it. A 32-bit label is built where it makes the records so much smaller that
/// it pays. 64 bits for all are built where the paper compares them or a graph of that size could
/// be searched.
///   smoke  one of each kind, in the paper's layout
///   paper  the programs' forms too
constexpr bool is_other_built(const Options& o, Instances instances) {
  const bool form_of_the_paper = o.width == 32 && o.distance == 64;
  if (instances == Instances::smoke) {
    const bool one_of_a_kind = o.queue == Queue::dial || o.queue == Queue::radix ||
                               (has_levels(o.queue) && o.levels == 2 && !o.caliber);
    if (o.records == Records::program) {
      return o.queue == Queue::dial || o.queue == Queue::indirect_heap || o.queue == Queue::mbp;
    }
    return form_of_the_paper && one_of_a_kind;
  }
  if (o.queue == Queue::scan || o.queue == Queue::open_set || o.caliber) return form_of_the_paper;
  return form_of_the_paper || o.width == 64 || o.queue == Queue::dial;
}

/// Whether this combination is built. 64-bit ids with 32-bit distances are refused, and never get
/// here.
constexpr bool is_built(const Options& o, Instances instances) {
  if (instances == Instances::full) return true;
  if (o.storage != Storage::csr) {
    return instances == Instances::paper && o.width == 32 && o.distance == 64;
  }
  return is_heap(o.queue) ? is_heap_built(o, instances) : is_other_built(o, instances);
}

/// Calls `visit` with every combination of the keys that apply to heaps.
template <class Visit>
constexpr void for_each_heap(int width, int distance, Visit visit) {
  for (int arity = kLeastArity; arity <= kLargestArity; ++arity) {
    for (const Queue queue : {Queue::heap, Queue::heap_dynamic}) {
      for (const Extract extract : {Extract::top_down, Extract::bottom_up}) {
        for (const Layout vertices : {Layout::soa, Layout::aos}) {
          for (const Layout arcs : {Layout::soa, Layout::aos}) {
            Options options;
            options.queue = queue;
            options.arity = arity;
            options.extract = extract;
            options.vertices = vertices;
            options.arcs = arcs;
            options.width = width;
            options.distance = distance;
            visit(options);
          }
        }
      }
    }
  }
  for (const Storage storage : {Storage::matrix, Storage::linked_list}) {
    Options options;
    options.arity = 2;
    options.storage = storage;
    options.width = width;
    options.distance = distance;
    visit(options);
  }
}

/// The same for the other queues.
template <class Visit>
constexpr void for_each_other(int width, int distance, Visit visit) {
  for (const Queue queue : kQueues) {
    if (is_heap(queue)) continue;
    for (int levels = 1; levels <= (has_levels(queue) ? kMostLevels : 1); ++levels) {
      Options options;
      options.queue = queue;
      options.levels = levels;
      options.width = width;
      options.distance = distance;
      if (!is_program(queue)) visit(options);
      options.caliber = true;
      if (queue == Queue::multi_level) visit(options);
      options.caliber = false;
      options.records = Records::program;
      if (width == 64 && (is_program(queue) || has_both_records(queue))) visit(options);
    }
  }
}

/// Calls `visit` with every combination that the keys can spell.
template <class Visit>
constexpr void for_each_options(Visit visit) {
  constexpr std::array<std::array<int, 2>, 3> kWidths = {{{32, 32}, {32, 64}, {64, 64}}};
  for (const auto& [width, distance] : kWidths) {
    for_each_heap(width, distance, visit);
    for_each_other(width, distance, visit);
  }
}

/// Number of combinations built.
constexpr std::size_t built_count(Instances instances) {
  std::size_t count = 0;
  for_each_options([&](const Options& options) { count += is_built(options, instances) ? 1 : 0; });
  return count;
}

/// The combinations of this build.
inline constexpr auto kBuilt = built_by<Options>([](auto add) {
  for_each_options([&](const Options& options) {
    if (is_built(options, kInstances)) add(options);
  });
});

/// The queue's word in keys: `heap-dynamic`.
std::string text(Queue queue);

/// Everything of a Description but its name and summary, which depend on the problem.
Description describe(const Options& options);

/// The bits of a distance label. `auto` becomes 32 when distance_bound(graph) plus `beyond` stays
/// below the largest 32-bit number, which means "unreached". A search that adds only to final
/// distances goes one arc beyond. The bound does not cover labels that are not final yet, so a
/// search that adds to those says how far it goes. Then no addition can overflow. Throws
/// InputError, with the figure, when 32 is wanted and does not fit. O(n + m).
std::string resolve_distance(const std::string& wanted, const Graph& graph, std::uint64_t beyond);
/// One arc beyond.
std::string resolve_distance(const std::string& wanted, const Graph& graph);

/// Buckets take memory by the largest length, whatever the size of the graph. More than 1 GiB is
/// refused where it is also more than 128 times the bytes of the arcs. The paper's largest lengths,
/// 4^15 on a graph of 2^20 vertices, take 117 times the arcs.
inline constexpr std::uint64_t kMostBucketBytes = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMostBucketShare = 128;
/// A matrix takes memory by the square of the vertices: this is 32,768 of them with 32-bit lengths.
inline constexpr std::uint64_t kMostMatrixBytes = std::uint64_t{1} << 32;
/// `levels=auto` takes the fewest levels whose buckets' heads fit into a first-level cache.
inline constexpr std::uint64_t kAutoLevelBytes = std::uint64_t{1} << 15;

/// Turns `auto` into values that the graph allows and that are in `built`:
///   width     32 when arcs can be counted in 32 bits, and it was built
///   distance  64 when width is 64 or no narrower label was built, else by resolve_distance()
///   levels    the fewest whose heads take at most kAutoLevelBytes, else the most
/// Throws InputError, with the figure, when an explicit value does not fit. Throws it too when a
/// matrix would take more than kMostMatrixBytes. It does so as well when the queue's buckets would
/// take more than kMostBucketBytes and kMostBucketShare times the bytes of the arcs.
Settings resolve(const Settings& settings, const Graph& graph,
                 std::span<const Options> built = kBuilt);

}  // namespace bellmark::dijkstra
