// Results in Google Benchmark's form, for programs that track times from commit to commit.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// What tells such a file from any other.
inline constexpr std::string_view kGoogleBenchmarkBegin = "{\n  \"context\": {";

/// One row a measured cell, its median. A result's own `benchmarks` have a row a sample and a
/// standard deviation beside them, which trackers take for times.
Json google_benchmark(const std::vector<Json>& results);

}  // namespace bellmark::report
