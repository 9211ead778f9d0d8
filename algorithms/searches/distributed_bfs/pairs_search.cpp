// A search by levels over ranks that hold two mirrored blocks each: hiragushi2013, Figure 8.
#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <span>
#include <utility>

#include "algorithms/problems/distributed_bfs/parcels.hpp"
#include "algorithms/searches/distributed_bfs/pairs_steps.hpp"
#include "algorithms/searches/distributed_bfs/search.hpp"

namespace bellmark::distributed_bfs {
namespace {

/// A rank in one of its two groups: its knowledge of the group's part, and its piece of it.
struct PairSeat {
  PairSeat(const Partition& partition, std::size_t piece_index, Side& of_part)
      : part_index(piece_index / partition.row_group(0).size()),
        member(piece_index % partition.row_group(0).size()),
        piece(partition.piece(piece_index)),
        side(of_part),
        fresh(bfs::word_count(piece.size())),
        known(fresh.size()),
        received(fresh.size() * partition.row_group(0).size()),
        levels(piece.size()),
        predecessors(piece.size()) {}

  std::uint64_t bytes() const {
    return side.bytes() + (2 * fresh.size() + received.size()) * sizeof(Word) +
           levels.size() * (sizeof(Level) + sizeof(Vertex));
  }

  std::size_t part_index;
  std::size_t member;  ///< this rank, in the group
  VertexRange piece;
  Side& side;
  // Of the piece.
  std::vector<Word> fresh;
  std::vector<Word> known;
  /// A bitmap for each member: its finds, and then those that this rank takes from it.
  std::vector<Word> received;
  std::vector<Level> levels;
  std::vector<Vertex> predecessors;
};

/// The groups of a rank's two seats, as communicators of their own. Collective: all groups are
/// split off one after the other.
std::vector<std::unique_ptr<Communicator>> split_groups(const Partition& partition,
                                                        Communicator& ranks) {
  std::vector<std::unique_ptr<Communicator>> groups;
  for (std::size_t part = 0; part < partition.row_part_count(); ++part) {
    const auto& group = partition.row_group(part);
    const bool belongs = std::binary_search(group.begin(), group.end(), ranks.rank());
    auto members = ranks.split(belongs ? 1 : 0);
    if (belongs) groups.push_back(std::move(members));
  }
  return groups;
}

/// Bitmaps, and predecessors, between members of groups, by one all-to-all.
class Exchange {
 public:
  /// `ranks` has some of a launch's ranks, which `launched` lists. takes(rank, part): whether the
  /// finds of `rank` in a part that it knows are dealt here.
  template <class Takes>
  Exchange(const Partition& partition, Communicator& ranks,
           const std::vector<std::size_t>& launched, std::array<PairSeat, 2>& seats, Takes takes)
      : ranks_(&ranks), seats_(&seats) {
    for (const std::size_t rank : launched) {
      std::size_t part_end = part_offsets_.back();
      std::size_t piece_end = piece_offsets_.back();
      // Two ranks that share both groups find both in this order too.
      for (std::size_t s = 0; s < seats.size(); ++s) {
        const std::size_t part = seats[s].part_index;
        const auto& group = partition.row_group(part);
        const auto found = std::find(group.begin(), group.end(), rank);
        if (found == group.end()) continue;
        const auto member = static_cast<std::size_t>(found - group.begin());
        if (takes(launched[ranks.rank()], part)) {
          const VertexRange piece = partition.piece(part * group.size() + member);
          part_routes_.push_back({part_offsets_.size() - 1, s, member,
                                  bfs::word_count(piece.begin - seats[s].side.part.begin),
                                  bfs::word_count(piece.size())});
          part_end += part_routes_.back().word_count;
        }
        if (takes(rank, part)) {
          piece_routes_.push_back({piece_offsets_.size() - 1, s, member, 0, seats[s].fresh.size()});
          piece_end += seats[s].fresh.size();
        }
      }
      part_offsets_.push_back(part_end);
      piece_offsets_.push_back(piece_end);
    }
    of_parts_.resize(part_offsets_.back());
    of_pieces_.resize(piece_offsets_.back());
  }

