// The sum of a region's doubles, read in order: Figure 21 of yasui2011 measures it.
#include <cstddef>
#include <span>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/read_bandwidth/problem.hpp"

namespace bellmark {
namespace {

/// As wide as the SSE2 registers of the paper's machines; every x86-64 and AArch64 has such
/// registers.
using Pair = double __attribute__((vector_size(16)));

class Sum {
 public:
  using Problem = ReadBandwidth;

  static Description describe() {
    Description description;
    description.name = "read-bandwidth/sum";
    description.summary = "Sum of doubles that are read in order, 16 bytes at a time";
    description.source = "yasui2011, Figure 21";
    return description;
  }

  explicit Sum(const Settings&) {}
  void prepare(const ReadBandwidth::Input& input, RunContext&) { values_ = input.region.values(); }

  /// One load and one addition a pair. Eight independent sums hide the latency of an addition (3 or
  /// 4 cycles, two a cycle). From the first-level cache the loads are the limit, further out the
  /// way to the data is.
  void run(std::span<const ReadBandwidth::Query> queries, RunContext&) {
    constexpr std::size_t kSums = 8;
    constexpr std::size_t kStride = kSums / 2;  // a region is a multiple of 4 pairs
    const auto* const pairs = reinterpret_cast<const Pair*>(values_.data());
    const std::size_t pair_count = values_.size() / 2;
    Pair sums[kSums] = {};
    for (std::uint64_t round = 0; round < queries[0].round_count; ++round) {
      std::size_t i = 0;
      for (; i + kSums <= pair_count; i += kSums) {
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += pairs[i + k];
      }
      for (; i < pair_count; i += kStride) {
        for (std::size_t k = 0; k < kStride; ++k) sums[k] += pairs[i + k];
      }
      // The compiler must assume that each round reads memory again.
      asm volatile("" ::: "memory");
    }
    sum_ = 0;
    for (const Pair& sum : sums) sum_ += sum[0] + sum[1];
  }

  void extract(ReadBandwidth::Answer& answer) const { answer.sum = sum_; }

 private:
  std::span<const double> values_;
  double sum_ = 0;
};

BELLMARK_REGISTER(Sum);

}  // namespace
}  // namespace bellmark
