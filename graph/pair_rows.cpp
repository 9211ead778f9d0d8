#include "graph/pair_rows.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>

#include "base/parallel.hpp"
#include "graph/make_rows.hpp"

namespace bellmark {
namespace {

/// The heads of each tail, in no order: a counting sort by all threads.
class PairRows {
 public:
  PairRows(Vertex vertex_count, std::span<const VertexPair> pairs, PairsAre meaning)
      : ends_(vertex_count) {
    const auto take_place = [&](Vertex v) {
      return std::atomic_ref(ends_[v]).fetch_add(1, std::memory_order_relaxed);
    };
    const auto for_each_arc = [&](auto visit) {
      in_parallel(pairs.size(), [&](std::uint64_t begin, std::uint64_t end) {
        for (const auto& [u, v] : pairs.subspan(begin, end - begin)) {
          visit(u, v);
          if (meaning == PairsAre::edges) visit(v, u);
        }
      });
    };
    for_each_arc([&](Vertex tail, Vertex) { take_place(tail); });
    Offset arc_count = 0;
    for (Offset& row : ends_) {
      const Offset size = row;
      row = arc_count;
      arc_count += size;
    }
    heads_ = std::make_unique_for_overwrite<Vertex[]>(arc_count);
    // Each row's beginning moves to its end, which is the beginning of the next row.
    for_each_arc([&](Vertex tail, Vertex head) { heads_[take_place(tail)] = head; });
  }

  std::span<Vertex> operator[](Vertex v) {
    const Offset begin = v == 0 ? 0 : ends_[v - 1];
    return {heads_.get() + begin, ends_[v] - begin};
  }

 private:
  std::vector<Offset> ends_;
  std::unique_ptr<Vertex[]> heads_;
};

}  // namespace

Graph graph_of_pairs(Vertex vertex_count, std::vector<VertexPair> pairs, PairsAre meaning,
                     const LengthSource& length) {
  PairRows rows(vertex_count, pairs, meaning);
  pairs = {};  // the graph's own arrays take their place
  return make_rows(
      vertex_count, meaning == PairsAre::edges && length.opposite_agree(),
      [&](Vertex v) {
        // Threads wrote the row in any order. Sorted, it is the same every time.
        const std::span row = rows[v];
        const auto end = std::remove(row.begin(), row.end(), v);
        std::sort(row.begin(), end);
        return static_cast<Offset>(std::unique(row.begin(), end) - row.begin());
      },
      [&](Vertex v, std::span<Vertex> heads, std::span<Length> row_lengths) {
        std::copy_n(rows[v].begin(), heads.size(), heads.begin());
        for (std::size_t i = 0; i < heads.size(); ++i) row_lengths[i] = length.of_ends(v, heads[i]);
      });
}

}  // namespace bellmark
