// A clock that stands until a test moves it.
#pragma once

#include <cmath>
#include <cstdint>

#include "harness/measure/clock.hpp"

namespace bellmark::measure {

class FakeClock final : public Clock {
 public:
  std::int64_t now_ns() override { return now; }
  std::int64_t cpu_ns() override { return cpu; }
  /// Spends half of it on the CPU.
  void spend(double ns) {
    now += std::llround(ns);
    cpu += std::llround(ns / 2);
  }

  std::int64_t now = 1'000'000;
  std::int64_t cpu = 0;
};

}  // namespace bellmark::measure
