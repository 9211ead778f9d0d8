#include "algorithms/problems/distributed_bfs/kronecker_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <future>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "algorithms/problems/bfs/by_degree.hpp"
#include "base/paged_array.hpp"
#include "base/parallel.hpp"

namespace bellmark::distributed_bfs {
namespace {

/// An arc by the local numbers of its ends in the block where it lies.
struct LocalArc {
  Vertex row;
  Vertex column;
};

struct Edge {
  Vertex tail;
  Vertex head;
};

/// The places where arcs go: a bucket is a run of rows of a block. All blocks have the same number
/// of buckets. Buckets of a rank's blocks follow each other, and so do the ranks'.
class Buckets {
 public:
  explicit Buckets(const Partition& partition)
      : rank_count_(partition.rank_count()), block_count_(partition.blocks(0).size()) {
    Vertex most_rows = 1;
    for (std::size_t i = 0; i < partition.row_part_count(); ++i) {
      most_rows = std::max(most_rows, partition.row_part(i).size());
    }
    const std::size_t most =
        std::max(kFewestOfBlock, kMost / (partition.rank_count() * block_count_));
    while ((most_rows - 1) >> row_shift_ >= most) ++row_shift_;
    per_block_ = std::size_t{(most_rows - 1) >> row_shift_} + 1;

    for (std::size_t i = 0; i < partition.row_part_count(); ++i) {
      for (std::size_t j = 0; j < partition.column_part_count(); ++j) {
        const Partition::Holder holder = partition.holder(i, j);
        first_buckets_.push_back((holder.rank * block_count_ + holder.index) * per_block_);
      }
    }
    for (std::size_t k = 0; k < partition.piece_count(); ++k) {
      const std::size_t row_part = k / partition.row_group(0).size();
      const std::size_t column_part = k / partition.column_group(0).size();
      pieces_.push_back({partition.piece(k).end, partition.row_part(row_part).begin,
                         partition.column_part(column_part).begin,
                         row_part * partition.column_part_count(), column_part});
    }
    while ((partition.vertex_count() - 1) >> cell_shift_ >= kCells) ++cell_shift_;
    for (Vertex cell = 0; cell <= (partition.vertex_count() - 1) >> cell_shift_; ++cell) {
      first_pieces_.push_back(partition.piece_of(cell << cell_shift_));
    }
  }

  std::size_t per_block() const { return per_block_; }
  std::size_t per_rank() const { return block_count_ * per_block_; }
  std::size_t count() const { return rank_count_ * per_rank(); }

  /// Rows of the block's b-th bucket, local numbers, of `row_count`.
  VertexRange rows(std::size_t b, Vertex row_count) const {
    const auto row = [&](std::size_t bucket) {
      return static_cast<Vertex>(std::min<std::uint64_t>(bucket << row_shift_, row_count));
    };
    return {row(b), row(b + 1)};
  }

  /// Calls visit(bucket, arc) for an edge's arc and the opposite one; a loop is two arcs.
  template <class Visit>
  void for_both_arcs(Edge edge, Visit visit) const {
    const auto visit_arc = [&](Vertex tail, const Piece& of_tail, Vertex head,
                               const Piece& of_head) {
      const Vertex row = tail - of_tail.row_begin;
      visit(first_buckets_[of_tail.first_block + of_head.column_part] + (row >> row_shift_),
            LocalArc{row, head - of_head.column_begin});
    };
    const Piece& of_tail = piece_of(edge.tail);
    const Piece& of_head = piece_of(edge.head);
    visit_arc(edge.tail, of_tail, edge.head, of_head);
    visit_arc(edge.head, of_head, edge.tail, of_tail);
  }

 private:
  /// Of all ranks: a thread that writes to so many places at once still finds most of them in the
  /// L2 cache.
  static constexpr std::size_t kMost = 4096;
  /// This many give work to all threads of a rank.
  static constexpr std::size_t kFewestOfBlock = 64;
  static constexpr Vertex kCells = 4096;

  /// The facts that both ends of every arc ask for.
  struct Piece {
    Vertex end;
    Vertex row_begin;
    Vertex column_begin;
    std::size_t first_block;  ///< of its row part
    std::size_t column_part;
  };

  /// As Partition::piece_of(), without its divisions.
  const Piece& piece_of(Vertex v) const {
    std::size_t k = first_pieces_[v >> cell_shift_];
    while (v >= pieces_[k].end) ++k;
    return pieces_[k];
  }

