// The common part of both partitions of a distributed search by levels: the choice of the giver of
// a vertex's predecessor, and the plan of a level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/settings.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"
#include "algorithms/problems/distributed_bfs/problem.hpp"
#include "algorithms/searches/distributed_bfs/block_search.hpp"
#include "algorithms/searches/distributed_bfs/step_log.hpp"

namespace bellmark::distributed_bfs {

/// One rank's end of a search. Everything is collective.
class Search {
 public:
  Search() = default;
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;
  virtual ~Search() = default;

  virtual void run(Vertex source) = 0;
  /// The answer of the last run, for the vertices of this rank's piece of the grid.
  virtual void extract(DistributedBfs::Answer& answer) const = 0;
  virtual PhaseLog phase_log() const = 0;
  virtual std::uint64_t level_count() const = 0;
  virtual std::uint64_t reached_count() const = 0;
  /// The threads that search for this rank, to count their work. Null where others search, too.
  virtual RankTeam* searching_team() { return nullptr; }
};

/// Throws UnmetError for options that only the other partition has.
void check_options(PartitionKind kind, const SearchOptions& options);

/// `graph`, of any partition, in this one. Throws UnmetError as Partition and check_options() do,
/// and the exceptions of make_block_search.
std::unique_ptr<Search> make_search(PartitionKind kind, const DistributedGraph& graph,
                                    const SearchOptions& options, RunContext& context,
                                    MakeBlockSearch make_block_search = make_cpu_block_search);

/// A search's ends with each partition, which `graph` has.
std::unique_ptr<Search> make_grid_search(const DistributedGraph& graph,
                                         const SearchOptions& options, RunContext& context,
                                         MakeBlockSearch make_block_search);
std::unique_ptr<Search> make_pairs_search(const DistributedGraph& graph,
                                          const SearchOptions& options, RunContext& context,
                                          MakeBlockSearch make_block_search);

/// The common part of variants whose prepare() makes `search_`.
class SearchVariant {
 public:
  using Problem = DistributedBfs;

  void run(std::span<const DistributedBfs::Query> queries, RunContext& context);
  void extract(DistributedBfs::Answer& answer) const { search_->extract(answer); }
  PhaseLog phase_log() const { return search_->phase_log(); }

 protected:
  /// By the keys that CPU and GPU families share.
  SearchVariant(const Settings& settings, bfs::Direction direction);

  SearchOptions options_;
  std::unique_ptr<Search> search_;
};

/// Keys of both families, whose values SearchVariant reads.
Key partition_key();
Key exchange_key();
Key frontier_key();

/// Description::refuse_ranks of both, by the key `partition`.
std::string refuse_ranks(const Settings& settings, std::size_t rank_count);

/// Chooses the new vertices of a piece, in words [first, last), and for each the member of its
/// group that gives the predecessor. That is the member itself where it has found the vertex, so
/// that nothing is sent. Else it is the first after it, in the order of members, that has found it.
/// `received` is a bitmap of the piece from each member, `known` the vertices visited before.
/// Writes `fresh` and calls take(m, w, bits) for the vertices `bits` of word w that member m gives,
/// with none too: `received` isn't read there again. O(size * words).
template <class Take>
void choose(std::span<const Word> received, std::size_t size, std::size_t self,
            std::span<const Word> known, std::span<Word> fresh, std::size_t first, std::size_t last,
            Take take) {
  for (std::size_t w = first; w < last; ++w) {
    Word missing = ~known[w];
    std::size_t m = self;
    for (std::size_t i = 0; i < size; ++i) {
      const Word bits = received[m * known.size() + w] & missing;
      take(m, w, bits);
      missing &= ~bits;
      m = m + 1 == size ? 0 : m + 1;
    }
    fresh[w] = ~missing & ~known[w];
  }
}

/// Vertices, and the arcs that leave them.
struct Counts {
  std::uint64_t vertex_count = 0;
  std::uint64_t arc_count = 0;
};

/// The counts of the new vertices of a piece. O(words + members): 8 bytes for each member.
Counts count(RankTeam& team, std::span<const Word> fresh, std::span<const Offset> degrees);

/// New vertices of a piece become known, at this depth. O(words + members).
void settle(RankTeam& team, std::span<const Word> fresh, std::span<Word> known,
            std::span<Level> levels, Level depth);

/// Whether there is a next level, and its direction: the same at all ranks, by numbers that are
/// added up over them.
class Plan {
 public:
  Plan(const DistributedGraph& graph, const SearchOptions& options)
      : ranks_(&graph.ranks()),
        direction_(options.direction),
        rule_(options.alpha, options.beta, graph.vertex_count(), graph.arc_count()),
        vertex_count_(graph.vertex_count()) {}

  void clear();
  /// Collective: the last level found `found_count` vertices of this rank's, which
  /// `found_arc_count` arcs leave. False where no rank found any.
  bool next(std::uint64_t found_count, std::uint64_t found_arc_count);

  const bfs::LevelRow& level() const { return level_; }
  /// The number of levels before this one.
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

/// Plan::next(), as a step that a log keeps.
Step plan_step();

}  // namespace bellmark::distributed_bfs
