#include "algorithms/distributed_bfs/distributed_graph.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "algorithms/distributed_bfs/mail.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/formula.hpp"
#include "graph/kronecker_edges.hpp"
#include "graph/lengths.hpp"
#include "graph/open.hpp"
#include "graph/parallel.hpp"

namespace bellmark::distributed_bfs {
namespace {

/// What `kronecker:...` asks for, as make_kronecker() reads it.
struct Kronecker {
  std::uint64_t scale;
  std::uint64_t edge_factor;
  std::uint64_t seed;
  std::string provenance;
};

constexpr std::string_view kKronecker = "kronecker:";

/// Nothing for other graphs, and for those that are changed after they were made (`arcs=`,
/// `order=`, `rows=`). Throws InputError on values that make_kronecker() would refuse.
std::optional<Kronecker> kronecker_of(const std::string& reference) {
  if (!reference.starts_with(kKronecker)) return std::nullopt;
  const std::string pairs = reference.substr(kKronecker.size());
  for (const std::string& pair : split(pairs, ',')) {
    for (const char* key : {"arcs=", "order=", "rows="}) {
      if (pair.starts_with(key)) return std::nullopt;
    }
  }
  auto values =
      parse_keys(reference, pairs, {"scale", "edge-factor", "lengths", "seed"}, {"scale"});
  values.insert({{"edge-factor", "16"}, {"lengths", "uniform:1..1000"}, {"seed", "1"}});
  const auto number = [&](const std::string& key) {
    return parse_number<std::uint64_t>(values.at(key), reference + ": " + key, "a whole number");
  };
  Kronecker kronecker{number("scale"), number("edge-factor"), number("seed"), {}};
  kronecker.provenance = "kronecker:scale=" + std::to_string(kronecker.scale) +
                         ",edge-factor=" + std::to_string(kronecker.edge_factor) +
                         ",lengths=" + to_string(parse_lengths(values.at("lengths"))) +
                         ",seed=" + std::to_string(kronecker.seed);
  check_kronecker(kronecker.provenance, kronecker.scale, kronecker.edge_factor);
  return kronecker;
}

/// An arc by the local numbers of its ends in the block where it lies.
struct LocalArc {
  Vertex row;
  Vertex column;
};

/// The arcs that come to one block, in any order and more than once, loops too, and its rows made
/// of them. All threads that the process may use take part.
class BlockArcs {
 public:
  BlockArcs(VertexRange rows, VertexRange columns)
      : rows_(rows), columns_(columns), row_offsets_(std::size_t{rows.size()} + 2) {}

  void add(std::vector<LocalArc> arcs) {
    // Row v is counted two places on, and is where its arcs begin when they are dealt.
    for_each(arcs, [this](const LocalArc& arc) { next(row_offsets_[std::size_t{arc.row} + 2]); });
    if (!arcs.empty()) rounds_.push_back(std::move(arcs));
  }

  /// Rows ascend, each arc is there once, no loop is. `list_counts` gets how many arcs each row had
  /// before. O(arcs log(longest row)).
  bfs::Block make(std::vector<Offset>& list_counts) {
    for (std::size_t v = 1; v < row_offsets_.size(); ++v) row_offsets_[v] += row_offsets_[v - 1];
    std::vector<Vertex> heads(row_offsets_.back());
    for (std::vector<LocalArc>& round : rounds_) {
      for_each(round, [&](const LocalArc& arc) {
        heads[next(row_offsets_[std::size_t{arc.row} + 1])] = arc.column;
      });
      round = {};
    }
    row_offsets_.pop_back();
    list_counts.resize(rows_.size());
    std::vector<Vertex> sizes(rows_.size());
    in_parallel(rows_.size(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t v = first; v < last; ++v) {
        list_counts[v] = row_offsets_[v + 1] - row_offsets_[v];
        // Threads wrote the row in any order; sorted, it is the same every time.
        Vertex* const begin = heads.data() + row_offsets_[v];
        Vertex* const end = std::remove(begin, heads.data() + row_offsets_[v + 1],
                                        static_cast<Vertex>(rows_.begin + v - columns_.begin));
        std::sort(begin, end);
        sizes[v] = static_cast<Vertex>(std::unique(begin, end) - begin);
      }
    });
    Offset kept = 0;
    for (Vertex v = 0; v < rows_.size(); ++v) {
      const Vertex* const row = heads.data() + row_offsets_[v];
      if (row != heads.data() + kept) std::copy_n(row, sizes[v], heads.data() + kept);
      row_offsets_[v] = kept;
      kept += sizes[v];
    }
    row_offsets_[rows_.size()] = kept;
    heads.resize(kept);
    return {rows_, columns_, std::move(row_offsets_), std::move(heads)};
  }

