// Length schemes: their names, their numbers, and their application to a graph.
#include "graph/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

// The edges of suzuki's map (Table 1, Figure 3) reach from 10 to 1,000,000 with mean 83,666 and
// standard deviation 184,384. Spread evenly over these decades the two are 86,859 and 189,400. When
// one edge in 13 ends at 500,000 they are 83,731 and 184,310.
constexpr Length kKantoLeast = 10;
constexpr Length kKantoLargest = 1'000'000;
constexpr Length kKantoShortLargest = 500'000;

constexpr std::pair<LengthScheme::Kind, const char*> kNames[] = {
    {LengthScheme::Kind::unit, "unit"},
    {LengthScheme::Kind::uniform, "uniform"},
    {LengthScheme::Kind::hash, "hash"},
    {LengthScheme::Kind::log_spread, "log-spread"},
    {LengthScheme::Kind::kanto, "kanto"},
    {LengthScheme::Kind::sample, "sample"},
    {LengthScheme::Kind::scale, "scale"},
    {LengthScheme::Kind::potential, "potential"},
    {LengthScheme::Kind::scaled, "scaled"},
    {LengthScheme::Kind::zero_one, "zero-one"},
    {LengthScheme::Kind::exponential, "exponential"},
    // A second name that is read, but never written.
    {LengthScheme::Kind::log_spread, "log-uniform"},
};

bool has_range(LengthScheme::Kind kind) {
  return kind == LengthScheme::Kind::uniform || kind == LengthScheme::Kind::hash ||
         kind == LengthScheme::Kind::potential || kind == LengthScheme::Kind::log_spread;
}

/// True if it changes existing lengths.
bool scales(LengthScheme::Kind kind) {
  return kind == LengthScheme::Kind::scale || kind == LengthScheme::Kind::scaled;
}

constexpr int kMostExponent = 31;  // beyond it every length of 31 bits is 1, or too large

/// A length, plain or as a power: `4^15`, `-4^15`. A minus sign applies to the whole.
Length parse_length(std::string_view text, const std::string& where) {
  constexpr const char* kExpected = "a whole number between -2^31 and 2^31";
  const bool is_negative = text.starts_with('-');
  const std::string_view magnitude = text.substr(is_negative ? 1 : 0);
  const std::size_t caret = magnitude.find('^');
  const auto base = parse_number<std::uint32_t>(magnitude.substr(0, caret), where, kExpected);
  const auto exponent =
      caret == std::string_view::npos
          ? 1U
          : parse_number<unsigned>(magnitude.substr(caret + 1), where, "a whole number");
  std::int64_t power = 1;
  for (unsigned i = 0; i < exponent && power != 0 && (base != 1 || i == 0); ++i) {
    power *= base;
    if (power > std::numeric_limits<Length>::max()) {
      throw InputError(where, "'" + std::string(text) + "' is not " + kExpected,
                       "correct the value");
    }
  }
  return static_cast<Length>(is_negative ? -power : power);
}

/// Why these bounds are not a range of the scheme, with the valid form; "" when they are.
std::string refuse_range(const LengthScheme& scheme) {
  if (scheme.kind == LengthScheme::Kind::log_spread && scheme.least < 1) {
    return "write LO..HI with 1 <= LO <= HI";
  }
  if (scheme.kind == LengthScheme::Kind::potential &&
      (scheme.least > 0 || -scheme.least > scheme.largest)) {
    return "write LO..HI with LO <= 0 and HI of at least -LO";
  }
  return scheme.least > scheme.largest ? "write LO..HI with LO <= HI" : "";
}

void parse_scale(LengthScheme& scheme, std::string_view factor, const std::string& where) {
  if (!factor.starts_with("2^")) {
    throw InputError(where, "the factor is not a power of 2", "write scale:2^T, T from -31 to 31");
  }
  scheme.exponent = parse_number<int>(factor.substr(2), where, "a whole number from -31 to 31");
  if (scheme.exponent < -kMostExponent || scheme.exponent > kMostExponent) {
    throw InputError(where, "the power is not in -31..31", "write scale:2^T, T from -31 to 31");
  }
}

void parse_factor(LengthScheme& scheme, std::string_view factor, const std::string& where) {
  scheme.factor = parse_number<double>(factor, where, "a number");
  if (!std::isfinite(scheme.factor) || scheme.factor <= 0) {
    throw InputError(where, "the factor is not a finite number above 0", "write scaled:1000");
  }
}

