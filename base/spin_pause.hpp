// What a core does in a loop that waits for another core.
#pragma once

namespace bellmark {

/// Leaves the core to its other thread, and memory to whoever writes the awaited line. It is a
/// hint: `yield` does nothing on many cores of ARM.
inline void spin_pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace bellmark
