// The keys of the label-correcting family: their description, and the values of `auto` on a graph.
#include "algorithms/searches/label_correcting/options.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "base/error.hpp"

namespace bellmark::label_correcting {
namespace {

constexpr std::int64_t kLongestLength = std::numeric_limits<Length>::max();
/// floor(log2(value)); the libraries' bit_width don't agree on its type.
int floor_log2(std::int64_t value) {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

constexpr double kCoreDegree = 8;
constexpr double kCoreRow = 8;  // times the mean degree
constexpr double kHorizonShare = 0.25;
constexpr double kMostLightSteps = 16;

std::string text(Queue queue) { return queue == Queue::approximate ? "approximate" : "two-queue"; }
std::string text(Rows rows) { return rows == Rows::four_slots ? "four-slots" : "by-length"; }
std::string text(Direction direction) {
  return direction == Direction::push ? "push" : "push-pull";
}

double mean_length(const Graph& graph) {
  if (graph.lengths().empty()) return 1;
  const double sum = std::accumulate(graph.lengths().begin(), graph.lengths().end(), 0.0);
  return sum / static_cast<double>(graph.arc_count());
}

double mean_degree(const Graph& graph) {
  return static_cast<double>(graph.arc_count()) / std::max<double>(1, graph.vertex_count());
}

/// Whether a slot can hold a vertex, the vertex that pads, or a place among the arcs beyond the
/// fourth.
bool fits_slots(const Graph& graph) {
  return graph.arc_count() + graph.vertex_count() < std::numeric_limits<std::uint32_t>::max();
}

bool has_short_rows(const Graph& graph) {
  if (!fits_slots(graph)) return false;
  Offset beyond = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const Offset degree = graph.row_offsets()[v + 1] - graph.row_offsets()[v];
    beyond += degree - std::min<Offset>(degree, 4);
  }
  return beyond <= graph.arc_count() / 8;
}

Offset largest_row(const Graph& graph) {
  Offset largest = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    largest = std::max(largest, graph.row_offsets()[v + 1] - graph.row_offsets()[v]);
  }
  return largest;
}

/// A few vertices with long rows make a core: the search reaches it in few steps.
Direction direction_by_length(const Graph& graph) {
  const double degree = mean_degree(graph);
  const bool pulls = graph.properties().symmetric && degree >= kCoreDegree &&
                     static_cast<double>(largest_row(graph)) >= kCoreRow * degree;
  return pulls ? Direction::push_pull : Direction::push;
}

/// At most 2^16 of the graph's lengths, evenly spread.
std::vector<Length> sampled_lengths(const Graph& graph) {
  constexpr std::size_t kMost = std::size_t{1} << 16;
  const auto lengths = graph.lengths();
  const std::size_t step = lengths.size() / kMost + 1;
  std::vector<Length> sample;
  for (std::size_t i = 0; i < lengths.size(); i += step) sample.push_back(lengths[i]);
  return sample;
}

/// The power of two nearest, on a logarithmic scale, to the length that one arc of every two
/// vertices stays below. When lengths between 0 and some largest one are all equally frequent, that
/// is mean length / mean degree.
int wanted_delta_log2(const Graph& graph) {
  std::vector<Length> sample = sampled_lengths(graph);
  if (sample.empty()) return 0;
  const double share = 0.5 / std::max(1.0, mean_degree(graph));
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size()));
  std::ranges::nth_element(sample, sample.begin() + rank);
  return static_cast<int>(std::lround(std::log2(std::max<Length>(1, sample[rank]))));
}

/// The narrowest buckets of which kMostBuckets hold every label that is queued at once.
int least_delta_log2(const Graph& graph) {
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  int log2 = 0;
  while ((largest >> log2) + 2 > kMostBuckets) ++log2;
  return log2;
}

