// GPU counters through CUPTI's Range Profiler: the counts of the whole GPU during a stretch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// One user range for each stretch. If the hardware can't count all events at once, the same work
/// runs again (is_complete()). Opened by a thread that has used CUDA. Kernels of other streams and
/// processes count too.
std::unique_ptr<CounterSink> open_cupti_ranges(const Group& group);

/// The plan of a chip (`GH100`) for a group. Asks CUPTI's tables: no GPU is needed.
struct ChipPlan {
  std::vector<std::string> refusals;  ///< one for each event; "" when it can be counted
  std::size_t pass_count = 0;         ///< 0 when no event can be counted
};

/// Throws cupti::Failure when CUPTI can't be used or doesn't know the chip.
ChipPlan plan_on_chip(const Group& group, const std::string& chip);

/// A metric's value as a whole number; nothing when CUPTI gave no number.
std::optional<std::int64_t> whole_value(double value);

}  // namespace bellmark::sinks
