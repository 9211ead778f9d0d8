#include "harness/run/result/warnings.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/memory.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/result/cells.hpp"

namespace bellmark::run {
namespace {

/// Every reason why a GPU's clocks were held back around timed samples.
std::set<std::string> throttles_of(const Json& cells) {
  std::set<std::string> reasons;
  const auto take_reasons = [&](const Json& gpu) {
    if (gpu.is_null()) return;
    for (const Json& word : gpu.at("throttle_reasons")) {
      if (machine::is_throttled(word.get<std::string>())) reasons.insert(word);
    }
  };
  for (const Json& cell : cells) {
    take_reasons(cell.at("gpu"));
    if (cell.at("ranks").is_null()) continue;
    for (const Json& place : cell.at("ranks").at("places")) {
      for (const Json& gpu : place.at("gpus")) take_reasons(gpu);
    }
  }
  return reasons;
}

/// The largest number of threads on shared PUs, by placement and its PUs.
std::map<std::pair<std::string, std::size_t>, std::size_t> crowded(
    const plan::Plan& plan, const std::vector<CellRecord>& records) {
  std::map<std::pair<std::string, std::size_t>, std::size_t> most;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const std::size_t thread_count = records[i].threads.size() + 1;
    const std::size_t pu_count = records[i].pu_count;
    if (pu_count == 0 || thread_count <= pu_count) continue;
    std::size_t& count = most[{plan.cells[i].placement, pu_count}];
    count = std::max(count, thread_count);
  }
  return most;
}

/// Why memory that should lie on huge pages does not; "" where most of it does, or where there is
/// little memory.
std::string lacking_huge_pages(const Json& environment, const Json& cells) {
  constexpr std::uint64_t kMuch = std::uint64_t{64} << 20;
  const Json setting = environment.value("transparent_huge_pages", Json());
  for (const Json& cell : cells) {
    const Json& pages = cell.at("pages");
    if (pages.is_null() || pages.at("requested") != "huge") continue;
    if (setting == "never") return "the kernel's setting is never";
    const auto all = pages.at("anonymous_bytes").get<std::uint64_t>();
    const auto huge = pages.at("huge_bytes").get<std::uint64_t>();
    if (all < kMuch || 2 * huge >= all) continue;
    return "of " + machine::human_bytes(all) + " " + machine::human_bytes(huge) + " lie on them (" +
           cell.at("variant").get<std::string>() + ")";
  }
  return {};
}

/// Of the cells that were measured; enough where there are none.
std::size_t fewest_blocks(const std::vector<CellRecord>& records) {
  std::size_t fewest = measure::kBlocksForInterval;
  for (const CellRecord& record : records) {
    if (!record.blocks.empty()) fewest = std::min(fewest, record.blocks.size());
  }
  return fewest;
}

/// The option with the time that six blocks would take, where `blocks` of them took `budget_s`.
std::string longer_text(double budget_s, std::size_t blocks) {
  const double share =
      static_cast<double>(measure::kBlocksForInterval) / static_cast<double>(blocks);
  return "--budget " + std::to_string(static_cast<std::uint64_t>(std::ceil(budget_s * share))) +
         "s";
}

}  // namespace

Json warnings_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                   const Json& environment, const Json& cells) {
  Json warnings = Json::array();
  const auto warn = [&](const std::string& text, const std::string& action) {
    warnings.push_back({{"text", text}, {"action", action}});
  };
  if (environment.value("is_virtualised", Json(false)) == Json(true)) {
    warn("the machine is virtual: other guests may take its time",
         "trust ratios measured in one run, not absolute times");
  }
  const Json& load = environment.at("load_average");
  const auto cpus = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  if (!load.is_null() && load.at(0).get<double>() > cpus) {
    warn("the load average is " + load.at(0).dump(), "stop other programs and run again");
  }
  if (const std::string why = lacking_huge_pages(environment, cells); !why.empty()) {
    warn("huge pages are asked for all memory, and " + why,
         "write madvise to /sys/kernel/mm/transparent_hugepage/enabled, free memory, and let the "
         "launcher pass GLIBC_TUNABLES on; or measure with --pages small");
  }
  if (const auto throttles = throttles_of(cells); !throttles.empty()) {
    warn("the GPU's clocks were held back: " + join({throttles.begin(), throttles.end()}, ", "),
         "let it cool down or raise its power limit, and run again");
  }
  for (const auto& [place, thread_count] : crowded(plan, records)) {
    const auto& [placement, pu_count] = place;
    warn("up to " + std::to_string(thread_count) + " threads share the " +
             std::to_string(pu_count) + (pu_count == 1 ? " PU" : " PUs") + " of placement '" +
             placement + "': they wait for each other",
         "name more places (`bellmark topology` lists them) or use fewer threads");
  }
  std::set<std::string> places;
  for (const CellRecord& record : records) places.merge(shared_places(record));
  if (!places.empty()) {
    warn("ranks share " + join({places.begin(), places.end()}, ", ") + ": they wait for each other",
         "trust what they count, not their times; start fewer ranks or name more places");
  }
  if (BELLMARK_BUILD_TYPE != std::string("Release")) {
    warn("this is no Release build", "configure with -DCMAKE_BUILD_TYPE=Release");
  }
  if (plan.block_count < measure::kBlocksForInterval) {
    warn("fewer than 6 blocks: no intervals of times, and no verdicts on them",
         plan.options.form == "smoke" ? "run without --smoke"
                                      : "raise run.block_count if times matter here");
  } else if (const std::size_t fewest = fewest_blocks(records);
             fewest < measure::kBlocksForInterval) {
    warn("the run was cut after " + std::to_string(fewest) +
             " of the 6 blocks that an interval wants: no intervals of times, and no verdicts on "
             "them",
         plan.options.budget_s ? "give it " + longer_text(*plan.options.budget_s, fewest)
                               : "let it run on");
  }
  return warnings;
}

}  // namespace bellmark::run
