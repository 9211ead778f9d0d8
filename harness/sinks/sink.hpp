// What every source of counter readings offers, and how to open one by the name of its group.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/sinks/group.hpp"

namespace bellmark::sinks {

/// What one event counted between start() and stop(), or why that is unknown.
struct Reading {
  std::string name;
  std::string unit;                   ///< `count`, `bytes` or `ns`
  std::optional<std::int64_t> value;  ///< never 0 for want of a counter
  std::string reason;                 ///< why there is no value; "" when there is one
  /// What each of several threads had, in the order of the Threads; empty of one, and without a
  /// value.
  std::vector<std::int64_t> by_thread = {};
};

/// Threads of this process by the system's numbers; none: the thread that opens the sink.
using Threads = std::vector<pid_t>;

/// Counts events of the threads that it was opened for. The thread that opened it must also start
/// and stop it. Threads that these start are not counted.
class CounterSink {
 public:
  CounterSink() = default;
  CounterSink(const CounterSink&) = delete;
  CounterSink& operator=(const CounterSink&) = delete;
  virtual ~CounterSink() = default;

  /// The source: `papi`, `software`, `cupti`, `fake`.
  virtual std::string name() const = 0;

  /// Why no event of the group can be counted here; nothing when at least one can.
  virtual std::optional<std::string> unavailable() const = 0;

  /// Counts from zero. Never fails for want of a counter: stop() tells.
  virtual void start() = 0;

  /// One reading for every event of the group, in its order. Call after start() only.
  virtual std::vector<Reading> stop() = 0;

  /// False after stop() where not all events can be counted at once: the same work must be done
  /// again between start() and stop(), and the readings are those of the last time.
  virtual bool is_complete() const { return true; }
};

/// Adds the readings of one stretch to those of the stretches before; an event that could not be
/// read in one of them has no sum.
void add_readings(std::vector<Reading>& total, const std::vector<Reading>& readings);

/// A ratio of two events' sums, or why there is none.
struct RatioReading {
  std::string name;
  std::optional<double> value;
  std::string reason;  ///< "" when there is a value
};

/// The group's ratios, from the sums over all queries.
std::vector<RatioReading> ratio_readings(const Group& group, const std::vector<Reading>& total);

/// The source that the group names. Without one: PAPI where it counts at least one event of the
/// group, otherwise the operating system's own figures where those do, otherwise a sink whose
/// readings all say why they have no value. A GPU counts whatever thread gave it work. Throws
/// InputError when there is no such group.
std::unique_ptr<CounterSink> open_group(const std::string& name, const Threads& threads = {});

}  // namespace bellmark::sinks
