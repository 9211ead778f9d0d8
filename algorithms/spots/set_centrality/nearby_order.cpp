#include "algorithms/spots/set_centrality/nearby_order.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

namespace bellmark::set_centrality {
namespace {

constexpr std::size_t kLeastGroup = 8;
constexpr std::size_t kSamples = 8;  ///< spots that stand for a half
constexpr int kCorrections = 2;      ///< of a bisection, by samples of its halves

/// The first half's spots of `count`, which are more than kLeastGroup: a power of two, so that
/// groups end where tiles end.
std::size_t first_half(std::size_t count) {
  const std::size_t half = count / 2;
  const std::size_t unit = std::max(kLeastGroup, std::bit_floor(half));
  return std::max(unit, (half + unit / 2) / unit * unit);
}

class Bisection {
 public:
  explicit Bisection(const DistanceMatrix& distances)
      : distances_(distances), sides_(distances.spot_count()) {}

  void arrange(std::span<Spot> spots) {
    if (spots.size() <= kLeastGroup) return;
    const std::size_t first = first_half(spots.size());
    const Spot one = farthest(spots[0], spots);
    const Spot other = farthest(one, spots);
    sort_between({&one, 1}, {&other, 1}, spots);
    for (int i = 0; i < kCorrections; ++i) {
      const std::vector<Spot> ones = samples(spots.first(first));
      const std::vector<Spot> others = samples(spots.subspan(first));
      sort_between(ones, others, spots);
    }
    arrange(spots.first(first));
    arrange(spots.subspan(first));
  }

 private:
  Spot farthest(Spot from, std::span<const Spot> spots) const {
    return *std::ranges::max_element(
        spots, {}, [&](Spot spot) { return std::pair(distances_(from, spot), spot); });
  }

  static std::vector<Spot> samples(std::span<const Spot> spots) {
    std::vector<Spot> some;
    for (std::size_t i = 0; i < kSamples; ++i) some.push_back(spots[i * spots.size() / kSamples]);
    return some;
  }

  /// From the spots nearest to `ones`, beside their distance to `others`, to those nearest to
  /// `others`.
  void sort_between(std::span<const Spot> ones, std::span<const Spot> others,
                    std::span<Spot> spots) {
    for (const Spot spot : spots) {
      double side = 0;
      for (const Spot one : ones) side += distances_(one, spot);
      for (const Spot other : others) side -= distances_(other, spot);
      sides_[spot] = side;
    }
    std::ranges::sort(spots, {}, [&](Spot spot) { return std::pair(sides_[spot], spot); });
  }

  const DistanceMatrix& distances_;
  std::vector<double> sides_;  ///< by spot
};

}  // namespace

std::vector<Spot> nearby_order(const DistanceMatrix& distances) {
  std::vector<Spot> order(distances.spot_count());
  std::iota(order.begin(), order.end(), Spot{0});
  Bisection(distances).arrange(order);
  return order;
}

}  // namespace bellmark::set_centrality
