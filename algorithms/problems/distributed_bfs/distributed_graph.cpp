#include "algorithms/problems/distributed_bfs/distributed_graph.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "algorithms/problems/distributed_bfs/kronecker_blocks.hpp"
#include "base/error.hpp"
#include "base/paged_array.hpp"
#include "base/parallel.hpp"
#include "graph/kronecker_edges.hpp"
#include "graph/open.hpp"
#include "graph/reference.hpp"

namespace bellmark::distributed_bfs {
namespace {

/// The graph that `kronecker:...` asks for, as make_kronecker() reads it.
struct Kronecker {
  std::uint64_t scale;
  std::uint64_t edge_factor;
  std::uint64_t seed;
  std::string provenance;
};

/// Nothing for other graphs, and for graphs that are changed after they were made. Throws
/// InputError on values that make_kronecker() would refuse.
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

// This function has more than 60 lines, because both ends of the exchange walk the same pieces
// alike.
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
                                        PartitionKind kind, std::uint64_t round_edge_count) {
  const auto kronecker = kronecker_of(reference);
  DistributedGraph graph;
  if (kronecker) {
    graph = DistributedGraph(ranks, kind, Vertex{1} << kronecker->scale);
    const std::uint64_t edge_count = kronecker->edge_factor << kronecker->scale;
    MadeBlocks made = make_kronecker_blocks(KroneckerEdges(kronecker->scale, kronecker->seed),
                                            edge_count, *graph.partition_, ranks, round_edge_count);
    graph.blocks_ = std::move(made.blocks);
    graph.provenance_ = kronecker->provenance;
    graph.find_counts();
    graph.edge_list_edge_count_ = edge_count;
    graph.edge_list_degrees_ = graph.sum_of_rows(
        [&](std::size_t index, Vertex row) { return made.list_counts[index][row]; });
  } else {
    graph = of(open_graph(reference), ranks, kind);
  }
  graph.make_ = [reference, &ranks, round_edge_count](PartitionKind other) {
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

DistributedGraph DistributedGraph::of(const Graph& whole, Communicator& ranks, PartitionKind kind) {
  DistributedGraph graph(ranks, kind, whole.vertex_count());
  for (const auto& [row_part, column_part] : graph.partition_->blocks(ranks.rank())) {
    const bfs::VertexRange rows = graph.partition_->row_part(row_part);
    require_offsets(whole, rows);
    graph.blocks_.emplace_back(whole, rows, graph.partition_->column_part(column_part));
  }
  graph.provenance_ = whole.provenance();
  graph.symmetric_ = whole.properties().symmetric;
  const bool own_rows_ascend = std::all_of(graph.blocks_.begin(), graph.blocks_.end(), rows_ascend);
  graph.sorted_rows_ = ranks.all_reduce(own_rows_ascend ? 1 : 0, Reduction::least) == 1;
  graph.make_ = [whole, &ranks](PartitionKind other) { return of(whole, ranks, other); };
  graph.find_counts();
  graph.take_edge_list(whole.edge_list_degrees());
  return graph;
}

DistributedGraph DistributedGraph::dealt_as(PartitionKind kind) const {
  if (partition_->is_also(kind)) return *this;
  const bool of_grid = partition_->kind() == PartitionKind::grid && kind == PartitionKind::rows;
  return of_grid && sorted_rows_ ? with_whole_rows() : make_(kind);
}

/// For a grid. Its ranks own the same pieces in both kinds. The rows of a block are those of its
/// row's ranks, one after the other.
///
/// This function has more than 60 lines, because each exchange needs the offsets of the one before
/// it.
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
  // The sum of the shares before each rank's. Only the row's ranks, which are neighbours, have one.
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

  // The places where each part's rows begin among the arcs that come.
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
  whole.partition_ =
      std::make_shared<Partition>(PartitionKind::rows, vertex_count(), ranks_->size());
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
