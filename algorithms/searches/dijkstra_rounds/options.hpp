// The keys of Dijkstra's algorithm with many vertices closed a round, shared by
// sssp/dijkstra-rounds and its counterpart on the GPU, sssp/dijkstra-rounds-gpu. ma2022: Ma
// Zhongping, GPU-based optimisation of single-source shortest path algorithms (2022),
// sections 3.1.3 and 4.1; Crauser, Mehlhorn, Meyer, Sanders: A parallelization of Dijkstra's
// shortest path algorithm (MFCS 1998).
//
// A vertex is unopened (no path to it is known), open (one is) or closed (its distance is final and
// its arcs are relaxed). A round closes and relaxes all open vertices that the criterion proves
// final, at least one of the nearest.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/instances.hpp"
#include "graph/graph.hpp"

namespace bellmark::dijkstra_rounds {

/// The criterion by which open vertices are final. dist is the distance known, M the least of an
/// open vertex; u runs over the open vertices. All lengths are 0 or more.
///
/// The proof: let P be a shortest path to an open vertex v, c its last closed vertex and x the next
/// one. c is final and relaxed, so x is open with its final distance. If x is v, so has v; else P
/// goes on from x, over vertices none of which is closed, and
///   open_out  dist(v) <= D = min over u of (dist(u) + lightest arc of u to a vertex not closed):
///             P goes on by such an arc of x, so its length is D or more: dist(v) is no more.
///             ma2022, section 3.1.3, which prints "unopened" and "<" where only this is right.
///   out       dist(v) <= L = min over u of (dist(u) + lightest arc of u): the same with any arc
///             of x. Crauser et al. 1998, OUT.
///   in        dist(v) - lightest arc into v <= M: P has the length M or more when it is at x, or
///             anywhere later, and ends with an arc into v. Crauser et al. 1998, IN.
///   in_out    final by either of the two. Crauser et al. 1998, section 2.
/// The nearest open vertex meets each of them, because no length is negative: the search goes on. A
/// vertex without such an arc counts as infinite and bounds nothing.
///
/// A criterion that proves more takes fewer rounds. A vertex closed after i rounds of out is closed
/// after i rounds of open_out and of in_out, one closed by in by in_out too.
enum class Criterion { open_out, out, in, in_out };
inline constexpr std::array kCriteria = {Criterion::open_out, Criterion::out, Criterion::in,
                                         Criterion::in_out};

/// The way in which open_out finds the lightest arc to a vertex not closed (ma2022, section 4.1.1).
/// It is the first such arc in a row sorted by length, from its last place on, or the least of the
/// whole row.
enum class Rows { by_length, as_given };

std::string text(Criterion criterion);
std::string text(Rows rows);

/// The keys `criterion` and `rows`.
Key criterion_key();
Key rows_key();

/// One combination of the compile-time keys of sssp/dijkstra-rounds.
struct Options {
  Criterion criterion = Criterion::open_out;
  Rows rows = Rows::by_length;  ///< open_out; the others look at no row: by_length, and no key
  int distance = 32;            ///< bits of a distance label

  friend constexpr bool operator==(const Options&, const Options&) = default;
};

/// The combinations of this build: every one.
inline constexpr auto kBuilt = built_by<Options>([](auto add) {
  for (const int distance : {32, 64}) {
    for (const Criterion criterion : kCriteria) {
      add({criterion, Rows::by_length, distance});
      if (criterion == Criterion::open_out) add({criterion, Rows::as_given, distance});
    }
  }
});

/// Everything of sssp/dijkstra-rounds's Description but its name and summary.
Description describe(const Options& options);

/// Turns `distance=auto` into the narrowest label that fits (dijkstra::resolve_distance). Throws
/// InputError when an explicit one doesn't, or when arcs can't be counted in 32 bits. O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);

}  // namespace bellmark::dijkstra_rounds
