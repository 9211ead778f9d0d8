// Rounds of greedy choice for migration in which pairs that no candidate of a warp betters are
// passed over (bounds.hpp). Spots lie in nearby_order() on the device; spots that are chosen, taken
// or summed up have their own ids. Nothing of a round waits for the host.
//
// Cost model, in instructions issued for a warp. A row that isn't passed over is 512 ratios and 79
// instructions, 4.9 for a lane's ratio. 32 rows (16 in float64) are a stage. It costs about 160
// more: 40 for the tests, a lane a row, and the rest for a list of the rows to do and for copies to
// shared memory. Of random points in a square, the rows that remain are 0.55 of all in the second
// round and 0.42 in the sixth for N = 894. For N = 4,000 they are 0.39 and 0.25. A ratio of all
// pairs then costs 2.4 to 3 instructions for N = 894, and 1.5 to 2.2 for N = 4,000, beside 4.7 in
// the kernel of rounds.cuh. That one does the first round, where no pair can be passed over.
#pragma once

#include <cuda_pipeline.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/spots/set_centrality/bounds.hpp"
#include "algorithms/spots/set_centrality/nearby_order.hpp"
#include "algorithms/spots/set_centrality/rounds.cuh"

namespace bellmark::set_centrality {

/// What the tests of a round compare; spots by their places, as in Pairs.
template <class Real>
struct Bounds {
  const LeastThere<Real>* there;    ///< [tile of candidates][s]
  const LeastOnward<Real>* onward;  ///< [tile of candidates][tile of targets]
  RowBound<Real>* rows;             ///< [tile of targets][s]
};

/// The changes by the choice of `picked`, whose place is `places[picked->spot]`; then the bounds of
/// the rows. A block a source.
template <class Real>
__global__ void __launch_bounds__(kBlock)
    include_bounded_kernel(Pairs<Real> pairs, Bounds<Real> bounds, const Spot* places,
                           const Best* picked) {
  const std::uint32_t r = places[picked->spot];
  const std::uint32_t s = blockIdx.x;
  const std::size_t stride = pairs.stride;
  const std::size_t row = s * stride;
  const Real to_r = pairs.to[row + r];
  const Real* const from_r = pairs.to + r * stride;
  // Of symmetric distances no pair before this one counts. A warp takes whole tiles of targets.
  const std::uint32_t begin = pairs.symmetric ? s / kWarpLanes * kWarpLanes : 0;
  for (std::uint32_t t = begin + threadIdx.x; t < pairs.stride; t += kBlock) {
    const Real detour = detail::lesser(pairs.detours[row + t], to_r + from_r[t]);
    pairs.detours[row + t] = detour;
    Real share = pairs.shares[row + t];
    if (share > 0 && (s == r || t == r)) {
      share = 0;
      pairs.shares[row + t] = 0;
    }
    Real largest = share > 0 ? detour : Real{0};
    Real base = detail::quotient(share, detour);
#pragma unroll
    for (unsigned distance = 1; distance < kBoundedTargets; distance *= 2) {
      base += __shfl_xor_sync(kAllLanes, base, distance);
      if (distance >= kPartTargets) continue;
      const Real other = __shfl_xor_sync(kAllLanes, largest, distance);
      largest = other > largest ? other : largest;
    }
    const Real second = __shfl_xor_sync(kAllLanes, largest, kPartTargets);
    if (t % kBoundedTargets == 0) {
      bounds.rows[t / kBoundedTargets * stride + s] = {{largest, second}, base};
    }
  }
}

namespace detail {

/// Begins to copy a stage to shared memory: sources from `source` on, kBoundedSide candidates from
/// `candidate` on and as many targets from `target` on.
template <class Real>
__device__ inline void begin_stage(BoundedStage<Real>& stage, const Pairs<Real>& pairs,
                                   std::uint32_t source, std::uint32_t target,
                                   std::uint32_t candidate) {
  constexpr std::uint32_t kRows = BoundedStage<Real>::kRows;
  constexpr std::uint32_t kAtOnce = 16 / sizeof(Real);
  constexpr std::uint32_t kOfRow = kBoundedSide / kAtOnce;  // threads that share a row
  constexpr std::uint32_t kRowsAtOnce = kBlock / kOfRow;
  static_assert(kRows % kRowsAtOnce == 0);
  const std::uint32_t row = threadIdx.x / kOfRow;
  const std::uint32_t column = threadIdx.x % kOfRow * kAtOnce;
  const std::size_t begin = std::size_t{source + row} * pairs.stride + column;
  const Real* const to = pairs.to + begin + candidate;
  const Real* const shares = pairs.shares + begin + target;
  const Real* const detours = pairs.detours + begin + target;
#pragma unroll
  for (std::uint32_t i = 0; i < kRows; i += kRowsAtOnce) {
    const std::uint32_t at = (i + row) * kBoundedSide + column;
    const std::size_t step = std::size_t{i} * pairs.stride;
    __pipeline_memcpy_async(stage.to + at, to + step, 16);
    __pipeline_memcpy_async(stage.shares + at, shares + step, 16);
    __pipeline_memcpy_async(stage.detours + at, detours + step, 16);
  }
  __pipeline_commit();
}

/// The sum over the lanes whose numbers differ in the bits from `least` on; all of them get it.
__device__ inline double sum_of_lanes(double sum, unsigned least) {
  for (unsigned distance = kWarpLanes / 2; distance >= least; distance /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
  }
  return sum;
}

}  // namespace detail

/// Blocks that a multiprocessor has at least. With four in float32 a few values that the inner loop
/// doesn't need are spilled, and with three none is.
template <class Real>
inline constexpr std::uint32_t kBoundedBlocks = sizeof(Real) == 4 ? 4 : 2;

/// As evaluate_pairs_kernel, for candidates in tiles of kBoundedSide and R that isn't empty. Where
/// `done_count` isn't null, the number of rows that are not passed over is added to it.
///
/// This function has more than 60 lines, for the reason that the other has.
template <class Real, Division kDivision>
__global__ void __launch_bounds__(kBlock, kBoundedBlocks<Real>)
    evaluate_bounded_kernel(Pairs<Real> pairs, Bounds<Real> bounds, const Unit* units,
                            double* partials, unsigned long long* done_count) {
  using Four = detail::Four<Real>;
  constexpr std::uint32_t kRows = kStageRows<Real>;
  __shared__ BoundedStage<Real> stage;
  __shared__ alignas(16) std::uint32_t lists[kWarps][kRows];
  __shared__ double totals[kTargetWarps][kBoundedSide];

  const Unit unit = units[blockIdx.y];
  const std::uint32_t lane = threadIdx.x % kWarpLanes;
  const std::uint32_t warp = threadIdx.x / kWarpLanes;
  const std::uint32_t tile = blockIdx.x * kBoundedSide;
  const std::uint32_t first_candidate = tile + warp % kCandidateWarps * kBoundedCandidates;
  const std::uint32_t first_target = unit.target_begin + warp / kCandidateWarps * kBoundedTargets;
  const std::uint32_t candidate = first_candidate + lane % kCandidateLanes * kLaneCandidates;
  const std::uint32_t target = first_target + lane / kCandidateLanes * kLaneTargets;
  const std::size_t stride = pairs.stride;

  Real from[kLaneCandidates][kLaneTargets];
#pragma unroll
  for (std::uint32_t t = 0; t < kLaneTargets; ++t) {
    const Four four =
        *reinterpret_cast<const Four*>(pairs.from + (target + t) * stride + candidate);
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneCandidates; ++v) from[v][t] = four.values[v];
  }

