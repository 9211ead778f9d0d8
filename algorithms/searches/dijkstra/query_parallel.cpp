// The keys of the query-parallel Dijkstra families.
#include "algorithms/searches/dijkstra/query_parallel.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace bellmark::dijkstra {
namespace {

constexpr std::string_view kThreads = "threads";
constexpr int kMostThreads = 1024;

bool varies(const std::string& key) {
  constexpr std::array<std::string_view, 4> kVarying = {"queue", "arity", "width", "distance"};
  return std::ranges::find(kVarying, key) != kVarying.end();
}

}  // namespace

Description describe_queries(const Options& options) {
  Description description = describe(options);
  description.source = "yasui2011 section 3.6: Algorithm 3";
  description.batch = true;
  std::erase_if(description.keys, [](const Key& key) { return !varies(key.name); });
  description.keys.front().choices.clear();
  for (const Queue queue : kQueuesForQueries) {
    description.keys.front().choices.push_back(text(queue));
  }
  description.keys.push_back(at_run_time(integer_key(
      std::string(kThreads), 1, 1, kMostThreads, "Number of threads; each has its own work area")));
  const Settings instance = std::exchange(description.instance, {});
  for (const auto& [key, value] : instance.entries()) {
    if (varies(key)) description.instance.set(key, value);
  }
  description.aliases = {
      {"yasui2011:parallel-2-heap", "queue=heap,arity=2,width=32,distance=64"},
      {"yasui2011:parallel-2-heap*", "queue=heap-dynamic,arity=2,width=32,distance=64"},
      {"yasui2011:parallel-buckets", "queue=dial,width=32,distance=64"},
  };
  return description;
}

Settings resolve_queries(const Settings& settings, const Graph& graph) {
  Settings compiled;
  for (const auto& [key, value] : settings.entries()) {
    if (key != kThreads) compiled.set(key, value);
  }
  Settings resolved = resolve(compiled, graph, kBuiltForQueries);
  resolved.set(kThreads, settings.get(kThreads));
  return resolved;
}

}  // namespace bellmark::dijkstra
