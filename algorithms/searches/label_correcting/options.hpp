// The keys of the label-correcting family, shared by sssp and p2p, and the values of `auto` on a
// graph.
#pragma once

#include <cstdint>
#include <string>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/instances.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

/// Approximate buckets (Cherkassky, Goldberg, Radzik 1996: DIKBA; Meyer, Sanders 2003:
/// delta-stepping), or two queues (Pallottino 1984).
enum class Queue { approximate, two_queue };
/// The form in which arcs lie: four slots a vertex and no offsets, or rows ordered by length.
enum class Rows { four_slots, by_length };
/// Settled vertices push along their arcs. Or, once the search has reached the graph's core,
/// unsettled vertices pull instead (Chakaravarthy, Checconi, Murali, Petrini, Sabharwal 2017).
enum class Direction { push, push_pull };

/// The places where a point-to-point search begins: the source, or the target too.
enum class Sides { one, both };

/// One combination of the compile-time keys.
struct Options {
  Queue queue = Queue::approximate;
  Rows rows = Rows::four_slots;
  Direction direction = Direction::push;
  bool prefetch = true;
  int distance = 32;  ///< bits of a distance label

  /// Whether `contract=chains` is built: the others have no search from several vertices.
  constexpr bool contracts() const {
    return queue == Queue::approximate && direction == Direction::push;
  }
  /// These options where they do, and else any that do.
  constexpr Options contracting() const { return contracts() ? *this : Options(); }

  friend constexpr bool operator==(const Options&, const Options&) = default;
};

/// The combinations built: without prefetching only for comparison, in one combination.
inline constexpr auto kBuilt = built_by<Options>([](auto add) {
  for (const int distance : {32, 64}) {
    add({.distance = distance});
    add({.rows = Rows::by_length, .distance = distance});
    add({.rows = Rows::by_length, .direction = Direction::push_pull, .distance = distance});
    add({.queue = Queue::two_queue, .distance = distance});
    if (distance == 32) add({.prefetch = false});
  }
});

/// The run-time keys, resolved.
struct Tuning {
  int delta_log2 = 0;         ///< a bucket is 2^delta_log2 wide
  std::uint64_t horizon = 0;  ///< length that push-pull pushes beyond the core's first vertex
  bool guided = false;        ///< by potentials; of a search from both sides
};
Tuning tuning(const Settings& resolved);

/// Everything of a Description but its name and summary, which depend on the problem.
Description describe(const Options& options);

/// Turns `auto`, and 0, into the values that the graph asks for:
///   rows       four-slots where at most one arc in eight is beyond the fourth of its row, and 32
///              bits count vertices and arcs
///   direction  push-pull with rows by length, on a symmetric graph with a core: a mean degree of 8
///              or more, and a row 8 times as long
///   distance   32 where distance_bound() fits (dijkstra::resolve_distance)
///   delta      the power of two nearest to the length that one arc of every two vertices stays
///              below, but wide enough for kMostBuckets; an explicit one is rounded down to a
///              power of two. Of lengths spread evenly from 0 on that is mean length / mean degree
///   horizon    a quarter of the mean length; 0 with direction=push
/// Throws InputError, with the figure, when an explicit value does not fit. O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);

/// The values of `rows=auto` and `direction=auto` with queue=approximate. O(n).
struct AutoValues {
  Rows rows;
  Direction direction;
};
AutoValues auto_values(const Graph& graph);

inline constexpr std::uint64_t kMostBuckets = 4096;

/// resolve() of a variant that has the key `contract` (contracted/key.hpp).
Settings resolve_contracting(const Settings& settings, const Graph& graph);

/// The key `sides` of point-to-point variants.
Key sides_key();
Sides sides_of(const Settings& settings);

/// The key `potential` of point-to-point variants.
Key potential_key();
bool is_guided(const Settings& settings);

/// resolve() of a variant that has these keys.
Settings resolve_sides(const Settings& settings, const Graph& graph);

/// The longest chain whose labels kMostBuckets hold.
std::uint32_t longest_chain(const Tuning& tuning);

/// Whether kMostBuckets have to be so wide that a bucket holds long chains of corrections. Light
/// arcs are those shorter than a bucket is wide. The product is their count a vertex, times the
/// bucket's width in mean light lengths. It is some 4 where `delta=0` has the width that it wants.
/// From 16 on Dijkstra's search is faster: measured on Delaunay and hyperbolic graphs with
/// log-uniform lengths. O(n).
bool has_skewed_lengths(const Graph& graph);

}  // namespace bellmark::label_correcting
