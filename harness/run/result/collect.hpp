// The journal's facts about each cell, put together.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/supervise/disturbance.hpp"
#include "harness/run/supervise/journal_entry.hpp"

namespace bellmark::run {

/// One timed block of one cell. Blocks with the same process were sampled alternately.
struct Block {
  std::size_t index;
  std::string process;  ///< key of the task that measured it
  TimedSamples samples;
  Disturbance disturbance;

  /// The time of each pass.
  std::vector<double> pass_ns() const;
};

/// One thread that a variant made.
struct ThreadRecord {
  std::string resolved;
  std::set<std::string> observed;
};

/// All facts of the journal about one cell.
struct CellRecord {
  std::vector<Block> blocks;    ///< by index
  std::vector<double> open_ns;  ///< a timed replicate each, as the next
  std::vector<double> prepare_ns;
  std::vector<double> resident_bytes;
  std::set<std::string> observed;
  std::set<std::string> variants;                ///< of its processes, `auto` values resolved
  std::map<std::size_t, ThreadRecord> threads;   ///< of the variant, by index
  std::size_t pu_count = 0;                      ///< of its placement
  std::optional<std::vector<RankPlace>> places;  ///< of its ranks
  /// A reading for each timed replicate, by rank and by the GPU's index in the rank.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<GpuReading>> rank_gpus;
  std::vector<std::pair<std::string, std::uint64_t>> accounted;
  std::vector<Extraction> extractions;  ///< a timed replicate each
  std::vector<double> bound_ns;         ///< likewise, of a program that says its times
  std::optional<VisitsReading> visits;
  std::optional<PhasesReading> phases;  ///< of the first block that was read
  std::size_t phases_block = 0;         ///< its index
  std::map<std::size_t, Json>
      later_phase_logs;  ///< of the others, where times of phases are judged
  std::optional<KernelsReading> kernels;
  std::vector<CounterReading> counters;
  std::vector<EnergyReading> energy;     ///< one a block
  std::vector<ProfileReading> profiles;  ///< one a profiler
  std::vector<machine::PageUse> pages;   ///< a timed replicate each
  std::vector<double> core_mhz;
  std::optional<double> fastest_mhz;      ///< of all timed replicates, even those that don't count
  std::size_t repeated_block_count = 0;   ///< blocks that were measured again
  std::size_t throttled_block_count = 0;  ///< blocks left out: the GPU's clocks were held back
  std::vector<std::optional<GpuReading>> gpu;  ///< a timed replicate each
  Validation validation;                       ///< of all replicates; the last fault
  std::map<std::size_t, Json> answers;
  bool failed = false;  ///< so that `blocks` are no measurement of it
};

/// A record for each cell of the plan. Cells that the plan lacks are passed over. The places of a
/// cell's ranks have GPUs if the cell needs them. Of the replicates of one block, the one that lost
/// less of its time counts, or else the one with the faster clock.
std::vector<CellRecord> collect(const plan::Plan& plan, const std::vector<JournalEntry>& entries);

/// The disturbance of all blocks together. Times are weighted by the length of the samples, and the
/// clock is the median.
Disturbance disturbance_of(const CellRecord& record);

/// Clears the times of a cell that crashed, hung or answered wrongly. Its earlier blocks stay as
/// evidence, but nothing is left to be shown as its time, or judged.
void forget_measurements(CellRecord& record);

}  // namespace bellmark::run
