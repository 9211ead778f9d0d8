#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <future>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "algorithms/problems/bfs/by_degree.hpp"
#include "base/error.hpp"
#include "base/paged_array.hpp"
#include "base/parallel.hpp"
#include "graph/kronecker_edges.hpp"
#include "graph/open.hpp"
#include "graph/reference.hpp"

namespace bellmark::distributed_bfs {
namespace {

/// What `kronecker:...` asks for, as make_kronecker() reads it.
struct Kronecker {
  std::uint64_t scale;
  std::uint64_t edge_factor;
  std::uint64_t seed;
  std::string provenance;
};

/// Nothing for other graphs, and for those that are changed after they were made. Throws InputError
/// on values that make_kronecker() would refuse.
std::optional<Kronecker> kronecker_of(const std::string& text) {
  const GraphReference reference = parse_reference(text);
  if (reference.generator == nullptr || reference.source != "kronecker" ||
      !reference.changes.empty()) {
    return std::nullopt;
  }
  Kronecker kronecker{reference.count("scale"), reference.count("edge-factor"), reference.seed(),
                      to_string(reference)};
  check_kronecker(kronecker.provenance, kronecker.scale, kronecker.edge_factor);
  return kronecker;
}

/// An arc by the local numbers of its ends in the block where it lies.
struct LocalArc {
  Vertex row;
  Vertex column;
};

struct Edge {
  Vertex tail;
  Vertex head;
};

/// Where arcs go: a bucket is a run of rows of a block. All blocks have as many buckets, those of a
/// rank's blocks are one behind the other, and the ranks' too.
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
  /// Of all ranks: what writes to so many places at once still finds most of them in the L2 cache.
  static constexpr std::size_t kMost = 4096;
  /// So that there is work for all threads of a rank.
  static constexpr std::size_t kFewestOfBlock = 64;
  static constexpr Vertex kCells = 4096;

  /// What is asked of both ends of every arc.
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
struct Batch {
  PagedArray<LocalArc> arcs;
  std::vector<Offset> begins;  ///< by sender and bucket, and the end of all
};

/// Puts the arcs of edges in order and sends them to the ranks whose blocks they are in.
class ArcMail {
 public:
  /// Rounds of so many edges or fewer.
  ArcMail(const Partition& partition, Communicator& ranks, std::uint64_t round_edge_count)
      : ranks_(ranks), buckets_(partition), edges_(round_edge_count) {
    if (ranks.size() == 1) return;
    for (PagedArray<LocalArc>& arcs : outgoing_) arcs = PagedArray<LocalArc>(2 * round_edge_count);
  }

