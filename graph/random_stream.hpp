// Counter-based random numbers: a function of seed, stream and index. So any part of a graph can be
// made by itself, on any machine, by any number of threads.
//
// With mix() the finalizer of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number
// Generators, OOPSLA 2014) and g = 0x9e3779b97f4a7c15:
//   draw(seed, stream, i)  = mix(mix(seed + stream * g) + (i + 1) * g)      all modulo 2^64
//   below(x, count)        = ((x >> 32) * count) >> 32                       for count <= 2^32
//   fraction(x)            = (x >> 11) * 2^-53                               in [0, 1)
#pragma once

#include <cstdint>

namespace bellmark {

/// One stream of random numbers, addressed by index.
class Stream {
 public:
  /// The purpose of each stream. These numbers are part of every generator's formula.
  enum Purpose : std::uint64_t {
    keep = 0,
    tails = 1,
    heads = 2,
    lengths = 3,
    length_ranges = 4,
    links = 5,
    quadrants = 6,
    scramble = 7,
    points = 8,
    order = 9,
    potentials = 10,
  };

  Stream(std::uint64_t seed, Purpose purpose) : base_(mix(seed + purpose * kGolden)) {}

  std::uint64_t draw(std::uint64_t index) const { return mix(base_ + (index + 1) * kGolden); }
  std::uint64_t below(std::uint64_t index, std::uint64_t count) const {
    return ((draw(index) >> 32) * count) >> 32;
  }
  double fraction(std::uint64_t index) const {
    return static_cast<double>(draw(index) >> 11) * 0x1p-53;
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;

  static constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t base_;
};

}  // namespace bellmark