void parse_percent(LengthScheme& scheme, std::string_view percent, const std::string& where) {
  scheme.percent = parse_number<int>(percent, where, "a whole number from 0 to 100");
  if (scheme.percent < 0 || scheme.percent > 100) {
    throw InputError(where, "the percentage is not in 0..100",
                     "write zero-one:PERCENT, that of lengths 0");
  }
}

void parse_mean(LengthScheme& scheme, std::string_view mean, const std::string& where) {
  scheme.mean = parse_length(mean, where);
  if (scheme.mean < 1) {
    throw InputError(where, "the mean is below 1", "write exponential:MEAN, MEAN of at least 1");
  }
}

/// A scheme whose value is one word after the colon.
struct OneWord {
  LengthScheme::Kind kind;
  const char* missing;
  const char* remedy;
  void (*parse)(LengthScheme& scheme, std::string_view word, const std::string& where);
};

constexpr OneWord kOneWord[] = {
    {LengthScheme::Kind::sample, "the graph is missing",
     "write sample:REF, the graph to draw lengths from",
     [](LengthScheme& scheme, std::string_view word, const std::string&) {
       scheme.sampled = word;
     }},
    {LengthScheme::Kind::scale, "the factor is missing", "write scale:2^T, T from -31 to 31",
     parse_scale},
    {LengthScheme::Kind::scaled, "the factor is missing", "write scaled:1000", parse_factor},
    {LengthScheme::Kind::zero_one, "the percentage is missing",
     "write zero-one:PERCENT, that of lengths 0", parse_percent},
    {LengthScheme::Kind::exponential, "the mean is missing",
     "write exponential:MEAN, MEAN of at least 1", parse_mean},
};

/// The sign stays, and the absolute value is rounded.
Length scaled(Length length, int exponent, const std::string& where) {
  if (length == 0) return 0;
  std::int64_t magnitude = std::abs(std::int64_t{length});
  if (exponent < 0) {
    const std::int64_t half = std::int64_t{1} << (-exponent - 1);
    magnitude = std::max<std::int64_t>(1, (magnitude + half) >> -exponent);
  } else {
    magnitude <<= exponent;
  }
  if (magnitude > std::numeric_limits<Length>::max()) {
    throw InputError(where, "the length " + std::to_string(length) + " would reach 2^31 or more",
                     "scale by a smaller power");
  }
  return static_cast<Length>(length < 0 ? -magnitude : magnitude);
}

}  // namespace

LengthScheme parse_lengths(std::string_view text) {
  const std::string where = "lengths=" + std::string(text);
  const std::size_t colon = text.find(':');
  const std::string name(text.substr(0, colon));
  const auto known = std::ranges::find(kNames, name, [](const auto& each) { return each.second; });
  if (known == std::end(kNames)) {
    std::vector<std::string> names;
    for (const auto& each : kNames) names.emplace_back(each.second);
    throw InputError(where, "unknown lengths '" + name + "'", suggestion(name, names));
  }
  LengthScheme scheme;
  scheme.kind = known->first;
  const auto one_word = std::ranges::find(kOneWord, scheme.kind, &OneWord::kind);
  if (one_word != std::end(kOneWord)) {
    const std::string_view word =
        colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
    if (word.empty()) throw InputError(where, one_word->missing, one_word->remedy);
    one_word->parse(scheme, word, where);
    return scheme;
  }
  if (!has_range(scheme.kind)) {
    if (colon != std::string_view::npos) {
      throw InputError(where, "'" + name + "' has no range", "write " + name + " alone");
    }
    if (scheme.kind == LengthScheme::Kind::kanto) {
      scheme.least = kKantoLeast;
      scheme.largest = kKantoLargest;
    }
    return scheme;
  }
  const std::size_t dots = colon == std::string_view::npos ? colon : text.find("..", colon);
  if (dots == std::string_view::npos) {
    throw InputError(where, "the range is missing", "write " + name + ":LO..HI");
  }
  scheme.least = parse_length(text.substr(colon + 1, dots - colon - 1), where);
  scheme.largest = parse_length(text.substr(dots + 2), where);
  if (const std::string remedy = refuse_range(scheme); !remedy.empty()) {
    throw InputError(where, "not a range of lengths", remedy);
  }
  return scheme;
}

