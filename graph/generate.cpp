// Generated graphs: grids and random graphs, by counter-based random numbers.
#include "graph/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "graph/both_ways.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

/// Of the challenge's families: their lengths reach 2^scale, and are below 2^31.
constexpr std::uint64_t kMostScale = 30;

class Formula;

struct Generator {
  std::string name;
  std::vector<std::string> needed;              // keys without a default
  std::map<std::string, std::string> defaults;  // all other keys
  Graph (*make)(const Formula& formula);
};

/// The keys of a reference with their values.
class Formula {
 public:
  Formula(std::string reference, const Generator& generator) : reference_(std::move(reference)) {
    std::vector<std::string> known = generator.needed;
    for (const auto& [key, value] : generator.defaults) known.push_back(key);
    const std::string_view pairs = std::string_view(reference_).substr(reference_.find(':') + 1);
    values_ = parse_keys(reference_, pairs, known, generator.needed);
    values_.insert(generator.defaults.begin(), generator.defaults.end());
  }

  std::uint64_t count(const std::string& key) const {
    return number<std::uint64_t>(key, "a whole number");
  }
  double real(const std::string& key) const { return number<double>(key, "a number"); }
  LengthScheme lengths() const { return parse_lengths(values_.at("lengths")); }
  /// The challenge's families -n: lengths up to the number of vertices, unless others are asked.
  LengthScheme challenge_lengths() const {
    const std::string& text = values_.at("lengths");
    if (!text.empty()) return parse_lengths(text);
    // A scale that is too large is refused when the graph is made.
    return parse_lengths("uniform:0..2^" + std::to_string(std::min(count("scale"), kMostScale)));
  }
  std::uint64_t seed() const { return count("seed"); }

 private:
  template <class T>
  T number(const std::string& key, const char* expected) const {
    return parse_number<T>(values_.at(key), reference_ + ": " + key, expected);
  }

  std::string reference_;
  std::map<std::string, std::string> values_;
};

const std::vector<Generator>& generators() {
  static const std::map<std::string, std::string> road = {
      {"n", std::to_string(kKantoVertices)}, {"lengths", "kanto"}, {"seed", "1"}};
  // Empty lengths: challenge_lengths().
  static const std::map<std::string, std::string> challenge = {{"lengths", ""}, {"seed", "1"}};
  static const std::vector<Generator> all = {
      {"grid",
       {"rows", "columns"},
       {{"keep", "1"}, {"lengths", "uniform:1..1000"}, {"seed", "1"}},
       [](const Formula& f) {
         return make_grid(f.count("rows"), f.count("columns"), f.real("keep"), f.lengths(),
                          f.seed());
       }},
      {"random",
       {"n", "m"},
       {{"lengths", "uniform:1..1000"}, {"seed", "1"}},
       [](const Formula& f) {
         return make_random(f.count("n"), f.count("m"), f.lengths(), f.seed());
       }},
      {"kronecker",
       {"scale"},
       {{"edge-factor", "16"}, {"lengths", "uniform:1..1000"}, {"seed", "1"}},
       [](const Formula& f) {
         return make_kronecker(f.count("scale"), f.count("edge-factor"), f.lengths(), f.seed());
       }},
      {"road",
       {},
       road,
       [](const Formula& f) {
         return make_road(f.count("n"), RoadExtent::whole, f.lengths(), f.seed());
       }},
      {"road-main",
       {},
       road,
       [](const Formula& f) {
         return make_road(f.count("n"), RoadExtent::main, f.lengths(), f.seed());
       }},
      {"long",
       {"scale"},
       challenge,
       [](const Formula& f) {
         return make_long(f.count("scale"), f.challenge_lengths(), f.seed());
       }},
      {"square",
       {"scale"},
       challenge,
       [](const Formula& f) {
         return make_square(f.count("scale"), f.challenge_lengths(), f.seed());
       }},
      {"random4",
       {"scale"},
       challenge,
       [](const Formula& f) {
         return make_random4(f.count("scale"), f.challenge_lengths(), f.seed());
       }},
  };
  return all;
}

std::string challenge_reference(const char* family, std::uint64_t scale,
                                const LengthScheme& lengths, std::uint64_t seed) {
  return std::string(family) + ":scale=" + std::to_string(scale) +
         ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
}

void check_scale(const std::string& reference, std::uint64_t scale, std::uint64_t least) {
  if (scale >= least && scale <= kMostScale) return;
  throw InputError(reference,
                   "scale is not in " + std::to_string(least) + ".." + std::to_string(kMostScale),
                   "there are 2^scale vertices");
}

