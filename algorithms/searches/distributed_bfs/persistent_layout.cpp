#include "algorithms/searches/distributed_bfs/persistent_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "algorithms/searches/bfs/persistent_options.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace bellmark::distributed_bfs::persistent {
namespace {

/// Values of a part's vertices, in the order of their ids, become an array by their numbers.
/// Vertices without a position are left out, padding gets `padding`.
template <class T>
PagedArray<T> by_number(const Group& group, const Numbers& numbers, Vertex piece_size,
                        std::span<const Vertex> positions, std::span<const T> values, T padding) {
  PagedArray<T> renumbered(std::size_t{numbers.piece_count()} * piece_size);
  std::fill_n(renumbered.data(), renumbered.size(), padding);
  for (std::uint32_t piece = 0; piece < numbers.piece_count(); ++piece) {
    const VertexRange range = group.range_of(piece);
    in_parallel(range.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = range.begin + begin; i < range.begin + end; ++i) {
        if (positions[i] == kNoVertex) continue;
        renumbered.data()[numbers.number({piece, positions[i]})] = values[i];
      }
    });
  }
  return renumbered;
}

/// The number of vertices of each member's piece that have positions.
std::vector<std::uint32_t> sizes_of(const Group& group, std::span<const Vertex> positions) {
  std::vector<std::uint32_t> sizes;
  for (std::size_t piece = 0; piece < group.size(); ++piece) {
    const VertexRange range = group.range_of(piece);
    sizes.push_back(static_cast<std::uint32_t>(
        range.size() -
        std::count(positions.begin() + range.begin, positions.begin() + range.end, kNoVertex)));
  }
  return sizes;
}

/// Of values by their numbers: the mean of each word's, rounded; 0 where no vertex has a number.
PagedArray<std::uint32_t> mean_by_word(const PagedArray<std::uint32_t>& values,
                                       const Numbers& numbers,
                                       std::span<const std::uint32_t> sizes) {
  PagedArray<std::uint32_t> means(values.size() / kWordVertices);
  in_parallel(means.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t word = begin; word < end; ++word) {
      const Place first = numbers.place(static_cast<Vertex>(word * kWordVertices));
      const std::uint32_t size = sizes[first.piece];
      const Vertex count =
          first.position < size ? std::min(size - first.position, kWordVertices) : 0;
      const std::uint32_t* const own = values.data() + word * kWordVertices;
      const std::uint64_t sum = std::accumulate(own, own + count, std::uint64_t{0});
      means.data()[word] = count == 0 ? 0 : static_cast<std::uint32_t>((sum + count / 2) / count);
    }
  });
  return means;
}

/// Collective: for each vertex of the column part its owner's value.
std::vector<std::uint32_t> of_columns(const GridRanks& grid, std::span<const std::uint32_t> own) {
  std::vector<std::uint32_t> piece(grid.column().piece().size());
  grid.to_column<std::uint32_t>(own, piece);
  std::vector<std::uint32_t> all(grid.column().part().size());
  grid.column().gather_values<std::uint32_t>(piece, all);
  return all;
}

}  // namespace

std::uint32_t short_degree(Offset degree) {
  return static_cast<std::uint32_t>(
      std::min<Offset>(degree, std::numeric_limits<std::uint32_t>::max()));
}

