// The levels of Hybrid-BFS on a GPU where the block is the whole matrix. bfs/hybrid-gpu and
// bfs/hybrid-cpu-gpu share this class, which owns the data of the kernels.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/hybrid_gpu.cuh"

namespace bellmark::bfs::hybrid_gpu {

/// Copies in pieces: the host never holds a second copy of all row offsets. `RowOffset` is
/// std::uint32_t or std::uint64_t, here and below.
template <class RowOffset>
void upload_row_offsets(const Block& block, const gpu::DeviceArray<RowOffset>& row_offsets);

/// The bits that count all arcs of a block, beside those of its rows in one number of 64. Throws
/// UnmetError when 64 are too few.
unsigned arc_bits_of(const Block& block, std::string_view family);

/// Sets and lists in device memory, and the steps of a level on a stream. In every step words
/// before `first_word` are a partner's rows; without a partner there are none.
template <class RowOffset>
class DeviceLevels {
 public:
  /// The block must be its own mirror. `threshold`: of section 3.2. `writes_levels`: whether the
  /// search leaves levels beside the predecessors. `more_bytes`: device memory that the caller
  /// allocates beside this. Uploads may still be under way on return: end with
  /// cudaDeviceSynchronize(). Throws UnmetError when the memory would not do. O(n + m).
  void prepare(const Block& block, std::uint32_t threshold, bool writes_levels,
               std::uint64_t more_bytes, std::string_view family, RunContext& context);

  std::uint32_t word_count() const { return static_cast<std::uint32_t>(visited_.size()); }
  const gpu::DeviceArray<Bits>& next() const { return next_; }

  void begin(Vertex source, cudaStream_t stream);

  /// From the frontier to `next`, which it writes whole. At most `arc_count` arcs leave the
  /// frontier.
  void top_down(std::uint32_t first_word, Offset arc_count, cudaStream_t stream);

  /// Writes words from `first_word` on of `next`.
  void bottom_up(std::uint32_t first_word, cudaStream_t stream);

  /// Adds the first `size` words of a partner's finds to `next`. `next` holds this side's finds or,
  /// where `has_own` is false, nothing yet. `from_partner` collects the vertices that the partner
  /// alone found.
  void merge(const Bits* received, Bits* from_partner, std::uint32_t size, bool has_own,
             cudaStream_t stream) const;
  /// Takes the predecessors of the vertices in `from_partner` from pinned memory.
  void fetch_predecessors(const Bits* from_partner, const Vertex* predecessors,
                          cudaStream_t stream) const;

  /// Begins to fetch the counts: counts() has them when the stream is synchronised.
  void fetch_counts(cudaStream_t stream);
  const Counts& counts() const { return fetched_[0]; }

  /// The vertices found become the frontier of the next level.
  void turn() {
    std::swap(frontier_, next_);
    ++found_level_;
  }

  /// The result of the last search: predecessors, kNoVertex where it did not come. Where levels are
  /// written it has them, kNoLevel likewise; else it has none. O(n).
  void extract(Bfs::Answer& answer) const;

 private:
  /// The kernels' argument.
  LevelView<RowOffset> view() const;

  Vertex vertex_count_ = 0;
  Level found_level_ = 0;
  unsigned arc_bits_ = 0;
  unsigned contract_blocks_ = 1;
  gpu::DeviceArray<RowOffset> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Bits> high_degree_;
  gpu::DeviceArray<Bits> visited_;
  gpu::DeviceArray<Bits> frontier_;
  gpu::DeviceArray<Bits> next_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<Level> levels_;  ///< none unless written
  gpu::DeviceArray<Counts> counts_;
  gpu::DeviceArray<unsigned long long> places_;
  gpu::DeviceArray<Vertex> listed_;
  gpu::DeviceArray<RowOffset> arc_begins_;
  gpu::DeviceArray<uint2> queue_;
  gpu::PinnedArray<Counts> fetched_;
};

}  // namespace bellmark::bfs::hybrid_gpu
