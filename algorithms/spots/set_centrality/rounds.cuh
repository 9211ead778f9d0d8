// Rounds of greedy choice on the GPU: the worth of every candidate beside the chosen ones, the best
// of them, and the changes of its choice. Nothing of a round waits for the host.
//
// A round of migration goes through N^3 / 2 pairs with candidates (N^3 where distances are
// asymmetric), as tiles in registers (detours.hpp). Blocks leave partial sums, which the next
// kernel adds up in a fixed order: no atomics on numbers, and the same answer every time. Runs of
// at most 256 ratios are added in the precision of the instance, all later sums in float64.
//
// A round of convenience reads the N^2 distances once: 4 or 8 bytes each, from the L2 cache while
// they fit there, and three launches.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/spots/set_centrality/detours.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "algorithms/spots/set_centrality/scaled_distances.hpp"

namespace bellmark::set_centrality {

inline constexpr Spot kNoSpot = std::numeric_limits<Spot>::max();
inline constexpr double kNoScore = -std::numeric_limits<double>::infinity();
inline constexpr std::uint32_t kBlock = kWarpLanes * kWarps;
inline constexpr unsigned kAllLanes = 0xffffffff;

/// A spot, and with it the sum over pairs (or minus the sum over spots).
struct Best {
  double score;
  Spot spot;
};

/// Matrices of stride^2; `from` is `to` transposed, and the same where distances are symmetric.
template <class Real>
struct Pairs {
  Spot spot_count;
  std::uint32_t stride;
  bool symmetric;
  const Real* to;
  const Real* from;
  Real* shares;
  Real* detours;
};

/// Spots with their distance to the nearest chosen one.
template <class Real>
struct Nearest {
  Spot spot_count;
  std::uint32_t stride;
  const Real* to;
  Real* distances;
};

/// Shares and detours for R = `chosen` without the one at `skipped`. A block a row, padding too.
template <class Real>
__global__ void rebuild_kernel(Pairs<Real> pairs, const Spot* chosen, Spot chosen_count,
                               Spot skipped) {
  const std::uint32_t s = blockIdx.x;
  const std::size_t row = std::size_t{s} * pairs.stride;
  for (std::uint32_t t = threadIdx.x; t < pairs.stride; t += blockDim.x) {
    const bool exists = s < pairs.spot_count && t < pairs.spot_count;
    bool counts = exists && (pairs.symmetric ? s < t : s != t);
    Real detour = Range<Real>::kFar;
    for (Spot k = 0; exists && k < chosen_count; ++k) {
      if (k == skipped) continue;
      const Spot r = chosen[k];
      counts = counts && r != s && r != t;
      const Real by_r = pairs.to[row + r] + pairs.to[std::size_t{r} * pairs.stride + t];
      detour = detail::lesser(detour, by_r);
    }
    const Real direct = pairs.to[row + t];
    const Real share = direct == Range<Real>::kTiny ? 2 * Range<Real>::kTiny : direct;
    pairs.shares[row + t] = counts ? share : Real{0};
    pairs.detours[row + t] = detour;
  }
}

/// The changes by the choice of `picked`. A block a row.
template <class Real>
__global__ void include_kernel(Pairs<Real> pairs, const Best* picked) {
  const Spot r = picked->spot;
  const std::uint32_t s = blockIdx.x;
  const std::size_t row = std::size_t{s} * pairs.stride;
  const Real to_r = pairs.to[row + r];
  const Real* const from_r = pairs.to + std::size_t{r} * pairs.stride;
  for (std::uint32_t t = threadIdx.x; t < pairs.spot_count; t += blockDim.x) {
    pairs.detours[row + t] = detail::lesser(pairs.detours[row + t], to_r + from_r[t]);
    if (s == r || t == r) pairs.shares[row + t] = 0;
  }
}

template <class Real>
__global__ void rebuild_kernel(Nearest<Real> nearest, const Spot* chosen, Spot chosen_count,
                               Spot skipped) {
  const std::uint32_t s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= nearest.spot_count) return;
  Real least = Range<Real>::kFar;
  for (Spot k = 0; k < chosen_count; ++k) {
    if (k == skipped) continue;
    least = detail::lesser(least, nearest.to[std::size_t{s} * nearest.stride + chosen[k]]);
  }
  nearest.distances[s] = least;
}

