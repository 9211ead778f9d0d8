// A search by levels over ranks that hold two mirrored blocks each: hiragushi2013, Figure 8.
#include <algorithm>
#include <array>
#include <utility>

#include "algorithms/distributed_bfs/mail.hpp"
#include "algorithms/distributed_bfs/search.hpp"

namespace bellmark::distributed_bfs {
namespace {

enum PairsStep : std::size_t {
  kPlan,
  kEnumerate,
  kAssign,
  kAllGather,
  kExtract,
  kExchange,
  kWrite
};

/// A rank in one of its two groups: what it knows of the group's part, and its piece of it.
struct Seat {
  Seat(const Partition& partition, std::size_t piece_index)
      : part_index(piece_index / partition.row_group(0).size()),
        member(piece_index % partition.row_group(0).size()),
        piece(partition.piece(piece_index)),
        side(partition.row_part(part_index)),
        chosen(side.found.size()),
        fresh(bfs::word_count(piece.size())),
        known(fresh.size()),
        received(fresh.size() * partition.row_group(0).size()),
        levels(piece.size()),
        predecessors(piece.size()) {}

  std::uint64_t bytes() const {
    return side.bytes() + (chosen.size() + 2 * fresh.size() + received.size()) * sizeof(Word) +
           levels.size() * (sizeof(Level) + sizeof(Vertex));
  }

  std::size_t part_index;
  std::size_t member;  ///< this rank, in the group
  VertexRange piece;
  Side side;
  std::vector<Word> chosen;  ///< of the part: whose predecessors this rank has to send
  // Of the piece.
  std::vector<Word> fresh;
  std::vector<Word> known;
  std::vector<Word> received;  ///< a bitmap of each member
  std::vector<Level> levels;
  std::vector<Vertex> predecessors;
};

/// Bitmaps between the members of all groups at once. A rank is in two groups, and any two groups
/// have a rank in common: were each group to speak for itself, all would have to do so one after
/// the other, sqrt(2 P) times what one takes.
class Groups {
 public:
  Groups(const Partition& partition, Communicator& ranks, std::array<Seat, 2>& seats)
      : ranks_(&ranks),
        seats_(&seats),
        part_offsets_(ranks.size() + 1),
        piece_offsets_(part_offsets_) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
      part_offsets_[rank + 1] = part_offsets_[rank];
      piece_offsets_[rank + 1] = piece_offsets_[rank];
      // Who shares both groups finds both in this order too.
      for (std::size_t s = 0; s < seats.size(); ++s) {
        const auto& group = partition.row_group(seats[s].part_index);
        const auto found = std::find(group.begin(), group.end(), rank);
        if (found == group.end()) continue;
        const auto member = static_cast<std::size_t>(found - group.begin());
        const VertexRange piece = partition.piece(seats[s].part_index * group.size() + member);
        const Route route = {s, member, bfs::word_count(piece.begin - seats[s].side.part.begin),
                             bfs::word_count(piece.size())};
        part_offsets_[rank + 1] += route.word_count;
        piece_offsets_[rank + 1] += seats[s].fresh.size();
        routes_.push_back(route);
      }
    }
    of_parts_.resize(part_offsets_.back());
    of_pieces_.resize(piece_offsets_.back());
  }

  /// Collective: what a rank's blocks have found goes to the members whose pieces it is in.
  void deal_found() {
    Word* end = of_parts_.data();
    for (const Route& route : routes_) {
      const Seat& seat = (*seats_)[route.seat];
      end = std::copy_n(seat.side.found.data() + route.first_word, route.word_count, end);
    }
    ranks_->all_to_all(of_parts_, part_offsets_, of_pieces_, piece_offsets_);
    const Word* begin = of_pieces_.data();
    for (const Route& route : routes_) {
      Seat& seat = (*seats_)[route.seat];
      const std::size_t size = seat.fresh.size();
      std::copy_n(begin, size, seat.received.data() + route.member * size);
      begin += size;
    }
  }

  /// Collective: each member gets, by its parts, what the members have for it of their pieces:
  /// `piece(seat, member)` is that bitmap, `part(seat)` where it is put.
  template <class PieceOf, class PartOf>
  void spread(PieceOf piece, PartOf part) {
    Word* end = of_pieces_.data();
    for (const Route& route : routes_) {
      Seat& seat = (*seats_)[route.seat];
      end = std::copy_n(piece(seat, route.member), seat.fresh.size(), end);
    }
    ranks_->all_to_all(of_pieces_, piece_offsets_, of_parts_, part_offsets_);
    const Word* begin = of_parts_.data();
    for (const Route& route : routes_) {
      Seat& seat = (*seats_)[route.seat];
      std::copy_n(begin, route.word_count, part(seat) + route.first_word);
      begin += route.word_count;
    }
  }

