// The inner loops of set centrality.
//
// Migration goes, per source s, over four targets t and one register of spots v. It takes 4 loads
// of d(v, t), 8 broadcasts (D and d of the pairs), 4 additions and 4 minima. The sum of four ratios
// over one common denominator is 9 multiplications, 3 of them fused with an addition, 1 division
// and 1 addition. With a division for each pair the divider would bind. Rounding: 8 operations on
// the way, each within half a unit in the last place. A tile's distances (8 KiB) stay in the
// first-level cache. Its pairs stream by, 8 bytes a pair in float32 for 32 spots, 16 bytes in
// float64 for 16. While R is empty, no pair has a detour: half of the bytes, and neither minima nor
// their broadcasts.
#include "algorithms/spots/set_centrality/evaluator.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/formula.hpp"

namespace bellmark::set_centrality {
namespace {

constexpr std::size_t kGroup = 4;  // targets over one denominator

/// Products of four detours, and sums of four of them, are to be normal numbers.
template <class Real>
constexpr int kMostExponents = std::numeric_limits<Real>::max_exponent / 2 - 4;
/// The stand-in for a distance of 0 between two spots: it vanishes when added to the least other
/// one.
template <class Real>
constexpr int kZeroExponent = -(std::numeric_limits<Real>::digits + 4);

/// The range of exponents that distances and sums of two of them take.
struct Exponents {
  int least = 0;
  int largest = 0;

