// External profilers as a pass: their start around a process, and their findings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace bellmark::sinks {

/// `perf`, `callgrind`, `nsys`, `ncu`.
const std::vector<std::string>& profiler_names();

/// Throws InputError with the valid names if it is not one of them.
void check_profiler(const std::string& name);

/// A profiler around one process; no words if it can't run, with the reason.
struct Profiler {
  std::vector<std::string> words;  ///< in front of the program's own
  std::string unit;                ///< the unit of a stack's count
  std::string absence;
};

/// The ending of the artefact's name. nsys and ncu append their own ending to any other name.
std::string artefact_ending(const std::string& name);

/// Writes its findings to `artefact`. perf samples the cycles of user code, or the CPU's clock if
/// the kernel shows no PMU. perf is first asked whether it may record here.
Profiler profiler(const std::string& name, const std::filesystem::path& artefact);

/// `main;run;relax`, the outermost function first, and its amount of the unit.
using Stacks = std::vector<std::pair<std::string, std::uint64_t>>;

/// From the output of `perf script -F comm,ip,sym`.
Stacks stacks_of_perf(const std::string& script);

/// From a file of callgrind: each function alone, without the functions that it calls.
Stacks stacks_of_callgrind(const std::string& file);

/// The stacks in an artefact, largest first: at most `most`, and the sum of the others as
/// `(others)`. None of nsys and ncu, whose own programs show their artefacts. Throws MachineError
/// when it can't be read.
Stacks stacks_of(const std::string& name, const std::filesystem::path& artefact, std::size_t most);

}  // namespace bellmark::sinks
