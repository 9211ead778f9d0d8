#include "harness/tune/time_model.hpp"

#include <algorithm>
#include <array>

#include "harness/measure/statistics.hpp"

namespace bellmark::tune {
namespace {

constexpr double kHeldOutShare = 0.4;
constexpr double kMargin = 1.25;
constexpr std::size_t kFewestHeldOut = 4;
constexpr std::size_t kSmallestRoundCells = 3;
constexpr std::size_t kSmallestRoundQueries = 2;
constexpr std::size_t kHeldOutSamples = 30;
constexpr std::size_t kTrainingSamples = 6;
constexpr std::array kHeldOutSeconds = {2.0, 1.0, 0.5, 0.25};
constexpr double kTrainingSeconds = 0.25;
/// An energy pass warms up for a quarter of a second, and reads over one.
constexpr double kEnergySeconds = 1.25;

}  // namespace

TimeModel::TimeModel(double few_s, std::size_t few, double many_s, std::size_t many, double timed_s)
    : query_s_(std::max(2 * timed_s, (many_s - few_s) / static_cast<double>(many - few))),
      timed_s_(timed_s) {
  opening_s_ = std::max(0.0, few_s - query_s_ * static_cast<double>(few));
}

double TimeModel::process_s(const Effort& effort) const {
  const double queries = static_cast<double>(effort.query_count);
  // A further sample costs a query's time and its digest, whose time is not measured.
  const double sampled_s = query_s_ - timed_s_;
  const double all_s = sampled_s * queries * static_cast<double>(effort.sample_count - 1);
  const double within_s = effort.seconds_per_process * sampled_s / timed_s_;
  return opening_s_ +
         static_cast<double>(effort.cell_count) * (query_s_ * queries + std::min(all_s, within_s));
}

double TimeModel::objective_s(const Effort& effort) const {
  const double cells = static_cast<double>(effort.cell_count);
  const double pass_s = query_s_ * static_cast<double>(effort.query_count);
  switch (effort.objective) {
    case Objective::time:
      return 0;
    case Objective::energy:
      return opening_s_ + cells * (kEnergySeconds + pass_s);
    case Objective::memory:  // a process for each cell
      return cells * (opening_s_ + pass_s);
  }
  return 0;
}

double TimeModel::plain_run_s(const Effort& effort) const {
  return static_cast<double>(measure::kBlocksForInterval + 1) * process_s(effort) +
         static_cast<double>(measure::kBlocksForInterval) * objective_s(effort);
}

double TimeModel::query_limit_s(double ratio) const {
  constexpr double kLeast = 2;
  return 2 * opening_s_ + std::max(kLeast, ratio * query_s_);
}

void TimeModel::learn(const Effort& effort, double actual_s) {
  constexpr double kLeast = 0.25;
  if (const double plain = plain_run_s(effort); plain > 0) {
    correction_ = std::max(kLeast, actual_s / plain);
  }
}

Shares divide(const TimeModel& model, std::size_t query_count, double left_s, Objective objective) {
  Shares shares;
  shares.training = {kSmallestRoundCells, kSmallestRoundQueries, kTrainingSamples, kTrainingSeconds,
                     objective};
  const double smallest_round_s = model.plain_run_s(shares.training);
  const auto reserve_s = [&] { return kMargin * model.plain_run_s(shares.held_out); };

  shares.held_out = {2, query_count, kHeldOutSamples, kHeldOutSeconds.front(), objective};
  for (const double seconds : kHeldOutSeconds) {
    shares.held_out.seconds_per_process = seconds;
    if (reserve_s() <= kHeldOutShare * left_s) break;
  }
  while (reserve_s() > kHeldOutShare * left_s && shares.held_out.query_count > kFewestHeldOut) {
    shares.held_out.query_count = std::max(kFewestHeldOut, shares.held_out.query_count / 2);
  }
  shares.reserve_s = reserve_s();
  shares.shortest_s = shares.reserve_s + kMargin * smallest_round_s;
  shares.fits = shares.shortest_s <= left_s;
  return shares;
}

}  // namespace bellmark::tune
