// Random hyperbolic graphs (Krioukov, Papadopoulos, Kitsak, Vahdat, Boguna: Hyperbolic Geometry of
// Complex Networks, 2010, section III), found by bands of the disk as in von Looz, Ozdayi, Laue,
// Meyerhenke: Generating Massive Complex Networks with Hyperbolic Geometry Faster in Practice,
// 2016. generate.hpp has the formula.
//
// The arcs depend only on sums, products, quotients and square roots, which IEEE 754 rounds the
// same everywhere. The build keeps the compiler from fusing them. The library's functions only
// choose the candidates, with room to spare, and the disk's radius, which is rounded.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/parallel.hpp"
#include "graph/formula_text.hpp"
#include "graph/generate.hpp"
#include "graph/pair_rows.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

constexpr double kLeastExponent = 2;
constexpr double kLargestExponent = 10;

/// Radii are multiples of 2^-16: mathematical libraries differ by far less, and give the same one.
constexpr int kRadiusBits = 16;

/// No graph of 2^32 vertices and one edge has a larger disk.
constexpr std::uint64_t kMostRadius = 128;

/// The exponent of the radial density, from that of the power law.
double growth_of(double exponent) { return (exponent - 1) / 2; }

/// base^exponent for a base of at least 1 and an exponent of at least 0, to 48 binary digits after
/// the point.
double power(double base, double exponent) {
  const double whole = std::floor(exponent);
  double fraction = exponent - whole;
  double result = 1;
  double square = base;
  for (auto left = static_cast<std::uint64_t>(whole); left != 0; left >>= 1) {
    if (left % 2 != 0) result *= square;
    square *= square;
  }
  double root = base;
  for (int bit = 0; bit < 48 && fraction > 0; ++bit) {
    root = std::sqrt(root);
    fraction *= 2;
    if (fraction < 1) continue;
    result *= root;
    fraction -= 1;
  }
  return result;
}

/// The expected mean degree in a disk of that radius, by a sum over pairs of rings. The probability
/// of a point in each ring is known. Points are joined up to the angle for the rings' middles.
/// O(rings^2).
double expected_degree(std::uint64_t vertex_count, double growth, double radius) {
  constexpr std::size_t kRings = 256;
  struct Ring {
    double share;  // the probability that a point is in it
    double exponential;
    double sine;
  };
  std::array<Ring, kRings> rings;
  const double width = radius / kRings;
  const auto inner = [&](std::size_t i) {
    return std::cosh(growth * width * static_cast<double>(i));
  };
  for (std::size_t i = 0; i < kRings; ++i) {
    const double middle = width * (static_cast<double>(i) + 0.5);
    rings[i] = {(inner(i + 1) - inner(i)) / (inner(kRings) - 1), std::exp(middle),
                std::sinh(middle)};
  }
  const double longest = std::cosh(radius);
  double sum = 0;
  for (std::size_t i = 0; i < kRings; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const double ratio = rings[i].exponential / rings[j].exponential;
      // The square of the sine of half the angle.
      const double square =
          (longest - (ratio + 1 / ratio) / 2) / (2 * rings[i].sine * rings[j].sine);
      const double angle = 2 * std::asin(std::sqrt(std::min(1.0, std::max(0.0, square))));
      sum += (i == j ? 1 : 2) * rings[i].share * rings[j].share * angle;
    }
  }
  return static_cast<double>(vertex_count - 1) * sum / std::numbers::pi;
}

/// A point at radius r, with the terms of its distances.
struct DiskPoint {
  double exponential;  // e^r
  double inverse;      // e^-r
  double sine;         // sinh r
  double x;            // its direction, of length 1
  double y;
  std::uint64_t turn;  // its angle, in units of 2^-64 of a turn
  Vertex vertex;
};

/// Cosine and sine of an angle, by their series up to an eighth of a turn. They use 53 bits of it.
std::pair<double, double> direction_of(std::uint64_t turn) {
  const double eighths = static_cast<double>(turn >> 11) * 0x1p-50;
  const double eighth = std::floor(eighths);
  const auto octant = static_cast<unsigned>(eighth);
  const double rest = octant % 2 == 0 ? eighths - eighth : 1 - (eighths - eighth);
  const double angle = rest * (std::numbers::pi / 4);
  const double square = angle * angle;
  double cosine = 1;
  double sine = 1;
  for (const double n : {16.0, 14.0, 12.0, 10.0, 8.0, 6.0, 4.0, 2.0}) {
    cosine = 1 - square / (n * (n - 1)) * cosine;
    sine = 1 - square / (n * (n + 1)) * sine;
  }
  sine *= angle;
  if ((octant + 1) / 2 % 2 != 0) std::swap(cosine, sine);  // nearer to the second axis
  return {octant >= 2 && octant < 6 ? -cosine : cosine, octant >= 4 ? -sine : sine};
}

