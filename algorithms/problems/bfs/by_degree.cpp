#include "algorithms/problems/bfs/by_degree.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>

namespace bellmark::bfs {

/// A counting sort, stable: every block of vertices counts its own degrees and then knows its
/// places.
DegreeOrder order_by_degree(std::span<const std::uint32_t> degrees) {
  constexpr std::uint32_t kLargest = 1023;  // larger degrees share its bin
  constexpr std::uint64_t kBlock = 1 << 16;
  using Bins = std::array<Vertex, kLargest + 1>;
  const auto bin_of = [&](std::uint64_t v) { return kLargest - std::min(degrees[v], kLargest); };

  const std::uint64_t n = degrees.size();
  DegreeOrder order;
  order.vertices = PagedArray<Vertex>(n);
  order.ranks = PagedArray<Vertex>(n);
  Vertex* const vertices = order.vertices.data();
  Vertex* const ranks = order.ranks.data();

  std::vector<Bins> blocks((n + kBlock - 1) / kBlock, Bins{});
  in_parallel(
      n,
      [&](std::uint64_t begin, std::uint64_t end) {
        Bins& counts = blocks[begin / kBlock];
        for (std::uint64_t v = begin; v < end; ++v) ++counts[bin_of(v)];
      },
      kBlock);
  std::array<Vertex, kLargest + 2> bin_begins{};
  for (std::size_t bin = 0; bin <= kLargest; ++bin) {
    Vertex place = bin_begins[bin];
    for (Bins& block : blocks) place += std::exchange(block[bin], place);
    bin_begins[bin + 1] = place;
  }
  order.with_arcs_count = bin_begins[kLargest];
  in_parallel(
      n,
      [&](std::uint64_t begin, std::uint64_t end) {
        Bins& next = blocks[begin / kBlock];
        for (std::uint64_t v = begin; v < end; ++v) {
          ranks[v] = next[bin_of(v)]++;
          vertices[ranks[v]] = static_cast<Vertex>(v);
        }
      },
      kBlock);

  const Vertex hub_count = bin_begins[1];
  std::stable_sort(vertices, vertices + hub_count,
                   [&](Vertex u, Vertex v) { return degrees[u] > degrees[v]; });
  for (Vertex rank = 0; rank < hub_count; ++rank) ranks[vertices[rank]] = rank;
  return order;
}

void sort_row(std::span<Vertex> row, Vertex bound, Vertex* scratch) {
  constexpr std::size_t kShortRow = 64;  // for these, counters cost more than comparisons
  constexpr unsigned kDigitBits = 8;
  if (row.size() < kShortRow) {
    std::sort(row.begin(), row.end());
    return;
  }
  const auto bits = static_cast<unsigned>(std::bit_width(bound - 1));
  Vertex* from = row.data();
  Vertex* to = scratch;
  for (unsigned shift = 0; shift < bits; shift += kDigitBits) {
    const auto digit_of = [=](Vertex v) { return (v >> shift) % (1U << kDigitBits); };
    std::array<std::uint32_t, 1 << kDigitBits> places{};
    for (std::size_t i = 0; i < row.size(); ++i) ++places[digit_of(from[i])];
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) place += std::exchange(count, place);
    for (std::size_t i = 0; i < row.size(); ++i) to[places[digit_of(from[i])]++] = from[i];
    std::swap(from, to);
  }
  if (from != row.data()) std::copy_n(from, row.size(), row.data());
}

}  // namespace bellmark::bfs