  std::size_t rank_count_;
  std::size_t block_count_;  ///< of a rank
  std::size_t per_block_ = 0;
  std::uint32_t row_shift_ = 6;  ///< fewer rows are not worth a bucket
  std::uint32_t cell_shift_ = 0;
  std::vector<std::size_t> first_buckets_;  ///< by row part and column part
  std::vector<Piece> pieces_;
  std::vector<std::size_t> first_pieces_;  ///< of each cell, which is a run of vertices
};

/// Arcs of one rank: the first sender's in the order of buckets, then the next sender's.
struct Delivery {
  PagedArray<LocalArc> arcs;
  std::vector<Offset> begins;  ///< by sender and bucket, and the end of all
};

/// Puts the arcs of edges in order and sends them to the ranks whose blocks they are in.
class ArcTransfer {
 public:
  /// Rounds of so many edges or fewer.
  ArcTransfer(const Partition& partition, Communicator& ranks, std::uint64_t round_edge_count)
      : ranks_(ranks), buckets_(partition), edges_(round_edge_count) {
    if (ranks.size() == 1) return;
    for (PagedArray<LocalArc>& arcs : outgoing_) arcs = PagedArray<LocalArc>(2 * round_edge_count);
  }

  /// Draws edges first..last-1, and puts their arcs in order: the rank's own arcs where they stay,
  /// others for send(). Not collective: it may be called while a transfer is under way.
  void draw(const KroneckerEdges& drawn, std::uint64_t first, std::uint64_t last) {
    const std::size_t bucket_count = buckets_.count();
    // Of the arcs of a chunk and bucket: first their number, then the number before them.
    places_.resize((last - first + kChunk - 1) / kChunk * bucket_count);
    in_parallel(
        last - first,
        [&](std::uint64_t begin, std::uint64_t end) {
          const std::span places =
              std::span(places_).subspan(begin / kChunk * bucket_count, bucket_count);
          std::fill(places.begin(), places.end(), 0);
          for (std::uint64_t chunk = begin; chunk < end; chunk += kDrawn) {
            const std::span edges(&edges_[chunk], std::min(kDrawn, end - chunk));
            for (std::uint64_t i = 0; i < edges.size(); ++i) {
              std::tie(edges[i].tail, edges[i].head) = drawn[first + chunk + i];
            }
            for (const Edge edge : edges) {
              buckets_.for_both_arcs(edge, [&](std::size_t bucket, LocalArc) { ++places[bucket]; });
            }
          }
        },
        kChunk);
    counts_.assign(bucket_count, 0);
    for (std::size_t i = 0; i < places_.size(); i += bucket_count) {
      for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
        counts_[bucket] += std::exchange(places_[i + bucket], counts_[bucket]);
      }
    }
    const std::vector<LocalArc*> begins = find_places();
    in_parallel(
        last - first,
        [&](std::uint64_t begin, std::uint64_t end) {
          std::vector<LocalArc*> next = begins;
          const Offset* const places = &places_[begin / kChunk * bucket_count];
          for (std::size_t bucket = 0; bucket < bucket_count; ++bucket) {
            next[bucket] += places[bucket];
          }
          for (std::uint64_t i = begin; i < end; ++i) {
            buckets_.for_both_arcs(
                edges_[i], [&](std::size_t bucket, LocalArc arc) { *next[bucket]++ = arc; });
          }
        },
        kChunk);
  }

  /// Collective: sends the arcs that draw() has put in order, when no other transfer is under way.
  /// Until it is done, draw() may be called once.
  Pending send() {
    std::vector<Offset> counts(buckets_.count());
    ranks_.all_to_all(counts_, counts);
    Delivery& received = deliveries_.emplace_back();
    received.begins.resize(counts.size() + 1);
    std::partial_sum(counts.begin(), counts.end(), received.begins.begin() + 1);
    const Offset arc_count = received.begins.back();
    received.arcs = PagedArray<LocalArc>(arc_count);
    const std::span arcs = received.arcs.values();
    // All threads touch their pages here. Else the thread that receives would touch them alone.
    in_parallel(arc_count, [&](std::uint64_t begin, std::uint64_t end) {
      std::fill(arcs.begin() + begin, arcs.begin() + end, LocalArc{});
    });
    std::vector<std::size_t> receive_offsets;
    for (std::size_t rank = 0; rank <= ranks_.size(); ++rank) {
      receive_offsets.push_back(received.begins[rank * buckets_.per_rank()]);
    }
    const auto sent = outgoing_[0].values().first(send_offsets_.back());
    // The next draw() fills the other one.
    std::swap(outgoing_[0], outgoing_[1]);
    return ranks_.start_all_to_all(sent, send_offsets_, arcs, receive_offsets);
  }

