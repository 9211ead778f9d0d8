// SIGINT and SIGTERM as something to ask for: whoever waits ends in order, and files are whole.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace bellmark::run {

/// While one lives, both signals are noted instead of killing the process. One at a time.
class SignalsNoted {
 public:
  SignalsNoted() {
    noted = 0;
    for (std::size_t i = 0; i < kSignals.size(); ++i) old_[i] = std::signal(kSignals[i], note);
  }
  SignalsNoted(const SignalsNoted&) = delete;
  SignalsNoted& operator=(const SignalsNoted&) = delete;
  ~SignalsNoted() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) std::signal(kSignals[i], old_[i]);
  }

  /// Since the last one began, which may have ended.
  static bool any() { return noted != 0; }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM};
  static void note(int signal) { noted = signal; }
  static inline volatile std::sig_atomic_t noted = 0;

  std::array<void (*)(int), kSignals.size()> old_{};
};

}  // namespace bellmark::run
