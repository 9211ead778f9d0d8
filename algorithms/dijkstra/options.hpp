// The keys of the Dijkstra family, shared by sssp/dijkstra and p2p/dijkstra, and which of their
// combinations are built. Yasui, Fujisawa, Sasajima, Goto: Fast implementation of Dijkstra's
// algorithm for the large-scale shortest path problem (2011), section 3.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/instances.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra {

/// Storage of the queue: for n entries allocated up front (the paper's 2-heap), or grown with the
/// number of entries held (2-heap*).
enum class Queue { heap, heap_dynamic };
/// How entries move in the heap: by swaps (Algorithm 1), or by moving a hole (Algorithm 2).
enum class Extract { top_down, bottom_up };
/// One array a field (the paper's A_ary, N_ary), or one array of structures (A_struct, N_struct).
enum class Layout { soa, aos };

inline constexpr int kLeastArity = 2;
inline constexpr int kLargestArity = 32;

/// One combination of the compile-time keys.
struct Options {
  Queue queue = Queue::heap;
  int arity = 4;
  Extract extract = Extract::bottom_up;
  Layout vertices = Layout::aos;
  Layout arcs = Layout::aos;
  int width = 32;     ///< bits of vertex ids, row offsets and lengths
  int distance = 32;  ///< bits of a distance label

  friend constexpr bool operator==(const Options&, const Options&) = default;
};

/// The fastest measured on the New York road graph.
inline constexpr Options kDefault{};

/// In how many factors `o` departs from the default, arity and widths aside; the four layouts are
/// one factor. The paper's own form, at arity 2, agrees with the default in these.
constexpr int changes(const Options& o) {
  return int{o.queue != kDefault.queue} + int{o.extract != kDefault.extract} +
         int{o.vertices != kDefault.vertices || o.arcs != kDefault.arcs};
}

/// Is this combination built?
///   smoke  the default in every width, since a graph may need any of them, and changed in one
///          factor; the paper's 2-heap and 2-heap*
///   paper  those; every arity; at arity 2 all of the narrowest width, and of the wider ones what
///          the paper compares: one factor changed (width 32), or the queue (width 64)
/// 64-bit ids with 32-bit distances are refused, and never get here.
constexpr bool is_built(const Options& o, Instances instances) {
  if (instances == Instances::full) return true;
  const bool narrow = o.width == 32 && o.distance == 32;
  const bool queue_only = changes(o) == int{o.queue != kDefault.queue};
  if (o.arity == kDefault.arity && changes(o) <= int{narrow}) return true;
  if (o.arity == 2 && o.width == 32 && !narrow && queue_only) return true;
  if (instances == Instances::smoke) return false;
  if (o.width == 32 && changes(o) == 0) return true;
  return o.arity == 2 && (narrow || queue_only || (o.width == 32 && changes(o) <= 1));
}

/// Calls `visit` with every combination that the keys can spell.
template <class Visit>
constexpr void for_each_options(Visit visit) {
  constexpr std::array<std::array<int, 2>, 3> kWidths = {{{32, 32}, {32, 64}, {64, 64}}};
  for (const auto& [width, distance] : kWidths) {
    for (int arity = kLeastArity; arity <= kLargestArity; ++arity) {
      for (const Queue queue : {Queue::heap, Queue::heap_dynamic}) {
        for (const Extract extract : {Extract::top_down, Extract::bottom_up}) {
          for (const Layout vertices : {Layout::soa, Layout::aos}) {
            for (const Layout arcs : {Layout::soa, Layout::aos}) {
              visit(Options{queue, arity, extract, vertices, arcs, width, distance});
            }
          }
        }
      }
    }
  }
}

/// Number of combinations built.
constexpr std::size_t built_count(Instances instances) {
  std::size_t count = 0;
  for_each_options([&](const Options& options) { count += is_built(options, instances) ? 1 : 0; });
  return count;
}

/// The combinations of this build.
inline constexpr auto kBuilt = [] {
  std::array<Options, built_count(kInstances)> built{};
  std::size_t next = 0;
  for_each_options([&](const Options& options) {
    if (is_built(options, kInstances)) built[next++] = options;
  });
  return built;
}();

/// Everything of a Description but its name and summary, which depend on the problem.
Description describe(const Options& options);

/// Bits of a distance label. `auto` becomes 32 when distance_bound(graph) plus one more arc stays
/// below the largest 32-bit number, which means "unreached": then no addition can overflow.
/// Throws InputError, with the figure, when 32 is wanted and does not fit. O(n + m).
std::string resolve_distance(const std::string& wanted, const Graph& graph);

/// Turns `width=auto` and `distance=auto` into what the graph allows:
///   width     32 when arcs can be counted in 32 bits
///   distance  64 when width is 64, else by resolve_distance()
/// Throws InputError when an explicit value does not fit.
Settings resolve(const Settings& settings, const Graph& graph);

}  // namespace bellmark::dijkstra