std::string to_string(const LengthScheme& scheme) {
  std::string name =
      std::ranges::find(kNames, scheme.kind, [](const auto& each) { return each.first; })->second;
  if (scheme.kind == LengthScheme::Kind::sample) return name + ":" + scheme.sampled;
  if (scheme.kind == LengthScheme::Kind::scale) {
    return name + ":2^" + std::to_string(scheme.exponent);
  }
  if (scheme.kind == LengthScheme::Kind::scaled) return name + ":" + shortest(scheme.factor);
  if (scheme.kind == LengthScheme::Kind::zero_one) {
    return name + ":" + std::to_string(scheme.percent);
  }
  if (scheme.kind == LengthScheme::Kind::exponential) {
    return name + ":" + std::to_string(scheme.mean);
  }
  if (!has_range(scheme.kind)) return name;
  return name + ":" + std::to_string(scheme.least) + ".." + std::to_string(scheme.largest);
}

LogSpread::LogSpread(Length least, Length largest) : least_(least), largest_(largest), factors_() {
  double root = (largest_ + 1) / least_;
  for (auto& factors : factors_) {
    factors.fill(1);
    for (unsigned bit = 0x80; bit != 0; bit >>= 1) {
      root = std::sqrt(root);
      for (unsigned value = 0; value < 256; ++value) {
        if ((value & bit) != 0) factors[value] *= root;
      }
    }
  }
}

ExponentialLengths::ExponentialLengths(Length mean) : powers_() {
  double power = 1 - 1 / static_cast<double>(mean);
  for (double& each : powers_) {
    each = power;
    power *= power;
  }
}

LengthSource::LengthSource(const LengthScheme& scheme, std::uint64_t seed)
    : scheme_(scheme),
      stream_(seed, Stream::lengths),
      ranges_(seed, Stream::length_ranges),
      potentials_(seed, Stream::potentials),
      // A range from 0 or less belongs to a scheme that doesn't spread over decades.
      spread_(std::max(scheme.least, 1), std::max(scheme.largest, 1)),
      short_(kKantoLeast, kKantoShortLargest),
      exponential_(scheme.mean) {
  const std::string where = "lengths=" + to_string(scheme);
  if (scales(scheme.kind)) {
    throw InputError(where, "a formula has no lengths to scale",
                     "scale those of a file, or give the formula another range");
  }
  if (scheme.kind != LengthScheme::Kind::sample) return;
  sampled_ = open_graph(scheme.sampled);
  if (!sampled_.has_lengths() || sampled_.arc_count() == 0) {
    throw InputError(where, "that graph has no lengths to draw from", "name one that has");
  }
  if (sampled_.arc_count() > std::uint64_t{1} << 32) {
    throw InputError(where, "that graph has more than 2^32 arcs", "name a smaller one");
  }
}

Graph with_lengths(const Graph& graph, const LengthScheme& scheme, std::uint64_t seed) {
  const std::string provenance =
      graph.provenance() + ",lengths=" + to_string(scheme) + ",seed=" + std::to_string(seed);
  check_memory(provenance, static_cast<double>(graph.arc_count()) * sizeof(Length));
  std::vector<Length> lengths(graph.arc_count());
  if (scheme.kind == LengthScheme::Kind::scale) {
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      lengths[e] = scaled(graph.length(e), scheme.exponent, provenance);
    }
  } else {
    const LengthSource length(scheme, seed);
    for (Vertex u = 0; u < graph.vertex_count(); ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        lengths[e] = length(e, u, graph.heads()[e]);
      }
    }
  }
  // The old graph, inside the new one's storage, keeps the other arrays alive.
  auto storage =
      std::make_shared<const std::pair<Graph, std::vector<Length>>>(graph, std::move(lengths));
  const std::span<const Length> fresh(storage->second);
  const GraphProperties properties = find_properties(graph.row_offsets(), graph.heads(), fresh);
  Graph result = Graph::adopt(std::move(storage), graph.row_offsets(), graph.heads(), fresh,
                              graph.coordinates(), properties, graph.edge_list_degrees());
  result.set_provenance(provenance);
  return result;
}

}  // namespace bellmark
