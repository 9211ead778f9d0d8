// The keys of sssp/delta-stepping: their description, and the values of `auto` on a graph.
#include "algorithms/searches/delta_stepping/options.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/searches/delta_stepping/labels.hpp"
#include "base/error.hpp"

namespace bellmark::delta_stepping {
namespace {

constexpr int kLargestDeltaLog2 = 31;

std::string text(Rows rows) { return rows == Rows::four_slots ? "four-slots" : "by-length"; }
std::string text(Direction direction) {
  return direction == Direction::push ? "push" : "push-pull";
}

int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

std::vector<std::string> delta_choices() {
  std::vector<std::string> choices = {"auto"};
  for (int log2 = 0; log2 <= kLargestDeltaLog2; ++log2) choices.push_back(std::to_string(log2));
  return choices;
}

void refuse_narrow(std::int64_t delta_log2, const Graph& graph) {
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  const auto buckets = [&](std::int64_t log2) { return (largest >> log2) + 2; };
  if (buckets(delta_log2) <= label_correcting::kMostBuckets) return;
  std::int64_t least = delta_log2;
  while (buckets(least) > label_correcting::kMostBuckets) ++least;
  throw InputError("delta_log2=" + std::to_string(delta_log2),
                   "with lengths up to " + std::to_string(largest) + " that makes " +
                       std::to_string(buckets(delta_log2)) + " buckets, more than " +
                       std::to_string(label_correcting::kMostBuckets),
                   "use delta_log2=" + std::to_string(least) + " or more");
}

}  // namespace

Tuning tuning(const Settings& resolved) {
  return {.thread_count = static_cast<std::size_t>(resolved.integer("threads")),
          .delta_log2 = static_cast<int>(resolved.integer("delta_log2")),
          .horizon = static_cast<std::uint64_t>(resolved.integer("horizon")),
          .round_scans = static_cast<std::size_t>(resolved.integer("round")),
          .least_parcel = static_cast<std::size_t>(resolved.integer("parcel")),
          .touched_by_threads = resolved.get("touch") == "threads"};
}

Description describe(const Options& o) {
  Description description;
  description.source =
      "Meyer, Sanders 2003 (delta-stepping); Zhang et al. 2020 (bucket fusion); D'Antonio et al. "
      "2025 (work of others by priority)";
  description.keys = {
      at_run_time(
          integer_key("threads", 1, 1, kMostThreads, "Number of threads that share a query")),
      word_key("rows", "auto", {"auto", "four-slots", "by-length"},
               "Layout of the arcs: four slots for each vertex, or rows ordered by length"),
      word_key("direction", "auto", {"auto", "push", "push-pull"},
               "push: settled vertices relax their arcs. push-pull: at the end, unsettled vertices "
               "pull their distances"),
      at_run_time(word_key("delta_log2", "auto", delta_choices(),
                           "A bucket is 2^delta_log2 wide. auto: from mean length and mean degree"),
                  true),
      at_run_time(integer_key("horizon", 0, 0, std::numeric_limits<Length>::max(),
                              "push-pull: distance that is pushed beyond the first vertex of the "
                              "core. 0: a quarter of the mean length"),
                  true, "length"),
      at_run_time(integer_key("round", 512, 1, 1'000'000,
                              "Number of scans that a thread should have between two barriers"),
                  true, "vertices"),
      at_run_time(integer_key("parcel", 8, 1, kMostParcel,
                              "Least number of vertices that a thread hands to a waiting thread"),
                  true, "vertices"),
      implied(at_run_time(word_key("touch", "builder", {"builder", "threads"},
                                   "Threads that touch rows and labels first: their builders, or "
                                   "each thread of the search an equal part"))),
  };
  description.instance = {{"rows", text(o.rows)}, {"direction", text(o.direction)}};
  description.needs = {Need::non_negative};
  if (o.direction == Direction::push_pull) description.needs.push_back(Need::symmetric);
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  const std::string& delta_log2 = settings.get("delta_log2");
  const bool is_auto = delta_log2 == "auto";
  if (!is_auto) refuse_narrow(settings.integer("delta_log2"), graph);
  if (const std::string why = refuse_label(graph); !why.empty()) {
    throw InputError("sssp/delta-stepping", why, "use sssp/label-correcting or sssp/dijkstra");
  }
  const std::int64_t delta = is_auto ? 0 : std::int64_t{1} << settings.integer("delta_log2");
  const Settings found = label_correcting::resolve({{"queue", "approximate"},
                                                    {"rows", settings.get("rows")},
                                                    {"direction", settings.get("direction")},
                                                    {"prefetch", "yes"},
                                                    {"distance", "64"},
                                                    {"delta", std::to_string(delta)},
                                                    {"horizon", settings.get("horizon")}},
                                                   graph);
  Settings resolved = settings;
  resolved.set("rows", found.get("rows"));
  resolved.set("direction", found.get("direction"));
  resolved.set("horizon", found.get("horizon"));
  const bool wider = is_auto && found.get("rows") == text(Rows::four_slots);
  const int log2 = log2_of(found.integer("delta")) + (wider ? kWider : 0);
  resolved.set("delta_log2", std::to_string(std::min(log2, kLargestDeltaLog2)));
  return resolved;
}

std::string refuse_label(const Graph& graph) {
  const DistanceBound bound = distance_bound(graph);
  const Packing packing(graph.vertex_count());
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  // One length more, one value for unreached, and one for the zero of the next search.
  if (bound.value + largest + 2 < packing.distance_end()) return {};
  return "distances may reach " + std::to_string(bound.value) + " (" + bound.rule +
         ") and a label of 64 bits has " + std::to_string(64 - packing.vertex_bits) +
         " for them beside its predecessor";
}

}  // namespace bellmark::delta_stepping
