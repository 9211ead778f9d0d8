#include "harness/serve/road_index.hpp"

#include <algorithm>
#include <array>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "algorithms/problems/sssp/plain_search.hpp"
#include "algorithms/spots/places/spots.hpp"

namespace bellmark::serve {
namespace {

constexpr double kMostLatitude = 85.0511287798066;

using BoostPoint = boost::geometry::model::point<double, 2, boost::geometry::cs::cartesian>;
using BoostBox = boost::geometry::model::box<BoostPoint>;
using Entry = std::pair<BoostBox, std::uint32_t>;
using Tree = boost::geometry::index::rtree<Entry, boost::geometry::index::quadratic<16>>;

double distance_to_box(const Place2D& place, const BoostBox& box) {
  const BoostPoint& least = box.min_corner();
  const BoostPoint& greatest = box.max_corner();
  const double x = std::max({least.get<0>() - place.x, place.x - greatest.get<0>(), 0.0});
  const double y = std::max({least.get<1>() - place.y, place.y - greatest.get<1>(), 0.0});
  return std::hypot(x, y);
}

double ground_metres(const Graph& graph, Vertex u, Vertex v) {
  const Coordinate& a = graph.coordinates()[u];
  const Coordinate& b = graph.coordinates()[v];
  return great_circle_metres({"", a.longitude / kMicroDegrees, a.latitude / kMicroDegrees},
                             {"", b.longitude / kMicroDegrees, b.latitude / kMicroDegrees});
}

std::vector<Road> roads_of(const Graph& graph) {
  std::vector<std::pair<Vertex, Vertex>> ends;
  ends.reserve(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (u != v) ends.emplace_back(std::minmax(u, v));
    }
  }
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Road> roads;
  roads.reserve(ends.size());
  for (const auto& [u, v] : ends) roads.push_back({u, v});
  return roads;
}

/// The vertices that a search reached, each before its predecessor. O(n).
void list_leaves_first(const Sssp::Answer& tree, std::vector<Vertex>& children,
                       std::vector<Vertex>& order) {
  const auto n = static_cast<Vertex>(tree.distances.size());
  children.assign(n, 0);
  order.clear();
  for (const Vertex p : tree.predecessors) {
    if (p != kNoVertex) ++children[p];
  }
  for (Vertex v = 0; v < n; ++v) {
    if (tree.distances[v] != kUnreached && children[v] == 0) order.push_back(v);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Vertex p = tree.predecessors[order[i]];
    if (p != kNoVertex && --children[p] == 0) order.push_back(p);
  }
}

/// The reach of each vertex in the trees of shortest paths from a sample of sources: the longest
/// min(way from the source, longest way beyond it). In metres on the ground.
std::vector<float> sampled_reach(const Graph& graph, const Graph& by_time) {
  const Vertex n = graph.vertex_count();
  std::vector<float> reach(n, 0);
  // A few trees of a large graph tell the same as more trees of a small one, and take the same
  // time.
  constexpr std::size_t kMostSources = 10;
  constexpr std::size_t kLabels = 3'000'000;
  const std::size_t count =
      std::clamp<std::size_t>(kLabels / std::max<Vertex>(n, 1), 2, kMostSources);
  std::vector<float> depth(n);
  std::vector<float> height(n);
  std::vector<Vertex> children;
  std::vector<Vertex> order;
  for (std::size_t i = 0; i < count; ++i) {
    const auto source = static_cast<Vertex>((2 * i + 1) * std::uint64_t{n} / (2 * count));
    const Sssp::Answer tree = plain_search(by_time, source);
    list_leaves_first(tree, children, order);
    std::ranges::fill(height, 0.F);
    std::ranges::fill(depth, 0.F);
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const Vertex p = tree.predecessors[*at];
      if (p == kNoVertex) continue;
      depth[*at] = depth[p] + static_cast<float>(ground_metres(graph, p, *at));
    }
    for (const Vertex v : order) {
      const Vertex p = tree.predecessors[v];
      reach[v] = std::max(reach[v], std::min(depth[v], height[v]));
      if (p != kNoVertex) height[p] = std::max(height[p], height[v] + (depth[v] - depth[p]));
    }
  }
  return reach;
}