  std::uint64_t bytes() const { return (of_parts_.size() + of_pieces_.size()) * sizeof(Word); }

 private:
  /// To a member of one of this rank's groups; in the order of ranks.
  struct Route {
    std::size_t seat;
    std::size_t member;
    std::size_t first_word;  ///< of the member's piece in the part
    std::size_t word_count;
  };

  Communicator* ranks_;
  std::array<Seat, 2>* seats_;
  std::vector<Route> routes_;
  std::vector<std::size_t> part_offsets_;   ///< of what goes out by parts
  std::vector<std::size_t> piece_offsets_;  ///< of what comes in by pieces
  std::vector<Word> of_parts_;
  std::vector<Word> of_pieces_;
};

/// The steps of the paper's Figure 8 that a CPU has; 1, 3, 4, 9 and 10 copy to and from a device
/// and merge what came from it, and what 5 would sort by receiver lies in order in bitmaps:
///   enumerate   2  along both blocks, each with the frontier of one of the rank's parts
///   assign      6  what was found goes to whose pieces it is in; they choose a sender for each new
///                  vertex, and say so
///   all_gather  7  the new vertices of each piece to its group
///   extract     8  predecessors that this rank has to send
///   exchange   11  all-to-all of (vertex, predecessor)
///   write      12  at the vertex's owner
/// The paper doesn't say how senders are assigned. Here a level sends, over all ranks and with B =
/// sqrt(2 P), 2 (B - 1) bitmaps of n vertices for `assign` and B - 1 for `all_gather`, and
/// `exchange` 8 bytes for a vertex that its owner has not found itself, and 8 for each pair of
/// ranks.
class PairsSearch final : public Search {
 public:
  PairsSearch(const DistributedGraph& graph, const SearchOptions& options, RunContext& context)
      : graph_(graph),
        own_pieces_(graph_.partition().pieces(graph.ranks().rank())),
        seats_{Seat(graph_.partition(), own_pieces_[0]), Seat(graph_.partition(), own_pieces_[1])},
        groups_(graph_.partition(), graph.ranks(), seats_),
        mail_(graph.ranks()),
        plan_(graph, options),
        search_(options.thread_count, context),
        log_({{"plan", true},
              {"enumerate", false},
              {"assign", true},
              {"all_gather", true},
              {"extract", false},
              {"exchange", true},
              {"write", false}},
             {&graph.ranks()}),
        answer_partition_(Form::grid, graph.vertex_count(), graph.ranks().size()) {
    log_.reserve(graph.vertex_count());
    std::uint64_t arc_bytes = 0;
    for (const bfs::Block& block : graph_.blocks()) {
      arc_bytes += block.row_offsets().size_bytes() + block.heads().size_bytes();
    }
    context.account("arcs", arc_bytes);
    context.account("vertices", seats_[0].bytes() + seats_[1].bytes() + groups_.bytes());
  }

  void run(Vertex source) override {
    log_.clear();
    begin(source);
    while (next_level()) {
      enumerate();
      log_.close(kEnumerate);
      assign();
      log_.close(kAssign);
      all_gather();
      log_.close(kAllGather);
      extract_predecessors();
      log_.close(kExtract);
      mail_.deliver();
      log_.close(kExchange);
      write();
      log_.close(kWrite);
    }
  }

  void extract(DistributedBfs::Answer& answer) override {
    struct Found {
      Vertex vertex;
      Level level;
      Vertex predecessor;
    };
    Communicator& ranks = graph_.ranks();
    Mail<Found> mail(ranks);
    for (const Seat& seat : seats_) {
      bfs::for_each_member(seat.known, 0, seat.known.size(), [&](Vertex i) {
        const Vertex v = seat.piece.begin + i;
        mail.to(answer_partition_.owner_of(v)).push_back({v, seat.levels[i], seat.predecessors[i]});
      });
    }
    mail.deliver();
    const VertexRange own = answer_partition_.piece(ranks.rank());
    answer.ranks = &ranks;
    answer.vertices = own;
    answer.levels.assign(own.size(), kNoLevel);
    answer.predecessors.assign(own.size(), kNoVertex);
    for (const Found& found : mail.take_received()) {
      answer.levels[found.vertex - own.begin] = found.level;
      answer.predecessors[found.vertex - own.begin] = found.predecessor;
    }
  }

  PhaseLog phase_log() const override { return log_.phase_log(graph_.ranks()); }
  std::uint64_t level_count() const override { return log_.level_count(); }
  std::uint64_t reached_count() const override { return plan_.visited_count(); }

 private:
  struct VertexPredecessor {
    Vertex vertex;
    Vertex predecessor;
  };

