// Counts that a file says, for tests on machines without counter hardware.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// The events that a processor has, and a count of each.
struct Recording {
  std::string processor;
  std::string source;  ///< of the events, and of the counts
  std::map<std::string, std::int64_t> counts;
};

/// Reads one file of recordings/. Throws InputError with file:line for anything unexpected.
Recording read_recording(const std::filesystem::path& path);

/// Each stretch and each thread has the recording's counts. An event that the processor lacks has
/// no value, and the reason names the processor. The sink is not measured: results say so.
std::unique_ptr<CounterSink> open_recorded(const Group& group, const Recording& recording,
                                           const Threads& threads = {});

}  // namespace bellmark::sinks
