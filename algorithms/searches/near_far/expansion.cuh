// The labels of leaves and chains from those of the core, on the device.
//
// Cost model: one kernel and one pass. A vertex of a chain or a tree reads 20 bytes in order. It
// gathers one or two labels of the core, mostly from the L2 cache, and writes its own. A road
// network of a city takes a few microseconds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/searches/contracted/contracted_graph.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/near_far/graph.cuh"

namespace bellmark::near_far {

/// A vertex that hangs in a tree.
template <class Distance>
struct Hung {
  Vertex vertex;
  Vertex parent;
  Vertex root;               ///< of the core; not read where the root lies on a chain
  std::uint32_t root_index;  ///< of a root on a chain, its place there; else kNoIndex
  Distance down;             ///< from the root
};

/// A vertex on the way from a source up to its root.
template <class Distance>
struct Climbed {
  std::uint32_t first;  ///< its own place among those that hang
  std::uint32_t end;    ///< after the last that hangs below it
  Distance distance;    ///< from the source
  Vertex before;        ///< the vertex below it on the way; kNoHead at the source
};

inline constexpr std::uint32_t kNoIndex = std::numeric_limits<std::uint32_t>::max();

/// The place of a source that is not in the core. Its root is the vertex itself outside of trees.
template <class Distance>
struct Origin {
  /// For a root on a chain: the chain's places, and the root's.
  std::uint32_t chain_first = 0;
  std::uint32_t chain_end = 0;
  std::uint32_t root_index = 0;
  Distance root_distance = 0;
  Vertex root_predecessor = kNoHead;
  /// The places of the vertices that hang below the one climbed last.
  std::uint32_t tree_first = 0;
  std::uint32_t tree_end = 0;
  std::uint32_t climbed_count = 0;
  std::size_t climbed_first = 0;               ///< among those of all queries
  const Climbed<Distance>* climbed = nullptr;  ///< from the source up
};

template <class Distance>
struct Expanding {
  const contracted::Between* between;
  std::uint32_t between_count;
  const contracted::Chain* chains;
  std::uint32_t chain_count;
  const Hung<Distance>* hung;
  std::uint32_t hung_count;
  Origin<Distance> origin;
  Word* labels;
};

namespace detail {

struct Reached {
  std::uint64_t distance;
  Vertex predecessor;
};

template <class Distance>
__device__ std::uint64_t core_distance(const Expanding<Distance>& expanding, Vertex vertex) {
  return Label<Distance>::distance(expanding.labels[vertex]);
}

/// The shorter of the two ways along its chain. Where the source's root lies on the chain, the root
/// is an end of both parts. Lengths are positive, so that of equal ways either makes a tree of all.
template <class Distance>
__device__ Reached along_chain(const Expanding<Distance>& expanding, std::uint32_t i) {
  const Origin<Distance>& origin = expanding.origin;
  const contracted::Between own = expanding.between[i];
  std::uint64_t ahead;
  std::uint64_t behind;
  if (i >= origin.chain_first && i < origin.chain_end) {
    if (i == origin.root_index) return {origin.root_distance, origin.root_predecessor};
    const contracted::Between root = expanding.between[origin.root_index];
    const bool is_before = i < origin.root_index;
    ahead = is_before ? core_distance(expanding, own.tail) + own.from_tail
                      : std::uint64_t{origin.root_distance} + own.from_tail - root.from_tail;
    behind = is_before ? std::uint64_t{origin.root_distance} + own.from_head - root.from_head
                       : core_distance(expanding, own.head) + own.from_head;
  } else {
    const std::uint64_t tail = core_distance(expanding, own.tail);
    if (tail == Label<Distance>::kInfinite) return {tail, kNoHead};
    ahead = tail + own.from_tail;
    behind = core_distance(expanding, own.head) + own.from_head;
  }
  if (ahead <= behind) {
    return {ahead, own.is_first ? own.tail : expanding.between[i - 1].vertex};
  }
  return {behind, own.is_last ? own.head : expanding.between[i + 1].vertex};
}

template <class Distance>
__device__ Reached down_tree(const Expanding<Distance>& expanding, const Hung<Distance>& hung,
                             std::uint32_t i) {
  const Origin<Distance>& origin = expanding.origin;
  if (i >= origin.tree_first && i < origin.tree_end) {
    // The lowest climbed vertex that it hangs below: their places lie within each other.
    std::uint32_t low = 0;
    std::uint32_t high = origin.climbed_count - 1;
    while (low < high) {
      const std::uint32_t middle = (low + high) / 2;
      const bool inside = i >= origin.climbed[middle].first && i < origin.climbed[middle].end;
      if (inside) high = middle;
      if (!inside) low = middle + 1;
    }
    const Climbed<Distance> climbed = origin.climbed[low];
    if (i == climbed.first) return {climbed.distance, climbed.before};
    return {std::uint64_t{climbed.distance} + hung.down - expanding.hung[climbed.first].down,
            hung.parent};
  }
  const std::uint64_t root = hung.root_index == kNoIndex
                                 ? core_distance(expanding, hung.root)
                                 : along_chain(expanding, hung.root_index).distance;
  if (root == Label<Distance>::kInfinite) return {root, kNoHead};
  return {root + hung.down, hung.parent};
}

/// Where the core's search came over a chain, the chain's last vertex is the predecessor. Another
/// thread may replace the same predecessor by that of a chain of the same length.
inline __device__ void enter_by_chain(const Expanding<std::uint32_t>& expanding,
                                      const contracted::Chain& chain) {
  using L = Label<std::uint32_t>;
  const Word tail = expanding.labels[chain.tail];
  const Word head = expanding.labels[chain.head];
  const std::uint64_t tail_distance = L::distance(tail);
  const std::uint64_t head_distance = L::distance(head);
  if (static_cast<Vertex>(head) == chain.tail && tail_distance + chain.ahead == head_distance) {
    expanding.labels[chain.head] =
        L::make(L::distance(head), expanding.between[chain.end - 1].vertex);
  }
  if (static_cast<Vertex>(tail) == chain.head && head_distance + chain.behind == tail_distance) {
    expanding.labels[chain.tail] =
        L::make(L::distance(tail), expanding.between[chain.first].vertex);
  }
}

}  // namespace detail

/// A thread a vertex of a chain, a chain, and a vertex of a tree. The distances of the core are
/// final, and none of these waits for another.
template <class Distance>
__global__ void expansion_kernel(const Expanding<Distance> expanding) {
  using L = Label<Distance>;
  std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < expanding.between_count) {
    const detail::Reached reached = detail::along_chain(expanding, i);
    if (reached.distance == L::kInfinite) return;
    expanding.labels[expanding.between[i].vertex] =
        L::make(static_cast<Distance>(reached.distance), reached.predecessor);
    return;
  }
  i -= expanding.between_count;
  if (i < expanding.hung_count) {
    const Hung<Distance> hung = expanding.hung[i];
    const detail::Reached reached = detail::down_tree(expanding, hung, i);
    if (reached.distance == L::kInfinite) return;
    expanding.labels[hung.vertex] =
        L::make(static_cast<Distance>(reached.distance), reached.predecessor);
    return;
  }
  i -= expanding.hung_count;
  if constexpr (L::kHasPredecessor) {
    if (i < expanding.chain_count) detail::enter_by_chain(expanding, expanding.chains[i]);
  }
}

