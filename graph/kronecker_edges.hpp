// The edges of a Kronecker graph by number: whoever makes a part of the graph draws only those.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "graph/graph.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {

/// Throws InputError where make_kronecker() would: a scale that is not in 1..31, more than 2^40
/// edges. `reference` stands in the error.
void check_kronecker(const std::string& reference, std::uint64_t scale, std::uint64_t edge_factor);

/// Edge i of the formula that make_kronecker() states, for scales 1..31.
class KroneckerEdges {
 public:
  KroneckerEdges(std::uint64_t scale, std::uint64_t seed)
      : scale_(scale),
        quadrants_(seed, Stream::quadrants),
        addend_(Stream(seed, Stream::scramble).draw(0)),
        factor_(Stream(seed, Stream::scramble).draw(1)) {}

  std::pair<Vertex, Vertex> operator[](std::uint64_t i) const {
    const std::uint64_t draws = (scale_ + 1) / 2;
    std::uint64_t tail = 0;
    std::uint64_t head = 0;
    std::uint64_t x = 0;
    for (std::uint64_t level = 0; level < scale_; ++level, x <<= 32) {
      if (level % 2 == 0) x = quadrants_.draw(i * draws + level / 2);
      const auto q = static_cast<std::uint32_t>(x >> 32);
      const std::uint64_t lower = q >= kAB ? 1 : 0;
      const std::uint64_t right = (q >= kA ? 1 : 0) ^ lower ^ (q >= kABC ? 1 : 0);
      tail |= lower << level;
      head |= right << level;
    }
    return {scrambled(tail), scrambled(head)};
  }

 private:
  // The initiator's probabilities 0.57, 0.19, 0.19 (and 0.05), summed up, in units of 2^-32.
  static constexpr std::uint32_t kA = 2'448'131'358;
  static constexpr std::uint32_t kAB = 3'264'175'144;
  static constexpr std::uint32_t kABC = 4'080'218'931;

  static std::uint64_t reverse_bits(std::uint64_t x) {
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    return __builtin_bswap64(x);
  }

  /// As in Graph500's reference code: a permutation of the ids, or they would tell the degrees.
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
