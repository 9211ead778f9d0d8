// Profilers of others as a pass: how one is started around a process, and what it found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bellmark::sinks {

/// `perf`, `callgrind`, `nsys`, `ncu`.
const std::vector<std::string>& profiler_names();

/// Throws InputError with the names when it is none of them.
void check_profiler(const std::string& name);

/// A profiler around one process; no words where there is a reason why it can't be.
struct Profiler {
  std::vector<std::string> words;  ///< in front of the program's own
  std::string unit;                ///< what it counts a stack by
  std::string absence;
};

/// What the artefact's name ends in: nsys and ncu add their own where it is another.
std::string artefact_ending(const std::string& name);

/// Writes what it finds to `artefact`. perf samples the cycles of user code, and where the kernel
/// shows no PMU the CPU's clock. It is asked first whether it may record here.
Profiler profiler(const std::string& name, const std::filesystem::path& artefact);

/// `main;run;relax`, the outermost function first, and how much of the unit it had.
using Stacks = std::vector<std::pair<std::string, std::uint64_t>>;

/// From what `perf script -F comm,ip,sym` printed.
Stacks stacks_of_perf(const std::string& script);

/// From a file of callgrind: each function alone, without those that it calls.
Stacks stacks_of_callgrind(const std::string& file);

/// The stacks in an artefact, largest first; at most `most` of them, and the others' sum as
/// `(others)`. None of nsys and ncu, whose artefacts their own programs show. Throws MachineError
/// when it can't be read.
Stacks stacks_of(const std::string& name, const std::filesystem::path& artefact, std::size_t most);

}  // namespace bellmark::sinks