/// The points of a disk, by bands of their radius and buckets of their angle. Band i holds those
/// with e^(R - r) in [2^i, 2^(i + 1)).
class HyperbolicDisk {
 public:
  HyperbolicDisk(std::uint64_t vertex_count, double radius, double growth, std::uint64_t seed)
      : rim_(power(std::numbers::e, radius)),
        longest_(rim_ + 1 / rim_),
        seed_(seed),
        points_(vertex_count) {
    const std::vector<double> exponentials = draw_radii(radius, growth);
    for (const double each : exponentials) ++band_at(each).size;
    std::uint64_t bucket_count = 0;
    for (Band& band : bands_) {
      band.bits = static_cast<int>(std::bit_width(band.size | 1));
      band.first_bucket = bucket_count;
      bucket_count += std::uint64_t{1} << band.bits;
    }
    place(exponentials, bucket_count);
  }

  /// Calls visit(u, v) for each edge that is found from one of these places. Each edge is found
  /// from exactly one of all vertex_count places: that of its end nearer to the centre.
  template <class Visit>
  void for_each_edge(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    for (std::uint64_t place = begin; place < end; ++place) {
      const DiskPoint& point = points_[place];
      const auto own = static_cast<std::size_t>(band_of(point.exponential));
      for (std::size_t band = 0; band <= own; ++band) {
        for_each_place_near(point, band, [&](std::uint64_t other) {
          if (band == own && other <= place) return;
          if (are_joined(point, points_[other])) visit(point.vertex, points_[other].vertex);
        });
      }
    }
  }

 private:
  struct Band {
    std::uint64_t size = 0;
    int bits = 0;  // there are 2^bits buckets
    std::uint64_t first_bucket = 0;
  };

  /// e^r of each vertex, where r is its radius.
  std::vector<double> draw_radii(double radius, double growth) const {
    const Stream stream(seed_, Stream::points);
    const double outermost = power(power(std::numbers::e, radius), growth);
    const double range = (outermost + 1 / outermost) / 2 - 1;  // cosh(growth * radius) - 1
    std::vector<double> exponentials(points_.size());
    in_parallel(exponentials.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t v = begin; v < end; ++v) {
        const double above = stream.fraction(2 * v + 1) * range;  // cosh(growth * r) - 1
        const double scaled = 1 + above + std::sqrt(above) * std::sqrt(above + 2);
        exponentials[v] = std::min(rim_, power(scaled, 1 / growth));
      }
    });
    return exponentials;
  }

  int band_of(double exponential) const { return std::ilogb(rim_ / exponential); }

  Band& band_at(double exponential) {
    const auto band = static_cast<std::size_t>(band_of(exponential));
    if (band >= bands_.size()) bands_.resize(band + 1);
    return bands_[band];
  }

  std::uint64_t bucket_of(const Band& band, std::uint64_t turn) const {
    return band.first_bucket + (turn >> (64 - band.bits));
  }

  /// Sorts the vertices into buckets, by ascending number in each.
  void place(const std::vector<double>& exponentials, std::uint64_t bucket_count) {
    const Stream stream(seed_, Stream::points);
    const auto bucket = [&](std::uint64_t v) {
      return bucket_of(band_at(exponentials[v]), stream.draw(2 * v));
    };
    bucket_begins_.resize(bucket_count + 1);
    for (std::uint64_t v = 0; v < points_.size(); ++v) ++bucket_begins_[bucket(v)];
    Vertex count = 0;
    for (Vertex& each : bucket_begins_) {
      count += each;
      each = count;
    }
    for (std::uint64_t v = points_.size(); v-- > 0;) {
      points_[--bucket_begins_[bucket(v)]].vertex = static_cast<Vertex>(v);
    }
    in_parallel(points_.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const Vertex v = points_[i].vertex;
        const double exponential = exponentials[v];
        const double inverse = 1 / exponential;
        const std::uint64_t turn = stream.draw(2 * std::uint64_t{v});
        const auto [x, y] = direction_of(turn);
        points_[i] = {exponential, inverse, (exponential - inverse) / 2, x, y, turn, v};
      }
    });
  }

  /// True if twice the hyperbolic cosine of their distance is at most that of the radius. With the
  /// chord between two directions, cosh d = cosh(r - s) + sinh r sinh s chord^2 / 2, in which
  /// nothing cancels.
  bool are_joined(const DiskPoint& a, const DiskPoint& b) const {
    const double x = a.x - b.x;
    const double y = a.y - b.y;
    return a.exponential * b.inverse + a.inverse * b.exponential +
               a.sine * b.sine * (x * x + y * y) <=
           longest_;
  }

  /// The angle within which all of a band's points that are joined to this one lie, in turns and in
  /// each direction. It is half a turn if it may be about a quarter or more. A point nearer to the
  /// centre has a larger angle.
  double window_of(const DiskPoint& point, std::size_t band) const {
    constexpr double kRoom = 1 + 1e-6;
    constexpr double kAll = 0.5;
    const double innermost = std::max(1.0, std::ldexp(rim_, -static_cast<int>(band) - 1));
    if (point.exponential * innermost <= rim_ * kRoom) return kAll;
    const double ratio = point.exponential / innermost;
    const double square =
        (longest_ - ratio - 1 / ratio) / (2 * point.sine * (innermost - 1 / innermost));
    if (square >= 0.49) return kAll;
    return kRoom * std::asin(std::sqrt(std::max(0.0, square))) / std::numbers::pi + 1e-15;
  }

  template <class Visit>
  void for_each_place_near(const DiskPoint& point, std::size_t index, Visit visit) const {
    const Band& band = bands_[index];
    if (band.size == 0) return;
    const auto visit_all = [&](std::uint64_t first, std::uint64_t last) {
      for (Vertex place = bucket_begins_[first]; place < bucket_begins_[last + 1]; ++place) {
        visit(place);
      }
    };
    const std::uint64_t last_bucket = band.first_bucket + (std::uint64_t{1} << band.bits) - 1;
    const double window = window_of(point, index);
    if (window >= 0.5) {
      visit_all(band.first_bucket, last_bucket);
      return;
    }
    const auto reach = static_cast<std::uint64_t>(window * 0x1p64);
    const std::uint64_t first = bucket_of(band, point.turn - reach);  // both modulo a turn
    const std::uint64_t last = bucket_of(band, point.turn + reach);
    if (first <= last) {
      visit_all(first, last);
    } else {
      visit_all(first, last_bucket);
      visit_all(band.first_bucket, last);
    }
  }

  double rim_;      // e^R
  double longest_;  // 2 cosh R
  std::uint64_t seed_;
  std::vector<DiskPoint> points_;  // by band, then bucket: their places
  std::vector<Band> bands_;        // from the rim on
  std::vector<Vertex> bucket_begins_;
};

