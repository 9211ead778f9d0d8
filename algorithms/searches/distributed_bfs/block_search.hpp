// The part of a level that a rank searches itself: its blocks of the adjacency matrix, and its
// knowledge of the vertices on their sides. By CPU threads here; gpu_block_search.hpp has GPUs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <span>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/communicator.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/searches/bfs/options.hpp"

namespace bellmark::distributed_bfs {

using bfs::VertexRange;
using bfs::Word;

struct SearchOptions {
  bfs::Direction direction = bfs::Direction::hybrid;
  std::uint64_t alpha = 10;
  std::uint64_t beta = 14;
  std::size_t thread_count = 1;
  bool overlap = true;    ///< compute while bitmaps are under way, where there is work
  bool by_group = false;  ///< pairs: a collective for each group, in place of one for all
  bool lists = false;     ///< grid: lists of vertices where they are shorter than bitmaps
  // Of searches that use GPUs.
  std::uint32_t threshold = 32;  ///< arcs in a block from which on a row is a warp's, bottom-up
  std::uint64_t cpu_share = 0;   ///< percent of a block's arcs
  std::size_t gpu_count = 1;     ///< of a rank; pairs may have 2, one a block
};

/// A rank's knowledge of the vertices of a part of the rows or columns; numbers are the part's.
struct Side {
  Side(VertexRange of_part, std::pmr::memory_resource* memory);

  /// Before a search. O(vertices / 64): predecessors of vertices that are not found are never read.
  void clear();
  std::uint64_t bytes() const {
    return 4 * visited.size() * sizeof(Word) + predecessors.size() * sizeof(Vertex);
  }

  VertexRange part;
  std::pmr::vector<Word> frontier;
  /// Visited by the search, as far as this rank has heard; in a level also the vertices that it has
  /// found itself.
  std::pmr::vector<Word> visited;
  /// Found by this rank's blocks in this level. Other ranks may have found the same vertices, or
  /// have visited them long before.
  std::pmr::vector<Word> found;
  /// Vertices of which others, or this rank, take this rank's predecessors.
  std::pmr::vector<Word> chosen;
  /// For every vertex that this rank has found: the vertex, by its id in the graph, that it was
  /// found from. In the end another rank's predecessor may be taken.
  std::pmr::vector<Vertex> predecessors;
};

/// A search along one block. Top-down it goes from the frontier of the block's rows to its columns.
/// Bottom-up it goes from the frontier of its columns to its rows, and each row looks for a column.
/// These are the mirrored arcs, which a symmetric graph has too (hiragushi2013, section 2.4).
struct Walk {
  std::size_t block;
  bool bottom_up;
  std::size_t from;  ///< sides, by their numbers
  std::size_t to;    ///< whose `found` is written
};

/// Asks for a transfer from time to time until it is done: a question costs about a microsecond.
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

/// A rank's threads: they go along the rows of its blocks, and through its bitmaps.
class RankTeam {
 public:
  /// Throws MachineError when the system starts no more threads.
  RankTeam(std::size_t thread_count, RunContext& context) : team_(thread_count, context) {}

  /// Whether the searches that follow are counted. Forgets earlier counts.
  void count_work(bool counted) {
    counted_ = counted;
    tally_ = {};
  }
  /// Levels and their vertices are in the log.
  void add_work_to(SearchWork& work) const;

  /// Goes along the rows of the first words of a bitmap; writes `to.found`. Between portions the
  /// thread that called asks for a transfer that is under way.
  void top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                Pending* under_way);
  /// The same bottom-up; writes the first words of `to.found`.
  void bottom_up(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                 Pending* under_way);

  /// Calls work(first, last) for portions of `count` words, or of other things that take
  /// nanoseconds each, in all threads. The calling thread does a single portion itself, and wakes
  /// none.
  template <class Work>
  void for_portions(std::size_t count, Work work) {
    if (team_.size() == 1 || count <= kPortion) {
      work(std::size_t{0}, count);
      return;
    }
    portions_.open(count);
    team_.run([&](std::size_t) { portions_.take(kPortion, work); });
  }

  std::size_t count_members(std::span<const Word> set);