template <class Real>
__global__ void include_kernel(Nearest<Real> nearest, const Best* picked) {
  const std::uint32_t s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= nearest.spot_count) return;
  const Real to_picked = nearest.to[std::size_t{s} * nearest.stride + picked->spot];
  nearest.distances[s] = detail::lesser(nearest.distances[s], to_picked);
}

/// `partials[unit][v]`: the worth of a unit's pairs with candidate v. A block for a unit (y) and a
/// tile of candidates (x).
///
/// This function has more than 60 lines: its steps share registers and shared memory, and the
/// barrier after each of them is the whole block's.
template <class Real, Division kDivision>
__global__ void __launch_bounds__(kBlock, sizeof(Real) == 4 ? 2 : 1)
    evaluate_pairs_kernel(Pairs<Real> pairs, const Unit* units, double* partials) {
  using Four = detail::Four<Real>;
  constexpr std::uint32_t kRows = kStageRows<Real>;
  constexpr std::uint32_t kToFours = kTileCandidates / 4;
  constexpr std::uint32_t kTargetFours = kTileTargets / 4;
  __shared__ Four to[kRows * kToFours];
  __shared__ Four shares[kRows * kTargetFours];
  __shared__ Four detours[kRows * kTargetFours];
  __shared__ double totals[kWarps][kTileCandidates];

  const Unit unit = units[blockIdx.y];
  const std::uint32_t lane = threadIdx.x % kWarpLanes;
  const std::uint32_t warp = threadIdx.x / kWarpLanes;
  const std::uint32_t tile = blockIdx.x * kTileCandidates;
  const std::uint32_t candidate = tile + lane * kLaneCandidates;
  const std::uint32_t target = unit.target_begin + warp * kWarpTargets;
  const std::size_t stride = pairs.stride;
  const auto in_tile = [&](std::uint32_t spot) { return spot / kTileCandidates == blockIdx.x; };

  Real from[kLaneCandidates][kWarpTargets];
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTargets; ++t) {
    const Four four =
        *reinterpret_cast<const Four*>(pairs.from + (target + t) * stride + candidate);
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneCandidates; ++v) from[v][t] = four.values[v];
  }

  double total[kLaneCandidates] = {};
  for (std::uint32_t source = unit.source_begin; source < unit.source_end; source += kRows) {
    __syncthreads();  // all have read the rows before these
    for (std::uint32_t i = threadIdx.x; i < kRows * kToFours; i += kBlock) {
      const std::size_t row = (source + i / kToFours) * stride;
      to[i] = *reinterpret_cast<const Four*>(pairs.to + row + tile + i % kToFours * 4);
    }
    for (std::uint32_t i = threadIdx.x; i < kRows * kTargetFours; i += kBlock) {
      const std::size_t at =
          (source + i / kTargetFours) * stride + unit.target_begin + i % kTargetFours * 4;
      shares[i] = *reinterpret_cast<const Four*>(pairs.shares + at);
      detours[i] = *reinterpret_cast<const Four*>(pairs.detours + at);
    }
    __syncthreads();
    const std::uint32_t rows = row_count(pairs.spot_count, pairs.symmetric, target, source, kRows);
    const Real* const to_rows = reinterpret_cast<const Real*>(to + lane);
    const Real* const share_rows = reinterpret_cast<const Real*>(shares + warp * kWarpTargets / 4);
    const Real* const detour_rows =
        reinterpret_cast<const Real*>(detours + warp * kWarpTargets / 4);
    Real sums[kLaneCandidates] = {};
    if (in_tile(source) || in_tile(target)) {
      add_worths<kDivision, true>(to_rows, share_rows, detour_rows, from, rows, source, target,
                                  candidate, sums);
    } else {
      add_worths<kDivision, false>(to_rows, share_rows, detour_rows, from, rows, source, target,
                                   candidate, sums);
    }
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneCandidates; ++v) total[v] += sums[v];
  }

#pragma unroll
  for (std::uint32_t v = 0; v < kLaneCandidates; ++v) {
    totals[warp][lane * kLaneCandidates + v] = total[v];
  }
  __syncthreads();
  if (threadIdx.x >= kTileCandidates) return;
  double sum = 0;
  for (std::uint32_t w = 0; w < kWarps; ++w) sum += totals[w][threadIdx.x];
  partials[blockIdx.y * stride + tile + threadIdx.x] = sum;
}

