// Sets the clock of chosen cores through Linux's cpufreq files, and always restores it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/files.hpp"

namespace bellmark::machine {

/// The word that leaves the clock alone.
inline constexpr const char* kUnchanged = "unchanged";

/// Why the clock of these PUs can't be set to `word` here; "" when it can. `pus` are OS indices.
/// Throws InputError when `word` is not `unchanged`, `min`, `max` or a clock such as `2000MHz`.
std::string frequency_absence(std::string_view word, const std::vector<unsigned>& pus,
                              const FileRoot& root = {});

/// The highest clock that cpufreq allows on a PU, or why it is unknown.
struct HighestClock {
  std::optional<double> mhz;
  std::string reason;
};
HighestClock highest_clock(unsigned pu, const FileRoot& root = {});

/// Holds the clock of some PUs at a value during its lifetime. A small process waits for the end of
/// a pipe and then writes the old limits back. So they return after a crash, a signal or a SIGKILL,
/// too. If that process was killed, the destructor does it. The governor may stay as it is: between
/// equal limits it has no choice.
class FrequencyControl {
 public:
  /// Does nothing for `unchanged`. Throws UnmetError when frequency_absence() has a reason, and
  /// MachineError when a limit can't be written.
  FrequencyControl(std::string_view word, const std::vector<unsigned>& pus,
                   const FileRoot& root = {});
  ~FrequencyControl();
  FrequencyControl(const FrequencyControl&) = delete;
  FrequencyControl& operator=(const FrequencyControl&) = delete;

 private:
  /// One write to one file.
  struct Write {
    std::string path;
    std::string text;
  };
  static bool perform(const std::vector<Write>& writes);
  void start_guard();
  void restore();

  std::vector<Write> restoring_;
  int pipe_ = -1;
  pid_t guard_ = -1;
};

}  // namespace bellmark::machine
