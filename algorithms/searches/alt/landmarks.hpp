// Distances to and from a few vertices, and the lower bounds that follow from them by the triangle
// inequality. Goldberg, Harrelson: Computing the shortest path: A* search meets graph theory, SODA
// 2005.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/searches/dijkstra/search.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "graph/graph.hpp"

namespace bellmark::alt {

using dijkstra::Array;
using dijkstra::kMost;

/// Both distances between a vertex and a landmark.
template <class Label>
struct Ends {
  Label from;  ///< the landmark to the vertex
  Label to;    ///< the vertex to the landmark
};

/// `count` landmarks of a graph and the distances of all vertices to them: 2 * count labels a
/// vertex, those of a vertex side by side, since a query asks for them together.
template <class Label>
class Landmarks {
 public:
  static constexpr Label kInfinite = kMost<Label>;
  using Row = const Ends<Label>*;

  /// Each landmark is the vertex that is farthest from those before it. The first is the one
  /// farthest from vertex 0. Vertices that no landmark reaches are farthest of all, so that every
  /// component gets a landmark while there are some left. O(count * (n + m) log n). `watch` is
  /// asked before each of the searches over the whole graph.
  template <class Watch = Unwatched>
  void prepare(const Graph& graph, std::size_t count, Watch watch = {}) {
    const std::size_t n = graph.vertex_count();
    count_ = std::min(count, n);
    const auto storage = std::make_shared<Array<Ends<Label>>>(n * count_);
    Ends<Label>* const ends = storage->data();
    ends_ = {storage, {ends, n * count_}};
    if (count_ == 0) return;
    const bool is_symmetric = graph.properties().symmetric;
    RunContext own;  // its searches are no part of the variant's memory
    Search forward;
    Search backward;
    forward.prepare(graph, own);
    if (!is_symmetric) backward.prepare(transposed(graph), own);
    std::vector<Label> nearest(n, kInfinite);  // of the landmarks so far, by distances from them
    Vertex landmark = farthest_from_first(forward, own, n);
    for (std::size_t i = 0; i < count_; ++i) {
      watch.prepares();
      search_from(forward, landmark, own);
      for (std::size_t v = 0; v < n; ++v) {
        const Label distance = forward.vertices().distance(static_cast<Vertex>(v));
        ends[v * count_ + i] = {distance, distance};
        nearest[v] = std::min(nearest[v], distance);
      }
      if (!is_symmetric) {
        watch.prepares();
        search_from(backward, landmark, own);
        for (std::size_t v = 0; v < n; ++v) {
          ends[v * count_ + i].to = backward.vertices().distance(static_cast<Vertex>(v));
        }
      }
      landmark = static_cast<Vertex>(std::ranges::max_element(nearest) - nearest.begin());
    }
  }

  void save(prepared::Writer& writer) const { writer.add(ends_); }

  /// The distances to `count` landmarks of a graph with `n` vertices. Throws InputError where there
  /// are more or fewer. Any distances are safe: a search that they mislead still ends.
  void load(std::size_t n, std::size_t count, prepared::Reader& reader) {
    count_ = std::min(count, n);
    ends_ = reader.take<Ends<Label>>();
    if (ends_.size() != n * count_) {
      reader.refuse("has distances to more or fewer landmarks than " + std::to_string(count_));
    }
  }

  bool is_ready() const { return !ends_.empty(); }
  std::uint64_t bytes() const { return ends_.bytes(); }
  std::size_t count() const { return count_; }
  Row row(Vertex v) const { return ends_.data() + std::size_t{v} * count_; }

 private:
  static constexpr dijkstra::Options options() {
    dijkstra::Options options = dijkstra::kDefault;
    options.distance = 8 * sizeof(Label);
    return options;
  }
  using Search = dijkstra::Search<options()>;

  static void search_from(Search& search, Vertex source, RunContext& context) {
    search.forget_all();
    search.run(source, Search::kNone, context);
  }

  static Vertex farthest_from_first(Search& search, RunContext& context, std::size_t n) {
    search_from(search, 0, context);
    Vertex farthest = 0;
    for (std::size_t v = 0; v < n; ++v) {
      const Label distance = search.vertices().distance(static_cast<Vertex>(v));
      if (distance != kInfinite && distance > search.vertices().distance(farthest)) {
        farthest = static_cast<Vertex>(v);
      }
    }
    return farthest;
  }

  std::size_t count_ = 0;
  prepared::Kept<Ends<Label>> ends_;
};

/// The landmark's bound for the way from v to the target: its least length, or kInfinite where it
/// proves that there is no way. It is consistent: on an arc (u, v) that leads to the target, the
/// bound at u is at most the length and the bound at v.
template <class Label>
Label least_distance(const Ends<Label>& v, const Ends<Label>& target) {
  constexpr Label kInfinite = kMost<Label>;
  Label least = 0;
  if (target.to != kInfinite) {
    if (v.to == kInfinite) return kInfinite;  // else v would reach the landmark by the target
    if (v.to > target.to) least = v.to - target.to;
  }
  if (v.from != kInfinite) {
    if (target.from == kInfinite) return kInfinite;  // else the landmark would reach it by v
    if (target.from > v.from) least = std::max<Label>(least, target.from - v.from);
  }
  return least;
}

}  // namespace bellmark::alt
