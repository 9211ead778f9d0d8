// A graph as the near-far kernels read it, and the words that hold its answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "graph/graph.hpp"

namespace bellmark::near_far {

using Word = unsigned long long;

/// The label of a vertex, in one 64-bit word that atomicMin can lower.
///   32-bit distances: distance << 32 | predecessor. Where every length is positive, the least word
///     ever written names a tight arc, and tight arcs form a tree: no further pass is needed.
///   64-bit distances: the distance alone; predecessors are found when all distances are final.
template <class Distance>
struct Label;

template <>
struct Label<std::uint32_t> {
  static constexpr bool kHasPredecessor = true;
  static constexpr std::uint32_t kInfinite = std::numeric_limits<std::uint32_t>::max();
  __host__ __device__ static Word make(std::uint32_t distance, Vertex predecessor) {
    return Word{distance} << 32 | predecessor;
  }
  __host__ __device__ static std::uint32_t distance(Word word) {
    return static_cast<std::uint32_t>(word >> 32);
  }
};

template <>
struct Label<std::uint64_t> {
  static constexpr bool kHasPredecessor = false;
  static constexpr std::uint64_t kInfinite = std::numeric_limits<std::uint64_t>::max();
  __host__ __device__ static Word make(std::uint64_t distance, Vertex) { return distance; }
  __host__ __device__ static std::uint64_t distance(Word word) { return word; }
};

/// The count of a length towards a distance. On a graph with arcs of length 0, 64-bit distances
/// count length * scale + 1. So ties are broken by the number of arcs, and tight arcs can't form a
/// cycle.
struct Measure {
  std::uint64_t scale = 1;
  std::uint64_t step = 0;

  template <class Distance>
  __device__ Distance length(std::uint32_t length) const {
    if constexpr (Label<Distance>::kHasPredecessor) {
      return length;
    } else {
      return length * scale + step;
    }
  }
};

inline constexpr std::uint32_t kNoHead = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint32_t kLink =
    kNoHead - 1;  ///< last slot: its length is an index into `rest`

/// A vertex where a search starts, with its first label.
template <class Distance>
struct Start {
  Vertex vertex = kNoHead;  ///< kNoHead: none
  Vertex predecessor = kNoHead;
  Distance distance = 0;
};

/// The starts of one query. A search from within a chain starts from both of its ends.
template <class Distance>
struct Starts {
  Start<Distance> first;
  Start<Distance> second;
};

/// The threshold of the first bucket. No start lies beyond it: such a start would be in no pile.
template <class Distance>
__device__ Distance first_threshold(const Starts<Distance>& starts, Distance delta) {
  return delta + max(starts.first.distance, starts.second.distance);
}

/// Rows with the same number of slots, so that a vertex's arcs come with one access and each slot
/// has a lane. A longer row ends in a link to its rest, which one lane walks alone.
struct ShortRows {
  std::vector<uint2> slots;  ///< `row_slots` a vertex: {head, length}
  std::vector<uint2> rest;   ///< runs of {head, length}, each ended by kNoHead

  ShortRows(const Graph& graph, unsigned row_slots)
      : slots(std::size_t{row_slots} * graph.vertex_count()) {
    std::ranges::fill(slots, uint2{kNoHead, 0});
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      const Offset begin = graph.row_offsets()[v];
      const Offset end = graph.row_offsets()[v + 1];
      const bool fits = end - begin <= row_slots;
      const Offset inside = fits ? end : begin + row_slots - 1;
      uint2* row = &slots[std::size_t{row_slots} * v];
      for (Offset e = begin; e < inside; ++e) *row++ = arc(graph, e);
      if (fits) continue;
      *row = {kLink, static_cast<std::uint32_t>(rest.size())};
      for (Offset e = inside; e < end; ++e) rest.push_back(arc(graph, e));
      rest.push_back({kNoHead, 0});
    }
  }

  static uint2 arc(const Graph& graph, Offset e) {
    return {graph.heads()[e], static_cast<std::uint32_t>(graph.length(e))};
  }
};

}  // namespace bellmark::near_far