 private:
  static Offset next(Offset& counter) {
    return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
  }
  template <class Visit>
  static void for_each(const std::vector<LocalArc>& arcs, Visit visit) {
    in_parallel(arcs.size(), [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i) visit(arcs[i]);
    });
  }

  VertexRange rows_;
  VertexRange columns_;
  std::vector<Offset> row_offsets_;
  std::vector<std::vector<LocalArc>> rounds_;
};

struct MadeBlocks {
  std::vector<bfs::Block> blocks;
  std::vector<std::vector<Offset>> list_counts;  ///< by block and row
};

/// Where the arcs of a graph go: to the ranks whose blocks they are in.
class ArcMail {
 public:
  ArcMail(const Partition& partition, Communicator& ranks) : partition_(partition) {
    for (const Partition::BlockPlace& place : partition.blocks(ranks.rank())) {
      arcs_.emplace_back(partition.row_part(place.row_part),
                         partition.column_part(place.column_part));
      mails_.emplace_back(ranks);
    }
    for (std::size_t k = 0; k < partition.piece_count(); ++k) {
      const std::size_t row_part = k / partition.row_group(0).size();
      const std::size_t column_part = k / partition.column_group(0).size();
      pieces_.push_back({row_part, column_part, partition.row_part(row_part).begin,
                         partition.column_part(column_part).begin});
    }
  }

  /// The arcs of edges first..last-1, both ways; a loop is two.
  void add(const KroneckerEdges& edges, std::uint64_t first, std::uint64_t last) {
    std::mutex mutex;
    in_parallel(last - first, [&](std::uint64_t from, std::uint64_t to) {
      // By index of the block, and by rank.
      std::vector<std::vector<LocalArc>> sorted(mails_.size() * partition_.rank_count());
      const auto sort_in = [&](Vertex tail, const Piece& of_tail, Vertex head,
                               const Piece& of_head) {
        const Partition::Holder holder = partition_.holder(of_tail.row_part, of_head.column_part);
        sorted[holder.index * partition_.rank_count() + holder.rank].push_back(
            {tail - of_tail.row_begin, head - of_head.column_begin});
      };
      for (std::uint64_t i = first + from; i < first + to; ++i) {
        const auto [tail, head] = edges[i];
        const Piece& of_tail = pieces_[partition_.piece_of(tail)];
        const Piece& of_head = pieces_[partition_.piece_of(head)];
        sort_in(tail, of_tail, head, of_head);
        sort_in(head, of_head, tail, of_tail);
      }
      const std::scoped_lock lock(mutex);
      for (std::size_t bucket = 0; bucket < sorted.size(); ++bucket) {
        auto& outgoing =
            mails_[bucket / partition_.rank_count()].to(bucket % partition_.rank_count());
        outgoing.insert(outgoing.end(), sorted[bucket].begin(), sorted[bucket].end());
      }
    });
  }

  /// Collective.
  void deliver() {
    for (std::size_t index = 0; index < mails_.size(); ++index) {
      mails_[index].deliver();
      arcs_[index].add(mails_[index].take_received());
    }
  }

  MadeBlocks make_blocks() {
    MadeBlocks made;
    made.list_counts.resize(arcs_.size());
    for (std::size_t index = 0; index < arcs_.size(); ++index) {
      made.blocks.push_back(arcs_[index].make(made.list_counts[index]));
    }
    return made;
  }

 private:
  /// What is asked of both ends of every arc.
  struct Piece {
    std::size_t row_part;
    std::size_t column_part;
    Vertex row_begin;
    Vertex column_begin;
  };

