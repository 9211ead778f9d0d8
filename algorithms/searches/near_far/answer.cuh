// From labels on the device to predecessors, and to the canonical answer on the host.
#pragma once

#include <vector>

#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/near_far/graph.cuh"

namespace bellmark::near_far {

/// The measure of lengths on this graph. 64-bit distances break ties by the number of arcs where
/// lengths of 0 occur. Throws UnmetError when that could overflow.
template <class Distance>
Measure measure_of(const Graph& graph) {
  if (Label<Distance>::kHasPredecessor) return {};
  if (graph.arc_count() == 0 || graph.properties().least_length > 0) return {};
  const std::uint64_t scale = std::uint64_t{graph.vertex_count()} + 1;
  const std::uint64_t bound = distance_bound(graph).value;
  if (bound > (std::numeric_limits<std::uint64_t>::max() - scale) / scale) {
    throw UnmetError("sssp/near-far",
                     "arcs of length 0 and distances up to " + std::to_string(bound) +
                         " don't fit 64 bits together with a count of arcs",
                     "use sssp/dijkstra or sssp/harish");
  }
  return {scale, 1};
}

/// 64-bit labels: any tight arc gives the predecessor, because every measured length is positive.
/// One thread a vertex; two that find different tight arcs may both write.
static __global__ void predecessor_kernel(const std::uint64_t* row_offsets, const Vertex* heads,
                                          const Length* lengths, Vertex vertex_count,
                                          Measure measure, const Word* labels,
                                          Vertex* predecessors) {
  const std::uint32_t tail = blockIdx.x * blockDim.x + threadIdx.x;
  if (tail >= vertex_count || labels[tail] == ~Word{0}) return;
  for (std::uint64_t e = row_offsets[tail]; e < row_offsets[tail + 1]; ++e) {
    const auto length = lengths == nullptr ? 1u : static_cast<std::uint32_t>(lengths[e]);
    if (labels[tail] + measure.length<std::uint64_t>(length) == labels[heads[e]]) {
      predecessors[heads[e]] = tail;
    }
  }
}

/// Finds predecessors of 64-bit labels; nothing to do for 32-bit ones, which hold them.
template <class Distance>
class Predecessors {
 public:
  void prepare(const Graph& graph, Measure measure, std::size_t query_count, RunContext& context) {
    measure_ = measure;
    vertex_count_ = graph.vertex_count();
    if (Label<Distance>::kHasPredecessor) return;
    row_offsets_ = gpu::DeviceArray<std::uint64_t>(graph.row_offsets().size());
    row_offsets_.upload(graph.row_offsets());
    heads_ = gpu::DeviceArray<Vertex>(graph.heads().size());
    heads_.upload(graph.heads());
    if (!graph.lengths().empty()) {
      lengths_ = gpu::DeviceArray<Length>(graph.lengths().size());
      lengths_.upload(graph.lengths());
    }
    predecessors_ = gpu::DeviceArray<Vertex>(std::size_t{vertex_count_} * query_count);
    context.account("device predecessors", row_offsets_.bytes() + heads_.bytes() +
                                               lengths_.bytes() + predecessors_.bytes());
  }

  void find(const Word* labels, std::size_t query, cudaStream_t stream) {
    if (Label<Distance>::kHasPredecessor || vertex_count_ == 0) return;
    Vertex* const found = predecessors_.data() + query * vertex_count_;
    gpu::check(cudaMemsetAsync(found, 0xff, vertex_count_ * sizeof(Vertex), stream),
               "cudaMemsetAsync");
    constexpr unsigned kThreads = 256;
    predecessor_kernel<<<(vertex_count_ + kThreads - 1) / kThreads, kThreads, 0, stream>>>(
        row_offsets_.data(), heads_.data(), lengths_.size() == 0 ? nullptr : lengths_.data(),
        vertex_count_, measure_, labels, found);
    gpu::check_launch("predecessor_kernel");
  }

  /// Copies the answer to query `query`, whose labels begin at `labels`, to the host.
  void extract(const Word* labels, std::size_t query, Sssp::Answer& answer) const {
    const std::size_t n = vertex_count_;
    std::vector<Word> words(n);
    gpu::check(cudaMemcpy(words.data(), labels, n * sizeof(Word), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    answer.distances.resize(n);
    answer.predecessors.resize(n);
    if (!Label<Distance>::kHasPredecessor) {
      gpu::check(cudaMemcpy(answer.predecessors.data(), predecessors_.data() + query * n,
                            n * sizeof(Vertex), cudaMemcpyDeviceToHost),
                 "cudaMemcpy");
    }
    for (std::size_t v = 0; v < n; ++v) {
      const Distance distance = Label<Distance>::distance(words[v]);
      const bool reached = distance != Label<Distance>::kInfinite;
      answer.distances[v] =
          reached ? static_cast<bellmark::Distance>(distance / measure_.scale) : kUnreached;
      if (Label<Distance>::kHasPredecessor) answer.predecessors[v] = static_cast<Vertex>(words[v]);
    }
  }

 private:
  Measure measure_;
  Vertex vertex_count_ = 0;
  gpu::DeviceArray<std::uint64_t> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Length> lengths_;
  gpu::DeviceArray<Vertex> predecessors_;
};

}  // namespace bellmark::near_far
