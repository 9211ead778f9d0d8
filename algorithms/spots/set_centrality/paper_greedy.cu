// set-*/paper-greedy: greedy choice on the GPU by oishi2015 (Algorithms 2 to 4): a kernel a
// candidate with a thread for every pair of spots, which adds the pair's gain to one word.
//
// Corrections:
//   - Lines 5 of Algorithms 3 and 4 run h over 0..N-1, where R has k spots: h runs over 0..k-1.
//     That alone makes greedy choice cost O(K^2 N^3) (minimum=recomputed); the paper's O(K N^3)
//     needs the least detour of each pair kept (minimum=cached).
//   - Threads beyond the last pair do nothing, and E begins at 0.
//   - V of a chosen spot stays below all others: left at 0, it could be chosen again.
//   - Pairs that touch R or the candidate are worth 0. The algorithms count them, at exactly 1 each
//     where d is a metric. As their number is the same for all candidates, the choice is the same,
//     and it is right for other distances too. Pairs are those i < j: d must be symmetric.
//   - 0 / 0 is 1.
//
// Choices that the text leaves open. The sum x of E (Algorithm 2, lines 22 to 25) is added up on
// the device, in float64. The convenience form, which the paper leaves out, has a thread a spot. V
// is minus the sum of the distances to R and the candidate. The gains on the distances to R alone
// can be so much larger than they are that float32 couldn't tell the candidates apart.
//
// Cost model: atomics. All threads of a kernel add to one word, N(N-1)/2 additions one after the
// other in the L2 cache. Their order, and with it the last bits, changes from run to run. With
// precision=32 V stops growing when a gain is less than half a unit in its last place. From some
// thousands of spots on picks are not the best ones.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/extrema.h>
#include <thrust/reduce.h>

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/spots/set_centrality/detours.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "algorithms/spots/set_centrality/scaled_distances.hpp"

namespace bellmark::set_centrality {
namespace {

enum class Minimum { recomputed, cached };

/// The arrays of Algorithm 2, by its names.
template <class Real>
struct Arrays {
  Spot N;
  std::size_t item_count;  ///< pairs (L) or, for convenience, spots
  const Spot* a1;
  const Spot* a2;  ///< null for convenience
  const Real* D;
  Spot* R;
  std::uint8_t* F;
  Real* V;
  Real* E;
  Real* minimum;  ///< D(i, j; R) of each item; null for minimum=recomputed
};

/// The worth of an item with R and r; `min` becomes its least detour or distance.
template <Objective kObjective, Minimum kMinimum, class Real>
__device__ Real worth(const Arrays<Real>& arrays, std::size_t idx, Spot r, Spot k, Real& min) {
  constexpr bool kMigration = kObjective == Objective::migration;
  const std::size_t N = arrays.N;
  const Real* const D = arrays.D;
  const std::size_t i = kMigration ? arrays.a1[idx] : idx;
  const std::size_t j = kMigration ? arrays.a2[idx] : idx;
  const auto by = [&](std::size_t g) {
    return kMigration ? D[i * N + g] + D[g * N + j] : D[i * N + g];
  };
  min = by(r);
  if constexpr (kMinimum == Minimum::recomputed) {
    for (Spot h = 0; h < k; ++h) {
      const Real d = by(arrays.R[h]);
      if (d < min) min = d;
    }
  } else {
    if (arrays.minimum[idx] < min) min = arrays.minimum[idx];
  }
  if constexpr (!kMigration) return min;
  if (i == r || j == r || arrays.F[i] != 0 || arrays.F[j] != 0) return 0;
  const Real direct = D[i * N + j];
  return direct == 0 && min == 0 ? Real{1} : direct / min;
}

template <class Real>
__global__ void V_reset_kernel(Arrays<Real> arrays) {
  const Spot i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < arrays.N) arrays.V[i] = arrays.F[i] != 0 ? -2 * Range<Real>::kFar : Real{0};
}

template <class Real>
__global__ void E_reset_kernel(Arrays<Real> arrays) {
  const std::size_t idx = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (idx >= arrays.item_count) return;
  arrays.E[idx] = 0;
  if (arrays.minimum != nullptr) arrays.minimum[idx] = Range<Real>::kFar;
}

/// Algorithm 3.
template <Objective kObjective, Minimum kMinimum, class Real>
__global__ void cal_kernel(Arrays<Real> arrays, Spot r, Spot k) {
  const std::size_t idx = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (idx >= arrays.item_count) return;
  Real min;
  const Real v = worth<kObjective, kMinimum>(arrays, idx, r, k, min);
  const Real gain = kObjective == Objective::migration ? v - arrays.E[idx] : -v;
  atomicAdd(&arrays.V[r], gain);
}

/// Algorithm 4.
template <Objective kObjective, Minimum kMinimum, class Real>
__global__ void add_kernel(Arrays<Real> arrays, Spot r, Spot k) {
  const std::size_t idx = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (idx >= arrays.item_count) return;
  Real min;
  arrays.E[idx] = worth<kObjective, kMinimum>(arrays, idx, r, k, min);
  if constexpr (kMinimum == Minimum::cached) arrays.minimum[idx] = min;
}

/// Algorithm 2, line 21.
template <class Real>
__global__ void mark_kernel(Arrays<Real> arrays, Spot r, Spot k) {
  arrays.R[k] = r;
  arrays.F[r] = 1;
}

/// The description of an instance; compiled once for all of them.
Description description_of(const std::string& problem, Objective objective, Minimum minimum,
                           std::size_t precision) {
  const bool migration = objective == Objective::migration;
  Description description;
  description.name = problem + "/paper-greedy";
  description.summary = "Greedy choice on a GPU; a kernel with an atomic sum for each candidate";
  description.source =
      migration ? "oishi2015 Algorithms 2-4" : "oishi2015 Algorithm 2, for Equation 6";
  description.keys = {
      word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
      word_key("minimum", "cached", {"recomputed", "cached"},
               "Least detour of a pair. recomputed: over all chosen spots each time. cached: kept"),
      word_key("precision", "32", {"32", "64"}, "Bits of the numbers that decide the choice"),
      at_run_time(integer_key("block", 256, 32, 1024, "Number of threads in a block"), true,
                  "threads")};
  description.instance = {{"device", "gpu"},
                          {"minimum", minimum == Minimum::cached ? "cached" : "recomputed"},
                          {"precision", std::to_string(precision)}};
  description.needs = {Need::cuda};
  if (migration) {
    description.needs.push_back(Need::symmetric);
    description.aliases = {{"oishi2015:gpu", "minimum=recomputed,precision=32"}};
  }
  return description;
}

template <class ProblemType, class Real, Minimum kMinimum>
class PaperGreedy {
 public:
  using Problem = ProblemType;
  static constexpr Objective kObjective = Problem::kObjective;
  static constexpr bool kMigration = kObjective == Objective::migration;