  const Partition& partition_;
  std::vector<Piece> pieces_;
  std::vector<BlockArcs> arcs_;
  std::vector<Mail<LocalArc>> mails_;
};

MadeBlocks make_blocks(const Kronecker& kronecker, const Partition& partition, Communicator& ranks,
                       std::uint64_t round_edge_count) {
  const KroneckerEdges edges(kronecker.scale, kronecker.seed);
  const std::uint64_t edge_count = kronecker.edge_factor << kronecker.scale;
  // Shares differ by one edge; who has drawn all of its own goes along until all have.
  const std::uint64_t longest_share = (edge_count + ranks.size() - 1) / ranks.size();
  const std::uint64_t step = std::max<std::uint64_t>(round_edge_count / ranks.size(), 1);
  const std::uint64_t first = edge_count * ranks.rank() / ranks.size();
  const std::uint64_t last = edge_count * (ranks.rank() + 1) / ranks.size();
  ArcMail mail(partition, ranks);
  for (std::uint64_t done = 0; done < longest_share; done += step) {
    mail.add(edges, std::min(first + done, last), std::min(first + done + step, last));
    mail.deliver();
  }
  return mail.make_blocks();
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

}  // namespace

template <class Count>
std::vector<Offset> DistributedGraph::sum_of_rows(Count count) const {
  const std::size_t group_size = partition_->row_group(0).size();
  Mail<Offset> mail(*ranks_);
  const auto& own_places = partition_->blocks(ranks_->rank());
  for (std::size_t index = 0; index < blocks_.size(); ++index) {
    const Vertex begin = blocks_[index].rows().begin;
    for (std::size_t m = 0; m < group_size; ++m) {
      const std::size_t k = own_places[index].row_part * group_size + m;
      std::vector<Offset>& counts = mail.to(partition_->owner(k));
      const VertexRange piece = partition_->piece(k);
      for (Vertex v = piece.begin; v < piece.end; ++v) counts.push_back(count(index, v - begin));
    }
  }
  mail.deliver();
  std::vector<std::size_t> begins = {0};
  for (const std::size_t k : partition_->pieces(ranks_->rank())) {
    begins.push_back(begins.back() + partition_->piece(k).size());
  }
  std::vector<Offset> sums(begins.back());
  for (std::size_t sender = 0; sender < ranks_->size(); ++sender) {
    std::span<const Offset> counts = mail.from(sender);
    for (const auto& place : partition_->blocks(sender)) {
      const auto& own_pieces = partition_->pieces(ranks_->rank());
      for (std::size_t i = 0; i < own_pieces.size(); ++i) {
        if (own_pieces[i] / group_size != place.row_part) continue;
        const std::size_t size = begins[i + 1] - begins[i];
        for (std::size_t v = 0; v < size; ++v) sums[begins[i] + v] += counts[v];
        counts = counts.subspan(size);
      }
    }
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

DistributedGraph DistributedGraph::of(const Graph& whole, Communicator& ranks, Form form) {
  DistributedGraph graph(ranks, form, whole.vertex_count());
  for (const auto& [row_part, column_part] : graph.partition_->blocks(ranks.rank())) {
    graph.blocks_.emplace_back(whole, graph.partition_->row_part(row_part),
                               graph.partition_->column_part(column_part));
  }
  graph.provenance_ = whole.provenance();
  graph.symmetric_ = whole.properties().symmetric;
  graph.make_ = [whole, &ranks](Form other) { return of(whole, ranks, other); };
  graph.find_counts();
  graph.take_edge_list(whole.edge_list_degrees());
  return graph;
}

DistributedGraph DistributedGraph::in_form(Form form) const {
  return form == partition_->form() ? *this : make_(form);
}

void DistributedGraph::find_counts() {
  Offset own_arc_count = 0;
  for (const bfs::Block& block : blocks_) {
    own_arc_count += block.arc_count();
    sorted_rows_ = sorted_rows_ && rows_ascend(block);
  }
  arc_count_ = ranks_->all_reduce(own_arc_count, Reduction::sum);
  sorted_rows_ = ranks_->all_reduce(sorted_rows_ ? 1 : 0, Reduction::least) == 1;

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