/// Null when the reference is no generator's.
const Generator* find_generator(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto found = std::ranges::find(generators(), reference.substr(0, colon), &Generator::name);
  return found == generators().end() ? nullptr : &*found;
}

}  // namespace

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
  check_memory(reference, static_cast<double>(vertex_count) *
                              (sizeof(Offset) + 4 * keep * (sizeof(Vertex) + sizeof(Length))));

  const Stream kept(seed, Stream::keep);
  const LengthSource length(lengths, seed);
  // Calls visit(edge, neighbour) for the edges at v that are kept, ascending.
  const auto for_each_edge = [&](std::uint64_t v, auto visit) {
    const auto consider = [&](std::uint64_t edge, std::uint64_t neighbour) {
      if (kept.fraction(edge) < keep) visit(edge, static_cast<Vertex>(neighbour));
    };
    const std::uint64_t column = v % columns;
    if (v >= columns) consider(2 * (v - columns) + 1, v - columns);
    if (column > 0) consider(2 * (v - 1), v - 1);
    if (column + 1 < columns) consider(2 * v, v + 1);
    if (v + columns < vertex_count) consider(2 * v + 1, v + columns);
  };
  Graph graph = make_both_ways(
      static_cast<Vertex>(vertex_count), length.opposite_agree(),
      [&](Vertex v) {
        Offset degree = 0;
        for_each_edge(v, [&](std::uint64_t, Vertex) { ++degree; });
        return degree;
      },
      [&](Vertex v, std::span<Vertex> heads, std::span<Length> row_lengths) {
        std::size_t i = 0;
        for_each_edge(v, [&](std::uint64_t edge, Vertex neighbour) {
          heads[i] = neighbour;
          row_lengths[i++] = length(edge, v, neighbour);
        });
      });
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
  // A list of arcs, and the rows made from it.
  check_memory(reference, static_cast<double>(vertex_count) * sizeof(Offset) +
                              static_cast<double>(arc_count) *
                                  (sizeof(Arc) + sizeof(Vertex) + sizeof(Length)));

  const Stream tails(seed, Stream::tails);
  const Stream heads(seed, Stream::heads);
  const LengthSource length(lengths, seed);
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

Graph make_long(std::uint64_t scale, const LengthScheme& lengths, std::uint64_t seed) {
  constexpr std::uint64_t kSide = 16;
  const std::string reference = challenge_reference("long", scale, lengths, seed);
  check_scale(reference, scale, 5);
  Graph graph = make_grid((std::uint64_t{1} << scale) / kSide, kSide, 1, lengths, seed);
  graph.set_provenance(reference);
  return graph;
}

Graph make_square(std::uint64_t scale, const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference = challenge_reference("square", scale, lengths, seed);
  check_scale(reference, scale, 2);
  const std::uint64_t vertex_count = std::uint64_t{1} << scale;
  // Below 2^31 the double's root, rounded down, is the whole number's.
  const auto rows = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(vertex_count)));
  Graph graph = make_grid(rows, vertex_count / rows, 1, lengths, seed);
  graph.set_provenance(reference);
  return graph;
}

Graph make_random4(std::uint64_t scale, const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference = challenge_reference("random4", scale, lengths, seed);
  check_scale(reference, scale, 1);
  const std::uint64_t n = std::uint64_t{1} << scale;
  // A list of arcs, and the rows made from it.
  check_memory(reference,
               static_cast<double>(n) *
                   (sizeof(Offset) + 4 * (sizeof(Arc) + sizeof(Vertex) + sizeof(Length))));
  const Stream tails(seed, Stream::tails);
  const Stream steps(seed, Stream::heads);
  const LengthSource length(lengths, seed);
  std::vector<Arc> arcs(4 * n);
  in_parallel(arcs.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      const std::uint64_t tail = i < n ? i : tails.below(i - n, n);
      const std::uint64_t step = i < n ? 1 : 1 + steps.below(i - n, n - 1);
      const auto u = static_cast<Vertex>(tail);
      const auto v = static_cast<Vertex>((tail + step) % n);
      arcs[i] = {u, v, length(i, u, v)};
    }
  });
  Graph graph = Graph::from_arcs(static_cast<Vertex>(n), arcs);
  graph.set_provenance(reference);
  return graph;
}

bool is_formula(std::string_view reference) { return find_generator(reference) != nullptr; }

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Generator& each : generators()) names.push_back(each.name);
  return names;
}

Graph make_graph(const std::string& reference) {
  const Generator* const generator = find_generator(reference);
  if (generator == nullptr) {
    throw InputError(reference, "unknown generator",
                     suggestion(reference.substr(0, reference.find(':')), generator_names()));
  }
  return generator->make(Formula(reference, *generator));
}

}  // namespace bellmark
