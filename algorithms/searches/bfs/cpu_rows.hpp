// Rows of a symmetric graph in the form that bfs/direction-optimizing goes along.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "algorithms/problems/bfs/by_degree.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "base/parallel.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

enum class Order {
  /// The graph's own vertices and heads.
  as_given,
  /// Vertices are numbered anew, most arcs first, and those without arcs get no number. Loops and
  /// parallel arcs are left out, and heads ascend. So a row begins with its neighbours of most
  /// arcs, which a search meets early. Their bits fill the first lines of every bitmap.
  by_degree,
};

/// Vertices 0..vertex_count()-1 and their arcs. RowOffset: 32 bits where arcs are fewer than 2^32.
///
/// Every vertex has its first head apart too, in 4 bytes: bottom-up most need no other one. Where
/// there is none it is no_head(), which no set of vertices has.
template <class RowOffset>
class SearchRows {
 public:
  SearchRows() = default;
  /// Uses all threads that the process may use. as_given O(n), by_degree O(n + m log n).
  SearchRows(const Graph& graph, Order order) : graph_(graph) {
    if (order == Order::by_degree) {
      number_by_degree();
      fill_by_degree();
    } else {
      fill_as_given();
    }
    fill_first_heads();
  }

  Vertex vertex_count() const { return vertex_count_; }
  Offset arc_count() const { return row_offsets_.data()[vertex_count_]; }
  const RowOffset* row_offsets() const { return row_offsets_.data(); }
  const Vertex* heads() const { return heads_; }
  const Vertex* first_heads() const { return first_heads_.data(); }
  Vertex no_head() const { return no_head_of(vertex_count_); }
  /// Vertices from here on have one arc at most.
  Vertex long_count() const { return long_count_; }
  Vertex largest_degree() const { return largest_degree_; }

  /// A vertex that has no arcs may have no number.
  const Numbering& numbering() const { return numbering_; }
  Vertex number(Vertex original) const { return numbering_.number(original); }
  Vertex original_count() const { return numbering_.original_count(); }

  /// The bytes of arcs; the graph's own heads, where they are used, don't count.
  std::uint64_t arc_bytes() const { return own_heads_.bytes() + first_heads_.bytes(); }
  std::uint64_t vertex_bytes() const { return row_offsets_.bytes() + numbering_.bytes(); }

 private:
  static constexpr Vertex no_head_of(Vertex n) {
    return static_cast<Vertex>(word_count(n) * kWordBits);
  }

  /// The heads of u, without loops and parallel arcs.
  void take_distinct(Vertex u, std::vector<Vertex>& row) const {
    const Offset first = graph_.row_offsets()[u];
    const auto heads = graph_.heads().subspan(first, graph_.row_offsets()[u + 1] - first);
    row.clear();
    std::copy_if(heads.begin(), heads.end(), std::back_inserter(row),
                 [u](Vertex v) { return v != u; });
    if (!graph_.properties().sorted_rows) std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }

  void number_by_degree() {
    const Vertex n = graph_.vertex_count();
    const PagedArray<std::uint32_t> degrees(n);
    in_parallel_rows(graph_.row_offsets().data(), n, [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<Vertex> row;
      for (auto u = static_cast<Vertex>(begin); u < end; ++u) {
        take_distinct(u, row);
        degrees.data()[u] = static_cast<std::uint32_t>(row.size());
      }
    });
    DegreeOrder order = order_by_degree({degrees.data(), n});
    vertex_count_ = order.with_arcs_count;
    numbering_ = Numbering(std::move(order), vertex_count_);
    row_offsets_ = PagedArray<RowOffset>(std::size_t{vertex_count_} + 1);
    prefix_sums(
        vertex_count_,
        [&](std::uint64_t v) {
          return degrees.data()[numbering_.original(static_cast<Vertex>(v))];
        },
        row_offsets_.data());
  }

  void fill_by_degree() {
    own_heads_ = PagedArray<Vertex>(arc_count());
    heads_ = own_heads_.data();
    in_parallel_rows(row_offsets(), vertex_count_, [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<Vertex> row;
      for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
        take_distinct(numbering_.original(v), row);
        Vertex* const heads = own_heads_.data() + row_offsets()[v];
        std::transform(row.begin(), row.end(), heads,
                       [this](Vertex original) { return numbering_.number(original); });
        sort_row({heads, row.size()}, vertex_count_, row.data());
      }
    });
  }

  void fill_as_given() {
    vertex_count_ = graph_.vertex_count();
    numbering_ = Numbering(vertex_count_);
    row_offsets_ = PagedArray<RowOffset>(std::size_t{vertex_count_} + 1);
    row_offsets_.data()[0] = 0;  // a graph without vertices may have no row offsets
    in_parallel(vertex_count_, [this](std::uint64_t begin, std::uint64_t end) {
      const Offset* const given = graph_.row_offsets().data() + 1;
      std::transform(given + begin, given + end, row_offsets_.data() + 1 + begin,
                     [](Offset offset) { return static_cast<RowOffset>(offset); });
    });
    heads_ = graph_.heads().data();
  }

  void fill_first_heads() {
    first_heads_ = PagedArray<Vertex>(vertex_count_);
    std::mutex mutex;
    in_parallel(vertex_count_, [&](std::uint64_t begin, std::uint64_t end) {
      Vertex long_count = 0;
      Vertex largest_degree = 0;
      for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
        const auto degree = static_cast<Vertex>(row_offsets()[v + 1] - row_offsets()[v]);
        first_heads_.data()[v] = degree > 0 ? heads_[row_offsets()[v]] : no_head();
        if (degree > 1) long_count = v + 1;
        largest_degree = std::max(largest_degree, degree);
      }
      const std::scoped_lock lock(mutex);
      long_count_ = std::max(long_count_, long_count);
      largest_degree_ = std::max(largest_degree_, largest_degree);
    });
  }

  Graph graph_;
  Vertex vertex_count_ = 0;
  Vertex long_count_ = 0;
  Vertex largest_degree_ = 0;
  Numbering numbering_;
  PagedArray<RowOffset> row_offsets_;
  PagedArray<Vertex> own_heads_;
  const Vertex* heads_ = nullptr;
  PagedArray<Vertex> first_heads_;
};

}  // namespace bellmark::bfs