  static Description describe() {
    return description_of(Problem::kName, kObjective, kMinimum, 8 * sizeof(Real));
  }

  explicit PaperGreedy(const Settings& settings)
      : block_(static_cast<std::uint32_t>(settings.integer("block"))) {}

  void prepare(const SetInput& input, RunContext& context) {
    const std::string name = describe().name;
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError(name, reason, "run it where a CUDA device is");
    }
    const DistanceMatrix& distances = input.distances;
    require_range<Real>(distances, name);
    if constexpr (kMigration) require_no_free_detour(distances, name);
    exponent_ = scale_exponent(distances);
    allocate(distances.spot_count(), name, context);
    upload(distances);
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  /// Algorithm 2.
  void run(std::span<const SetQuery> queries, RunContext& context) {
    const cudaStream_t stream = *stream_;
    const auto policy = thrust::cuda::par.on(stream);
    const auto V = thrust::device_pointer_cast(V_.data());
    const auto E = thrust::device_pointer_cast(E_.data());
    const Spot N = arrays_.N;
    {
      const gpu::GpuPhase phase(context, "initialise", stream);
      gpu::check(cudaMemsetAsync(F_.data(), 0, F_.bytes(), stream), "cudaMemsetAsync");
      for_items(
          [&](std::uint32_t blocks) { E_reset_kernel<<<blocks, block_, 0, stream>>>(arrays_); });
    }
    chosen_.clear();
    sums_.clear();
    std::vector<bool> is_chosen(N, false);
    for (Spot k = 0; k < queries[0].chosen_count; ++k) {
      {
        const gpu::GpuPhase phase(context, "evaluate", stream);
        V_reset_kernel<<<blocks_of(N), block_, 0, stream>>>(arrays_);
        for (Spot r = 0; r < N; ++r) {
          if (is_chosen[r]) continue;
          for_items([&](std::uint32_t blocks) {
            cal_kernel<kObjective, kMinimum><<<blocks, block_, 0, stream>>>(arrays_, r, k);
          });
        }
        gpu::check_launch("cal_kernel");
      }
      const gpu::GpuPhase phase(context, "choose", stream);
      const auto r = static_cast<Spot>(thrust::max_element(policy, V, V + N) - V);
      for_items([&](std::uint32_t blocks) {
        add_kernel<kObjective, kMinimum><<<blocks, block_, 0, stream>>>(arrays_, r, k);
      });
      mark_kernel<<<1, 1, 0, stream>>>(arrays_, r, k);
      gpu::check_launch("add_kernel");
      is_chosen[r] = true;
      chosen_.push_back(r);
      sums_.push_back(thrust::reduce(policy, E, E + arrays_.item_count, 0.0));
    }
    stream_->synchronize();
  }

