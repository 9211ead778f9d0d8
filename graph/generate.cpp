// Generated graphs: grid and random, by counter-based random numbers.
#include "graph/generate.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
constexpr std::uint64_t kKeepStream = 0;
constexpr std::uint64_t kTailStream = 1;
constexpr std::uint64_t kHeadStream = 2;
constexpr std::uint64_t kLengthStream = 3;

constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// One stream of random numbers, addressed by index.
class Stream {
 public:
  Stream(std::uint64_t seed, std::uint64_t stream) : base_(mix(seed + stream * kGolden)) {}

  std::uint64_t draw(std::uint64_t index) const { return mix(base_ + (index + 1) * kGolden); }
  std::uint64_t below(std::uint64_t index, std::uint64_t count) const {
    return ((draw(index) >> 32) * count) >> 32;
  }
  double fraction(std::uint64_t index) const {
    return static_cast<double>(draw(index) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t base_;
};

class Lengths {
 public:
  Lengths(const LengthScheme& scheme, std::uint64_t seed)
      : scheme_(scheme), stream_(seed, kLengthStream) {}

  Length operator()(std::uint64_t index, Vertex u, Vertex v) const {
    if (scheme_.kind == LengthScheme::Kind::unit) return 1;
    if (scheme_.kind == LengthScheme::Kind::hash) {
      index = std::uint64_t{std::min(u, v)} << 32 | std::max(u, v);
    }
    const auto count =
        static_cast<std::uint64_t>(std::int64_t{scheme_.largest} - scheme_.least + 1);
    return scheme_.least + static_cast<Length>(stream_.below(index, count));
  }

 private:
  LengthScheme scheme_;
  Stream stream_;
};

/// Asking for more than the machine has would end in a killed process, not in a message.
void check_memory(const std::string& where, std::uint64_t vertex_count, std::uint64_t arc_count) {
  const double needed =
      static_cast<double>(vertex_count) * sizeof(Offset) +
      static_cast<double>(arc_count) * (sizeof(Arc) + sizeof(Vertex) + sizeof(Length));
  const double present =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (needed > present) {
    constexpr double kGibi = 1 << 30;
    throw MachineError(where,
                       "needs " + std::to_string(static_cast<std::uint64_t>(needed / kGibi)) +
                           " GiB of memory and the machine has " +
                           std::to_string(static_cast<std::uint64_t>(present / kGibi)),
                       "ask for a smaller graph");
  }
}

template <class T>
T parse_number(std::string_view text, const std::string& where, const char* expected) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw InputError(where, "'" + std::string(text) + "' is not " + expected, "correct the value");
  }
  return value;
}

std::string shortest(double value) {
  std::array<char, 32> text;
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// The `key=value` pairs of a reference, each known and given once.
std::map<std::string, std::string> parse_keys(const std::string& reference,
                                              const std::vector<std::string>& known,
                                              const std::vector<std::string>& needed) {
  std::map<std::string, std::string> values;
  const std::size_t colon = reference.find(':');
  for (const std::string& part : split(std::string_view(reference).substr(colon + 1), ',')) {
    const std::size_t equals = part.find('=');
    const std::string key = part.substr(0, equals);
    if (std::ranges::find(known, key) == known.end()) {
      throw InputError(reference, "unknown key '" + key + "'", suggestion(key, known));
    }
    if (equals == std::string::npos) {
      throw InputError(reference, "key '" + key + "' has no value", "write " + key + "=VALUE");
    }
    if (!values.emplace(key, part.substr(equals + 1)).second) {
      throw InputError(reference, "key '" + key + "' is given twice", "keep only one");
    }
  }
  for (const std::string& key : needed) {
    if (!values.contains(key)) {
      throw InputError(reference, "key '" + key + "' is missing", "add " + key + "=VALUE");
    }
  }
  return values;
}

}  // namespace

LengthScheme parse_lengths(std::string_view text) {
  if (text == "unit") return {};
  const std::string where = "lengths=" + std::string(text);
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  LengthScheme scheme;
  if (name == "uniform") {
    scheme.kind = LengthScheme::Kind::uniform;
  } else if (name == "hash") {
    scheme.kind = LengthScheme::Kind::hash;
  } else {
    throw InputError(where, "unknown lengths '" + std::string(name) + "'",
                     suggestion(name, {"unit", "uniform", "hash"}));
  }
  const std::size_t dots = colon == std::string_view::npos ? colon : text.find("..", colon);
  if (dots == std::string_view::npos) {
    throw InputError(where, "the range is missing", "write " + std::string(name) + ":LO..HI");
  }
  constexpr const char* kExpected = "a whole number below 2^31";
  scheme.least = parse_number<Length>(text.substr(colon + 1, dots - colon - 1), where, kExpected);
  scheme.largest = parse_number<Length>(text.substr(dots + 2), where, kExpected);
  if (scheme.least < 0 || scheme.least > scheme.largest) {
    throw InputError(where, "not a range of lengths", "write LO..HI with 0 <= LO <= HI");
  }
  return scheme;
}