  const std::uint32_t candidate_tile = first_candidate / kBoundedCandidates;
  const std::uint32_t target_tile = first_target / kBoundedTargets;
  const LeastOnward<Real> onward =
      bounds.onward[candidate_tile * (stride / kBoundedTargets) + target_tile];
  // A lane tests a row of each stage, and reads what it needs for that a stage before.
  const std::uint32_t row = unit.source_begin + lane % kRows;
  const LeastThere<Real>* there_at = bounds.there + candidate_tile * stride + row;
  const RowBound<Real>* bound_at = bounds.rows + target_tile * stride + row;
  LeastThere<Real> there = *there_at;
  RowBound<Real> bound = *bound_at;

  double total[kLaneCandidates] = {};
  double base = 0;  // of the rows that this lane tests
  std::uint32_t done = 0;
  for (std::uint32_t source = unit.source_begin; source < unit.source_end; source += kRows) {
    const bool may_touch = tiles_touch(source, first_target, first_candidate);
    bool is_done = may_touch ? has_counted(bound) : may_better(there, onward, bound);
    if (lane >= kRows) is_done = false;
    if (lane < kRows && !is_done) base += bound.base;
    const unsigned mask = __ballot_sync(kAllLanes, is_done);
    there_at += kRows;
    bound_at += kRows;
    if (source + kRows < unit.source_end) {
      there = *there_at;
      bound = *bound_at;
    }
    // All have read the stage and the lists before these.
    if (__syncthreads_or(mask != 0) == 0) continue;
    if (is_done)
      lists[warp][__popc(mask & ((1U << lane) - 1))] = lane * BoundedStage<Real>::kRowBytes;
    detail::begin_stage(stage, pairs, source, unit.target_begin, tile);
    __pipeline_wait_prior(0);
    __syncthreads();
    const auto count = static_cast<std::uint32_t>(__popc(mask));
    done += count;
    if (count == 0) continue;
    Real sums[kLaneCandidates] = {};
    if (may_touch) {
      add_listed_worths<kDivision, true>(stage, from, lists[warp], count, source, target, candidate,
                                         sums);
    } else {
      add_listed_worths<kDivision, false>(stage, from, lists[warp], count, source, target,
                                          candidate, sums);
    }
#pragma unroll
    for (std::uint32_t v = 0; v < kLaneCandidates; ++v) total[v] += sums[v];
  }