  /// Collective: the finds of a rank's blocks go to the members whose pieces they are in.
  Pending start_deal() {
    Word* end = of_parts_.data();
    for (const Route& route : part_routes_) {
      const PairSeat& seat = (*seats_)[route.seat];
      end = std::copy_n(seat.side.found.data() + route.first_word, route.word_count, end);
    }
    return ranks_->start_all_to_all(of_parts_, part_offsets_, of_pieces_, piece_offsets_);
  }
  /// To be called when the deal is done.
  void read_deal() {
    const Word* begin = of_pieces_.data();
    for (const Route& route : piece_routes_) {
      PairSeat& seat = (*seats_)[route.seat];
      std::copy_n(begin, route.word_count, seat.received.data() + route.member * route.word_count);
      begin += route.word_count;
    }
  }

  /// Collective: each member gets, by its parts, the members' bitmaps of their pieces for it.
  /// `piece(seat, member)` is that bitmap, `part(seat)` the place where it goes.
  template <class PieceOf, class PartOf>
  void spread(PieceOf piece, PartOf part) {
    Word* end = of_pieces_.data();
    for (const Route& route : piece_routes_) {
      PairSeat& seat = (*seats_)[route.seat];
      end = std::copy_n(piece(seat, route.member), route.word_count, end);
    }
    ranks_->all_to_all(of_pieces_, piece_offsets_, of_parts_, part_offsets_);
    const Word* begin = of_parts_.data();
    for (const Route& route : part_routes_) {
      PairSeat& seat = (*seats_)[route.seat];
      std::copy_n(begin, route.word_count, part(seat) + route.first_word);
      begin += route.word_count;
    }
  }

  /// The predecessors of chosen vertices that this rank gives others: each member's in the order of
  /// their vertices.
  void extract_predecessors(RankTeam& team) {
    given_offsets_.assign(part_offsets_.size(), 0);
    for (const Route& route : part_routes_) {
      if (!stays(route)) given_offsets_[route.rank + 1] += team.count_members(chosen(route));
    }
    std::partial_sum(given_offsets_.begin(), given_offsets_.end(), given_offsets_.begin());
    given_.resize(given_offsets_.back());
    Vertex* end = given_.data();
    for (const Route& route : part_routes_) {
      if (stays(route)) continue;
      const Vertex* const found = found_predecessors(route);
      end += team.for_each_numbered(chosen(route),
                                    [&](Vertex v, std::size_t i) { end[i] = found[v]; });
    }
  }
  /// Collective: they go to the rank that takes them. It knows how many come, and of which
  /// vertices.
  void exchange_predecessors(RankTeam& team) {
    taken_offsets_.assign(piece_offsets_.size(), 0);
    for (const Route& route : piece_routes_) {
      if (!stays(route)) taken_offsets_[route.rank + 1] += team.count_members(taken(route));
    }
    std::partial_sum(taken_offsets_.begin(), taken_offsets_.end(), taken_offsets_.begin());
    taken_.resize(taken_offsets_.back());
    ranks_->all_to_all(given_, given_offsets_, taken_, taken_offsets_);
  }
  /// The number of pieces that others get in a deal, and by spread().
  std::size_t dealt_count() const { return count_others(part_routes_); }
  std::size_t spread_count() const { return count_others(piece_routes_); }
  /// The number of predecessors that this rank has given others in the level.
  std::size_t given_count() const { return given_.size(); }
  void write_predecessors(RankTeam& team) {
    const Vertex* next = taken_.data();
    for (const Route& route : piece_routes_) {
      PairSeat& seat = (*seats_)[route.seat];
      if (stays(route)) {
        const auto own = taken(route);
        const Vertex* const found =
            seat.side.predecessors.data() + seat.piece.begin - seat.side.part.begin;
        team.for_portions(own.size(), [&](std::size_t first, std::size_t last) {
          bfs::for_each_member(own, first, last,
                               [&](Vertex v) { seat.predecessors[v] = found[v]; });
        });
      } else {
        next += team.for_each_numbered(
            taken(route), [&](Vertex v, std::size_t i) { seat.predecessors[v] = next[i]; });
      }
    }
  }

  std::uint64_t bytes() const { return (of_parts_.size() + of_pieces_.size()) * sizeof(Word); }

 private:
  /// A way to or from a member of one of this rank's groups; in the order of ranks.
  struct Route {
    std::size_t rank;  ///< in the communicator
    std::size_t seat;
    std::size_t member;
    std::size_t first_word;  ///< of the member's piece in the part
    std::size_t word_count;
  };

