#include "harness/run/supervise/co_run.hpp"

#include <algorithm>
#include <numeric>

#include "harness/measure/statistics.hpp"

namespace bellmark::run {
namespace {

double median_pass_ns(const TimedSamples& timed) {
  std::vector<double> passes;
  for (const auto& steps : timed.step_ns) {
    passes.push_back(std::accumulate(steps.begin(), steps.end(), 0.0));
  }
  return measure::median(passes);
}

void add(Validation& sum, const Validation& own) {
  sum.certificate_count += own.certificate_count;
  sum.gpu_certificate_count += own.gpu_certificate_count;
  sum.digest_count += own.digest_count;
  if (!sum.detail) sum.detail = own.detail;
}

CellReplicate merge_cell(const std::vector<Replicate>& replicates, std::size_t index) {
  Validation validation;
  std::vector<double> medians;
  std::optional<double> queued_ratio;
  const CellReplicate* slowest = nullptr;
  const CellReplicate* wrong = nullptr;
  for (const Replicate& replicate : replicates) {
    const CellReplicate& cell = replicate.cells.at(index);
    add(validation, cell.validation);
    if (cell.wrong) {
      if (wrong == nullptr) wrong = &cell;
      continue;
    }
    medians.push_back(median_pass_ns(cell.timed.value()));
    queued_ratio = std::max(queued_ratio, cell.timed->queued_ratio);
    if (slowest == nullptr || medians.back() == *std::ranges::max_element(medians)) slowest = &cell;
  }
  CellReplicate merged = wrong != nullptr ? *wrong : *slowest;
  merged.validation = validation;
  if (wrong != nullptr) return merged;
  merged.timed->process_pass_ns = medians;
  merged.timed->queued_ratio = queued_ratio;
  return merged;
}

}  // namespace

Replicate merge_processes(std::vector<Replicate> replicates) {
  if (replicates.size() == 1) return std::move(replicates.front());
  Replicate merged = replicates.front();
  merged.observed.clear();
  merged.pages.reset();
  for (std::size_t i = 0; i < replicates.size(); ++i) {
    merged.observed.push_back("process " + std::to_string(i) + ": " +
                              replicates[i].observed.front());
    // The slowest clock counts: readers must see a core that is held back.
    const std::optional<double>& mhz = replicates[i].core_mhz;
    if (mhz && (!merged.core_mhz || *mhz < *merged.core_mhz)) merged.core_mhz = mhz;
    machine::add(merged.pages, replicates[i].pages);
    merged.steal_ratio = std::max(merged.steal_ratio, replicates[i].steal_ratio);
  }
  for (std::size_t cell = 0; cell < merged.cells.size(); ++cell) {
    merged.cells[cell] = merge_cell(replicates, cell);
  }
  return merged;
}

}  // namespace bellmark::run
