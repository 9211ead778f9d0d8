// The part of sssp/bellman-ford-gpu that needs no GPU: the values of its keys on a graph, refusals,
// and the matrix.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "algorithms/contract/settings.hpp"
#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark::bellman_ford_gpu {

inline constexpr const char* kName = "sssp/bellman-ford-gpu";

enum class Storage { csr, matrix };

/// One combination of the compile-time keys.
struct Options {
  Storage storage;
  bool shared;  ///< of the matrix only
  bool compaction;
  int distance;  ///< bits of a distance label
};

Description describe(const Options& options);

/// Stands for no arc in the matrix: no length is as low.
inline constexpr Length kNoArc = std::numeric_limits<Length>::min();
static_assert(kNoArc < kLeastLength);

/// Rows of the matrix are filled up to a multiple of this many columns. A warp reads that many at
/// once, 16 bytes a lane.
inline constexpr Vertex kColumnsAtOnce = 128;

/// Columns of a row of the matrix, the filling included.
constexpr std::uint64_t matrix_pitch(Vertex vertex_count) {
  return (std::uint64_t{vertex_count} + kColumnsAtOnce - 1) / kColumnsAtOnce * kColumnsAtOnce;
}

/// Bytes of the matrix: 405 MB for 10,000 vertices, of which the filling is 1 %.
constexpr std::uint64_t matrix_bytes(Vertex vertex_count) {
  return std::uint64_t{vertex_count} * matrix_pitch(vertex_count) * sizeof(Length);
}

/// Turns `distance=auto` into the bits that hold every label. Within n rounds none is further from
/// 0 than n times the longest length, and bellman_ford::resolve_distance() goes by that. Throws
/// InputError, with the figure, when the bits asked for don't hold that. Throws it too when
/// `transfer=streamed` has nothing to overlap: storage=csr, or a copy that is not in the time.
Settings resolve(const Settings& settings, const Graph& graph);

/// Throws UnmetError, with the figures, when the matrix does not fit pinned memory: more than half
/// of the host's. (The device tells whether the matrix fits it.)
void require_pinnable(Vertex vertex_count, std::uint64_t host_bytes);

/// Bytes of the host's physical memory.
std::uint64_t host_memory_bytes();

/// The transposed matrix of lengths, row after row: the entry of row v and column u is the length
/// of the shortest arc from u to v, or kNoArc. `matrix` has matrix_bytes(n) bytes. O(n^2 + m).
void fill_matrix(const Graph& graph, std::span<Length> matrix);

}  // namespace bellmark::bellman_ford_gpu
