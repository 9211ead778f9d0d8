// The keys of the Dijkstra family: their description, and the values of `auto` on a graph.
#include "algorithms/searches/dijkstra/options.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "algorithms/searches/queues/dial.hpp"
#include "algorithms/searches/queues/double_buckets.hpp"
#include "algorithms/searches/queues/hot.hpp"
#include "algorithms/searches/queues/mbp.hpp"
#include "algorithms/searches/queues/multi_level.hpp"
#include "algorithms/searches/queues/radix.hpp"
#include "base/error.hpp"

namespace bellmark::dijkstra {
namespace {

std::string text(Storage storage) {
  switch (storage) {
    case Storage::csr:
      return "csr";
    case Storage::matrix:
      return "matrix";
    case Storage::linked_list:
      return "linked-list";
  }
  return {};
}

Queue queue_of(const std::string& word) {
  return *std::ranges::find(kQueues, word, [](Queue queue) { return text(queue); });
}

std::vector<std::string> queue_words() {
  std::vector<std::string> words;
  words.reserve(std::size(kQueues));
  for (const Queue queue : kQueues) words.push_back(text(queue));
  return words;
}
std::string text(Extract extract) {
  return extract == Extract::top_down ? "top-down" : "bottom-up";
}
std::string text(Records records) { return records == Records::lean ? "lean" : "program"; }
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

/// The compile-time keys that apply to these options.
Settings instance_of(const Options& o) {
  Settings instance;
  instance.set("queue", text(o.queue));
  if (is_heap(o.queue)) {
    instance.set("arity", std::to_string(o.arity));
    instance.set("extract", text(o.extract));
  }
  if (has_levels(o.queue)) instance.set("levels", std::to_string(o.levels));
  if (o.queue == Queue::multi_level) instance.set("caliber", o.caliber ? "yes" : "no");
  if (has_both_records(o.queue)) instance.set("records", text(o.records));
  instance.set("vertices", text(o.vertices));
  instance.set("arcs", text(o.arcs));
  instance.set("storage", text(o.storage));
  instance.set("width", std::to_string(o.width));
  instance.set("distance", std::to_string(o.distance));
  return instance;
}

/// Whether one of `built` has all of these values (`auto` stands for any).
bool was_built(const Settings& wanted, std::span<const Options> built) {
  return std::ranges::any_of(built, [&](const Options& options) {
    const Settings instance = instance_of(options);
    return std::ranges::all_of(wanted.entries(), [&](const auto& entry) {
      return entry.second == "auto" ||
             (instance.has(entry.first) && instance.get(entry.first) == entry.second);
    });
  });
}

/// The same settings with one of them changed.
Settings with(Settings settings, std::string_view key, std::string_view value) {
  settings.set(key, value);
  return settings;
}

/// Whether these settings were built with 64 bits for all, and not otherwise.
bool is_wide_alone(const Settings& settings, std::span<const Options> built) {
  return was_built(with(settings, "width", "64"), built) &&
         !was_built(with(settings, "width", "32"), built);
}

/// The number of buckets that a queue makes for this graph; 0 for a queue without.
std::uint64_t bucket_count(const Settings& settings, const Graph& graph) {
  const auto largest_length = static_cast<std::uint64_t>(graph.properties().largest_length);
  const auto of_mbp = [&](int levels) {
    const auto least_length = static_cast<std::uint64_t>(graph.properties().least_length);
    return levels_of(least_length, largest_length, levels).bucket_count();
  };
  const auto levels = [&] { return static_cast<int>(settings.integer("levels")); };
  switch (queue_of(settings.get("queue"))) {
    case Queue::heap:
    case Queue::heap_dynamic:
    case Queue::scan:
    case Queue::open_set:
    case Queue::fibonacci:
    case Queue::bag:
    case Queue::indirect_heap:
      return 0;
    case Queue::dial:
      return dial_bucket_count(largest_length);
    case Queue::double_buckets:
      return double_bucket_count(largest_length);
    case Queue::radix:
      return radix_bucket_count(largest_length);
    case Queue::mbp:
      return of_mbp(0);
    case Queue::multi_level:
      if (settings.has("records") && settings.get("records") == "program") return of_mbp(levels());
      return multi_level_bucket_count(levels(), settings.get("caliber") == "yes", largest_length);
    case Queue::hot:
      return hot_bucket_count(levels(), largest_length);
  }
  return 0;
}

std::uint64_t id_bytes(const Settings& resolved) { return resolved.get("width") == "64" ? 8 : 4; }

/// For `levels=auto`; widths are resolved.
std::string resolve_levels(const Settings& settings, const Graph& graph,
                           std::span<const Options> built) {
  std::string most;
  for (int levels = 1; levels <= kMostLevels; ++levels) {
    const Settings tried = with(settings, "levels", std::to_string(levels));
    if (!was_built(tried, built)) continue;
    most = std::to_string(levels);
    if (bucket_count(tried, graph) <= kAutoLevelBytes / id_bytes(settings)) return most;
  }
  return most.empty() ? std::to_string(kMostLevels) : most;
}

void check_buckets(const Settings& resolved, const Graph& graph) {
  const std::uint64_t count = bucket_count(resolved, graph);
  const std::uint64_t bytes = count * id_bytes(resolved);
  const std::uint64_t arcs =
      (graph.vertex_count() + 1 + 2 * graph.arc_count()) * id_bytes(resolved);
  const std::uint64_t most = std::max(kMostBucketBytes, kMostBucketShare * arcs);
  const std::string& queue = resolved.get("queue");
  if (bytes > most) {
    const bool levels = resolved.has("levels");
    throw InputError(
        levels ? "queue=" + queue + ",levels=" + resolved.get("levels") : "queue=" + queue,
        "lengths up to " + std::to_string(graph.properties().largest_length) + " need " +
            std::to_string(count) + " buckets, " + std::to_string(bytes) + " bytes, and " +
            std::to_string(most) + " are allowed for this graph",
        std::string(levels ? "use more levels, or " : "use ") +
            "queue=heap, double-buckets, radix, multi-level, mbp or fibonacci");
  }
  if (id_bytes(resolved) == 4 && graph.vertex_count() + count >= kNarrowMost) {
    throw InputError("width=32",
                     std::to_string(graph.vertex_count()) + " vertices and " +
                         std::to_string(count) + " buckets can't be numbered together in 32 bits",
                     "use width=64 or queue=heap");
  }
}

void check_matrix(const Settings& resolved, const Graph& graph) {
  const std::uint64_t n = graph.vertex_count();
  // n is less than 2^32: n * n fits, but not with a factor.
  if (n * n <= kMostMatrixBytes / id_bytes(resolved)) return;
  throw InputError("storage=matrix",
                   "a matrix of " + std::to_string(n) + " x " + std::to_string(n) + " lengths of " +
                       std::to_string(id_bytes(resolved)) + " bytes is larger than the " +
                       std::to_string(kMostMatrixBytes) + " bytes allowed",
                   "use storage=csr or storage=linked-list");
}

}  // namespace

std::string text(Queue queue) {
  switch (queue) {
    case Queue::heap:
      return "heap";
    case Queue::heap_dynamic:
      return "heap-dynamic";
    case Queue::scan:
      return "scan";
    case Queue::open_set:
      return "open-set";
    case Queue::dial:
      return "dial";
    case Queue::double_buckets:
      return "double-buckets";
    case Queue::radix:
      return "radix";
    case Queue::fibonacci:
      return "fibonacci";
    case Queue::multi_level:
      return "multi-level";
    case Queue::hot:
      return "hot";
    case Queue::bag:
      return "bag";
    case Queue::indirect_heap:
      return "indirect-heap";
    case Queue::mbp:
      return "mbp";
  }
  return {};
}

std::string resolve_distance(const std::string& wanted, const Graph& graph, std::uint64_t beyond) {
  if (wanted == "64") return wanted;
  const DistanceBound bound = distance_bound(graph);
  const bool fits = beyond < kNarrowMost && bound.value < kNarrowMost - beyond;
  if (wanted == "auto") return fits ? "32" : "64";
  if (fits) return wanted;
  throw InputError("distance=32",
                   "distances may reach " + std::to_string(bound.value) + " (" + bound.rule +
                       ") and sums " + std::to_string(beyond) + " more, which must stay below " +
                       std::to_string(kNarrowMost),
                   "use distance=64 or distance=auto");
}

std::string resolve_distance(const std::string& wanted, const Graph& graph) {
  return resolve_distance(wanted, graph,
                          static_cast<std::uint64_t>(graph.properties().largest_length));
}

Description describe(const Options& o) {
  Description description;
  description.source = "yasui2011 sections 2.2 and 3.3-3.5; ma2022 section 3.1.1 (queue=open-set)";
  description.keys = {
      word_key("queue", text(kDefault.queue), queue_words(),
               "Priority queue. heap: storage for all vertices from the start. heap-dynamic: "
               "storage that grows"),
      integer_key("arity", kDefault.arity, kLeastArity, kLargestArity,
                  "Number of children of a heap entry"),
      word_key("extract", text(kDefault.extract), {"top-down", "bottom-up"},
               "Moves in the heap, also at inserting and decreasing. top-down: by swaps. "
               "bottom-up: by a moving hole"),
      word_key("levels", "auto", {"auto", "1", "2", "3"}, "Number of levels of buckets"),
      word_key("caliber", "no", {"no", "yes"},
               "yes: a vertex that no path can improve skips the buckets (caliber heuristic)"),
      implied(word_key("records", text(kDefault.records), {"lean", "program"},
                       "Records of the vertices. lean: only necessary fields. program: the fields "
                       "of the programs that yasui2011 compares with")),
      word_key("vertices", text(kDefault.vertices), {"soa", "aos"},
               "Layout of vertex work area and heap entries. soa: one array for each field. aos: "
               "one array of records"),
      word_key("arcs", text(kDefault.arcs), {"soa", "aos"},
               "Layout of heads and lengths. soa: one array for each. aos: one array of records"),
      implied(formerly(
          "form",
          word_key("storage", text(kDefault.storage), {"csr", "matrix", "linked-list"},
                   "Storage of the graph: rows of arcs, a matrix of lengths, or linked nodes"))),
      word_key("width", "auto", {"auto", "32", "64"},
               "Bits of vertex ids, row offsets and lengths"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
  };
  description.instance = instance_of(o);
  description.needs = {Need::non_negative};
  // The paper's "32-bit" version keeps the distance label in 64 bits. The programs of others have
  // 64 bits for all: the paper says so of mbp (section 5.2), and the memory of the rest shows it.
  const std::string program = ",vertices=aos,arcs=aos,width=64,distance=64";
  const std::string as_program = ",records=program" + program;
  const std::string plain = ",vertices=aos,arcs=aos,width=32,distance=64";
  const std::string as_paper = ",extract=bottom-up" + plain;
  description.aliases = {
      {"yasui2011:2-heap", "queue=heap,arity=2" + as_paper},
      {"yasui2011:2-heap*", "queue=heap-dynamic,arity=2" + as_paper},
      {"yasui2011:k-heap", "queue=heap,arity=*" + as_paper},
      {"yasui2011:buckets", "queue=dial" + plain},
      {"yasui2011:DIKQ", "queue=bag" + program},
      {"yasui2011:DIKH", "queue=indirect-heap" + program},
      {"yasui2011:DIKR", "queue=radix" + as_program},
      {"yasui2011:DIKF", "queue=fibonacci" + as_program},
      {"yasui2011:DIKB", "queue=dial" + as_program},
      {"yasui2011:DIKBD", "queue=double-buckets" + as_program},
      {"yasui2011:mbp", "queue=mbp" + program},
      // Alike but for the queue, so that a comparison of them compares queues.
      {"ma2022:dijkstra", "queue=open-set" + plain},
      {"ma2022:dijkstra-heap", "queue=heap,arity=2" + as_paper},
  };
  for (const char* levels : {"1", "2", "3"}) {
    const std::string with_levels = std::string(",levels=") + levels;
    description.aliases.push_back({std::string("yasui2011:b") + levels,
                                   "queue=multi-level" + with_levels + ",caliber=no" + as_program});
    description.aliases.push_back(
        {std::string("yasui2011:h") + levels, "queue=hot" + with_levels + as_program});
  }
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph, std::span<const Options> built) {
  Settings resolved = settings;
  const bool wide_alone = settings.get("width") == "auto" && is_wide_alone(settings, built);
  const std::string width = wide_alone ? "64" : resolve_width(settings.get("width"), graph);
  const std::string& distance = settings.get("distance");
  if (width == "64" && distance == "32") {
    throw InputError("distance=32", "not offered with width=64, which means 64 bits for all",
                     "use distance=64 or width=32");
  }
  resolved.set("width", width);
  const Settings narrow = with(resolved, "distance", "32");
  const bool wide = width == "64" || (distance == "auto" && !was_built(narrow, built));
  resolved.set("distance", wide ? "64" : resolve_distance(distance, graph));
  if (resolved.has("levels") && resolved.get("levels") == "auto") {
    resolved.set("levels", resolve_levels(resolved, graph, built));
  }
  check_buckets(resolved, graph);
  if (resolved.has("storage") && resolved.get("storage") == "matrix") check_matrix(resolved, graph);
  return resolved;
}

}  // namespace bellmark::dijkstra
