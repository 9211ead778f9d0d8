// Cost model: N^3 additions and minima. Where distances are symmetric, whole tiles of targets
// before the sources are left out: nearly half for large N, none up to kTargets. A tile has the
// least detours of kSources rows and kTargets columns, 64 KiB. It stays in the second-level cache,
// and a row's 4 KiB of distances onward in the first. So the matrix is read N / kSources times.
#include "algorithms/spots/set_centrality/triangle_excess.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <vector>

#include "algorithms/spots/set_centrality/evaluator.hpp"
#include "base/parallel.hpp"

namespace bellmark::set_centrality {
namespace {

constexpr std::size_t kSources = 16;
constexpr std::size_t kTargets = 512;

struct Tile {
  const double* values;  ///< n rows
  std::size_t n;
  std::size_t source_begin;
  std::size_t source_end;
  std::size_t target_begin;
  std::size_t target_end;
  double* detours;  ///< kTargets a source
};

[[gnu::always_inline]] inline void find_detours(const Tile& tile) {
  const std::size_t target_count = tile.target_end - tile.target_begin;
  for (std::size_t v = 0; v < tile.n; ++v) {
    const double* const onward = tile.values + v * tile.n + tile.target_begin;
    for (std::size_t s = tile.source_begin; s < tile.source_end; ++s) {
      const double to = tile.values[s * tile.n + v];
      double* const detours = tile.detours + (s - tile.source_begin) * kTargets;
      for (std::size_t t = 0; t < target_count; ++t) {
        const double through = to + onward[t];
        detours[t] = through < detours[t] ? through : detours[t];
      }
    }
  }
}

void find_detours_16(const Tile& tile) { find_detours(tile); }
#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void find_detours_32(const Tile& tile) { find_detours(tile); }
[[gnu::target("avx512f,avx512dq,avx512vl")]] void find_detours_64(const Tile& tile) {
  find_detours(tile);
}
#endif

auto* widest() {
#if defined(__x86_64__)
  if (widest_register_bytes() == 64) return find_detours_64;
  if (widest_register_bytes() == 32) return find_detours_32;
#endif
  return find_detours_16;
}

double excess_of(const Tile& tile) {
  double excess = 0;
  for (std::size_t s = tile.source_begin; s < tile.source_end; ++s) {
    const double* const detours = tile.detours + (s - tile.source_begin) * kTargets;
    for (std::size_t t = tile.target_begin; t < tile.target_end; ++t) {
      const double distance = tile.values[s * tile.n + t];
      if (distance > 0) {
        excess = std::max(excess, distance / detours[t - tile.target_begin] - 1);
      }
    }
  }
  return excess;
}

}  // namespace

double triangle_excess(const DistanceMatrix& distances) {
  const std::size_t n = distances.spot_count();
  const double* const values = distances.values().data();
  const bool symmetric = distances.symmetric();
  auto* const find = widest();
  double excess = 0;
  std::mutex mutex;
  in_parallel(
      n,
      [&](std::uint64_t source_begin, std::uint64_t source_end) {
        std::vector<double> detours(kSources * kTargets);
        double own = 0;
        // Of symmetric distances no pair before a source's own place is needed.
        const std::size_t first = symmetric ? source_begin / kTargets * kTargets : 0;
        for (std::size_t target = first; target < n; target += kTargets) {
          std::ranges::fill(detours, std::numeric_limits<double>::infinity());
          const Tile tile{values,        n,      source_begin,
                          source_end,    target, std::min(target + kTargets, n),
                          detours.data()};
          find(tile);
          own = std::max(own, excess_of(tile));
        }
        const std::scoped_lock lock(mutex);
        excess = std::max(excess, own);
      },
      kSources);
  return excess;
}

}  // namespace bellmark::set_centrality
