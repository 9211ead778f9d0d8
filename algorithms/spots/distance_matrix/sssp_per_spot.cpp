// distance-matrix/sssp-per-spot: one search from each spot to all of them, dealt to threads.
//
// It takes N searches instead of the N^2 of a search a pair. The searches are those that are
// fastest on one core (algorithms/searches/automatic): approximate buckets where rows are short, as
// on every road network, and Dijkstra's algorithm elsewhere. All threads read one copy of the arcs.
// A thread writes its own labels (8 bytes a vertex with 32-bit distances) and the rows of its
// spots.
#include "algorithms/spots/distance_matrix/sssp_per_spot.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/automatic/automatic.hpp"
#include "algorithms/searches/dijkstra/query_parallel.hpp"
#include "algorithms/searches/label_correcting/search.hpp"
#include "algorithms/spots/distance_matrix/problem.hpp"

namespace bellmark {
namespace {

/// Approximate buckets, until the distances of all spots are final.
template <int distance>
class LabelCorrectingSearches {
 public:
  static constexpr const char* kName = "label-correcting";
  static constexpr label_correcting::Options kOptions{.distance = distance};
  using Search = label_correcting::Search<kOptions>;

  void prepare(const Graph& graph, std::size_t thread_count, RunContext& context) {
    team_ = std::make_unique<ThreadTeam>(thread_count, context);
    workers_ = std::vector<Worker>(thread_count);
    const auto rows = Search::make_rows(graph, context);
    const auto tuning =
        label_correcting::tuning(label_correcting::resolve({{"queue", "approximate"},
                                                            {"rows", "four-slots"},
                                                            {"direction", "push"},
                                                            {"prefetch", "yes"},
                                                            {"distance", std::to_string(distance)},
                                                            {"delta", "0"},
                                                            {"horizon", "0"}},
                                                           graph));
    team_->run([&](std::size_t thread) {
      Worker& worker = workers_[thread];
      worker.search = Search(tuning);
      worker.search.prepare(graph, rows, worker.context);
    });
  }

  void run(std::span<const Vertex> vertices, std::span<Distance> distances, Phase& phase,
           RunContext& context) {
    alignas(dijkstra::kLineBytes) std::atomic<std::size_t> next = 0;
    team_->run([&](std::size_t thread) {
      Worker& worker = workers_[thread];
      worker.scanned_count = 0;
      while (true) {
        const std::size_t s = next.fetch_add(1, std::memory_order_relaxed);
        if (s >= vertices.size()) break;
        worker.search.run(vertices[s], vertices, worker.context);
        worker.scanned_count += worker.search.counts().scanned_count;
        const auto& labels = worker.search.labels();
        std::transform(vertices.begin(), vertices.end(), distances.begin() + s * vertices.size(),
                       [&](Vertex v) {
                         return labels.reached(v) ? static_cast<Distance>(labels.distance(v))
                                                  : kUnreached;
                       });
      }
    });
    std::uint64_t scanned_count = 0;
    std::uint64_t bytes = 0;
    for (const Worker& worker : workers_) {
      scanned_count += worker.scanned_count;
      for (const auto& [what, held] : worker.context.accounted()) bytes += held;
    }
    phase.note("scanned_count", scanned_count);
    context.account("searches", bytes);
  }

 private:
  struct alignas(dijkstra::kLineBytes) Worker {
    Search search;
    RunContext context;  ///< accounts the memory that this thread holds
    std::uint64_t scanned_count = 0;
  };
  std::vector<Worker> workers_;
  std::unique_ptr<ThreadTeam> team_;
};

/// Dijkstra's algorithm over the whole graph.
template <int distance>
class DijkstraSearches {
 public:
  static constexpr const char* kName = "dijkstra";
  static constexpr dijkstra::Options kOptions{.distance = distance};
  using Searches = dijkstra::QueryParallel<kOptions>;
  using Search = typename Searches::Search;

  void prepare(const Graph& graph, std::size_t thread_count, RunContext& context) {
    searches_.prepare(graph, thread_count, context);
  }

  void run(std::span<const Vertex> vertices, std::span<Distance> distances, Phase& phase,
           RunContext& context) {
    searches_.run(
        vertices.size(),
        [&](Search& search, std::size_t s, RunContext& own) {
          search.forget_all();
          search.run(vertices[s], Search::kNone, own);
          const auto labels = search.vertices();
          std::transform(vertices.begin(), vertices.end(), distances.begin() + s * vertices.size(),
                         [&](Vertex v) {
                           const auto found = labels.distance(v);
                           return found == Search::kInfinite ? kUnreached
                                                             : static_cast<Distance>(found);
                         });
        },
        phase, context);
  }

