// Generated graphs: grids and random graphs, by counter-based random numbers.
#include "graph/generate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/parallel.hpp"
#include "graph/make_rows.hpp"
#include "graph/open.hpp"
#include "graph/random_stream.hpp"
#include "graph/reference.hpp"

namespace bellmark {
namespace {

constexpr const char* kUsualLengths = "uniform:1..1000";

/// The largest scale of the challenge's families: their lengths reach 2^scale, and are below 2^31.
constexpr std::uint64_t kMostScale = 30;

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

FormulaKey count_key(const char* name, std::string fallback, const char* text) {
  return {name, FormulaKey::Kind::count, std::move(fallback), text};
}

FormulaKey real_key(const char* name, std::string fallback, const char* text) {
  return {name, FormulaKey::Kind::real, std::move(fallback), text};
}

/// A generator with its own keys and the common keys.
Generator generator(const char* name, const char* text, std::vector<FormulaKey> keys,
                    const char* lengths, Graph (*make)(const GraphReference&)) {
  keys.push_back({"lengths", FormulaKey::Kind::lengths, lengths, "lengths of the arcs, see below"});
  keys.push_back(count_key("seed", "1", "seed of the random numbers"));
  return {name, text, std::move(keys), make};
}

using ChallengeFamily = Graph (*)(std::uint64_t scale, const LengthScheme&, std::uint64_t seed);

/// A family of the challenge; lengths go up to the number of vertices.
template <ChallengeFamily kMake>
Generator challenge_generator(const char* name, const char* text) {
  return generator(
      name, text, {count_key("scale", "", "2^scale vertices")}, "uniform:0..2^scale",
      [](const GraphReference& r) { return kMake(r.count("scale"), r.lengths(), r.seed()); });
}

template <RoadExtent kExtent>
Generator road_generator(const char* name, const char* text, const char* vertices) {
  return generator(name, text, {count_key("n", std::to_string(kKantoVertices), vertices)}, "kanto",
                   [](const GraphReference& r) {
                     return make_road(r.count("n"), kExtent, r.lengths(), r.seed());
                   });
}

Generator tile_generator() {
  return {"tile",
          "copies of a connected graph in a grid, stitched along their borders",
          {{"REF", FormulaKey::Kind::graph, "", "the graph: an id or a file, without keys"},
           count_key("copies", "", "number of copies, 2 or more"),
           {"lengths", FormulaKey::Kind::lengths_or_own, std::string(kOwnLengths),
            "lengths of the arcs, see below, or its own"},
           count_key("seed", "1", "seed of the random numbers")},
          [](const GraphReference& r) {
            const bool own = r.keys.at("lengths") == kOwnLengths;
            return make_tile(r.keys.at("REF"), r.count("copies"),
                             own ? std::nullopt : std::optional(r.lengths()), r.seed());
          }};
}

}  // namespace

const std::vector<Generator>& generators() {
  static const std::vector<Generator> all = {
      generator(
          "grid", "vertices in rows and columns, neighbours joined both ways with probability keep",
          {count_key("rows", "", "number of rows"), count_key("columns", "", "number of columns"),
           real_key("keep", "1", "probability that an edge is kept")},
          kUsualLengths,
          [](const GraphReference& r) {
            return make_grid(r.count("rows"), r.count("columns"), r.real("keep"), r.lengths(),
                             r.seed());
          }),
      generator("random", "directed arcs between vertices drawn at random, loops and parallels too",
                {count_key("n", "", "number of vertices"), count_key("m", "", "number of arcs")},
                kUsualLengths,
                [](const GraphReference& r) {
                  return make_random(r.count("n"), r.count("m"), r.lengths(), r.seed());
                }),
      generator(
          "kronecker", "Graph500's Kronecker graph, made symmetric, without loops and duplicates",
          {count_key("scale", "", "2^scale vertices"),
           count_key("edge-factor", "16",
                     "edges drawn for each vertex, before loops and duplicates go")},
          kUsualLengths,
          [](const GraphReference& r) {
            return make_kronecker(r.count("scale"), r.count("edge-factor"), r.lengths(), r.seed());
          }),
      road_generator<RoadExtent::whole>(
          "road", "streets in a plane and a few long links, like suzuki's map of Kanto",
          "number of vertices"),
      road_generator<RoadExtent::main>("road-main", "the main roads and links of such a map",
                                       "number of vertices of the whole map"),
      challenge_generator<make_long>("long",
                                     "the 9th DIMACS challenge's grids with one side of 16"),
      challenge_generator<make_square>("square", "the challenge's square grids"),
      challenge_generator<make_random4>(
          "random4",
          "the challenge's random graphs: a cycle through all vertices, 4 arcs a vertex"),
      generator("hyperbolic",
                "points of a hyperbolic disk that are near each other, degrees by a power law",
                {count_key("n", "", "number of vertices"),
                 real_key("degree", "", "mean number of neighbours of a vertex"),
                 real_key("exponent", "3", "exponent of the power law, 2 to 10")},
                kUsualLengths,
                [](const GraphReference& r) {
                  return make_hyperbolic(r.count("n"), r.real("degree"), r.real("exponent"),
                                         r.lengths(), r.seed());
                }),
      generator("geometric", "points of a square, joined both ways where they are near each other",
                {count_key("n", "", "number of vertices"),
                 real_key("degree", "", "mean number of neighbours of a vertex")},
                kUsualLengths,
                [](const GraphReference& r) {
                  return make_geometric(r.count("n"), r.real("degree"), r.lengths(), r.seed());
                }),
      generator("delaunay", "the Delaunay triangulation of points of a square, both ways",
                {count_key("n", "", "number of vertices")}, kUsualLengths,
                [](const GraphReference& r) {
                  return make_delaunay(r.count("n"), r.lengths(), r.seed());
                }),
      generator("nearest", "directed arcs from each point of a square to the k nearest others",
                {count_key("n", "", "number of vertices"),
                 count_key("k", "", "number of arcs from each vertex")},
                kUsualLengths,
                [](const GraphReference& r) {
                  return make_nearest(r.count("n"), r.count("k"), r.lengths(), r.seed());
                }),
      generator("rmat", "directed R-MAT graph, skewed as you say, without loops and duplicates",
                {count_key("scale", "", "2^scale vertices"),
                 count_key("edge-factor", "16",
                           "arcs drawn for each vertex, before loops and duplicates go"),
                 real_key("a", "0.57", "probability of the matrix's upper left quadrant"),
                 real_key("b", "0.19", "of the upper right one"),
                 real_key("c", "0.19", "of the lower left one; the rest is the lower right one's")},
                kUsualLengths,
                [](const GraphReference& r) {
                  return make_rmat(r.count("scale"), r.count("edge-factor"),
                                   {r.real("a"), r.real("b"), r.real("c")}, r.lengths(), r.seed());
                }),
      generator("mesh", "vertices in three dimensions, up to 6 neighbours joined both ways",
                {count_key("x", "", "vertices along the first side"),
                 count_key("y", "", "along the second"), count_key("z", "", "along the third")},
                kUsualLengths,
                [](const GraphReference& r) {
                  return make_mesh(r.count("x"), r.count("y"), r.count("z"), r.lengths(), r.seed());
                }),
      generator(
          "chain", "one path through all vertices, both ways",
          {count_key("n", "", "number of vertices")}, kUsualLengths,
          [](const GraphReference& r) { return make_chain(r.count("n"), r.lengths(), r.seed()); }),
      generator(
          "star", "one hub, vertex 0, joined with all other vertices both ways",
          {count_key("n", "", "number of vertices")}, kUsualLengths,
          [](const GraphReference& r) { return make_star(r.count("n"), r.lengths(), r.seed()); }),
      tile_generator(),
  };
  return all;
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Generator& each : generators()) names.push_back(each.name);
  return names;
}

const Generator* find_generator(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  if (colon == std::string_view::npos) return nullptr;
  const auto found = std::ranges::find(generators(), reference.substr(0, colon), &Generator::name);
  return found == generators().end() ? nullptr : &*found;
}

Graph make_graph(const std::string& formula) { return open_graph(parse_formula(formula)); }

Graph make_grid(std::uint64_t rows, std::uint64_t columns, double keep, const LengthScheme& lengths,
                std::uint64_t seed) {
  const std::string reference = "grid:rows=" + std::to_string(rows) +
                                ",columns=" + std::to_string(columns) + ",keep=" + shortest(keep) +
                                ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
  constexpr std::uint64_t kMostGridVertices = std::numeric_limits<Vertex>::max();
  if (columns != 0 && rows > kMostGridVertices / columns) {
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
  Graph graph = make_rows(
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

}  // namespace bellmark