/// A graph without its leaves and chains, and their labels from a search of the rest.
template <class Distance>
class Expansion {
 public:
  /// Returns the core, which keeps the vertices' numbers. No chain is longer than `longest`.
  /// O(n + m).
  Graph prepare(const Graph& graph, std::uint32_t longest, RunContext& context) {
    graph_ = contracted::ContractedGraph(graph, longest);
    between_ = gpu::upload(graph_.between());
    chains_ = gpu::upload(graph_.chains());
    const auto hanging = graph_.hanging();
    std::vector<Hung<Distance>> hung(hanging.size());
    for (std::size_t i = 0; i < hung.size(); ++i) {
      const contracted::Hanging& own = hanging[i];
      hung[i] = {own.vertex, own.parent, own.parent, kNoIndex, own.down};
      if (graph_.hangs(own.parent)) {
        const Hung<Distance>& parent = hung[graph_.hanging_index(own.parent)];
        hung[i].root = parent.root;
        hung[i].root_index = parent.root_index;
        hung[i].down = parent.down + own.down;
      } else if (graph_.is_between(own.parent)) {
        hung[i].root_index = graph_.between_index(own.parent);
      }
    }
    hung_ = gpu::upload(hung);
    // The vertices that hang below a vertex stand directly after it.
    ends_.resize(hanging.size());
    for (std::size_t i = hanging.size(); i-- > 0;) {
      ends_[i] = std::max(ends_[i], static_cast<std::uint32_t>(i + 1));
      if (!graph_.hangs(hanging[i].parent)) continue;
      std::uint32_t& parent = ends_[graph_.hanging_index(hanging[i].parent)];
      parent = std::max(parent, ends_[i]);
    }
    context.account("device chains", between_.bytes() + chains_.bytes() + hung_.bytes());
    return graph_.core();
  }

