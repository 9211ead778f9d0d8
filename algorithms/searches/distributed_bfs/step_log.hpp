// A rank's log of each level's steps, and the phase log that all ranks' steps make.
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

/// The counts that the time of a step may depend on.
enum Count : std::size_t {
  kCalls,         ///< collective ones that others take part in
  kMessages,      ///< Traffic's, those that the rank waits for among them
  kMessageBytes,  ///< of these messages
  kPieces,        ///< bitmaps of pieces in these messages
  kStarts,        ///< of a search by several ranks
  kArcs,          ///< that the rank holds
  kVertices,      ///< that the rank handles one by one
  kBitmapBytes,   ///< of sets that the rank reads
  kCountCount
};
inline constexpr std::array<const char*, kCountCount> kCountNames = {
    "call_count",  "message_count", "message_bytes", "piece_count",
    "start_count", "arc_count",     "vertex_count",  "bitmap_bytes"};

/// Names and formulas of PhaseLog::growth, over all ranks and levels of a search.
using Growth = std::vector<std::pair<std::string, std::string>>;

/// A count that the log keeps of a step, and its growth with the number of ranks.
struct StepCount {
  Count count;
  std::string growth;
};

/// A step of a level, by its index in the log's list.
struct Step {
  const char* name;
  /// The growth of the bytes that all ranks send; empty: it sends nothing, and the log has no
  /// column of them.
  std::string sent_bytes;
  std::vector<StepCount> counts;

  bool sends() const { return !sent_bytes.empty(); }
};

/// The cost of a level's step for one rank.
struct StepCost {
  std::uint64_t ns = 0;
  std::uint64_t sent_bytes = 0;
  std::array<std::uint64_t, kCountCount> counts{};

  /// Adds the traffic after `before`. `repeats`: how many times that traffic passed before the rank
  /// could go on.
  void add(const Traffic& before, const Traffic& now, std::uint64_t repeats) {
    const std::uint64_t bytes = now.sent_bytes - before.sent_bytes;
    sent_bytes += bytes;
    counts[kCalls] += now.call_count - before.call_count;
    counts[kMessages] += (now.message_count - before.message_count) * repeats;
    counts[kMessageBytes] += bytes * repeats;
  }
};

/// Adds the traffic of a group's member; a group of one calls nobody.
template <class Members>
void add_traffic(const Members& group, Traffic& sum) {
  if (group.size() == 1) return;
  sum.call_count += group.traffic().call_count;
  sum.message_count += group.traffic().message_count;
  sum.sent_bytes += group.traffic().sent_bytes;
}

/// Times and counts by level and step. Reading the clock and the traffic costs some 50 ns a step.
class StepLog {
 public:
  static constexpr std::size_t kMostSteps = 8;
  static constexpr std::size_t kMostLevels = std::size_t{1} << 14;  ///< that a search may have

  /// `growth` are names that the steps' formulas use, `communicators` all that the search sends by.
  /// `counts_arcs`: levels know the arcs of their frontiers; otherwise the log has no column of
  /// them.
  StepLog(std::vector<Step> steps, Growth growth, std::vector<const Communicator*> communicators,
          bool counts_arcs = true)
      : steps_(std::move(steps)),
        growth_(std::move(growth)),
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
  /// A new level begins; `step` was made before the level was known to come.
  void open(const bfs::LevelRow& level, std::size_t step) {
    ++level_count_;
    if (rows_.size() < rows_.capacity()) rows_.push_back({level, {}});
    close(step);
  }
  /// The work and the traffic after the last call belong to this step of the latest level. A step
  /// may be closed more than once in a level. `repeats`: StepCost::add()'s.
  void close(std::size_t step, std::uint64_t repeats = 1) {
    const auto began = last_;
    const Traffic before = traffic_;
    lap();
    if (!has_room()) return;
    StepCost& cost = rows_.back().costs[step];
    cost.ns += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(last_ - began).count());
    cost.add(before, traffic_, repeats);
  }
  /// Adds so many to this step of the latest level, if there was one.
  void add(std::size_t step, Count count, std::uint64_t value) {
    if (has_room() && level_count_ > 0) rows_.back().costs[step].counts[count] += value;
  }

  /// A level that was timed elsewhere, by a device: its costs in the order of steps.
  void push(const bfs::LevelRow& level, std::span<const StepCost> costs) {
    ++level_count_;
    if (rows_.size() == rows_.capacity()) return;
    rows_.push_back({level, {}});
    std::copy(costs.begin(), costs.end(), rows_.back().costs.begin());
  }

  std::size_t level_count() const { return level_count_; }

  /// Collective: a row a level. Its columns are `bottom_up`, `frontier_count`,
  /// `frontier_arc_count`, `unvisited_count`, `host_ns` and `communication_median_ns`. `host_ns` is
  /// of all steps, at the rank where they took longest. `communication_median_ns` is of all steps
  /// that send, at the median rank. Of each step there are `<step>_least_ns`, `_median_ns` (the
  /// lower one of an even number) and `_largest_ns` over the ranks. A step that sends has
  /// `<step>_sent_bytes`. Its counts (`<step>_message_count`) are sums over the ranks, as its bytes
  /// are. No rows where a search had more levels than there is room for.
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
      if (step.sends()) log.columns.push_back(std::string(step.name) + "_sent_bytes");
      for (const StepCount& count : step.counts) log.columns.push_back(name_of(step, count));
    }
    log.growth = growth();
    if (!has_room()) return log;
    for (const Row& row : rows_) add_row(row, ranks.all_gather(row.costs), log);
    return log;
  }

 private:
  using Costs = std::array<StepCost, kMostSteps>;
  struct Row {
    bfs::LevelRow level;
    Costs costs;
  };

  /// Whether there is room for all levels so far.
  bool has_room() const { return rows_.size() == level_count_; }

  void lap() {
    last_ = std::chrono::steady_clock::now();
    traffic_ = {};
    for (const Communicator* ranks : communicators_) add_traffic(*ranks, traffic_);
  }

  static std::string name_of(const Step& step, const StepCount& count) {
    return std::string(step.name) + "_" + kCountNames[count.count];
  }

  Growth growth() const {
    Growth all = growth_;
    for (const Step& step : steps_) {
      if (step.sends()) all.emplace_back(std::string(step.name) + "_sent_bytes", step.sent_bytes);
      for (const StepCount& count : step.counts) {
        all.emplace_back(name_of(step, count), count.growth);
      }
    }
    return all;
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
        if (steps_[step].sends()) sending_sum += costs[step].ns;
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
      StepCost sum;
      for (const Costs& costs : of_ranks) {
        times.push_back(costs[step].ns);
        sum.sent_bytes += costs[step].sent_bytes;
        for (std::size_t c = 0; c < kCountCount; ++c) sum.counts[c] += costs[step].counts[c];
      }
      const std::uint64_t middle = median(times);  // sorts
      log.values.insert(log.values.end(), {times.front(), middle, times.back()});
      if (steps_[step].sends()) log.values.push_back(sum.sent_bytes);
      for (const StepCount& count : steps_[step].counts) {
        log.values.push_back(sum.counts[count.count]);
      }
    }
  }

  std::vector<Step> steps_;
  Growth growth_;
  std::vector<const Communicator*> communicators_;
  bool counts_arcs_;
  std::vector<Row> rows_;
  std::size_t level_count_ = 0;
  std::chrono::steady_clock::time_point last_;
  Traffic traffic_;  ///< until then
};

}  // namespace bellmark::distributed_bfs
