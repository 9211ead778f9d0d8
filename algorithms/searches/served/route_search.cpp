#include "algorithms/searches/served/route_search.hpp"

#include <array>
#include <limits>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/searches/bidirectional/search.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/search.hpp"

namespace bellmark::served {
namespace {

/// The watch that the searches of one worker ask while they go.
struct Watched {
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

  const Stop* stop = nullptr;
  std::array<const std::uint8_t*, 2> marks{};
  std::uint64_t settled_count = 0;
  bool is_stopped = false;
  // Of a search to several targets:
  std::vector<std::uint8_t> is_target;  ///< one a vertex
  std::size_t missing_count = 0;        ///< targets not settled yet
  // Of a search within a limit:
  std::vector<Settled>* settled = nullptr;
  std::uint64_t limit = kNoLimit;

  void begin(const Closures& closures, const Roads& roads, const Stop& with_stop) {
    stop = &with_stop;
    marks = {closures.marks(0, roads), closures.marks(1, roads)};
    settled_count = 0;
    is_stopped = stop->now();
    if (is_stopped) throw Stopped();
  }

  /// The clock is looked at once in so many vertices, because a look takes some tens of
  /// nanoseconds.
  bool goes_on() {
    constexpr std::uint64_t kBetween = 256;
    if (++settled_count % kBetween == 0 && stop->now()) is_stopped = true;
    return !is_stopped;
  }
};

struct Closing {
  Watched* watched = nullptr;
  bool closed(std::size_t side, std::uint64_t arc) const {
    const std::uint8_t* marks = watched->marks[side];
    return marks != nullptr && marks[arc] != 0;
  }
};

struct WatchPair : Closing {
  bool settled(std::size_t, std::uint64_t, std::uint64_t, std::uint64_t) const {
    return watched->goes_on();
  }
};

struct WatchOne : Closing {
  bool settled(std::size_t, std::uint64_t vertex, std::uint64_t label, std::uint64_t) const {
    if (label > watched->limit) return false;
    if (watched->settled != nullptr) {
      watched->settled->push_back({static_cast<Vertex>(vertex), static_cast<Distance>(label)});
    }
    const bool goes_on = watched->goes_on();
    return goes_on && (watched->is_target[vertex] == 0 || --watched->missing_count != 0);
  }
};

using OneSided = dijkstra::Search<dijkstra::kWideLabels, WatchOne>;

}  // namespace

struct RouteSearch::Area {
  explicit Area(const Roads& of_roads)
      : roads(of_roads), pair(WatchPair{{&watched}}), one(WatchOne{{&watched}}) {
    pair.prepare(roads.rows, roads.graph.vertex_count());
    watched.is_target.assign(roads.graph.vertex_count(), 0);
    one.prepare(roads.graph, roads.rows.of_side[0], context);
  }

  const Roads& roads;
  Watched watched;
  RunContext context;
  bidirectional::Search<std::uint64_t, WatchPair> pair;
  OneSided one;
};

RouteSearch::RouteSearch(const Roads& roads) : area_(std::make_unique<Area>(roads)) {}
RouteSearch::~RouteSearch() = default;
RouteSearch::RouteSearch(RouteSearch&&) noexcept = default;

void RouteSearch::find(const P2p::Query& query, const Closures& closures, const Stop& stop,
                       P2p::Answer& answer) {
  area_->pair.forget_touched();
  area_->watched.begin(closures, area_->roads, stop);
  area_->pair.run(query.source, query.target);
  if (area_->watched.is_stopped) throw Stopped();
  area_->pair.extract(answer);
}

void RouteSearch::find_all(Vertex source, std::span<const Vertex> targets, const Closures& closures,
                           const Stop& stop, std::span<Distance> distances) {
  Watched& watched = area_->watched;
  area_->one.forget_touched();
  watched.begin(closures, area_->roads, stop);
  watched.missing_count = 0;
  for (const Vertex target : targets) {
    watched.missing_count += watched.is_target[target] == 0 ? 1 : 0;
    watched.is_target[target] = 1;
  }
  area_->one.run(source, OneSided::kNone, area_->context);
  for (const Vertex target : targets) watched.is_target[target] = 0;
  if (watched.is_stopped) throw Stopped();
  const auto vertices = area_->one.vertices();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::uint64_t distance = vertices.distance(targets[i]);
    distances[i] = distance == OneSided::kInfinite ? kUnreached : static_cast<Distance>(distance);
  }
}

void RouteSearch::find_within(Vertex source, Distance limit, const Closures& closures,
                              const Stop& stop, std::vector<Settled>& settled) {
  Watched& watched = area_->watched;
  area_->one.forget_touched();
  settled.clear();
  watched.begin(closures, area_->roads, stop);
  watched.settled = &settled;
  watched.limit = static_cast<std::uint64_t>(limit);
  area_->one.run(source, OneSided::kNone, area_->context);
  watched.settled = nullptr;
  watched.limit = Watched::kNoLimit;
  if (watched.is_stopped) throw Stopped();
}

std::size_t RouteSearch::settled_count() const { return area_->watched.settled_count; }

}  // namespace bellmark::served
