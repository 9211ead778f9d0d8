// The keys that searches by levels share, and the rule by which they change direction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "algorithms/contract/description.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

inline constexpr std::size_t kMostThreads = 256;
inline constexpr std::int64_t kMostWeight = 1'000'000'000;  ///< of alpha and beta

/// The direction of a level: top-down from the frontier to its neighbours, bottom-up from every
/// unvisited vertex to its neighbours until one is in the frontier.
enum class Direction {
  hybrid,     ///< the one or the other, by SwitchRule
  top_down,   ///< always
  bottom_up,  ///< always; needs in-arcs, as hybrid does
};
std::string to_string(Direction direction);

/// The compile-time key `direction`.
Key direction_key();
/// The run-time keys `alpha` and `beta` of SwitchRule; the defaults are the paper's.
Key alpha_key(std::int64_t default_value = 10);
Key beta_key(std::int64_t default_value = 14);
/// The run-time key `threads` (1).
Key threads_key();

/// The run-time key kUntimed: `levels` are left to follow from predecessors. Graph500 asks for a
/// tree alone (its specification, section 6).
Key untimed_levels_key();

/// The rule by which a hybrid search changes direction (hiragushi2013, section 2.3; Beamer,
/// Asanovic, Patterson, SC 2012). It starts top-down. It goes bottom-up when the frontier's arcs
/// are more than |E| / alpha. It goes back when the frontier's vertices are fewer than |V|^2 /
/// (beta |E|). |E| counts undirected edges, each once: half the arcs of a symmetric graph (the
/// paper doesn't say). The paper's alpha is 10 and its beta 14.
class SwitchRule {
 public:
  SwitchRule() = default;
  SwitchRule(std::uint64_t alpha, std::uint64_t beta, Vertex vertex_count, Offset arc_count);

  /// Whether the next level goes bottom-up. The last level, which went bottom-up or not, found
  /// `frontier_count` vertices, and `frontier_arc_count` arcs leave them.
  bool bottom_up(bool was_bottom_up, std::uint64_t frontier_count,
                 std::uint64_t frontier_arc_count) const {
    return was_bottom_up ? static_cast<double>(frontier_count) >= least_vertex_count_
                         : static_cast<double>(frontier_arc_count) > most_arc_count_;
  }
  /// |E| / alpha: frontiers with more arcs are alike.
  double most_arc_count() const { return most_arc_count_; }

 private:
  double most_arc_count_ = 0;      ///< |E| / alpha
  double least_vertex_count_ = 0;  ///< |V|^2 / (beta |E|)
};

}  // namespace bellmark::bfs
