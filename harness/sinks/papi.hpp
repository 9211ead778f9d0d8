// Hardware and perf counters through PAPI.
#pragma once

#include <memory>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// A sink for these threads, or the calling one. Events count only if they all fit the hardware at
/// once: there is no multiplexing, and those that don't fit say so. Without PAPI every reading says
/// why.
std::unique_ptr<CounterSink> open_papi(const Group& group, const Threads& threads = {});

}  // namespace bellmark::sinks
