// The harness hands this to a running variant: the places for phases and for memory's accounts.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark {

class SearchWork;

/// Receives phases. Implemented above the algorithms; absent (null) in timed passes.
class Recorder {
 public:
  virtual ~Recorder() = default;
  virtual void begin(std::string_view phase) = 0;
  virtual void note(std::string_view name, std::uint64_t value) = 0;
  /// A note on the open phase whose value is read after the run, because reading it during the run
  /// would wait.
  virtual void note_later(std::string_view name, const std::function<std::uint64_t()>& value) {
    note(name, value());
  }
  virtual void end() = 0;
};

/// The log that a variant with phases keeps of its last run, one line a phase. It is kept in timed
/// runs too, in a buffer made beforehand: an algorithm may decide by its own clock.
struct PhaseLog {
  std::vector<std::string> columns;   ///< with their units: `updated_count`, `host_ns`
  std::vector<std::uint64_t> values;  ///< row-major, columns.size() a phase
  /// Names and formulas: how sums of columns grow with the number of ranks (analysis/README.md,
  /// "Scaling model"). A formula may use the names before it.
  std::vector<std::pair<std::string, std::string>> growth = {};

  std::size_t phase_count() const { return columns.empty() ? 0 : values.size() / columns.size(); }
};

/// The facts of a run that another program did.
struct ProgramRun {
  /// Of its process, or as the program says. 0 where the program says none: the time around run()
  /// counts.
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;                  ///< of all its threads
  std::optional<std::uint64_t> peak_bytes;  ///< nothing where it could not be told
  /// Of a process that ended: how long it was ready to run and had no core.
  std::optional<std::int64_t> queued_ns = {};
  pid_t process = 0;  ///< of one that goes on
};

/// One run's surroundings. Variants open `Phase`s on it and account the memory they hold.
class RunContext {
 public:
  explicit RunContext(Recorder* recorder = nullptr) : recorder_(recorder) {}

  Recorder* recorder() const { return recorder_; }

  /// In an instrumented run the clock is disturbed: a variant that decides by it repeats the
  /// decisions of its last plain run of the same query.
  bool instrumented() const { return recorder_ != nullptr || work_ != nullptr || instrumented_; }
  void set_instrumented(bool instrumented) { instrumented_ = instrumented; }

  /// Where a run adds the counts of its work (search_work.hpp); null in all runs but those of the
  /// pass that counts it.
  SearchWork* work() const { return work_; }
  void set_work(SearchWork* work) { work_ = work; }

  /// Declares that the variant holds `bytes` for `what`: its own layout, a work area, a queue's
  /// storage. A second call for the same `what` replaces the first.
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

  /// For a variant that starts another program: the facts of the last run. Their time replaces the
  /// time around run().
  void report(const ProgramRun& program) { program_ = program; }
  const std::optional<ProgramRun>& program() const { return program_; }

  /// Whether the peak memory of a program is wanted. It needs looks at the program while it runs.
  bool watches_memory() const { return watches_memory_; }
  void set_watches_memory(bool watches) { watches_memory_ = watches; }

  /// Each thread that a variant makes calls this first, once, with its index: 1, 2, ... (0 is the
  /// thread that calls the variant). The thread then runs where the harness wants it. Throws
  /// MachineError when that fails. Several threads may call it at once.
  void enter_thread(std::size_t index) const {
    if (enter_thread_) enter_thread_(index);
  }
  void set_enter_thread(std::function<void(std::size_t)> enter) {
    enter_thread_ = std::move(enter);
  }

 private:
  Recorder* recorder_;
  SearchWork* work_ = nullptr;
  bool instrumented_ = false;
  bool watches_memory_ = false;
  std::optional<ProgramRun> program_;
  std::function<void(std::size_t)> enter_thread_;
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
