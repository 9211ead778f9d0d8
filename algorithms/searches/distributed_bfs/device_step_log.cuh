// A rank's log of each level's steps where they are work in a stream. Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/parallel/communicator.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/searches/distributed_bfs/step_log.hpp"

namespace bellmark::distributed_bfs {

/// Like StepLog, by the device's clock. A step ends when the stream comes to its end, so that the
/// stream's waiting for the host is in the times too. An event takes about a microsecond of the
/// host and of the stream. Nothing waits for it: times are read when the log is asked for.
class DeviceStepLog {
 public:
  /// `growth`: StepLog's; `traffic` gives the bytes that this rank has sent so far.
  DeviceStepLog(std::vector<Step> steps, Growth growth, std::function<Traffic()> traffic)
      : steps_(std::move(steps)), growth_(std::move(growth)), traffic_(std::move(traffic)) {}

  /// Before a search: the clock starts.
  void clear(cudaStream_t stream) {
    levels_.clear();
    counts_.clear();
    marks_.clear();
    mark(0, stream);
  }
  /// A new level begins; `step` was made before the level was known to come.
  void open(const bfs::LevelRow& level, std::size_t step, cudaStream_t stream) {
    levels_.push_back(level);
    counts_.emplace_back();
    close(step, stream);
  }
  /// The stream's work and this rank's traffic after the last call belong to this step of the
  /// latest level. A step may be closed more than once in a level.
  void close(std::size_t step, cudaStream_t stream) {
    if (levels_.size() <= kMostLevels) mark(step, stream);
  }
  /// Adds so many to this step of the latest level.
  void add(std::size_t step, Count count, std::uint64_t value) {
    counts_.back()[step].counts[count] += value;
  }

  std::size_t level_count() const { return levels_.size(); }

  /// Collective, when the stream is done: like StepLog's, with no rows where a search had more than
  /// kMostLevels.
  PhaseLog phase_log(Communicator& ranks) const {
    std::vector<Costs> costs = counts_;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      const Mark& mark = marks_[i];
      float milliseconds = 0;
      gpu::check(cudaEventElapsedTime(&milliseconds, events_[i - 1], events_[i]),
                 "cudaEventElapsedTime");
      StepCost& cost = costs.at(mark.level_count - 1)[mark.step];
      cost.ns += static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6);
      cost.add(marks_[i - 1].traffic, mark.traffic, 1);
    }
    StepLog log(steps_, growth_, {});
    log.reserve(kMostLevels - 1);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      log.push(levels_[level], costs[level]);
    }
    return log.phase_log(ranks);
  }

 private:
  static constexpr Vertex kMostLevels = 1024;

  using Costs = std::array<StepCost, StepLog::kMostSteps>;

  /// The end of a step.
  struct Mark {
    std::size_t level_count;
    std::size_t step;
    Traffic traffic;
  };

  /// Events are kept from search to search.
  void mark(std::size_t step, cudaStream_t stream) {
    if (events_.size() == marks_.size()) events_.emplace_back();
    events_[marks_.size()].record(stream);
    marks_.push_back({levels_.size(), step, traffic_()});
  }

  std::vector<Step> steps_;
  Growth growth_;
  std::function<Traffic()> traffic_;
  std::vector<bfs::LevelRow> levels_;
  std::vector<Costs> counts_;  ///< by level, without times and traffic
  std::vector<Mark> marks_;
  std::deque<gpu::Event> events_;
};

}  // namespace bellmark::distributed_bfs
