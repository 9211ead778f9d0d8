// The Kronecker graphs of Graph500 (its specification, section 3), by counter-based draws. Every
// edge is a function of its number, so that all threads make edges at once.
#include <algorithm>
#include <atomic>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/parallel.hpp"
#include "graph/generate.hpp"
#include "graph/kronecker_edges.hpp"
#include "graph/make_rows.hpp"

namespace bellmark {
namespace {

constexpr std::uint64_t kMostKroneckerScale = 31;
constexpr std::uint64_t kMostEdges = std::uint64_t{1} << 40;

/// An edge of the list, with the place of each of its two arcs among its tail's arcs.
struct Edge {
  Vertex tail;
  Vertex head;
  std::uint32_t tail_place;
  std::uint32_t head_place;
};

/// Makes the list, and counts its ends at each vertex. The count gives each arc its place, which
/// saves a second pass of atomic increments. A chunk is drawn, then counted: half as fast again at
/// scale 22 as edge by edge.
void draw(const KroneckerEdges& edges, std::span<Edge> list, std::span<std::uint32_t> degrees) {
  constexpr std::uint64_t kChunk = 128;
  const auto take_place = [&](Vertex v) {
    return std::atomic_ref(degrees[v]).fetch_add(1, std::memory_order_relaxed);
  };
  in_parallel(list.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t chunk = begin; chunk < end; chunk += kChunk) {
      const std::uint64_t chunk_end = std::min(chunk + kChunk, end);
      for (std::uint64_t i = chunk; i < chunk_end; ++i) {
        std::tie(list[i].tail, list[i].head) = edges[i];
      }
      for (Edge& edge : list.subspan(chunk, chunk_end - chunk)) {
        edge.tail_place = take_place(edge.tail);
        edge.head_place = take_place(edge.head);
      }
    }
  });
}

}  // namespace

void check_kronecker(const std::string& reference, std::uint64_t scale, std::uint64_t edge_factor) {
  if (scale < 1 || scale > kMostKroneckerScale) {
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
  // Two arrays of row offsets and the degrees, and the list with the first heads. Or the first
  // heads with the final heads and lengths.
  check_memory(reference,
               (2.0 * sizeof(Offset) + sizeof(std::uint32_t)) * vertex_count +
                   (sizeof(Edge) + 2.0 * sizeof(Vertex)) * static_cast<double>(edge_count));

  // In the list a loop is two arcs, as it is two ends. It is removed with the duplicates.
  auto list = std::make_unique_for_overwrite<Edge[]>(edge_count);
  std::vector<std::uint32_t> degrees(vertex_count);
  draw(KroneckerEdges(scale, seed), std::span(list.get(), edge_count), degrees);
  const auto row_offsets = std::make_unique_for_overwrite<Offset[]>(std::size_t{vertex_count} + 1);
  prefix_sums(
      vertex_count, [&](std::uint64_t v) { return degrees[v]; }, row_offsets.get());
  if (row_offsets[vertex_count] != 2 * edge_count) {
    throw InputError(reference, "2^32 ends of edges or more at one vertex",
                     "ask for a smaller edge-factor");
  }
  const auto heads = std::make_unique_for_overwrite<Vertex[]>(2 * edge_count);
  in_parallel(edge_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (const Edge& edge : std::span(&list[begin], end - begin)) {
      heads[row_offsets[edge.tail] + edge.tail_place] = edge.head;
      heads[row_offsets[edge.head] + edge.head_place] = edge.tail;
    }
  });
  list.reset();

  const LengthSource length(lengths, seed);
  Graph graph = make_rows(
      vertex_count, length.opposite_agree(),
      [&](Vertex v) {
        // Threads wrote the row in any order. Sorted, it is the same every time.
        Vertex* const begin = heads.get() + row_offsets[v];
        Vertex* const end = std::remove(begin, heads.get() + row_offsets[v + 1], v);
        std::sort(begin, end);
        return static_cast<std::size_t>(std::unique(begin, end) - begin);
      },
      [&](Vertex v, std::span<Vertex> row, std::span<Length> row_lengths) {
        std::copy_n(&heads[row_offsets[v]], row.size(), row.begin());
        for (std::size_t i = 0; i < row.size(); ++i) row_lengths[i] = length.of_ends(v, row[i]);
      });
  graph.set_provenance(reference);
  return with_edge_list_degrees(graph, std::move(degrees));
}

}  // namespace bellmark
