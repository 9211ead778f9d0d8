// distributed-bfs/hybrid-gpu: the search of distributed-bfs/hybrid with a rank's blocks on GPUs,
// with CPU threads beside them or without. hiragushi2013, section 3 (one node), section 4 and
// Figure 8.
#include <cstdint>
#include <memory>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/distributed_bfs/problem.hpp"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/options.hpp"
#include "algorithms/searches/distributed_bfs/gpu_block_search.hpp"
#include "algorithms/searches/distributed_bfs/nccl_grid_search.hpp"
#include "algorithms/searches/distributed_bfs/search.hpp"
#include "base/error.hpp"

namespace bellmark {
namespace {

using bfs::Direction;
using distributed_bfs::exchange_key;
using distributed_bfs::frontier_key;
using distributed_bfs::partition_key;
using distributed_bfs::PartitionKind;
using distributed_bfs::SearchVariant;

constexpr const char* kName = "distributed-bfs/hybrid-gpu";

template <Direction direction>
class DistributedHybridGpu : public SearchVariant {
 public:
  static Description describe() {
    Description description;
    description.name = kName;
    description.summary = "Levels top-down or bottom-up over ranks with GPUs";
    description.source =
        "Hiragushi, Takahashi 2013, sections 3, 4, Figure 8 (partition=pairs); Beamer, Buluc, "
        "Asanovic, Patterson, UCB/EECS-2013-2";
    description.keys = {
        at_run_time(partition_key()),
        bfs::cpu_share_key(0),
        bfs::direction_key(),
        bfs::alpha_key(),
        bfs::beta_key(),
        bfs::threshold_key(),
        bfs::threads_key(),
        implied(at_run_time(integer_key(
            "gpus", 1, 1, 2,
            "Number of GPUs of a rank. partition=pairs: each of two GPUs has a block"))),
        implied(at_run_time(
            word_key("transfer", "host", {"host", "nccl"},
                     "Way of the bitmaps. host: through host memory and the communicator of the "
                     "ranks. nccl: from device to device (partition=grid)"))),
        implied(at_run_time(
            word_key("overlap", "on", {"on", "off"},
                     "on: ranks copy and compute while bitmaps are under way, where there is work"),
            true)),
        exchange_key(),
        frontier_key()};
    description.instance = {{"direction", bfs::to_string(direction)}};
    description.needs = {Need::cuda};
    if (direction != Direction::top_down) description.needs.push_back(Need::symmetric);
    description.refuse_ranks = distributed_bfs::refuse_ranks;
    description.aliases = {
        {"hiragushi2013:cluster-gpu-only",
         "partition=pairs,cpu_share=0,direction=hybrid,alpha=10,beta=14,threshold=32"},
        {"hiragushi2013:cluster-cpu+gpu",
         "partition=pairs,cpu_share=25,direction=hybrid,alpha=10,beta=14,threshold=32"}};
    return description;
  }

  explicit DistributedHybridGpu(const Settings& settings)
      : SearchVariant(settings, direction),
        kind_(settings.get("partition") == "grid" ? PartitionKind::grid : PartitionKind::pairs),
        by_nccl_(settings.get("transfer") == "nccl") {
    options_.threshold = static_cast<std::uint32_t>(settings.integer("threshold"));
    options_.cpu_share = static_cast<std::uint64_t>(settings.integer("cpu_share"));
    options_.gpu_count = static_cast<std::size_t>(settings.integer("gpus"));
  }

  void prepare(const distributed_bfs::DistributedGraph& graph, RunContext& context) {
    if (!by_nccl_) {
      search_ = distributed_bfs::make_search(kind_, graph, options_, context,
                                             distributed_bfs::make_gpu_block_search);
      return;
    }
    if (kind_ != PartitionKind::grid) {
      throw UnmetError("transfer=nccl", "the exchanges of pairs go through the host",
                       "use partition=grid or transfer=host");
    }
    if (options_.cpu_share > 0) {
      throw UnmetError("transfer=nccl", "the finds of CPU threads are in the host's memory",
                       "use cpu_share=0 or transfer=host");
    }
    check_options(kind_, options_);
    search_ = distributed_bfs::make_nccl_grid_search(graph.dealt_as(kind_), options_, context);
  }

 private:
  PartitionKind kind_;
  bool by_nccl_;
};

BELLMARK_REGISTER(DistributedHybridGpu<Direction::hybrid>,
                  DistributedHybridGpu<Direction::top_down>,
                  DistributedHybridGpu<Direction::bottom_up>);

}  // namespace
}  // namespace bellmark
