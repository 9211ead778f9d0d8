// The distances between spots: set centrality is computed from them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark {

/// A spot's index: its line among the spots of its file, from 0.
using Spot = std::uint32_t;

/// d(s, t) for all pairs, row by row: 0 from a spot to itself, else 0 or from 1e-60 to 1e60. So no
/// sum, product of four or ratio of distances overflows or vanishes.
class DistanceMatrix {
 public:
  DistanceMatrix() = default;
  /// `values` has spot_count^2 elements. Throws InputError, which names the first pair whose
  /// distance is not a number, negative or out of range. A distance from a spot to itself must be
  /// 0.
  DistanceMatrix(Spot spot_count, std::vector<double> values, std::string provenance);

  Spot spot_count() const { return spot_count_; }
  std::span<const double> values() const { return values_; }
  double operator()(Spot s, Spot t) const { return values_[std::size_t{s} * spot_count_ + t]; }
  /// d(s, t) = d(t, s) for all pairs, exactly.
  bool symmetric() const { return symmetric_; }
  /// The source of the distances, in words, for results.
  const std::string& provenance() const { return provenance_; }

 private:
  Spot spot_count_ = 0;
  std::vector<double> values_;
  bool symmetric_ = true;
  std::string provenance_;
};

/// A spot on the map, as far as its file says.
struct Place {
  std::string name;
  double longitude;  ///< degrees
  double latitude;   ///< degrees
};

/// A row a line, numbers between spaces or commas. Throws InputError with file and line.
DistanceMatrix read_matrix_text(const std::filesystem::path& path);

/// Distances of random points by the keys `n` and `seed`: point i lies at 10,000 times
/// (fraction(2 i), fraction(2 i + 1)) of the stream `points`. `reference` stands in errors.
DistanceMatrix make_points(const std::string& reference, std::string_view pairs);

/// The spots that set centrality chooses from.
struct SetInput {
  DistanceMatrix distances;
  std::vector<Place> places;  ///< one a spot, or none
  Spot chosen_count = 0;      ///< K as the reference names it; 0 when it doesn't
};

}  // namespace bellmark