 private:
  Searches searches_;
};

Settings resolve_search(const Settings& settings, const Graph& graph) {
  Settings resolved = resolve_distance_key(settings, graph);
  if (settings.get("search") == "auto") {
    const std::string reason = automatic::choose(graph).reason;
    const bool short_rows = reason == "short-rows" || reason == "chains";
    resolved.set("search", short_rows ? "label-correcting" : "dijkstra");
  }
  return resolved;
}

template <template <int> class Searches, int distance>
class SsspPerSpot {
 public:
  using Problem = SpotDistances;

  static Description describe() {
    Description description;
    description.name = "distance-matrix/sssp-per-spot";
    description.summary = "One search from each spot to all spots, dealt to threads";
    description.source = "the searches are those of sssp/auto";
    description.keys = {
        word_key("search", "auto", {"auto", "label-correcting", "dijkstra"},
                 "label-correcting: approximate buckets until all spots are settled. dijkstra: "
                 "Dijkstra's algorithm over the whole graph"),
        word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
        at_run_time(
            integer_key("threads", 1, 1, 1024, "Number of threads; each has its own labels")),
    };
    description.instance = {{"search", Searches<distance>::kName},
                            {"distance", std::to_string(distance)}};
    description.needs = {Need::non_negative};
    return description;
  }
  static Settings resolve(const Settings& settings, const RoadSpots& spots) {
    return resolve_search(settings, spots.roads);
  }

  explicit SsspPerSpot(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const RoadSpots& spots, RunContext& context) {
    vertices_ = spots.vertices;
    distances_.resize(vertices_.size() * vertices_.size());
    context.account("answers", distances_.size() * sizeof(Distance));
    searches_.prepare(spots.roads, thread_count_, context);
  }

  void run(std::span<const SpotDistances::Query>, RunContext& context) {
    Phase phase(context, "search");
    searches_.run(vertices_, distances_, phase, context);
  }

  void extract(SpotDistances::Answer& answer) const { answer.distances = distances_; }

  /// The answer, for a caller that needs no other.
  std::vector<Distance> take() { return std::move(distances_); }

 private:
  std::size_t thread_count_;
  Searches<distance> searches_;
  std::vector<Vertex> vertices_;
  std::vector<Distance> distances_;
};

using LabelCorrecting32 = SsspPerSpot<LabelCorrectingSearches, 32>;
using LabelCorrecting64 = SsspPerSpot<LabelCorrectingSearches, 64>;
using Dijkstra32 = SsspPerSpot<DijkstraSearches, 32>;
using Dijkstra64 = SsspPerSpot<DijkstraSearches, 64>;

BELLMARK_REGISTER(LabelCorrecting32, LabelCorrecting64, Dijkstra32, Dijkstra64);

template <class V>
std::optional<std::vector<Distance>> run_if(const Settings& settings, const RoadSpots& spots) {
  const Settings instance = V::describe().instance;
  for (const auto& [key, value] : instance.entries()) {
    if (settings.get(key) != value) return std::nullopt;
  }
  V variant(settings);
  RunContext context;
  variant.prepare(spots, context);
  variant.run({}, context);
  return variant.take();
}

/// The answer of the variant that these resolved settings name.
template <class First, class... Others>
std::vector<Distance> run_one_of(const Settings& settings, const RoadSpots& spots) {
  if (auto distances = run_if<First>(settings, spots)) return *std::move(distances);
  if constexpr (sizeof...(Others) > 0) return run_one_of<Others...>(settings, spots);
  throw Error(ExitCode::internal, "sssp-per-spot", "'" + settings.text() + "' was not built");
}

}  // namespace

std::vector<Distance> distances_over_roads(const RoadSpots& spots, std::size_t thread_count) {
  const Settings settings = resolve_search(
      {{"search", "auto"}, {"distance", "auto"}, {"threads", std::to_string(thread_count)}},
      spots.roads);
  return run_one_of<LabelCorrecting32, LabelCorrecting64, Dijkstra32, Dijkstra64>(settings, spots);
}

}  // namespace bellmark
