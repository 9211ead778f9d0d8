// Events that the operating system counts for every thread, without counter hardware.
#include "harness/sinks/software_events.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <numeric>
#include <stdexcept>
#include <string_view>

#include "harness/machine/files.hpp"

namespace bellmark::sinks {
namespace {

using Snapshot = SoftwareEvents::Snapshot;
using Count = std::optional<std::int64_t>;

std::int64_t to_ns(const timeval& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + std::int64_t{time.tv_usec} * 1'000;
}

/// One event of this source: its unit and its place in a snapshot.
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

/// The snapshot of another thread of this process. Throws std::runtime_error when it is gone.
Snapshot usage_of_thread(pid_t thread) {
  const std::string folder = "/proc/self/task/" + std::to_string(thread);
  const machine::FileRoot root;
  const auto text = [&](const char* name) { return root.read(folder + name).text.value_or(""); };
  Snapshot snapshot;
  // The name in parentheses may hold anything; minor and major faults are the 10th and 12th field.
  const std::string stat = text("/stat");
  const std::vector<std::string> fields =
      machine::words(std::string_view(stat).substr(std::min(stat.size(), stat.rfind(')') + 1)));
  const std::vector<std::string> times = machine::words(text("/schedstat"));
  constexpr std::size_t kMinorFaults = 7;
  constexpr std::size_t kMajorFaults = 9;
  if (fields.size() <= kMajorFaults || times.empty()) {
    throw std::runtime_error("thread " + std::to_string(thread) + " has ended, or " + folder +
                             " can't be read");
  }
  const auto number = [](const std::string& word) { return machine::to_integer(word).value_or(0); };
  snapshot.usage.ru_minflt = number(fields[kMinorFaults]);
  snapshot.usage.ru_majflt = number(fields[kMajorFaults]);
  snapshot.cpu_ns = number(times[0]);
  const std::string status = text("/status");
  const auto count = [&](const char* key) {
    return number(machine::field(status, key, ':').value_or(""));
  };
  snapshot.usage.ru_nvcsw = count("voluntary_ctxt_switches");
  snapshot.usage.ru_nivcsw = count("nonvoluntary_ctxt_switches");
  const auto migrations = machine::field(text("/sched"), "se.nr_migrations", ':');
  if (migrations) snapshot.migration_count = machine::to_integer(*migrations);
  return snapshot;
}

/// Why the source has no value of an event that it knows.
std::string reason_of(SoftwareEvents::Of of) {
  return of == SoftwareEvents::Of::programs
             ? "the operating system does not count this event for a program"
             : "/proc/thread-self/sched does not tell";
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
  if (of_ == Of::thread) {
    Snapshot now;
    // The file is read outside the counted stretch: reading allocates and faults, too.
    now.migration_count = migrations();
    read_usage(now);
    before_ = {now};
  } else if (of_ == Of::programs) {
    before_ = {usage_of_programs()};
  } else {
    // The first thread is mostly the reader, and reading costs it time and faults: it comes last.
    before_.resize(threads_.size());
    failure_.clear();
    try {
      for (std::size_t i = threads_.size(); i-- > 0;) before_[i] = usage_of_thread(threads_[i]);
    } catch (const std::runtime_error& gone) {
      failure_ = gone.what();
    }
  }
}

std::vector<Snapshot> SoftwareEvents::snapshots() const {
  if (of_ == Of::programs) return {usage_of_programs()};
  std::vector<Snapshot> snapshots;
  if (of_ == Of::threads) {
    for (const pid_t thread : threads_) snapshots.push_back(usage_of_thread(thread));
    return snapshots;
  }
  read_usage(snapshots.emplace_back());
  snapshots.front().migration_count = migrations();
  return snapshots;
}

Reading SoftwareEvents::reading_of(const Event& event, const std::vector<Snapshot>& after) const {
  Reading reading{.name = event.name, .unit = event.unit, .value = {}, .reason = {}};
  const Known* const known = find_known(event);
  if (known == nullptr) {
    reading.reason = of_ == Of::programs
                         ? "the operating system does not count this event for a program"
                         : "the operating system does not count this event for a thread";
    return reading;
  }
  if (of_ == Of::programs && !has_program_ended(before_.front(), after.front())) {
    reading.reason = "the operating system counts a program when it ends, and this one goes on";
    return reading;
  }
  if (of_ == Of::threads && event.name.ends_with("-TIME")) {
    reading.reason = "of another thread the operating system tells this in steps of 10 ms only";
    return reading;
  }
  std::vector<std::int64_t> counts;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Count first = known->count(before_[i]);
    const Count last = known->count(after[i]);
    if (!first || !last) {
      reading.reason = reason_of(of_);
      return reading;
    }
    counts.push_back(*last - *first);
  }
  reading.value = std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
  if (counts.size() > 1) reading.by_thread = std::move(counts);
  return reading;
}

std::vector<Reading> SoftwareEvents::stop() {
  if (before_.empty()) throw std::logic_error("software events: stopped, but not started");
  std::vector<Snapshot> after;
  try {
    after = snapshots();
  } catch (const std::runtime_error& gone) {
    failure_ = gone.what();
  }
  std::vector<Reading> readings;
  for (const Event& event : group_.events) {
    readings.push_back(failure_.empty() ? reading_of(event, after)
                                        : Reading{event.name, event.unit, std::nullopt, failure_});
  }
  before_.clear();
  return readings;
}

}  // namespace bellmark::sinks
