#include "harness/run/result/collect.hpp"

#include <algorithm>
#include <numeric>

#include "harness/measure/statistics.hpp"

namespace bellmark::run {
namespace {

/// Takes over the parts of a replicate that every pass has.
void take_checks(CellRecord& record, const Replicate& replicate, const CellReplicate& cell) {
  record.validation.certificate_count += cell.validation.certificate_count;
  record.validation.gpu_certificate_count += cell.validation.gpu_certificate_count;
  record.validation.digest_count += cell.validation.digest_count;
  if (cell.validation.detail) record.validation.detail = cell.validation.detail;
  record.variants.insert(cell.variant);
  if (replicate.ranks) {
    for (const RankPlace& place : *replicate.ranks) {
      record.observed.insert("rank " + std::to_string(place.rank) + ": " + place.observed);
    }
  } else if (replicate.pass != Pass::visits) {  // one process visits, whatever the cell's are
    record.observed.insert(replicate.observed.begin(), replicate.observed.end());
  }
  record.places = replicate.ranks;
  record.pu_count = replicate.pu_count;
  for (const ThreadPlace& thread : cell.threads) {
    ThreadRecord& own = record.threads[thread.index];
    own.resolved = thread.resolved;
    own.observed.insert(thread.observed);
  }
  for (const auto& [query, facts] : cell.answers) record.answers[query] = facts;
  if (!cell.accounted.empty()) record.accounted = cell.accounted;
}

void take_timed(CellRecord& record, const std::string& task, std::size_t block,
                const Replicate& replicate, const CellReplicate& cell) {
  record.blocks.push_back({block, task, cell.timed.value(), disturbance_of(replicate, cell)});
  if (cell.extraction) record.extractions.push_back(*cell.extraction);
  if (cell.bound_ns) record.bound_ns.push_back(*cell.bound_ns);
  // Older journals lack these times.
  if (cell.prepare_ns && replicate.open_ns) {
    record.open_ns.push_back(static_cast<double>(*replicate.open_ns));
    record.prepare_ns.push_back(static_cast<double>(*cell.prepare_ns));
  }
  if (replicate.pages) record.pages.push_back(*replicate.pages);
  if (replicate.core_mhz) record.core_mhz.push_back(*replicate.core_mhz);
  record.gpu.push_back(replicate.gpu);
  if (!replicate.ranks) return;
  for (std::size_t rank = 0; rank < replicate.ranks->size(); ++rank) {
    const std::vector<GpuReading>& gpus = (*replicate.ranks)[rank].gpus;
    for (std::size_t i = 0; i < gpus.size(); ++i) record.rank_gpus[{rank, i}].push_back(gpus[i]);
  }
}

/// `repeated`: another replicate of the same block counts.
void take(CellRecord& record, const std::string& task, const Measured& measured,
          const CellReplicate& cell, bool repeated) {
  take_checks(record, measured.replicate, cell);
  if (cell.wrong) return;
  record.fastest_mhz = std::max(record.fastest_mhz, measured.replicate.core_mhz);
  if (repeated) {
    ++record.repeated_block_count;
    return;
  }
  switch (measured.replicate.pass) {
    case Pass::timed:
      take_timed(record, task, measured.block, measured.replicate, cell);
      break;
    case Pass::visits:
      record.visits = cell.visits;
      break;
    case Pass::phases:
      if (!record.phases) {
        record.phases = cell.phases;
        record.phases_block = measured.block;
      } else if (cell.phases) {
        record.later_phase_logs[measured.block] = cell.phases->phase_log;
      }
      break;
    case Pass::kernels:
      record.kernels = cell.kernels;
      break;
    case Pass::counters:
      for (const CounterReading& counter : cell.counters.value()) {
        record.counters.push_back(counter);
      }
      break;
    case Pass::energy:
      record.energy.push_back(cell.energy.value());
      break;
    case Pass::memory:
      record.resident_bytes.push_back(static_cast<double>(cell.resident_bytes.value()));
      break;
    case Pass::profile:
      record.profiles.push_back(cell.profile.value());
      break;
    case Pass::probe:
    case Pass::simulated:
      break;
  }
}

/// Compares whole replicates, so that cells which were sampled alternately stay together.
bool is_less_disturbed(const Replicate& replicate, const Replicate& other) {
  const bool is_throttled = !throttles_of(replicate).empty();
  const bool other_is_throttled = !throttles_of(other).empty();
  if (is_throttled != other_is_throttled) return other_is_throttled;
  const double lost = lost_ratio(replicate);
  const double other_lost = lost_ratio(other);
  if (lost > kMostLost || other_lost > kMostLost) return lost < other_lost;
  return replicate.core_mhz > other.core_mhz;
}

/// A block's index and its cell's id.
using BlockOfCell = std::pair<std::size_t, std::string>;

/// The replicate that counts, for each timed block of each cell.
std::map<BlockOfCell, const Measured*> counting(const std::vector<JournalEntry>& entries) {
  std::map<BlockOfCell, const Measured*> best;
  for (const JournalEntry& entry : entries) {
    const auto* measured = std::get_if<Measured>(&entry.what);
    if (measured == nullptr || measured->replicate.pass != Pass::timed) continue;
    for (const CellReplicate& cell : measured->replicate.cells) {
      const Measured*& known = best[{measured->block, cell.id}];
      if (known == nullptr || is_less_disturbed(measured->replicate, known->replicate)) {
        known = measured;
      }
    }
  }
  return best;
}

/// Leaves out the blocks in which the GPU's clocks were held back, unless all were. A cell without
/// a GPU is not disturbed by the one of a cell beside it.
void leave_out_throttled(CellRecord& record, bool needs_cuda) {
  const auto is_throttled = [](const Block& block) { return !block.disturbance.throttles.empty(); };
  if (!needs_cuda) {
    for (Block& block : record.blocks) block.disturbance.throttles.clear();
  }
  if (std::ranges::all_of(record.blocks, is_throttled)) return;
  record.throttled_block_count = std::erase_if(record.blocks, is_throttled);
}

}  // namespace

std::vector<double> Block::pass_ns() const {
  std::vector<double> sums;
  for (const auto& pass : samples.step_ns) {
    sums.push_back(std::accumulate(pass.begin(), pass.end(), 0.0));
  }
  return sums;
}

std::vector<CellRecord> collect(const plan::Plan& plan, const std::vector<JournalEntry>& entries) {
  std::vector<CellRecord> records(plan.cells.size());
  const auto counts = counting(entries);
  for (const JournalEntry& entry : entries) {
    const auto* measured = std::get_if<Measured>(&entry.what);
    if (measured == nullptr) continue;
    for (const CellReplicate& cell : measured->replicate.cells) {
      const auto found = std::ranges::find(plan.cells, cell.id, &plan::Cell::id);
      if (found == plan.cells.end()) continue;
      const bool repeated = measured->replicate.pass == Pass::timed &&
                            counts.at({measured->block, cell.id}) != measured;
      take(records[static_cast<std::size_t>(found - plan.cells.begin())], entry.task, *measured,
           cell, repeated);
    }
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    std::ranges::sort(records[i].blocks, {}, &Block::index);
    leave_out_throttled(records[i], plan.cells[i].needs_cuda);
    // A cell without a GPU takes no GPU reading, though a cell measured beside it may have one.
    if (!records[i].places || plan.cells[i].needs_cuda) continue;
    for (RankPlace& place : *records[i].places) place.gpus.clear();
  }
  return records;
}

Disturbance disturbance_of(const CellRecord& record) {
  Disturbance sums;
  double wall_ns = 0;
  for (const Block& block : record.blocks) {
    const std::vector<double> passes = block.pass_ns();
    const double own_ns = std::accumulate(passes.begin(), passes.end(), 0.0);
    const auto& [queued, stolen, unknown, throttles] = block.disturbance;
    sums.throttles.insert(throttles.begin(), throttles.end());
    if (queued) sums.queued_ratio = sums.queued_ratio.value_or(0) + *queued * own_ns;
    if (stolen) sums.steal_ratio = sums.steal_ratio.value_or(0) + *stolen * own_ns;
    wall_ns += own_ns;
  }
  if (sums.queued_ratio) *sums.queued_ratio /= wall_ns;
  if (sums.steal_ratio) *sums.steal_ratio /= wall_ns;
  if (!record.core_mhz.empty()) {
    sums.clock_ratio = measure::median(record.core_mhz) / record.fastest_mhz.value();
  }
  return sums;
}

void forget_measurements(CellRecord& record) {
  CellRecord kept;
  kept.failed = true;
  kept.blocks = std::move(record.blocks);
  kept.observed = std::move(record.observed);
  kept.threads = std::move(record.threads);
  kept.pu_count = record.pu_count;
  kept.places = std::move(record.places);
  // The clocks of its ranks' GPUs describe their places, and are not measurements of the cell.
  kept.rank_gpus = std::move(record.rank_gpus);
  kept.validation = std::move(record.validation);
  record = std::move(kept);
}

}  // namespace bellmark::run
