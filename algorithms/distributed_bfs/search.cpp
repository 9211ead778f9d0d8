#include "algorithms/distributed_bfs/search.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace bellmark::distributed_bfs {

Side::Side(VertexRange of_part)
    : part(of_part),
      frontier(bfs::word_count(of_part.size())),
      visited(frontier.size()),
      found(frontier.size()),
      predecessors(of_part.size()) {}

void Side::clear() {
  std::fill(visited.begin(), visited.end(), 0);
  if (!visited.empty()) visited.back() = bfs::bits_beyond(part.size());
}

void Side::visit_frontier() {
  for (std::size_t w = 0; w < visited.size(); ++w) visited[w] |= frontier[w];
}

namespace {

/// Asks for a transfer now and then until it is done: a question costs about a microsecond.
class Asking {
 public:
  explicit Asking(Pending* under_way) : under_way_(under_way) {}

  void ask() {
    if (under_way_ == nullptr) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kInterval;
    if (under_way_->done()) under_way_ = nullptr;
  }

 private:
  static constexpr std::chrono::microseconds kInterval{20};

  Pending* under_way_;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace

template <class Work>
void BlockSearch::run(std::size_t word_count, Pending* under_way, Work work) {
  words_.open(word_count);
  team_.run([&](std::size_t thread) {
    Asking asking(thread == 0 ? under_way : nullptr);
    words_.take(kWords, [&](std::size_t first, std::size_t last) {
      work(first, last);
      asking.ask();
    });
  });
}

template <bool kShared>
void BlockSearch::go_top_down(const bfs::Block& block, const Side& from, Side& to,
                              Pending* under_way) {
  run(from.frontier.size(), under_way, [&](std::size_t first, std::size_t last) {
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

void BlockSearch::top_down(const bfs::Block& block, const Side& from, Side& to,
                           Pending* under_way) {
  std::fill(to.found.begin(), to.found.end(), 0);
  if (team_.size() == 1) {
    go_top_down<false>(block, from, to, under_way);
  } else {
    go_top_down<true>(block, from, to, under_way);
  }
}

void BlockSearch::bottom_up(const bfs::Block& block, const Side& from, Side& to,
                            Pending* under_way) {
  run(to.visited.size(), under_way, [&](std::size_t first, std::size_t last) {
    bfs::bottom_up(block, first, last, from.frontier, to.visited, to.found,
                   [&](Vertex v, Vertex u) { to.predecessors[v] = from.part.begin + u; });
  });
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
