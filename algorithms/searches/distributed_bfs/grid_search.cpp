// A search by levels over ranks in a grid.
#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "algorithms/problems/distributed_bfs/grid_ranks.hpp"
#include "algorithms/searches/distributed_bfs/grid_steps.hpp"
#include "algorithms/searches/distributed_bfs/search.hpp"

namespace bellmark::distributed_bfs {
namespace {

/// The sides of a rank's block.
constexpr std::size_t kRows = 0;
constexpr std::size_t kColumns = 1;

/// A rank in one of its groups: its knowledge of the group's part, and the piece of the part that
/// it folds. Numbers are the piece's but in `side`.
struct GridSeat {
  GridSeat(const Group& of_group, Side& of_part)
      : group(of_group),
        side(of_part),
        piece_begin(of_group.piece().begin - of_group.part().begin),
        fresh(bfs::word_count(of_group.piece().size())),
        known(fresh.size()),
        received(fresh.size() * of_group.size()),
        given(received.size()),
        predecessors(of_group.piece().size()),
        parcels(of_group.members()) {}

  std::uint64_t bytes() const {
    return side.bytes() + 2 * (fresh.size() + received.size()) * sizeof(Word) +
           predecessors.size() * sizeof(Vertex);
  }

  std::size_t self() const { return group.members().rank(); }
  /// The vertices that a member gives.
  std::span<const Word> given_by(std::size_t member) const {
    return std::span(given).subspan(member * fresh.size(), fresh.size());
  }

  const Group& group;
  Side& side;
  Vertex piece_begin;       ///< by the part's number
  std::vector<Word> fresh;  ///< new in the last level
  std::vector<Word> known;  ///< visited
  std::vector<Word> received;
  /// A bitmap for each member: the vertices folded here, and not in the piece's other group, whose
  /// predecessors the member gives. A bitmap is less to write than a number for each vertex.
  std::vector<Word> given;
  std::vector<Vertex> predecessors;
  Parcels<Vertex> parcels;
};

/// Both directions go along the rows of the one block that a rank holds. Top-down the rows are the
/// frontier, and columns are found. Bottom-up the rows look for a frontier among their columns, and
/// are found (the matrix is symmetric then). So a level top-down expands the frontier along the
/// grid's rows, searches, and folds its finds down the columns. A level bottom-up needs the visited
/// vertices of the rows and the frontier of the columns, and folds along the rows. Either way an
/// exchange carries the piece's new vertices to its place in the other group. Expanding and folding
/// are those of Buluc, Madduri, SC 2011. Here bottom-up turns the stored block round, and doesn't
/// hold the transpose too.
///
/// The traffic of a level, in bitmaps of n vertices, over all ranks of R x C:
///   expand     C - 1, and bottom-up R - 1 more
///   fold       R - 1 top-down, C - 1 bottom-up
///   transpose  1, less the pieces that stay
/// So a rank sends n (1 / R + 1 / C) bits or little more. Predecessors stay where they were found
/// until the search is over. Then each vertex asks once: 4 bytes there and 4 back, unless its giver
/// is the same rank. The predecessors folded in columns move by 4 n bytes. In a grid of one row or
/// one column they stay; a group of one rank has nothing to fold or to ask.
///
/// The rank's threads do all steps but the sending, in portions of words or of vertices. A word is
/// one thread's, so that few steps need an atomic operation.
///
/// With `overlap` the levels of the found vertices are written (`plan`) while the frontier is under
/// way, of rows and columns at once. `expand` is the rest of the wait. The search of the one block
/// needs the whole frontier, and the fold the whole search. To search while half of it is under
/// way, each piece would have to be cut in two. Top-down that would not help the fold, since any
/// row may find any column.
///
/// With `lists` sparse sets move as 32-bit numbers: n / 8 bytes of a bitmap become 4 for each
/// vertex, and 8 for a rank's count of them, which is sent first. `expand` does so where the whole
/// frontier takes fewer bytes. `fold` and `transpose` do so where all finds of the ranks take fewer
/// bytes, each vertex as often as it was found. An all-reduce, in `fold`, tells it.
///
/// Where a GPU searches, `copy` is the wait for copies to it and from it: a frontier on each side
/// that is expanded, the finds, and in the end the predecessors that this rank gives. With
/// `overlap` the rows' frontier is copied while the columns' is under way.
class GridSearch final : public Search {
 public:
  GridSearch(const DistributedGraph& graph, const SearchOptions& options, RunContext& context,
             MakeBlockSearch make_block_search)
      : graph_(graph),
        grid_(graph.partition(), graph.ranks()),
        search_(make_block_search(graph_.blocks(),
                                  std::array{grid_.row().part(), grid_.column().part()}, options,
                                  context)),
        rows_(grid_.row(), search_->side(kRows)),
        columns_(grid_.column(), search_->side(kColumns)),
        levels_(grid_.row().piece().size()),
        overlap_(options.overlap),
        lists_(options.lists),
        plan_(graph, options),
        log_(grid_steps(Predecessors::asked_for, search_->copies()), grid_growth(),
             {&grid_.ranks(), &grid_.row().members(), &grid_.column().members()}) {
    log_.reserve(graph.vertex_count());
    context.account("vertices", rows_.bytes() + columns_.bytes() + levels_.size() * sizeof(Level));
  }