std::uint8_t importance_of(float reach) {
  if (reach < 2 * kReachMetres) return 0;
  return static_cast<std::uint8_t>(
      std::min(kMostImportant, static_cast<int>(std::log2(reach / kReachMetres))));
}

}  // namespace

Place2D project(double longitude, double latitude) {
  const double clamped = std::clamp(latitude, -kMostLatitude, kMostLatitude);
  const double radians = clamped * (std::numbers::pi / 180);
  return {longitude / 360 + 0.5, 0.5 - std::asinh(std::tan(radians)) / (2 * std::numbers::pi)};
}

double longitude_of(const Place2D& place) { return (place.x - 0.5) * 360; }

double latitude_of(const Place2D& place) {
  return std::atan(std::sinh((0.5 - place.y) * 2 * std::numbers::pi)) * (180 / std::numbers::pi);
}

double metres_at(const Place2D& place) {
  return 2 * std::numbers::pi * kEarthRadiusMetres /
         std::cosh((0.5 - place.y) * 2 * std::numbers::pi);
}

double distance_to_line(const Place2D& place, const Place2D& a, const Place2D& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double along =
      square == 0 ? 0
                  : std::clamp(((place.x - a.x) * dx + (place.y - a.y) * dy) / square, 0.0, 1.0);
  return std::hypot(place.x - (a.x + along * dx), place.y - (a.y + along * dy));
}

struct RoadIndex::Trees {
  std::array<Tree, kMostImportant + 1> of_importance;
};

RoadIndex::RoadIndex(const Graph& graph, const Graph& by_time)
    : roads_(roads_of(graph)), trees_(std::make_unique<Trees>()) {
  places_.reserve(graph.vertex_count());
  for (const Coordinate& at : graph.coordinates()) {
    places_.push_back(project(at.longitude / kMicroDegrees, at.latitude / kMicroDegrees));
  }
  const std::vector<float> reach = sampled_reach(graph, by_time);
  importance_.reserve(roads_.size());
  std::array<std::vector<Entry>, kMostImportant + 1> entries;
  for (std::uint32_t road = 0; road < roads_.size(); ++road) {
    const auto& [u, v] = roads_[road];
    importance_.push_back(importance_of(std::min(reach[u], reach[v])));
    const Place2D& a = places_[u];
    const Place2D& b = places_[v];
    entries[importance_.back()].emplace_back(BoostBox({std::min(a.x, b.x), std::min(a.y, b.y)},
                                                      {std::max(a.x, b.x), std::max(a.y, b.y)}),
                                             road);
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    trees_->of_importance[i] = Tree(entries[i].begin(), entries[i].end());
  }
}

RoadIndex::~RoadIndex() = default;
RoadIndex::RoadIndex(RoadIndex&&) noexcept = default;

void RoadIndex::visit(const Box2D& box, int importance,
                      const std::function<void(std::uint32_t)>& visit) const {
  const BoostBox area({box.least.x, box.least.y}, {box.greatest.x, box.greatest.y});
  const Tree& tree = trees_->of_importance[static_cast<std::size_t>(importance)];
  for (auto found = tree.qbegin(boost::geometry::index::intersects(area)); found != tree.qend();
       ++found) {
    visit(found->second);
  }
}

bool RoadIndex::nearest(const Place2D& place, std::uint32_t& road, double& distance) const {
  bool is_found = false;
  const BoostPoint at(place.x, place.y);
  for (const Tree& tree : trees_->of_importance) {
    const auto all = static_cast<unsigned>(tree.size());
    if (all == 0) continue;
    // Boxes come by distance, and a line is never nearer than its box.
    for (auto next = tree.qbegin(boost::geometry::index::nearest(at, all)); next != tree.qend();
         ++next) {
      if (is_found && distance_to_box(place, next->first) > distance) break;
      const Road& line = roads_[next->second];
      const double here = distance_to_line(place, places_[line.u], places_[line.v]);
      if (is_found && here >= distance) continue;
      is_found = true;
      distance = here;
      road = next->second;
    }
  }
  return is_found;
}

}  // namespace bellmark::serve
