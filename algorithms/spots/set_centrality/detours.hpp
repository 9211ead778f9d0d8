// The arithmetic of set-migration on the GPU, free of CUDA so that the host can test it: the worth
// of a tile's pairs with each candidate of another tile.
//
// A pair (s, t) has a share: d(s, t), or 0 where it isn't counted. It isn't counted where s = t,
// where R has s or t, or, of symmetric distances, where (t, s) counts for both. It has a detour
// D(s, t; R). The worth of a candidate v is the sum over all pairs of share / min(detour, d(s, v) +
// d(v, t)). Pairs that touch v are left out.
//
// Zeros. Between different spots a distance of 0 stands as kTiny, and the share of such a pair as 2
// kTiny. To drop in at a coincident spot is then a ratio of exactly 1, and any other detour a ratio
// near 0. No quotient is 0 / 0. While R is empty, detours are kFar. A sum below kLeast / 8 has only
// those ratios near 0, and is 0.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/gpu/host_device.hpp"

namespace bellmark::set_centrality {

/// Distances are divided by a power of two so that the largest is in [1, 2). Then a product of any
/// two detours, or of a share and a detour, neither overflows nor becomes subnormal.
template <class Real>
struct Range;
template <>
struct Range<float> {
  static constexpr float kTiny = 1e-18F;
  static constexpr float kFar = 1e18F;
  static constexpr double kLeast = 1e-8;  ///< the least distance above 0 that stays apart from 0
};
template <>
struct Range<double> {
  static constexpr double kTiny = 1e-140;
  static constexpr double kFar = 1e140;
  static constexpr double kLeast = 1e-60;
};

/// The way in which the quotients are divided.
enum class Division {
  reciprocal,  ///< a reciprocal each
  paired,      ///< w0 / x0 + w1 / x1 = (w0 x1 + w1 x0) / (x0 x1): one for two
};

// A block of kWarps warps takes a tile of candidates, of t and of s. A lane keeps the distances
// from kLaneCandidates candidates to kWarpTargets of its warp's t in registers and goes through the
// s, row by row.
inline constexpr std::uint32_t kWarpLanes = 32;
inline constexpr std::uint32_t kWarps = 8;
inline constexpr std::uint32_t kLaneCandidates = 4;
inline constexpr std::uint32_t kWarpTargets = 8;
inline constexpr std::uint32_t kTileCandidates = kWarpLanes * kLaneCandidates;
inline constexpr std::uint32_t kTileTargets = kWarps * kWarpTargets;
static_assert(kTileCandidates % kTileTargets == 0 && kWarpTargets == 2 * kLaneCandidates);

/// Rows of s that are in shared memory at a time.
template <class Real>
inline constexpr std::uint32_t kStageRows = sizeof(Real) == 4 ? 32 : 16;

/// Rows and columns of all matrices, filled up so that no tile needs bounds.
constexpr std::uint32_t padded(std::uint32_t spot_count) {
  return (spot_count + kTileCandidates - 1) / kTileCandidates * kTileCandidates;
}

/// A block's part of the pairs: s in [source_begin, source_end), kTileTargets t.
struct Unit {
  std::uint32_t target_begin;
  std::uint32_t source_begin;
  std::uint32_t source_end;
};

/// All pairs in units; of symmetric distances those with s < t. Units are as large as `block_count`
/// blocks or fewer allow for all candidates, and at least `least_rows` long. Enough blocks even out
/// the load, and fewer cost fewer partial sums.
template <class Real>
std::vector<Unit> make_units(std::uint32_t spot_count, bool symmetric, std::uint32_t block_count,
                             std::uint32_t least_rows = kStageRows<Real>) {
  const std::uint32_t candidate_tiles = padded(spot_count) / kTileCandidates;
  const auto units_of = [&](std::uint32_t rows) {
    std::vector<Unit> units;
    for (std::uint32_t target = 0; target < spot_count; target += kTileTargets) {
      const std::uint32_t all = padded(spot_count);
      const std::uint32_t last = target + kTileTargets;
      const std::uint32_t end = symmetric && last < all ? last : all;
      for (std::uint32_t source = 0; source < end && source < spot_count; source += rows) {
        units.push_back({target, source, source + rows < end ? source + rows : end});
      }
    }
    return units;
  };
  std::uint32_t rows = least_rows;
  std::vector<Unit> units = units_of(rows);
  while (units.size() * candidate_tiles > block_count && rows < spot_count) {
    rows *= 2;
    units = units_of(rows);
  }
  return units;
}

/// The rows that a warp has to do, from the one at `source` on, for its targets from `target` on.
BELLMARK_HOST_DEVICE inline std::uint32_t row_count(std::uint32_t spot_count, bool symmetric,
                                                    std::uint32_t target, std::uint32_t source,
                                                    std::uint32_t most) {
  if (target >= spot_count) return 0;
  const std::uint32_t end =
      symmetric && target + kWarpTargets < spot_count ? target + kWarpTargets : spot_count;
  if (source >= end) return 0;
  return end - source < most ? end - source : most;
}

namespace detail {

template <class Real>
struct alignas(16) Four {
  Real values[4];
};

template <class Real>
BELLMARK_HOST_DEVICE inline Real lesser(Real a, Real b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(Real) == 4) return fminf(a, b);  // one instruction
#endif
  return b < a ? b : a;
}

BELLMARK_HOST_DEVICE inline double quotient(double a, double b) { return a / b; }

/// The result is within 2 units in the last place; `b` is a normal number, and so is its
/// reciprocal.
BELLMARK_HOST_DEVICE inline float quotient(float a, float b) {
#ifdef __CUDA_ARCH__
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(b));
  return a * reciprocal;
#else
  return a * (1.0F / b);
#endif
}

}  // namespace detail