  /// The source is what a level before the first has found; its groups know it.
  void begin(Vertex source) {
    plan_.clear();
    for (Seat& seat : seats_) {
      seat.side.clear();
      std::fill(seat.side.frontier.begin(), seat.side.frontier.end(), 0);
      std::fill(seat.known.begin(), seat.known.end(), 0);
      std::fill(seat.fresh.begin(), seat.fresh.end(), 0);
      if (source >= seat.side.part.begin && source < seat.side.part.end) {
        bfs::insert<false>(seat.side.frontier, source - seat.side.part.begin);
        seat.side.visit_frontier();
      }
      if (source < seat.piece.begin || source >= seat.piece.end) continue;
      bfs::insert<false>(seat.fresh, source - seat.piece.begin);
      seat.predecessors[source - seat.piece.begin] = kNoVertex;
    }
  }

  bool next_level() {
    std::uint64_t found_count = 0;
    std::uint64_t found_arc_count = 0;
    const Offset* degrees = graph_.degrees().data();
    for (const Seat& seat : seats_) {
      bfs::for_each_member(seat.fresh, 0, seat.fresh.size(), [&](Vertex v) {
        ++found_count;
        found_arc_count += degrees[v];
      });
      degrees += seat.piece.size();
    }
    if (!plan_.next(found_count, found_arc_count)) {
      log_.close(kPlan);
      return false;
    }
    for (Seat& seat : seats_) {
      for (std::size_t w = 0; w < seat.known.size(); ++w) seat.known[w] |= seat.fresh[w];
      bfs::for_each_member(seat.fresh, 0, seat.fresh.size(),
                           [&](Vertex v) { seat.levels[v] = plan_.depth(); });
    }
    log_.open(plan_.level(), kPlan);
    return true;
  }

  /// Each seat's part is the rows of one block and the columns of one: of the same block on the
  /// diagonal, else of two that mirror each other.
  void enumerate() {
    for (std::size_t s = 0; s < seats_.size(); ++s) {
      const bfs::Block& block = graph_.blocks()[s];
      const bool diagonal = block.rows() == block.columns();
      Side& rows = seats_[s].side;
      Side& columns = seats_[diagonal ? s : 1 - s].side;
      if (plan_.level().bottom_up) {
        search_.bottom_up(block, columns, rows);
      } else {
        search_.top_down(block, rows, columns);
      }
    }
  }

  void assign() {
    groups_.deal_found();
    for (Seat& seat : seats_) {
      // What members found gives way to what they are to send.
      const std::size_t size = seat.known.size();
      const std::size_t group_size = graph_.partition().row_group(0).size();
      masks_.assign(seat.received.size(), 0);
      choose(seat.received, group_size, seat.member, seat.known, seat.fresh,
             [&](std::size_t m, std::size_t w, Word bits) { masks_[m * size + w] = bits; });
      std::swap(seat.received, masks_);
    }
    groups_.spread([](const Seat& seat,
                      std::size_t m) { return seat.received.data() + m * seat.fresh.size(); },
                   [](Seat& seat) { return seat.chosen.data(); });
  }

  void all_gather() {
    groups_.spread([](const Seat& seat, std::size_t) { return seat.fresh.data(); },
                   [](Seat& seat) { return seat.side.frontier.data(); });
    for (Seat& seat : seats_) seat.side.visit_frontier();
  }

  void extract_predecessors() {
    const Partition& partition = graph_.partition();
    for (const Seat& seat : seats_) {
      const auto& group = partition.row_group(seat.part_index);
      for (std::size_t m = 0; m < group.size(); ++m) {
        const VertexRange piece = partition.piece(seat.part_index * group.size() + m);
        const std::size_t first = bfs::word_count(piece.begin - seat.side.part.begin);
        auto& outgoing = mail_.to(group[m]);
        bfs::for_each_member(
            seat.chosen, first, first + bfs::word_count(piece.size()), [&](Vertex v) {
              outgoing.push_back({seat.side.part.begin + v, seat.side.predecessors[v]});
            });
      }
    }
  }

  void write() {
    for (std::size_t rank = 0; rank < graph_.ranks().size(); ++rank) {
      for (const auto& [v, predecessor] : mail_.from(rank)) {
        Seat& seat = v >= seats_[1].piece.begin ? seats_[1] : seats_[0];
        seat.predecessors[v - seat.piece.begin] = predecessor;
      }
    }
  }

  const DistributedGraph graph_;
  std::vector<std::size_t> own_pieces_;
  std::array<Seat, 2> seats_;
  Groups groups_;
  std::vector<Word> masks_;
  Mail<VertexPredecessor> mail_;
  Plan plan_;
  BlockSearch search_;
  StepLog log_;
  Partition answer_partition_;
};

}  // namespace

std::unique_ptr<Search> make_pairs_search(const DistributedGraph& graph,
                                          const SearchOptions& options, RunContext& context) {
  return std::make_unique<PairsSearch>(graph.in_form(Form::pairs), options, context);
}

}  // namespace bellmark::distributed_bfs
