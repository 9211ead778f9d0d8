// A sink with given readings, for tests of code that uses sinks.
#pragma once

#include <utility>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// stop() returns the readings that it was made with. Throws std::logic_error when start() and
/// stop() don't alternate.
class FakeSink final : public CounterSink {
 public:
  explicit FakeSink(std::vector<Reading> readings) : readings_(std::move(readings)) {}

  std::string name() const override { return "fake"; }
  std::optional<std::string> unavailable() const override;
  void start() override;
  std::vector<Reading> stop() override;

  int start_count() const { return start_count_; }

 private:
  std::vector<Reading> readings_;
  int start_count_ = 0;
  bool is_running_ = false;
};

}  // namespace bellmark::sinks
