#include <algorithm>
#include <cstddef>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/searches/bfs/device_levels.cuh"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/hybrid_gpu_kernels.cuh"
#include "algorithms/searches/distributed_bfs/device_block.cuh"

namespace bellmark::distributed_bfs {

using bfs::hybrid_gpu::blocks_of;
using bfs::hybrid_gpu::kBlock;
using bfs::hybrid_gpu::kTileArcs;
using bfs::hybrid_gpu::kTileWords;

namespace {

/// A thread a word: 12 bytes.
__global__ void __launch_bounds__(kBlock)
    unite_kernel(Bits* set, const Bits* more, std::uint32_t word_count) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  if (word < word_count) set[word] |= more[word];
}

}  // namespace

void unite(Bits* set, const Bits* more, std::uint32_t word_count, cudaStream_t stream) {
  unite_kernel<<<blocks_of(word_count, kBlock), kBlock, 0, stream>>>(set, more, word_count);
  gpu::check_launch("unite");
}

/// The arrays, by any width of row offsets.
class DeviceBlock::Arrays {
 public:
  Arrays() = default;
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;
  virtual ~Arrays() = default;

  virtual void top_down(const Bits* row_frontier, Bits* column_visited, Bits* column_found,
                        Vertex* column_predecessors, std::uint32_t first_word,
                        std::uint32_t last_word, cudaStream_t stream) const = 0;
  virtual void bottom_up(const Bits* column_frontier, Bits* row_visited, Bits* row_found,
                         Vertex* row_predecessors, std::uint32_t first_word,
                         std::uint32_t last_word, cudaStream_t stream) const = 0;

  std::uint64_t graph_bytes = 0;
  std::uint64_t list_bytes = 0;
};

template <class RowOffset>
class DeviceBlock::ArraysOf final : public Arrays {
 public:
  ArraysOf(const bfs::Block& block, std::uint32_t threshold, std::string_view family,
           RunContext& context)
      : rows_(block.rows()),
        columns_(block.columns()),
        arc_count_(block.arc_count()),
        arc_bits_(bfs::hybrid_gpu::arc_bits_of(block, family)) {
    const std::uint32_t words = device_word_count(rows_.size());
    const std::uint64_t row_count = rows_.size();
    graph_bytes = (row_count + 1) * sizeof(RowOffset) + arc_count_ * sizeof(Vertex) +
                  std::uint64_t{words} * sizeof(Bits);
    list_bytes = (sizeof(Vertex) + sizeof(RowOffset)) * row_count;
    gpu::require_memory(graph_bytes + list_bytes, family);
    context.account("device graph", graph_bytes);
    context.account("device lists", list_bytes);

    row_offsets_ = gpu::DeviceArray<RowOffset>(row_count + 1);
    bfs::hybrid_gpu::upload_row_offsets(block, row_offsets_);
    heads_ = gpu::DeviceArray<Vertex>(arc_count_);
    heads_.upload(block.heads());
    high_degree_ = gpu::DeviceArray<Bits>(words);
    places_ = gpu::DeviceArray<unsigned long long>(1);
    listed_ = gpu::DeviceArray<Vertex>(row_count);
    arc_begins_ = gpu::DeviceArray<RowOffset>(row_count);
    most_blocks_ = 8 * static_cast<unsigned>(gpu::properties().multiProcessorCount);
    high_degree_kernel<<<blocks_of(row_count, kBlock), kBlock>>>(view(), high_degree_.data(),
                                                                 threshold);
    gpu::check_launch("high_degree");
    // The default stream must be done: a Stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void top_down(const Bits* row_frontier, Bits* column_visited, Bits* column_found,
                Vertex* column_predecessors, std::uint32_t first_word, std::uint32_t last_word,
                cudaStream_t stream) const override {
    View level = view();
    level.next_word_count = device_word_count(columns_.size());
    level.visited = column_visited;
    level.frontier = row_frontier;
    level.next = column_found;
    level.predecessors = column_predecessors;
    level.first_predecessor = rows_.begin;
    gpu::check(cudaMemsetAsync(places_.data(), 0, places_.bytes(), stream), "cudaMemsetAsync");
    const std::uint32_t words = std::max(last_word, level.next_word_count);
    list_kernel<<<blocks_of(words, kBlock), kBlock, 0, stream>>>(level, first_word, last_word);
    gpu::check_launch("list");
    const unsigned blocks = std::min(most_blocks_, blocks_of(arc_count_, kTileArcs));
    expand_and_contract_kernel<<<blocks, kBlock, 0, stream>>>(level);
    gpu::check_launch("expand_and_contract");
  }