  /// This rank's finds in its own piece need no way.
  bool stays(const Route& route) const { return route.rank == ranks_->rank(); }
  std::size_t count_others(const std::vector<Route>& routes) const {
    return routes.size() - static_cast<std::size_t>(std::ranges::count_if(
                               routes, [this](const Route& route) { return stays(route); }));
  }
  /// The vertices that a member takes, of its piece, and this rank's predecessors of the piece.
  std::span<const Word> chosen(const Route& route) const {
    return std::span<const Word>((*seats_)[route.seat].side.chosen)
        .subspan(route.first_word, route.word_count);
  }
  const Vertex* found_predecessors(const Route& route) const {
    return (*seats_)[route.seat].side.predecessors.data() + route.first_word * bfs::kWordBits;
  }
  /// The vertices of this rank's piece that are taken from a member.
  std::span<const Word> taken(const Route& route) const {
    return std::span((*seats_)[route.seat].received)
        .subspan(route.member * route.word_count, route.word_count);
  }

  Communicator* ranks_;
  std::array<PairSeat, 2>* seats_;
  std::vector<Route> part_routes_;               ///< the ways out, by parts
  std::vector<Route> piece_routes_;              ///< the ways in, by pieces
  std::vector<std::size_t> part_offsets_ = {0};  ///< of a rank's, as are these
  std::vector<std::size_t> piece_offsets_ = {0};
  std::vector<Word> of_parts_;
  std::vector<Word> of_pieces_;
  std::vector<Vertex> given_;
  std::vector<std::size_t> given_offsets_;
  std::vector<Vertex> taken_;
  std::vector<std::size_t> taken_offsets_;
};

/// The steps of the paper's Figure 8; step 5 would sort by receiver, and bitmaps are in order
/// anyway:
///   enumerate   2  along both blocks, each with the frontier of one of the rank's parts
///   assign      6  the finds go to the owners of their pieces; these choose a sender for each new
///                  vertex, and say so
///   all_gather  7  the new vertices of each piece to its group
///   extract     8  predecessors that this rank has to send
///   exchange   11  all-to-all of predecessors
///   write      12  at the vertex's owner
///   copy        1  where a GPU searches: the frontiers to it; from it the finds (3) and the
///                  predecessors to send (9), with the finds of CPU threads beside it (4, 10)
/// The paper doesn't say how senders are assigned. Let B be sqrt(2 P). Over all ranks a level here
/// sends 2 (B - 1) bitmaps of n vertices for `assign` and B - 1 for `all_gather`. `exchange` takes
/// 4 bytes for a vertex that its owner has not found itself: the rank that assigned the sender
/// knows which vertices come, and in which order.
///
/// A rank is in two groups, and any two groups have a rank in common. That decides the cost of the
/// three exchanges of bitmaps. A message costs g, a byte G, and a latency L (LogGP; Alexandrov,
/// Ionescu, Schauser, Scheiman, SPAA 1995), and a piece has b = n / (16 P) bytes:
///   together  all groups in one all-to-all: 2 (B - 1) messages a rank,
///             L + 2 (B - 1) (g + b G)
///   by group  one after the other, lowest part first, each a collective that blocks. The rank of
///             blocks (i, i + 1) and (i + 1, i) lets group i + 1 begin when group i has ended, so
///             that a rank sends no more and all B are in sequence:
///             B (L + (B - 1) (g + b G))
/// With n / P vertices a rank, as the paper measured, the one grows with sqrt(P) and the other with
/// P. The paper's Figure 12 is linear; that its program went by group is a guess of ours.
///
/// With `overlap` the finds in one seat's part are under way while the other's is searched.
/// `enumerate` is the searches, `assign` the rest of the wait. Every rank then sends about half,
/// and gets half, in each of two all-to-alls. By group the deals of finds are not in sequence then:
/// a group's deal begins when its part is searched, and no other waits for it. The other exchanges
/// have nothing beside them: each needs the result of the one before it. A GPU has both blocks'
/// searches before it at once, so that it goes on while the finds of one are copied. Two GPUs have
/// a block each, and search at once with or without `overlap`.
class PairsSearch final : public Search {
 public:
  PairsSearch(const DistributedGraph& graph, const SearchOptions& options, RunContext& context,
              MakeBlockSearch make_block_search)
      : graph_(graph),
        own_pieces_(graph_.partition().pieces(graph.ranks().rank())),
        search_(make_block_search(graph_.blocks(), parts(), options, context)),
        seats_{PairSeat(graph_.partition(), own_pieces_[0], search_->side(0)),
               PairSeat(graph_.partition(), own_pieces_[1], search_->side(1))},
        overlap_(options.overlap),
        at_once_(options.overlap || options.gpu_count > 1),
        first_(options.by_group ? 0 : first_seat(graph_.partition(), graph.ranks().rank())),
        groups_(options.by_group ? split_groups(graph_.partition(), graph.ranks())
                                 : std::vector<std::unique_ptr<Communicator>>()),
        exchanges_(make_exchanges()),
        deals_(exchanges_.data(), overlap_ || options.by_group ? 2 : 1),
        spreads_(options.by_group ? deals_ : std::span(exchanges_).last(1)),
        plan_(graph, options),
        repeats_(options.by_group ? graph_.partition().row_part_count() / 2 : 1),
        log_(pairs_steps(options, search_->copies()), pairs_growth(), communicators()),
        answer_partition_(PartitionKind::grid, graph.vertex_count(), graph.ranks().size()) {
    log_.reserve(graph.vertex_count());
    std::uint64_t arc_bytes = 0;
    for (const bfs::Block& block : graph_.blocks()) {
      arc_bytes += block.row_offsets().size_bytes() + block.heads().size_bytes();
    }
    context.account("arcs", arc_bytes);
    std::uint64_t vertex_bytes = seats_[0].bytes() + seats_[1].bytes();
    for (const Exchange& exchange : exchanges_) vertex_bytes += exchange.bytes();
    context.account("vertices", vertex_bytes);
  }

