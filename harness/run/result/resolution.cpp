#include "harness/run/result/resolution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "harness/measure/statistics.hpp"
#include "harness/run/result/cells.hpp"
#include "harness/run/supervise/task.hpp"
#include "harness/verdict/outcome.hpp"

namespace bellmark::run {
namespace {

/// The second samples of the cell that a task measured, from the same process or from another one;
/// null where there are none.
const TimedSamples* second_samples(const std::vector<JournalEntry>& entries,
                                   const std::string& task, const std::string& cell) {
  const std::string alone = key_of_second(task);
  for (const JournalEntry& entry : entries) {
    const auto* measured = std::get_if<Measured>(&entry.what);
    if ((entry.task != task && entry.task != alone) || measured == nullptr) continue;
    const auto& cells = measured->replicate.cells;
    const auto found = std::ranges::find(cells, cell + kTwice, &CellReplicate::id);
    if (found != cells.end() && found->timed) return &*found->timed;
  }
  return nullptr;
}

Json disturbed_text(const measure::Ratio& ratio) {
  if (!ratio.interval) return nullptr;
  const bool excludes = ratio.interval->low > 1 || ratio.interval->high < 1;
  if (!excludes || std::abs(std::log(ratio.value)) <= std::log(verdict::kTieZone)) return nullptr;
  char text[96];
  std::snprintf(text, sizeof text, "disturbed: the baseline took %.3f [%.3f, %.3f] of its own time",
                ratio.value, ratio.interval->low, ratio.interval->high);
  return text;
}

}  // namespace

Json resolution_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                     const std::vector<JournalEntry>& entries) {
  Json resolutions = Json::array();
  for (const plan::Group& group : plan.groups) {
    if (!group.twice || records[*group.twice].failed) continue;
    const plan::Cell& cell = plan.cells[*group.twice];
    std::vector<double> logs;
    std::vector<double> ratios;
    Json blocks = Json::array();
    for (const Block& block : records[*group.twice].blocks) {
      const TimedSamples* second = second_samples(entries, block.process, cell.id);
      if (second == nullptr) continue;
      logs.push_back(measure::block_log_ratio(second->step_ns, block.samples.step_ns, true));
      ratios.push_back(std::exp(logs.back()));
      blocks.push_back(block_json(block, second->step_ns));
    }
    if (logs.empty()) continue;
    const measure::Ratio ratio = measure::ratio_over_blocks(logs);
    resolutions.push_back({{"placement", plan::axis_text(cell.axes.at("placement"))},
                           {"cell", cell.id},
                           {"ratio", ratio.value},
                           {"ci95_low", ratio.interval ? Json(ratio.interval->low) : Json()},
                           {"ci95_high", ratio.interval ? Json(ratio.interval->high) : Json()},
                           {"block_ratios", ratios},
                           {"blocks", std::move(blocks)},
                           {"disturbed", disturbed_text(ratio)}});
  }
  return resolutions;
}

}  // namespace bellmark::run
