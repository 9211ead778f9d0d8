// The data of the kernels of Hybrid-BFS on a GPU (hiragushi2013, section 3), for host and device.
// hybrid_gpu_kernels.cuh has the kernels, hybrid_gpu_device.cuh the part of them that kernels of
// other files use, device_levels.cuh the class that launches them.
//
// Sets of vertices are bitmaps, 32 vertices a word, which are a warp's lanes. 8 million vertices
// take 1 MiB, so that the bits tested for each arc stay in the L2 cache.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "algorithms/problems/bfs/problem.hpp"

namespace bellmark::bfs::hybrid_gpu {

inline constexpr unsigned kBlock = 256;
/// Bottom-up: threads of a block, each of which owns a word of the result.
inline constexpr unsigned kTileWords = 128;
/// Top-down: arcs that a block expands.
inline constexpr unsigned kTileArcs = 1024;
/// Arcs between the two phases: 8 bytes each, 32 MiB, written and read within the L2 cache (50 MB
/// on an H200). A level with more of them goes through both phases again and again.
inline constexpr unsigned kQueueArcs = 1u << 22;

/// Part of a bitmap: vertex v is bit v % 32 of word v / 32.
using Bits = std::uint32_t;
inline constexpr unsigned kWordBits = 32;

/// The number of vertices reached so far, and of the arcs that leave them.
struct Counts {
  unsigned long long vertex_count;
  unsigned long long arc_count;
};

/// The data that the kernels of a level read and write. Top-down the frontier is of rows, and
/// `visited`, `next` and `predecessors` of columns; bottom-up it is the other way round. kCounts:
/// the matrix is its own mirror, so that rows and columns are the same vertices and have their arcs
/// counted.
template <class RowOffset, bool kCounts = true>
struct LevelView {
  Vertex row_count;
  std::uint32_t row_word_count;   ///< of a bitmap of rows
  std::uint32_t next_word_count;  ///< of `next`
  const RowOffset* row_offsets;
  const Vertex* heads;
  const Bits* high_degree;  ///< rows for a whole warp
  Bits* visited;            ///< bits beyond the last vertex are set
  const Bits* frontier;
  Bits* next;
  Vertex* predecessors;      ///< of visited vertices; others are an earlier search's
  Vertex first_predecessor;  ///< the name of the frontier's vertex 0 as a predecessor
  Counts* counts;            ///< null unless kCounts
  Level* levels;             ///< of visited vertices; null where nobody wants them, or not kCounts
  Level found_level;         ///< of the vertices that the level finds

  // Top-down.
  unsigned arc_bits;           ///< that count all arcs, in `places`
  unsigned long long* places;  ///< taken in the list: vertices << arc_bits | their arcs
  Vertex* listed;              ///< rows of the frontier that have arcs, ascending in `arc_begins`
  RowOffset* arc_begins;       ///< arcs of those listed before
  uint2* queue;                ///< arcs of the frontier as {head, tail}
};

/// The number of blocks for so many threads. It is one at least, since a launch of none is an
/// error.
inline unsigned blocks_of(std::uint64_t threads, unsigned block) {
  return static_cast<unsigned>(std::max<std::uint64_t>(1, (threads + block - 1) / block));
}
}  // namespace bellmark::bfs::hybrid_gpu
