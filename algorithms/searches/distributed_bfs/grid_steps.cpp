#include "algorithms/searches/distributed_bfs/grid_steps.hpp"

#include <string>

#include "algorithms/searches/distributed_bfs/search.hpp"

namespace bellmark::distributed_bfs {
namespace {

// Formulas are over all ranks and levels. GridSearch says, in bitmaps of all vertices, how much a
// level sends.

/// 4 bytes a vertex, where the pieces of columns move to rows.
constexpr const char* kMovedBytes = "4 * vertex_count * (1 - kept) * (phase_count > bottom_up)";

/// At most: a vertex that its owner has found itself is not asked for. The fewer ranks share a
/// part, the more such vertices there are.
Step asked_for_step() {
  const std::string moved = std::string(" + ") + kMovedBytes;
  const std::string bytes =
      "16 * ranks * givers"
      " + 8 * frontier_count * (1 - 1 / max(1 + (rows - 1) * (phase_count > bottom_up), "
      "1 + (columns - 1) * (bottom_up > 0)))" +
      moved;
  return {"predecessors",
          bytes,
          {{kMessages, "ranks * (4 * givers + (1 - kept) * (phase_count > bottom_up))"},
           {kMessageBytes, bytes},
           {kVertices, "vertex_count"}}};
}

Step all_at_once_step() {
  const std::string bytes = std::string("4 * vertex_count * givers + ") + kMovedBytes;
  return {"predecessors",
          bytes,
          {{kMessages, "ranks * (givers + (1 - kept) * (phase_count > bottom_up))"},
           {kMessageBytes, bytes},
           {kVertices, "vertex_count"}}};
}

}  // namespace

Growth grid_growth() {
  return {
      {"columns", "middle_divisor(ranks)"},
      {"rows", "ranks / columns"},
      {"bitmap", "8 * ceil(vertex_count / 64)"},
      // The share of pieces whose places in the row and in the column are one rank's. Rank r C + c
      // is at the place of piece c R + r too, the same where r (C - 1) = c (R - 1).
      {"kept", "(gcd(rows - 1, columns - 1) + 1) / ranks"},
      // Members of a column, where a level went top-down, and of a row, where one went bottom-up.
      {"givers", "(rows - 1) * (phase_count > bottom_up) + (columns - 1) * (bottom_up > 0)"}};
}

std::vector<Step> grid_steps(Predecessors predecessors, bool copies) {
  const std::string expanded = "((columns - 1) * phase_count + (rows - 1) * bottom_up)";
  const std::string folded = "((rows - 1) * (phase_count - bottom_up) + (columns - 1) * bottom_up)";
  const std::string transposed = "phase_count * (1 - kept)";
  const std::string sides = "phase_count * ranks * bitmap * (1 / rows + 1 / columns)";
  std::vector<Step> steps = {
      plan_step(),
      {"expand",
       expanded + " * bitmap",
       // Alone in its row or column a rank calls nobody.
       {{kCalls, "ranks * ((columns > 1) * phase_count + (rows > 1) * bottom_up)"},
        {kMessages, "ranks * " + expanded},
        {kMessageBytes, expanded + " * bitmap"}}},
      {"search", "", {{kArcs, "arc_count"}, {kBitmapBytes, sides}}},
      {"fold",
       folded + " * bitmap",
       {{kCalls, "ranks * ((rows > 1) * (phase_count - bottom_up) + (columns > 1) * bottom_up)"},
        {kMessages, "ranks * " + folded},
        {kMessageBytes, folded + " * bitmap"}}},
      {"transpose",
       transposed + " * bitmap",
       {{kMessages, "ranks * " + transposed}, {kMessageBytes, transposed + " * bitmap"}}},
      predecessors == Predecessors::asked_for ? asked_for_step() : all_at_once_step()};
  if (copies) {
    // A frontier to the GPU on each side that is expanded, its finds from it, and predecessors in
    // the end.
    steps.push_back({"copy",
                     "",
                     {{kVertices, "frontier_count"},
                      {kBitmapBytes,
                       "ranks * bitmap * (phase_count * (1 / rows + 1 / columns) + "
                       "bottom_up / rows + (phase_count > bottom_up) / columns + "
                       "(bottom_up > 0) / rows)"}}});
  }
  return steps;
}

}  // namespace bellmark::distributed_bfs
