#include "algorithms/searches/owned_regions/options.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/label_correcting/options.hpp"

namespace bellmark::owned_regions {
namespace {

constexpr std::uint64_t kWidestDelta = std::uint64_t{1} << 30;

}  // namespace

Description describe(int distance_bits) {
  constexpr std::int64_t kLongestLength = std::numeric_limits<Length>::max();
  Description description;
  description.summary = "Threads with regions and buckets of their own, without a barrier";
  description.source =
      "approximate buckets: Cherkassky, Goldberg, Radzik 1996; owners and messages as between "
      "hosts: Chakaravarthy et al. 2017";
  description.keys = {
      at_run_time(integer_key("threads", 1, 1, static_cast<std::int64_t>(kMostThreads),
                              "Number of threads that share a query")),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(integer_key("regions", 0, 0, 1'000'000,
                              "Number of regions of all threads together. 0: 4 for each thread"),
                  true),
      at_run_time(integer_key("delta", 0, 0, kLongestLength,
                              "Width of a bucket, a power of two. 0: from lengths and degrees, "
                              "times the square root of the number of threads"),
                  true, "length"),
      at_run_time(integer_key("window", 32, 0, 1'000'000,
                              "Number of buckets that a thread may be ahead of the last thread"),
                  true),
  };
  description.keys.push_back(contracted::contract_key());
  description.instance = {{"distance", std::to_string(distance_bits)}};
  description.needs = {Need::non_negative};
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  const Settings found = label_correcting::resolve({{"queue", "approximate"},
                                                    {"rows", "four-slots"},
                                                    {"direction", "push"},
                                                    {"prefetch", "yes"},
                                                    {"distance", settings.get("distance")},
                                                    {"delta", settings.get("delta")},
                                                    {"horizon", "0"}},
                                                   graph);
  Settings resolved = settings;
  resolved.set("distance", found.get("distance"));
  resolved.set("delta", found.get("delta"));
  if (settings.integer("delta") == 0) {
    const double root = std::sqrt(static_cast<double>(settings.integer("threads")));
    const std::uint64_t wide = static_cast<std::uint64_t>(found.integer("delta")) *
                               std::bit_ceil(static_cast<std::uint64_t>(std::ceil(root)));
    resolved.set("delta", std::to_string(std::min(wide, kWidestDelta)));
  }
  if (settings.integer("regions") == 0) {
    resolved.set("regions", std::to_string(kRegionsPerThread * settings.integer("threads")));
  }
  return resolved;
}

Tuning tuning(const Settings& resolved) {
  Tuning tuning;
  tuning.thread_count = static_cast<std::size_t>(resolved.integer("threads"));
  tuning.region_count = static_cast<std::size_t>(resolved.integer("regions"));
  tuning.delta_log2 = std::countr_zero(static_cast<std::uint64_t>(resolved.integer("delta")));
  tuning.window = static_cast<std::uint64_t>(resolved.integer("window"));
  tuning.contracts = contracted::contracts(resolved);
  return tuning;
}

}  // namespace bellmark::owned_regions
