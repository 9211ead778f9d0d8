// Variants for the tests of code that runs variants; fake_variants_test.cpp registers them.
//   sssp/uses-gpu      says that it needs CUDA, and answers on the CPU
//   sssp/extracts-once  writes an answer only the first time that it is asked
//   sssp/clock-driven  the same, keeps a phase log and writes down how it was run
//   rank-sum/all-reduce  sums over ranks (tests/variants/command_line/rank_sum.hpp)
//   divisor/least, divisor/largest  find a divisor of a number: either one is right
#pragma once

#include <string>
#include <vector>

namespace bellmark::run {

/// `plain SOURCE` or `instrumented SOURCE` for every run of sssp/clock-driven since it was cleared.
std::vector<std::string>& clock_driven_runs();

}  // namespace bellmark::run
