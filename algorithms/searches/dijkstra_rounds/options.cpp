#include "algorithms/searches/dijkstra_rounds/options.hpp"

#include <cstdint>
#include <limits>

#include "algorithms/searches/dijkstra/options.hpp"
#include "base/error.hpp"

namespace bellmark::dijkstra_rounds {
namespace {

constexpr int kMostThreads = 1024;
constexpr std::int64_t kMostOpen = std::numeric_limits<std::int32_t>::max();
/// The two barriers of a shared round take about 0.5 us with two threads. In that time one thread
/// looks at a thousand open vertices. With a few times that number, sharing is worth the notes too.
constexpr std::int64_t kShareFrom = 4096;

}  // namespace

std::string text(Criterion criterion) {
  switch (criterion) {
    case Criterion::open_out:
      return "open-out";
    case Criterion::out:
      return "out";
    case Criterion::in:
      return "in";
    case Criterion::in_out:
      return "in-out";
  }
  return {};
}

std::string text(Rows rows) { return rows == Rows::by_length ? "by-length" : "as-given"; }

Key criterion_key() {
  std::vector<std::string> words;
  words.reserve(kCriteria.size());
  for (const Criterion criterion : kCriteria) words.push_back(text(criterion));
  return word_key("criterion", text(Options{}.criterion), std::move(words),
                  "Proof that an open vertex is final, by the lightest arcs. out: out of open "
                  "vertices. in: into the vertex. in-out: either. open-out: out of open vertices "
                  "to vertices that are not closed");
}

Key rows_key() {
  return word_key(
      "rows", text(Options{}.rows), {text(Rows::by_length), text(Rows::as_given)},
      "open-out: rows are sorted by length, or each row is searched for its lightest arc");
}

Description describe(const Options& o) {
  Description description;
  description.source = "ma2022 sections 3.1.3 and 4.1 (open-out); Crauser et al. 1998 (the others)";
  description.keys = {
      word_key("device", "cpu", {"cpu"}, "Device that runs the search"),
      criterion_key(),
      rows_key(),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(
          integer_key("threads", 1, 1, kMostThreads,
                      "Number of threads that share large rounds; each has its own vertices")),
      at_run_time(integer_key("share-from", kShareFrom, 1, kMostOpen,
                              "Threads share a round from this number of open vertices on"),
                  true, "vertices"),
  };
  description.instance = {{"device", "cpu"}, {"criterion", text(o.criterion)}};
  if (o.criterion == Criterion::open_out) description.instance.set("rows", text(o.rows));
  description.instance.set("distance", std::to_string(o.distance));
  description.needs = {Need::non_negative};
  description.aliases = {{"ma2022:dijkstra-cpu", "criterion=open-out,rows=by-length"}};
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  if (graph.arc_count() > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("dijkstra-rounds",
                     std::to_string(graph.arc_count()) + " arcs can't be counted in 32 bits",
                     "use a smaller graph, or dijkstra");
  }
  Settings resolved = settings;
  // A label that is not final yet lies one arc beyond a final one, and its bound another arc beyond
  // that.
  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  resolved.set("distance",
               dijkstra::resolve_distance(settings.get("distance"), graph, 2 * largest));
  return resolved;
}

}  // namespace bellmark::dijkstra_rounds