  void run(Vertex source) override {
    log_.clear();
    begin(source);
    while (next_level()) {
      std::array<Pending, 2> under_way = enumerate();
      assign(under_way);
      log_.close(kAssign, repeats_);
      all_gather();
      for (Exchange& exchange : spreads_) exchange.extract_predecessors(team());
      log_.close(kExtract);
      for (const Exchange& exchange : spreads_) {
        log_.add(kExtract, kVertices, exchange.given_count());
      }
      log_.add(kExtract, kBitmapBytes, side_bytes());
      for (Exchange& exchange : spreads_) exchange.exchange_predecessors(team());
      log_.close(kExchange, repeats_);
      for (Exchange& exchange : spreads_) exchange.write_predecessors(team());
      log_.close(kWrite);
    }
  }

  void extract(DistributedBfs::Answer& answer) const override {
    struct Found {
      Vertex vertex;
      Level level;
      Vertex predecessor;
    };
    Communicator& ranks = graph_.ranks();
    Parcels<Found> parcels(ranks);
    for (const PairSeat& seat : seats_) {
      bfs::for_each_member(seat.known, 0, seat.known.size(), [&](Vertex i) {
        const Vertex v = seat.piece.begin + i;
        parcels.to(answer_partition_.owner_of(v))
            .push_back({v, seat.levels[i], seat.predecessors[i]});
      });
    }
    parcels.deliver();
    const VertexRange own = answer_partition_.piece(ranks.rank());
    answer.ranks = &ranks;
    answer.vertices = own;
    answer.levels.assign(own.size(), kNoLevel);
    answer.predecessors.assign(own.size(), kNoVertex);
    for (const Found& found : parcels.take_received()) {
      answer.levels[found.vertex - own.begin] = found.level;
      answer.predecessors[found.vertex - own.begin] = found.predecessor;
    }
  }

  PhaseLog phase_log() const override { return log_.phase_log(graph_.ranks()); }
  std::uint64_t level_count() const override { return log_.level_count(); }
  std::uint64_t reached_count() const override { return plan_.visited_count(); }
  RankTeam* searching_team() override { return search_->has_only_threads() ? &team() : nullptr; }

 private:
  /// The parts of the two seats.
  std::array<VertexRange, 2> parts() const {
    const Partition& partition = graph_.partition();
    const std::size_t size = partition.row_group(0).size();
    return {partition.row_part(own_pieces_[0] / size), partition.row_part(own_pieces_[1] / size)};
  }

