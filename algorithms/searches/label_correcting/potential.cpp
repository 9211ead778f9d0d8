#include "algorithms/searches/label_correcting/potential.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <queue>
#include <unordered_set>
#include <vector>

namespace bellmark::label_correcting {
namespace {

/// A bound is at most 2^31, and computed with an error of 2^-20 at most. That is less than such a
/// share of the least length, 1. So rounding makes no difference of bounds larger than a length.
constexpr double kMargin = 1e-5;
/// Arcs of less than such a share of the usual proportion have their ends put together. Places that
/// move make other arcs too short, so a lesser share is tried where that does not end.
constexpr double kShares[] = {0.95, 0.9, 0.8, 0.6};
constexpr int kMostRounds = 8;  // New York needs four
constexpr double kUsualQuantile = 0.01;

/// Degrees of longitude shrink with the latitude: here, as they do in the middle of the map.
std::vector<Place> project(std::span<const Coordinate> coordinates) {
  const auto [south, north] = std::ranges::minmax(coordinates, {}, &Coordinate::latitude);
  const double middle = (double{1} * south.latitude + north.latitude) / 2 * 1e-6;
  const double shrink = std::cos(std::clamp(middle, -90.0, 90.0) / 180 * std::numbers::pi);
  std::vector<Place> places;
  places.reserve(coordinates.size());
  for (const Coordinate& at : coordinates) {
    places.push_back({static_cast<float>(shrink * at.longitude), static_cast<float>(at.latitude)});
  }
  return places;
}

/// Sets of vertices, each with the place of its root.
class Together {
 public:
  explicit Together(Vertex count) : above_(count) { std::iota(above_.begin(), above_.end(), 0U); }
  Vertex root(Vertex v) {
    while (above_[v] != v) v = above_[v] = above_[above_[v]];
    return v;
  }
  void join(Vertex a, Vertex b) { above_[root(a)] = root(b); }

 private:
  std::vector<Vertex> above_;
};

template <class Visit>
void for_each_arc(const Graph& graph, Visit visit) {
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      visit(u, graph.heads()[e], static_cast<double>(graph.length(e)));
    }
  }
}

/// The proportion of length to distance that all arcs but one in a hundred have, by a sample.
double usual_scale(const Graph& graph, const std::vector<Place>& places) {
  constexpr std::size_t kMost = std::size_t{1} << 16;
  const std::size_t step = graph.arc_count() / kMost + 1;
  std::vector<double> scales;
  std::size_t at = 0;
  for_each_arc(graph, [&](Vertex u, Vertex v, double length) {
    if (at++ % step != 0) return;
    const double apart = distance(places[u], places[v]);
    if (apart > 0) scales.push_back(length / apart);
  });
  if (scales.empty()) return 0;
  const auto rank = scales.begin() + static_cast<std::ptrdiff_t>(
                                         kUsualQuantile * static_cast<double>(scales.size()));
  std::ranges::nth_element(scales, rank);
  return *rank;
}

double least_scale(const Graph& graph, const std::vector<Place>& places) {
  double least = std::numeric_limits<double>::infinity();
  for_each_arc(graph, [&](Vertex u, Vertex v, double length) {
    const double apart = distance(places[u], places[v]);
    if (apart > 0) least = std::min(least, length / apart);
  });
  return std::isinf(least) ? 0 : least;
}

/// Puts ends together until no arc is below the scale. False if some are after kMostRounds, or if
/// a round leaves no fewer than the one before.
bool put_together(const Graph& graph, double scale, std::vector<Place>& places) {
  Together together(graph.vertex_count());
  Offset before = graph.arc_count() + 1;
  for (int round = 0; round < kMostRounds; ++round) {
    Offset short_count = 0;
    for_each_arc(graph, [&](Vertex u, Vertex v, double length) {
      if (length >= scale * distance(places[u], places[v])) return;
      together.join(u, v);
      ++short_count;
    });
    if (short_count == 0) return true;
    if (short_count >= before) return false;
    before = short_count;
    for (Vertex v = 0; v < graph.vertex_count(); ++v) places[v] = places[together.root(v)];
  }
  return false;
}

struct Settled {
  std::uint64_t distance;
  Vertex vertex;
  friend bool operator>(const Settled& a, const Settled& b) { return a.distance > b.distance; }
};

/// The vertices that are nearest to the source, in order (Dijkstra).
std::vector<Settled> settle_around(const Graph& graph, Vertex source) {
  constexpr std::size_t kMost = std::size_t{1} << 14;
  std::unordered_set<Vertex> known;
  std::vector<Settled> settled;
  std::priority_queue<Settled, std::vector<Settled>, std::greater<>> queue;
  queue.push({0, source});
  while (!queue.empty() && settled.size() < kMost) {
    const Settled next = queue.top();
    queue.pop();
    if (!known.insert(next.vertex).second) continue;
    settled.push_back(next);
    for (Offset e = graph.row_offsets()[next.vertex]; e < graph.row_offsets()[next.vertex + 1];
         ++e) {
      queue.push({next.distance + static_cast<std::uint64_t>(graph.length(e)), graph.heads()[e]});
    }
  }
  return settled;
}

}  // namespace

Places::Places(const Graph& graph, std::span<const Coordinate> coordinates)
    : places_(coordinates.size()) {
  if (coordinates.empty()) return;
  const std::vector<Place> projected = project(coordinates);
  const double usual = usual_scale(graph, projected);
  std::vector<Place> places;
  const bool fits = std::ranges::any_of(kShares, [&](double share) {
    places = projected;
    return put_together(graph, share * usual, places);
  });
  if (!fits) places = projected;
  scale_ = (1 - kMargin) * least_scale(graph, places);
  std::ranges::copy(places, places_.data());
}

double Places::bound(Vertex from, Vertex to) const {
  return scale_ * distance(places_.data()[from], places_.data()[to]);
}

double mean_reach(const Graph& graph) {
  if (graph.coordinates().empty()) return 0;
  const Places places(graph, graph.coordinates());
  const Vertex count = graph.vertex_count();
  double sum = 0;
  double term_count = 0;
  for (const Vertex source : {count / 3, count - 1 - count / 3}) {
    const std::vector<Settled> settled = settle_around(graph, source);
    // Nearby vertices say little: half of the distance may be rounding.
    for (std::size_t i = settled.size() / 2; i < settled.size(); ++i) {
      if (settled[i].distance == 0) continue;
      sum += places.bound(source, settled[i].vertex) / static_cast<double>(settled[i].distance);
      ++term_count;
    }
  }
  return term_count > 0 ? sum / term_count : 0;
}

}  // namespace bellmark::label_correcting
