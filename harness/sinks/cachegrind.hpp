// Cache misses of a run in valgrind's simulator: a separate source for machines without a PMU.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/sinks/sink.hpp"

namespace bellmark::sinks {

/// The counter group's name, and the source's name in results.
inline constexpr const char* kCachegrind = "cachegrind";
inline constexpr const char* kCachegrindSource = "cachegrind (simulated)";

/// The command words in front of a program that run it in a simulator; none if it can't run, with
/// the reason.
struct Simulator {
  std::vector<std::string> words;
  std::string absence;
};

/// Writes the counts of a copy of this program to `output`. The first-level data cache and the last
/// level have the sizes of `caches` and lines of 64 bytes. Their associativity is the least from 8
/// on that cachegrind takes with that size. An unknown cache is left to cachegrind. Absent if
/// valgrind isn't on the PATH or in a sanitizer's build, whose memory valgrind can't map.
Simulator cachegrind(const std::filesystem::path& output,
                     const std::vector<machine::Cache>& caches);

/// The counts of a run, less those of a run that only prepared: instructions, data accesses, and
/// misses of the first-level data cache and of the last level. They come from the texts of two
/// output files. A count that can't be read, or went down, has a reason in place of its value.
std::vector<Reading> cachegrind_readings(const std::string& run, const std::string& prepared);

/// The same readings without values, all for `reason`.
std::vector<Reading> no_cachegrind_readings(const std::string& reason);

}  // namespace bellmark::sinks