  void bottom_up(const Bits* column_frontier, Bits* row_visited, Bits* row_found,
                 Vertex* row_predecessors, std::uint32_t first_word, std::uint32_t last_word,
                 cudaStream_t stream) const override {
    if (first_word >= last_word) return;
    View level = view();
    level.next_word_count = level.row_word_count;
    level.visited = row_visited;
    level.frontier = column_frontier;
    level.next = row_found;
    level.predecessors = row_predecessors;
    level.first_predecessor = columns_.begin;
    bottom_up_kernel<<<blocks_of(last_word - first_word, kTileWords), kTileWords, 0, stream>>>(
        level, first_word, last_word);
    gpu::check_launch("bottom_up");
  }

 private:
  using View = bfs::hybrid_gpu::LevelView<RowOffset, false>;

  /// The view without a level's own fields.
  View view() const {
    View view = {};
    view.row_count = rows_.size();
    view.row_word_count = device_word_count(rows_.size());
    view.row_offsets = row_offsets_.data();
    view.heads = heads_.data();
    view.high_degree = high_degree_.data();
    view.arc_bits = arc_bits_;
    view.places = places_.data();
    view.listed = listed_.data();
    view.arc_begins = arc_begins_.data();
    return view;
  }

  bfs::VertexRange rows_;
  bfs::VertexRange columns_;
  Offset arc_count_;
  unsigned arc_bits_;
  unsigned most_blocks_ = 1;  ///< that a device runs at once
  gpu::DeviceArray<RowOffset> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Bits> high_degree_;
  gpu::DeviceArray<unsigned long long> places_;
  gpu::DeviceArray<Vertex> listed_;
  gpu::DeviceArray<RowOffset> arc_begins_;
};

DeviceBlock::DeviceBlock(const bfs::Block& block, std::uint32_t threshold, std::string_view family,
                         RunContext& context) {
  if (bfs::fits_short_row_offsets(block.arc_count())) {
    arrays_ = std::make_unique<ArraysOf<std::uint32_t>>(block, threshold, family, context);
  } else {
    arrays_ = std::make_unique<ArraysOf<std::uint64_t>>(block, threshold, family, context);
  }
}

DeviceBlock::DeviceBlock(DeviceBlock&&) noexcept = default;
DeviceBlock& DeviceBlock::operator=(DeviceBlock&&) noexcept = default;
DeviceBlock::~DeviceBlock() = default;

void DeviceBlock::top_down(const Bits* row_frontier, Bits* column_visited, Bits* column_found,
                           Vertex* column_predecessors, std::uint32_t first_word,
                           std::uint32_t last_word, cudaStream_t stream) const {
  arrays_->top_down(row_frontier, column_visited, column_found, column_predecessors, first_word,
                    last_word, stream);
}

void DeviceBlock::bottom_up(const Bits* column_frontier, Bits* row_visited, Bits* row_found,
                            Vertex* row_predecessors, std::uint32_t first_word,
                            std::uint32_t last_word, cudaStream_t stream) const {
  arrays_->bottom_up(column_frontier, row_visited, row_found, row_predecessors, first_word,
                     last_word, stream);
}

std::uint64_t DeviceBlock::graph_bytes() const { return arrays_->graph_bytes; }
std::uint64_t DeviceBlock::list_bytes() const { return arrays_->list_bytes; }

}  // namespace bellmark::distributed_bfs