// This function has more than 60 lines: its steps share the positions of the rows' and the columns'
// vertices, arrays that only it needs.
Layout::Layout(const DistributedGraph& graph, const GridRanks& grid)
    : rows(static_cast<std::uint32_t>(grid.row().size())),
      columns(static_cast<std::uint32_t>(grid.column().size())),
      all(static_cast<std::uint32_t>(graph.ranks().size())) {
  Communicator& ranks = graph.ranks();
  const bfs::Block& block = graph.blocks().front();
  std::vector<std::uint32_t> degrees(graph.degrees().size());
  std::transform(graph.degrees().begin(), graph.degrees().end(), degrees.begin(), short_degree);

  const bfs::DegreeOrder order = bfs::order_by_degree(degrees);
  const auto own_count =
      graph.symmetric() ? order.with_arcs_count : static_cast<Vertex>(degrees.size());
  originals.assign(order.vertices.data(), order.vertices.data() + own_count);
  positions.assign(order.ranks.data(), order.ranks.data() + degrees.size());
  std::replace_if(
      positions.begin(), positions.end(), [&](Vertex position) { return position >= own_count; },
      kNoVertex);

  vertex_count = ranks.all_reduce(own_count, Reduction::sum);
  const std::uint64_t longest = ranks.all_reduce(own_count, Reduction::largest);
  const std::uint64_t most_arcs = ranks.all_reduce(block.arc_count(), Reduction::largest);
  stripe_count = static_cast<std::uint32_t>((longest + kStripe - 1) / kStripe);
  const std::uint64_t number_count = std::uint64_t{stripe_count} * kStripe * ranks.size();
  if (most_arcs > gpu::kMostNarrowArcs || number_count >= kNoVertex) {
    throw UnmetError("distributed-bfs/persistent",
                     std::to_string(number_count) + " vertices and up to " +
                         std::to_string(most_arcs) + " arcs in a block, which it counts in 32 bits",
                     "use more ranks for more arcs, or a smaller graph");
  }

  std::vector<Vertex> row_positions(grid.row().part().size());
  grid.row().gather_values<Vertex>(positions, row_positions);
  const std::vector<Vertex> column_positions = of_columns(grid, positions);
  row_sizes = sizes_of(grid.row(), row_positions);
  column_sizes = sizes_of(grid.column(), column_positions);
  {
    const std::vector<std::uint32_t> part_degrees = of_columns(grid, degrees);
    mean_degrees = mean_by_word(by_number<std::uint32_t>(grid.column(), columns, piece_size(),
                                                         column_positions, part_degrees, 0),
                                columns, column_sizes);
  }

  // Local numbers as in the block, and those of stripes.
  std::vector<Vertex> locals(std::max(row_positions.size(), column_positions.size()));
  for (std::size_t i = 0; i < locals.size(); ++i) locals[i] = static_cast<Vertex>(i);
  const PagedArray<Vertex> row_locals =
      by_number<Vertex>(grid.row(), rows, piece_size(), row_positions,
                        std::span(locals).first(row_positions.size()), kNoVertex);
  const PagedArray<Vertex> column_numbers(column_positions.size());
  for (std::uint32_t piece = 0; piece < columns.piece_count(); ++piece) {
    const VertexRange range = grid.column().range_of(piece);
    in_parallel(range.size(), [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = range.begin + begin; i < range.begin + end; ++i) {
        column_numbers.data()[i] = columns.number({piece, column_positions[i]});
      }
    });
  }

  const std::size_t row_count = row_locals.size();
  row_offsets = PagedArray<std::uint32_t>(row_count + 1);
  const Offset* const offsets = block.row_offsets().data();
  prefix_sums(
      row_count,
      [&](std::uint64_t row) {
        const Vertex local = row_locals.data()[row];
        return local == kNoVertex ? 0
                                  : static_cast<std::uint32_t>(offsets[local + 1] - offsets[local]);
      },
      row_offsets.data());
  heads = PagedArray<Vertex>(block.arc_count());
  const auto bound = static_cast<Vertex>(column_count());
  in_parallel_rows(row_offsets.data(), row_count, [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<Vertex> scratch;
    for (std::uint64_t row = begin; row < end; ++row) {
      const std::uint32_t* const ends = row_offsets.data() + row;
      const std::span made(heads.data() + ends[0], ends[1] - ends[0]);
      if (made.empty()) continue;
      const Vertex* const given = block.heads().data() + offsets[row_locals.data()[row]];
      std::transform(given, given + made.size(), made.begin(),
                     [&](Vertex column) { return column_numbers.data()[column]; });
      if (scratch.size() < made.size()) scratch.resize(made.size());
      bfs::sort_row(made, bound, scratch.data());
    }
  });
}

}  // namespace bellmark::distributed_bfs::persistent
