#include "harness/run/worker/last_words.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <vector>

namespace bellmark::run {
namespace {

std::atomic<const std::string*> words{nullptr};
int words_fd = -1;

/// Calls only functions that a signal handler may call.
extern "C" void say_last_words(int number) {
  if (const std::string* const line = words.exchange(nullptr)) {
    [[maybe_unused]] const ssize_t ignored = write(words_fd, line->data(), line->size());
  }
  // The handler was reset when it was called, so this ends the process as if there had been none.
  raise(number);
}

}  // namespace

void install_last_words(int event_fd) {
  words_fd = event_fd;
  // A full stack has no room for a handler.
  static std::vector<char> stack(std::size_t{64} << 10);
  stack_t alternative{};
  alternative.ss_sp = stack.data();
  alternative.ss_size = stack.size();
  sigaltstack(&alternative, nullptr);
  for (const int number : std::array{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    struct sigaction known {};
    // Sanitizers have handlers of their own, which report more.
    if (sigaction(number, nullptr, &known) != 0 || known.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = say_last_words;
    action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
    sigaction(number, &action, nullptr);
  }
}

void set_last_words(const std::string* line) { words.store(line, std::memory_order_relaxed); }

}  // namespace bellmark::run
