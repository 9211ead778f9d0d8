// A label-correcting search of a graph's core, and the labels of its chains and trees from it.
#pragma once

#include "algorithms/contract/run_context.hpp"
#include "algorithms/searches/contracted/contracted_graph.hpp"
#include "algorithms/searches/contracted/outlet.hpp"
#include "algorithms/searches/label_correcting/core_labels.hpp"
#include "algorithms/searches/label_correcting/search.hpp"
#include "graph/graph.hpp"

namespace bellmark::label_correcting {

template <Options o>
class ContractedSearch {
 public:
  ContractedSearch() = default;
  explicit ContractedSearch(const Tuning& tuning) : tuning_(tuning), search_(tuning) {}

  /// O(n + m).
  void prepare(const Graph& graph, RunContext& context) {
    graph_ = contracted::ContractedGraph(graph, longest_chain(tuning_));
    search_.prepare(graph_.core(), {distance_bound(graph).value, graph_.longest_step()},
                    Inner::make_rows(graph_.core(), context), context);
    context.account("chains", graph_.bytes());
  }

  /// From `source` to all vertices.
  void run(Vertex source, RunContext& context) {
    source_.find(graph_, source);
    search_.run(source_.ends(), {}, context);
    const CoreLabels<typename Inner::Labelled, typename Inner::Distance> rest(graph_, source_,
                                                                              search_.labels());
    rest.write_source();
    rest.write_between({});
    rest.write_ends({});
    rest.write_trees({});
  }

  const typename ApproximateSearch<o>::Labelled& labels() const { return search_.labels(); }
  const Counts& counts() const { return search_.counts(); }

 private:
  using Inner = ApproximateSearch<o>;

  Tuning tuning_;
  contracted::ContractedGraph graph_;
  Inner search_;
  contracted::Outlet<contracted::Way::from> source_;
};

}  // namespace bellmark::label_correcting
