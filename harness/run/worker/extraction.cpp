#include "harness/run/worker/extraction.hpp"

#include <malloc.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/contract/poison.hpp"
#include "harness/measure/statistics.hpp"

namespace bellmark::run {
namespace {

/// The slowest honest extract() takes 1.5: LEMON's, on the road graph of New York.
constexpr double kScattersAllowed = 4;
/// For variants that leave levels to extract(), which walks the tree for them: 5 to 8.
constexpr double kScattersOfAWalk = 16;
/// For the smallest answers, where a clock and a cold cache would decide; with a GPU, some copies
/// over the bus.
constexpr double kLeastAllowedNs = 20'000;
constexpr double kLeastAllowedOnGpuNs = 500'000;

}  // namespace

double scatter_ns(std::uint64_t byte_count, measure::Clock& clock) {
  constexpr std::uint64_t kMostWords = std::uint64_t{1} << 23;
  const std::uint64_t wanted = std::max<std::uint64_t>(1, byte_count / sizeof(std::uint64_t));
  const std::uint64_t written = std::min(std::bit_ceil(wanted), kMostWords);
  std::vector<std::uint64_t> words(written);
  std::uint64_t place = 0;
  // A linear congruential generator with its full period (Knuth, The Art of Computer Programming,
  // volume 2, 3.2.1.2): each word is written once.
  const double taken = working_ns(clock, false, [&] {
    for (std::uint64_t i = 0; i < written; ++i) {
      words[place] = i;
      place = (place * 6364136223846793005U + 1442695040888963407U) & (written - 1);
    }
  });
  const volatile std::uint64_t read = words[place];  // so that the writes are not optimised away
  static_cast<void>(read);
  return taken * static_cast<double>(wanted) / static_cast<double>(written);
}

Extraction extraction_of(bool leaves_part, std::span<const double> extract_ns,
                         std::uint64_t answer_bytes, bool on_gpu, measure::Clock& clock) {
  const double scatters = leaves_part ? kScattersOfAWalk : kScattersAllowed;
  const double allowed = std::max(on_gpu ? kLeastAllowedOnGpuNs : kLeastAllowedNs,
                                  scatters * scatter_ns(answer_bytes, clock));
  return {measure::median(extract_ns), allowed, answer_bytes};
}

PoisonedHeap::PoisonedHeap() { mallopt(M_PERTURB, detail::kPoison); }

PoisonedHeap::~PoisonedHeap() { mallopt(M_PERTURB, 0); }

}  // namespace bellmark::run
