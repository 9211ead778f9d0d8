#include "algorithms/searches/distributed_bfs/block_search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>

namespace bellmark::distributed_bfs {
namespace {

std::size_t popcount(std::span<const Word> set, std::size_t first, std::size_t last) {
  std::size_t count = 0;
  for (std::size_t w = first; w < last; ++w) {
    count += static_cast<std::size_t>(std::popcount(set[w]));
  }
  return count;
}

}  // namespace

Side::Side(VertexRange of_part, std::pmr::memory_resource* memory)
    : part(of_part),
      frontier(bfs::word_count(of_part.size()), memory),
      visited(frontier.size(), memory),
      found(frontier.size(), memory),
      chosen(frontier.size(), memory),
      predecessors(of_part.size(), memory) {}

void Side::clear() {
  std::fill(visited.begin(), visited.end(), 0);
  if (!visited.empty()) visited.back() = bfs::bits_beyond(part.size());
}

BlockSearch::BlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
                         std::pmr::memory_resource* memory, std::size_t thread_count,
                         RunContext& context)
    : blocks_(blocks.begin(), blocks.end()), team_(thread_count, context) {
  sides_.reserve(parts.size());
  for (const VertexRange part : parts) sides_.emplace_back(part, memory);
}

void BlockSearch::clear() {
  for (Side& side : sides_) side.clear();
}

void BlockSearch::visit_frontier(std::size_t s) {
  Side& side = sides_[s];
  // One thread does it, in 0.2 ms for 2^20 vertices: waking another one takes longer.
  for (std::size_t w = 0; w < side.visited.size(); ++w) side.visited[w] |= side.frontier[w];
}

std::size_t RankTeam::count_members(std::span<const Word> set) {
  std::atomic<std::size_t> count = 0;
  for_portions(set.size(), [&](std::size_t first, std::size_t last) {
    count.fetch_add(popcount(set, first, last), std::memory_order_relaxed);
  });
  return count;
}

void RankTeam::number(std::span<const Word> set) {
  numbers_.assign(set.size() / kPortion + 1, 0);
  if (team_.size() == 1 || set.size() <= kPortion) return;
  for_portions(set.size(), [&](std::size_t first, std::size_t last) {
    numbers_[first / kPortion] = popcount(set, first, last);
  });
  std::exclusive_scan(numbers_.begin(), numbers_.end(), numbers_.begin(), std::size_t{0});
}

template <class AnyTally, class Work>
void RankTeam::search(std::size_t word_count, Pending* under_way, Work work) {
  portions_.open(word_count);
  team_.run([&](std::size_t thread) {
    Asking asking(thread == 0 ? under_way : nullptr);
    AnyTally tally;
    portions_.take(kWords, [&](std::size_t first, std::size_t last) {
      work(first, last, tally);
      asking.ask();
    });
    if constexpr (AnyTally::kCounts) {
      const std::scoped_lock lock(tally_mutex_);
      tally_.add(tally);
    }
  });
}

namespace {

// Flattened, as loops in two instances are (search_work.hpp).

/// Goes along the rows of the frontier's words [first, last).
template <bool kShared, class AnyTally>
[[gnu::flatten]] void go_along(const bfs::Block& block, const Side& from, Side& to,
                               std::span<Vertex> members, std::size_t first, std::size_t last,
                               AnyTally& tally) {
  std::size_t count = 0;
  bfs::for_each_member(from.frontier, first, last, [&](Vertex u) { members[count++] = u; });
  bfs::top_down<kShared>(
      block, members.first(count), to.visited,
      [&](Vertex v, Vertex u) {
        to.predecessors[v] = from.part.begin + u;
        bfs::insert<kShared>(to.found, v, tally);
      },
      tally);
}

/// Looks along the rows of words [first, last) that are not visited.
template <class AnyTally>
[[gnu::flatten]] void look_along(const bfs::Block& block, const Side& from, Side& to,
                                 std::size_t first, std::size_t last, AnyTally& tally) {
  bfs::bottom_up(
      block, first, last, from.frontier, to.visited, to.found,
      [&](Vertex v, Vertex u) { to.predecessors[v] = from.part.begin + u; }, tally);
}

}  // namespace

template <class AnyTally, bool kShared>
void RankTeam::go_top_down(const bfs::Block& block, const Side& from, Side& to,
                           std::size_t word_count, Pending* under_way) {
  search<AnyTally>(word_count, under_way,
                   [&](std::size_t first, std::size_t last, AnyTally& tally) {
                     std::array<Vertex, kWords * bfs::kWordBits> members;
                     go_along<kShared>(block, from, to, members, first, last, tally);
                   });
}

template <class AnyTally>
void RankTeam::go_top_down(const bfs::Block& block, const Side& from, Side& to,
                           std::size_t word_count, Pending* under_way) {
  if (team_.size() == 1) {
    go_top_down<AnyTally, false>(block, from, to, word_count, under_way);
  } else {
    go_top_down<AnyTally, true>(block, from, to, word_count, under_way);
  }
}

void RankTeam::top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                        Pending* under_way) {
  std::fill(to.found.begin(), to.found.end(), 0);
  if (counted_) {
    go_top_down<Tally>(block, from, to, word_count, under_way);
  } else {
    go_top_down<Untallied>(block, from, to, word_count, under_way);
  }
}

template <class AnyTally>
void RankTeam::go_bottom_up(const bfs::Block& block, const Side& from, Side& to,
                            std::size_t word_count, Pending* under_way) {
  search<AnyTally>(word_count, under_way,
                   [&](std::size_t first, std::size_t last, AnyTally& tally) {
                     look_along(block, from, to, first, last, tally);
                   });
}

void RankTeam::bottom_up(const bfs::Block& block, const Side& from, Side& to,
                         std::size_t word_count, Pending* under_way) {
  if (counted_) {
    go_bottom_up<Tally>(block, from, to, word_count, under_way);
  } else {
    go_bottom_up<Untallied>(block, from, to, word_count, under_way);
  }
}

void RankTeam::add_work_to(SearchWork& work) const {
  tally_.add_scans_to(work);
  if (team_.size() == 1) {
    work.lacks_atomics(kOneThread);
  } else {
    tally_.add_atomics_to(work);
  }
}

namespace {

class CpuBlockSearch final : public BlockSearch {
 public:
  CpuBlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
                 std::size_t thread_count, RunContext& context)
      : BlockSearch(blocks, parts, std::pmr::new_delete_resource(), thread_count, context) {}

  bool has_only_threads() const override { return true; }
  void start(const Walk& /*walk*/) override {}

  void finish(const Walk& walk, Pending* under_way) override {
    const Side& from = side(walk.from);
    Side& to = side(walk.to);
    if (walk.bottom_up) {
      team().bottom_up(block(walk.block), from, to, to.visited.size(), under_way);
    } else {
      team().top_down(block(walk.block), from, to, from.frontier.size(), under_way);
    }
  }
};

}  // namespace

std::unique_ptr<BlockSearch> make_cpu_block_search(std::span<const bfs::Block> blocks,
                                                   std::span<const VertexRange> parts,
                                                   const SearchOptions& options,
                                                   RunContext& context) {
  return std::make_unique<CpuBlockSearch>(blocks, parts, options.thread_count, context);
}

}  // namespace bellmark::distributed_bfs