  int span() const { return largest - least; }
};

template <class Real>
Exponents exponents_of(const DistanceMatrix& distances, bool& has_zeros) {
  double least = std::numeric_limits<double>::infinity();
  double largest = 0;
  has_zeros = false;
  for (Spot s = 0; s < distances.spot_count(); ++s) {
    for (Spot t = 0; t < distances.spot_count(); ++t) {
      const double distance = distances(s, t);
      if (distance > 0) {
        least = std::min(least, distance);
        largest = std::max(largest, distance);
      } else if (s != t) {
        has_zeros = true;
      }
    }
  }
  if (largest == 0) return {};
  const int below = has_zeros ? kZeroExponent<Real> : 0;
  return {std::ilogb(least) + below, std::ilogb(largest) + 1};
}

/// Distances to (or from) the spots v of one chunk, and the pairs of one run.
template <class Real>
struct Tile {
  const Targets<Real>* targets;   ///< of source 0
  const Lanes<Real>* to;          ///< d(s, v) of source 0
  const Lanes<Real>* from;        ///< d(v, t) of the run's first target
  const std::int8_t* lane_of;     ///< of spot 0; kRun more than there are spots
  const std::uint8_t* is_chosen;  ///< of spot 0
  std::size_t source_count;
  std::size_t first_target;
  bool symmetric;  ///< pairs with t <= s don't count
  bool is_first;   ///< R is empty: no pair has a detour
};

/// A register of Reals, kBytes long; `Unaligned` may lie anywhere in an array of them. Never
/// deduced: a template argument loses these attributes.
template <class Real, std::size_t kBytes>
struct Register {
  typedef Real Vector __attribute__((vector_size(kBytes), may_alias));
  typedef Real Unaligned __attribute__((vector_size(kBytes), may_alias, aligned(alignof(Real))));
};

/// Adds distances[j] / min(detours[j], to + from[j]) for four targets j to `sum`; `kTouched`: times
/// counts[j], by lanes. `kFirst`: there are no detours yet.
template <bool kFirst, bool kTouched, class Real, std::size_t kBytes>
[[gnu::always_inline]] inline void add_group(const Real* distances, const Real* detours,
                                             const typename Register<Real, kBytes>::Vector& to,
                                             const Lanes<Real>* from, const Real* const* counts,
                                             std::size_t u,
                                             typename Register<Real, kBytes>::Vector& sum) {
  using Vector = typename Register<Real, kBytes>::Vector;
  using Unaligned = typename Register<Real, kBytes>::Unaligned;
  Vector through[kGroup];
  for (std::size_t j = 0; j < kGroup; ++j) {
    through[j] = to + reinterpret_cast<const Vector*>(from[j].values)[u];
    if constexpr (!kFirst) {
      const Vector before = detours[j] - Vector{};  // less 0: a broadcast, and no addition
      through[j] = through[j] < before ? through[j] : before;
    }
  }
  Vector terms[kGroup];
  for (std::size_t j = 0; j < kGroup; ++j) {
    terms[j] = distances[j] * through[j ^ 1];
    if constexpr (kTouched) terms[j] *= reinterpret_cast<const Unaligned*>(counts[j])[u];
  }
  const Vector left_product = through[0] * through[1];
  const Vector right_product = through[2] * through[3];
  sum += ((terms[0] + terms[1]) * right_product + (terms[2] + terms[3]) * left_product) /
         (left_product * right_product);
}

/// Adds the ratios of the run's pairs to `sums`, by lanes.
template <bool kFirst, class Real, std::size_t kBytes>
[[gnu::always_inline]] inline void sum_run(const Tile<Real>& tile, double* sums) {
  using Vector = typename Register<Real, kBytes>::Vector;
  constexpr std::size_t kVectors = sizeof(Lanes<Real>) / kBytes;
  constexpr std::size_t kWidth = kBytes / sizeof(Real);
  // lane_counts + kLanes - l is 0 in lane l and 1 in all others; of lane -1, 1 in all.
  Real lane_counts[2 * kLanes<Real> + 1];
  for (Real& count : lane_counts) count = 1;
  lane_counts[kLanes<Real>] = 0;
  bool has_lane[kRun / kGroup] = {};
  const std::int8_t* const lanes = tile.lane_of + tile.first_target;
  for (std::size_t i = 0; i < kRun; ++i) has_lane[i / kGroup] |= lanes[i] >= 0;

  for (std::size_t s = 0; s < tile.source_count; ++s) {
    if (tile.is_chosen[s]) continue;
    std::size_t begin = 0;
    if (tile.symmetric && s + 1 > tile.first_target) {
      begin = (s + 1 - tile.first_target) / kGroup * kGroup;
      if (begin >= kRun) break;
    }
    const Targets<Real>& pairs = tile.targets[s];
    const auto* const to = reinterpret_cast<const Vector*>(tile.to[s].values);
    Vector sum[kVectors] = {};
    for (std::size_t i = begin; i < kRun; i += kGroup) {
      const Real* const distances = pairs.distances + i;
      const Real* const detours = pairs.detours + i;
      if (!has_lane[i / kGroup]) {
        for (std::size_t u = 0; u < kVectors; ++u) {
          add_group<kFirst, false, Real, kBytes>(distances, detours, to[u], tile.from + i, nullptr,
                                                 u, sum[u]);
        }
        continue;
      }
      const Real* counts[kGroup];
      for (std::size_t j = 0; j < kGroup; ++j) {
        // A pair whose target is v is none of R + v.
        const int shift = lanes[i + j] < 0 ? -1 : lanes[i + j];
        counts[j] = lane_counts + static_cast<int>(kLanes<Real>) - shift;
      }
      for (std::size_t u = 0; u < kVectors; ++u) {
        add_group<kFirst, true, Real, kBytes>(distances, detours, to[u], tile.from + i, counts, u,
                                              sum[u]);
      }
    }
    const std::int8_t own = tile.lane_of[s];  // nor is one whose source is v
    if (own >= 0) sum[own / kWidth][own % kWidth] = 0;
    for (std::size_t u = 0; u < kVectors; ++u) {
      for (std::size_t l = 0; l < kWidth; ++l) {
        sums[u * kWidth + l] += static_cast<double>(sum[u][l]);
      }
    }
  }
}

template <class Real, std::size_t kBytes>
[[gnu::always_inline]] inline void sum_ratios(const Tile<Real>& tile, double* sums) {
  if (tile.is_first) {
    sum_run<true, Real, kBytes>(tile, sums);
  } else {
    sum_run<false, Real, kBytes>(tile, sums);
  }
}

/// The sum of min(nearest[s], to[s]). A register takes one load from memory or an outer cache, one
/// from the first-level cache, a minimum and an addition. No lane adds more than kSteps numbers
/// before they go to float64.
template <class Real, std::size_t kBytes>
[[gnu::always_inline]] inline double sum_nearest(const Real* nearest, const Real* to,
                                                 std::size_t count) {
  using Vector = typename Register<Real, kBytes>::Vector;
  using Unaligned = typename Register<Real, kBytes>::Unaligned;
  constexpr std::size_t kWidth = kBytes / sizeof(Real);
  constexpr std::size_t kSums = 4;
  constexpr std::size_t kSteps = 16;
  const std::size_t step_count = count / (kSums * kWidth);
  double total = 0;
  for (std::size_t step = 0; step < step_count;) {
    Vector sums[kSums] = {};
    for (const std::size_t end = std::min(step + kSteps, step_count); step < end; ++step) {
      for (std::size_t i = 0; i < kSums; ++i) {
        const Vector before = reinterpret_cast<const Unaligned*>(nearest)[step * kSums + i];
        const Vector after = reinterpret_cast<const Unaligned*>(to)[step * kSums + i];
        sums[i] += after < before ? after : before;
      }
    }
    const Vector sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    for (std::size_t l = 0; l < kWidth; ++l) total += static_cast<double>(sum[l]);
  }
  for (std::size_t s = step_count * kSums * kWidth; s < count; ++s) {
    total += static_cast<double>(std::min(nearest[s], to[s]));
  }
  return total;
}

/// The same code for each width of registers.
template <class Real>
struct Loops {
  void (*sum_ratios)(const Tile<Real>&, double*);
  double (*sum_nearest)(const Real*, const Real*, std::size_t);
};

template <class Real>
void sum_ratios_16(const Tile<Real>& tile, double* sums) {
  sum_ratios<Real, 16>(tile, sums);
}
template <class Real>
double sum_nearest_16(const Real* nearest, const Real* to, std::size_t count) {
  return sum_nearest<Real, 16>(nearest, to, count);
}
#if defined(__x86_64__)
template <class Real>
[[gnu::target("avx2,fma")]] void sum_ratios_32(const Tile<Real>& tile, double* sums) {
  sum_ratios<Real, 32>(tile, sums);
}
template <class Real>
[[gnu::target("avx2,fma")]] double sum_nearest_32(const Real* nearest, const Real* to,
                                                  std::size_t count) {
  return sum_nearest<Real, 32>(nearest, to, count);
}
template <class Real>
[[gnu::target("avx512f,avx512dq,avx512vl")]] void sum_ratios_64(const Tile<Real>& tile,
                                                                double* sums) {
  sum_ratios<Real, 64>(tile, sums);
}
template <class Real>
[[gnu::target("avx512f,avx512dq,avx512vl")]] double sum_nearest_64(const Real* nearest,
                                                                   const Real* to,
                                                                   std::size_t count) {
  return sum_nearest<Real, 64>(nearest, to, count);
}
#endif

template <class Real>
constexpr Loops<Real> loops_of(std::size_t register_bytes) {
#if defined(__x86_64__)
  if (register_bytes == 64) return {sum_ratios_64<Real>, sum_nearest_64<Real>};
  if (register_bytes == 32) return {sum_ratios_32<Real>, sum_nearest_32<Real>};
#endif
  return {sum_ratios_16<Real>, sum_nearest_16<Real>};
}

}  // namespace

template <class Real>
ScaledDistances<Real>::ScaledDistances(const DistanceMatrix& distances) {
  const Exponents exponents = exponents_of<Real>(distances, has_zeros);
  const int middle = (exponents.least + exponents.largest) / 2;
  unit = std::ldexp(1.0, middle);
  if (has_zeros) zero = static_cast<Real>(std::ldexp(1.0, exponents.least - middle));
  values.reserve(distances.values().size());
  for (const double distance : distances.values()) {
    values.push_back(static_cast<Real>(distance / unit));
  }
}

bool fits_float32(const DistanceMatrix& distances) {
  bool has_zeros = false;
  return exponents_of<float>(distances, has_zeros).span() <= kMostExponents<float>;
}

void check_precision(const DistanceMatrix& distances, const Settings& settings) {
  constexpr double kMatrices = 5;  // distances, detours, distances of pairs, and candidates twice
  const auto n = static_cast<double>(distances.spot_count());
  const auto precision = settings.integer("precision");
  check_memory(distances.provenance(), kMatrices * n * n * static_cast<double>(precision) / 8);
  if (precision == 64) return;
  bool has_zeros = false;
  const int span = exponents_of<float>(distances, has_zeros).span();
  if (span <= kMostExponents<float>) return;
  throw InputError("precision=32",
                   "the largest distance is more than 2^" + std::to_string(span - 1) +
                       " times the least one" + (has_zeros ? ", with zeros" : ""),
                   "use precision=64");
}

std::size_t widest_register_bytes() {
#if defined(__x86_64__)
  const bool has_64 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (has_64) return 64;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return 32;
#endif
  return 16;
}

void FreeDetours::prepare(const DistanceMatrix& distances) {
  n_ = distances.spot_count();
  is_zero_.assign(n_ * n_, 0);
  from_.assign(n_, {});
  to_.assign(n_, {});
  for (Spot s = 0; s < n_; ++s) {
    for (Spot t = 0; t < n_; ++t) {
      if (s == t || distances(s, t) != 0) continue;
      is_zero_[s * n_ + t] = 1;
      from_[s].push_back(t);
      to_[t].push_back(s);
    }
  }
  clear();
}

void FreeDetours::clear() { is_free_.assign(n_ * n_, 0); }

void FreeDetours::add(Spot v) {
  for (const Spot s : to_[v]) {
    for (const Spot t : from_[v]) {
      if (s != t) is_free_[s * n_ + t] = 1;
    }
  }
}

void FreeDetours::tally(std::span<const std::uint8_t> is_chosen) {
  all_ = {};
  touching_.assign(n_, {});
  for (std::size_t s = 0; s < n_; ++s) {
    for (std::size_t t = 0; t < n_; ++t) {
      if (is_free_[s * n_ + t] == 0 || is_chosen[s] != 0 || is_chosen[t] != 0) continue;
      for (Tally* const tally : {&all_, &touching_[s], &touching_[t]}) {
        ++(is_zero_[s * n_ + t] != 0 ? tally->ones : tally->infinites);
      }
    }
  }
}

FreeDetours::Counts FreeDetours::with(Spot v, std::span<const std::uint8_t> is_chosen) const {
  Counts counts{all_.ones - touching_[v].ones, all_.infinites > touching_[v].infinites};
  for (const Spot s : to_[v]) {
    for (const Spot t : from_[v]) {
      if (s == t || is_chosen[s] != 0 || is_chosen[t] != 0) continue;
      if (is_free_[s * n_ + t] != 0) continue;  // counted
      if (is_zero_[s * n_ + t] != 0) {
        ++counts.ones;
      } else {
        counts.infinite = true;
      }
    }
  }
  return counts;
}

template <class Real>
void EvaluatorBase<Real>::prepare(const DistanceMatrix& distances, std::shared_ptr<ThreadTeam> team,
                                  RunContext& context) {
  n_ = distances.spot_count();
  symmetric_ = distances.symmetric();
  team_ = std::move(team);
  distances_ = ScaledDistances<Real>(distances);
  context.account("distances", distances_.values.size() * sizeof(Real));
  clear();
}

template <class Real>
void EvaluatorBase<Real>::clear() {
  chosen_.clear();
  is_chosen_.assign(n_, 0);
}

template <class Real>
void EvaluatorBase<Real>::add(Spot v) {
  chosen_.push_back(v);
  is_chosen_[v] = 1;
}

template <class Real>
std::vector<Spot> EvaluatorBase<Real>::not_chosen() const {
  std::vector<Spot> spots;
  for (std::size_t v = 0; v < n_; ++v) {
    if (is_chosen_[v] == 0) spots.push_back(static_cast<Spot>(v));
  }
  return spots;
}

template <class Real>
void EvaluatorBase<Real>::share(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  team_->run([&](std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  });
}

template <class Real>
void Evaluator<Objective::migration, Real>::prepare(const DistanceMatrix& distances,
                                                    std::shared_ptr<ThreadTeam> team,
                                                    RunContext& context) {
  Base::prepare(distances, std::move(team), context);
  targets_.assign(run_count() * n_, {});
  const std::size_t chunk_count = (n_ + kLanes<Real> - 1) / kLanes<Real>;
  const std::size_t padded = run_count() * kRun;
  to_.assign(chunk_count * padded, {});
  if (!symmetric_) from_.assign(chunk_count * padded, {});
  lane_of_.assign(chunk_count * padded, -1);
  partial_.assign(chunk_count * run_count() * kLanes<Real>, 0);
  context.account("pairs", targets_.size() * sizeof(Targets<Real>));
  context.account("candidates", (to_.size() + from_.size()) * sizeof(Lanes<Real>) +
                                    lane_of_.size() + partial_.size() * sizeof(double));
  if (distances_.has_zeros) {
    free_detours_.prepare(distances);
    context.account("zero distances", 2 * n_ * n_);
    for (std::size_t s = 0; s < n_; ++s) {
      for (std::size_t t = 0; t < n_; ++t) {
        Real& distance = distances_.values[s * n_ + t];
        if (s != t && distance == 0) distance = distances_.zero;
      }
    }
  }
  clear();
}

template <class Real>
void Evaluator<Objective::migration, Real>::clear() {
  Base::clear();
  if (distances_.has_zeros) free_detours_.clear();
  Base::share(run_count(), [&](std::size_t run) {
    for (std::size_t s = 0; s < source_end(run); ++s) {
      Targets<Real>& targets = targets_[run * n_ + s];
      for (std::size_t i = 0; i < kRun; ++i) {
        const std::size_t t = run * kRun + i;
        const Real distance = t < n_ ? distances_.values[s * n_ + t] : 0;
        const bool counts = symmetric_ ? t > s : t != s;
        targets.distances[i] = counts && distance != distances_.zero ? distance : 0;
        targets.detours[i] = t < n_ ? std::numeric_limits<Real>::infinity() : Real{1};
      }
    }
  });
}

template <class Real>
void Evaluator<Objective::migration, Real>::add(Spot v) {
  Base::add(v);
  if (distances_.has_zeros) free_detours_.add(v);
  const Real* const onward = &distances_.values[v * n_];
  Base::share(run_count(), [&](std::size_t run) {
    const std::size_t count = std::min(kRun, n_ - run * kRun);
    for (std::size_t s = 0; s < source_end(run); ++s) {
      Targets<Real>& targets = targets_[run * n_ + s];
      const Real to = distances_.values[s * n_ + v];
      for (std::size_t i = 0; i < count; ++i) {
        targets.detours[i] = std::min(targets.detours[i], to + onward[run * kRun + i]);
      }
      if (v / kRun == run) targets.distances[v % kRun] = 0;
    }
  });
}

template <class Real>
void Evaluator<Objective::migration, Real>::pack(std::span<const Spot> candidates,
                                                 std::size_t chunk) {
  const std::size_t padded = run_count() * kRun;
  const std::size_t count = std::min(kLanes<Real>, candidates.size() - chunk * kLanes<Real>);
  const auto spots = candidates.subspan(chunk * kLanes<Real>, count);
  std::int8_t* const lane_of = &lane_of_[chunk * padded];
  std::fill(lane_of, lane_of + padded, std::int8_t{-1});
  for (std::size_t l = 0; l < count; ++l) lane_of[spots[l]] = static_cast<std::int8_t>(l);
  const Real* const all = distances_.values.data();
  std::size_t begin = 0;
  // A column of symmetric distances is a row. Rows are read in sequence, a run at a time, so that
  // the lanes of a run stay in the first-level cache.
  if (symmetric_ && count == kLanes<Real>) {
    for (; begin + kRun <= n_; begin += kRun) {
      Lanes<Real>* const to = &to_[chunk * padded + begin];
      for (std::size_t l = 0; l < kLanes<Real>; ++l) {
        const Real* const row = all + spots[l] * n_ + begin;
        for (std::size_t i = 0; i < kRun; ++i) to[i].values[l] = row[i];
      }
    }
  }
  for (std::size_t s = begin; s < padded; ++s) {
    Lanes<Real>& to = to_[chunk * padded + s];
    for (std::size_t l = 0; l < kLanes<Real>; ++l) {
      to.values[l] = l < count && s < n_ ? all[s * n_ + spots[l]] : Real{1};
    }
    if (symmetric_) continue;
    Lanes<Real>& from = from_[chunk * padded + s];
    for (std::size_t l = 0; l < kLanes<Real>; ++l) {
      from.values[l] = l < count && s < n_ ? all[spots[l] * n_ + s] : Real{1};
    }
  }
}

template <class Real>
void Evaluator<Objective::migration, Real>::evaluate(std::span<const Spot> candidates,
                                                     std::span<double> values) {
  const std::size_t padded = run_count() * kRun;
  const std::size_t chunk_count = (candidates.size() + kLanes<Real> - 1) / kLanes<Real>;
  Base::share(chunk_count, [&](std::size_t chunk) { pack(candidates, chunk); });
  const Loops<Real> loops = loops_of<Real>(Base::register_bytes_);
  // The last runs first: of symmetric distances they have the most pairs.
  Base::share(chunk_count * run_count(), [&](std::size_t i) {
    const std::size_t run = run_count() - 1 - i / chunk_count;
    const std::size_t chunk = i % chunk_count;
    const Lanes<Real>* const to = &to_[chunk * padded];
    const Lanes<Real>* const from = symmetric_ ? to : &from_[chunk * padded];
    const Tile<Real> tile{&targets_[run * n_], to, from + run * kRun, &lane_of_[chunk * padded],
                          is_chosen_.data(),   n_, run * kRun,        symmetric_,
                          chosen_.empty()};
    double* const sums = &partial_[(chunk * run_count() + run) * kLanes<Real>];
    std::fill(sums, sums + kLanes<Real>, 0.0);
    loops.sum_ratios(tile, sums);
  });
  if (distances_.has_zeros) free_detours_.tally(is_chosen_);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    double sum = 0;
    for (std::size_t run = 0; run < run_count(); ++run) {
      sum += partial_[(i / kLanes<Real> * run_count() + run) * kLanes<Real> + i % kLanes<Real>];
    }
    if (symmetric_) sum *= 2;
    if (distances_.has_zeros) {
      const auto counts = free_detours_.with(candidates[i], is_chosen_);
      sum = counts.infinite ? std::numeric_limits<double>::infinity()
                            : sum + static_cast<double>(counts.ones);
    }
    values[i] =
        objective_of_sum(Objective::migration, static_cast<Spot>(n_), chosen_.size() + 1, sum);
  }
}

