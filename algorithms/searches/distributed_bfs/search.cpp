#include "algorithms/searches/distributed_bfs/search.hpp"

#include <array>
#include <atomic>
#include <string>

#include "base/error.hpp"

namespace bellmark::distributed_bfs {

void check_options(PartitionKind kind, const SearchOptions& options) {
  if (kind == PartitionKind::pairs) {
    if (!options.lists) return;
    throw UnmetError("frontier=auto", "pairs send bitmaps alone", "partition=grid has lists too");
  }
  if (options.by_group) {
    throw UnmetError("exchange=by-group",
                     "no two groups of rows of a grid share a rank, and no two of columns",
                     "partition=pairs has groups that share ranks");
  }
  if (options.gpu_count > 1) {
    throw UnmetError("gpus=" + std::to_string(options.gpu_count), "a rank of a grid has one block",
                     "launch a rank for each GPU, or use partition=pairs");
  }
}

std::unique_ptr<Search> make_search(PartitionKind kind, const DistributedGraph& graph,
                                    const SearchOptions& options, RunContext& context,
                                    MakeBlockSearch make_block_search) {
  check_options(kind, options);
  const auto make = kind == PartitionKind::grid ? make_grid_search : make_pairs_search;
  return make(graph.dealt_as(kind), options, context, make_block_search);
}

SearchVariant::SearchVariant(const Settings& settings, bfs::Direction direction)
    : options_{.direction = direction,
               .alpha = static_cast<std::uint64_t>(settings.integer("alpha")),
               .beta = static_cast<std::uint64_t>(settings.integer("beta")),
               .thread_count = static_cast<std::size_t>(settings.integer("threads")),
               .overlap = settings.get("overlap") == "on",
               .by_group = settings.get("exchange") == "by-group",
               .lists = settings.get("frontier") == "auto"} {}

void SearchVariant::run(std::span<const DistributedBfs::Query> queries, RunContext& context) {
  RankTeam* const team = search_->searching_team();
  if (team != nullptr) team->count_work(context.work() != nullptr);
  {
    Phase phase(context, "search");
    search_->run(queries[0].source);
    phase.note("level_count", search_->level_count());
    phase.note("reached_count", search_->reached_count());
  }
  if (team != nullptr && context.work() != nullptr) team->add_work_to(*context.work());
}

Key partition_key() {
  return formerly("form", word_key("partition", "grid", {"grid", "pairs"},
                                   "Blocks of the adjacency matrix on a rank. grid: one. pairs: "
                                   "two that mirror each other, for 2^(2n + 1) ranks"));
}

Key exchange_key() {
  return implied(at_run_time(word_key("exchange", "together", {"together", "by-group"},
                                      "partition=pairs: one all-to-all moves the bitmaps of all "
                                      "groups, or of one group after another")));
}

Key frontier_key() {
  return implied(at_run_time(word_key("frontier", "bitmap", {"bitmap", "auto"},
                                      "partition=grid: form in which sets of vertices are sent. "
                                      "auto: lists where they are shorter than bitmaps")));
}

std::string refuse_ranks(const Settings& settings, std::size_t rank_count) {
  return Partition::refuse(
      settings.get("partition") == "pairs" ? PartitionKind::pairs : PartitionKind::grid,
      rank_count);
}

Counts count(RankTeam& team, std::span<const Word> fresh, std::span<const Offset> degrees) {
  std::atomic<std::uint64_t> vertex_count = 0;
  std::atomic<std::uint64_t> arc_count = 0;
  team.for_portions(fresh.size(), [&](std::size_t first, std::size_t last) {
    Counts counts;
    bfs::for_each_member(fresh, first, last, [&](Vertex v) {
      ++counts.vertex_count;
      counts.arc_count += degrees[v];
    });
    vertex_count.fetch_add(counts.vertex_count, std::memory_order_relaxed);
    arc_count.fetch_add(counts.arc_count, std::memory_order_relaxed);
  });
  return {vertex_count, arc_count};
}

void settle(RankTeam& team, std::span<const Word> fresh, std::span<Word> known,
            std::span<Level> levels, Level depth) {
  team.for_portions(fresh.size(), [=](std::size_t first, std::size_t last) {
    for (std::size_t w = first; w < last; ++w) known[w] |= fresh[w];
    bfs::for_each_member(fresh, first, last, [&](Vertex v) { levels[v] = depth; });
  });
}

Step plan_step() {
  // The last plan finds that there is no further level.
  return {"plan",
          "(phase_count + 1) * 32 * (ranks - 1)",
          {{kCalls, "ranks * (phase_count + 1) * (ranks > 1)"},
           {kMessages, "ranks * (phase_count + 1) * ceil(log2(ranks))"}}};
}

void Plan::clear() {
  level_ = {};
  depth_ = 0;
  visited_count_ = 0;
}

bool Plan::next(std::uint64_t found_count, std::uint64_t found_arc_count) {
  std::array<std::uint64_t, 2> sums = {found_count, found_arc_count};
  ranks_->all_reduce(sums, Reduction::sum);
  if (sums[0] == 0) return false;
  if (visited_count_ > 0) ++depth_;
  visited_count_ += sums[0];
  const bool bottom_up = direction_ == bfs::Direction::hybrid
                             ? rule_.bottom_up(level_.bottom_up, sums[0], sums[1])
                             : direction_ == bfs::Direction::bottom_up;
  level_ = {.bottom_up = bottom_up,
            .frontier_count = sums[0],
            .frontier_arc_count = sums[1],
            .unvisited_count = vertex_count_ - visited_count_};
  return true;
}

}  // namespace bellmark::distributed_bfs
