// What both forms of a distributed search by levels share: what a rank knows of a part, the search
// of a block by threads, the choice of who gives a vertex's predecessor, and the plan of a level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/bfs/levels.hpp"
#include "algorithms/bfs/options.hpp"
#include "algorithms/contract/thread_team.hpp"
#include "algorithms/distributed_bfs/distributed_graph.hpp"
#include "algorithms/distributed_bfs/problem.hpp"
#include "algorithms/distributed_bfs/step_log.hpp"

namespace bellmark::distributed_bfs {

struct SearchOptions {
  bfs::Direction direction = bfs::Direction::hybrid;
  std::uint64_t alpha = 10;
  std::uint64_t beta = 14;
  std::size_t thread_count = 1;
  bool overlap = true;    ///< compute while bitmaps are under way, where there is something to
  bool by_group = false;  ///< pairs: a collective for each group, in place of one for all
  bool lists = false;     ///< grid: lists of vertices where they are shorter than bitmaps
};

/// One rank's end of a search. Everything is collective.
class Search {
 public:
  Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  virtual ~Search() = default;

  virtual void run(Vertex source) = 0;
  /// Of the last run, for the vertices of this rank's piece of the grid.
  virtual void extract(DistributedBfs::Answer& answer) = 0;
  virtual PhaseLog phase_log() const = 0;
  virtual std::uint64_t level_count() const = 0;
  virtual std::uint64_t reached_count() const = 0;
};

/// `graph` as a grid. Throws MachineError when the system starts no more threads, and UnmetError
/// for what only pairs have.
std::unique_ptr<Search> make_grid_search(const DistributedGraph& graph,
                                         const SearchOptions& options, RunContext& context);
/// `graph` in any form. Throws UnmetError as Partition does, too.
std::unique_ptr<Search> make_pairs_search(const DistributedGraph& graph,
                                          const SearchOptions& options, RunContext& context);

/// What a rank knows of the vertices of a part of the rows or columns; numbers are the part's.
struct Side {
  explicit Side(VertexRange of_part);

  /// Before a search. O(vertices / 64): predecessors of vertices that are not found are never read.
  void clear();
  /// The frontier has been visited.
  void visit_frontier();
  std::uint64_t bytes() const {
    return 3 * visited.size() * sizeof(Word) + predecessors.size() * sizeof(Vertex);
  }

  VertexRange part;
  std::vector<Word> frontier;
  /// By the search, as far as this rank has heard; in a level also what it has found itself.
  std::vector<Word> visited;
  /// By this rank's blocks in this level. Other ranks may have found the same vertices, or have
  /// visited them long ago.
  std::vector<Word> found;
  /// Of every vertex that this rank has found: the one, by its id in the graph, that it was found
  /// from, whoever's is taken in the end.
  std::vector<Vertex> predecessors;
};

/// Goes along the rows of blocks with a team of threads. Meanwhile it asks for a transfer that is
/// under way, so that it gets on: between portions, by the thread that called.
class BlockSearch {
 public:
  BlockSearch(std::size_t thread_count, RunContext& context) : team_(thread_count, context) {}

  /// From the frontier of the block's rows to its columns: writes `to.found`.
  void top_down(const bfs::Block& block, const Side& from, Side& to, Pending* under_way = nullptr);
  /// From the frontier of the block's columns to its rows, each row looking for a column: the
  /// mirrored arcs, which a symmetric graph has too (hiragushi2013, section 2.4). Writes
  /// `to.found`.
  void bottom_up(const bfs::Block& block, const Side& from, Side& to, Pending* under_way = nullptr);

 private:
  /// Words of a bitmap that a thread takes at a time.
  static constexpr std::size_t kWords = 16;

  /// Calls work(first, last) for portions of a bitmap's words, in all threads.
  template <class Work>
  void run(std::size_t word_count, Pending* under_way, Work work);
  template <bool kShared>
  void go_top_down(const bfs::Block& block, const Side& from, Side& to, Pending* under_way);

  ThreadTeam team_;
  bfs::Portions words_;
};

/// Which vertices of a piece are new, and who of its group gives the predecessor of each: the
/// member itself where it has found the vertex, so that nothing is sent, else the first behind it
/// in the order of members that has. `received` is a bitmap of the piece from each member, `known`
/// what was visited before. Writes `fresh` and calls take(m, w, bits) where member m gives the
/// vertices `bits` of word w. O(size * words).
template <class Take>
void choose(std::span<const Word> received, std::size_t size, std::size_t self,
            std::span<const Word> known, std::span<Word> fresh, Take take) {
  for (std::size_t w = 0; w < known.size(); ++w) {
    Word missing = ~known[w];
    for (std::size_t i = 0; i < size && missing != 0; ++i) {
      const std::size_t m = (self + i) % size;
      const Word bits = received[m * known.size() + w] & missing;
      if (bits != 0) take(m, w, bits);
      missing &= ~bits;
    }
    fresh[w] = ~missing & ~known[w];
  }
}

/// Whether there is a next level, and which way it goes: the same at all ranks, by numbers that are
/// summed up over them.
class Plan {
 public:
  Plan(const DistributedGraph& graph, const SearchOptions& options)
      : ranks_(&graph.ranks()),
        direction_(options.direction),
        rule_(options.alpha, options.beta, graph.vertex_count(), graph.arc_count()),
        vertex_count_(graph.vertex_count()) {}

  void clear();
  /// Collective: the last level found `found_count` vertices of this rank's, which
  /// `found_arc_count` arcs leave. False where no rank's were found.
  bool next(std::uint64_t found_count, std::uint64_t found_arc_count);

  const bfs::LevelRow& level() const { return level_; }
  /// Levels before this one.
  Level depth() const { return depth_; }
  std::uint64_t visited_count() const { return visited_count_; }

 private:
  Communicator* ranks_;
  bfs::Direction direction_;
  bfs::SwitchRule rule_;
  Vertex vertex_count_;
  bfs::LevelRow level_;
  Level depth_ = 0;
  std::uint64_t visited_count_ = 0;
};

}  // namespace bellmark::distributed_bfs
