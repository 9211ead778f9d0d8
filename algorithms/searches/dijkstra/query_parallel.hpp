// Many queries on one graph by several threads, each with a search of its own. Yasui et al. (2011),
// section 3.6, Algorithm 3: all threads read one copy of the arcs. Each thread has its own work
// area and queue, and takes the next query from a common set.
//
// Per query the threads share one atomic addition; all their other writes are to data of their own.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/dijkstra/search.hpp"

namespace bellmark::dijkstra {

/// The searches of `threads` threads on one graph.
template <Options o>
class QueryParallel {
 public:
  using Search = dijkstra::Search<o>;

  /// Makes the threads, the arcs, and in each thread its work area, so that its pages lie near the
  /// thread. O(n + m).
  void prepare(const Graph& graph, std::size_t thread_count, RunContext& context) {
    team_ = std::make_unique<ThreadTeam>(thread_count, context);
    workers_ = std::vector<Worker>(thread_count);
    const auto arcs = Search::make_arcs(graph, context);
    team_->run([&](std::size_t thread) {
      Worker& worker = workers_[thread];
      worker.search.prepare(graph, arcs, worker.context);
    });
    account(context);
  }

  /// Calls answer(search, i, context) for every i < query_count, each once, in some thread with its
  /// search. `phase` gets the counts of all of them.
  template <class Answer>
  void run(std::size_t query_count, const Answer& answer, Phase& phase, RunContext& context) {
    // Algorithm 3 guards the set of queries with a mutex. The set is an array, and only the index
    // of the next query changes: an atomic addition does the same.
    alignas(kLineBytes) std::atomic<std::size_t> next = 0;
    team_->run([&](std::size_t thread) {
      Worker& worker = workers_[thread];
      worker.work = {};
      worker.context.set_work(context.work() == nullptr ? nullptr : &worker.work);
      std::uint64_t settled_count = 0;
      std::uint64_t reached_count = 0;
      while (true) {
        const std::size_t query = next.fetch_add(1, std::memory_order_relaxed);
        if (query >= query_count) break;
        answer(worker.search, query, worker.context);
        settled_count += worker.search.scanned_count();
        reached_count += worker.search.scanned_count() + worker.search.held_count();
      }
      worker.settled_count = settled_count;
      worker.reached_count = reached_count;
    });
    std::uint64_t settled_count = 0;
    std::uint64_t reached_count = 0;
    for (const Worker& worker : workers_) {
      settled_count += worker.settled_count;
      reached_count += worker.reached_count;
      if (context.work() != nullptr) context.work()->add(worker.work);
    }
    phase.note("settled_count", settled_count);
    phase.note("reached_count", reached_count);
    account(context);
  }

 private:
  struct alignas(kLineBytes) Worker {
    Search search;
    RunContext context;  ///< accounts the memory that this thread holds
    SearchWork work;     ///< of the last run, where it is counted
    std::uint64_t settled_count = 0;
    std::uint64_t reached_count = 0;
  };

  void account(RunContext& context) const {
    std::map<std::string, std::uint64_t> held;
    for (const Worker& worker : workers_) {
      for (const auto& [what, bytes] : worker.context.accounted()) held[what] += bytes;
    }
    for (const auto& [what, bytes] : held) context.account(what, bytes);
  }

  std::vector<Worker> workers_;
  std::unique_ptr<ThreadTeam> team_;
};

/// Queues of the query-parallel families: those of the paper's Tables 20 and 21.
inline constexpr std::array kQueuesForQueries = {Queue::heap, Queue::heap_dynamic, Queue::dial};

/// Whether this combination is built. Only queue, arity and widths vary.
///   smoke   the default arity with all three widths, and the paper's 2-heap, 2-heap* and buckets
///   paper   heaps of arity 2 and of the default arity, and buckets, with all three widths
constexpr bool is_built_for_queries(const Options& o, Instances instances) {
  const Options plain{.queue = o.queue, .arity = o.arity, .width = o.width, .distance = o.distance};
  if (!(o == plain)) return false;
  if (std::ranges::find(kQueuesForQueries, o.queue) == kQueuesForQueries.end()) return false;
  if (instances == Instances::full) return true;
  const bool is_default = o.queue == kDefault.queue && o.arity == kDefault.arity;
  const bool is_papers = (o.arity == 2 || !is_heap(o.queue)) && o.width == 32 && o.distance == 64;
  if (instances == Instances::smoke) return is_default || is_papers;
  return o.arity == kDefault.arity || o.arity == 2;
}

/// The combinations of this build.
inline constexpr auto kBuiltForQueries = built_by<Options>([](auto add) {
  for_each_options([&](const Options& o) {
    if (is_built_for_queries(o, kInstances)) add(o);
  });
});

/// Everything of a Description but its name and summary. The keys are queue, arity and widths of
/// the Dijkstra family, and `threads`; the others stay at their defaults.
Description describe_queries(const Options& options);

/// resolve() for these families.
Settings resolve_queries(const Settings& settings, const Graph& graph);

}  // namespace bellmark::dijkstra