  void run(Vertex source) override {
    log_.clear();
    begin(source);
    bool went_top_down = false;
    bool went_bottom_up = false;
    while (next_level()) {
      expand();
      const bool bottom_up = plan_.level().bottom_up;
      search_block(bottom_up);
      if (bottom_up) {
        went_bottom_up = true;
        fold(rows_, columns_);
      } else {
        went_top_down = true;
        fold(columns_, rows_);
      }
    }
    if (went_top_down) {
      if (pieces_stay()) {
        find_predecessors(columns_, kColumns, rows_.predecessors);
      } else {
        find_predecessors(columns_, kColumns, columns_.predecessors);
        grid_.to_row<Vertex>(columns_.predecessors, rows_.predecessors);
      }
    }
    if (went_bottom_up) find_predecessors(rows_, kRows, rows_.predecessors);
    log_.close(kPredecessors);
    log_.add(kPredecessors, kVertices, levels_.size());
  }

  void extract(DistributedBfs::Answer& answer) const override {
    answer = {&grid_.ranks(), grid_.row().piece(), levels_, rows_.predecessors};
    for (Vertex v = 0; v < levels_.size(); ++v) {
      if (bfs::contains(rows_.known, v)) continue;
      answer.levels[v] = kNoLevel;
      answer.predecessors[v] = kNoVertex;
    }
  }

  PhaseLog phase_log() const override { return log_.phase_log(grid_.ranks()); }
  std::uint64_t level_count() const override { return log_.level_count(); }
  std::uint64_t reached_count() const override { return plan_.visited_count(); }
  RankTeam* searching_team() override { return search_->has_only_threads() ? &team() : nullptr; }

 private:
  /// The source counts as found by a level before the first.
  void begin(Vertex source) {
    plan_.clear();
    search_->clear();
    for (GridSeat* const seat : {&rows_, &columns_}) {
      std::fill(seat->known.begin(), seat->known.end(), 0);
      std::fill(seat->given.begin(), seat->given.end(), 0);
      std::fill(seat->fresh.begin(), seat->fresh.end(), 0);
      const VertexRange piece = seat->group.piece();
      if (source < piece.begin || source >= piece.end) continue;
      bfs::insert<false>(seat->fresh, source - piece.begin);
      seat->predecessors[source - piece.begin] = kNoVertex;
    }
  }

  /// Plans the level after the last finds.
  bool next_level() {
    const Counts found = count(team(), rows_.fresh, graph_.degrees());
    if (!plan_.next(found.vertex_count, found.arc_count)) {
      log_.close(kPlan);
      return false;
    }
    log_.open(plan_.level(), kPlan);
    // All ranks together get one predecessor for each vertex from GPUs.
    log_.add(kCopy, kVertices, found.vertex_count);
    return true;
  }

