// The counts of distributed-bfs/persistent in its steps: a barrier that tells every rank of the
// last level, reads of others' finds, and a search of the block (persistent_device.cuh).
#pragma once

#include <vector>

#include "algorithms/searches/distributed_bfs/step_log.hpp"

namespace bellmark::distributed_bfs::persistent {

enum PersistentStep : std::size_t { kExchange, kGather, kSearch, kStepCount };

/// `whole_rows`: a rank has whole rows of the matrix.
inline Growth growth(bool whole_rows, std::size_t most_ranks) {
  return {{"most_ranks", std::to_string(most_ranks)},
          {"columns", whole_rows ? "1" : "middle_divisor(ranks)"},
          {"rows", "ranks / columns"},
          // Of the vertices that have arcs: nearly those that are reached, in a graph of one large
          // component.
          {"bitmap", "frontier_count / 8"},
          // A level after one that went bottom-up reads bitmaps. After one top-down it reads lists,
          // and no sum over levels tells their lengths. All lists of a search count as one level's
          // bitmaps. For searches that never go bottom-up none is counted.
          {"bitmap_levels", "(bottom_up + 1) * (bottom_up > 0)"},
          // The ranks of a rank's row and column, but itself. As many ranks as there are rows have
          // their own piece in the column too.
          {"pieces", "ranks * (rows + columns - 1) - rows"}};
}

inline std::vector<Step> steps() {
  const std::string exchanged = "ranks * (ranks - 1) * phase_count";
  const std::string gathered = "bitmap_levels * pieces * bitmap / ranks";
  return {
      {"exchange",
       "32 * " + exchanged,
       // The first barrier is timed from the search's beginning. It holds the clearing of bits,
       // which one rank has too. Where there are several ranks, it holds links that wake and ranks
       // that start later.
       {{kStarts, "ranks * (ranks > 1)"}, {kMessages, exchanged}}},
      {"gather",
       gathered,
       {{kCalls, "ranks * phase_count * (ranks > 1)"}, {kMessageBytes, gathered}}},
      // Bottom-up looks through the bitmap of the block's rows. Bits of its columns are read one by
      // one, as arcs lead there. No count covers the extra cost when they don't fit into a cache.
      {"search", "", {{kArcs, "arc_count"}, {kBitmapBytes, "ranks * bottom_up * bitmap / rows"}}}};
}

}  // namespace bellmark::distributed_bfs::persistent
