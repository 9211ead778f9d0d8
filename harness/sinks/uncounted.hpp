// A source that can't be used here: every event of the group is null, for one reason.
#pragma once

#include <utility>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

class Uncounted final : public CounterSink {
 public:
  Uncounted(std::string source, Group group, std::string reason)
      : source_(std::move(source)), group_(std::move(group)), reason_(std::move(reason)) {}

  std::string name() const override { return source_; }
  std::optional<std::string> unavailable() const override { return reason_; }
  void start() override {}

  std::vector<Reading> stop() override {
    std::vector<Reading> readings;
    for (const Event& event : group_.events) {
      readings.push_back({event.name, event.unit, std::nullopt, reason_});
    }
    return readings;
  }

 private:
  std::string source_;
  Group group_;
  std::string reason_;
};

}  // namespace bellmark::sinks
