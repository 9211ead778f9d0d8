#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <string>

#include "algorithms/searches/bfs/device_levels.cuh"
#include "algorithms/searches/bfs/hybrid_gpu_kernels.cuh"
#include "base/error.hpp"

namespace bellmark::bfs::hybrid_gpu {

template <class RowOffset>
void upload_row_offsets(const Block& block, const gpu::DeviceArray<RowOffset>& row_offsets) {
  constexpr std::size_t kPiece = std::size_t{1} << 22;
  const std::span<const Offset> offsets = block.row_offsets();
  std::vector<RowOffset> piece;
  for (std::size_t begin = 0; begin < offsets.size(); begin += kPiece) {
    const std::size_t end = std::min(offsets.size(), begin + kPiece);
    piece.clear();
    for (std::size_t i = begin; i < end; ++i) piece.push_back(static_cast<RowOffset>(offsets[i]));
    gpu::check(cudaMemcpy(row_offsets.data() + begin, piece.data(),
                          piece.size() * sizeof(RowOffset), cudaMemcpyHostToDevice),
               "cudaMemcpy");
  }
}

unsigned arc_bits_of(const Block& block, std::string_view family) {
  const Vertex n = block.rows().size();
  const auto arc_bits = static_cast<unsigned>(std::bit_width(block.arc_count()));
  if (static_cast<unsigned>(std::bit_width(n)) + arc_bits > 64) {
    throw UnmetError(family,
                     std::to_string(n) + " vertices and " + std::to_string(block.arc_count()) +
                         " arcs are more than its lists count in 64 bits together",
                     "use a search on CPU threads");
  }
  return arc_bits;
}

template <class RowOffset>
void DeviceLevels<RowOffset>::prepare(const Block& block, std::uint32_t threshold,
                                      bool writes_levels, std::uint64_t more_bytes,
                                      std::string_view family, RunContext& context) {
  const Vertex n = block.rows().size();
  const Offset m = block.arc_count();
  const unsigned arc_bits = arc_bits_of(block, family);
  const auto words = static_cast<std::uint32_t>((std::uint64_t{n} + 63) / 64 * 2);
  const Offset queue_size = std::min<Offset>(m, kQueueArcs);
  const std::uint64_t graph_bytes = (std::uint64_t{n} + 1) * sizeof(RowOffset) + m * sizeof(Vertex);
  const std::uint64_t bitmap_bytes = 4 * sizeof(Bits) * std::uint64_t{words};
  const std::size_t level_count = writes_levels ? n : 0;
  const std::uint64_t vertex_bytes =
      sizeof(Vertex) * std::uint64_t{n} + sizeof(Level) * level_count;
  const std::uint64_t list_bytes =
      (sizeof(Vertex) + sizeof(RowOffset)) * std::uint64_t{n} + sizeof(uint2) * queue_size;
  gpu::require_memory(graph_bytes + bitmap_bytes + vertex_bytes + list_bytes + more_bytes, family);
  context.account("device graph", graph_bytes);
  context.account("device bitmaps", bitmap_bytes);
  context.account("device vertices", vertex_bytes);
  context.account("device lists", list_bytes);

  row_offsets_ = gpu::DeviceArray<RowOffset>(std::size_t{n} + 1);
  upload_row_offsets(block, row_offsets_);
  heads_ = gpu::DeviceArray<Vertex>(m);
  heads_.upload(block.heads());
  for (auto* bitmap : {&high_degree_, &visited_, &frontier_, &next_}) {
    *bitmap = gpu::DeviceArray<Bits>(words);
  }
  predecessors_ = gpu::DeviceArray<Vertex>(n);
  if (writes_levels) levels_ = gpu::DeviceArray<Level>(n);
  counts_ = gpu::DeviceArray<Counts>(1);
  places_ = gpu::DeviceArray<unsigned long long>(1);
  listed_ = gpu::DeviceArray<Vertex>(n);
  arc_begins_ = gpu::DeviceArray<RowOffset>(n);
  queue_ = gpu::DeviceArray<uint2>(queue_size);
  fetched_ = gpu::PinnedArray<Counts>(1);
  contract_blocks_ = 8 * static_cast<unsigned>(gpu::properties().multiProcessorCount);
  vertex_count_ = n;
  arc_bits_ = arc_bits;
  high_degree_kernel<<<blocks_of(n, kBlock), kBlock>>>(view(), high_degree_.data(), threshold);
  gpu::check_launch("high_degree");
}

template <class RowOffset>
void DeviceLevels<RowOffset>::begin(Vertex source, cudaStream_t stream) {
  found_level_ = 1;
  begin_kernel<<<blocks_of(word_count(), kBlock), kBlock, 0, stream>>>(view(), frontier_.data(),
                                                                       source);
  gpu::check_launch("begin");
}

template <class RowOffset>
void DeviceLevels<RowOffset>::top_down(std::uint32_t first_word, Offset arc_count,
                                       cudaStream_t stream) {
  gpu::check(cudaMemsetAsync(places_.data(), 0, places_.bytes(), stream), "cudaMemsetAsync");
  list_kernel<<<blocks_of(word_count(), kBlock), kBlock, 0, stream>>>(view(), first_word,
                                                                      word_count());
  gpu::check_launch("list");
  for (Offset begin = 0; begin < arc_count; begin += kQueueArcs) {
    const Offset size = std::min<Offset>(kQueueArcs, arc_count - begin);
    expand_kernel<<<blocks_of(size, kTileArcs), kBlock, 0, stream>>>(view(), begin);
    gpu::check_launch("expand");
    contract_kernel<<<std::min(contract_blocks_, blocks_of(size, kBlock)), kBlock, 0, stream>>>(
        view(), begin);
    gpu::check_launch("contract");
  }
}

template <class RowOffset>
void DeviceLevels<RowOffset>::bottom_up(std::uint32_t first_word, cudaStream_t stream) {
  bottom_up_kernel<<<blocks_of(word_count() - first_word, kTileWords), kTileWords, 0, stream>>>(
      view(), first_word, word_count());
  gpu::check_launch("bottom_up");
}

template <class RowOffset>
void DeviceLevels<RowOffset>::merge(const Bits* received, Bits* from_partner, std::uint32_t size,
                                    bool has_own, cudaStream_t stream) const {
  merge_kernel<<<blocks_of(size, kBlock), kBlock, 0, stream>>>(view(), received, from_partner, size,
                                                               has_own);
  gpu::check_launch("merge");
}

template <class RowOffset>
void DeviceLevels<RowOffset>::fetch_predecessors(const Bits* from_partner,
                                                 const Vertex* predecessors,
                                                 cudaStream_t stream) const {
  fetch_predecessors_kernel<<<blocks_of(vertex_count_, kBlock), kBlock, 0, stream>>>(
      view(), from_partner, predecessors);
  gpu::check_launch("fetch_predecessors");
}

template <class RowOffset>
void DeviceLevels<RowOffset>::fetch_counts(cudaStream_t stream) {
  gpu::check(cudaMemcpyAsync(fetched_.data(), counts_.data(), counts_.bytes(),
                             cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync");
}

template <class RowOffset>
void DeviceLevels<RowOffset>::extract(Bfs::Answer& answer) const {
  answer.predecessors.resize(predecessors_.size());
  answer.levels.resize(levels_.size());
  std::vector<Bits> visited(visited_.size());
  predecessors_.download(answer.predecessors);
  if (levels_.size() > 0) levels_.download(answer.levels);
  visited_.download(visited);
  for (Vertex v = 0; v < predecessors_.size(); ++v) {
    if ((visited[v / kWordBits] >> v % kWordBits & 1) != 0) continue;
    answer.predecessors[v] = kNoVertex;
    if (levels_.size() > 0) answer.levels[v] = kNoLevel;
  }
}

template <class RowOffset>
LevelView<RowOffset> DeviceLevels<RowOffset>::view() const {
  return {.row_count = vertex_count_,
          .row_word_count = word_count(),
          .next_word_count = word_count(),
          .row_offsets = row_offsets_.data(),
          .heads = heads_.data(),
          .high_degree = high_degree_.data(),
          .visited = visited_.data(),
          .frontier = frontier_.data(),
          .next = next_.data(),
          .predecessors = predecessors_.data(),
          .first_predecessor = 0,
          .counts = counts_.data(),
          .levels = levels_.data(),
          .found_level = found_level_,
          .arc_bits = arc_bits_,
          .places = places_.data(),
          .listed = listed_.data(),
          .arc_begins = arc_begins_.data(),
          .queue = queue_.data()};
}

template void upload_row_offsets(const Block&, const gpu::DeviceArray<std::uint32_t>&);
template void upload_row_offsets(const Block&, const gpu::DeviceArray<std::uint64_t>&);
template class DeviceLevels<std::uint32_t>;
template class DeviceLevels<std::uint64_t>;

}  // namespace bellmark::bfs::hybrid_gpu
