#include "algorithms/searches/customisable_hierarchy/changing_lengths.hpp"

#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/problems/p2p/path.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/customisable_hierarchy/tasks.hpp"
#include "algorithms/searches/dijkstra/heap_labels.hpp"
#include "base/error.hpp"

namespace bellmark::customisable_hierarchy {
namespace {

/// Nanoseconds that some work takes.
template <class Work>
std::int64_t time_of(Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() -
                                                              begin)
      .count();
}

std::shared_ptr<dijkstra::Arcs<std::uint32_t, dijkstra::Layout::aos>> rows_of(const Graph& graph) {
  dijkstra::refuse_wide_rows("changing lengths", graph);
  return std::make_shared<dijkstra::Arcs<std::uint32_t, dijkstra::Layout::aos>>(graph);
}

}  // namespace

std::string_view to_string(By by) {
  switch (by) {
    case By::hierarchy:
      return "hierarchy";
    case By::customisation:
      return "customisation";
    case By::search:
      return "search";
  }
  return "";
}

By sooner(std::int64_t searched_ns, std::int64_t search_ns, std::int64_t customise_ns) {
  return searched_ns + search_ns < customise_ns ? By::search : By::customisation;
}

ChangingLengths::ChangingLengths(const Graph& graph, const Elimination& elimination)
    : graph_(graph),
      lengths_(graph.arc_count()),
      customisation_(elimination, graph, 1, Directions::both),
      rows_(rows_of(graph)),
      search_(Watched{this}) {
  RunContext context;
  search_.prepare(graph, rows_, context);
  for (Offset e = 0; e < lengths_.size(); ++e) lengths_[e] = graph.length(e);
  query_.prepare(elimination, customisation_.rows(0), customisation_.rows(1));
  customise();
}

void ChangingLengths::set_length(Offset arc, Length length) {
  if (length < 0) {
    throw InputError("length " + std::to_string(length), "is below 0",
                     "close the arc, or give it a length of 0 or more");
  }
  change(arc, length);
}

void ChangingLengths::close(Offset arc) { change(arc, -1); }

void ChangingLengths::change(Offset arc, Length length) {
  if (arc >= lengths_.size()) {
    throw InputError("arc " + std::to_string(arc),
                     "is not among the graph's " + std::to_string(lengths_.size()));
  }
  if (lengths_[arc] == length) return;
  lengths_[arc] = length;
  if (length >= 0) {
    rows_->set_length(static_cast<std::uint32_t>(arc), static_cast<std::uint32_t>(length));
  }
  is_stale_ = true;
  searched_ns_ = 0;
}

void ChangingLengths::customise() {
  // No path is longer than 2^63: the bound, half of it, loses no way.
  customise_ns_ = time_of([&] {
    customisation_.customise(lengths_, std::numeric_limits<std::uint64_t>::max() / 4, one_thread());
  });
  is_stale_ = false;
}

bool ChangingLengths::goes_on() {
  constexpr std::uint64_t kBetween = 256;
  if (++settled_count_ % kBetween == 0 && stop_->now()) is_stopped_ = true;
  return !is_stopped_;
}

void ChangingLengths::search(Vertex source, Vertex target, const served::Stop& stop, Route& found) {
  stop_ = &stop;
  is_stopped_ = false;
  RunContext context;
  search_.forget_touched();
  search_.run(source, target, context);
  if (is_stopped_) return;
  P2p::Answer answer;
  extract_path(search_, target, answer);
  found = {answer.distance, std::move(answer.path), By::search};
}

ChangingLengths::Route ChangingLengths::route(Vertex source, Vertex target,
                                              const served::Stop& stop) {
  for (const Vertex v : {source, target}) {
    if (v >= graph_.vertex_count()) {
      throw InputError("vertex " + std::to_string(v),
                       "is not among the graph's " + std::to_string(graph_.vertex_count()));
    }
  }
  Route found;
  if (is_stale_ && sooner(searched_ns_, search_ns_, customise_ns_) == By::search) {
    const std::int64_t taken_ns = time_of([&] { search(source, target, stop, found); });
    searched_ns_ += taken_ns;
    if (is_stopped_) throw served::Stopped();
    ++search_count_;
    search_ns_ += (taken_ns - search_ns_) / search_count_;
    return found;
  }
  found.by = is_stale_ ? By::customisation : By::hierarchy;
  if (is_stale_) customise();
  query_.run(source, target);
  if (query_.is_reached()) found.distance = static_cast<Distance>(query_.distance());
  query_.unpack(found.path);
  return found;
}

}  // namespace bellmark::customisable_hierarchy
