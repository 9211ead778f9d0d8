// p2p/dijkstra-queries: all queries at once, dealt to threads that search by Dijkstra's algorithm.
// Yasui et al. (2011), section 3.6.
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/path.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/dijkstra/query_parallel.hpp"

namespace bellmark {
namespace {

template <dijkstra::Options options>
class P2pDijkstraQueries {
 public:
  using Problem = P2p;
  using Searches = dijkstra::QueryParallel<options>;

  static Description describe() {
    Description description = dijkstra::describe_queries(options);
    description.name = "p2p/dijkstra-queries";
    description.summary = "Dijkstra's algorithm to all targets; threads share the queries";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra::resolve_queries(settings, graph);
  }

  explicit P2pDijkstraQueries(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    searches_.prepare(graph, thread_count_, context);
  }

  /// A query's work area is used for the next one, so its path is kept at once and the time covers
  /// it: a dependent read a vertex of the path. That is about 2 % of the time on the New York road
  /// graph.
  void run(std::span<const P2p::Query> queries, RunContext& context) {
    answers_.resize(queries.size());
    {
      Phase phase(context, "search");
      searches_.run(
          queries.size(),
          [&](typename Searches::Search& search, std::size_t i, RunContext& own) {
            search.forget_touched();
            search.run(queries[i].source, queries[i].target, own);
            extract_path(search, queries[i].target, answers_[i]);
          },
          phase, context);
    }
    std::uint64_t bytes = 0;
    for (const P2p::Answer& answer : answers_) {
      bytes += sizeof(answer) + answer.path.capacity() * sizeof(Vertex);
    }
    context.account("answers", bytes);
  }

  void extract(std::size_t i, P2p::Answer& answer) const { answer = answers_[i]; }

 private:
  std::size_t thread_count_;
  Searches searches_;
  std::vector<P2p::Answer> answers_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<P2pDijkstraQueries<dijkstra::kBuiltForQueries[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<dijkstra::kBuiltForQueries.size()>());

}  // namespace
}  // namespace bellmark