  /// The last finds become the frontier. Rows expand in both directions: bottom-up looks at those
  /// that aren't visited.
  void expand() {
    Pending of_rows = start_expand(rows_);
    Pending of_columns = plan_.level().bottom_up ? start_expand(columns_) : Pending();
    log_.close(kExpand);
    settle(team(), rows_.fresh, rows_.known, levels_, plan_.depth());
    for (std::size_t w = 0; w < columns_.known.size(); ++w) columns_.known[w] |= columns_.fresh[w];
    log_.close(kPlan);
    of_rows.wait();
    visit_frontier(kRows);
    if (!plan_.level().bottom_up) return;
    of_columns.wait();
    visit_frontier(kColumns);
  }

  void visit_frontier(std::size_t side) {
    log_.close(kExpand);
    search_->visit_frontier(side);
    log_.close(search_->copies() ? kCopy : kExpand);
    log_.add(kCopy, kBitmapBytes, std::span(search_->side(side).frontier).size_bytes());
  }

  void search_block(bool bottom_up) {
    const Walk walk = {0, bottom_up, bottom_up ? kColumns : kRows, bottom_up ? kRows : kColumns};
    search_->start(walk);
    search_->finish(walk);
    log_.close(kSearch);
    if (plan_.depth() == 0) log_.add(kSearch, kArcs, graph_.blocks()[0].arc_count());
    const Side& found_in = search_->side(walk.to);
    log_.add(kSearch, kBitmapBytes,
             std::span(search_->side(walk.from).frontier).size_bytes() +
                 std::span(found_in.found).size_bytes());
    if (!search_->copies()) return;
    search_->receive(walk);
    log_.close(kCopy);
    log_.add(kCopy, kBitmapBytes, std::span(found_in.found).size_bytes());
  }

  /// Lists are too short to wait for later.
  Pending start_expand(GridSeat& seat) {
    if (lists_are_shorter(plan_.level().frontier_count)) {
      seat.group.gather_list(seat.fresh, seat.side.frontier);
      return {};
    }
    Pending pending = seat.group.start_gather_set(seat.fresh, seat.side.frontier);
    if (!overlap_) pending.wait();
    return pending;
  }

  /// Whether they are shorter than a bitmap of all vertices.
  bool lists_are_shorter(std::uint64_t count) const {
    return lists_ && count * sizeof(Vertex) + grid_.ranks().size() * sizeof(std::uint64_t) <
                         bfs::word_count(graph_.vertex_count()) * sizeof(Word);
  }

  /// The finds go to `seat`, and those that are new to the piece's place in the other seat.
  void fold(GridSeat& seat, GridSeat& other) {
    const Group& group = seat.group;
    bool as_lists = false;
    if (lists_) {
      const std::uint64_t found_count = team().count_members(seat.side.found);
      as_lists = lists_are_shorter(grid_.ranks().all_reduce(found_count, Reduction::sum));
    }
    std::span<const Word> received = seat.received;
    if (group.size() == 1) {
      received = seat.side.found;
    } else if (as_lists) {
      group.deal_list(seat.side.found, seat.received, seat.parcels);
    } else {
      group.deal_set(seat.side.found, seat.received);
    }
    const std::size_t word_count = seat.fresh.size();
    team().for_portions(word_count, [&](std::size_t first, std::size_t last) {
      choose(received, group.size(), seat.self(), seat.known, seat.fresh, first, last,
             [&](std::size_t member, std::size_t w, Word bits) {
               if (bits != 0) seat.given[member * word_count + w] |= bits;
             });
    });
    log_.close(kFold);
    if (as_lists) {
      const std::vector<Vertex> list = members_of(seat.fresh);
      const std::size_t count = list.size();
      std::size_t other_count = 0;
      carry<std::size_t>(seat, std::span(&count, 1), std::span(&other_count, 1));
      std::vector<Vertex> other_list(other_count);
      carry<Vertex>(seat, list, other_list);
      assign(other.fresh, other_list);
    } else {
      carry<Word>(seat, seat.fresh, other.fresh);
    }
    log_.close(kTranspose);
  }

