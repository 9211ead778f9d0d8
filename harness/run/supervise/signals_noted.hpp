// SIGINT and SIGTERM as flags: a process that asks for them ends in order, and its files are whole.
#pragma once

#include <array>
#include <csignal>
#include <cstddef>

namespace bellmark::run {

/// During its lifetime both signals are noted and don't kill the process. Only one may exist.
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

  /// True if a signal came after the last object was made, even if that object is gone.
  static bool any() { return noted != 0; }

 private:
  static constexpr std::array kSignals = {SIGINT, SIGTERM};
  static void note(int signal) { noted = signal; }
  static inline volatile std::sig_atomic_t noted = 0;

  std::array<void (*)(int), kSignals.size()> old_{};
};

}  // namespace bellmark::run