/// The number of spots that a block of evaluate_nearest_kernel adds up for each of its candidates.
inline constexpr std::uint32_t kNearestRows = 32;

template <class Real>
__global__ void __launch_bounds__(kTileCandidates)
    evaluate_nearest_kernel(Nearest<Real> nearest, double* partials) {
  const std::uint32_t v = blockIdx.x * kTileCandidates + threadIdx.x;
  const std::uint32_t begin = blockIdx.y * kNearestRows;
  const std::uint32_t end = min(begin + kNearestRows, nearest.spot_count);
  Real sum = 0;
#pragma unroll 8
  for (std::uint32_t s = begin; s < end; ++s) {
    sum += detail::lesser(nearest.distances[s], nearest.to[std::size_t{s} * nearest.stride + v]);
  }
  partials[std::size_t{blockIdx.y} * nearest.stride + v] = sum;
}

namespace detail {

__device__ inline Best better(Best a, Best b) {
  const bool first = a.score > b.score || (a.score == b.score && a.spot < b.spot);
  return first ? a : b;
}

/// All lanes call it; all get the best.
__device__ inline Best best_of_warp(Best best) {
  for (unsigned distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    const Best other{__shfl_xor_sync(kAllLanes, best.score, distance),
                     __shfl_xor_sync(kAllLanes, best.spot, distance)};
    best = better(best, other);
  }
  return best;
}

}  // namespace detail

struct Choice {
  const double* partials;  ///< [unit_count][stride]
  std::uint32_t unit_count;
  std::uint32_t stride;
  Spot spot_count;
  double sign;  ///< 1: the largest sum is the best; -1: the least
  bool take;    ///< the best one becomes taken
  std::uint8_t* taken;
  double* sums;               ///< of all candidates; may be null
  Best* block_bests;          ///< one a block
  std::uint32_t* done_count;  ///< 0 before and after
  Best* result;               ///< the best candidate that isn't taken; of equals the first
};

namespace detail {

/// The work of choose_kernel. With kOrdered, column v of the partial sums is of spot ids[v].
template <bool kOrdered>
__device__ inline void choose_best(const Choice& choice, const Spot* ids) {
  __shared__ double parts[kWarps][kWarpLanes];
  const std::uint32_t lane = threadIdx.x % kWarpLanes;
  const std::uint32_t warp = threadIdx.x / kWarpLanes;
  const std::uint32_t v = blockIdx.x * kWarpLanes + lane;
  double sum = 0;
#pragma unroll 8
  for (std::uint32_t unit = warp; unit < choice.unit_count; unit += kWarps) {
    sum += choice.partials[std::size_t{unit} * choice.stride + v];
  }
  parts[warp][lane] = sum;
  __syncthreads();
  if (warp != 0) return;

  sum = 0;
  for (std::uint32_t w = 0; w < kWarps; ++w) sum += parts[w][lane];
  const Spot spot = kOrdered && v < choice.spot_count ? ids[v] : v;
  if (choice.sums != nullptr && v < choice.spot_count) choice.sums[spot] = sum;
  Best best{kNoScore, kNoSpot};
  if (v < choice.spot_count && choice.taken[spot] == 0) best = {choice.sign * sum, spot};
  best = best_of_warp(best);
  std::uint32_t ticket = 0;
  if (lane == 0) {
    choice.block_bests[blockIdx.x] = best;
    __threadfence();
    ticket = atomicAdd(choice.done_count, 1U);
  }
  if (__shfl_sync(kAllLanes, ticket, 0) != gridDim.x - 1) return;

  __threadfence();
  for (std::uint32_t block = lane; block < gridDim.x; block += kWarpLanes) {
    const Best* const other = choice.block_bests + block;
    best = better(best, {__ldcg(&other->score), __ldcg(&other->spot)});
  }
  best = best_of_warp(best);
  if (lane != 0) return;
  *choice.result = best;
  *choice.done_count = 0;
  if (choice.take && best.spot != kNoSpot) choice.taken[best.spot] = 1;
}

}  // namespace detail

