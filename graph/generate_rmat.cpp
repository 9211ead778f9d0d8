// R-MAT graphs (Chakrabarti, Zhan, Faloutsos: R-MAT: A Recursive Model for Graph Mining, SDM 2004),
// directed, and of any probabilities. generate.hpp has the formula.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/parallel.hpp"
#include "graph/formula_text.hpp"
#include "graph/generate.hpp"
#include "graph/kronecker_edges.hpp"
#include "graph/pair_rows.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

/// Throws InputError unless each is a probability, and their sum leaves at least 0 for the last
/// quadrant.
QuadrantSums sums_of(const std::string& reference, const RmatProbabilities& of) {
  for (const double each : {of.a, of.b, of.c}) {
    if (!(each >= 0 && each <= 1)) {
      throw InputError(reference, "a, b or c is not in 0..1", "they are probabilities");
    }
  }
  // Rounded sums, so that 0.7, 0.2 and 0.1 leave nothing over: their doubles are slightly
  // different.
  const auto units = [](double sum) {
    return static_cast<std::uint64_t>(std::round(sum * 0x1p32));
  };
  const QuadrantSums sums{units(of.a), units(of.a + of.b), units(of.a + of.b + of.c)};
  if (sums.abc > std::uint64_t{1} << 32) {
    throw InputError(reference, "a, b and c add up to more than 1",
                     "the fourth probability is the rest of 1");
  }
  return sums;
}

}  // namespace

Graph make_rmat(std::uint64_t scale, std::uint64_t edge_factor, const RmatProbabilities& of,
                const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference = formula_text(
      "rmat:scale=" + std::to_string(scale) + ",edge-factor=" + std::to_string(edge_factor) +
          ",a=" + shortest(of.a) + ",b=" + shortest(of.b) + ",c=" + shortest(of.c),
      lengths, seed);
  check_kronecker(reference, scale, edge_factor);
  const QuadrantSums sums = sums_of(reference, of);
  const auto vertex_count = Vertex{1} << scale;
  const std::uint64_t pair_count = edge_factor << scale;
  check_memory(reference,
               kPairRowsVertexBytes * vertex_count +
                   (sizeof(VertexPair) + kPairRowsArcBytes) * static_cast<double>(pair_count));

  const Stream quadrants(seed, Stream::quadrants);
  std::vector<VertexPair> pairs(pair_count);
  in_parallel(pair_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) pairs[i] = draw_cell(quadrants, scale, i, sums);
  });
  Graph graph =
      graph_of_pairs(vertex_count, std::move(pairs), PairsAre::arcs, LengthSource(lengths, seed));
  graph.set_provenance(reference);
  return graph;
}

}  // namespace bellmark
