// A made-up road map with the numbers of suzuki's map of Kanto (roads and railways; Table 1 and
// Figure 3), and its map of main roads. generate.hpp has the formula.
//
// Origin of the constants. Vertices, arcs and lengths are the paper's. A planar network of that
// size is more than 2,000 hops across, yet the paper's search ends after about 230 phases (Figure
// 4). The long links, its railways and highways, reduce them. Of all edges 1.6 % are links. Then
// Bellman-Ford in phases (algorithms 1 to 3 of the paper) takes 230 phases on average from five
// sources drawn at random. With 2 % it takes 216, with 5 % 131, with 10 % 110. Nothing else was
// fitted and nothing was timed: experiments find how many vertices a phase updates (S2, S3).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "graph/generate.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

constexpr std::uint64_t kLinksPerMille = 16;

// Every 8.66th line is an arterial road: 138 of 1195 each way, with 310,759 vertices on them. The
// paper's map of main roads has 310,000.
constexpr std::uint64_t kArterialSpacing = 866;
constexpr std::uint64_t kArterialUnit = 100;

constexpr std::uint64_t kLeastVertices = 100;

std::uint64_t edge_count_of(std::uint64_t vertex_count) {
  return (vertex_count * kKantoEdges + kKantoVertices / 2) / kKantoVertices;
}

using RoadEdge = std::pair<Vertex, Vertex>;

/// The edges of a map, made once in the order links, arterials, connecting streets, other streets.
class RoadMap {
 public:
  RoadMap(std::uint64_t vertex_count, std::uint64_t seed)
      : vertex_count_(vertex_count),
        columns_(static_cast<std::uint64_t>(std::ceil(std::sqrt(vertex_count)))) {
    const std::uint64_t edge_count = edge_count_of(vertex_count);
    edges_.reserve(edge_count);
    add_links(edge_count * kLinksPerMille / 1000, Stream(seed, Stream::links));
    add_streets(edge_count, Stream(seed, Stream::keep));
    std::ranges::sort(edges_);
  }

  /// Ascending, each edge's lower end first.
  const std::vector<RoadEdge>& edges() const { return edges_; }

  bool is_main(std::uint64_t v) const {
    return is_arterial(v / columns_) || is_arterial(v % columns_);
  }

 private:
  struct Street {
    std::uint64_t rank;
    RoadEdge ends;
  };

  static bool is_arterial(std::uint64_t line) {
    return line * kArterialUnit % kArterialSpacing < kArterialUnit;
  }

  void add_links(std::uint64_t count, const Stream& stream) {
    const auto columns = static_cast<std::int64_t>(columns_);
    const auto reaches = static_cast<std::uint64_t>(std::bit_width(columns_ - 1)) - 1;
    std::unordered_set<std::uint64_t> present;
    for (std::uint64_t i = 0; edges_.size() < count; ++i) {
      const std::uint64_t from = stream.below(4 * i, vertex_count_);
      const std::uint64_t reach = 2ULL << stream.below(4 * i + 1, reaches);
      const auto offset = [&](std::uint64_t index) {
        return static_cast<std::int64_t>(stream.below(index, 2 * reach + 1)) -
               static_cast<std::int64_t>(reach);
      };
      const std::int64_t down = offset(4 * i + 2);
      const std::int64_t right = offset(4 * i + 3);
      const std::int64_t row = static_cast<std::int64_t>(from / columns_) + down;
      const std::int64_t column = static_cast<std::int64_t>(from % columns_) + right;
      if (row < 0 || column < 0 || column >= columns) continue;
      const auto to = static_cast<std::uint64_t>(row * columns + column);
      if (to >= vertex_count_ || !is_main(from) || !is_main(to)) continue;
      if (std::abs(down) + std::abs(right) < 2) continue;  // a street's place
      const auto [low, high] = std::minmax(from, to);
      if (present.insert(low << 32 | high).second) edges_.emplace_back(low, high);
    }
  }

