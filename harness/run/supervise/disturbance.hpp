// Whether others had the cores while samples were taken.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// The part of the time that samples may lose, and of its clock that a core may lose.
inline constexpr double kMostLost = 0.05;

/// What kept samples from their cores.
struct Disturbance {
  /// Ready to run without a core: of the threads the one that was kept longest.
  std::optional<double> queued_ratio;
  std::optional<double> steal_ratio;  ///< the cores were a hypervisor's
  std::optional<double> clock_ratio;  ///< the core's clock over the fastest that it was seen at

  /// The part of the time that was lost; what is not told counts as 0.
  double lost_ratio() const { return queued_ratio.value_or(0) + steal_ratio.value_or(0); }
};

/// Why times are not to be judged; "" where they are.
std::string disturbed_by(const Disturbance& disturbance);

/// Of the timed samples of a cell in one replicate. Nothing is told of the clock, and nothing at
/// all of threads or ranks that share PUs: they wait for each other.
Disturbance disturbance_of(const Replicate& replicate, const CellReplicate& cell);

/// The largest lost_ratio() of a timed replicate's cells.
double lost_ratio(const Replicate& replicate);

/// Where ranks of one host run on the same PUs with more threads than these can run, or on one GPU:
/// a text for each such place. Each rank has `thread_count` threads.
std::set<std::string> shared_places(const std::vector<RankPlace>& places, std::size_t thread_count);

}  // namespace bellmark::run