  /// Collective: moves `seat`'s values of its piece to the piece's place in the other group.
  template <class T>
  void carry(const GridSeat& seat, std::span<const T> sent, std::span<T> received) const {
    if (&seat == &rows_) {
      grid_.to_column(sent, received);
    } else {
      grid_.to_row(sent, received);
    }
  }

  /// Every piece is at the same rank in both groups.
  bool pieces_stay() const { return grid_.row().size() == 1 || grid_.column().size() == 1; }

  /// Asks the givers of the vertices folded in this seat; this rank's own need no question. Writes
  /// the predecessors of the folded vertices.
  void find_predecessors(GridSeat& seat, std::size_t side, std::span<Vertex> predecessors) {
    const bool alone = seat.group.size() == 1;
    if (!alone) ask(seat);
    if (search_->copies()) fetch_predecessors(seat, side);
    const auto own = seat.given_by(seat.self());
    const Vertex* const found = seat.side.predecessors.data() + seat.piece_begin;
    team().for_portions(own.size(), [&](std::size_t first, std::size_t last) {
      bfs::for_each_member(own, first, last, [&](Vertex v) { predecessors[v] = found[v]; });
    });
    if (alone) return;
    answer(seat);
    for (std::size_t member = 0; member < seat.group.size(); ++member) {
      if (member == seat.self()) continue;
      const auto answers = seat.parcels.from(member);
      team().for_each_numbered(seat.given_by(member),
                               [&](Vertex v, std::size_t i) { predecessors[v] = answers[i]; });
    }
  }

  /// Collective: each member is told the vertices that it gives.
  void ask(GridSeat& seat) {
    for (std::size_t member = 0; member < seat.group.size(); ++member) {
      if (member == seat.self()) continue;
      const auto given = seat.given_by(member);
      std::vector<Vertex>& asked = seat.parcels.to(member);
      asked.resize(team().count_members(given));
      team().for_each_numbered(given,
                               [&](Vertex v, std::size_t i) { asked[i] = seat.piece_begin + v; });
    }
    seat.parcels.deliver();
  }

  /// Collective: it gives them, in the order of the questions.
  void answer(GridSeat& seat) {
    for (std::size_t member = 0; member < seat.group.size(); ++member) {
      const auto asked = seat.parcels.from(member);
      std::vector<Vertex>& answers = seat.parcels.to(member);
      answers.resize(asked.size());
      team().for_portions(asked.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) answers[i] = seat.side.predecessors[asked[i]];
      });
    }
    seat.parcels.deliver();
  }

  /// Fetches this rank's predecessors from where the block was searched: for itself, and for every
  /// rank that asks.
  void fetch_predecessors(GridSeat& seat, std::size_t side) {
    log_.close(kPredecessors);
    auto& chosen = seat.side.chosen;
    std::fill(chosen.begin(), chosen.end(), 0);
    const auto own = seat.given_by(seat.self());
    std::copy(own.begin(), own.end(), chosen.begin() + bfs::word_count(seat.piece_begin));
    for (std::size_t member = 0; member < seat.group.size(); ++member) {
      const auto asked = seat.parcels.from(member);
      team().for_portions(asked.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) bfs::insert<true>(chosen, asked[i]);
      });
    }
    search_->fetch_predecessors(side);
    log_.close(kCopy);
    log_.add(kCopy, kBitmapBytes, std::span(chosen).size_bytes());
  }

  RankTeam& team() { return search_->team(); }

  const DistributedGraph graph_;
  GridRanks grid_;
  std::unique_ptr<BlockSearch> search_;
  GridSeat rows_;
  GridSeat columns_;
  std::vector<Level> levels_;
  bool overlap_;
  bool lists_;
  Plan plan_;
  StepLog log_;
};

}  // namespace

std::unique_ptr<Search> make_grid_search(const DistributedGraph& graph,
                                         const SearchOptions& options, RunContext& context,
                                         MakeBlockSearch make_block_search) {
  return std::make_unique<GridSearch>(graph, options, context, make_block_search);
}

}  // namespace bellmark::distributed_bfs