  const Buckets& buckets() const { return buckets_; }
  /// All arcs that came to this rank, from itself too.
  std::vector<Delivery> take() { return std::move(deliveries_); }

 private:
  static constexpr std::uint64_t kChunk = 1 << 16;
  /// Edges are drawn, then looked at: half as fast again as edge by edge (generate_kronecker.cpp).
  static constexpr std::uint64_t kDrawn = 128;

  /// The places where the arcs of each bucket begin. This rank's own arcs are then counted for
  /// nobody.
  std::vector<LocalArc*> find_places() {
    std::vector<LocalArc*> begins;
    LocalArc* next = outgoing_[0].data();
    send_offsets_ = {0};
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      const std::span counts =
          std::span(counts_).subspan(rank * buckets_.per_rank(), buckets_.per_rank());
      if (rank == ranks_.rank()) {
        Delivery& own = deliveries_.emplace_back();
        own.begins.resize(counts.size() + 1);
        std::partial_sum(counts.begin(), counts.end(), own.begins.begin() + 1);
        own.arcs = PagedArray<LocalArc>(own.begins.back());
        for (std::size_t b = 0; b < counts.size(); ++b) {
          begins.push_back(own.arcs.data() + own.begins[b]);
        }
        std::fill(counts.begin(), counts.end(), 0);
      } else {
        for (const Offset count : counts) begins.push_back(std::exchange(next, next + count));
      }
      send_offsets_.push_back(static_cast<std::size_t>(next - outgoing_[0].data()));
    }
    return begins;
  }

  Communicator& ranks_;
  Buckets buckets_;
  PagedArray<Edge> edges_;
  std::vector<Offset> places_;
  std::vector<Offset> counts_;  ///< of the arcs that draw() has put in order, by bucket
  std::array<PagedArray<LocalArc>, 2> outgoing_;
  std::vector<std::size_t> send_offsets_;
  std::vector<Delivery> deliveries_;
};

/// A rank's block in the making, from the arcs that came to its buckets. The functions of a bucket
/// may be called for several buckets at a time.
class BlockRows {
 public:
  BlockRows(VertexRange rows, VertexRange columns, const Buckets& buckets)
      : rows_(rows),
        columns_(columns),
        buckets_(buckets),
        row_offsets_(std::make_unique_for_overwrite<Offset[]>(std::size_t{rows.size()} + 1)),
        list_counts_(std::make_unique_for_overwrite<Offset[]>(rows.size())),
        heads_(buckets.per_block()) {}

  /// Makes the rows of bucket b of its arcs. They ascend, each arc is there once, and there is no
  /// loop. for_each_arc(visit) calls visit(arc) for all of them, in any order, and may be called
  /// again. O(arcs + rows).
  template <class ForEachArc>
  void make(std::size_t b, ForEachArc for_each_arc) {
    const VertexRange own = buckets_.rows(b, rows_.size());
    Offset* const counts = list_counts_.get();
    std::fill(counts + own.begin, counts + own.end, 0);
    for_each_arc([&](LocalArc arc) { ++counts[arc.row]; });
    std::vector<Offset> ends;
    ends.reserve(own.size());
    Offset arc_count = 0;
    for (Vertex row = own.begin; row < own.end; ++row) {
      ends.push_back(std::exchange(arc_count, arc_count + counts[row]));
    }
    heads_[b] = PagedArray<Vertex>(arc_count);
    Vertex* const heads = heads_[b].data();
    // A number beyond all columns, where the row's vertex has no column: there are 2^31 columns at
    // most.
    const Vertex loop = rows_.begin - columns_.begin;
    for_each_arc([&](LocalArc arc) {
      if (arc.column != arc.row + loop) heads[ends[arc.row - own.begin]++] = arc.column;
    });
    // Arcs come in any order; sorted, a row is the same every time.
    std::vector<Vertex> scratch;
    Vertex* begin = heads;
    Vertex* kept = heads;
    for (Vertex row = own.begin; row < own.end; ++row) {
      Vertex* const end = heads + ends[row - own.begin];
      const std::span heads_of_row(begin, end);
      if (scratch.size() < heads_of_row.size()) scratch.resize(heads_of_row.size());
      bfs::sort_row(heads_of_row, columns_.size(), scratch.data());
      Vertex* const kept_begin = kept;
      for (const Vertex* head = begin; head != end; ++head) {
        if (kept == kept_begin || kept[-1] != *head) *kept++ = *head;
      }
      row_offsets_[row + 1] = static_cast<Offset>(kept - kept_begin);
      begin += counts[row];
    }
  }

