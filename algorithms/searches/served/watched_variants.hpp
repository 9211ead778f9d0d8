// Variants whose searches can be seen: the vertices that each settles, and their order. They are
// the timed ones, compiled with a watch that looks on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/served/stop.hpp"
#include "graph/graph.hpp"

namespace bellmark::served {

/// A vertex was settled, or scanned by a search that may scan it again.
struct Event {
  Vertex vertex;
  Vertex predecessor;   ///< the vertex that the label came from; kNoVertex at the search's begin
  std::uint8_t side;    ///< 1: by the search that begins at the target
  std::uint64_t label;  ///< the length of the way that the search knew at that time
};

/// The record of one search.
struct Trace {
  std::vector<Event> events;        ///< the first ones, in order
  std::uint64_t settled_count = 0;  ///< of all; the same number as the variant itself notes
  double search_ms = 0;             ///< of the same search when nothing is kept
  P2p::Answer answer;
};

/// One variant on one graph, prepared once.
class WatchedVariant {
 public:
  virtual ~WatchedVariant() = default;
  /// Searches twice: for the time, and for the events. Throws Stopped; the object is then useless.
  virtual Trace run(const P2p::Query& query, std::size_t most_events, const Stop& stop) = 0;
};

/// The names of all, as patterns of `bellmark run` spell them.
std::vector<std::string> watched_variants();

/// Throws InputError for an unknown name, or a graph that the variant refuses; UnmetError where it
/// can't be prepared, Stopped. It takes as long as the variant's preparation: minutes for a
/// hierarchy of millions of vertices. The stop is looked at between vertices of a hierarchy and
/// between searches from landmarks. Laying out rows, O(n + m), goes to its end.
std::unique_ptr<WatchedVariant> prepare_watched(const std::string& name, const Graph& graph,
                                                const Stop& stop);

}  // namespace bellmark::served
