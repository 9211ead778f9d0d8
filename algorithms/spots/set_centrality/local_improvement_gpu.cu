// set-*/local-improvement-gpu: greedy choice on the GPU, then best swaps. While an exchange of a
// chosen spot for another one makes the objective better, the exchange that makes it best is done.
// oishi2015 announces local improvement without saying which; this is the usual 1-swap.
//
// The kernels of greedy choice look for a swap: R without one of its spots, then the worth of every
// candidate beside it. A swap takes K such rounds. The sets are compared in the precision of the
// instance. Whether the best one replaces R is decided in float64, so that the objective never
// falls. It has to gain more than kLeastGain, below which rounding could find gains for ever.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/spots/set_centrality/rounds.cuh"

namespace bellmark::set_centrality {
namespace {

/// `sums[s]`: the amount that spot s adds to the sum of R = `chosen` by the definition. A block a
/// spot.
template <Objective kObjective>
__global__ void __launch_bounds__(kBlock)
    sum_rows_kernel(const double* distances, Spot spot_count, const Spot* chosen, Spot chosen_count,
                    double* sums) {
  __shared__ double parts[kWarps];
  const std::size_t n = spot_count;
  const std::size_t s = blockIdx.x;
  double sum = 0;
  // Convenience has only the target that doesn't matter, s itself.
  const std::size_t begin = kObjective == Objective::migration ? threadIdx.x : s + threadIdx.x;
  const std::size_t end = kObjective == Objective::migration ? n : s + 1;
  for (std::size_t t = begin; t < end; t += kBlock) {
    bool counts = kObjective == Objective::convenience || s != t;
    double least = Range<double>::kFar;
    for (Spot k = 0; k < chosen_count; ++k) {
      const std::size_t r = chosen[k];
      counts = counts && r != s && r != t;
      const double onward = kObjective == Objective::migration ? distances[r * n + t] : 0;
      const double by_r = distances[s * n + r] + onward;
      if (k == 0 || by_r < least) least = by_r;
    }
    if (!counts) continue;
    if (kObjective == Objective::convenience) {
      sum += least;
    } else {
      const double direct = distances[s * n + t];
      sum += direct == 0 && least == 0 ? 1 : direct / least;
    }
  }
  for (unsigned distance = kWarpLanes / 2; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(kAllLanes, sum, distance);
  }
  if (threadIdx.x % kWarpLanes == 0) parts[threadIdx.x / kWarpLanes] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (std::uint32_t warp = 1; warp < kWarps; ++warp) sum += parts[warp];
  sums[s] = sum;
}

template <class ProblemType, class Real, Division kDivision>
class LocalImprovementGpu {
 public:
  using Problem = ProblemType;
  static constexpr Objective kObjective = Problem::kObjective;

