// Small inputs of set centrality, made by formula and by draw.
#include "algorithms/testing/set_zoo.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace bellmark::testing {
namespace {

template <class Distance>
DistanceMatrix make(Spot n, const Distance& distance) {
  std::vector<double> values(std::size_t{n} * n);
  for (Spot s = 0; s < n; ++s) {
    for (Spot t = 0; t < n; ++t) {
      if (s != t) values[s * n + t] = distance(s, t);
    }
  }
  return {n, std::move(values), "made for tests"};
}

/// Symmetric, and far from any metric.
double scattered(Spot s, Spot t) {
  const Spot least = std::min(s, t);
  const Spot largest = std::max(s, t);
  return static_cast<double>((least * 37 + largest * 101 + least * largest * 7) % 97 + 1);
}

double on_a_line(Spot s, Spot t) { return s < t ? t - s : s - t; }

}  // namespace

const std::vector<ZooSpots>& set_zoo() {
  static const std::vector<ZooSpots> inputs = {
      {"one spot", make(1, on_a_line)},
      {"two spots", make(2, on_a_line)},
      {"two spots at one place", make(2, [](Spot, Spot) { return 0.0; })},
      {"three spots", make(3, on_a_line)},
      {"three spots, one way longer", make(3, [](Spot s, Spot t) { return s < t ? 1.0 : 5.0; })},
      {"all at one place", make(17, [](Spot, Spot) { return 0.0; })},
      {"all apart by the same", make(18, [](Spot, Spot) { return 3.0; })},
      {"two places", make(21, [](Spot s, Spot t) { return s % 2 == t % 2 ? 0.0 : 4.0; })},
      {"all but one at one place",
       make(19, [](Spot s, Spot t) { return s == 4 || t == 4 ? 2.0 : 0.0; })},
      {"pairs at one place", make(35, [](Spot s, Spot t) { return on_a_line(s / 2, t / 2); })},
      {"a line", make(70, on_a_line)},
      {"no metric", make(40, scattered)},
      {"no metric, with zeros",
       make(33, [](Spot s, Spot t) { return scattered(s, t) < 30 ? 0.0 : scattered(s, t); })},
      {"not symmetric", make(41, [](Spot s, Spot t) { return scattered(s, t) + (s < t ? 0 : 9); })},
      {"not symmetric, with zeros",
       make(36, [](Spot s, Spot t) { return (s * 5 + t * 3) % 4 == 0 ? 0.0 : (s + 2 * t) % 11; })},
      {"one way free", make(20, [](Spot s, Spot t) { return s < t ? 0.0 : s - t; })},
      {"a star", make(30, [](Spot s, Spot t) { return s == 7 || t == 7 ? 1.0 : 2.0; })},
      {"many orders of magnitude",
       make(25, [](Spot s, Spot t) { return std::ldexp(1.0, static_cast<int>((s ^ t) % 40)); })},
      {"the least and the largest distance",
       make(12, [](Spot s, Spot t) { return (s + t) % 2 == 0 ? 1e-60 : 1e60; })},
      {"huge distances", make(16, [](Spot s, Spot t) { return 1e58 * on_a_line(s, t); })},
      {"tiny distances", make(16, [](Spot s, Spot t) { return 1e-60 * on_a_line(s, t); })},
  };
  return inputs;
}

DistanceMatrix small_random_distances(std::uint64_t seed) {
  std::mt19937_64 draw(seed);
  const auto n = static_cast<Spot>(1 + draw() % 40);
  const bool symmetric = draw() % 2 == 0;
  const bool metric = draw() % 3 == 0;
  const bool zeros = draw() % 3 == 0;
  const bool wide = draw() % 4 == 0;
  const std::uint64_t spread = draw() % 2 == 0 ? 4 : 1'000'000;
  std::vector<std::pair<double, double>> places;
  for (Spot s = 0; s < n; ++s) {
    const double x = static_cast<double>(draw() % (zeros ? 5 : 1'000'000));
    places.emplace_back(x, static_cast<double>(draw() % (zeros ? 5 : 1'000'000)));
  }
  std::vector<double> values(std::size_t{n} * n);
  for (Spot s = 0; s < n; ++s) {
    for (Spot t = 0; t < n; ++t) {
      double distance = static_cast<double>(1 + draw() % spread);
      if (wide) distance = std::ldexp(distance, static_cast<int>(draw() % 16));
      if (zeros && draw() % 3 == 0) distance = 0;
      if (metric) {
        const double x = places[s].first - places[t].first;
        const double y = places[s].second - places[t].second;
        distance = std::sqrt(x * x + y * y);
      }
      if (s == t) continue;
      values[s * n + t] = distance;
      if (symmetric && s > t) values[s * n + t] = values[t * n + s];
    }
  }
  return {n, std::move(values), "drawn for tests"};
}

}  // namespace bellmark::testing
