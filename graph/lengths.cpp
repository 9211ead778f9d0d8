// Length schemes: their names, their numbers, and putting them on a graph.
#include "graph/lengths.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/formula.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

// The edges of suzuki's map (Table 1, Figure 3) reach from 10 to 1,000,000 with mean 83,666 and
// standard deviation 184,384. Spread evenly over these decades the two are 86,859 and 189,400;
// when one edge in 13 ends at 500,000 they are 83,731 and 184,310.
constexpr Length kKantoLeast = 10;
constexpr Length kKantoLargest = 1'000'000;
constexpr Length kKantoShortLargest = 500'000;

constexpr std::pair<LengthScheme::Kind, const char*> kNames[] = {
    {LengthScheme::Kind::unit, "unit"},   {LengthScheme::Kind::uniform, "uniform"},
    {LengthScheme::Kind::hash, "hash"},   {LengthScheme::Kind::log_spread, "log-spread"},
    {LengthScheme::Kind::kanto, "kanto"}, {LengthScheme::Kind::sample, "sample"},
};

bool has_range(LengthScheme::Kind kind) {
  return kind == LengthScheme::Kind::uniform || kind == LengthScheme::Kind::hash ||
         kind == LengthScheme::Kind::log_spread;
}

/// The graph that `sample` draws from; the empty graph for other schemes.
Graph open_sample(const LengthScheme& scheme) {
  if (scheme.kind != LengthScheme::Kind::sample) return {};
  Graph graph = open_graph(scheme.sample);
  constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 32;  // what below() draws from
  if (!graph.lengths().empty() && graph.arc_count() <= kMostArcs) return graph;
  throw InputError("lengths=" + to_string(scheme),
                   graph.lengths().empty() ? "that graph has no lengths to draw from"
                                           : "that graph has more than 2^32 arcs",
                   "name another graph");
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
  if (scheme.kind == LengthScheme::Kind::sample) {
    if (colon != std::string_view::npos) scheme.sample = text.substr(colon + 1);
    if (!scheme.sample.empty()) return scheme;
    throw InputError(where, "the graph to draw from is missing",
                     "write sample:REFERENCE, for example sample:dimacs:USA-road-d.BAY");
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
  constexpr const char* kExpected = "a whole number below 2^31";
  scheme.least = parse_number<Length>(text.substr(colon + 1, dots - colon - 1), where, kExpected);
  scheme.largest = parse_number<Length>(text.substr(dots + 2), where, kExpected);
  const Length floor = scheme.kind == LengthScheme::Kind::log_spread ? 1 : 0;
  if (scheme.least < floor || scheme.least > scheme.largest) {
    throw InputError(where, "not a range of lengths",
                     "write LO..HI with " + std::to_string(floor) + " <= LO <= HI");
  }
  return scheme;
}

std::string to_string(const LengthScheme& scheme) {
  std::string name =
      std::ranges::find(kNames, scheme.kind, [](const auto& each) { return each.first; })->second;
  if (scheme.kind == LengthScheme::Kind::sample) return name + ":" + scheme.sample;
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

LengthSource::LengthSource(const LengthScheme& scheme, std::uint64_t seed)
    : scheme_(scheme),
      stream_(seed, Stream::lengths),
      ranges_(seed, Stream::length_ranges),
      // A range from 0 belongs to a scheme that doesn't spread over decades.
      spread_(std::max(scheme.least, 1), std::max(scheme.largest, 1)),
      short_(kKantoLeast, kKantoShortLargest),
      sample_(open_sample(scheme)) {}

Graph with_lengths(const Graph& graph, const LengthScheme& scheme, std::uint64_t seed) {
  const std::string provenance =
      graph.provenance() + ",lengths=" + to_string(scheme) + ",seed=" + std::to_string(seed);
  check_memory(provenance, static_cast<double>(graph.arc_count()) * sizeof(Length));
  const LengthSource length(scheme, seed);
  std::vector<Length> lengths(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      lengths[e] = length(e, u, graph.heads()[e]);
    }
  }
  // The old graph, inside the new one's storage, keeps the other arrays alive.
  auto storage =
      std::make_shared<const std::pair<Graph, std::vector<Length>>>(graph, std::move(lengths));
  const std::span<const Length> fresh(storage->second);
  const GraphProperties properties = find_properties(graph.row_offsets(), graph.heads(), fresh);
  Graph result = Graph::adopt(std::move(storage), graph.row_offsets(), graph.heads(), fresh,
                              graph.coordinates(), properties);
  result.set_provenance(provenance);
  return result;
}

}  // namespace bellmark