  /// The seat whose part a rank searches first. It is first in every second block of a part's
  /// group.
  static std::size_t first_seat(const Partition& partition, std::size_t rank) {
    const Partition::BlockPlace place = partition.blocks(rank)[0];
    return (place.row_part + place.column_part) % 2;
  }

  /// One a seat, or one for all. With overlap: one for the part that is searched first, one for the
  /// part that is searched next, and one for all.
  std::vector<Exchange> make_exchanges() {
    const Partition& partition = graph_.partition();
    std::vector<Exchange> exchanges;
    if (!groups_.empty()) {
      for (std::size_t s = 0; s < seats_.size(); ++s) {
        exchanges.emplace_back(
            partition, *groups_[s], partition.row_group(seats_[s].part_index), seats_,
            [part = seats_[s].part_index](std::size_t, std::size_t p) { return p == part; });
      }
      return exchanges;
    }
    std::vector<std::size_t> launched(graph_.ranks().size());
    std::iota(launched.begin(), launched.end(), 0);
    for (const std::size_t turn : {0, 1}) {
      if (!overlap_) break;
      exchanges.emplace_back(
          partition, graph_.ranks(), launched, seats_, [&](std::size_t rank, std::size_t part) {
            const std::size_t seat = partition.blocks(rank)[0].row_part == part ? 0 : 1;
            return (seat == first_seat(partition, rank)) == (turn == 0);
          });
    }
    exchanges.emplace_back(partition, graph_.ranks(), launched, seats_,
                           [](std::size_t, std::size_t) { return true; });
    return exchanges;
  }

  /// All communicators that it sends by.
  std::vector<const Communicator*> communicators() const {
    std::vector<const Communicator*> all = {&graph_.ranks()};
    for (const auto& group : groups_) all.push_back(group.get());
    return all;
  }

  /// The source counts as found by a level before the first; its groups know it.
  void begin(Vertex source) {
    plan_.clear();
    search_->clear();
    for (PairSeat& seat : seats_) {
      std::fill(seat.side.frontier.begin(), seat.side.frontier.end(), 0);
      std::fill(seat.known.begin(), seat.known.end(), 0);
      std::fill(seat.fresh.begin(), seat.fresh.end(), 0);
      if (source >= seat.side.part.begin && source < seat.side.part.end) {
        bfs::insert<false>(seat.side.frontier, source - seat.side.part.begin);
      }
      if (source < seat.piece.begin || source >= seat.piece.end) continue;
      bfs::insert<false>(seat.fresh, source - seat.piece.begin);
      seat.predecessors[source - seat.piece.begin] = kNoVertex;
    }
    for (const std::size_t s : {0, 1}) search_->visit_frontier(s);
  }

  bool next_level() {
    Counts found;
    std::span<const Offset> degrees = graph_.degrees();
    for (const PairSeat& seat : seats_) {
      const Counts in_piece = count(team(), seat.fresh, degrees);
      found.vertex_count += in_piece.vertex_count;
      found.arc_count += in_piece.arc_count;
      degrees = degrees.subspan(seat.piece.size());
    }
    // Those of the level before. All ranks together get the same number from GPUs.
    for (const std::size_t written : {kWrite, kCopy}) {
      log_.add(written, kVertices, found.vertex_count);
    }
    if (!plan_.next(found.vertex_count, found.arc_count)) {
      log_.close(kPlan);
      return false;
    }
    for (PairSeat& seat : seats_)
      settle(team(), seat.fresh, seat.known, seat.levels, plan_.depth());
    log_.open(plan_.level(), kPlan);
    return true;
  }

  /// Each seat's part is the rows of one block and the columns of one. On the diagonal it is the
  /// same block, else they are two that mirror each other. One search for each seat finds vertices
  /// of its part.
  Walk walk_to(std::size_t s) const {
    const bool diagonal = graph_.blocks()[s].rows() == graph_.blocks()[s].columns();
    const std::size_t from = diagonal ? s : 1 - s;
    const bool bottom_up = plan_.level().bottom_up;
    return {bottom_up ? s : from, bottom_up, from, s};
  }

