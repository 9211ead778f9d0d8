// The edges of a Kronecker graph by number: the maker of a part of the graph draws only its edges.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "graph/graph.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {

/// Throws InputError as make_kronecker() does: for a scale that is not in 1..31, or more than 2^40
/// edges. The error names `reference`.
void check_kronecker(const std::string& reference, std::uint64_t scale, std::uint64_t edge_factor);

/// The probabilities of a matrix's quadrants in units of 2^-32, as running sums: the upper left
/// one; with the upper right one; with the lower left one.
struct QuadrantSums {
  std::uint64_t a;
  std::uint64_t ab;
  std::uint64_t abc;
};

/// The row and column of cell i of a matrix of 2^scale rows, for scales 1..31. Level k chooses a
/// quadrant by draw i * ceil(scale / 2) + floor(k / 2) of the stream: by its higher half if k is
/// even, else by its lower one. A lower quadrant sets bit k of the row, a right one bit k of the
/// column. Cost: a draw of about 8 instructions for two levels, and 9 more for each level. There
/// are no branches: nothing could predict them, and they took three times as long.
inline std::pair<std::uint32_t, std::uint32_t> draw_cell(const Stream& quadrants,
                                                         std::uint64_t scale, std::uint64_t i,
                                                         const QuadrantSums& sums) {
  const std::uint64_t draws = (scale + 1) / 2;
  // Bit k of each says whether level k's number reaches that sum. The last level comes first.
  std::uint32_t a = 0;
  std::uint32_t ab = 0;
  std::uint32_t abc = 0;
  const auto add_level = [&](std::uint64_t x) {
    const std::uint64_t q = x & 0xffffffff;
    a = 2 * a + (q >= sums.a);
    ab = 2 * ab + (q >= sums.ab);
    abc = 2 * abc + (q >= sums.abc);
  };
  std::uint64_t k = draws;
  if (scale % 2 != 0) add_level(quadrants.draw(i * draws + --k) >> 32);
  while (k-- > 0) {
    const std::uint64_t x = quadrants.draw(i * draws + k);
    add_level(x);
    add_level(x >> 32);
  }
  // The lower quadrants begin at AB. The right ones lie between A and AB, and begin at ABC.
  return {ab, a ^ ab ^ abc};
}

/// Edge i of the formula that make_kronecker() states, for scales 1..31.
class KroneckerEdges {
 public:
  KroneckerEdges(std::uint64_t scale, std::uint64_t seed)
      : scale_(scale),
        quadrants_(seed, Stream::quadrants),
        addend_(Stream(seed, Stream::scramble).draw(0)),
        factor_(Stream(seed, Stream::scramble).draw(1)) {}

  std::pair<Vertex, Vertex> operator[](std::uint64_t i) const {
    const auto [tail, head] = draw_cell(quadrants_, scale_, i, kSums);
    return {scrambled(tail), scrambled(head)};
  }

 private:
  // The initiator's probabilities 0.57, 0.19, 0.19 (and 0.05).
  static constexpr QuadrantSums kSums{2'448'131'358, 3'264'175'144, 4'080'218'931};

  static std::uint64_t reverse_bits(std::uint64_t x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
  }

  /// A permutation of the ids, as in Graph500's reference code. Without it the ids would show the
  /// degrees.
  Vertex scrambled(std::uint64_t v) const {
    v = reverse_bits((v + addend_ + factor_) * (addend_ | 0x4519840211493211)) >> (64 - scale_);
    v = reverse_bits(v * (factor_ | 0x3050852102c843a5)) >> (64 - scale_);
    return static_cast<Vertex>(v);
  }

  std::uint64_t scale_;
  Stream quadrants_;
  std::uint64_t addend_;
  std::uint64_t factor_;
};

}  // namespace bellmark
