// What the harness hands to a running variant: where phases go, and where memory is accounted.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark {

/// Receives phases. Implemented above the algorithms; absent (null) in timed passes.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(std::string_view phase) = 0;
  virtual void note(std::string_view name, std::uint64_t value) = 0;
  virtual void end() = 0;
};

/// One run's surroundings. Variants open `Phase`s on it and account the memory they hold.
class RunContext {
 public:
  explicit RunContext(Recorder* recorder = nullptr) : recorder_(recorder) {}

  Recorder* recorder() const { return recorder_; }

  /// Declares that the variant holds `bytes` for `what` (own layout, work area, queue storage).
  /// A second call for the same `what` replaces the first.
  void account(std::string_view what, std::uint64_t bytes) {
    for (auto& [name, held] : accounted_) {
      if (name == what) {
        held = bytes;
        return;
      }
    }
    accounted_.emplace_back(what, bytes);
  }
  const std::vector<std::pair<std::string, std::uint64_t>>& accounted() const { return accounted_; }

 private:
  Recorder* recorder_;
  std::vector<std::pair<std::string, std::uint64_t>> accounted_;
};

/// A named stretch of a run; phases nest. Costs one null test when phases are off.
///   { Phase phase(context, "search"); ...; phase.note("settled_count", n); }
class Phase {
 public:
  Phase(const RunContext& context, std::string_view name) : recorder_(context.recorder()) {
    if (recorder_ != nullptr) recorder_->begin(name);
  }
  ~Phase() {
    if (recorder_ != nullptr) recorder_->end();
  }
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  /// Attaches a count to this phase; the name carries its unit (`settled_count`).
  void note(std::string_view name, std::uint64_t value) {
    if (recorder_ != nullptr) recorder_->note(name, value);
  }

 private:
  Recorder* recorder_;
};

}  // namespace bellmark
