// The result of a search of bfs/persistent: predecessors and levels as its kernels write them. The
// search, or a kernel of its own, turns them into the answer in the graph's ids.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/problems/bfs/by_degree.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/persistent_packed_tree.hpp"
#include "base/parallel.hpp"

namespace bellmark::bfs::persistent {

/// The place where a search writes each vertex that it visits, once: predecessor and level in one
/// sector, or the predecessor alone.
struct DeviceTree {
  Visit* visits;         ///< null where levels are left to extract()
  Vertex* predecessors;  ///< else null

  __device__ void set(Vertex vertex, Vertex predecessor, Level level) const {
    if (visits != nullptr) {
      visits[vertex] = {predecessor, level};
    } else {
      predecessors[vertex] = predecessor;
    }
  }
};

/// The answer in the graph's ids, a thread a vertex. `numbers` and `originals` are Numbering's;
/// `reached` says whether the vertex of a number was reached.
///
/// Cost model: a vertex's number and its answer take 12 bytes in order. A reached vertex takes its
/// visit, a sector anywhere, which for Kronecker scale 22 is in L2 (19 MB). It also takes its
/// predecessor's id, one of a few lines: hubs have the lowest numbers.
template <class Reached>
__global__ void __launch_bounds__(256)
    renumber_kernel(const Visit* visits, const Vertex* numbers, const Vertex* originals,
                    Reached reached, Vertex number_count, Vertex original_count, Vertex source,
                    Visit* answer) {
  const std::uint64_t id = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (id >= original_count) return;
  const Vertex number = numbers[id];
  Visit visit = {kNoVertex, kNoLevel};
  if (id == source) {
    visit.level = 0;
  } else if (number < number_count && reached(number)) {
    visit = visits[number];
    visit.predecessor = originals[visit.predecessor];
  }
  answer[id] = visit;
}

/// The host's side of a tree.
class Tree {
 public:
  /// `is_whole`: the search writes levels, and run() ends with the answer in the graph's ids. Else
  /// extract() makes both.
  explicit Tree(bool is_whole) : is_whole_(is_whole) {}

  /// Bytes of device memory that prepare() takes.
  std::uint64_t bytes(const Numbering& numbering) const {
    const std::uint64_t n = numbering.vertex_count();
    if (!is_whole_) return n * sizeof(Vertex);
    const std::uint64_t maps = numbering.numbers().size() * (sizeof(Vertex) + sizeof(Visit)) +
                               numbering.originals().size() * sizeof(Vertex);
    return n * sizeof(Visit) + maps;
  }

  /// Unvisited vertices are copied to the host too, and are cleared for that.
  void prepare(const Numbering& numbering) {
    number_count_ = numbering.vertex_count();
    if (!is_whole_) {
      predecessors_ = gpu::DeviceArray<Vertex>(number_count_);
      predecessors_.clear();
      return;
    }
    visits_ = gpu::DeviceArray<Visit>(number_count_);
    visits_.clear();
    if (numbering.numbers().empty()) return;
    numbers_ = gpu::upload(numbering.numbers());
    originals_ = gpu::upload(numbering.originals());
    answer_ = gpu::DeviceArray<Visit>(numbering.numbers().size());
  }

  DeviceTree device() const { return {visits_.data(), predecessors_.data()}; }

  /// Enqueues the answer in the graph's ids, where the search has others and is to end with it.
  template <class Reached>
  void renumber(Reached reached, Vertex source, cudaStream_t stream) const {
    if (answer_.size() == 0) return;
    constexpr unsigned kBlock = 256;
    const auto blocks = static_cast<unsigned>((answer_.size() + kBlock - 1) / kBlock);
    renumber_kernel<<<blocks, kBlock, 0, stream>>>(
        visits_.data(), numbers_.data(), originals_.data(), reached, number_count_,
        static_cast<Vertex>(answer_.size()), source, answer_.data());
    gpu::check_launch("renumber_kernel");
  }

  /// `reached` says on the host whether the vertex of a number was reached. O(n).
  template <class Reached>
  void extract(const Numbering& numbering, Vertex source, Reached reached,
               Bfs::Answer& answer) const {
    if (!is_whole_) {
      fill_answer(numbering, source, gpu::download(predecessors_), reached, answer);
      return;
    }
    const bool renumbered = answer_.size() > 0;
    const std::vector<Visit> visits = gpu::download(renumbered ? answer_ : visits_);
    answer.levels.resize(visits.size());
    answer.predecessors.resize(visits.size());
    in_parallel(visits.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
        const bool known = renumbered || reached(v);
        answer.levels[v] = known ? visits[v].level : kNoLevel;
        answer.predecessors[v] = known ? visits[v].predecessor : kNoVertex;
      }
    });
    answer.levels[source] = 0;
    answer.predecessors[source] = kNoVertex;
  }

 private:
  bool is_whole_;
  Vertex number_count_ = 0;
  gpu::DeviceArray<Visit> visits_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<Vertex> numbers_;
  gpu::DeviceArray<Vertex> originals_;
  gpu::DeviceArray<Visit> answer_;  ///< by the graph's ids
};

/// The host's side of an answer that the search's kernel gathers at its end, in the graph's ids,
/// from a tree by numbers.
class DirectAnswer {
 public:
  /// Bytes of device memory that prepare() takes.
  static std::uint64_t bytes(const Numbering& numbering) {
    return std::uint64_t{numbering.original_count()} * (sizeof(Visit) + 2 * sizeof(Vertex)) +
           numbering.vertex_count() * (sizeof(std::uint32_t) + sizeof(Level));
  }

  void prepare(const Numbering& numbering) {
    answer_ = gpu::DeviceArray<Visit>(numbering.original_count());
    std::vector<Vertex> same;
    if (numbering.originals().empty()) {
      same.resize(numbering.original_count());
      std::iota(same.begin(), same.end(), Vertex{0});
    }
    originals_ = same.empty() ? gpu::upload(numbering.originals()) : gpu::upload(same);
    numbers_ = same.empty() ? gpu::upload(numbering.numbers()) : gpu::upload(same);
    words_ = gpu::DeviceArray<std::uint32_t>(numbering.vertex_count());
    words_.clear();
    far_levels_ = gpu::DeviceArray<Level>(numbering.vertex_count());
    shift_ = PackedTree::shift_for(numbering.vertex_count());
  }

  Visit* answer() const { return answer_.data(); }
  const Vertex* originals() const { return originals_.data(); }
  const Vertex* numbers() const { return numbers_.data(); }
  PackedTree tree() const { return {words_.data(), far_levels_.data(), shift_}; }

  void extract(Bfs::Answer& answer) const {
    const std::vector<Visit> visits = gpu::download(answer_);
    answer.levels.resize(visits.size());
    answer.predecessors.resize(visits.size());
    in_parallel(visits.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t id = begin; id < end; ++id) {
        answer.levels[id] = visits[id].level;
        answer.predecessors[id] = visits[id].predecessor;
      }
    });
  }

 private:
  gpu::DeviceArray<Visit> answer_;
  gpu::DeviceArray<Vertex> originals_;
  gpu::DeviceArray<Vertex> numbers_;
  gpu::DeviceArray<std::uint32_t> words_;  ///< PackedTree's, by number
  gpu::DeviceArray<Level> far_levels_;
  unsigned shift_ = 0;
};

}  // namespace bellmark::bfs::persistent
