#include "harness/run/supervise/disturbance.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "harness/machine/gpu.hpp"

namespace bellmark::run {
namespace {

std::string percent(double ratio) { return std::to_string(std::lround(100 * ratio)) + " %"; }

}  // namespace

std::string disturbed_by(const Disturbance& disturbance) {
  std::vector<std::string> reasons;
  const double queued = disturbance.queued_ratio.value_or(0);
  const double stolen = disturbance.steal_ratio.value_or(0);
  if (queued + stolen > kMostLost) {
    std::string reason = "other programs had its cores for " + percent(queued) + " of the time";
    const std::string guests = percent(stolen);
    if (guests != percent(0)) reason += ", other guests of the host for " + guests;
    reasons.push_back(reason);
  }
  if (disturbance.clock_ratio && *disturbance.clock_ratio < 1 - kMostLost) {
    reasons.push_back("the core's clock was at " + percent(*disturbance.clock_ratio) +
                      " of its fastest");
  }
  if (!disturbance.throttles.empty()) {
    reasons.push_back("the GPU's clocks were held back: " +
                      join({disturbance.throttles.begin(), disturbance.throttles.end()}, ", "));
  }
  return join(reasons, "; ");
}

std::set<std::string> throttles_of(const Replicate& replicate) {
  std::set<std::string> throttles;
  const auto take = [&](const Json& state) {
    if (state.is_null() || state.at("throttle_reasons").is_null()) return;
    for (const Json& word : state.at("throttle_reasons")) {
      if (machine::is_throttled(word.get<std::string>())) throttles.insert(word);
    }
  };
  const auto take_both = [&](const GpuReading& gpu) {
    take(gpu.before);
    take(gpu.after);
  };
  if (replicate.gpu) take_both(*replicate.gpu);
  if (replicate.ranks) {
    for (const RankPlace& place : *replicate.ranks) std::ranges::for_each(place.gpus, take_both);
  }
  return throttles;
}

Disturbance disturbance_of(const Replicate& replicate, const CellReplicate& cell) {
  const std::size_t thread_count = cell.threads.size() + 1;
  const bool crowded = replicate.ranks ? !shared_places(*replicate.ranks, thread_count).empty()
                                       : thread_count > replicate.pu_count;
  Disturbance disturbance;
  if (!cell.timed) return disturbance;
  disturbance.throttles = throttles_of(replicate);
  if (crowded) return disturbance;
  disturbance.queued_ratio = cell.timed->queued_ratio;
  disturbance.steal_ratio = replicate.steal_ratio;
  return disturbance;
}

double lost_ratio(const Replicate& replicate) {
  double largest = 0;
  for (const CellReplicate& cell : replicate.cells) {
    largest = std::max(largest, disturbance_of(replicate, cell).lost_ratio());
  }
  return largest;
}

std::set<std::string> shared_places(const std::vector<RankPlace>& places,
                                    std::size_t thread_count) {
  std::set<std::string> shared;
  std::map<std::string, std::size_t> ranks_at;
  for (const RankPlace& place : places) {
    const std::string pus =
        place.observed.substr(0, place.observed.find(", last")) + " of " + place.host;
    const std::size_t ranks = ++ranks_at[pus];
    if (ranks > 1 && ranks * thread_count > place.pu_count) shared.insert(pus);
    for (const GpuReading& gpu : place.gpus) {
      if (!gpu.pci_bus_id) continue;
      const std::string text = "GPU " + *gpu.pci_bus_id + " of " + place.host;
      if (++ranks_at[text] > 1) shared.insert(text);
    }
  }
  return shared;
}

}  // namespace bellmark::run
