// Turns the phases that a variant opens into a tree of times and notes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "harness/measure/clock.hpp"

namespace bellmark::measure {

struct PhaseNode {
  std::string name;
  std::uint64_t count = 0;
  std::int64_t wall_ns = 0;
  std::vector<std::pair<std::string, std::uint64_t>> notes;  ///< summed over the phase's openings
  std::vector<std::unique_ptr<PhaseNode>> children;
};

/// Shows open phases to an external profiler.
class RangeMarker {
 public:
  virtual ~RangeMarker() = default;
  virtual void push(std::string_view name) = 0;
  virtual void pop() = 0;
};

/// Phases of the same name under the same parent add up. Not for several threads at once.
class PhaseRecorder final : public Recorder {
 public:
  /// `marker` may be null.
  explicit PhaseRecorder(Clock& clock, RangeMarker* marker = nullptr)
      : clock_(clock), marker_(marker), open_{{&root_, 0}} {}

  void begin(std::string_view phase) override;
  void note(std::string_view name, std::uint64_t value) override;
  void note_later(std::string_view name, const std::function<std::uint64_t()>& value) override;
  void end() override;

  /// Asks for the values of note_later(); call it after every run.
  void resolve();

  const PhaseNode& root() const { return root_; }

 private:
  struct Open {
    PhaseNode* node;
    std::int64_t begin_ns;
  };
  struct Later {
    PhaseNode* node;
    std::string name;
    std::function<std::uint64_t()> value;
  };

  Clock& clock_;
  RangeMarker* marker_;
  PhaseNode root_;
  std::vector<Open> open_;
  std::vector<Later> later_;
};

}  // namespace bellmark::measure
