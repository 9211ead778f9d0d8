#include "algorithms/searches/customisable_hierarchy/options.hpp"

#include <bit>
#include <cstdint>
#include <limits>

#include "algorithms/searches/dijkstra/options.hpp"
#include "base/error.hpp"

namespace bellmark::customisable_hierarchy {

Key distance_key() {
  return word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label");
}

Description describe_one_to_all(std::size_t distance_bits) {
  Description description;
  description.summary = "A sweep down a tree of separators; preparation gives it the lengths";
  description.source = "Dibbelt, Strasser, Wagner, SEA 2014; PHAST: Delling et al., IPDPS 2011";
  description.keys = {
      distance_key(),
      at_run_time(integer_key("threads", 1, 1, 256,
                              "Number of threads that customise, and that share a query")),
  };
  description.instance = {{"distance", std::to_string(distance_bits)}};
  return description;
}

Settings resolve(const std::string& family, const Settings& settings, const Graph& graph) {
  if (graph.arc_count() > std::numeric_limits<std::uint32_t>::max() / 16) {
    const std::string problem = family.substr(0, family.find('/'));
    throw InputError(family,
                     "an elimination of " + std::to_string(graph.arc_count()) +
                         " arcs may have more than 32 bits can count",
                     "use " + problem + "/dijkstra:width=64");
  }
  // No way is half of the largest label.
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  Settings resolved = settings;
  resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph, kHalf));
  return resolved;
}

unsigned tie_bits(const Graph& graph) {
  if (graph.arc_count() == 0 || graph.properties().least_length > 0) return 0;
  return static_cast<unsigned>(std::bit_width(std::uint64_t{graph.vertex_count()}));
}

std::uint64_t longest_label(const Graph& graph) {
  const unsigned bits = tie_bits(graph);
  return (distance_bound(graph).value << bits) + (bits > 0 ? graph.vertex_count() : 0);
}

bool labels_fit(const Graph& graph) {
  constexpr unsigned kMostBits = 62;  // twice a label is no overflow
  const unsigned bits = tie_bits(graph);
  return bits == 0 || distance_bound(graph).value >> (kMostBits - bits) == 0;
}

}  // namespace bellmark::customisable_hierarchy
