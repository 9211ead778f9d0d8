// Regular graphs: meshes, chains and stars. generate.hpp has the formulas.
#include <cstdint>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "graph/formula_text.hpp"
#include "graph/generate.hpp"
#include "graph/make_rows.hpp"

namespace bellmark {
namespace {

/// A graph whose edges have numbers: for_each_edge(v, visit) calls visit(edge, neighbour), by
/// ascending neighbour.
template <class ForEachEdge>
Graph make_regular(const std::string& reference, std::uint64_t vertex_count, double arc_count,
                   const LengthScheme& lengths, std::uint64_t seed, ForEachEdge for_each_edge) {
  check_memory(reference, static_cast<double>(vertex_count) * sizeof(Offset) +
                              arc_count * (sizeof(Vertex) + sizeof(Length)));
  const LengthSource length(lengths, seed);
  Graph graph = make_rows(
      static_cast<Vertex>(vertex_count), length.opposite_agree(),
      [&](Vertex v) {
        Offset degree = 0;
        for_each_edge(v, [&](std::uint64_t, std::uint64_t) { ++degree; });
        return degree;
      },
      [&](Vertex v, std::span<Vertex> heads, std::span<Length> row_lengths) {
        std::size_t i = 0;
        for_each_edge(v, [&](std::uint64_t edge, std::uint64_t neighbour) {
          heads[i] = static_cast<Vertex>(neighbour);
          row_lengths[i++] = length(edge, v, static_cast<Vertex>(neighbour));
        });
      });
  graph.set_provenance(reference);
  return graph;
}

}  // namespace

Graph make_mesh(std::uint64_t x, std::uint64_t y, std::uint64_t z, const LengthScheme& lengths,
                std::uint64_t seed) {
  const std::string reference = formula_text(
      "mesh:x=" + std::to_string(x) + ",y=" + std::to_string(y) + ",z=" + std::to_string(z),
      lengths, seed);
  if (x == 0 || y == 0 || z == 0) {
    throw InputError(reference, "a side has no vertices", "give x, y and z of at least 1");
  }
  constexpr std::uint64_t kMostMeshVertices = std::numeric_limits<Vertex>::max();
  if (x > kMostMeshVertices / y || x * y > kMostMeshVertices / z) {
    throw InputError(reference, "more than 4294967295 vertices", "ask for a smaller mesh");
  }
  const std::uint64_t vertex_count = x * y * z;
  return make_regular(reference, vertex_count, 6.0 * static_cast<double>(vertex_count), lengths,
                      seed, [=](std::uint64_t v, auto visit) {
                        const std::uint64_t strides[] = {y * z, z, 1};
                        const std::uint64_t sides[] = {x, y, z};
                        const auto place = [&](std::uint64_t side) {
                          return v / strides[side] % sides[side];
                        };
                        for (const std::uint64_t side : {0, 1, 2}) {
                          const std::uint64_t before = v - strides[side];
                          if (place(side) > 0) visit(3 * before + side, before);
                        }
                        for (const std::uint64_t side : {2, 1, 0}) {
                          if (place(side) + 1 < sides[side]) visit(3 * v + side, v + strides[side]);
                        }
                      });
}

Graph make_chain(std::uint64_t vertex_count, const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference =
      formula_text("chain:n=" + std::to_string(vertex_count), lengths, seed);
  check_vertex_count(reference, vertex_count);
  return make_regular(reference, vertex_count, 2.0 * static_cast<double>(vertex_count), lengths,
                      seed, [=](std::uint64_t v, auto visit) {
                        if (v > 0) visit(v - 1, v - 1);
                        if (v + 1 < vertex_count) visit(v, v + 1);
                      });
}

Graph make_star(std::uint64_t vertex_count, const LengthScheme& lengths, std::uint64_t seed) {
  const std::string reference =
      formula_text("star:n=" + std::to_string(vertex_count), lengths, seed);
  check_vertex_count(reference, vertex_count);
  return make_regular(reference, vertex_count, 2.0 * static_cast<double>(vertex_count), lengths,
                      seed, [=](std::uint64_t v, auto visit) {
                        if (v > 0) {
                          visit(v - 1, 0);
                          return;
                        }
                        for (std::uint64_t leaf = 1; leaf < vertex_count; ++leaf) {
                          visit(leaf - 1, leaf);
                        }
                      });
}

}  // namespace bellmark
