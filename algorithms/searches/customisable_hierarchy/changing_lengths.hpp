// Routes while lengths change and arcs are closed: by a customised hierarchy or by a search that
// needs none, whichever is sooner. Each answer says which of the two found it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/query.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/search.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/served/stop.hpp"
#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

/// The way in which a route was found.
enum class By {
  hierarchy,      ///< its lengths were up to date
  customisation,  ///< the hierarchy, which was given the new lengths first
  search,         ///< Dijkstra's algorithm on the new lengths
};
std::string_view to_string(By by);

/// The way that answers soonest after a change. Searches go first, until they have taken as long as
/// a customisation would have. Then that comes. So a burst of queries of any size takes at most
/// twice the time of the better choice.
By sooner(std::int64_t searched_ns, std::int64_t search_ns, std::int64_t customise_ns);

/// One thread at a time. Graph and elimination outlive it.
class ChangingLengths {
 public:
  struct Route {
    Distance distance = kUnreached;
    std::vector<Vertex> path;  ///< empty when there is none
    By by = By::hierarchy;
  };

  /// Customises once. O(arcs + triangles). Throws InputError for more arcs than 32 bits can count.
  ChangingLengths(const Graph& graph, const Elimination& elimination);
  ChangingLengths(const ChangingLengths&) = delete;
  ChangingLengths& operator=(const ChangingLengths&) = delete;

  /// Throws InputError for an unknown arc, and for a length below 0.
  void set_length(Offset arc, Length length);
  /// No route takes the arc until it gets a length again. Throws InputError.
  void close(Offset arc);

  /// Throws InputError for an unknown vertex, served::Stopped out of a search. A customisation goes
  /// to its end.
  Route route(Vertex source, Vertex target, const served::Stop& stop);

 private:
  /// The watch that looks on while the search goes.
  struct Watched {
    ChangingLengths* owner = nullptr;
    bool settled(std::size_t, std::uint64_t, std::uint64_t, std::uint64_t) const {
      return owner->goes_on();
    }
    bool closed(std::size_t, std::uint64_t arc) const { return owner->lengths_[arc] < 0; }
  };
  using Rows = dijkstra::Arcs<std::uint32_t, dijkstra::Layout::aos>;
  using Search = dijkstra::Search<dijkstra::kWideLabels, Watched>;

  bool goes_on();
  void search(Vertex source, Vertex target, const served::Stop& stop, Route& found);
  void change(Offset arc, Length length);
  void customise();

  const Graph& graph_;
  std::vector<Length> lengths_;
  Customisation<std::uint64_t> customisation_;
  Query<std::uint64_t> query_;
  std::shared_ptr<Rows> rows_;  ///< of the present lengths, but for closed arcs
  Search search_;
  const served::Stop* stop_ = nullptr;  ///< of the search that goes on
  std::uint64_t settled_count_ = 0;
  bool is_stopped_ = false;
  bool is_stale_ = true;
  std::int64_t customise_ns_ = 0;
  std::int64_t search_ns_ = 0;    ///< the mean of those that came so far
  std::int64_t searched_ns_ = 0;  ///< after the last change
  std::int64_t search_count_ = 0;
};

}  // namespace bellmark::customisable_hierarchy
