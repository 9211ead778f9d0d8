#include "algorithms/searches/customisable_hierarchy/changing_lengths.hpp"

#include <chrono>
#include <limits>
#include <string>

#include "algorithms/searches/customisable_hierarchy/tasks.hpp"
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
      search_(graph) {
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
                     "is none of the graph's " + std::to_string(lengths_.size()));
  }
  if (lengths_[arc] == length) return;
  lengths_[arc] = length;
  is_stale_ = true;
  searched_ns_ = 0;
}

void ChangingLengths::customise() {
  // No path is longer than 2^63: the bound of half of that loses no way.
  customise_ns_ = time_of([&] {
    customisation_.customise(lengths_, std::numeric_limits<std::uint64_t>::max() / 4, one_thread());
  });
  is_stale_ = false;
}

std::optional<ChangingLengths::Route> ChangingLengths::route(Vertex source, Vertex target,
                                                             const std::atomic<bool>& stop) {
  for (const Vertex v : {source, target}) {
    if (v >= graph_.vertex_count()) {
      throw InputError("vertex " + std::to_string(v),
                       "is none of the graph's " + std::to_string(graph_.vertex_count()));
    }
  }
  Route found;
  if (is_stale_ && sooner(searched_ns_, search_ns_, customise_ns_) == By::search) {
    bool is_done = false;
    const std::int64_t taken_ns = time_of([&] {
      is_done = search_.run(source, target, lengths_, stoppable::StopPoll(stop), found.distance,
                            found.path);
    });
    searched_ns_ += taken_ns;
    if (!is_done) return std::nullopt;
    ++search_count_;
    search_ns_ += (taken_ns - search_ns_) / search_count_;
    found.by = By::search;
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
