// distance-matrix/p2p-per-pair: a best-first search from spot to spot for every ordered pair.
// oishi2015, section 2.1, finds its distances so. The pairs are dealt to threads.
//
// It takes N^2 searches of half the graph on average. A search from each spot would take N whole
// ones. This is the cost of the paper's own preparation, and not a variant to use.
#include <span>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/searches/dijkstra/query_parallel.hpp"
#include "algorithms/spots/distance_matrix/problem.hpp"

namespace bellmark {
namespace {

template <int distance>
class P2pPerPair {
 public:
  using Problem = SpotDistances;
  static constexpr dijkstra::Options kOptions{.distance = distance};
  using Searches = dijkstra::QueryParallel<kOptions>;
  using Search = typename Searches::Search;

  static Description describe() {
    Description description;
    description.name = "distance-matrix/p2p-per-pair";
    description.summary = "Best-first search for every ordered pair of spots, dealt to threads";
    description.source = "oishi2015 section 2.1";
    description.keys = {
        word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
        at_run_time(
            integer_key("threads", 1, 1, 1024, "Number of threads; each has its own work area")),
    };
    description.instance = {{"distance", std::to_string(distance)}};
    description.needs = {Need::non_negative};
    return description;
  }
  static Settings resolve(const Settings& settings, const RoadSpots& spots) {
    return resolve_distance_key(settings, spots.roads);
  }

  explicit P2pPerPair(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const RoadSpots& spots, RunContext& context) {
    vertices_ = spots.vertices;
    distances_.resize(vertices_.size() * vertices_.size());
    context.account("answers", distances_.size() * sizeof(Distance));
    searches_.prepare(spots.roads, thread_count_, context);
  }

  void run(std::span<const SpotDistances::Query>, RunContext& context) {
    Phase phase(context, "search");
    searches_.run(
        distances_.size(),
        [&](Search& search, std::size_t pair, RunContext& own) {
          const Vertex target = vertices_[pair % vertices_.size()];
          search.forget_touched();
          search.run(vertices_[pair / vertices_.size()], target, own);
          const auto found = search.vertices().distance(target);
          distances_[pair] = found == Search::kInfinite ? kUnreached : static_cast<Distance>(found);
        },
        phase, context);
  }

  void extract(SpotDistances::Answer& answer) const { answer.distances = distances_; }

 private:
  std::size_t thread_count_;
  Searches searches_;
  std::vector<Vertex> vertices_;
  std::vector<Distance> distances_;
};

BELLMARK_REGISTER(P2pPerPair<32>, P2pPerPair<64>);

}  // namespace
}  // namespace bellmark
