// What a rank keeps of each level's steps, and what all ranks' steps make of a phase log.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/parallel/communicator.hpp"
#include "algorithms/problems/bfs/levels.hpp"

namespace bellmark::distributed_bfs {

/// A step of a level, by its index in the log's list.
struct Step {
  const char* name;
  bool sends;  ///< to other ranks; otherwise the log has no column of its bytes
};

/// What a step of a level took one rank.
struct StepCost {
  std::uint64_t ns = 0;
  std::uint64_t sent_bytes = 0;
};

/// Times and bytes by level and step. Reading the clock and the traffic costs some 50 ns a step.
class StepLog {
 public:
  static constexpr std::size_t kMostSteps = 8;
  static constexpr std::size_t kMostLevels = std::size_t{1} << 14;  ///< that a search may have

  /// `communicators` are all that the search sends by. `counts_arcs`: levels know the arcs of their
  /// frontiers; otherwise the log has no column of them.
  StepLog(std::vector<Step> steps, std::vector<const Communicator*> communicators,
          bool counts_arcs = true)
      : steps_(std::move(steps)),
        communicators_(std::move(communicators)),
        counts_arcs_(counts_arcs) {}

  /// Makes room for the levels of a search of n vertices, up to kMostLevels.
  void reserve(Vertex n) { rows_.reserve(std::min<std::size_t>(std::size_t{n} + 1, kMostLevels)); }

  /// Before a search: the clock starts.
  void clear() {
    rows_.clear();
    level_count_ = 0;
    lap();
  }
  /// A new level begins; `step` was made before it was known that there would be one.
  void open(const bfs::LevelRow& level, std::size_t step) {
    ++level_count_;
    if (rows_.size() < rows_.capacity()) rows_.push_back({level, {}});
    close(step);
  }
  /// What was done and sent since the last call was this step of the latest level. A step may be
  /// closed more than once in a level.
  void close(std::size_t step) {
    const StepCost cost = lap();
    if (rows_.size() < level_count_) return;
    rows_.back().costs[step].ns += cost.ns;
    rows_.back().costs[step].sent_bytes += cost.sent_bytes;
  }

  /// A level that was timed elsewhere, by a device: its costs in the order of steps.
  void push(const bfs::LevelRow& level, std::span<const StepCost> costs) {
    ++level_count_;
    if (rows_.size() == rows_.capacity()) return;
    rows_.push_back({level, {}});
    std::copy(costs.begin(), costs.end(), rows_.back().costs.begin());
  }

  std::size_t level_count() const { return level_count_; }

  /// Collective: a row a level, `bottom_up`, `frontier_count`, `frontier_arc_count`,
  /// `unvisited_count`, `host_ns` (of all steps, at the rank where they took longest),
  /// `communication_median_ns` (of all steps that send, at the median rank), and of each step
  /// `<step>_least_ns`, `_median_ns` (the lower one of an even number) and `_largest_ns` over the
  /// ranks, and where it sends `<step>_sent_bytes`, of all ranks. No rows where a search had more
  /// levels than there is room for.
  PhaseLog phase_log(Communicator& ranks) const {
    PhaseLog log;
    log.columns = {"bottom_up", "frontier_count"};
    if (counts_arcs_) log.columns.emplace_back("frontier_arc_count");
    for (const char* column : {"unvisited_count", "host_ns", "communication_median_ns"}) {
      log.columns.emplace_back(column);
    }
    for (const Step& step : steps_) {
      for (const char* suffix : {"_least_ns", "_median_ns", "_largest_ns"}) {
        log.columns.push_back(std::string(step.name) + suffix);
      }
      if (step.sends) log.columns.push_back(std::string(step.name) + "_sent_bytes");
    }
    if (rows_.size() < level_count_) return log;
    for (const Row& row : rows_) add_row(row, ranks.all_gather(row.costs), log);
    return log;
  }

 private:
  using Costs = std::array<StepCost, kMostSteps>;
  struct Row {
    bfs::LevelRow level;
    Costs costs;
  };

  StepCost lap() {
    const auto now = std::chrono::steady_clock::now();
    std::uint64_t sent_bytes = 0;
    for (const Communicator* ranks : communicators_) sent_bytes += ranks->traffic().sent_bytes;
    const StepCost cost = {
        static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(now - last_).count()),
        sent_bytes - last_sent_bytes_};
    last_ = now;
    last_sent_bytes_ = sent_bytes;
    return cost;
  }

  static std::uint64_t median(std::vector<std::uint64_t>& times) {
    std::sort(times.begin(), times.end());
    return times[(times.size() - 1) / 2];
  }

  void add_row(const Row& row, const std::vector<Costs>& of_ranks, PhaseLog& log) const {
    std::uint64_t longest = 0;
    std::vector<std::uint64_t> communication;
    for (const Costs& costs : of_ranks) {
      std::uint64_t sum = 0;
      std::uint64_t sending_sum = 0;
      for (std::size_t step = 0; step < steps_.size(); ++step) {
        sum += costs[step].ns;
        if (steps_[step].sends) sending_sum += costs[step].ns;
      }
      longest = std::max(longest, sum);
      communication.push_back(sending_sum);
    }
    log.values.insert(log.values.end(),
                      {std::uint64_t{row.level.bottom_up}, row.level.frontier_count});
    if (counts_arcs_) log.values.push_back(row.level.frontier_arc_count);
    log.values.insert(log.values.end(),
                      {row.level.unvisited_count, longest, median(communication)});
    for (std::size_t step = 0; step < steps_.size(); ++step) {
      std::vector<std::uint64_t> times;
      std::uint64_t sent_bytes = 0;
      for (const Costs& costs : of_ranks) {
        times.push_back(costs[step].ns);
        sent_bytes += costs[step].sent_bytes;
      }
      const std::uint64_t middle = median(times);  // sorts
      log.values.insert(log.values.end(), {times.front(), middle, times.back()});
      if (steps_[step].sends) log.values.push_back(sent_bytes);
    }
  }

  std::vector<Step> steps_;
  std::vector<const Communicator*> communicators_;
  bool counts_arcs_;
  std::vector<Row> rows_;
  std::size_t level_count_ = 0;
  std::chrono::steady_clock::time_point last_;
  std::uint64_t last_sent_bytes_ = 0;
};

}  // namespace bellmark::distributed_bfs