  void add_streets(std::uint64_t edge_count, const Stream& stream) {
    parents_.resize(vertex_count_);
    std::iota(parents_.begin(), parents_.end(), Vertex{0});
    std::vector<Street> streets;
    streets.reserve(2 * vertex_count_);
    const auto add = [&](std::uint64_t index, std::uint64_t u, std::uint64_t v, bool arterial) {
      if (arterial) {
        join(edges_.emplace_back(u, v));
      } else {
        streets.push_back({stream.draw(index), {u, v}});
      }
    };
    for (std::uint64_t v = 0; v < vertex_count_; ++v) {
      if ((v + 1) % columns_ != 0 && v + 1 < vertex_count_) {
        add(2 * v, v, v + 1, is_arterial(v / columns_));
      }
      if (v + columns_ < vertex_count_) {
        add(2 * v + 1, v, v + columns_, is_arterial(v % columns_));
      }
    }
    std::ranges::sort(streets, {}, [](const Street& s) { return std::tuple(s.rank, s.ends); });
    std::vector<RoadEdge> others;
    for (const Street& street : streets) {
      (join(street.ends) ? edges_ : others).push_back(street.ends);
    }
    others.resize(edge_count - edges_.size());
    edges_.insert(edges_.end(), others.begin(), others.end());
  }

  Vertex root(Vertex v) {
    while (parents_[v] != v) v = parents_[v] = parents_[parents_[v]];
    return v;
  }

  /// False if the ends were already connected.
  bool join(const RoadEdge& edge) {
    const Vertex u = root(edge.first);
    const Vertex v = root(edge.second);
    parents_[std::max(u, v)] = std::min(u, v);
    return u != v;
  }

  std::uint64_t vertex_count_;
  std::uint64_t columns_;
  std::vector<RoadEdge> edges_;
  std::vector<Vertex> parents_;  // of the union-find forest over the streets so far
};

}  // namespace

Graph make_road(std::uint64_t vertex_count, RoadExtent extent, const LengthScheme& lengths,
                std::uint64_t seed) {
  const bool main_only = extent == RoadExtent::main;
  const std::string reference = std::string(main_only ? "road-main" : "road") +
                                ":n=" + std::to_string(vertex_count) +
                                ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
  if (vertex_count > std::numeric_limits<Vertex>::max()) {
    throw InputError(reference, "more than 4294967295 vertices", "ask for a smaller graph");
  }
  if (vertex_count < kLeastVertices) {
    throw InputError(reference, "too few vertices for a road map",
                     "give n of at least " + std::to_string(kLeastVertices));
  }
  // For each vertex: a street and the list of the others, the union-find forest, a place and an
  // offset. For each edge: the edge and two arcs, in the list and in the rows.
  check_memory(reference, static_cast<double>(vertex_count) * (2 * 16 + 8 + 4 + 4 + 8) +
                              static_cast<double>(edge_count_of(vertex_count)) *
                                  (sizeof(RoadEdge) + 2 * (sizeof(Arc) + 8)));

  const RoadMap map(vertex_count, seed);
  std::vector<Vertex> places(vertex_count);  // of the vertices that stay
  Vertex kept = 0;
  for (std::uint64_t v = 0; v < vertex_count; ++v) {
    places[v] = kept;
    if (!main_only || map.is_main(v)) ++kept;
  }
  const LengthSource length(lengths, seed);
  std::vector<Arc> arcs;
  arcs.reserve(2 * map.edges().size());
  for (const auto& [u, v] : map.edges()) {
    if (main_only && !(map.is_main(u) && map.is_main(v))) continue;
    // By the ends' numbers in the whole map: a road has the same length in its extract.
    arcs.push_back({places[u], places[v], length.of_ends(u, v)});
    arcs.push_back({places[v], places[u], length.of_ends(v, u)});
  }
  Graph graph = Graph::from_arcs(kept, arcs);
  graph.set_provenance(reference);
  return graph;
}

}  // namespace bellmark
