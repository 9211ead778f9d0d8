#include "algorithms/searches/harish/options.hpp"

#include <cstdint>
#include <string>

#include "algorithms/searches/dijkstra/options.hpp"
#include "base/error.hpp"

namespace bellmark::harish {
namespace {

std::string text(ThreadCreation threads) {
  switch (threads) {
    case ThreadCreation::all_vertices:
      return "all-vertices";
    case ThreadCreation::updated_vertices:
      return "updated-vertices";
    case ThreadCreation::adaptive:
      return "adaptive";
  }
  return "unknown";
}

std::string text(Loop loop) {
  switch (loop) {
    case Loop::host:
      return "host";
    case Loop::graph:
      return "graph";
    case Loop::cooperative:
      return "cooperative";
  }
  return "unknown";
}

}  // namespace

Description describe(const Options& o) {
  constexpr std::int64_t kLongest_us = 1'000'000'000;
  Description description;
  description.name = "sssp/harish";
  description.summary = "Bellman-Ford phases on a GPU; threads for all or for updated vertices";
  description.source = "suzuki Algorithms 1-6; Harish and Narayanan, HiPC 2007";
  description.keys = {
      word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
      word_key("thread-creation", "adaptive", {"all-vertices", "updated-vertices", "adaptive"},
               "Vertices for which a phase creates threads"),
      word_key("loop", "host", {"host", "graph", "cooperative"},
               "Control of the phases: by the host, by a CUDA graph, or by one persistent kernel"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(integer_key("up-us", 350, 0, kLongest_us,
                              "adaptive: threads go from updated to all vertices when the mean "
                              "time of two phases is above this"),
                  true, "us"),
      at_run_time(
          integer_key(
              "down-us", 330, 0, kLongest_us,
              "adaptive: threads go from all to updated vertices when that time is below this"),
          true, "us"),
      implied(at_run_time(word_key("compare", "mean-of-two", {"mean-of-two", "this-phase"},
                                   "adaptive: phases whose time is compared with the two limits"))),
      at_run_time(integer_key("block", 256, 32, kLargestBlock, "Number of threads in a block"),
                  true, "threads"),
  };
  description.instance = {{"device", "gpu"},
                          {"thread-creation", text(o.threads)},
                          {"loop", text(o.loop)},
                          {"distance", std::to_string(o.distance)}};
  description.needs = {Need::cuda, Need::non_negative};
  description.aliases = {
      {"suzuki:conventional", "thread-creation=all-vertices,loop=host"},
      {"suzuki:selection", "thread-creation=updated-vertices,loop=host"},
      {"suzuki:proposal", "thread-creation=adaptive,loop=host"},
      // Algorithm 4 as printed. Its THR is the best of Figure 8's.
      {"suzuki:algorithm-4",
       "thread-creation=adaptive,loop=host,up-us=350,down-us=350,compare=this-phase"},
  };
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  if (settings.get("loop") == "graph" && settings.get("thread-creation") == "adaptive") {
    throw InputError("loop=graph", "not offered with thread-creation=adaptive",
                     "use loop=host or loop=cooperative");
  }
  Settings resolved = settings;
  resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph));
  return resolved;
}

}  // namespace bellmark::harish