std::string to_string(const LengthScheme& scheme) {
  if (scheme.kind == LengthScheme::Kind::unit) return "unit";
  return (scheme.kind == LengthScheme::Kind::hash ? "hash:" : "uniform:") +
         std::to_string(scheme.least) + ".." + std::to_string(scheme.largest);
}

Graph make_grid(std::uint64_t rows, std::uint64_t columns, double keep, const LengthScheme& lengths,
                std::uint64_t seed) {
  const std::string reference = "grid:rows=" + std::to_string(rows) +
                                ",columns=" + std::to_string(columns) + ",keep=" + shortest(keep) +
                                ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
  constexpr std::uint64_t kMostVertices = std::numeric_limits<Vertex>::max();
  if (columns != 0 && rows > kMostVertices / columns) {
    throw InputError(reference, "more than 4294967295 vertices", "ask for a smaller grid");
  }
  if (!(keep >= 0 && keep <= 1)) {
    throw InputError(reference, "keep is not in 0..1", "it is a probability");
  }
  const std::uint64_t vertex_count = rows * columns;
  const auto expected = static_cast<std::uint64_t>(4 * keep * static_cast<double>(vertex_count));
  check_memory(reference, vertex_count, expected);

  const Stream kept(seed, kKeepStream);
  const Lengths length(lengths, seed);
  std::vector<Arc> arcs;
  arcs.reserve(expected);
  const auto add_edge = [&](std::uint64_t edge, std::uint64_t from, std::uint64_t to) {
    if (kept.fraction(edge) >= keep) return;
    const auto u = static_cast<Vertex>(from);
    const auto v = static_cast<Vertex>(to);
    const Length l = length(edge, u, v);
    arcs.push_back({u, v, l});
    arcs.push_back({v, u, l});
  };
  for (std::uint64_t v = 0; v < vertex_count; ++v) {
    if (v % columns + 1 < columns) add_edge(2 * v, v, v + 1);
    if (v + columns < vertex_count) add_edge(2 * v + 1, v, v + columns);
  }
  Graph graph = Graph::from_arcs(static_cast<Vertex>(vertex_count), arcs);
  graph.set_provenance(reference);
  return graph;
}

Graph make_random(std::uint64_t vertex_count, std::uint64_t arc_count, const LengthScheme& lengths,
                  std::uint64_t seed) {
  const std::string reference = "random:n=" + std::to_string(vertex_count) +
                                ",m=" + std::to_string(arc_count) +
                                ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
  if (vertex_count > std::numeric_limits<Vertex>::max()) {
    throw InputError(reference, "more than 4294967295 vertices", "ask for a smaller graph");
  }
  if (vertex_count == 0 && arc_count != 0) {
    throw InputError(reference, "arcs need a vertex", "give n of at least 1");
  }
  check_memory(reference, vertex_count, arc_count);

  const Stream tails(seed, kTailStream);
  const Stream heads(seed, kHeadStream);
  const Lengths length(lengths, seed);
  std::vector<Arc> arcs(arc_count);
  for (std::uint64_t i = 0; i < arc_count; ++i) {
    const auto tail = static_cast<Vertex>(tails.below(i, vertex_count));
    const auto head = static_cast<Vertex>(heads.below(i, vertex_count));
    arcs[i] = {tail, head, length(i, tail, head)};
  }
  Graph graph = Graph::from_arcs(static_cast<Vertex>(vertex_count), arcs);
  graph.set_provenance(reference);
  return graph;
}

Graph make_graph(const std::string& reference) {
  const bool grid = reference.starts_with("grid:");
  if (!grid && !reference.starts_with("random:")) {
    throw InputError(reference, "unknown generator",
                     suggestion(reference.substr(0, reference.find(':')), {"grid", "random"}));
  }
  const std::vector<std::string> sizes =
      grid ? std::vector<std::string>{"rows", "columns"} : std::vector<std::string>{"n", "m"};
  std::vector<std::string> known = sizes;
  if (grid) known.emplace_back("keep");
  known.insert(known.end(), {"lengths", "seed"});
  std::map<std::string, std::string> values = parse_keys(reference, known, sizes);
  values.insert({{"keep", "1"}, {"lengths", "uniform:1..1000"}, {"seed", "1"}});

  const auto count = [&](const std::string& key) {
    return parse_number<std::uint64_t>(values[key], reference + ": " + key, "a whole number");
  };
  const LengthScheme lengths = parse_lengths(values["lengths"]);
  if (!grid) return make_random(count("n"), count("m"), lengths, count("seed"));
  const double keep = parse_number<double>(values["keep"], reference + ": keep", "a number");
  return make_grid(count("rows"), count("columns"), keep, lengths, count("seed"));
}

}  // namespace bellmark
