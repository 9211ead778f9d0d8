#include "harness/run/worker/queue_watch.hpp"

#include <time.h>

#include <algorithm>
#include <utility>

namespace bellmark::run {
namespace {

std::int64_t own_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

void QueueWatch::begin(std::span<const pid_t> threads) {
  for (const pid_t thread : threads) {
    auto found = watched_.find(thread);
    if (found == watched_.end()) {
      found = watched_.emplace(thread, Watched{machine::QueueTime(thread)}).first;
    }
    found->second.begin_ns = found->second.time.ns();
  }
}

void QueueWatch::begin(pid_t process) {
  process_ = process;
  before_ = machine::queue_times_of(process);
  own_before_ns_ = own_cpu_ns();
}

void QueueWatch::end(std::int64_t run_ns) {
  if (const pid_t process = std::exchange(process_, 0); process != 0) {
    const std::int64_t own_ns = own_cpu_ns() - own_before_ns_;
    const auto queued = machine::longest_gain(before_, machine::queue_times_of(process));
    if (queued) end(run_ns, lost_to_others(*queued, own_ns));  // else the kernel does not tell
    return;
  }
  if (!watched_.empty()) runs_ns_ += run_ns;
  for (auto& [thread, watched] : watched_) {
    const auto begin_ns = std::exchange(watched.begin_ns, std::nullopt);
    if (!begin_ns) continue;
    const auto end_ns = watched.time.ns();
    if (!end_ns) continue;
    watched.sum_ns += std::min(run_ns, *end_ns - *begin_ns);
    watched.is_told = true;
  }
}

void QueueWatch::end(std::int64_t run_ns, std::int64_t queued_ns) {
  watched_.clear();
  runs_ns_ += run_ns;
  program_ns_ = program_ns_.value_or(0) + std::min(run_ns, queued_ns);
}

std::optional<std::int64_t> QueueWatch::longest_ns() const {
  if (program_ns_) return program_ns_;
  std::optional<std::int64_t> longest;
  for (const auto& [thread, watched] : watched_) {
    if (watched.is_told) longest = std::max(longest.value_or(0), watched.sum_ns);
  }
  return longest;
}

}  // namespace bellmark::run
