#include "harness/measure/clock.hpp"

#include <ctime>

namespace bellmark::measure {
namespace {

std::int64_t read(clockid_t id) {
  timespec time{};
  clock_gettime(id, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

class SystemClock final : public Clock {
 public:
  std::int64_t now_ns() override { return read(CLOCK_MONOTONIC); }
  std::int64_t cpu_ns() override { return read(CLOCK_PROCESS_CPUTIME_ID); }
};

}  // namespace

Clock& Clock::system() {
  static SystemClock clock;
  return clock;
}

}  // namespace bellmark::measure
