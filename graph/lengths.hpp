// The lengths of arcs when a file or a formula doesn't give them.
//
// All schemes except `unit`, `scale` and `scaled` draw from the streams `lengths` (3) and
// `length_ranges` (4) of random_stream.hpp at an index i. For `uniform` and `potential`, i is the
// generator's number of the edge; on a graph that was read, it is the place of the arc in the rows.
// For all others it is min(u, v) * 2^32 + max(u, v), so that opposite and parallel arcs agree.
//
// Lengths below 0: a range may begin below 0, and then an edge of negative length, both ways, is a
// negative cycle. `potential` makes negative lengths without negative cycles: the vertices'
// potentials p cancel along a cycle (Johnson 1977 removes them again). Distances are those of
// `uniform:0..LO+HI`, plus p(source) - p(v).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "graph/graph.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {

struct LengthScheme {
  enum class Kind {
    unit,        ///< every length is 1
    uniform,     ///< least + below(draw(seed, 3, i), largest - least + 1)
    hash,        ///< the same with i from the ends
    potential,   ///< below(draw(seed, 3, i), least + largest + 1) + p(u) - p(v) for the arc from u
                 ///< to v, with p(v) = below(draw(seed, 10, v), 1 - least)
    log_spread,  ///< min(largest, floor(least * ((largest + 1) / least)^x)), x in [0, 1): evenly
                 ///< spread over the decades; x = (draw(seed, 3, i) >> 32) * 2^-32, i from the ends
    kanto,       ///< log_spread of 10..500,000 where below(draw(seed, 4, i), 13) is 0, else of
                 ///< 10..1,000,000
    sample,      ///< the length of arc below(draw(seed, 3, i), m) of another graph, i from the ends
    zero_one,    ///< 0 where below(draw(seed, 3, i), 100) < percent, else 1; i from the ends
    exponential,  ///< at least 1 and at most 2^31 - 1, longer than l with probability
                  ///< (1 - 1 / mean)^l: an exponential distribution, rounded up; i from the ends
    scale,   ///< the arc's own length l times 2^exponent, rounded to the nearest (halves away from
             ///< 0), but at least 1 away from 0 unless l is 0
    scaled,  ///< the file's number, which may be a fraction, times `factor`, rounded the same way:
             ///< of the readers of Matrix Market files and weighted edge lists
  };
  Kind kind = Kind::unit;
  Length least = 1;
  Length largest = 1;
  std::string sampled;  ///< of `sample`: the other graph's reference
  int percent = 0;      ///< of `zero_one`
  Length mean = 1;      ///< of `exponential`
  int exponent = 0;     ///< of `scale`
  double factor = 1;    ///< of `scaled`
  friend bool operator==(const LengthScheme&, const LengthScheme&) = default;
};

/// `unit`, `uniform:LO..HI`, `hash:LO..HI` with -2^31 < LO <= HI < 2^31, `potential:LO..HI` with
/// LO <= 0 and -LO <= HI, `log-spread:LO..HI` with 1 <= LO, `kanto`, `zero-one:PERCENT` from 0 to
/// 100, `exponential:MEAN` with 1 <= MEAN < 2^31. Also `sample:REF` with the reference of a graph
/// that has no comma in it, `scale:2^T` with -31 <= T <= 31, `scaled:FACTOR` with a finite number
/// above 0. A bound or a mean may be a power: `uniform:0..4^15`, `hash:-2^3..9` from -8.
/// `log-uniform:LO..HI`, the field's word, is read as `log-spread:LO..HI`. Throws InputError.
LengthScheme parse_lengths(std::string_view text);
std::string to_string(const LengthScheme& scheme);

/// The power of the log-spread formula, from square roots and products alone. IEEE 754 rounds both
/// the same everywhere. No mathematical library's pow() promises that.
class LogSpread {
 public:
  LogSpread(Length least, Length largest);
  Length at(std::uint32_t x) const {
    const double power = factors_[0][x >> 24] * factors_[1][x >> 16 & 0xff] *
                         factors_[2][x >> 8 & 0xff] * factors_[3][x & 0xff];
    const double length = least_ * power;
    return static_cast<Length>(length < largest_ ? length : largest_);
  }

 private:
  double least_;
  double largest_;
  /// The factor for each value of each byte of x, most significant byte first.
  std::array<std::array<double, 256>, 4> factors_;
};

