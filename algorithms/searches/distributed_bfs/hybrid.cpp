// distributed-bfs/hybrid: a search by levels that change direction, over ranks that hold blocks of
// the adjacency matrix, on CPU threads. hiragushi2013, section 2.4 and Figure 8; Buluc, Madduri, SC
// 2011 (two dimensions); Beamer, Buluc, Asanovic, Patterson, UCB/EECS-2013-2 (both directions).
#include <cstdint>
#include <memory>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/distributed_bfs/problem.hpp"
#include "algorithms/searches/bfs/options.hpp"
#include "algorithms/searches/distributed_bfs/search.hpp"

namespace bellmark {
namespace {

using bfs::Direction;
using distributed_bfs::exchange_key;
using distributed_bfs::frontier_key;
using distributed_bfs::partition_key;
using distributed_bfs::PartitionKind;
using distributed_bfs::SearchVariant;

template <PartitionKind kind, Direction direction>
class DistributedHybrid : public SearchVariant {
 public:
  static Description describe() {
    Description description;
    description.name = "distributed-bfs/hybrid";
    description.summary = "Levels top-down or bottom-up over ranks with CPU threads";
    description.source =
        "Hiragushi, Takahashi 2013, sections 2.3, 2.4, Figure 8 (partition=pairs); Beamer, Buluc, "
        "Asanovic, Patterson, UCB/EECS-2013-2";
    description.keys = {
        partition_key(),
        bfs::direction_key(),
        bfs::alpha_key(),
        bfs::beta_key(),
        bfs::threads_key(),
        implied(at_run_time(
            word_key("overlap", "on", {"on", "off"},
                     "on: ranks compute while bitmaps are under way, where there is work"),
            true)),
        exchange_key(),
        frontier_key()};
    description.instance = {{"partition", distributed_bfs::to_string(kind)},
                            {"direction", bfs::to_string(direction)}};
    if (direction != Direction::top_down) description.needs = {Need::symmetric};
    description.refuse_ranks = distributed_bfs::refuse_ranks;
    description.aliases = {
        {"hiragushi2013:cluster-cpu-only", "partition=pairs,direction=hybrid,alpha=10,beta=14"}};
    return description;
  }

  explicit DistributedHybrid(const Settings& settings) : SearchVariant(settings, direction) {}

  void prepare(const distributed_bfs::DistributedGraph& graph, RunContext& context) {
    search_ = distributed_bfs::make_search(kind, graph, options_, context);
  }
};

BELLMARK_REGISTER(DistributedHybrid<PartitionKind::grid, Direction::hybrid>,
                  DistributedHybrid<PartitionKind::grid, Direction::top_down>,
                  DistributedHybrid<PartitionKind::grid, Direction::bottom_up>,
                  DistributedHybrid<PartitionKind::pairs, Direction::hybrid>,
                  DistributedHybrid<PartitionKind::pairs, Direction::top_down>,
                  DistributedHybrid<PartitionKind::pairs, Direction::bottom_up>);

}  // namespace
}  // namespace bellmark
