// Set centrality on the GPU: its arithmetic, by the same functions on the host; and, where there is
// a GPU, every instance against the certificate, on distances of all kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/spots/set_centrality/bounds.hpp"
#include "algorithms/spots/set_centrality/detours.hpp"
#include "algorithms/spots/set_centrality/nearby_order.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "algorithms/spots/set_centrality/scaled_distances.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::set_centrality {
namespace {

template <class Distance>
DistanceMatrix matrix(Spot n, Distance distance) {
  std::vector<double> values(std::size_t{n} * n);
  for (Spot s = 0; s < n; ++s) {
    for (Spot t = 0; t < n; ++t) values[std::size_t{s} * n + t] = s == t ? 0 : distance(s, t);
  }
  return {n, std::move(values), "a test"};
}

/// Points of a square of 10 km, on a lattice of `step` metres: a coarse one has coincident points.
DistanceMatrix points(Spot n, double step = 1) {
  std::mt19937_64 draw(n);
  std::vector<std::pair<double, double>> places(n);
  const auto coordinate = [&] { return std::floor(static_cast<double>(draw() % 10'000) / step); };
  for (auto& [x, y] : places) {
    x = coordinate() * step;
    y = coordinate() * step;
  }
  return matrix(n, [&](Spot s, Spot t) {
    return std::hypot(places[s].first - places[t].first, places[s].second - places[t].second);
  });
}

/// One way costs up to a tenth more than the other. It is still a metric but for symmetry, because
/// climbing adds up.
DistanceMatrix asymmetric(Spot n) {
  const DistanceMatrix flat = points(n);
  return matrix(n, [&](Spot s, Spot t) {
    const double climb = 7 * (static_cast<double>(t * 37 % n) - static_cast<double>(s * 37 % n));
    return flat(s, t) + std::max(0.0, climb);
  });
}

/// Distances over five orders of magnitude that obey nothing.
DistanceMatrix lawless(Spot n, bool is_symmetric) {
  std::mt19937_64 draw(n);
  std::vector<double> values(std::size_t{n} * n);
  for (double& value : values) value = std::pow(10.0, static_cast<double>(draw() % 5001) / 1000);
  return matrix(n, [&](Spot s, Spot t) {
    return values[is_symmetric ? std::size_t{std::min(s, t)} * n + std::max(s, t)
                               : std::size_t{s} * n + t];
  });
}

struct Named {
  std::string name;
  DistanceMatrix distances;
};

std::vector<Named> samples(Spot n) {
  std::vector<Named> named;
  named.push_back({"points", points(n)});
  named.push_back({"coincident points", points(n, 2'500)});
  named.push_back({"points all in one place", points(n, 10'000)});
  named.push_back({"equal distances", matrix(n, [](Spot, Spot) { return 3.0; })});
  named.push_back({"asymmetric", asymmetric(n)});
  named.push_back({"lawless and symmetric", lawless(n, true)});
  named.push_back({"lawless", lawless(n, false)});
  for (Named& sample : named) sample.name += ", n=" + std::to_string(n);
  return named;
}

/// A choice's values for each pair of spots, in rows of padded(n).
template <class Real>
struct PairState {
  std::vector<Real> shares;   // 0 where the pair doesn't count
  std::vector<Real> detours;  // the shortest by a chosen spot
};

template <class Real>
PairState<Real> state_of(const DistanceMatrix& distances, const std::vector<Real>& to,
                         const std::vector<Spot>& chosen) {
  const Spot n = distances.spot_count();
  const std::size_t stride = padded(n);
  PairState<Real> state{std::vector<Real>(stride * stride, 0),
                        std::vector<Real>(stride * stride, Range<Real>::kFar)};
  for (Spot s = 0; s < n; ++s) {
    for (Spot t = 0; t < n; ++t) {
      bool counts = distances.symmetric() ? s < t : s != t;
      Real& detour = state.detours[s * stride + t];
      for (const Spot r : chosen) {
        counts = counts && r != s && r != t;
        detour = std::min(detour, to[s * stride + r] + to[r * stride + t]);
      }
      const Real direct = to[s * stride + t];
      if (!counts) continue;
      state.shares[s * stride + t] = direct == Range<Real>::kTiny ? 2 * Range<Real>::kTiny : direct;
    }
  }
  return state;
}

/// The work of the kernels, lane after lane: the sum over pairs of R = `chosen` and every
/// candidate.
template <class Real, Division kDivision>
std::vector<double> worths(const DistanceMatrix& distances, const std::vector<Spot>& chosen) {
  const Spot n = distances.spot_count();
  const std::size_t stride = padded(n);
  const bool symmetric = distances.symmetric();
  const auto to = scaled_matrix<Real>(distances, Objective::migration, false);
  const auto from = scaled_matrix<Real>(distances, Objective::migration, true);
  const auto [shares, detours] = state_of<Real>(distances, to, chosen);
  constexpr std::uint32_t kRows = kStageRows<Real>;
  std::vector<double> sums(stride, 0);
  // A stage as it lies in shared memory.
  std::vector<detail::Four<Real>> to_tile(kRows * kTileCandidates / 4);
  std::vector<detail::Four<Real>> share_tile(kRows * kTileTargets / 4);
  std::vector<detail::Four<Real>> detour_tile(kRows * kTileTargets / 4);
  const auto fill = [&](std::vector<detail::Four<Real>>& tile, const std::vector<Real>& all,
                        std::size_t source, std::size_t column, std::size_t width) {
    for (std::size_t i = 0; i < kRows * width; ++i) {
      tile[i / 4].values[i % 4] = all[(source + i / width) * stride + column + i % width];
    }
  };
  for (const Unit& unit : make_units<Real>(n, symmetric, 20)) {
    EXPECT_EQ((unit.source_end - unit.source_begin) % kRows, 0u);
    EXPECT_LE(unit.source_end, stride);
    for (std::uint32_t tile = 0; tile < stride; tile += kTileCandidates) {
      for (std::uint32_t source = unit.source_begin; source < unit.source_end; source += kRows) {
        fill(to_tile, to, source, tile, kTileCandidates);
        fill(share_tile, shares, source, unit.target_begin, kTileTargets);
        fill(detour_tile, detours, source, unit.target_begin, kTileTargets);
        for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
          const std::uint32_t target = unit.target_begin + warp * kWarpTargets;
          const std::uint32_t rows = row_count(n, symmetric, target, source, kRows);
          const bool may_touch = source / kTileCandidates == tile / kTileCandidates ||
                                 target / kTileCandidates == tile / kTileCandidates;
          for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
            const std::uint32_t candidate = tile + lane * kLaneCandidates;
            Real lane_from[kLaneCandidates][kWarpTargets];
            for (std::uint32_t v = 0; v < kLaneCandidates; ++v) {
              for (std::uint32_t t = 0; t < kWarpTargets; ++t) {
                lane_from[v][t] = from[(target + t) * stride + candidate + v];
              }
            }
            Real lane_sums[kLaneCandidates] = {};
            const auto add =
                may_touch ? add_worths<kDivision, true, Real> : add_worths<kDivision, false, Real>;
            add(to_tile[lane].values, share_tile[warp * kWarpTargets / 4].values,
                detour_tile[warp * kWarpTargets / 4].values, lane_from, rows, source, target,
                candidate, lane_sums);
            for (std::uint32_t v = 0; v < kLaneCandidates; ++v) sums[candidate + v] += lane_sums[v];
          }
        }
      }
    }
  }
  for (double& sum : sums) {
    if (sum < Range<Real>::kLeast / 8) sum = 0;
    if (symmetric) sum *= 2;
  }
  return sums;
}

/// The bounds that include_bounded_kernel makes: by tile of targets, then by source.
template <class Real>
std::vector<RowBound<Real>> row_bounds(const PairState<Real>& state, Spot n) {
  const std::size_t stride = padded(n);
  std::vector<RowBound<Real>> bounds(stride / kBoundedTargets * stride, {{0, 0}, 0});
  for (std::size_t s = 0; s < n; ++s) {
    for (std::size_t t = 0; t < stride; ++t) {
      const Real share = state.shares[s * stride + t];
      const Real detour = state.detours[s * stride + t];
      RowBound<Real>& bound = bounds[t / kBoundedTargets * stride + s];
      Real& largest = bound.largest[t / kPartTargets % kParts];
      if (share > 0) largest = std::max(largest, detour);
      bound.base += detail::quotient(share, detour);
    }
  }
  return bounds;
}

struct BoundedWorths {
  std::vector<double> sums;  // by candidate
  std::uint64_t done = 0;    // rows that were not passed over
};

/// The work of the bounded kernels, warp after warp, of R = `chosen`.
template <class Real, Division kDivision>
class BoundedEmulation {
 public:
  BoundedEmulation(const DistanceMatrix& distances, const std::vector<Spot>& chosen)
      : n_(distances.spot_count()), symmetric_(distances.symmetric()) {
    order_ = nearby_order(distances);
    to_ = scaled_matrix<Real>(distances, Objective::migration, false, order_);
    from_ = scaled_matrix<Real>(distances, Objective::migration, true, order_);
    std::vector<Spot> places;
    places.reserve(chosen.size());
    for (const Spot r : chosen) {
      places.push_back(static_cast<Spot>(std::ranges::find(order_, r) - order_.begin()));
    }
    state_ = state_of<Real>(distances, to_, places);
    least_ = least_distances<Real>(to_, n_);
    bounds_ = row_bounds(state_, n_);
  }

  BoundedWorths worths() {
    std::vector<double> sums(stride_, 0);
    for (const Unit& unit : make_units<Real>(n_, symmetric_, 20, kBoundedRows)) {
      for (std::uint32_t tile = 0; tile < stride_; tile += kBoundedSide) {
        for (std::uint32_t source = unit.source_begin; source < unit.source_end; source += kRows) {
          fill_stage(source, unit.target_begin, tile);
          for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
            add_warp(source, unit.target_begin + warp / kCandidateWarps * kBoundedTargets,
                     tile + warp % kCandidateWarps * kBoundedCandidates, sums);
          }
        }
      }
    }
    BoundedWorths result{std::vector<double>(n_), done_};
    for (Spot place = 0; place < n_; ++place) {
      double sum = sums[place];
      if (sum < Range<Real>::kLeast / 8) sum = 0;
      result.sums[order_[place]] = symmetric_ ? 2 * sum : sum;
    }
    return result;
  }

 private:
  static constexpr std::uint32_t kRows = kStageRows<Real>;

  void fill_stage(std::size_t source, std::size_t target, std::size_t candidate) {
    for (std::size_t row = 0; row < kRows; ++row) {
      for (std::size_t column = 0; column < kBoundedSide; ++column) {
        const std::size_t at = row * kBoundedSide + column;
        const std::size_t begin = (source + row) * stride_ + column;
        stage_.to[at] = to_[begin + candidate];
        stage_.shares[at] = state_.shares[begin + target];
        stage_.detours[at] = state_.detours[begin + target];
      }
    }
  }

  void add_warp(std::uint32_t source, std::uint32_t first_target, std::uint32_t first_candidate,
                std::vector<double>& sums) {
    const std::size_t candidate_tile = first_candidate / kBoundedCandidates;
    const std::size_t target_tile = first_target / kBoundedTargets;
    const LeastOnward<Real>& onward =
        least_.onward[candidate_tile * (stride_ / kBoundedTargets) + target_tile];
    const bool may_touch = tiles_touch(source, first_target, first_candidate);
    alignas(16) std::uint32_t list[kRows];
    std::uint32_t count = 0;
    double base = 0;
    for (std::uint32_t row = 0; row < kRows; ++row) {
      const RowBound<Real>& bound = bounds_[target_tile * stride_ + source + row];
      const LeastThere<Real>& there = least_.there[candidate_tile * stride_ + source + row];
      if (may_touch ? has_counted(bound) : may_better(there, onward, bound)) {
        list[count++] = row * BoundedStage<Real>::kRowBytes;
      } else {
        base += bound.base;
      }
    }
    done_ += count;
    for (std::uint32_t v = 0; v < kBoundedCandidates; ++v) sums[first_candidate + v] += base;
    for (std::uint32_t lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint32_t candidate = first_candidate + lane % kCandidateLanes * kLaneCandidates;
      const std::uint32_t target = first_target + lane / kCandidateLanes * kLaneTargets;
      Real from[kLaneCandidates][kLaneTargets];
      for (std::uint32_t v = 0; v < kLaneCandidates; ++v) {
        for (std::uint32_t t = 0; t < kLaneTargets; ++t) {
          from[v][t] = from_[(target + t) * stride_ + candidate + v];
        }
      }
      Real lane_sums[kLaneCandidates] = {};
      const auto add = may_touch ? add_listed_worths<kDivision, true, Real>
                                 : add_listed_worths<kDivision, false, Real>;
      add(stage_, from, list, count, source, target, candidate, lane_sums);
      for (std::uint32_t v = 0; v < kLaneCandidates; ++v) sums[candidate + v] += lane_sums[v];
    }
  }

  Spot n_;
  bool symmetric_;
  std::size_t stride_ = padded(n_);
  std::vector<Spot> order_;
  std::vector<Real> to_;
  std::vector<Real> from_;
  PairState<Real> state_;
  LeastDistances<Real> least_;
  std::vector<RowBound<Real>> bounds_;
  BoundedStage<Real> stage_;
  std::uint64_t done_ = 0;
};

/// Returns the part of the rows that was not passed over.
template <class Real, Division kDivision>
double expect_bounded_worths(const Named& sample, const std::vector<Spot>& set, double tolerance) {
  const Spot n = sample.distances.spot_count();
  const auto bounded = BoundedEmulation<Real, kDivision>(sample.distances, set).worths();
  const std::vector<double> all = worths<Real, kDivision>(sample.distances, set);
  const std::uint64_t row_count = bounded_row_count(n, sample.distances.symmetric());
  EXPECT_LE(bounded.done, row_count) << sample.name;
  for (Spot v = 0; v < n; ++v) {
    if (std::ranges::find(set, v) != set.end()) continue;
    EXPECT_NEAR(bounded.sums[v], all[v], tolerance * all[v])
        << sample.name << ", " << 8 * sizeof(Real) << " bits, candidate " << v << " after "
        << set.size();
    if (v % (1 + n / 20) != 0) continue;
    std::vector<Spot> with_v = set;
    with_v.push_back(v);
    const double right = objective_value(Objective::migration, sample.distances, with_v);
    const double given = objective_of_sum(Objective::migration, n, with_v.size(), bounded.sums[v]);
    EXPECT_NEAR(given, right, tolerance * right) << sample.name << ", candidate " << v;
  }
  return static_cast<double>(bounded.done) / static_cast<double>(row_count);
}

template <class Real, Division kDivision>
void expect_worths_by_definition(const Named& sample, double tolerance) {
  const Spot n = sample.distances.spot_count();
  for (const Spot k : {0U, 1U, 3U}) {
    if (k >= n) continue;
    std::vector<Spot> set;
    for (Spot i = 0; i < k; ++i) set.push_back((i * 29 + 1) % n);
    const std::vector<double> sums = worths<Real, kDivision>(sample.distances, set);
    for (Spot v = 0; v < n; v += 1 + n / 40) {
      if (std::ranges::find(set, v) != set.end()) continue;
      set.push_back(v);
      const double right = objective_value(Objective::migration, sample.distances, set);
      set.pop_back();
      const double given = objective_of_sum(Objective::migration, n, k + 1, sums[v]);
      ASSERT_NEAR(given, right, tolerance * right)
          << sample.name << ", " << 8 * sizeof(Real) << " bits, candidate " << v << " after " << k;
    }
  }
}

TEST(Detours, TilesAddUpToTheDefinition) {
  for (const Spot n : {2U, 3U, 7U, 65U, 131U}) {
    for (const Named& sample : samples(n)) {
      expect_worths_by_definition<float, Division::reciprocal>(sample, 2e-6);
      expect_worths_by_definition<float, Division::paired>(sample, 2e-6);
      expect_worths_by_definition<double, Division::reciprocal>(sample, 1e-12);
      expect_worths_by_definition<double, Division::paired>(sample, 1e-12);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Bounds, PassedOverPairsChangeNothing) {
  for (const Spot n : {4U, 7U, 33U, 65U, 150U}) {
    for (const Named& sample : samples(n)) {
      for (const Spot k : {1U, 3U}) {
        std::vector<Spot> set;
        for (Spot i = 0; i < k; ++i) set.push_back((i * 29 + 1) % n);
        expect_bounded_worths<float, Division::reciprocal>(sample, set, 2e-6);
        expect_bounded_worths<float, Division::paired>(sample, set, 2e-6);
        expect_bounded_worths<double, Division::reciprocal>(sample, set, 1e-12);
        expect_bounded_worths<double, Division::paired>(sample, set, 1e-12);
        if (HasFailure()) return;
      }
    }
  }
}

TEST(Bounds, PairsArePassedOver) {
  const std::vector<Spot> set = {3, 88, 140, 201, 311, 399};
  EXPECT_LT((expect_bounded_worths<float, Division::paired>({"points", points(400)}, set, 2e-6)),
            0.7);
  EXPECT_LT(
      (expect_bounded_worths<float, Division::paired>({"asymmetric", asymmetric(400)}, set, 2e-6)),
      0.8);
}

TEST(NearbyOrder, HasEverySpotOnceAndIsAlwaysTheSame) {
  for (const Spot n : {1U, 2U, 8U, 9U, 15U, 16U, 17U, 100U, 894U}) {
    for (const Named& sample : samples(n)) {
      const std::vector<Spot> order = nearby_order(sample.distances);
      EXPECT_EQ(nearby_order(sample.distances), order) << sample.name;
      std::vector<Spot> sorted = order;
      std::ranges::sort(sorted);
      std::vector<Spot> all(n);
      std::iota(all.begin(), all.end(), Spot{0});
      EXPECT_EQ(sorted, all) << sample.name;
    }
  }
  EXPECT_TRUE(nearby_order(DistanceMatrix(0, {}, "a test")).empty());
}

TEST(NearbyOrder, TilesHaveNearSpots) {
  constexpr Spot kSpots = 1'000;
  constexpr Spot kTile = 32;
  const DistanceMatrix distances = points(kSpots);
  const std::vector<Spot> order = nearby_order(distances);
  for (Spot tile = 0; tile < kSpots; tile += kTile) {
    for (Spot i = tile; i < std::min(tile + kTile, kSpots); ++i) {
      EXPECT_LT(distances(order[tile], order[i]), 4'000) << "32 of 1,000 are 1,800 m wide";
    }
  }
}

TEST(Detours, UnitsHaveEveryPairOnce) {
  for (const Spot n : {1U, 64U, 65U, 300U}) {
    for (const bool symmetric : {false, true}) {
      for (const std::uint32_t block_count : {1U, 50U, 10'000U}) {
        std::vector<int> seen(std::size_t{n} * n, 0);
        for (const Unit& unit : make_units<float>(n, symmetric, block_count)) {
          for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
            const std::uint32_t target = unit.target_begin + warp * kWarpTargets;
            const std::uint32_t rows = row_count(n, symmetric, target, unit.source_begin,
                                                 unit.source_end - unit.source_begin);
            for (std::uint32_t s = unit.source_begin; s < unit.source_begin + rows; ++s) {
              for (std::uint32_t t = target; t < std::min(target + kWarpTargets, n); ++t) {
                ++seen[std::size_t{s} * n + t];
              }
            }
          }
        }
        for (Spot s = 0; s < n; ++s) {
          for (Spot t = symmetric ? s + 1 : 0; t < n; ++t) {
            ASSERT_EQ(seen[std::size_t{s} * n + t], 1) << s << " " << t;
          }
        }
      }
    }
  }
}

TEST(Detours, DistancesOutOfReachAreRefused) {
  DistanceMatrix wide = matrix(3, [](Spot s, Spot t) { return s + t == 1 ? 1e-5 : 1e6; });
  EXPECT_THROW(require_range<float>(wide, "test"), UnmetError);
  EXPECT_NO_THROW(require_range<double>(wide, "test"));
  EXPECT_NO_THROW(require_range<float>(points(50, 2'500), "test"));
  // 0 to 1 and 1 to 2 cost nothing, and 0 to 2 costs something.
  const DistanceMatrix free = matrix(3, [](Spot s, Spot t) { return s + t == 2 ? 5.0 : 0.0; });
  EXPECT_THROW(require_no_free_detour(free, "test"), UnmetError);
  EXPECT_NO_THROW(require_no_free_detour(points(100, 2'500), "test"));
}

TEST(Detours, ScalingLosesNothing) {
  const DistanceMatrix distances = points(20);
  const int exponent = scale_exponent(distances);
  const auto scaled = scaled_matrix<double>(distances, Objective::convenience, true);
  const auto values = distances.values();
  const double largest = *std::ranges::max_element(values);
  EXPECT_GE(std::ldexp(largest, -exponent), 1);
  EXPECT_LT(std::ldexp(largest, -exponent), 2);
  for (Spot s = 0; s < 20; ++s) {
    for (Spot t = 0; t < 20; ++t) {
      EXPECT_EQ(std::ldexp(scaled[t * padded(20) + s], exponent), distances(s, t));
    }
  }
  EXPECT_EQ(scale_exponent(matrix(3, [](Spot, Spot) { return 0.0; })), 0);
}

/// Several K of one input: values that a variant keeps between runs must not show. K is at most 75,
/// because to certify a choice of many spots takes long.
std::vector<SetQuery> queries_of(Spot n) {
  std::vector<SetQuery> queries;
  for (const Spot k : {n, 1U, 2U, 5U, n / 2, n - 1}) {
    if (k >= 1 && k <= std::min(n, 75U)) queries.push_back({k});
  }
  return queries;
}

/// Every instance of the problem that needs a GPU, in turn, where its other needs are met: with all
/// launches and choices of pairs.
template <class Problem, class Visit>
void for_each_gpu_instance(const Workload& workload, Visit visit) {
  for (const Family& family : Registry::global().families()) {
    if (family.problem() != Problem::kName) continue;
    for (const Instance& instance : family.instances) {
      const std::vector<Need>& needs = instance.description.needs;
      const bool needs_gpu = std::ranges::find(needs, Need::cuda) != needs.end();
      const bool is_met = std::ranges::all_of(
          needs, [&](Need need) { return need == Need::cuda || workload.unmet(need).empty(); });
      if (!needs_gpu || !is_met) continue;
      Settings settings = instance.description.instance;
      for (const Key& key : family.description().keys) {
        if (key.when == Key::When::run_time) settings.set(key.name, key.default_value);
      }
      const auto with_launches = [&] {
        if (!settings.has("launch")) return visit(family.canonical(settings), instance, settings);
        for (const char* launch : {"stream", "graph"}) {
          settings.set("launch", launch);
          visit(family.canonical(settings), instance, settings);
        }
      };
      if (!settings.has("pairs")) {
        with_launches();
        continue;
      }
      for (const char* pairs : {"all", "bounded"}) {
        settings.set("pairs", pairs);
        with_launches();
      }
    }
  }
}

/// Checks all answers of all instances, twice; returns their number.
template <class Problem>
int check_all(const Named& sample) {
  bellmark::detail::WorkloadOf<Problem> workload({sample.distances, {}, 0},
                                                 queries_of(sample.distances.spot_count()));
  int checked = 0;
  for_each_gpu_instance<Problem>(
      workload, [&](const std::string& name, const Instance& instance, const Settings& settings) {
        const auto variant = instance.bind(workload, settings);
        RunContext context;
        variant->prepare(context);
        for (std::size_t query = 0; query < workload.query_count(); ++query) {
          const std::string where = name + " on " + sample.name + ": " + workload.query_text(query);
          variant->run(query, 1, context);
          EXPECT_EQ(variant->certify(query), std::nullopt) << where;
          const std::uint64_t digest = variant->digest(query);
          variant->run(query, 1, context);
          // The order of the paper's atomics is left to chance.
          if (name.find("paper-greedy") == std::string::npos) {
            EXPECT_EQ(variant->digest(query), digest) << where;
          }
          EXPECT_EQ(variant->certify(query), std::nullopt) << where;
          ++checked;
        }
      });
  return checked;
}

TEST(SetCentralityGpu, EveryInstanceOnDistancesOfAllKinds) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const Spot n : {1U, 2U, 3U, 8U, 33U, 70U, 150U}) {
    for (const Named& sample : samples(n)) {
      EXPECT_GT(check_all<SetMigration>(sample), 5) << sample.name;
      EXPECT_GT(check_all<SetConvenience>(sample), 7) << sample.name;
      if (HasFailure()) return;
    }
  }
}

/// The chosen spots of every query, by the instance's name but for its last key, `pairs`, and by
/// that key.
using Choices = std::map<std::string, std::map<std::string, std::vector<std::string>>>;

Choices choices_of(const Named& sample) {
  bellmark::detail::WorkloadOf<SetMigration> workload({sample.distances, {}, 0}, {{1}, {2}, {7}});
  Choices choices;
  for_each_gpu_instance<SetMigration>(
      workload, [&](const std::string& name, const Instance& instance, const Settings& settings) {
        if (!settings.has("pairs")) return;
        const std::string& pairs = settings.get("pairs");
        const auto variant = instance.bind(workload, settings);
        RunContext context;
        variant->prepare(context);
        const std::string rest = name.substr(0, name.find(",pairs="));
        for (std::size_t query = 0; query < workload.query_count(); ++query) {
          variant->run(query, 1, context);
          for (const auto& [key, value] : variant->answer_facts(query)) {
            if (key == "chosen") choices[rest][pairs].push_back(std::get<std::string>(value));
          }
        }
      });
  return choices;
}

TEST(SetCentralityGpu, BoundedPairsChooseTheSame) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const Spot n : {8U, 33U, 150U, 400U}) {
    // No two candidates are equal here, which rounding would decide about.
    for (const Named& sample :
         {Named{"points", points(n)}, Named{"asymmetric", asymmetric(n)},
          Named{"lawless and symmetric", lawless(n, true)}, Named{"lawless", lawless(n, false)}}) {
      const Choices choices = choices_of(sample);
      EXPECT_EQ(choices.size(), 8u) << "two launches, two precisions and two divisions";
      for (const auto& [name, by_pairs] : choices) {
        ASSERT_EQ(by_pairs.size(), 2u) << name;
        EXPECT_EQ(by_pairs.at("bounded"), by_pairs.at("all"))
            << name << " on " << sample.name << ", n=" << n;
      }
    }
  }
}

TEST(SetCentralityGpu, FreeDetoursAreRefused) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const DistanceMatrix free = matrix(3, [](Spot s, Spot t) { return s + t == 2 ? 5.0 : 0.0; });
  bellmark::detail::WorkloadOf<SetMigration> workload({free, {}, 0}, {{1}});
  int refused = 0;
  for_each_gpu_instance<SetMigration>(
      workload, [&](const std::string& name, const Instance& instance, const Settings& settings) {
        RunContext context;
        EXPECT_THROW(instance.bind(workload, settings)->prepare(context), UnmetError) << name;
        ++refused;
      });
  EXPECT_GE(refused, 6);
}

}  // namespace
}  // namespace bellmark::set_centrality
