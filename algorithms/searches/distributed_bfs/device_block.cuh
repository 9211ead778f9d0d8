// A block of the adjacency matrix on a GPU, and the levels along it (hiragushi2013, section 3). The
// owner of the bitmaps on both of its sides uses it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/searches/bfs/hybrid_gpu.cuh"

namespace bellmark::distributed_bfs {

using bfs::hybrid_gpu::Bits;

/// Words of 32 vertices in the bitmap of n: two for each of the host's words, which have the same
/// bytes.
constexpr std::uint32_t device_word_count(Vertex n) {
  return static_cast<std::uint32_t>((std::uint64_t{n} + 63) / 64 * 2);
}

/// Adds `more` to a bitmap of `word_count` words.
void unite(Bits* set, const Bits* more, std::uint32_t word_count, cudaStream_t stream);

/// Rows and arcs in the memory of one device. That device is current where it is made, and must be
/// current in every call. Levels are begun on a stream and wait for nothing on the host. They don't
/// ask the host for the number of the frontier's arcs. Levels go one at a time: the next one's
/// stream must wait for the last one, since they share lists.
///
/// Bitmaps are device_word_count() words; bits of `visited` beyond the last vertex are set. A level
/// adds its finds to `visited`, and writes their predecessors only, by their ids in the graph.
/// Words first_word..last_word-1 are those of the rows that it goes along, so that a partner may
/// have the others.
class DeviceBlock {
 public:
  /// `threshold`: bottom-up a warp takes each row with at least this many arcs in this block, a
  /// thread each other row. Accounts `device graph` and `device lists`. Nothing is under way on
  /// return. Throws UnmetError when the memory would not do. O(rows + arcs).
  DeviceBlock(const bfs::Block& block, std::uint32_t threshold, std::string_view family,
              RunContext& context);
  DeviceBlock(DeviceBlock&&) noexcept;
  DeviceBlock& operator=(DeviceBlock&&) noexcept;
  ~DeviceBlock();

  /// From rows of the frontier to columns that are not visited. Writes all of `column_found`.
  void top_down(const Bits* row_frontier, Bits* column_visited, Bits* column_found,
                Vertex* column_predecessors, std::uint32_t first_word, std::uint32_t last_word,
                cudaStream_t stream) const;
  /// From rows that are not visited to columns of the frontier: the mirrored arcs. Writes the words
  /// of `row_found` that it goes along, and no others.
  void bottom_up(const Bits* column_frontier, Bits* row_visited, Bits* row_found,
                 Vertex* row_predecessors, std::uint32_t first_word, std::uint32_t last_word,
                 cudaStream_t stream) const;

  std::uint64_t graph_bytes() const;
  std::uint64_t list_bytes() const;

 private:
  class Arrays;
  template <class RowOffset>
  class ArraysOf;

  std::unique_ptr<const Arrays> arrays_;
};

}  // namespace bellmark::distributed_bfs
