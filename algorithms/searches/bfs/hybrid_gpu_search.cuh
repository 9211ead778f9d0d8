// A search by levels in which the host leads the device (hiragushi2013, section 2.3).
// bfs/hybrid-gpu and bfs/hybrid-cpu-gpu share it, above the levels of device_levels.cuh.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/searches/bfs/device_levels.cuh"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/options.hpp"

namespace bellmark::bfs::hybrid_gpu {

/// The log with one column more, of a value a phase.
inline PhaseLog with_column(const PhaseLog& log, std::string_view name,
                            std::span<const std::uint64_t> values) {
  PhaseLog wider;
  wider.columns = log.columns;
  wider.columns.emplace_back(name);
  for (std::size_t phase = 0; phase < log.phase_count(); ++phase) {
    const auto row = log.values.begin() + static_cast<std::ptrdiff_t>(phase * log.columns.size());
    wider.values.insert(wider.values.end(), row,
                        row + static_cast<std::ptrdiff_t>(log.columns.size()));
    wider.values.push_back(values[phase]);
  }
  return wider;
}

/// The calls are begin(), then while plan(): launch(), fetch_counts(), finish(). The device's rows
/// are those from `first_word` on. A partner may add its finds in the other rows before the counts
/// are fetched.
template <Direction direction, class RowOffset>
class Search {
 public:
  /// The part of the description that instances of both families share.
  static Description describe() {
    Description description;
    description.instance = {{"direction", to_string(direction)},
                            {"row_offsets", std::to_string(8 * sizeof(RowOffset))}};
    description.needs = {Need::cuda};
    if (direction != Direction::top_down) description.needs.push_back(Need::symmetric);
    return description;
  }

  /// By the keys `alpha`, `beta`, `threshold` and `untimed`.
  explicit Search(const Settings& settings)
      : alpha_(static_cast<std::uint64_t>(settings.integer("alpha"))),
        beta_(static_cast<std::uint64_t>(settings.integer("beta"))),
        threshold_(static_cast<std::uint32_t>(settings.integer("threshold"))),
        writes_levels_(settings.get(kUntimed) == kNothing) {}

  /// Like DeviceLevels::prepare(), but nothing is under way on return.
  void prepare(const Block& block, std::uint64_t more_bytes, std::string_view family,
               RunContext& context) {
    require_gpu(family);
    block_ = block;
    rule_ = SwitchRule(alpha_, beta_, block.rows().size(), block.arc_count());
    levels_.prepare(block, threshold_, writes_levels_, more_bytes, family, context);
    stream_ = std::make_unique<gpu::Stream>();
    clock_ = std::make_unique<std::array<gpu::Event, 2>>();
    log_.reserve(block.rows().size());
    // The default stream must be done: a Stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  /// Instrumented: the log has the device's times.
  void begin(Vertex source, bool instrumented) {
    source_ = source;
    instrumented_ = instrumented;
    log_.clear();
    gpu_ns_.clear();
    level_ = {};
    before_ = {0, 0};
    reached_ = {1, block_.row_offsets()[source + 1] - block_.row_offsets()[source]};
    levels_.begin(source, *stream_);
  }

  /// The next level, which goes on from the vertices that the last one reached. False when there
  /// were none.
  bool plan() {
    begin_ns_ = gpu::host_now_ns();
    level_.frontier_count = reached_.vertex_count - before_.vertex_count;
    level_.frontier_arc_count = reached_.arc_count - before_.arc_count;
    level_.unvisited_count = block_.rows().size() - reached_.vertex_count;
    level_.bottom_up =
        direction == Direction::hybrid
            ? rule_.bottom_up(level_.bottom_up, level_.frontier_count, level_.frontier_arc_count)
            : direction == Direction::bottom_up;
    return level_.frontier_count > 0;
  }

  void launch(std::uint32_t first_word) {
    if (instrumented_) (*clock_)[0].record(*stream_);
    if (first_word < levels_.word_count()) {
      if (level_.bottom_up) {
        levels_.bottom_up(first_word, *stream_);
      } else {
        levels_.top_down(first_word, level_.frontier_arc_count, *stream_);
      }
    }
    if (instrumented_) (*clock_)[1].record(*stream_);
  }

  void fetch_counts() { levels_.fetch_counts(*stream_); }

  /// Waits for the counts: nothing is under way on return.
  void finish() {
    stream_->synchronize();
    levels_.turn();
    if (instrumented_) gpu_ns_.push_back(gpu_ns());
    before_ = reached_;
    reached_ = levels_.counts();
    level_.host_ns = gpu::host_now_ns() - begin_ns_;
    log_.push(level_);
  }

  const gpu::Stream& stream() const { return *stream_; }
  const DeviceLevels<RowOffset>& levels() const { return levels_; }
  const LevelRow& level() const { return level_; }  ///< as planned

  void note_counts(gpu::GpuPhase& phase) const {
    phase.note("level_count", log_.level_count());
    phase.note("reached_count", reached_.vertex_count);
  }

  void extract(Bfs::Answer& answer) const {
    levels_.extract(answer);
    if (!writes_levels_) answer.levels = levels_of(answer.predecessors, source_);
  }

  /// A level a line; `gpu_ns` in an instrumented run, by events around its kernels.
  PhaseLog phase_log() const {
    const PhaseLog log = log_.phase_log();
    return instrumented_ ? with_column(log, "gpu_ns", gpu_ns_) : log;
  }

 private:
  std::uint64_t gpu_ns() const {
    float milliseconds = 0;
    gpu::check(cudaEventElapsedTime(&milliseconds, (*clock_)[0], (*clock_)[1]),
               "cudaEventElapsedTime");
    return static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6);
  }

  std::uint64_t alpha_;
  std::uint64_t beta_;
  std::uint32_t threshold_;
  bool writes_levels_;

  Block block_;
  SwitchRule rule_;
  DeviceLevels<RowOffset> levels_;
  std::unique_ptr<gpu::Stream> stream_;
  std::unique_ptr<std::array<gpu::Event, 2>> clock_;  ///< around a level's kernels

  // Of the last run.
  Vertex source_ = 0;
  bool instrumented_ = false;
  Counts before_ = {0, 0};  ///< reached when the level before began
  Counts reached_ = {0, 0};
  LevelRow level_;
  std::uint64_t begin_ns_ = 0;
  LevelLog log_;
  std::vector<std::uint64_t> gpu_ns_;
};

}  // namespace bellmark::bfs::hybrid_gpu
