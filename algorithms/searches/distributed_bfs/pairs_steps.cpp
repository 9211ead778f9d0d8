#include "algorithms/searches/distributed_bfs/pairs_steps.hpp"

#include <string>

#include "algorithms/searches/distributed_bfs/search.hpp"

namespace bellmark::distributed_bfs {

Growth pairs_growth() {
  return {{"takes", "log2(ranks) % 2 == 1"},
          {"rows", "sqrt(2 * ranks)"},
          {"bitmap", "8 * ceil(vertex_count / 64)"}};
}

// Formulas are over all ranks and levels; `rows` is B. A message of an exchange of bitmaps is a
// piece: bitmap / (2 P).
std::vector<Step> pairs_steps(const SearchOptions& options, bool copies) {
  // A rank's two exchanges, or all B of them where they wait for each other.
  const std::string turns = options.by_group ? "rows" : "2";
  const std::string spread = "phase_count * " + turns + " * (rows - 1)";
  // With overlap groups deal without waiting for each other.
  const std::string deal = options.overlap ? "phase_count * 2 * (rows - 1)" : spread;
  const std::string assigned = "(" + deal + " + " + spread + ")";
  // At most: a vertex that its owner has found itself is not sent.
  const std::string given = "frontier_count * (1 - 1 / rows)";
  const std::string sides = "phase_count * ranks * bitmap * 2 / rows";
  std::vector<Step> steps = {
      plan_step(),
      {"enumerate", "", {{kArcs, "arc_count"}, {kBitmapBytes, sides}}},
      {"assign",
       "phase_count * 2 * (rows - 1) * bitmap",
       {{kPieces, "ranks * " + assigned}, {kMessageBytes, assigned + " * bitmap / 2"}}},
      {"all_gather",
       "phase_count * (rows - 1) * bitmap",
       {{kPieces, "ranks * " + spread}, {kMessageBytes, spread + " * bitmap / 2"}}},
      {"extract", "", {{kVertices, given}, {kBitmapBytes, sides}}},
      // At most: a pair of ranks may have nothing for each other in a level.
      {"exchange",
       "4 * " + given,
       {{kMessages, "ranks * " + spread}, {kMessageBytes, "2 * " + given + " * " + turns}}},
      {"write", "", {{kVertices, "frontier_count"}}}};
  if (copies) {
    // The frontiers and the chosen vertices to the GPU, and its finds from it.
    steps.push_back({"copy", "", {{kVertices, "frontier_count"}, {kBitmapBytes, "3 * " + sides}}});
  }
  return steps;
}

}  // namespace bellmark::distributed_bfs
