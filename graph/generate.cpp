// Generated graphs: grid and random, by counter-based random numbers.
#include "graph/generate.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/formula.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

constexpr const char* kGenerators[] = {"grid", "random"};

/// Memory for a list of arcs and the rows made from it.
double list_bytes(std::uint64_t vertex_count, std::uint64_t arc_count) {
  return static_cast<double>(vertex_count) * sizeof(Offset) +
         static_cast<double>(arc_count) * (sizeof(Arc) + sizeof(Vertex) + sizeof(Length));
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
  const auto expected = static_cast<std::uint64_t>(4 * keep * static_cast<double>(vertex_count));
  check_memory(reference, list_bytes(vertex_count, expected));

  const Stream kept(seed, Stream::keep);
  const LengthSource length(lengths, seed);
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
  check_memory(reference, list_bytes(vertex_count, arc_count));

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

bool is_formula(std::string_view reference) {
  const std::size_t colon = reference.find(':');
  return colon != std::string_view::npos &&
         std::ranges::find(kGenerators, reference.substr(0, colon)) != std::end(kGenerators);
}

Graph make_graph(const std::string& reference) {
  if (!is_formula(reference)) {
    throw InputError(reference, "unknown generator",
                     suggestion(reference.substr(0, reference.find(':')),
                                {std::begin(kGenerators), std::end(kGenerators)}));
  }
  const bool grid = reference.starts_with("grid:");
  const std::vector<std::string> sizes =
      grid ? std::vector<std::string>{"rows", "columns"} : std::vector<std::string>{"n", "m"};
  std::vector<std::string> known = sizes;
  if (grid) known.emplace_back("keep");
  known.insert(known.end(), {"lengths", "seed"});
  std::map<std::string, std::string> values = parse_keys(
      reference, std::string_view(reference).substr(reference.find(':') + 1), known, sizes);
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
