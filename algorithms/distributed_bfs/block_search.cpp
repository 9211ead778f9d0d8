#include "algorithms/distributed_bfs/block_search.hpp"

#include <algorithm>
#include <array>

namespace bellmark::distributed_bfs {

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

void Side::visit_frontier() {
  for (std::size_t w = 0; w < visited.size(); ++w) visited[w] |= frontier[w];
}

BlockSearch::BlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
                         std::pmr::memory_resource* memory)
    : blocks_(blocks.begin(), blocks.end()) {
  sides_.reserve(parts.size());
  for (const VertexRange part : parts) sides_.emplace_back(part, memory);
}

void BlockSearch::clear() {
  for (Side& side : sides_) side.clear();
}

template <bool kShared>
void RowTeam::go_top_down(const bfs::Block& block, const Side& from, Side& to,
                          std::size_t word_count, Pending* under_way) {
  run(word_count, under_way, [&](std::size_t first, std::size_t last) {
    std::array<Vertex, kWords * bfs::kWordBits> members;
    std::size_t count = 0;
    bfs::for_each_member(from.frontier, first, last, [&](Vertex u) { members[count++] = u; });
    bfs::top_down<kShared>(block, std::span(members).first(count), to.visited,
                           [&](Vertex v, Vertex u) {
                             to.predecessors[v] = from.part.begin + u;
                             bfs::insert<kShared>(to.found, v);
                           });
  });
}

void RowTeam::top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                       Pending* under_way) {
  std::fill(to.found.begin(), to.found.end(), 0);
  if (team_.size() == 1) {
    go_top_down<false>(block, from, to, word_count, under_way);
  } else {
    go_top_down<true>(block, from, to, word_count, under_way);
  }
}

void RowTeam::bottom_up(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                        Pending* under_way) {
  run(word_count, under_way, [&](std::size_t first, std::size_t last) {
    bfs::bottom_up(block, first, last, from.frontier, to.visited, to.found,
                   [&](Vertex v, Vertex u) { to.predecessors[v] = from.part.begin + u; });
  });
}

namespace {

class CpuBlockSearch final : public BlockSearch {
 public:
  CpuBlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
                 std::size_t thread_count, RunContext& context)
      : BlockSearch(blocks, parts, std::pmr::new_delete_resource()), team_(thread_count, context) {}

  void start(const Walk& /*walk*/) override {}

  void finish(const Walk& walk, Pending* under_way) override {
    const Side& from = side(walk.from);
    Side& to = side(walk.to);
    if (walk.bottom_up) {
      team_.bottom_up(block(walk.block), from, to, to.visited.size(), under_way);
    } else {
      team_.top_down(block(walk.block), from, to, from.frontier.size(), under_way);
    }
  }

 private:
  RowTeam team_;
};

}  // namespace

std::unique_ptr<BlockSearch> make_cpu_block_search(std::span<const bfs::Block> blocks,
                                                   std::span<const VertexRange> parts,
                                                   const SearchOptions& options,
                                                   RunContext& context) {
  return std::make_unique<CpuBlockSearch>(blocks, parts, options.thread_count, context);
}

}  // namespace bellmark::distributed_bfs