  static Description describe() {
    Description description;
    description.name = std::string(Problem::kName) + "/local-improvement-gpu";
    description.summary = "Greedy choice on a GPU, then the best swaps until none gains";
    description.source = "oishi2015 section 5, its future work; the swaps are Bellmark's own";
    description.keys = {
        word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
        word_key("precision", "32", {"32", "64"}, "Bits of the numbers that decide the choice"),
        at_run_time(integer_key("swaps", 1'000, 0, 1'000'000, "Largest number of swaps"))};
    description.instance = {{"device", "gpu"}, {"precision", std::to_string(8 * sizeof(Real))}};
    description.needs = {Need::cuda};
    return description;
  }

  explicit LocalImprovementGpu(const Settings& settings)
      : most_swaps_(static_cast<std::uint64_t>(settings.integer("swaps"))) {}

  void prepare(const SetInput& input, RunContext& context) {
    const std::string name = describe().name;
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError(name, reason, "run it where a CUDA device is");
    }
    const DistanceMatrix& distances = input.distances;
    spot_count_ = distances.spot_count();
    const std::uint64_t n = spot_count_;
    const std::uint64_t swap_bytes =
        n * (n * sizeof(double) + sizeof(double) + sizeof(Spot) + sizeof(Best));
    rounds_.prepare(distances, name, swap_bytes, context);
    context.account("device swaps", swap_bytes);
    distances_ = gpu::DeviceArray<double>(distances.values().size());
    distances_.upload(distances.values());
    sums_ = gpu::DeviceArray<double>(n);
    chosen_ = gpu::DeviceArray<Spot>(n);
    swaps_ = gpu::DeviceArray<Best>(n);
    fetched_sums_ = gpu::PinnedArray<double>(n);
    fetched_bests_ = gpu::PinnedArray<Best>(n);
    sent_ = gpu::PinnedArray<Spot>(n);
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const SetQuery> queries, RunContext& context) {
    const Spot chosen_count = queries[0].chosen_count;
    {
      const Phase phase(context, "greedy");
      rounds_.choose(chosen_count, context, *stream_);
      fetch_bests(rounds_.picks(), chosen_count);
    }
    answer_.clear();
    for (Spot k = 0; k < chosen_count; ++k) answer_.push_back(fetched_bests_[k].spot);

    gpu::GpuPhase phase(context, "swaps", *stream_);
    send(answer_);
    objective_ = objective(chosen_count);
    std::uint64_t swap_count = 0;
    bool is_optimum = chosen_count == spot_count_;  // there is nothing to swap for
    while (!is_optimum && swap_count < most_swaps_) {
      is_optimum = !swap();
      if (!is_optimum) ++swap_count;
    }
    promise_ = is_optimum ? Promise::local_optimum : Promise::none;
    phase.note("swap_count", swap_count);
  }

  void extract(SetAnswer& answer) const {
    answer = {};
    answer.chosen = answer_;
    answer.objectives = {objective_};
    answer.singles = rounds_.singles();
    answer.promise = promise_;
    answer.precision = 8 * sizeof(Real);
  }

 private:
  static constexpr double kLeastGain = sizeof(Real) == 4 ? 1e-6 : 1e-11;  ///< of the objective

  /// Does the best swap; false, and R as it was before, when none gains.
  bool swap() {
    const auto chosen_count = static_cast<Spot>(answer_.size());
    for (Spot out = 0; out < chosen_count; ++out) {
      rounds_.rebuild(chosen_.data(), chosen_count, out, *stream_);
      rounds_.evaluate(*stream_);
      rounds_.best(swaps_.data() + out, false, nullptr, *stream_);
    }
    fetch_bests(swaps_, chosen_count);
    Spot out = 0;
    for (Spot k = 1; k < chosen_count; ++k) {
      if (fetched_bests_[k].score > fetched_bests_[out].score) out = k;
    }
    std::vector<Spot> swapped = answer_;
    swapped[out] = fetched_bests_[out].spot;
    send(swapped);
    const double value = objective(chosen_count);
    if (!(value > objective_ * (1 + kLeastGain))) return false;
    rounds_.set_taken(answer_[out], false, *stream_);
    rounds_.set_taken(swapped[out], true, *stream_);
    answer_ = swapped;
    objective_ = value;
    return true;
  }

  /// `chosen` to chosen_. The stream is idle.
  void send(const std::vector<Spot>& chosen) {
    std::copy(chosen.begin(), chosen.end(), sent_.data());
    gpu::check(cudaMemcpyAsync(chosen_.data(), sent_.data(), chosen.size() * sizeof(Spot),
                               cudaMemcpyHostToDevice, *stream_),
               "cudaMemcpyAsync");
  }

  void fetch_bests(const gpu::DeviceArray<Best>& bests, Spot count) {
    gpu::check(cudaMemcpyAsync(fetched_bests_.data(), bests.data(), count * sizeof(Best),
                               cudaMemcpyDeviceToHost, *stream_),
               "cudaMemcpyAsync");
    stream_->synchronize();
  }

  /// The objective of chosen_ by its definition, in float64.
  double objective(Spot chosen_count) {
    sum_rows_kernel<kObjective><<<spot_count_, kBlock, 0, *stream_>>>(
        distances_.data(), spot_count_, chosen_.data(), chosen_count, sums_.data());
    gpu::check_launch("sum_rows");
    gpu::check(cudaMemcpyAsync(fetched_sums_.data(), sums_.data(), sums_.bytes(),
                               cudaMemcpyDeviceToHost, *stream_),
               "cudaMemcpyAsync");
    stream_->synchronize();
    const double sum =
        std::accumulate(fetched_sums_.data(), fetched_sums_.data() + spot_count_, 0.0);
    return objective_of_sum(kObjective, spot_count_, chosen_count, sum);
  }

  std::uint64_t most_swaps_;
  Rounds<kObjective, Real, kDivision> rounds_;
  Spot spot_count_ = 0;
  gpu::DeviceArray<double> distances_;
  gpu::DeviceArray<double> sums_;
  gpu::DeviceArray<Spot> chosen_;
  gpu::DeviceArray<Best> swaps_;  ///< for each spot of R that may go, the best to come
  gpu::PinnedArray<double> fetched_sums_;
  gpu::PinnedArray<Best> fetched_bests_;
  gpu::PinnedArray<Spot> sent_;
  std::vector<Spot> answer_;
  double objective_ = 0;
  Promise promise_ = Promise::none;
  std::unique_ptr<gpu::Stream> stream_;
};

BELLMARK_REGISTER(LocalImprovementGpu<SetMigration, float, Division::paired>,
                  LocalImprovementGpu<SetMigration, double, Division::paired>,
                  LocalImprovementGpu<SetConvenience, float, Division::paired>,
                  LocalImprovementGpu<SetConvenience, double, Division::paired>);

}  // namespace
}  // namespace bellmark::set_centrality
