#include "algorithms/searches/bfs/options.hpp"

namespace bellmark::bfs {

std::string to_string(Direction direction) {
  switch (direction) {
    case Direction::hybrid:
      return "hybrid";
    case Direction::top_down:
      return "top-down";
    case Direction::bottom_up:
      return "bottom-up";
  }
  return {};
}

Key direction_key() {
  return word_key("direction", "hybrid", {"hybrid", "top-down", "bottom-up"},
                  "Direction of the levels. hybrid: alpha and beta decide it level by level");
}

Key alpha_key(std::int64_t default_value) {
  return at_run_time(
      integer_key(
          "alpha", default_value, 1, kMostWeight,
          "hybrid: a level goes bottom-up when the frontier has more than edges / alpha arcs"),
      true);
}

Key beta_key(std::int64_t default_value) {
  return at_run_time(integer_key("beta", default_value, 1, kMostWeight,
                                 "hybrid: a level goes top-down again when the frontier has fewer "
                                 "than vertices^2 / (beta * edges) vertices"),
                     true);
}

Key threads_key() {
  return at_run_time(
      integer_key("threads", 1, 1, kMostThreads, "Number of threads that share a query"));
}

Key untimed_levels_key() { return untimed_key({kNothing, "levels"}); }

SwitchRule::SwitchRule(std::uint64_t alpha, std::uint64_t beta, Vertex vertex_count,
                       Offset arc_count) {
  if (arc_count == 0) return;  // a search without arcs never leaves its source
  const double edge_count = static_cast<double>(arc_count) / 2;
  const double n = vertex_count;
  most_arc_count_ = edge_count / static_cast<double>(alpha);
  least_vertex_count_ = n * n / (static_cast<double>(beta) * edge_count);
}

}  // namespace bellmark::bfs
