// Events that the operating system counts for every thread, with no counter hardware.
#include "harness/sinks/software_events.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <stdexcept>

#include "harness/machine/files.hpp"

namespace bellmark::sinks {
namespace {

using Snapshot = SoftwareEvents::Snapshot;
using Count = std::optional<std::int64_t>;

std::int64_t to_ns(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1'000;
}

/// One event this source knows: its unit and how to find it in a snapshot.
struct Known {
  std::string_view name;
  std::string_view unit;
  Count (*count)(const Snapshot&);
};

constexpr std::array kKnown{
    Known{"rusage::MINOR-FAULTS", "count",
          [](const Snapshot& s) { return Count(s.usage.ru_minflt); }},
    Known{"rusage::MAJOR-FAULTS", "count",
          [](const Snapshot& s) { return Count(s.usage.ru_majflt); }},
    Known{"rusage::VOLUNTARY-SWITCHES", "count",
          [](const Snapshot& s) { return Count(s.usage.ru_nvcsw); }},
    Known{"rusage::INVOLUNTARY-SWITCHES", "count",
          [](const Snapshot& s) { return Count(s.usage.ru_nivcsw); }},
    Known{"rusage::USER-TIME", "ns",
          [](const Snapshot& s) { return Count(to_ns(s.usage.ru_utime)); }},
    Known{"rusage::SYSTEM-TIME", "ns",
          [](const Snapshot& s) { return Count(to_ns(s.usage.ru_stime)); }},
    Known{"perf::PAGE-FAULTS", "count",
          [](const Snapshot& s) { return Count(s.usage.ru_minflt + s.usage.ru_majflt); }},
    Known{"perf::CONTEXT-SWITCHES", "count",
          [](const Snapshot& s) { return Count(s.usage.ru_nvcsw + s.usage.ru_nivcsw); }},
    Known{"perf::CPU-MIGRATIONS", "count", [](const Snapshot& s) { return s.migration_count; }},
    Known{"perf::TASK-CLOCK", "ns", [](const Snapshot& s) { return Count(s.cpu_ns); }},
};

const Known* find_known(const Event& event) {
  const auto found = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& known) {
    return known.name == event.name && known.unit == event.unit;
  });
  return found == kKnown.end() ? nullptr : &*found;
}

Count migrations() {
  // Only kernels with scheduler statistics have this file.
  const machine::FileText sched = machine::FileRoot().read("/proc/thread-self/sched");
  const std::optional<std::string> value =
      machine::field(sched.text.value_or(""), "se.nr_migrations", ':');
  return value ? Count(machine::to_integer(*value)) : std::nullopt;
}

void read_usage(Snapshot& snapshot) {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  snapshot.cpu_ns = std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  getrusage(RUSAGE_THREAD, &snapshot.usage);
}

/// The kernel adds a program to this when it has ended and was waited for.
Snapshot usage_of_programs() {
  Snapshot snapshot;
  getrusage(RUSAGE_CHILDREN, &snapshot.usage);
  snapshot.cpu_ns = to_ns(snapshot.usage.ru_utime) + to_ns(snapshot.usage.ru_stime);
  return snapshot;
}

/// A program that was started has touched pages.
bool has_program_ended(const Snapshot& before, const Snapshot& after) {
  return after.usage.ru_minflt > before.usage.ru_minflt;
}

Reading reading_of(const Event& event, const Snapshot& before, const Snapshot& after,
                   SoftwareEvents::Of of) {
  Reading reading{.name = event.name, .unit = event.unit, .value = {}, .reason = {}};
  const Known* const known = find_known(event);
  if (known == nullptr) {
    reading.reason = of == SoftwareEvents::Of::thread
                         ? "the operating system does not count this event for a thread"
                         : "the operating system does not count this event for a program";
    return reading;
  }
  if (of == SoftwareEvents::Of::programs && !has_program_ended(before, after)) {
    reading.reason = "the operating system counts a program when it ends, and this one goes on";
    return reading;
  }
  const Count first = known->count(before);
  const Count last = known->count(after);
  if (first && last) {
    reading.value = *last - *first;
  } else {
    reading.reason = of == SoftwareEvents::Of::thread
                         ? "/proc/thread-self/sched does not tell"
                         : "the operating system does not count this event for a program";
  }
  return reading;
}

}  // namespace

std::optional<std::string> SoftwareEvents::unavailable() const {
  if (std::any_of(group_.events.begin(), group_.events.end(),
                  [](const Event& event) { return find_known(event) != nullptr; })) {
    return std::nullopt;
  }
  return "the operating system counts no event of group '" + group_.name + "' for a thread";
}

void SoftwareEvents::start() {
  if (of_ == Of::programs) {
    before_ = usage_of_programs();
    return;
  }
  Snapshot now;
  // The file is read outside the counted stretch: that allocates and faults on its own.
  now.migration_count = migrations();
  read_usage(now);
  before_ = now;
}

Snapshot SoftwareEvents::snapshot() const {
  if (of_ == Of::programs) return usage_of_programs();
  Snapshot now;
  read_usage(now);
  now.migration_count = migrations();
  return now;
}

std::vector<Reading> SoftwareEvents::stop() {
  const Snapshot after = snapshot();
  if (!before_) throw std::logic_error("software events: stopped, but not started");
  std::vector<Reading> readings;
  for (const Event& event : group_.events) {
    readings.push_back(reading_of(event, *before_, after, of_));
  }
  before_.reset();
  return readings;
}

}  // namespace bellmark::sinks