void refuse_unbuilt(const Settings& settings) {
  const bool two_queue = settings.get("queue") == "two-queue";
  if (two_queue && (settings.get("rows") == "by-length" || settings.get("prefetch") == "no")) {
    throw InputError("queue=two-queue", "is built with rows=four-slots and prefetch=yes alone",
                     "leave these keys out");
  }
  if (two_queue && settings.get("direction") == "push-pull") {
    throw InputError("direction=push-pull", "needs vertices to settle in order of distance",
                     "use queue=approximate");
  }
  if (settings.get("direction") == "push-pull" && settings.get("rows") == "four-slots") {
    throw InputError("direction=push-pull", "needs rows=by-length", "use rows=auto");
  }
}

std::string resolve_rows(const Settings& settings, const Graph& graph) {
  const std::string& wanted = settings.get("rows");
  if (wanted != "auto") return wanted;
  if (settings.get("direction") == "push-pull") return text(Rows::by_length);
  const bool only_slots = settings.get("queue") == "two-queue" || settings.get("prefetch") == "no";
  return text(only_slots || has_short_rows(graph) ? Rows::four_slots : Rows::by_length);
}

std::string resolve_direction(const std::string& wanted, const std::string& rows,
                              const Graph& graph) {
  if (wanted == "push") return wanted;
  if (wanted == "auto") {
    return text(rows == text(Rows::by_length) ? direction_by_length(graph) : Direction::push);
  }
  if (graph.properties().symmetric) return wanted;
  throw InputError("direction=push-pull", "the graph is not symmetric, and arcs are stored by tail",
                   "use direction=push or direction=auto");
}

std::string resolve_delta(std::int64_t wanted, const Graph& graph) {
  const int least = least_delta_log2(graph);
  const int log2 = wanted == 0 ? std::max(least, wanted_delta_log2(graph)) : floor_log2(wanted);
  if (log2 < least) {
    throw InputError("delta=" + std::to_string(wanted),
                     "with lengths up to " + std::to_string(graph.properties().largest_length) +
                         " that makes more than " + std::to_string(kMostBuckets) + " buckets",
                     "use delta=" + std::to_string(std::uint64_t{1} << least) + " or more");
  }
  return std::to_string(std::uint64_t{1} << log2);
}

void refuse_large(const std::string& rows, const Graph& graph) {
  if (rows == text(Rows::by_length) || fits_slots(graph)) return;
  throw InputError("rows=four-slots",
                   std::to_string(graph.arc_count()) + " arcs can't be counted in 32 bits",
                   "use rows=by-length");
}

/// resolve() for a value that `key` builds in one form alone.
Settings resolve_pushing(const char* key, const Settings& settings, const Graph& graph) {
  if (settings.get("queue") != "approximate" || settings.get("direction") == "push-pull") {
    throw InputError(key, "is built with queue=approximate and direction=push alone",
                     "leave these keys out");
  }
  Settings pushing = settings;
  pushing.set("direction", text(Direction::push));
  return resolve(pushing, graph);
}

void refuse_unguided(const Settings& settings, const Graph& graph) {
  constexpr const char* kKey = "potential=coordinates";
  if (sides_of(settings) != Sides::both) {
    throw InputError(kKey, "needs a search from both sides", "add sides=both");
  }
  if (graph.coordinates().empty() && graph.vertex_count() > 0) {
    throw InputError(kKey, "the graph has no coordinates",
                     "put its .co file beside the graph, or leave the key out");
  }
  if (distance_bound(graph).value >> 61 != 0) {
    throw InputError(kKey, "twice a distance may not fit into 64 bits", "leave the key out");
  }
}

}  // namespace

Tuning tuning(const Settings& resolved) {
  return {floor_log2(resolved.integer("delta")),
          static_cast<std::uint64_t>(resolved.integer("horizon"))};
}

