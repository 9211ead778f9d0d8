// What a rank searches itself in a level: its blocks of the adjacency matrix, and what it knows of
// the vertices on their sides. By CPU threads here; gpu_block_search.hpp has GPUs.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "algorithms/bfs/block.hpp"
#include "algorithms/bfs/levels.hpp"
#include "algorithms/bfs/options.hpp"
#include "algorithms/contract/communicator.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/thread_team.hpp"

namespace bellmark::distributed_bfs {

using bfs::VertexRange;
using bfs::Word;

struct SearchOptions {
  bfs::Direction direction = bfs::Direction::hybrid;
  std::uint64_t alpha = 10;
  std::uint64_t beta = 14;
  std::size_t thread_count = 1;
  bool overlap = true;    ///< compute while bitmaps are under way, where there is something to
  bool by_group = false;  ///< pairs: a collective for each group, in place of one for all
  bool lists = false;     ///< grid: lists of vertices where they are shorter than bitmaps
  // Of searches that use GPUs.
  std::uint32_t threshold = 32;  ///< arcs in a block from which on a row is a warp's, bottom-up
  std::uint64_t cpu_share = 0;   ///< percent of a block's arcs
  std::size_t gpu_count = 1;     ///< of a rank; pairs may have 2, one a block
};

/// What a rank knows of the vertices of a part of the rows or columns; numbers are the part's.
struct Side {
  Side(VertexRange of_part, std::pmr::memory_resource* memory);

  /// Before a search. O(vertices / 64): predecessors of vertices that are not found are never read.
  void clear();
  /// The frontier has been visited.
  void visit_frontier();
  std::uint64_t bytes() const {
    return 4 * visited.size() * sizeof(Word) + predecessors.size() * sizeof(Vertex);
  }

  VertexRange part;
  std::pmr::vector<Word> frontier;
  /// By the search, as far as this rank has heard; in a level also what it has found itself.
  std::pmr::vector<Word> visited;
  /// By this rank's blocks in this level. Other ranks may have found the same vertices, or have
  /// visited them long ago.
  std::pmr::vector<Word> found;
  /// Those that others, or this rank, take this rank's predecessors of.
  std::pmr::vector<Word> chosen;
  /// Of every vertex that this rank has found: the one, by its id in the graph, that it was found
  /// from, whoever's is taken in the end.
  std::pmr::vector<Vertex> predecessors;
};

/// A search along one block: top-down from the frontier of the block's rows to its columns;
/// bottom-up from the frontier of its columns to its rows, each row looking for a column: the
/// mirrored arcs, which a symmetric graph has too (hiragushi2013, section 2.4).
struct Walk {
  std::size_t block;
  bool bottom_up;
  std::size_t from;  ///< sides, by their numbers
  std::size_t to;    ///< whose `found` is written
};

/// In a level: visit_frontier() for each side whose frontier is new; start(), finish() and
/// receive() for each walk; and before the next level, or at the end of the search,
/// fetch_predecessors(). Of the walks that have been started no two go along one block or to one
/// side.
class BlockSearch {
 public:
  BlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
              std::pmr::memory_resource* memory);
  BlockSearch(const BlockSearch&) = delete;
  BlockSearch& operator=(const BlockSearch&) = delete;
  virtual ~BlockSearch() = default;

  Side& side(std::size_t s) { return sides_[s]; }
  /// Whether it has a device's memory to copy to and from. Otherwise receive() and
  /// fetch_predecessors() do nothing, and need not be called.
  virtual bool copies() const { return false; }

  /// Before a search.
  virtual void clear();
  /// The side's frontier is new, and stays until the walks from and to the side are received.
  virtual void visit_frontier(std::size_t s) { sides_[s].visit_frontier(); }
  virtual void start(const Walk& walk) = 0;
  /// Returns when the walk has found all that it finds. Meanwhile it asks for a transfer that is
  /// under way, so that it gets on.
  virtual void finish(const Walk& walk, Pending* under_way = nullptr) = 0;
  /// Returns when `found` says what the walk found.
  virtual void receive(const Walk& /*walk*/) {}
  /// Returns when the side has the predecessors of what is chosen. Found by walks to it: in a
  /// search with several blocks, by the last one.
  virtual void fetch_predecessors(std::size_t /*s*/) {}

 protected:
  const bfs::Block& block(std::size_t b) const { return blocks_[b]; }
  std::span<const bfs::Block> blocks() const { return blocks_; }
  std::span<Side> sides() { return sides_; }

 private:
  std::vector<bfs::Block> blocks_;
  std::vector<Side> sides_;
};

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

/// A team of threads that goes along the first rows of blocks: those of words 0..word_count-1 of a
/// bitmap. Between portions the thread that called asks for a transfer that is under way.
class RowTeam {
 public:
  /// Throws MachineError when the system starts no more threads.
  RowTeam(std::size_t thread_count, RunContext& context) : team_(thread_count, context) {}

  /// Writes `to.found`.
  void top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                Pending* under_way);
  /// Writes the first words of `to.found`.
  void bottom_up(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                 Pending* under_way);

  /// Calls work(first, last) for portions of a bitmap's words, in all threads.
  template <class Work>
  void run(std::size_t word_count, Pending* under_way, Work work) {
    words_.open(word_count);
    team_.run([&](std::size_t thread) {
      Asking asking(thread == 0 ? under_way : nullptr);
      words_.take(kWords, [&](std::size_t first, std::size_t last) {
        work(first, last);
        asking.ask();
      });
    });
  }

 private:
  /// Words of a bitmap that a thread takes at a time.
  static constexpr std::size_t kWords = 16;

  template <bool kShared>
  void go_top_down(const bfs::Block& block, const Side& from, Side& to, std::size_t word_count,
                   Pending* under_way);

  ThreadTeam team_;
  bfs::Portions words_;
};

/// A rank's blocks, and sides of these parts.
using MakeBlockSearch = std::unique_ptr<BlockSearch> (*)(std::span<const bfs::Block> blocks,
                                                         std::span<const VertexRange> parts,
                                                         const SearchOptions& options,
                                                         RunContext& context);

/// By CPU threads alone: finish() does it all. Throws MachineError when the system starts no more
/// threads.
std::unique_ptr<BlockSearch> make_cpu_block_search(std::span<const bfs::Block> blocks,
                                                   std::span<const VertexRange> parts,
                                                   const SearchOptions& options,
                                                   RunContext& context);

}  // namespace bellmark::distributed_bfs
