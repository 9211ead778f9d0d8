// Hardware and perf counters through PAPI.
#pragma once

#include <memory>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// A sink for these threads, or for the calling thread. Events count only if they all fit the
/// hardware at once. There is no multiplexing, and events that don't fit say so. Without PAPI every
/// reading has the reason.
std::unique_ptr<CounterSink> open_papi(const Group& group, const Threads& threads = {});

}  // namespace bellmark::sinks