Description describe(const Options& o) {
  Description description;
  description.source =
      "Cherkassky, Goldberg, Radzik 1996 (approximate buckets, two queues); Chakaravarthy et al. "
      "2017 (push-pull)";
  description.keys = {
      word_key("queue", "approximate", {"approximate", "two-queue"},
               "approximate: buckets of width delta, first in first out. two-queue: Pallottino's "
               "two queues"),
      word_key("rows", "auto", {"auto", "four-slots", "by-length"},
               "Layout of the arcs: four slots for each vertex, or rows ordered by length"),
      word_key("direction", "auto", {"auto", "push", "push-pull"},
               "push: settled vertices relax their arcs. push-pull: at the end, unsettled vertices "
               "pull their distances"),
      word_key("prefetch", "yes", {"yes", "no"},
               "yes: rows and labels are prefetched before their turn"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(integer_key("delta", 0, 0, kLongestLength,
                              "Width of a bucket, a power of two. 0: from lengths and degrees"),
                  true, "length"),
      at_run_time(integer_key("horizon", 0, 0, kLongestLength,
                              "push-pull: distance that is pushed beyond the first vertex of the "
                              "core. 0: a quarter of the mean length"),
                  true, "length"),
  };
  description.instance = {{"queue", text(o.queue)},
                          {"rows", text(o.rows)},
                          {"direction", text(o.direction)},
                          {"prefetch", o.prefetch ? "yes" : "no"},
                          {"distance", std::to_string(o.distance)}};
  description.needs = {Need::non_negative};
  if (o.direction == Direction::push_pull) description.needs.push_back(Need::symmetric);
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  refuse_unbuilt(settings);
  Settings resolved = settings;
  const std::string rows = resolve_rows(settings, graph);
  refuse_large(rows, graph);
  const std::string direction = resolve_direction(settings.get("direction"), rows, graph);
  resolved.set("rows", rows);
  resolved.set("direction", direction);
  resolved.set("distance", dijkstra::resolve_distance(settings.get("distance"), graph));
  resolved.set("delta", resolve_delta(settings.integer("delta"), graph));
  if (direction == text(Direction::push)) {
    resolved.set("horizon", "0");
  } else if (settings.integer("horizon") == 0) {
    const auto horizon = std::llround(kHorizonShare * mean_length(graph));
    resolved.set("horizon", std::to_string(std::max(1LL, horizon)));
  }
  return resolved;
}

Settings resolve_contracting(const Settings& settings, const Graph& graph) {
  if (!contracted::contracts(settings)) return resolve(settings, graph);
  contracted::refuse_large(graph);
  return resolve_pushing("contract=chains", settings, graph);
}

Key sides_key() {
  return implied(
      at_run_time(word_key("sides", "one", {"one", "both"},
                           "one: a search from the source. both: another one from the target")));
}

Sides sides_of(const Settings& settings) {
  return settings.get("sides") == "both" ? Sides::both : Sides::one;
}

Key potential_key() {
  return implied(at_run_time(
      word_key("potential", "none", {"none", "coordinates"},
               "sides=both: none: buckets follow distances. coordinates: they prefer vertices "
               "towards the other side's end, by lower bounds from places")));
}

bool is_guided(const Settings& settings) {
  return settings.has("potential") && settings.get("potential") == "coordinates";
}

Settings resolve_sides(const Settings& settings, const Graph& graph) {
  if (is_guided(settings)) refuse_unguided(settings, graph);
  if (sides_of(settings) == Sides::one) return resolve_contracting(settings, graph);
  if (contracted::contracts(settings)) contracted::refuse_large(graph);
  return resolve_pushing("sides=both", settings, graph);
}

std::uint32_t longest_chain(const Tuning& tuning) {
  const std::uint64_t longest = (kMostBuckets - 2) << tuning.delta_log2;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(longest, kLongestLength));
}

AutoValues auto_values(const Graph& graph) {
  if (has_short_rows(graph)) return {Rows::four_slots, Direction::push};
  return {Rows::by_length, direction_by_length(graph)};
}

bool has_skewed_lengths(const Graph& graph) {
  const int least = least_delta_log2(graph);
  if (wanted_delta_log2(graph) >= least) return false;
  const std::vector<Length> sample = sampled_lengths(graph);
  const Length width = Length{1} << least;
  double light_count = 0;
  double light_sum = 0;
  for (const Length length : sample) {
    if (length >= width) continue;
    ++light_count;
    light_sum += length;
  }
  const double light_degree = mean_degree(graph) * light_count / static_cast<double>(sample.size());
  // Widths are compared without a division: all light arcs may have length 0.
  return light_degree * width * light_count > kMostLightSteps * light_sum;
}

}  // namespace bellmark::label_correcting
