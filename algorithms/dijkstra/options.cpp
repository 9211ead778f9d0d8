// The keys of the Dijkstra family: their description, and what `auto` becomes on a graph.
#include "algorithms/dijkstra/options.hpp"

#include <limits>

#include "base/error.hpp"

namespace bellmark::dijkstra {
namespace {

std::string text(Queue queue) { return queue == Queue::heap ? "heap" : "heap-dynamic"; }
std::string text(Extract extract) {
  return extract == Extract::top_down ? "top-down" : "bottom-up";
}
std::string text(Layout layout) { return layout == Layout::soa ? "soa" : "aos"; }

constexpr std::uint64_t kNarrowMost = std::numeric_limits<std::uint32_t>::max();

std::string resolve_width(const std::string& wanted, const Graph& graph) {
  const bool fits = graph.arc_count() <= kNarrowMost;
  if (wanted == "auto") return fits ? "32" : "64";
  if (wanted == "32" && !fits) {
    throw InputError("width=32",
                     std::to_string(graph.arc_count()) + " arcs can't be counted in 32 bits",
                     "use width=64 or width=auto");
  }
  return wanted;
}

}  // namespace

std::string resolve_distance(const std::string& wanted, const Graph& graph) {
  if (wanted == "64") return wanted;
  const DistanceBound bound = distance_bound(graph);
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  const bool fits = bound.value < kNarrowMost - largest;
  if (wanted == "auto") return fits ? "32" : "64";
  if (fits) return wanted;
  throw InputError("distance=32",
                   "distances may reach " + std::to_string(bound.value) + " (" + bound.rule +
                       ") and one more arc adds " + std::to_string(largest) +
                       ", which must stay below " + std::to_string(kNarrowMost),
                   "use distance=64 or distance=auto");
}

Description describe(const Options& o) {
  Description description;
  description.source =
      "yasui2011 sections 2.2.1 and 3.3-3.5: k-ary heaps, layouts, Algorithms 1 and 2";
  description.keys = {
      word_key("queue", text(kDefault.queue), {"heap", "heap-dynamic"},
               "heap storage: for n entries up front, or grown with the entries held"),
      integer_key("arity", kDefault.arity, kLeastArity, kLargestArity, "children of a heap entry"),
      word_key("extract", text(kDefault.extract), {"top-down", "bottom-up"},
               "heap moves: swaps, or a moving hole (insert and decrease-key too)"),
      word_key("vertices", text(kDefault.vertices), {"soa", "aos"},
               "layout of the vertex work area and of the heap's entries"),
      word_key("arcs", text(kDefault.arcs), {"soa", "aos"}, "layout of heads and lengths"),
      word_key("width", "auto", {"auto", "32", "64"}, "bits of vertex ids, row offsets, lengths"),
      word_key("distance", "auto", {"auto", "32", "64"}, "bits of a distance label"),
  };
  description.instance = {{"queue", text(o.queue)},
                          {"arity", std::to_string(o.arity)},
                          {"extract", text(o.extract)},
                          {"vertices", text(o.vertices)},
                          {"arcs", text(o.arcs)},
                          {"width", std::to_string(o.width)},
                          {"distance", std::to_string(o.distance)}};
  description.needs = {Need::non_negative};
  // The paper's "32-bit" form keeps the distance label in 64 bits.
  const std::string form = ",extract=bottom-up,vertices=aos,arcs=aos,width=32,distance=64";
  description.aliases = {
      {"yasui2011:2-heap", "queue=heap,arity=2" + form},
      {"yasui2011:2-heap*", "queue=heap-dynamic,arity=2" + form},
      {"yasui2011:k-heap", "queue=heap,arity=*" + form},
      {"yasui2011:DIKH", "queue=heap,arity=4" + form},
  };
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  Settings resolved = settings;
  const std::string width = resolve_width(settings.get("width"), graph);
  const std::string& distance = settings.get("distance");
  if (width == "64" && distance == "32") {
    throw InputError("distance=32", "not offered with width=64, which means 64 bits for all",
                     "use distance=64 or width=32");
  }
  resolved.set("width", width);
  resolved.set("distance", width == "64" ? "64" : resolve_distance(distance, graph));
  return resolved;
}

}  // namespace bellmark::dijkstra