  /// Calls visit(v, i) for each member v of a set, where i members are before it, in all threads.
  /// Returns the number of members.
  template <class Visit>
  std::size_t for_each_numbered(std::span<const Word> set, Visit visit) {
    number(set);
    std::size_t count = 0;
    for_portions(set.size(), [&](std::size_t first, std::size_t last) {
      std::size_t i = numbers_[first / kPortion];
      bfs::for_each_member(set, first, last, [&](Vertex v) { visit(v, i++); });
      if (last == set.size()) count = i;
    });
    return count;
  }

 private:
  /// Words of a bitmap whose rows a thread searches at a time.
  static constexpr std::size_t kWords = 16;
  /// Waking a thread takes as long as going through some portions without members. It takes less
  /// time than going through a full one: 65,536 vertices.
  static constexpr std::size_t kPortion = 1024;

  /// Calls work(first, last, tally) for portions of words that are searched, in all threads.
  template <class AnyTally, class Work>
  void search(std::size_t word_count, Pending* under_way, Work work);
  template <class AnyTally, bool kShared>
  void go_top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                   Pending* under_way);
  template <class AnyTally>
  void go_top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                   Pending* under_way);
  template <class AnyTally>
  void go_bottom_up(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                    Pending* under_way);
  /// Numbers the members before each portion.
  void number(std::span<const Word> set);

  ThreadTeam team_;
  bfs::Portions portions_;
  std::vector<std::size_t> numbers_;
  bool counted_ = false;
  Tally tally_;
  std::mutex tally_mutex_;
};

/// In a level the calls are visit_frontier() for each side whose frontier is new, then start(),
/// finish() and receive() for each walk. fetch_predecessors() comes before the next level, or at
/// the end of the search. Of the walks that have been started no two go along one block or to one
/// side.
class BlockSearch {
 public:
  /// Throws MachineError when the system starts no more threads.
  BlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
              std::pmr::memory_resource* memory, std::size_t thread_count, RunContext& context);
  BlockSearch(const BlockSearch&) = delete;
  BlockSearch& operator=(const BlockSearch&) = delete;
  virtual ~BlockSearch() = default;

  Side& side(std::size_t s) { return sides_[s]; }
  /// The threads, for the steps between walks too.
  RankTeam& team() { return team_; }
  /// Whether it copies to and from a device's memory. Otherwise receive() and fetch_predecessors()
  /// do nothing, and need not be called.
  virtual bool copies() const { return false; }
  /// Whether the team alone goes along the blocks' rows.
  virtual bool has_only_threads() const { return false; }

  /// Before a search.
  virtual void clear();
  /// The side's frontier is new, and stays until the walks from and to the side are received.
  virtual void visit_frontier(std::size_t s);
  virtual void start(const Walk& walk) = 0;
  /// Returns when the walk has found all vertices. Meanwhile it asks for a transfer that is under
  /// way, so that the transfer gets on.
  virtual void finish(const Walk& walk, Pending* under_way = nullptr) = 0;
  /// Returns when `found` has the walk's vertices.
  virtual void receive(const Walk& /*walk*/) {}
  /// Returns when the side has the predecessors of the chosen vertices. Walks to the side found
  /// them: in a search with several blocks, the last walk.
  virtual void fetch_predecessors(std::size_t /*s*/) {}

 protected:
  const bfs::Block& block(std::size_t b) const { return blocks_[b]; }
  std::span<const bfs::Block> blocks() const { return blocks_; }
  std::span<Side> sides() { return sides_; }

 private:
  std::vector<bfs::Block> blocks_;
  std::vector<Side> sides_;
  RankTeam team_;
};

/// A rank's blocks, and sides of these parts.
using MakeBlockSearch = std::unique_ptr<BlockSearch> (*)(std::span<const bfs::Block> blocks,
                                                         std::span<const VertexRange> parts,
                                                         const SearchOptions& options,
                                                         RunContext& context);

/// By CPU threads alone: finish() does all the work. Throws MachineError when the system starts no
/// more threads.
std::unique_ptr<BlockSearch> make_cpu_block_search(std::span<const bfs::Block> blocks,
                                                   std::span<const VertexRange> parts,
                                                   const SearchOptions& options,
                                                   RunContext& context);

}  // namespace bellmark::distributed_bfs