  void extract(SetAnswer& answer) const {
    answer = {};
    answer.chosen = chosen_;
    for (std::size_t k = 1; k <= chosen_.size(); ++k) {
      const double sum = kMigration ? 2 * sums_[k - 1] : std::ldexp(sums_[k - 1], exponent_);
      answer.objectives.push_back(objective_of_sum(kObjective, arrays_.N, k, sum));
    }
    answer.promise = Promise::greedy;
    answer.precision = 8 * sizeof(Real);
  }

 private:
  std::uint32_t blocks_of(std::size_t threads) const {
    return static_cast<std::uint32_t>((threads + block_ - 1) / block_);
  }

  /// A grid of no threads can't be launched: one spot has no pairs.
  template <class Launch>
  void for_items(Launch launch) const {
    if (arrays_.item_count > 0) launch(blocks_of(arrays_.item_count));
  }

  void allocate(Spot N, const std::string& name, RunContext& context) {
    const std::size_t L = std::size_t{N} * (std::size_t{N} - (N > 0 ? 1 : 0)) / 2;
    const std::size_t items = kMigration ? L : N;
    const std::size_t listed = kMigration ? L : 0;
    const std::size_t cached = kMinimum == Minimum::cached ? items : 0;
    const std::uint64_t distance_bytes = sizeof(Real) * std::uint64_t{N} * N;
    const std::uint64_t item_bytes =
        2 * sizeof(Spot) * std::uint64_t{listed} + sizeof(Real) * std::uint64_t{items + cached};
    const std::uint64_t spot_bytes = (sizeof(Spot) + sizeof(Real) + 1) * std::uint64_t{N};
    gpu::require_memory(distance_bytes + item_bytes + spot_bytes, name);
    context.account("device distances", distance_bytes);
    context.account(kMigration ? "device pairs" : "device sums", item_bytes);
    context.account("device spots", spot_bytes);
    a1_ = gpu::DeviceArray<Spot>(listed);
    a2_ = gpu::DeviceArray<Spot>(listed);
    D_ = gpu::DeviceArray<Real>(std::size_t{N} * N);
    R_ = gpu::DeviceArray<Spot>(N);
    F_ = gpu::DeviceArray<std::uint8_t>(N);
    V_ = gpu::DeviceArray<Real>(N);
    E_ = gpu::DeviceArray<Real>(items);
    minimum_ = gpu::DeviceArray<Real>(cached);
    arrays_ = {N,          items,
               a1_.data(), a2_.data(),
               D_.data(),  R_.data(),
               F_.data(),  V_.data(),
               E_.data(),  kMinimum == Minimum::cached ? minimum_.data() : nullptr};
  }

  void upload(const DistanceMatrix& distances) {
    const Spot N = distances.spot_count();
    std::vector<Real> D;
    D.reserve(D_.size());
    for (const double distance : distances.values()) {
      D.push_back(static_cast<Real>(std::ldexp(distance, -exponent_)));
    }
    D_.upload(D);
    if constexpr (kMigration) {
      std::vector<Spot> a1;
      std::vector<Spot> a2;
      a1.reserve(a1_.size());
      a2.reserve(a2_.size());
      for (Spot i = 0; i < N; ++i) {
        for (Spot j = i + 1; j < N; ++j) {
          a1.push_back(i);
          a2.push_back(j);
        }
      }
      a1_.upload(a1);
      a2_.upload(a2);
    }
  }

  std::uint32_t block_;
  int exponent_ = 0;
  Arrays<Real> arrays_{};
  gpu::DeviceArray<Spot> a1_;
  gpu::DeviceArray<Spot> a2_;
  gpu::DeviceArray<Real> D_;
  gpu::DeviceArray<Spot> R_;
  gpu::DeviceArray<std::uint8_t> F_;
  gpu::DeviceArray<Real> V_;
  gpu::DeviceArray<Real> E_;
  gpu::DeviceArray<Real> minimum_;
  std::vector<Spot> chosen_;
  std::vector<double> sums_;  ///< of E, after each choice
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(PaperGreedy<SetMigration, float, Minimum::recomputed>,
                  PaperGreedy<SetMigration, float, Minimum::cached>,
                  PaperGreedy<SetMigration, double, Minimum::recomputed>,
                  PaperGreedy<SetMigration, double, Minimum::cached>,
                  PaperGreedy<SetConvenience, float, Minimum::recomputed>,
                  PaperGreedy<SetConvenience, float, Minimum::cached>,
                  PaperGreedy<SetConvenience, double, Minimum::recomputed>,
                  PaperGreedy<SetConvenience, double, Minimum::cached>);

}  // namespace
}  // namespace bellmark::set_centrality
