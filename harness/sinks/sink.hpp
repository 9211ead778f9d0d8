// The interface of every source of counter readings, and the choice of a source by its group's
// name.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/sinks/group.hpp"

namespace bellmark::sinks {

/// The count of one event between start() and stop(), or why it is unknown.
struct Reading {
  std::string name;
  std::string unit;                   ///< `count`, `bytes` or `ns`
  std::optional<std::int64_t> value;  ///< never 0 because a counter is missing
  std::string reason;                 ///< why there is no value; "" when there is one
  /// The count of each of several threads, in the order of the Threads; empty for one thread, and
  /// without a value.
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

  /// The source: `papi`, `software`, `cupti`, `fake`, `recorded: PROCESSOR`.
  virtual std::string name() const = 0;

  /// False if the readings come from a file. Results then name the source beside the group.
  virtual bool is_measured() const { return true; }

  /// Why no event of the group can be counted here; nothing when at least one can.
  virtual std::optional<std::string> unavailable() const = 0;

  /// Counts from zero. A missing counter is no failure here: stop() reports it.
  virtual void start() = 0;

  /// One reading for every event of the group, in its order. Call after start() only.
  virtual std::vector<Reading> stop() = 0;

  /// False after stop() if not all events can be counted at once. Then the same work must run again
  /// between start() and stop(), and the readings are those of the last time.
  virtual bool is_complete() const { return true; }
};

/// Adds the readings of one stretch to those of the stretches before. An event that could not be
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

/// Opens the source that the group names. $BELLMARK_RECORDED_EVENTS, a file of recordings/,
/// replaces all sources on the CPU, for tests. A group without a source takes PAPI, if that counts
/// at least one of its events. Otherwise it takes the operating system's own figures, if they have
/// one. Otherwise it takes a sink whose readings all give the reason. A GPU counts the work of all
/// threads. Throws InputError when there is no such group.
std::unique_ptr<CounterSink> open_group(const std::string& name, const Threads& threads = {});

}  // namespace bellmark::sinks
