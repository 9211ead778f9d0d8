// The Kronecker graphs of Graph500 (its specification, section 3), by counter-based draws: every
// edge is a function of its number, so that all threads make edges at once, and make them twice
// rather than keep a list.
#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "graph/formula.hpp"
#include "graph/generate.hpp"
#include "graph/kronecker_edges.hpp"
#include "graph/parallel.hpp"

namespace bellmark {
namespace {

constexpr std::uint64_t kMostScale = 31;
constexpr std::uint64_t kMostEdges = std::uint64_t{1} << 40;

}  // namespace

void check_kronecker(const std::string& reference, std::uint64_t scale, std::uint64_t edge_factor) {
  if (scale < 1 || scale > kMostScale) {
    throw InputError(reference, "scale is not in 1..31", "there are 2^scale vertices");
  }
  if (edge_factor > kMostEdges >> scale) {
    throw InputError(reference, "more than 2^40 edges", "ask for a smaller graph");
  }
}

Graph make_kronecker(std::uint64_t scale, std::uint64_t edge_factor, const LengthScheme& lengths,
                     std::uint64_t seed) {
  const std::string reference = "kronecker:scale=" + std::to_string(scale) +
                                ",edge-factor=" + std::to_string(edge_factor) +
                                ",lengths=" + to_string(lengths) + ",seed=" + std::to_string(seed);
  check_kronecker(reference, scale, edge_factor);
  const auto vertex_count = Vertex{1} << scale;
  const std::uint64_t edge_count = edge_factor << scale;
  // Two arrays of row offsets; each arc's head before duplicates are dropped, and head and length.
  check_memory(reference,
               2.0 * sizeof(Offset) * vertex_count +
                   2.0 * (2 * sizeof(Vertex) + sizeof(Length)) * static_cast<double>(edge_count));

  const KroneckerEdges edges(scale, seed);
  const auto for_each_arc = [&](auto visit) {
    in_parallel(edge_count, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        const auto [u, v] = edges[i];
        if (u == v) continue;
        visit(u, v);
        visit(v, u);
      }
    });
  };
  const auto next = [](Offset& counter) {
    return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
  };
  // Row v is counted two places on: see Graph::from_arcs().
  std::vector<Offset> row_offsets(std::size_t{vertex_count} + 2);
  Offset* const cursors = row_offsets.data() + 1;
  for_each_arc([&](Vertex tail, Vertex) { next(cursors[std::size_t{tail} + 1]); });
  for (std::size_t v = 0; v < vertex_count; ++v) cursors[v + 1] += cursors[v];
  const auto heads = std::make_unique_for_overwrite<Vertex[]>(cursors[vertex_count]);
  for_each_arc([&](Vertex tail, Vertex head) { heads[next(cursors[tail])] = head; });

  const LengthSource length(lengths, seed);
  Graph graph = make_both_ways(
      vertex_count, length.opposite_agree(),
      [&](Vertex v) {
        // Threads wrote the row in any order; sorted, it is the same every time.
        Vertex* const begin = heads.get() + row_offsets[v];
        Vertex* const end = heads.get() + row_offsets[v + 1];
        std::sort(begin, end);
        return static_cast<std::size_t>(std::unique(begin, end) - begin);
      },
      [&](Vertex v, std::span<Vertex> row, std::span<Length> row_lengths) {
        std::copy_n(&heads[row_offsets[v]], row.size(), row.begin());
        for (std::size_t i = 0; i < row.size(); ++i) row_lengths[i] = length.of_ends(v, row[i]);
      });
  graph.set_provenance(reference);
  return graph;
}

}  // namespace bellmark
