// Cache misses of a run in valgrind's simulator: a source of its own where there is no PMU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// The counter group's name, and what results call the source.
inline constexpr const char* kCachegrind = "cachegrind";
inline constexpr const char* kCachegrindSource = "cachegrind (simulated)";

/// The command words in front of a program that run it in a simulator; none where there is a reason
/// why it can't be.
struct Simulator {
  std::vector<std::string> words;
  std::string absence;
};

/// Writes the counts of a copy of this program to `output`. The first-level data cache and the last
/// level have the sizes of `caches`, lines of 64 bytes, and the least associativity from 8 on that
/// cachegrind takes with that size; a cache that isn't known is left to cachegrind. Absent where
/// valgrind isn't on the PATH or this is a sanitizer's build, whose memory valgrind can't map.
Simulator cachegrind(const std::filesystem::path& output,
                     const std::vector<machine::Cache>& caches);

/// What a run counted beyond one that only prepared: instructions, data accesses, and misses of the
/// first-level data cache and of the last level, from the texts of two output files. A count that
/// can't be read, or went down, has a reason in place of its value.
std::vector<Reading> cachegrind_readings(const std::string& run, const std::string& prepared);

/// The same readings without values, all for `reason`.
std::vector<Reading> no_cachegrind_readings(const std::string& reason);

}  // namespace bellmark::sinks
