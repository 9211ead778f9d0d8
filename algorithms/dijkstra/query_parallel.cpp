// The keys of the query-parallel Dijkstra families.
#include "algorithms/dijkstra/query_parallel.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace bellmark::dijkstra {
namespace {

constexpr int kMostThreads = 1024;

}  // namespace

Description describe_queries(const Options& options) {
  constexpr std::array<std::string_view, 5> kFixed = {"extract", "vertices", "arcs", "levels",
                                                      "caliber"};
  const auto is_fixed = [&](const std::string& key) {
    return std::ranges::find(kFixed, key) != kFixed.end();
  };
  Description description = describe(options);
  description.source = "yasui2011 section 3.6: Algorithm 3";
  description.batch = true;
  std::erase_if(description.keys, [&](const Key& key) { return is_fixed(key.name); });
  description.keys.push_back(at_run_time(
      integer_key("threads", 1, 1, kMostThreads, "threads, each with a work area of its own")));
  const Settings instance = std::exchange(description.instance, {});
  for (const auto& [key, value] : instance.entries()) {
    if (!is_fixed(key)) description.instance.set(key, value);
  }
  description.aliases = {
      {"yasui2011:parallel-2-heap", "queue=heap,arity=2,width=32,distance=64"},
      {"yasui2011:parallel-2-heap*", "queue=heap-dynamic,arity=2,width=32,distance=64"},
      {"yasui2011:parallel-buckets", "queue=dial,width=32,distance=64"},
  };
  return description;
}

}  // namespace bellmark::dijkstra