/// Adds to `sums` the worth of some pairs with the kLaneCandidates candidates from `candidate` on.
/// The pairs are those of `rows` sources, from `source` on, and the kWarpTargets targets from
/// `target` on. `to`, `shares` and `detours` are a row a source, kTileCandidates and kTileTargets
/// apart. `to` begins with the distance to `candidate`, the others with `target`. `from[v][t]` is
/// the distance from candidate v to target t.
///
/// kMayTouch: some of these sources or targets may be candidates, and their pairs are left out.
/// Otherwise none may be.
///
/// Cost model: instructions issued. Two pairs are 2 additions, 2 minima, 5 others and one
/// reciprocal, and a row reads 5 words of 16 bytes for 32 pairs. That is 4.7 instructions a pair,
/// of which a multiprocessor issues 128 a cycle, and 16 reciprocals. With a reciprocal each, these
/// bind.
template <Division kDivision, bool kMayTouch, class Real>
BELLMARK_HOST_DEVICE inline void add_worths(const Real* to, const Real* shares, const Real* detours,
                                            const Real (&from)[kLaneCandidates][kWarpTargets],
                                            std::uint32_t rows, std::uint32_t source,
                                            std::uint32_t target, std::uint32_t candidate,
                                            Real (&sums)[kLaneCandidates]) {
  using Four = detail::Four<Real>;
  // Both begin at multiples of 4, so that target t is candidate v only for t = v or t = v + 4.
  const bool touches_first = candidate == target;
  const bool touches_second = candidate == target + kLaneCandidates;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const Four there = *reinterpret_cast<const Four*>(to + row * kTileCandidates);
    Four share[2];
    Four detour[2];
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t at = row * kTileTargets + half * 4;
      share[half] = *reinterpret_cast<const Four*>(shares + at);
      detour[half] = *reinterpret_cast<const Four*>(detours + at);
    }
    BELLMARK_UNROLL
    for (std::uint32_t v = 0; v < kLaneCandidates; ++v) {
      Real sum = sums[v];
      BELLMARK_UNROLL
      for (std::uint32_t t = 0; t < kWarpTargets; t += 2) {
        Real w[2];
        Real x[2];
        BELLMARK_UNROLL
        for (std::uint32_t i = 0; i < 2; ++i) {
          const std::uint32_t half = (t + i) / 4;
          const std::uint32_t quarter = (t + i) % 4;
          w[i] = share[half].values[quarter];
          if constexpr (kMayTouch) {
            if (quarter == v && (half == 0 ? touches_first : touches_second)) w[i] = 0;
          }
          x[i] = detail::lesser(detour[half].values[quarter], there.values[v] + from[v][t + i]);
        }
        if constexpr (kDivision == Division::paired) {
          sum += detail::quotient(w[0] * x[1] + w[1] * x[0], x[0] * x[1]);
        } else {
          sum += detail::quotient(w[0], x[0]);
          sum += detail::quotient(w[1], x[1]);
        }
      }
      if (!kMayTouch || source + row != candidate + v) sums[v] = sum;
    }
  }
}

}  // namespace bellmark::set_centrality
