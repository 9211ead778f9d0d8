// The tree of bfs/persistent in a word a vertex. Host code, too, so that it is tested everywhere.
#pragma once

#include <bit>
#include <cstdint>

#include "algorithms/gpu/host_device.hpp"
#include "algorithms/problems/bfs/levels.hpp"

namespace bellmark::bfs::persistent {

/// The place where a search that gathers its answer writes each vertex that it visits, once. A word
/// has the predecessor in its lower bits, and the level in the others. A level that has no room
/// there is in a list of its own. So a search of few levels moves 4 bytes a vertex, not 8.
struct PackedTree {
  static constexpr std::uint32_t kUnreached = ~std::uint32_t{0};

  std::uint32_t* words;
  Level* far_levels;
  unsigned shift;  ///< the bits of a predecessor: shift_for() the vertices

  /// Whether a word has room for a predecessor and a bit of the level.
  static bool fits(Vertex vertex_count) { return vertex_count < Vertex{1} << 31; }
  /// Predecessors are below 2^shift - 1, which stands for none.
  static unsigned shift_for(Vertex vertex_count) {
    return static_cast<unsigned>(std::bit_width(vertex_count));
  }

  BELLMARK_HOST_DEVICE std::uint32_t no_predecessor() const { return (1u << shift) - 1; }
  /// This level and those above are in far_levels.
  BELLMARK_HOST_DEVICE std::uint32_t most_level() const { return kUnreached >> shift; }

  /// `predecessor`: no_predecessor() at level 0.
  BELLMARK_HOST_DEVICE void set(Vertex vertex, Vertex predecessor, Level level) const {
    const std::uint32_t most = most_level();
    words[vertex] = predecessor | (level < most ? level : most) << shift;
    if (level >= most) far_levels[vertex] = level;
  }
  /// `word`: the vertex's.
  BELLMARK_HOST_DEVICE Visit visit(Vertex vertex, std::uint32_t word) const {
    if (word == kUnreached) return {kNoVertex, kNoLevel};
    const std::uint32_t predecessor = word & no_predecessor();
    const Level level = word >> shift;
    return {predecessor == no_predecessor() ? kNoVertex : predecessor,
            level == most_level() ? far_levels[vertex] : level};
  }
};

}  // namespace bellmark::bfs::persistent
