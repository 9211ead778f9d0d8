// GPU counters through CUPTI's Range Profiler: what the whole GPU counted during a stretch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// One user range a stretch, replayed by running the same work again where the hardware can't
/// count all events at once (is_complete()). Opened by a thread that has used CUDA; a kernel of
/// another stream or process counts too.
std::unique_ptr<CounterSink> open_cupti_ranges(const Group& group);

/// What a chip (`GH100`) makes of a group. Asks CUPTI's tables: no GPU is needed.
struct ChipPlan {
  std::vector<std::string> refusals;  ///< one an event; "" when it can be counted
  std::size_t pass_count = 0;         ///< 0 when none can
};

/// Throws cupti::Failure when CUPTI can't be used or doesn't know the chip.
ChipPlan plan_on_chip(const Group& group, const std::string& chip);

/// A metric's value as the whole number that it is; nothing when CUPTI gave no number.
std::optional<std::int64_t> whole_value(double value);

}  // namespace bellmark::sinks