void check_hyperbolic(const std::string& reference, std::uint64_t vertex_count, double degree,
                      double exponent) {
  check_vertex_count(reference, vertex_count);
  const auto n = static_cast<double>(vertex_count);
  if (!(degree * n >= 1 && degree <= (n - 1) / 2)) {
    throw InputError(reference, "degree is not in 1/n..(n-1)/2",
                     "it is the mean number of neighbours of a vertex");
  }
  if (!(exponent >= kLeastExponent && exponent <= kLargestExponent)) {
    throw InputError(reference, "exponent is not in 2..10",
                     "it is that of the power law of degrees");
  }
}

}  // namespace

double hyperbolic_radius(std::uint64_t vertex_count, double degree, double exponent) {
  std::uint64_t low = 1;
  std::uint64_t high = kMostRadius << kRadiusBits;
  const auto radius_of = [](std::uint64_t units) {
    return std::ldexp(static_cast<double>(units), -kRadiusBits);
  };
  while (low < high) {
    const std::uint64_t middle = (low + high + 1) / 2;
    if (expected_degree(vertex_count, growth_of(exponent), radius_of(middle)) >= degree) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return radius_of(low);
}

Graph make_hyperbolic(std::uint64_t vertex_count, double degree, double exponent,
                      const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference =
      formula_text("hyperbolic:n=" + std::to_string(vertex_count) + ",degree=" + shortest(degree) +
                       ",exponent=" + shortest(exponent),
                   lengths, seed);
  check_hyperbolic(reference, vertex_count, degree, exponent);
  // A point with e^r and up to two buckets; an edge is found once, and is two arcs.
  check_memory(reference,
               static_cast<double>(vertex_count) *
                   (sizeof(DiskPoint) + sizeof(double) + 2 * sizeof(Vertex) + kPairRowsVertexBytes +
                    degree * (sizeof(VertexPair) / 2.0 + kPairRowsArcBytes)));

  std::vector<VertexPair> edges;
  edges.reserve(static_cast<std::size_t>(static_cast<double>(vertex_count) * degree / 2));
  {
    const HyperbolicDisk disk(vertex_count, hyperbolic_radius(vertex_count, degree, exponent),
                              growth_of(exponent), seed);
    constexpr std::uint64_t kPlaces = 256;  // a place near the centre has many edges
    std::mutex mutex;
    in_parallel(
        vertex_count,
        [&](std::uint64_t begin, std::uint64_t end) {
          std::vector<VertexPair> found;
          disk.for_each_edge(begin, end, [&](Vertex u, Vertex v) { found.emplace_back(u, v); });
          const std::scoped_lock lock(mutex);
          edges.insert(edges.end(), found.begin(), found.end());
        },
        kPlaces);
  }
  Graph graph = graph_of_pairs(static_cast<Vertex>(vertex_count), std::move(edges), PairsAre::edges,
                               LengthSource(lengths, seed));
  graph.set_provenance(reference);
  return graph;
}

}  // namespace bellmark
