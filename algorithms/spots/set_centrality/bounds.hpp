// Pairs of set-migration that no candidate of a tile betters. It is free of CUDA so that the host
// can test it. The words are those of detours.hpp.
//
// Once R has a spot, a candidate v betters few pairs (s, t): those with a detour D(s, t; R) above
// d(s, v) + d(v, t). Elsewhere the worth of the pair is share / detour, the same for all v. A row
// here is a source s with a tile of targets. It is passed over for a tile of candidates by a bound:
//   the least d(s, v) + the least d(v, t) >= the largest detour of its counted pairs.
// Its worth is then its base: the sum of share / detour, the same for all candidates of the tile.
//
// Why this is exact. Rounding is monotonic: a rounded sum of two minima is not above the rounded
// sum of any two of the numbers. So min(detour, d(s, v) + d(v, t)) is the detour itself, in the
// arithmetic of the instance, and no triangle inequality is needed. Only the order of the sums is
// another one. A pair that touches a candidate of the tile has no base: rows that may have one are
// never passed over.
//
// Tiles are of spots that are near each other (nearby_order.hpp), so that the minima are near the
// distances for which they stand.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/gpu/host_device.hpp"
#include "algorithms/spots/set_centrality/detours.hpp"

namespace bellmark::set_centrality {

// A block of kWarps warps takes kBoundedSide candidates and targets, and a warp a tile of them. A
// lane keeps the distances from 4 candidates to 4 targets in registers.
inline constexpr std::uint32_t kBoundedSide = kTileTargets;
inline constexpr std::uint32_t kBoundedCandidates = 32;  ///< of a warp
inline constexpr std::uint32_t kBoundedTargets = 16;     ///< of a warp
inline constexpr std::uint32_t kCandidateWarps = kBoundedSide / kBoundedCandidates;
inline constexpr std::uint32_t kTargetWarps = kBoundedSide / kBoundedTargets;
inline constexpr std::uint32_t kCandidateLanes = kBoundedCandidates / kLaneCandidates;
inline constexpr std::uint32_t kLaneTargets = 4;
static_assert(kCandidateWarps * kTargetWarps == kWarps);
static_assert(kCandidateLanes * (kBoundedTargets / kLaneTargets) == kWarpLanes);
static_assert(kLaneCandidates == kLaneTargets && kTileCandidates % kBoundedSide == 0);

// The minima and the largest detours are of parts of a tile, which makes bounds tighter.
inline constexpr std::uint32_t kParts = 2;
inline constexpr std::uint32_t kPartCandidates = kBoundedCandidates / kParts;
inline constexpr std::uint32_t kPartTargets = kBoundedTargets / kParts;
static_assert(kParts == 2);

/// The fewest rows of a unit: a block has some work beside its rows.
inline constexpr std::uint32_t kBoundedRows = 64;

/// A source's least distances to the parts of a tile of candidates.
template <class Real>
struct alignas(kParts * sizeof(Real)) LeastThere {
  Real parts[kParts];
};
/// The least distances from the parts of a tile of candidates to those of a tile of targets.
template <class Real>
struct alignas(16) LeastOnward {
  Real parts[kParts][kParts];
};
/// What a row has in a round, for all candidates.
template <class Real>
struct alignas(16) RowBound {
  Real largest[kParts];  ///< of the detours of counted pairs, by the part of t; 0 where none counts
  Real base;
};

/// Least distances by tiles of candidates, and then by source or by tile of targets. They are kFar
/// where a part has no spot.
template <class Real>
struct LeastDistances {
  std::vector<LeastThere<Real>> there;
  std::vector<LeastOnward<Real>> onward;
};

/// `to` is a matrix of padded(spot_count) rows and columns. O(N^2).
template <class Real>
LeastDistances<Real> least_distances(const std::vector<Real>& to, std::uint32_t spot_count) {
  const std::size_t stride = padded(spot_count);
  const std::size_t candidate_tiles = stride / kBoundedCandidates;
  const std::size_t target_tiles = stride / kBoundedTargets;
  constexpr Real kFar = Range<Real>::kFar;
  LeastDistances<Real> least;
  least.there.assign(candidate_tiles * stride, {{kFar, kFar}});
  least.onward.assign(candidate_tiles * target_tiles, {{{kFar, kFar}, {kFar, kFar}}});
  for (std::size_t s = 0; s < spot_count; ++s) {
    for (std::size_t t = 0; t < spot_count; ++t) {
      const Real distance = to[s * stride + t];
      Real& there =
          least.there[t / kBoundedCandidates * stride + s].parts[t / kPartCandidates % kParts];
      Real& onward = least.onward[s / kBoundedCandidates * target_tiles + t / kBoundedTargets]
                         .parts[s / kPartCandidates % kParts][t / kPartTargets % kParts];
      there = detail::lesser(there, distance);
      onward = detail::lesser(onward, distance);
    }
  }
  return least;
}

/// The rows that have pairs, each once for every tile of candidates.
inline std::uint64_t bounded_row_count(std::uint32_t spot_count, bool symmetric) {
  const std::uint64_t n = spot_count;
  std::uint64_t rows = 0;
  for (std::uint64_t target = 0; target < n; target += kBoundedTargets) {
    const std::uint64_t last = target + kBoundedTargets < n ? target + kBoundedTargets - 1 : n - 1;
    rows += symmetric ? last : n;  // the sources before the last target, or all
  }
  return rows * ((n + kBoundedCandidates - 1) / kBoundedCandidates);
}

/// Whether a candidate of the tile may better a counted pair of the row.
template <class Real>
BELLMARK_HOST_DEVICE inline bool may_better(const LeastThere<Real>& there,
                                            const LeastOnward<Real>& onward,
                                            const RowBound<Real>& bound) {
  bool may = false;
  BELLMARK_UNROLL
  for (std::uint32_t c = 0; c < kParts; ++c) {
    BELLMARK_UNROLL
    for (std::uint32_t t = 0; t < kParts; ++t) {
      may = may | (there.parts[c] + onward.parts[c][t] < bound.largest[t]);
    }
  }
  return may;
}

/// Whether the row has a counted pair.
template <class Real>
BELLMARK_HOST_DEVICE inline bool has_counted(const RowBound<Real>& bound) {
  return bound.largest[0] > 0 || bound.largest[1] > 0;
}

/// Whether the stage from `source` on, or the tile of targets at `target`, may have a candidate of
/// the tile at `candidate`. A stage is never in two tiles.
BELLMARK_HOST_DEVICE inline bool tiles_touch(std::uint32_t source, std::uint32_t target,
                                             std::uint32_t candidate) {
  const std::uint32_t tile = candidate / kBoundedCandidates;
  return source / kBoundedCandidates == tile || target / kBoundedCandidates == tile;
}

/// The rows of a block's stage, in shared memory: a source each.
template <class Real>
struct alignas(16) BoundedStage {
  static constexpr std::uint32_t kRows = kStageRows<Real>;
  static constexpr std::uint32_t kRowBytes = kBoundedSide * sizeof(Real);
  Real to[kRows * kBoundedSide];
  Real shares[kRows * kBoundedSide];
  Real detours[kRows * kBoundedSide];
};

/// Adds to `sums` the worth of a lane's pairs: 4 candidates, from `candidate` on, 4 targets, from
/// `target` on, and `row_count` sources. `rows` has their places in the stage, times kRowBytes; the
/// stage begins with the source `source`. The rest is as in add_worths().
///
/// Cost model: instructions issued. A row is 3 reads of 16 bytes and 72 other instructions for 16
/// ratios, and 3 more for its place in the list: 4.9 a ratio.
template <Division kDivision, bool kMayTouch, class Real>
BELLMARK_HOST_DEVICE inline void add_listed_worths(
    const BoundedStage<Real>& stage, const Real (&from)[kLaneCandidates][kLaneTargets],
    const std::uint32_t* rows, std::uint32_t row_count, std::uint32_t source, std::uint32_t target,
    std::uint32_t candidate, Real (&sums)[kLaneCandidates]) {
  using Four = detail::Four<Real>;
  const auto* const to = reinterpret_cast<const char*>(stage.to + candidate % kBoundedSide);
  const auto* const shares = reinterpret_cast<const char*>(stage.shares + target % kBoundedSide);
  const auto* const detours = reinterpret_cast<const char*>(stage.detours + target % kBoundedSide);
  const auto add_row = [&](std::uint32_t row) {
    const Four there = *reinterpret_cast<const Four*>(to + row);
    const Four share = *reinterpret_cast<const Four*>(shares + row);
    const Four detour = *reinterpret_cast<const Four*>(detours + row);
    BELLMARK_UNROLL
    for (std::uint32_t v = 0; v < kLaneCandidates; ++v) {
      Real sum = sums[v];
      BELLMARK_UNROLL
      for (std::uint32_t t = 0; t < kLaneTargets; t += 2) {
        Real w[2];
        Real x[2];
        BELLMARK_UNROLL
        for (std::uint32_t i = 0; i < 2; ++i) {
          w[i] = share.values[t + i];
          // Both begin at multiples of 4, so that target t is candidate v only for t = v.
          if (kMayTouch && t + i == v && candidate == target) w[i] = 0;
          x[i] = detail::lesser(detour.values[t + i], there.values[v] + from[v][t + i]);
        }
        if constexpr (kDivision == Division::paired) {
          sum += detail::quotient(w[0] * x[1] + w[1] * x[0], x[0] * x[1]);
        } else {
          sum += detail::quotient(w[0], x[0]);
          sum += detail::quotient(w[1], x[1]);
        }
      }
      if (!kMayTouch || source + row / BoundedStage<Real>::kRowBytes != candidate + v)
        sums[v] = sum;
    }
  };
  std::uint32_t i = 0;
  if constexpr (!kMayTouch) {
    struct alignas(16) FourRows {
      std::uint32_t values[4];
    };
    for (; i + 4 <= row_count; i += 4) {
      const FourRows four = *reinterpret_cast<const FourRows*>(rows + i);
      BELLMARK_UNROLL
      for (std::uint32_t j = 0; j < 4; ++j) add_row(four.values[j]);
    }
  }
  for (; i < row_count; ++i) add_row(rows[i]);
}

}  // namespace bellmark::set_centrality
