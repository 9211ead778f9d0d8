#include "algorithms/spots/places/snapper.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <nanoflann.hpp>
#include <numbers>
#include <vector>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/spots/places/spots.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"

namespace bellmark {
namespace snapping {

constexpr double kMicro = 1e-6;

/// A place on the unit sphere. Near points are near everywhere, also at the poles and across the
/// antimeridian, and the chord grows with the great circle.
using Point = std::array<double, 3>;

inline Point on_sphere(double longitude, double latitude) {
  const auto radians = [](double degrees) { return degrees * (std::numbers::pi / 180); };
  const double around = std::cos(radians(latitude));
  return {around * std::cos(radians(longitude)), around * std::sin(radians(longitude)),
          std::sin(radians(latitude))};
}

/// The form in which nanoflann reads points.
struct PointCloud {
  std::vector<Point> points;

  std::size_t kdtree_get_point_count() const { return points.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t dimension) const { return points[i][dimension]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;  // nanoflann finds it
  }
};

/// The nearest point, of several the one with the least index: a result must not depend on the form
/// of the tree.
struct Nearest {
  using DistanceType = double;
  double square = std::numeric_limits<double>::max();
  Vertex vertex = 0;
  bool found = false;

  std::size_t size() const { return found ? 1 : 0; }
  bool full() const { return found; }
  /// Points nearer than this are offered: points as near as the best are still wanted.
  double worstDist() const { return std::nextafter(square, 4.0); }
  bool addPoint(double offered, Vertex v) {
    if (!found || offered < square || (offered == square && v < vertex)) {
      square = offered;
      vertex = v;
      found = true;
    }
    return true;
  }
  /// There is one at most. The nanoflann of Debian 13 calls it.
  void sort() {}
};

using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, PointCloud, double>,
                                        PointCloud, 3, Vertex>;

inline Place place_of(const Graph& roads, Vertex v) {
  const Coordinate& at = roads.coordinates()[v];
  return {"", kMicro * at.longitude, kMicro * at.latitude};
}

}  // namespace snapping

struct Snapper::Index {
  snapping::PointCloud cloud;
  std::unique_ptr<snapping::Tree> tree;
};

Snapper::Snapper(const Graph& roads, const std::string& where)
    : roads_(roads), index_(std::make_unique<Index>()) {
  if (roads.vertex_count() == 0) throw InputError(where, "the roads have no vertex");
  if (roads.coordinates().empty()) {
    throw InputError(where, "the roads have no coordinates, so that no spot can be put on them",
                     "put a .co file beside the .gr file, or take spots:random");
  }
  std::vector<snapping::Point>& points = index_->cloud.points;
  points.reserve(roads.vertex_count());
  for (Vertex v = 0; v < roads.vertex_count(); ++v) {
    const Place place = snapping::place_of(roads, v);
    if (std::abs(place.longitude) > 180 || std::abs(place.latitude) > 90) {
      throw InputError(where,
                       "the roads' coordinates are no degrees: vertex " + id_text(v) + " is at " +
                           shortest(place.longitude) + ", " + shortest(place.latitude),
                       "correct the .co file");
    }
    points.push_back(snapping::on_sphere(place.longitude, place.latitude));
  }
  index_->tree = std::make_unique<snapping::Tree>(3, index_->cloud);
}

Snapper::~Snapper() = default;
Snapper::Snapper(Snapper&&) noexcept = default;

Snapped Snapper::nearest(const Place& place) const {
  const snapping::Point at = snapping::on_sphere(place.longitude, place.latitude);
  snapping::Nearest nearest;
  index_->tree->findNeighbors(nearest, at.data(), {});
  return {nearest.vertex, great_circle_metres(place, snapping::place_of(roads_, nearest.vertex))};
}

}  // namespace bellmark
