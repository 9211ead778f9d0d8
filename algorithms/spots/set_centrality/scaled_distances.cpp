#include "algorithms/spots/set_centrality/scaled_distances.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

#include "algorithms/spots/set_centrality/detours.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"

namespace bellmark::set_centrality {
namespace {

std::string pair_text(Spot s, Spot t) {
  return "from spot " + std::to_string(s) + " to spot " + std::to_string(t);
}

}  // namespace

int scale_exponent(const DistanceMatrix& distances) {
  double largest = 0;
  for (const double distance : distances.values()) largest = std::max(largest, distance);
  return largest > 0 ? std::ilogb(largest) : 0;
}

template <class Real>
void require_range(const DistanceMatrix& distances, std::string_view variant) {
  const double bound = std::ldexp(Range<Real>::kLeast, scale_exponent(distances));
  for (Spot s = 0; s < distances.spot_count(); ++s) {
    for (Spot t = 0; t < distances.spot_count(); ++t) {
      const double distance = distances(s, t);
      if (distance == 0 || distance >= bound) continue;
      throw UnmetError(variant,
                       "the distance " + pair_text(s, t) + ", " + shortest(distance) +
                           ", is too small beside the largest one for " +
                           std::to_string(8 * sizeof(Real)) + " bits",
                       sizeof(Real) == 4 ? "use precision=64, or 0 for spots that coincide"
                                         : "use 0 for spots that coincide");
    }
  }
}

template void require_range<float>(const DistanceMatrix&, std::string_view);
template void require_range<double>(const DistanceMatrix&, std::string_view);

void require_no_free_detour(const DistanceMatrix& distances, std::string_view variant) {
  constexpr std::size_t kBits = 64;
  const Spot n = distances.spot_count();
  const std::size_t words = (n + kBits - 1) / kBits;
  std::vector<std::uint64_t> zeros(words * n);  // a row a spot: spots at distance 0 from it
  std::vector<Spot> with_zeros;                 // spots at distance 0 from another one
  for (Spot s = 0; s < n; ++s) {
    bool any = false;
    for (Spot t = 0; t < n; ++t) {
      if (distances(s, t) != 0) continue;
      zeros[s * words + t / kBits] |= std::uint64_t{1} << (t % kBits);
      any = any || s != t;
    }
    if (any) with_zeros.push_back(s);
  }
  for (const Spot s : with_zeros) {
    for (Spot r = 0; r < n; ++r) {
      if (r == s || distances(s, r) != 0) continue;
      for (std::size_t word = 0; word < words; ++word) {
        const std::uint64_t apart = zeros[r * words + word] & ~zeros[s * words + word];
        if (apart == 0) continue;
        const auto t = static_cast<Spot>(word * kBits + std::countr_zero(apart));
        throw UnmetError(variant,
                         "the distance " + pair_text(s, t) + " is " + shortest(distances(s, t)) +
                             ", and by spot " + std::to_string(r) + " it is 0",
                         "use distances that obey the triangle inequality");
      }
    }
  }
}

template <class Real>
std::vector<Real> scaled_matrix(const DistanceMatrix& distances, Objective objective,
                                bool transposed, std::span<const Spot> order) {
  const Spot n = distances.spot_count();
  const std::size_t stride = padded(n);
  const int exponent = scale_exponent(distances);
  const bool migration = objective == Objective::migration;
  const auto spot_at = [&](Spot place) { return order.empty() ? place : order[place]; };
  std::vector<Real> matrix(stride * stride, Real{1});
  for (Spot s = 0; s < n; ++s) {
    const Spot here = spot_at(s);
    for (Spot t = 0; t < n; ++t) {
      if (migration && s == t) continue;
      const Spot there = spot_at(t);
      const double distance = transposed ? distances(there, here) : distances(here, there);
      matrix[s * stride + t] = migration && distance == 0
                                   ? Range<Real>::kTiny
                                   : static_cast<Real>(std::ldexp(distance, -exponent));
    }
  }
  return matrix;
}

template std::vector<float> scaled_matrix<float>(const DistanceMatrix&, Objective, bool,
                                                 std::span<const Spot>);
template std::vector<double> scaled_matrix<double>(const DistanceMatrix&, Objective, bool,
                                                   std::span<const Spot>);

}  // namespace bellmark::set_centrality