/// The lengths of `exponential`, from products alone, for the same reason: the least l of at least
/// 1 with (1 - 1 / mean)^l <= x, for x in [0, 1). Lengths of 2^31 or more are cut to 2^31 - 1,
/// which lowers a mean of more than about 10^8.
class ExponentialLengths {
 public:
  explicit ExponentialLengths(Length mean);
  Length at(double x) const {
    double power = 1;
    Length steps = 0;
    for (std::size_t bit = powers_.size(); bit-- > 0;) {
      const double next = power * powers_[bit];
      if (next <= x) continue;
      power = next;
      steps |= Length{1} << bit;
    }
    return steps < std::numeric_limits<Length>::max() ? steps + 1 : steps;
  }

 private:
  /// (1 - 1 / mean)^(2^bit).
  std::array<double, std::numeric_limits<Length>::digits> powers_;
};

/// A scheme with its seed: lengths by index and ends, of the arc from u to v. Opens the graph that
/// `sample` names. Throws InputError when that has no lengths, and on `scale` and `scaled`, which
/// need the arcs' own lengths.
class LengthSource {
 public:
  LengthSource(const LengthScheme& scheme, std::uint64_t seed);

  Length operator()(std::uint64_t index, Vertex u, Vertex v) const {
    switch (scheme_.kind) {
      case LengthScheme::Kind::unit:
        return 1;
      case LengthScheme::Kind::uniform:
        return even(index);
      case LengthScheme::Kind::potential:
        return with_potentials(index, u, v);
      case LengthScheme::Kind::hash:
      case LengthScheme::Kind::log_spread:
      case LengthScheme::Kind::kanto:
      case LengthScheme::Kind::sample:
      case LengthScheme::Kind::zero_one:
      case LengthScheme::Kind::exponential:
      case LengthScheme::Kind::scale:
      case LengthScheme::Kind::scaled:
        break;
    }
    return of_ends(u, v);
  }

  /// Where edges are a set, only its ends identify an edge: `uniform` is `hash`, and `potential`
  /// draws by the ends.
  Length of_ends(Vertex u, Vertex v) const {
    const std::uint64_t index = u < v ? std::uint64_t{u} << 32 | v : std::uint64_t{v} << 32 | u;
    switch (scheme_.kind) {
      case LengthScheme::Kind::unit:
        return 1;
      case LengthScheme::Kind::uniform:
      case LengthScheme::Kind::hash:
        return even(index);
      case LengthScheme::Kind::potential:
        return with_potentials(index, u, v);
      case LengthScheme::Kind::kanto:
        if (ranges_.below(index, kKantoShortOneIn) == 0) return short_.at(spread(index));
        break;
      case LengthScheme::Kind::sample:
        return sampled_.lengths()[stream_.below(index, sampled_.arc_count())];
      case LengthScheme::Kind::zero_one:
        return stream_.below(index, 100) < static_cast<std::uint64_t>(scheme_.percent) ? 0 : 1;
      case LengthScheme::Kind::exponential:
        return exponential_.at(stream_.fraction(index));
      case LengthScheme::Kind::log_spread:
      case LengthScheme::Kind::scale:
      case LengthScheme::Kind::scaled:
        break;
    }
    return spread_.at(spread(index));
  }

  /// True if arcs of the same index with exchanged ends have the same length.
  bool opposite_agree() const { return scheme_.kind != LengthScheme::Kind::potential; }

 private:
  static constexpr std::uint64_t kKantoShortOneIn = 13;

  Length even(std::uint64_t index) const {
    const auto count =
        static_cast<std::uint64_t>(std::int64_t{scheme_.largest} - scheme_.least + 1);
    return static_cast<Length>(scheme_.least +
                               static_cast<std::int64_t>(stream_.below(index, count)));
  }
  Length with_potentials(std::uint64_t index, Vertex u, Vertex v) const {
    const auto count =
        static_cast<std::uint64_t>(std::int64_t{scheme_.largest} + scheme_.least + 1);
    return static_cast<Length>(static_cast<std::int64_t>(stream_.below(index, count)) +
                               potential(u) - potential(v));
  }
  std::int64_t potential(Vertex v) const {
    const auto count = static_cast<std::uint64_t>(1 - std::int64_t{scheme_.least});
    return static_cast<std::int64_t>(potentials_.below(v, count));
  }
  std::uint32_t spread(std::uint64_t index) const {
    return static_cast<std::uint32_t>(stream_.draw(index) >> 32);
  }

  LengthScheme scheme_;
  Stream stream_;
  Stream ranges_;
  Stream potentials_;
  LogSpread spread_;
  LogSpread short_;
  ExponentialLengths exponential_;
  Graph sampled_;
};

/// The same graph with lengths by that scheme in place of its own; all else is shared.
/// `,lengths=...,seed=...` is added to the provenance. Throws InputError when a scaled length would
/// reach 2^31.
Graph with_lengths(const Graph& graph, const LengthScheme& scheme, std::uint64_t seed);

}  // namespace bellmark
