// Disturbances by other programs while samples were taken.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// The largest part of the time that samples may lose, and of its clock that a core may lose.
inline constexpr double kMostLost = 0.05;

/// The disturbances of samples.
struct Disturbance {
  /// The part of the time that a thread was ready to run without a core: the largest of all
  /// threads.
  std::optional<double> queued_ratio;
  std::optional<double> steal_ratio;     ///< the cores were a hypervisor's
  std::optional<double> clock_ratio;     ///< the core's clock over the fastest that it was seen at
  std::set<std::string> throttles = {};  ///< reasons for which a GPU's clocks were held back

  /// The lost part of the time. Unknown parts count as 0.
  double lost_ratio() const { return queued_ratio.value_or(0) + steal_ratio.value_or(0); }
};

/// Why times are not to be judged; "" if they are.
std::string disturbed_by(const Disturbance& disturbance);

/// Reasons for which the clocks of a GPU were held back just before or just after the samples.
std::set<std::string> throttles_of(const Replicate& replicate);

/// The disturbance of a cell's timed samples in one replicate. It says nothing of the core's clock.
/// It says nothing of lost time where threads or ranks share PUs, because they wait for each other.
Disturbance disturbance_of(const Replicate& replicate, const CellReplicate& cell);

/// The largest lost_ratio() of a timed replicate's cells.
double lost_ratio(const Replicate& replicate);

/// A text for each place that ranks of one host share: PUs with more threads than they can run, or
/// one GPU. Each rank has `thread_count` threads.
std::set<std::string> shared_places(const std::vector<RankPlace>& places, std::size_t thread_count);

}  // namespace bellmark::run
