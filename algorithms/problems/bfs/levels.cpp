#include "algorithms/problems/bfs/levels.hpp"

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/parallel.hpp"

namespace bellmark::bfs {

/// Threads may walk the same way at once and then write the same. After its walk a thread finds
/// every vertex of its way known. So none takes more than O(n) steps, the same number as it would
/// alone. Most walks are one step: the predecessor's level, a line at random.
std::vector<Level> levels_of(std::span<const Vertex> predecessors, Vertex source) {
  constexpr Level kUnknown = kNoLevel - 1;  // a level of a path through 2^32 - 1 vertices only
  std::vector<Level> levels(predecessors.size(), kUnknown);
  levels[source] = 0;
  in_parallel(levels.size(), [&](std::uint64_t begin, std::uint64_t end) {
    // Copies stay in registers beside atomic operations.
    const std::size_t n = predecessors.size();
    const Vertex* const above = predecessors.data();
    Level* const all = levels.data();
    const auto level_of = [=](Vertex v) {
      return v < n ? std::atomic_ref(all[v]).load(std::memory_order_relaxed) : kNoLevel;
    };
    const auto set_level = [=](Vertex v, Level level) {
      std::atomic_ref(all[v]).store(level, std::memory_order_relaxed);
    };
    const auto below = [](Level level, Level steps) {
      return level == kNoLevel ? kNoLevel : level + steps;
    };
    for (auto start = static_cast<Vertex>(begin); start < end; ++start) {
      if (level_of(start) != kUnknown) continue;
      Vertex v = above[start];
      Level level = level_of(v);
      if (level != kUnknown) {
        set_level(start, below(level, 1));
        continue;
      }
      Vertex mark = start;  // a walk that comes back to it is on a cycle (Brent, BIT 1980)
      Level steps = 1;
      while (level == kUnknown) {
        if (v == mark) {
          level = kNoLevel;
          break;
        }
        if (std::has_single_bit(steps)) mark = v;
        v = above[v];
        ++steps;
        level = level_of(v);
      }
      for (v = start; steps > 0; --steps) {
        set_level(v, below(level, steps));
        v = above[v];
      }
    }
  });
  return levels;
}

}  // namespace bellmark::bfs
