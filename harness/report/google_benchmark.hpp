// Results in Google Benchmark's form, for programs that track times from commit to commit.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// The beginning of such a file, which no other file has.
inline constexpr std::string_view kGoogleBenchmarkBegin = "{\n  \"context\": {";

/// One row for each measured cell, with its median. A result's own `benchmarks` also have a row for
/// each sample and a standard deviation, which trackers take for times.
Json google_benchmark(const std::vector<Json>& results);

}  // namespace bellmark::report