  /// Draws edges first..last-1, and puts their arcs in order: the rank's own at once where they
  /// stay, others for send(). Not collective: may be called while a transfer is under way.
  void draw(const KroneckerEdges& drawn, std::uint64_t first, std::uint64_t last) {
    const std::size_t bucket_count = buckets_.count();
    // Of the arcs of a chunk and bucket: how many there are, then how many come before them.
    places_.resize((last - first + kChunk - 1) / kChunk * bucket_count);
    in_parallel(
        last - first,
        [&](std::uint64_t begin, std::uint64_t end) {
          const std::span places =
              std::span(places_).subspan(begin / kChunk * bucket_count, bucket_count);
          std::fill(places.begin(), places.end(), 0);
          for (std::uint64_t batch = begin; batch < end; batch += kDrawn) {
            const std::span edges(&edges_[batch], std::min(kDrawn, end - batch));
            for (std::uint64_t i = 0; i < edges.size(); ++i) {
              std::tie(edges[i].tail, edges[i].head) = drawn[first + batch + i];
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

  /// Collective: what draw() has put in order, when no other transfer is under way. Until it is
  /// done, draw() may be called once.
  Pending send() {
    std::vector<Offset> counts(buckets_.count());
    ranks_.all_to_all(counts_, counts);
    Batch& received = batches_.emplace_back();
    received.begins.resize(counts.size() + 1);
    std::partial_sum(counts.begin(), counts.end(), received.begins.begin() + 1);
    const Offset arc_count = received.begins.back();
    received.arcs = PagedArray<LocalArc>(arc_count);
    const std::span arcs = received.arcs.values();
    // All threads get their pages, or the one that receives them would, on its own.
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
  /// All that came to this rank, from itself too.
  std::vector<Batch> take() { return std::move(batches_); }

 private:
  static constexpr std::uint64_t kChunk = 1 << 16;
  /// Edges are drawn, then looked at: half as fast again as edge by edge (generate_kronecker.cpp).
  static constexpr std::uint64_t kDrawn = 128;

  /// Where the arcs of each bucket begin. This rank's own are counted for nobody then.
  std::vector<LocalArc*> find_places() {
    std::vector<LocalArc*> begins;
    LocalArc* next = outgoing_[0].data();
    send_offsets_ = {0};
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      const std::span counts =
          std::span(counts_).subspan(rank * buckets_.per_rank(), buckets_.per_rank());
      if (rank == ranks_.rank()) {
        Batch& own = batches_.emplace_back();
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
  std::vector<Offset> counts_;  ///< of what draw() has put in order, by bucket
  std::array<PagedArray<LocalArc>, 2> outgoing_;
  std::vector<std::size_t> send_offsets_;
  std::vector<Batch> batches_;
};

struct MadeBlocks {
  std::vector<bfs::Block> blocks;
  std::vector<std::unique_ptr<Offset[]>> list_counts;  ///< by block and row
};

/// A rank's block in the making, of the arcs that came to its buckets. What is called for a bucket
/// may be called for several at a time.
class BlockRows {
 public:
  BlockRows(VertexRange rows, VertexRange columns, const Buckets& buckets)
      : rows_(rows),
        columns_(columns),
        buckets_(buckets),
        row_offsets_(std::make_unique_for_overwrite<Offset[]>(std::size_t{rows.size()} + 1)),
        list_counts_(std::make_unique_for_overwrite<Offset[]>(rows.size())),
        heads_(buckets.per_block()) {}

  /// Makes the rows of bucket b of its arcs: they ascend, each arc is there once, no loop is.
  /// for_each_arc(visit) calls visit(arc) for all of them, in any order, and may be called again.
  /// O(arcs + rows).
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
    // Beyond all columns where the row's vertex has none: there are 2^31 of them at most.
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

  /// When all buckets are made: puts their rows one behind the other.
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

  /// How many arcs each row had before.
  std::unique_ptr<Offset[]> take_list_counts() { return std::move(list_counts_); }

 private:
  VertexRange rows_;
  VertexRange columns_;
  const Buckets& buckets_;
  std::unique_ptr<Offset[]> row_offsets_;  ///< until take(), [v + 1] is the size of row v
  std::unique_ptr<Offset[]> list_counts_;
  std::vector<PagedArray<Vertex>> heads_;  ///< by bucket
};

MadeBlocks make_blocks(const Kronecker& kronecker, const Partition& partition, Communicator& ranks,
                       std::uint64_t round_edge_count) {
  const KroneckerEdges edges(kronecker.scale, kronecker.seed);
  const std::uint64_t edge_count = kronecker.edge_factor << kronecker.scale;
  // Shares differ by one edge; who has drawn all of its own goes along until all have.
  const std::uint64_t longest_share = (edge_count + ranks.size() - 1) / ranks.size();
  const std::uint64_t step = std::min(std::max<std::uint64_t>(round_edge_count, 1), longest_share);
  const std::uint64_t first = edge_count * ranks.rank() / ranks.size();
  const std::uint64_t last = edge_count * (ranks.rank() + 1) / ranks.size();
  ArcMail mail(partition, ranks, step);
  const Buckets& buckets = mail.buckets();
  {
    // While arcs are under way, which this thread sees to, others draw the next round.
    Pending under_way;
    for (std::uint64_t done = 0; done < longest_share; done += step) {
      auto drawing = std::async(std::launch::async, [&] {
        mail.draw(edges, std::min(first + done, last), std::min(first + done + step, last));
      });
      under_way.wait();
      drawing.get();
      under_way = mail.send();
    }
    under_way.wait();
  }

  std::vector<BlockRows> blocks;
  for (const Partition::BlockPlace& place : partition.blocks(ranks.rank())) {
    blocks.emplace_back(partition.row_part(place.row_part),
                        partition.column_part(place.column_part), buckets);
  }
  {
    const std::vector<Batch> batches = mail.take();
    const auto make = [&](std::uint64_t bucket, std::uint64_t /*end*/) {
      blocks[bucket / buckets.per_block()].make(bucket % buckets.per_block(), [&](auto visit) {
        for (const Batch& batch : batches) {
          for (std::size_t b = bucket; b + 1 < batch.begins.size(); b += buckets.per_rank()) {
            for (Offset i = batch.begins[b]; i < batch.begins[b + 1]; ++i) visit(batch.arcs[i]);
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

bool rows_ascend(const bfs::Block& block) {
  std::atomic<bool> ascend = true;
  in_parallel_rows(
      block.row_offsets().data(), block.rows().size(), [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t v = begin; v < end; ++v) {
          const Vertex* const heads = block.heads().data();
          if (!std::is_sorted(heads + block.row_offsets()[v], heads + block.row_offsets()[v + 1])) {
            ascend = false;
          }
        }
      });
  return ascend;
}

/// A mapped file is read before anybody has verified it.
void require_offsets(const Graph& whole, const bfs::VertexRange& rows) {
  if (whole.row_offsets().empty()) return;
  const auto offsets = whole.row_offsets().subspan(rows.begin, std::size_t{rows.size()} + 1);
  if (std::ranges::is_sorted(offsets) && offsets.back() <= whole.arc_count()) return;
  throw InputError(whole.provenance(), "row offsets do not ascend to the arc count",
                   "the file is damaged: make it again from its source");
}

}  // namespace

template <class Count>
std::vector<Offset> DistributedGraph::sum_of_rows(Count count) const {
  const std::size_t self = ranks_->rank();
  // The pieces of the rows of a rank's blocks, in the order in which it sends their counts.
  const auto for_each_piece = [this](std::size_t rank, auto visit) {
    const auto& places = partition_->blocks(rank);
    for (std::size_t index = 0; index < places.size(); ++index) {
      const std::size_t group_size = partition_->row_group(places[index].row_part).size();
      for (std::size_t m = 0; m < group_size; ++m) {
        visit(index, places[index].row_part * group_size + m);
      }
    }
  };
  std::vector<std::size_t> send_offsets(ranks_->size() + 1);
  std::vector<std::size_t> receive_offsets(ranks_->size() + 1);
  for (std::size_t rank = 0; rank < ranks_->size(); ++rank) {
    for_each_piece(rank, [&](std::size_t, std::size_t k) {
      const std::size_t owner = partition_->owner(k);
      if (owner == rank) return;
      if (rank == self) send_offsets[owner + 1] += partition_->piece(k).size();
      if (owner == self) receive_offsets[rank + 1] += partition_->piece(k).size();
    });
  }
  std::partial_sum(send_offsets.begin(), send_offsets.end(), send_offsets.begin());
  std::partial_sum(receive_offsets.begin(), receive_offsets.end(), receive_offsets.begin());

  // Calls visit(i, row) for all vertices of piece k, the i-th of which is that row of the block.
  const auto for_each_row = [this](std::size_t index, std::size_t k, auto visit) {
    const VertexRange piece = partition_->piece(k);
    const Vertex first = piece.begin - blocks_[index].rows().begin;
    in_parallel(piece.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) visit(i, first + static_cast<Vertex>(i));
    });
  };
  const PagedArray<Offset> sent(send_offsets.back());
  std::vector<std::size_t> next = send_offsets;
  for_each_piece(self, [&](std::size_t index, std::size_t k) {
    const std::size_t owner = partition_->owner(k);
    if (owner == self) return;
    Offset* const counts = sent.data() + next[owner];
    for_each_row(index, k, [&](std::size_t i, Vertex row) { counts[i] = count(index, row); });
    next[owner] += partition_->piece(k).size();
  });
  const PagedArray<Offset> received(receive_offsets.back());
  ranks_->all_to_all(sent.values(), send_offsets, received.values(), receive_offsets);

  std::vector<std::size_t> begins(partition_->piece_count());
  std::size_t size = 0;
  for (const std::size_t k : partition_->pieces(self)) {
    begins[k] = std::exchange(size, size + partition_->piece(k).size());
  }
  std::vector<Offset> sums(size);
  for_each_piece(self, [&](std::size_t index, std::size_t k) {
    if (partition_->owner(k) != self) return;
    Offset* const own = sums.data() + begins[k];
    for_each_row(index, k, [&](std::size_t i, Vertex row) { own[i] += count(index, row); });
  });
  const Offset* counts = received.data();
  for (std::size_t rank = 0; rank < ranks_->size(); ++rank) {
    for_each_piece(rank, [&](std::size_t, std::size_t k) {
      if (rank == self || partition_->owner(k) != self) return;
      Offset* const own = sums.data() + begins[k];
      in_parallel(partition_->piece(k).size(), [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) own[i] += counts[i];
      });
      counts += partition_->piece(k).size();
    });
  }
  return sums;
}

DistributedGraph DistributedGraph::open(const std::string& reference, Communicator& ranks,
                                        Form form, std::uint64_t round_edge_count) {
  const auto kronecker = kronecker_of(reference);
  DistributedGraph graph;
  if (kronecker) {
    graph = DistributedGraph(ranks, form, Vertex{1} << kronecker->scale);
    MadeBlocks made = make_blocks(*kronecker, *graph.partition_, ranks, round_edge_count);
    graph.blocks_ = std::move(made.blocks);
    graph.provenance_ = kronecker->provenance;
    graph.find_counts();
    graph.edge_list_edge_count_ = kronecker->edge_factor << kronecker->scale;
    graph.edge_list_degrees_ = graph.sum_of_rows(
        [&](std::size_t index, Vertex row) { return made.list_counts[index][row]; });
  } else {
    graph = of(open_graph(reference), ranks, form);
  }
  graph.make_ = [reference, &ranks, round_edge_count](Form other) {
    return open(reference, ranks, other, round_edge_count);
  };
  return graph;
}

void DistributedGraph::verify(const std::string& reference) const {
  if (ranks_->rank() == 0 && !kronecker_of(reference)) {
    verify_graph(open_graph(reference), reference);
  }
  ranks_->barrier();
}

DistributedGraph DistributedGraph::of(const Graph& whole, Communicator& ranks, Form form) {
  DistributedGraph graph(ranks, form, whole.vertex_count());
  for (const auto& [row_part, column_part] : graph.partition_->blocks(ranks.rank())) {
    const bfs::VertexRange rows = graph.partition_->row_part(row_part);
    require_offsets(whole, rows);
    graph.blocks_.emplace_back(whole, rows, graph.partition_->column_part(column_part));
  }
  graph.provenance_ = whole.provenance();
  graph.symmetric_ = whole.properties().symmetric;
  const bool own_rows_ascend = std::all_of(graph.blocks_.begin(), graph.blocks_.end(), rows_ascend);
  graph.sorted_rows_ = ranks.all_reduce(own_rows_ascend ? 1 : 0, Reduction::least) == 1;
  graph.make_ = [whole, &ranks](Form other) { return of(whole, ranks, other); };
  graph.find_counts();
  graph.take_edge_list(whole.edge_list_degrees());
  return graph;
}

DistributedGraph DistributedGraph::in_form(Form form) const {
  if (partition_->is_also(form)) return *this;
  const bool of_grid = partition_->form() == Form::grid && form == Form::rows;
  return of_grid && sorted_rows_ ? with_whole_rows() : make_(form);
}

/// Of a grid. Its ranks own the same pieces in both forms, and the rows of a block are those of its
/// row's ranks, one behind the other.
DistributedGraph DistributedGraph::with_whole_rows() const {
  const std::size_t self = ranks_->rank();
  const bfs::Block& block = blocks_.front();
  const std::vector<std::size_t>& group =
      partition_->row_group(partition_->blocks(self).front().row_part);
  const VertexRange own = partition_->piece(self);

  const auto offsets = block.row_offsets();
  const auto first_row = [&](std::size_t rank) {
    return partition_->piece(rank).begin - block.rows().begin;
  };
  const auto end_row = [&](std::size_t rank) {
    return partition_->piece(rank).end - block.rows().begin;
  };
  // What is before each rank's share, where the row's ranks, which are neighbours, alone have one.
  const auto before = [&](auto share_of) {
    std::vector<std::size_t> sums(ranks_->size() + 1);
    for (const std::size_t rank : group) sums[rank + 1] = share_of(rank);
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    return sums;
  };
  const auto rows_before =
      before([&](std::size_t rank) { return end_row(rank) - first_row(rank); });
  const auto arcs_before =
      before([&](std::size_t rank) { return offsets[end_row(rank)] - offsets[first_row(rank)]; });
  const auto sizes_before = before([&](std::size_t) { return own.size(); });
  const PagedArray<Vertex> sent_sizes(block.rows().size());
  in_parallel(sent_sizes.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      sent_sizes.data()[row] = static_cast<Vertex>(offsets[row + 1] - offsets[row]);
    }
  });
  const PagedArray<Vertex> sizes(group.size() * own.size());
  ranks_->all_to_all(sent_sizes.values(), rows_before, sizes.values(), sizes_before);

  // Where each part's rows begin among the arcs that come.
  std::vector<PagedArray<Offset>> begins;
  for (std::size_t part = 0; part < group.size(); ++part) {
    begins.emplace_back(own.size() + std::size_t{1});
    const Vertex* const of_part = sizes.data() + part * own.size();
    prefix_sums(
        own.size(), [=](std::uint64_t row) { return of_part[row]; }, begins.back().data());
  }
  const auto heads_before =
      before([&](std::size_t rank) { return begins[rank - group.front()].data()[own.size()]; });
  const PagedArray<Vertex> parts(heads_before.back());
  ranks_->all_to_all(block.heads(), arcs_before, parts.values(), heads_before);

  auto row_offsets = std::make_unique_for_overwrite<Offset[]>(std::size_t{own.size()} + 1);
  prefix_sums(
      own.size(),
      [&](std::uint64_t row) {
        Offset size = 0;
        for (std::size_t part = 0; part < group.size(); ++part) {
          size += sizes.data()[part * own.size() + row];
        }
        return size;
      },
      row_offsets.get());
  auto heads = std::make_unique_for_overwrite<Vertex[]>(row_offsets[own.size()]);
  in_parallel_rows(row_offsets.get(), own.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t row = begin; row < end; ++row) {
      Vertex* next = heads.get() + row_offsets[row];
      for (std::size_t part = 0; part < group.size(); ++part) {
        const Vertex* const given =
            parts.data() + heads_before[group[part]] + begins[part].data()[row];
        const Vertex first = partition_->column_part(part).begin;
        next = std::transform(given, given + sizes.data()[part * own.size() + row], next,
                              [=](Vertex column) { return first + column; });
      }
    }
  });

  DistributedGraph whole = *this;
  whole.partition_ = std::make_shared<Partition>(Form::rows, vertex_count(), ranks_->size());
  whole.blocks_.clear();
  whole.blocks_.emplace_back(own, VertexRange{0, vertex_count()}, std::move(row_offsets),
                             std::move(heads));
  return whole;
}

void DistributedGraph::find_counts() {
  Offset own_arc_count = 0;
  for (const bfs::Block& block : blocks_) own_arc_count += block.arc_count();
  arc_count_ = ranks_->all_reduce(own_arc_count, Reduction::sum);
  degrees_ = sum_of_rows([this](std::size_t index, Vertex row) {
    const auto offsets = blocks_[index].row_offsets();
    return offsets[row + 1] - offsets[row];
  });
}

void DistributedGraph::take_edge_list(std::span<const std::uint32_t> degrees) {
  if (degrees.empty()) return;
  for (const std::size_t k : partition_->pieces(ranks_->rank())) {
    const auto piece = degrees.subspan(partition_->piece(k).begin, partition_->piece(k).size());
    edge_list_degrees_.insert(edge_list_degrees_.end(), piece.begin(), piece.end());
  }
  const auto own_end_count =
      std::accumulate(edge_list_degrees_.begin(), edge_list_degrees_.end(), std::uint64_t{0});
  edge_list_edge_count_ = ranks_->all_reduce(own_end_count, Reduction::sum) / 2;
}

}  // namespace bellmark::distributed_bfs
