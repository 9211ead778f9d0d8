// sssp/lazy-dijkstra: a complete variant in one file, to start your own from. Copy it into a folder
// of your own, algorithms/searches/yours/, give it another name, and build: nothing else needs to
// change. The tests pick it up by themselves; `bellmark list -v 'sssp/*'` shows it.
//
// It is Dijkstra's algorithm with the heap of <algorithm>, which has no decrease-key. A shorter
// path pushes its vertex again. Entries that are out of date are dropped when they come up.
#include <algorithm>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"

namespace bellmark {
namespace {

class LazyDijkstra {
 public:
  // Names the types of input, query and answer, and the certificate that checks every answer.
  using Problem = Sssp;

  // The facts that `bellmark list` shows, and the keys that may follow the name:
  // sssp/lazy-dijkstra:reserve=0. A run-time key is read in the constructor. A compile-time key
  // (plain word_key, integer_key) picks among several classes instead. Make the class a template,
  // and say in `description.instance` which values each class stands for.
  static Description describe() {
    Description description;
    description.name = "sssp/lazy-dijkstra";
    description.summary = "Dijkstra's algorithm with std::push_heap and no decrease-key";
    description.source = "examples/variant.cpp";  // the paper or program that yours is from
    description.keys = {
        at_run_time(integer_key("reserve", 1024, 0, 1'000'000'000,
                                "Number of queue entries that are allocated beforehand"),
                    true, "entries")};  // true: `bellmark tune` may try other values
    description.needs = {Need::non_negative};
    return description;
  }

  explicit LazyDijkstra(const Settings& settings)
      : reserve_(static_cast<std::size_t>(settings.integer("reserve"))) {}

  // Not timed: build your own layout here, and say how much memory you hold.
  void prepare(const Graph& graph, RunContext& context) {
    graph_ = graph;  // copies share the arrays
    entries_.reserve(reserve_);
    const std::uint64_t n = graph.vertex_count();
    context.account("vertices", n * (sizeof(Distance) + sizeof(Vertex)));
    context.account("queue", entries_.capacity() * sizeof(Entry));
  }

  // Timed: everything that one query needs, initialisation too. The span has one query, unless
  // `description.batch` is set. A Phase names a stretch of the run; it costs a null test when
  // phases are not recorded.
  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const Vertex source = queries[0].source;
    {
      const Phase phase(context, "initialise");
      answer_.distances.assign(graph_.vertex_count(), kUnreached);
      answer_.predecessors.assign(graph_.vertex_count(), kNoVertex);
    }
    Phase phase(context, "search");
    std::uint64_t settled = 0;
    answer_.distances[source] = 0;
    entries_.assign(1, {0, source});  // the storage of the last query
    while (!entries_.empty()) {
      std::ranges::pop_heap(entries_, std::greater<>());
      const auto [distance, u] = entries_.back();
      entries_.pop_back();
      if (distance > answer_.distances[u]) continue;
      ++settled;
      for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[u + 1]; ++e) {
        const Vertex v = graph_.heads()[e];
        const Distance through = distance + graph_.length(e);
        if (through >= answer_.distances[v]) continue;
        answer_.distances[v] = through;
        answer_.predecessors[v] = u;
        entries_.emplace_back(through, v);
        std::ranges::push_heap(entries_, std::greater<>());
      }
    }
    phase.note("settled_count", settled);
  }

  // Not timed: the canonical answer to the last query, in the graph's own ids.
  void extract(Sssp::Answer& answer) const { answer = answer_; }

 private:
  using Entry = std::pair<Distance, Vertex>;

  std::size_t reserve_;
  Graph graph_;
  std::vector<Entry> entries_;
  Sssp::Answer answer_;
};

BELLMARK_REGISTER(LazyDijkstra);

}  // namespace
}  // namespace bellmark