/// A block adds up kWarpLanes candidates; the last one to finish has the best of all.
static __global__ void __launch_bounds__(kBlock) choose_kernel(Choice choice) {
  detail::choose_best<false>(choice, nullptr);
}

/// R with the data that all candidates need of it, on the device. Calls return at once, in the
/// order of the stream.
template <Objective kObjective, class Real, Division kDivision>
class Rounds {
 public:
  static constexpr bool kMigration = kObjective == Objective::migration;

  /// Throws UnmetError where the distances are out of this arithmetic's reach or don't fit. `more`
  /// bytes of device memory must be free besides. Where there is an `order`, spots lie in it.
  void prepare(const DistanceMatrix& distances, std::string_view variant, std::uint64_t more,
               RunContext& context, std::span<const Spot> order = {}) {
    require_range<Real>(distances, variant);
    if constexpr (kMigration) require_no_free_detour(distances, variant);
    spot_count_ = distances.spot_count();
    stride_ = padded(spot_count_);
    exponent_ = scale_exponent(distances);
    symmetric_ = distances.symmetric();
    std::vector<Unit> units;
    if constexpr (kMigration) units = make_units<Real>(spot_count_, symmetric_, kBlockCount);
    unit_count_ = kMigration ? static_cast<std::uint32_t>(units.size())
                             : (spot_count_ + kNearestRows - 1) / kNearestRows;
    const std::uint64_t stride = stride_;
    const std::uint64_t matrices = !kMigration ? 1 : symmetric_ ? 3 : 4;
    const std::uint64_t bytes = matrices * stride * stride * sizeof(Real) +
                                units.size() * sizeof(Unit) +
                                unit_count_ * stride * sizeof(double) +
                                stride * (sizeof(Real) + sizeof(double) + 2 * sizeof(Best) + 1);
    gpu::require_memory(bytes + more, variant);
    context.account("device rounds", bytes);

    const std::size_t size = std::size_t{stride_} * stride_;
    to_ = gpu::DeviceArray<Real>(size);
    to_.upload(scaled_matrix<Real>(distances, kObjective, false, order));
    if constexpr (kMigration) {
      if (!symmetric_) {
        from_ = gpu::DeviceArray<Real>(size);
        from_.upload(scaled_matrix<Real>(distances, kObjective, true, order));
      }
      shares_ = gpu::DeviceArray<Real>(size);
      detours_ = gpu::DeviceArray<Real>(size);
      units_ = gpu::DeviceArray<Unit>(unit_count_);
      units_.upload(units);
      state_ = {spot_count_,
                stride_,
                symmetric_,
                to_.data(),
                symmetric_ ? to_.data() : from_.data(),
                shares_.data(),
                detours_.data()};
    } else {
      nearest_ = gpu::DeviceArray<Real>(stride_);
      state_ = {spot_count_, stride_, to_.data(), nearest_.data()};
    }
    partials_ = gpu::DeviceArray<double>(std::size_t{unit_count_} * stride_);
    sums_ = gpu::DeviceArray<double>(stride_);
    taken_ = gpu::DeviceArray<std::uint8_t>(stride_);
    picks_ = gpu::DeviceArray<Best>(stride_);
    block_bests_ = gpu::DeviceArray<Best>(stride_ / kWarpLanes);
    done_count_ = gpu::DeviceArray<std::uint32_t>(1);
    done_count_.clear();
  }

  /// Greedy choice of `chosen_count` spots.
  void choose(Spot chosen_count, RunContext& context, cudaStream_t stream) {
    {
      const gpu::GpuPhase phase(context, "initialise", stream);
      rebuild(nullptr, 0, kNoSpot, stream);
      gpu::check(cudaMemsetAsync(taken_.data(), 0, taken_.bytes(), stream), "cudaMemsetAsync");
    }
    for (Spot k = 0; k < chosen_count; ++k) {
      {
        const gpu::GpuPhase phase(context, "evaluate", stream);
        evaluate(stream);
      }
      const gpu::GpuPhase phase(context, "choose", stream);
      best(picks_.data() + k, true, k == 0 ? sums_.data() : nullptr, stream);
      if (k + 1 < chosen_count) include(picks_.data() + k, stream);
    }
  }

