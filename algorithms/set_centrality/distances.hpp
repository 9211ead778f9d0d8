// The distances between spots: what set centrality is computed from.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace bellmark {

/// A spot's index: its line among the spots of its file, from 0.
using Spot = std::uint32_t;

/// d(s, t) for all pairs, row by row: 0 from a spot to itself, else 0 or from 1e-60 to 1e60, so
/// that no sum, product of four or ratio of distances overflows or vanishes.
class DistanceMatrix {
 public:
  DistanceMatrix() = default;
  /// `values` has spot_count^2 elements. Throws InputError naming the first pair whose distance is
  /// not a number, negative or out of range, or that is not 0 from a spot to itself.
  DistanceMatrix(Spot spot_count, std::vector<double> values, std::string provenance);

  Spot spot_count() const { return spot_count_; }
  std::span<const double> values() const { return values_; }
  double operator()(Spot s, Spot t) const { return values_[std::size_t{s} * spot_count_ + t]; }
  /// d(s, t) = d(t, s) for all pairs, exactly.
  bool symmetric() const { return symmetric_; }
  /// Where the distances come from, in words, for results.
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

/// What set centrality chooses from.
struct SetInput {
  DistanceMatrix distances;
  std::vector<Place> places;  ///< one a spot, or none
  Spot chosen_count = 0;      ///< K as the reference names it; 0 when it doesn't
};

/// Opens an input by reference; each may end with `,k=10`:
///   `matrix:FILE`   text: a row a line, numbers between spaces or commas; or the binary form that
///                   `bellmark spots distances` writes (`.bmd`)
///   `points:n=894,seed=1`  straight-line distances in metres of points drawn uniformly in a square
///                   of 10 km: for tests and for scaling
///   `spots:...`     spots of a file, by great circle or over roads (spots.hpp)
/// Throws InputError.
SetInput open_spots(const std::string& reference);

}  // namespace bellmark