template <class Real>
void Evaluator<Objective::convenience, Real>::prepare(const DistanceMatrix& distances,
                                                      std::shared_ptr<ThreadTeam> team,
                                                      RunContext& context) {
  Base::prepare(distances, std::move(team), context);
  if (!symmetric_) {
    transposed_.resize(n_ * n_);
    for (std::size_t s = 0; s < n_; ++s) {
      for (std::size_t v = 0; v < n_; ++v) transposed_[v * n_ + s] = distances_.values[s * n_ + v];
    }
    distances_.values = {};
  }
  clear();
}

template <class Real>
void Evaluator<Objective::convenience, Real>::clear() {
  Base::clear();
  nearest_.assign(n_, std::numeric_limits<Real>::infinity());
}

template <class Real>
void Evaluator<Objective::convenience, Real>::add(Spot v) {
  Base::add(v);
  const Real* const distance = to(v);
  for (std::size_t s = 0; s < n_; ++s) nearest_[s] = std::min(nearest_[s], distance[s]);
}

/// Spots of R + v add 0: they are at distance 0 from themselves.
template <class Real>
void Evaluator<Objective::convenience, Real>::evaluate(std::span<const Spot> candidates,
                                                       std::span<double> values) {
  constexpr std::size_t kBlock = 32;
  const Loops<Real> loops = loops_of<Real>(Base::register_bytes_);
  Base::share((candidates.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
    const std::size_t end = std::min((block + 1) * kBlock, candidates.size());
    for (std::size_t i = block * kBlock; i < end; ++i) {
      const double sum = loops.sum_nearest(nearest_.data(), to(candidates[i]), n_);
      values[i] = objective_of_sum(Objective::convenience, static_cast<Spot>(n_),
                                   chosen_.size() + 1, sum * distances_.unit);
    }
  });
}

template struct ScaledDistances<float>;
template struct ScaledDistances<double>;
template class EvaluatorBase<float>;
template class EvaluatorBase<double>;
template class Evaluator<Objective::migration, float>;
template class Evaluator<Objective::migration, double>;
template class Evaluator<Objective::convenience, float>;
template class Evaluator<Objective::convenience, double>;

}  // namespace bellmark::set_centrality