  /// Forgets all sources.
  void begin() {
    origins_.clear();
    climbed_.clear();
  }

  /// The starts of the core's search from one more source. O(depth in its tree + log(chains)).
  Starts<Distance> add(Vertex source) {
    outlet_.find(graph_, source);
    Origin<Distance>& origin = origins_.emplace_back();
    add_climbed(origin);
    const contracted::End& root = outlet_.root();
    if (!outlet_.is_on_chain()) {
      return {{root.vertex, origin.root_predecessor, static_cast<Distance>(root.distance)}, {}};
    }
    const contracted::Chain& chain = graph_.chains()[outlet_.chain()];
    origin.chain_first = chain.first;
    origin.chain_end = chain.end;
    origin.root_index = outlet_.index();
    origin.root_distance = static_cast<Distance>(root.distance);
    const auto start = [&](std::size_t end, std::uint32_t neighbour) {
      return Start<Distance>{outlet_.ends()[end].vertex, graph_.between()[neighbour].vertex,
                             static_cast<Distance>(outlet_.ends()[end].distance)};
    };
    const Start<Distance> tail = start(0, chain.first);
    const Start<Distance> head = start(1, chain.end - 1);
    if (tail.vertex != head.vertex) return {tail, head};
    return {tail.distance <= head.distance ? tail : head, {}};
  }

  /// Enqueues the data of the sources that the device needs.
  void upload(cudaStream_t stream) {
    if (climbed_.empty()) return;
    if (device_climbed_.size() < climbed_.size()) {
      device_climbed_ = gpu::DeviceArray<Climbed<Distance>>(2 * climbed_.size());
    }
    gpu::check(cudaMemcpyAsync(device_climbed_.data(), climbed_.data(),
                               climbed_.size() * sizeof(Climbed<Distance>), cudaMemcpyHostToDevice,
                               stream),
               "cudaMemcpyAsync");
  }

  /// Enqueues the labels of all other vertices, for the source that was added as the `query`-th.
  void expand(std::size_t query, Word* labels, cudaStream_t stream) {
    Expanding<Distance> expanding{};
    expanding.between = between_.data();
    expanding.between_count = static_cast<std::uint32_t>(between_.size());
    expanding.chains = chains_.data();
    expanding.chain_count = static_cast<std::uint32_t>(chains_.size());
    expanding.hung = hung_.data();
    expanding.hung_count = static_cast<std::uint32_t>(hung_.size());
    expanding.origin = origins_[query];
    if (expanding.origin.climbed_count > 0) {
      expanding.origin.climbed = device_climbed_.data() + expanding.origin.climbed_first;
    }
    expanding.labels = labels;
    constexpr std::uint32_t kThreads = 256;
    const std::uint32_t work =
        expanding.between_count + expanding.hung_count + expanding.chain_count;
    if (work == 0) return;
    expansion_kernel<<<(work + kThreads - 1) / kThreads, kThreads, 0, stream>>>(expanding);
    gpu::check_launch("expansion_kernel");
  }

 private:
  void add_climbed(Origin<Distance>& origin) {
    const auto climbed = outlet_.climbed();
    if (climbed.empty()) return;
    origin.climbed_first = climbed_.size();
    origin.climbed_count = static_cast<std::uint32_t>(climbed.size());
    origin.root_predecessor = climbed.back().vertex;
    Vertex before = kNoHead;
    for (const contracted::End& one : climbed) {
      const std::uint32_t first = graph_.hanging_index(one.vertex);
      climbed_.push_back({first, ends_[first], static_cast<Distance>(one.distance), before});
      before = one.vertex;
    }
    origin.tree_first = climbed_.back().first;
    origin.tree_end = climbed_.back().end;
  }

  contracted::ContractedGraph graph_;
  contracted::Outlet<contracted::Way::from> outlet_;
  std::vector<std::uint32_t> ends_;  ///< by place among those that hang
  gpu::DeviceArray<contracted::Between> between_;
  gpu::DeviceArray<contracted::Chain> chains_;
  gpu::DeviceArray<Hung<Distance>> hung_;
  std::vector<Origin<Distance>> origins_;   ///< by query
  std::vector<Climbed<Distance>> climbed_;  ///< of all queries
  gpu::DeviceArray<Climbed<Distance>> device_climbed_;
};

}  // namespace bellmark::near_far
