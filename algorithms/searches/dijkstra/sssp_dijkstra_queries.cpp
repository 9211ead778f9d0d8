// sssp/dijkstra-queries: all sources at once, dealt to threads that search by Dijkstra's algorithm.
// Yasui et al. (2011), section 3.6.
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra/query_parallel.hpp"

namespace bellmark {
namespace {

template <dijkstra::Options options>
class SsspDijkstraQueries {
 public:
  using Problem = Sssp;
  using Searches = dijkstra::QueryParallel<options>;
  using Search = typename Searches::Search;

  static Description describe() {
    Description description = dijkstra::describe_queries(options);
    description.name = "sssp/dijkstra-queries";
    description.summary = "Dijkstra's algorithm from all sources; threads share the queries";
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra::resolve_queries(settings, graph);
  }

  explicit SsspDijkstraQueries(const Settings& settings)
      : thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    vertex_count_ = graph.vertex_count();
    searches_.prepare(graph, thread_count_, context);
  }

  /// A work area is used for the next query, so every answer is copied at once, within the time.
  /// That is about 2 % of it on the New York road graph. The copy is one sequential pass over the
  /// work area. It writes 8 bytes a vertex with 32-bit ids and distances (12 and 16 with wider
  /// ones). All answers are held: that many bytes a vertex and query.
  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    if (answers_.size() != queries.size()) allocate(queries.size(), context);
    Phase phase(context, "search");
    searches_.run(
        queries.size(),
        [&](Search& search, std::size_t i, RunContext& own) {
          search.forget_all();
          search.run(queries[i].source, Search::kNone, own);
          answers_[i].keep(search);
        },
        phase, context);
  }

  void extract(std::size_t i, Sssp::Answer& answer) const {
    answer.distances.resize(vertex_count_);
    answer.predecessors.resize(vertex_count_);
    for (std::size_t v = 0; v < vertex_count_; ++v) {
      const auto distance = answers_[i].distances.data()[v];
      answer.distances[v] =
          distance == Search::kInfinite ? kUnreached : static_cast<Distance>(distance);
      answer.predecessors[v] = static_cast<Vertex>(answers_[i].predecessors.data()[v]);
    }
  }

 private:
  struct Kept {
    explicit Kept(std::size_t n) : distances(n), predecessors(n) {}

    void keep(const Search& search) {
      const auto vertices = search.vertices();
      for (std::size_t i = 0; i < distances.size(); ++i) {
        const auto v = static_cast<typename Search::Id>(i);
        distances.data()[i] = vertices.distance(v);
        predecessors.data()[i] = vertices.predecessor(v);
      }
    }

    dijkstra::Array<typename Search::Distance> distances;
    dijkstra::Array<typename Search::Id> predecessors;
  };

  /// The number of queries is known only in the first, untimed run.
  void allocate(std::size_t query_count, RunContext& context) {
    answers_.clear();
    answers_.reserve(query_count);
    std::uint64_t bytes = 0;
    while (answers_.size() < query_count) {
      const Kept& added = answers_.emplace_back(vertex_count_);
      bytes += added.distances.bytes() + added.predecessors.bytes();
    }
    context.account("answers", bytes);
  }

  std::size_t thread_count_;
  std::size_t vertex_count_ = 0;
  Searches searches_;
  std::vector<Kept> answers_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<SsspDijkstraQueries<dijkstra::kBuiltForQueries[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<dijkstra::kBuiltForQueries.size()>());

}  // namespace
}  // namespace bellmark