  /// R = `chosen`, without the one at `skipped` where there is one. `chosen` is on the device.
  void rebuild(const Spot* chosen, Spot chosen_count, Spot skipped, cudaStream_t stream) {
    const std::uint32_t blocks = kMigration ? stride_ : stride_ / kTileCandidates;
    const std::uint32_t threads = kMigration ? kBlock : kTileCandidates;
    rebuild_kernel<Real><<<blocks, threads, 0, stream>>>(state_, chosen, chosen_count, skipped);
    gpu::check_launch("rebuild");
  }

  void evaluate(cudaStream_t stream) {
    const dim3 grid(stride_ / kTileCandidates, unit_count_);
    if constexpr (kMigration) {
      evaluate_pairs_kernel<Real, kDivision>
          <<<grid, kBlock, 0, stream>>>(state_, units_.data(), partials_.data());
    } else {
      evaluate_nearest_kernel<Real><<<grid, kTileCandidates, 0, stream>>>(state_, partials_.data());
    }
    gpu::check_launch("evaluate");
  }

  /// The best of the evaluated candidates that aren't taken; with `take` it becomes taken. `result`
  /// and `sums` are on the device.
  void best(Best* result, bool take, double* sums, cudaStream_t stream) {
    choose_kernel<<<stride_ / kWarpLanes, kBlock, 0, stream>>>(
        choice_of(unit_count_, result, take, sums));
    gpu::check_launch("choose");
  }

  void include(const Best* picked, cudaStream_t stream) {
    const std::uint32_t blocks = kMigration ? spot_count_ : stride_ / kTileCandidates;
    const std::uint32_t threads = kMigration ? kBlock : kTileCandidates;
    include_kernel<Real><<<blocks, threads, 0, stream>>>(state_, picked);
    gpu::check_launch("include");
  }

  /// Makes `spot` a candidate or not.
  void set_taken(Spot spot, bool taken, cudaStream_t stream) {
    gpu::check(cudaMemsetAsync(taken_.data() + spot, taken ? 1 : 0, 1, stream), "cudaMemsetAsync");
  }

  /// The picks of choose(), with scores, on the device.
  const gpu::DeviceArray<Best>& picks() const { return picks_; }

  /// The objective of the k spots that `best` completes.
  double objective(Spot k, const Best& best) const {
    return objective_of(k, kMigration ? best.score : -best.score);
  }

  /// The objective of every spot alone, as choose() found it; the stream is idle.
  std::vector<double> singles() const {
    std::vector<double> values(spot_count_);
    sums_.download(values);
    for (double& value : values) value = objective_of(1, value);
    return values;
  }

 protected:
  /// 264 run at a time on a device of 132 multiprocessors: the last, partial wave is one of 62.
  static constexpr std::uint32_t kBlockCount = 1 << 14;

  Choice choice_of(std::uint32_t unit_count, Best* result, bool take, double* sums) const {
    return {partials_.data(),
            unit_count,
            stride_,
            spot_count_,
            kMigration ? 1.0 : -1.0,
            take,
            taken_.data(),
            sums,
            block_bests_.data(),
            done_count_.data(),
            result};
  }

  double objective_of(Spot k, double sum) const {
    if constexpr (kMigration) {
      if (sum < Range<Real>::kLeast / 8) sum = 0;
      if (symmetric_) sum *= 2;
    } else {
      sum = std::ldexp(sum, exponent_);
    }
    return objective_of_sum(kObjective, spot_count_, k, sum);
  }

  Spot spot_count_ = 0;
  std::uint32_t stride_ = 0;
  int exponent_ = 0;
  bool symmetric_ = true;
  std::uint32_t unit_count_ = 0;
  std::conditional_t<kMigration, Pairs<Real>, Nearest<Real>> state_{};
  gpu::DeviceArray<Real> to_;
  gpu::DeviceArray<Real> from_;
  gpu::DeviceArray<Real> shares_;
  gpu::DeviceArray<Real> detours_;
  gpu::DeviceArray<Real> nearest_;
  gpu::DeviceArray<Unit> units_;
  gpu::DeviceArray<double> partials_;
  gpu::DeviceArray<double> sums_;
  gpu::DeviceArray<std::uint8_t> taken_;
  gpu::DeviceArray<Best> picks_;
  gpu::DeviceArray<Best> block_bests_;
  gpu::DeviceArray<std::uint32_t> done_count_;
};

}  // namespace bellmark::set_centrality