  /// When all buckets are made: puts their rows one after the other.
  bfs::Block take() {
    prefix_sums(
        rows_.size(), [this](std::uint64_t row) { return row_offsets_[row + 1]; },
        row_offsets_.get());
    auto heads = std::make_unique_for_overwrite<Vertex[]>(row_offsets_[rows_.size()]);
    const auto copy = [&](std::uint64_t b, std::uint64_t /*end*/) {
      const VertexRange own = buckets_.rows(b, rows_.size());
      const Offset begin = row_offsets_[own.begin];
      std::copy_n(heads_[b].data(), row_offsets_[own.end] - begin, heads.get() + begin);
      heads_[b] = {};
    };
    in_parallel(heads_.size(), copy, 1);
    return {rows_, columns_, std::move(row_offsets_), std::move(heads)};
  }

  /// The number of arcs that each row had before.
  std::unique_ptr<Offset[]> take_list_counts() { return std::move(list_counts_); }

 private:
  VertexRange rows_;
  VertexRange columns_;
  const Buckets& buckets_;
  std::unique_ptr<Offset[]> row_offsets_;  ///< until take(), [v + 1] is the size of row v
  std::unique_ptr<Offset[]> list_counts_;
  std::vector<PagedArray<Vertex>> heads_;  ///< by bucket
};

}  // namespace

MadeBlocks make_kronecker_blocks(const KroneckerEdges& edges, std::uint64_t edge_count,
                                 const Partition& partition, Communicator& ranks,
                                 std::uint64_t round_edge_count) {
  // Shares differ by one edge. A rank that has drawn its whole share goes along until all have.
  const std::uint64_t longest_share = (edge_count + ranks.size() - 1) / ranks.size();
  const std::uint64_t step = std::min(std::max<std::uint64_t>(round_edge_count, 1), longest_share);
  const std::uint64_t first = edge_count * ranks.rank() / ranks.size();
  const std::uint64_t last = edge_count * (ranks.rank() + 1) / ranks.size();
  ArcTransfer transfer(partition, ranks, step);
  const Buckets& buckets = transfer.buckets();
  {
    // This thread sees to the arcs that are under way. Others draw the next round meanwhile.
    Pending under_way;
    for (std::uint64_t done = 0; done < longest_share; done += step) {
      auto drawing = std::async(std::launch::async, [&] {
        transfer.draw(edges, std::min(first + done, last), std::min(first + done + step, last));
      });
      under_way.wait();
      drawing.get();
      under_way = transfer.send();
    }
    under_way.wait();
  }

  std::vector<BlockRows> blocks;
  for (const Partition::BlockPlace& place : partition.blocks(ranks.rank())) {
    blocks.emplace_back(partition.row_part(place.row_part),
                        partition.column_part(place.column_part), buckets);
  }
  {
    const std::vector<Delivery> deliveries = transfer.take();
    const auto make = [&](std::uint64_t bucket, std::uint64_t /*end*/) {
      blocks[bucket / buckets.per_block()].make(bucket % buckets.per_block(), [&](auto visit) {
        for (const Delivery& delivery : deliveries) {
          for (std::size_t b = bucket; b + 1 < delivery.begins.size(); b += buckets.per_rank()) {
            for (Offset i = delivery.begins[b]; i < delivery.begins[b + 1]; ++i)
              visit(delivery.arcs[i]);
          }
        }
      });
    };
    in_parallel(buckets.per_rank(), make, 1);
  }
  MadeBlocks made;
  for (BlockRows& block : blocks) {
    made.list_counts.push_back(block.take_list_counts());
    made.blocks.push_back(block.take());
  }
  return made;
}

}  // namespace bellmark::distributed_bfs