  /// Returns the transfers that are under way in the end.
  std::array<Pending, 2> enumerate() {
    std::array<Pending, 2> under_way;
    const std::array<Walk, 2> walks = {walk_to(first_), walk_to(1 - first_)};
    if (at_once_) {
      for (const Walk& walk : walks) search_->start(walk);
    }
    for (const std::size_t turn : {0, 1}) {
      if (!at_once_) search_->start(walks[turn]);
      search_->finish(walks[turn], &under_way[0]);
      log_.close(kEnumerate);
      if (!overlap_) continue;
      receive(walks[turn]);
      under_way[turn] = deals_[turn].start_deal();
      log_.close(kAssign);
    }
    if (!overlap_) {
      for (const Walk& walk : walks) receive(walk);
    }
    for (const bfs::Block& block : graph_.blocks()) {
      if (plan_.depth() == 0) log_.add(kEnumerate, kArcs, block.arc_count());
    }
    log_.add(kEnumerate, kBitmapBytes, side_bytes());
    log_.add(kCopy, kBitmapBytes, 3 * side_bytes());
    return under_way;
  }

  void receive(const Walk& walk) {
    if (!search_->copies()) return;
    search_->receive(walk);
    log_.close(kCopy);
  }

  void assign(std::array<Pending, 2>& under_way) {
    for (Pending& pending : under_way) pending.wait();
    for (Exchange& deal : deals_) {
      if (!overlap_) deal.start_deal().wait();
      deal.read_deal();
      log_.add(kAssign, kPieces, deal.dealt_count() * (overlap_ ? 1 : repeats_));
    }
    for (PairSeat& seat : seats_) {
      const std::size_t size = seat.known.size();
      const std::size_t group_size = graph_.partition().row_group(0).size();
      team().for_portions(size, [&](std::size_t first, std::size_t last) {
        // The members' finds give way to the vertices that they are to send.
        choose(
            seat.received, group_size, seat.member, seat.known, seat.fresh, first, last,
            [&](std::size_t m, std::size_t w, Word bits) { seat.received[m * size + w] = bits; });
      });
    }
    for (Exchange& exchange : spreads_) {
      exchange.spread([](const PairSeat& seat,
                         std::size_t m) { return seat.received.data() + m * seat.fresh.size(); },
                      [](PairSeat& seat) { return seat.side.chosen.data(); });
      log_.add(kAssign, kPieces, exchange.spread_count() * repeats_);
    }
  }

  void all_gather() {
    for (Exchange& exchange : spreads_) {
      exchange.spread([](const PairSeat& seat, std::size_t) { return seat.fresh.data(); },
                      [](PairSeat& seat) { return seat.side.frontier.data(); });
      log_.add(kAllGather, kPieces, exchange.spread_count() * repeats_);
    }
    log_.close(kAllGather, repeats_);
    for (const std::size_t s : {0, 1}) {
      search_->visit_frontier(s);
      search_->fetch_predecessors(s);
    }
    log_.close(search_->copies() ? kCopy : kAllGather);
  }

  RankTeam& team() { return search_->team(); }
  /// A bitmap of each seat's part.
  std::uint64_t side_bytes() const {
    return std::span(seats_[0].side.found).size_bytes() +
           std::span(seats_[1].side.found).size_bytes();
  }

  const DistributedGraph graph_;
  std::vector<std::size_t> own_pieces_;
  std::unique_ptr<BlockSearch> search_;  ///< whose sides are the seats'
  std::array<PairSeat, 2> seats_;
  bool overlap_;
  bool at_once_;                                       ///< both searches are started at once
  std::size_t first_;                                  ///< the seat whose part is searched first
  std::vector<std::unique_ptr<Communicator>> groups_;  ///< a seat's each, where it has its own
  std::vector<Exchange> exchanges_;
  std::span<Exchange> deals_;    ///< of the finds
  std::span<Exchange> spreads_;  ///< of chosen and of new vertices
  Plan plan_;
  /// The number of exchanges that a rank waits for, for each that it has a part in. By group it
  /// waits for all B, of which two are its own.
  std::uint64_t repeats_;
  StepLog log_;
  Partition answer_partition_;
};

}  // namespace

std::unique_ptr<Search> make_pairs_search(const DistributedGraph& graph,
                                          const SearchOptions& options, RunContext& context,
                                          MakeBlockSearch make_block_search) {
  return std::make_unique<PairsSearch>(graph, options, context, make_block_search);
}

}  // namespace bellmark::distributed_bfs