  base = detail::sum_of_lanes(base, 1);
#pragma unroll
  for (std::uint32_t v = 0; v < kLaneCandidates; ++v) {
    total[v] = base + detail::sum_of_lanes(total[v], kCandidateLanes);
    if (lane < kCandidateLanes) {
      totals[warp / kCandidateWarps][candidate % kBoundedSide + v] = total[v];
    }
  }
  if (done_count != nullptr && lane == 0) {
    atomicAdd(done_count, static_cast<unsigned long long>(done));
  }
  __syncthreads();
  if (threadIdx.x >= kBoundedSide) return;
  double sum = 0;
  for (std::uint32_t w = 0; w < kTargetWarps; ++w) sum += totals[w][threadIdx.x];
  partials[blockIdx.y * stride + tile + threadIdx.x] = sum;
}

/// choose_kernel for partial sums in an order: column v is of spot ids[v].
static __global__ void __launch_bounds__(kBlock)
    choose_ordered_kernel(Choice choice, const Spot* ids) {
  detail::choose_best<true>(choice, ids);
}

/// Rounds that can pass pairs over.
template <class Real, Division kDivision>
class BoundedRounds : public Rounds<Objective::migration, Real, kDivision> {
  using Base = Rounds<Objective::migration, Real, kDivision>;

 public:
  /// As Rounds::prepare. Pairs are passed over where they are `bounded`.
  void prepare(const DistanceMatrix& distances, std::string_view variant, bool bounded,
               RunContext& context) {
    bounded_ = bounded;
    if (!bounded_) {
      Base::prepare(distances, variant, 0, context);
      return;
    }
    const std::uint64_t stride = padded(distances.spot_count());
    const std::uint64_t candidate_tiles = stride / kBoundedCandidates;
    const std::uint64_t target_tiles = stride / kBoundedTargets;
    const std::uint64_t bytes = candidate_tiles * stride * sizeof(LeastThere<Real>) +
                                candidate_tiles * target_tiles * sizeof(LeastOnward<Real>) +
                                target_tiles * stride * sizeof(RowBound<Real>) +
                                stride * (2 * sizeof(Spot) + sizeof(unsigned long long));
    const std::vector<Spot> order = nearby_order(distances);
    Base::prepare(distances, variant, bytes, context, order);
    context.account("device bounds", bytes);

    std::vector<Spot> places(order.size());
    for (Spot place = 0; place < order.size(); ++place) places[order[place]] = place;
    ids_ = gpu::upload(order);
    places_ = gpu::upload(places);
    const auto least = least_distances<Real>(gpu::download(this->to_), this->spot_count_);
    there_ = gpu::upload(least.there);
    onward_ = gpu::upload(least.onward);
    // Rows of no spot, and rows without counted pairs, stay 0.
    rows_ = gpu::DeviceArray<RowBound<Real>>(target_tiles * stride);
    rows_.clear();
    bounds_ = {there_.data(), onward_.data(), rows_.data()};
    // They are at most as many as the units of the first round, which has the partial sums' memory.
    std::vector<Unit> units =
        make_units<Real>(this->spot_count_, this->symmetric_, Base::kBlockCount, kBoundedRows);
    // The distances from the same sources to all candidates stay in the L2 cache for all targets.
    std::ranges::stable_sort(units, {}, &Unit::source_begin);
    units_ = gpu::upload(units);
    done_counts_ = gpu::DeviceArray<unsigned long long>(stride);
  }

  /// Greedy choice of `chosen_count` spots.
  void choose(Spot chosen_count, RunContext& context, cudaStream_t stream) {
    if (!bounded_) {
      Base::choose(chosen_count, context, stream);
      return;
    }
    {
      const gpu::GpuPhase phase(context, "initialise", stream);
      Base::rebuild(nullptr, 0, kNoSpot, stream);
      clear(this->taken_, stream);
      if (context.recorder() != nullptr) clear(done_counts_, stream);
    }
    for (Spot k = 0; k < chosen_count; ++k) {
      {
        const gpu::GpuPhase phase(context, "evaluate", stream);
        if (k == 0) {
          Base::evaluate(stream);
        } else {
          evaluate_bounded(k, context.recorder(), stream);
        }
      }
      const gpu::GpuPhase phase(context, "choose", stream);
      Best* const pick = this->picks_.data() + k;
      best_in_order(k == 0, pick, stream);
      if (k + 1 < chosen_count) include_bounded(pick, stream);
    }
  }

 private:
  template <class T>
  static void clear(const gpu::DeviceArray<T>& array, cudaStream_t stream) {
    gpu::check(cudaMemsetAsync(array.data(), 0, array.bytes(), stream), "cudaMemsetAsync");
  }

  /// Notes the rows of round `k` that are not passed over, by tiles of 32 candidates and 16
  /// targets, and all of them, in a recorded run.
  void evaluate_bounded(Spot k, Recorder* recorder, cudaStream_t stream) {
    unsigned long long* const done = recorder != nullptr ? done_counts_.data() + k : nullptr;
    const dim3 grid(this->stride_ / kBoundedSide, static_cast<unsigned>(units_.size()));
    evaluate_bounded_kernel<Real, kDivision><<<grid, kBlock, 0, stream>>>(
        this->state_, bounds_, units_.data(), this->partials_.data(), done);
    gpu::check_launch("evaluate_bounded");
    if (recorder == nullptr) return;
    recorder->note("row_count", bounded_row_count(this->spot_count_, this->symmetric_));
    recorder->note_later("evaluated_row_count", [done] {
      unsigned long long count = 0;
      gpu::check(cudaMemcpy(&count, done, sizeof(count), cudaMemcpyDeviceToHost), "download");
      return static_cast<std::uint64_t>(count);
    });
  }

  void best_in_order(bool first_round, Best* result, cudaStream_t stream) {
    const auto unit_count =
        first_round ? this->unit_count_ : static_cast<std::uint32_t>(units_.size());
    choose_ordered_kernel<<<this->stride_ / kWarpLanes, kBlock, 0, stream>>>(
        Base::choice_of(unit_count, result, true, first_round ? this->sums_.data() : nullptr),
        ids_.data());
    gpu::check_launch("choose_ordered");
  }

  void include_bounded(const Best* picked, cudaStream_t stream) {
    include_bounded_kernel<Real>
        <<<this->spot_count_, kBlock, 0, stream>>>(this->state_, bounds_, places_.data(), picked);
    gpu::check_launch("include_bounded");
  }

  bool bounded_ = false;
  Bounds<Real> bounds_{};
  gpu::DeviceArray<Spot> ids_;     ///< by place
  gpu::DeviceArray<Spot> places_;  ///< by spot
  gpu::DeviceArray<LeastThere<Real>> there_;
  gpu::DeviceArray<LeastOnward<Real>> onward_;
  gpu::DeviceArray<RowBound<Real>> rows_;
  gpu::DeviceArray<Unit> units_;                      ///< of the rounds after the first
  gpu::DeviceArray<unsigned long long> done_counts_;  ///< by round, in recorded runs
};

}  // namespace bellmark::set_centrality
