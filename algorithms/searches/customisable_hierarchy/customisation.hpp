// Lengths for a customisable hierarchy. Each arc gets the shortest way over less important
// vertices, and then only arcs that are shortest paths are kept. Dibbelt, Strasser, Wagner:
// Customizable contraction hierarchies, SEA 2014 (basic and perfect customisation).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/subtrees.hpp"
#include "algorithms/searches/customisable_hierarchy/tasks.hpp"
#include "graph/graph.hpp"

namespace bellmark::customisable_hierarchy {

/// An upward arc: `depth` is that of its head, which lies on the way from the tail to the root.
template <class Label>
struct Arc {
  std::uint32_t depth;
  Label length;
};

/// Rows of upward arcs of one direction.
template <class Label>
struct Rows {
  std::vector<std::uint32_t> first;
  std::vector<Arc<Label>> arcs;
  std::vector<Vertex> via;  ///< beside the arcs: the vertex that an arc leads over, or kNoVertex

  std::uint64_t bytes() const {
    return first.size() * sizeof(std::uint32_t) +
           arcs.size() * (sizeof(Arc<Label>) + sizeof(Vertex));
  }
};

/// Of a symmetric graph `backward` is empty, and stands for a copy of `forward`.
template <class Label>
struct Metric {
  Rows<Label> forward;
  Rows<Label> backward;
};

/// A length above a number, so that the shorter one of two ways is the lesser word.
template <class Label>
struct Packed;
template <>
struct Packed<std::uint32_t> {
  using Word = std::uint64_t;
};
template <>
struct Packed<std::uint64_t> {
  __extension__ using Word = unsigned __int128;
};

/// A length longer than every path; twice of it is no overflow.
template <class Label>
inline constexpr Label kNoWay = std::numeric_limits<Label>::max() / 2;

template <class Label>
constexpr auto packed(Label length, std::uint32_t number) {
  return static_cast<typename Packed<Label>::Word>(length) << 32 | number;
}
template <class Label, class Word>
constexpr Label length_of(Word word) {
  return static_cast<Label>(word >> 32);
}
template <class Word>
constexpr std::uint32_t number_of(Word word) {
  return static_cast<std::uint32_t>(word);
}

/// Whether an arc and the one back may differ. `as_in_graph` asks the graph's properties, which
/// lengths given later must keep.
enum class Directions { as_in_graph, both };

/// Gives lengths to the arcs of one elimination, as often as they change.
template <class Label>
class Customisation {
 public:
  /// `graph` has the arcs of the one that was eliminated, in the same order; its lengths count for
  /// nothing. Both outlive this. `task_count`: about so many subtrees are worked on apart.
  Customisation(const Elimination& elimination, const Graph& graph, std::size_t task_count,
                Directions directions = Directions::as_in_graph)
      : tree_(elimination),
        subtrees_(make_subtrees(elimination, task_count)),
        side_count_(directions == Directions::as_in_graph && graph.properties().symmetric ? 1 : 2) {
    find_lower_arcs();
    find_inputs(graph);
    for (std::size_t side = 0; side < side_count_; ++side) {
      rows_[side].first.assign(tree_.first.begin(), tree_.first.end());
      rows_[side].arcs.resize(tree_.heads.size());
      rows_[side].via.resize(tree_.heads.size());
      for (std::uint32_t e = 0; e < tree_.heads.size(); ++e) {
        rows_[side].arcs[e].depth = tree_.depth[tree_.heads[e]];
      }
    }
  }

  /// `lengths`: one an arc of the graph, or none of a graph without; less than 0 is a closure.
  /// `longest`: no distance is longer. `tie_bits` above 0: a length counts 2^tie_bits times, and
  /// each arc counts 1 more. Of ways of one length, the one with the fewest arcs is then shortest.
  /// It takes 2^tie_bits above the number of vertices, and `longest` counts likewise. O(arcs +
  /// triangles).
  void customise(std::span<const Length> lengths, std::uint64_t longest, const Tasks& tasks,
                 unsigned tie_bits = 0) {
    lengths_ = lengths;
    tie_bits_ = tie_bits;
    longest_ = static_cast<Label>(std::min<std::uint64_t>(longest, kNoWay<Label> - 1));
    const auto work = [&](std::size_t task) {
      Scratch<Word> scratch(*this);
      const auto [begin, end] = subtrees_.runs[task];
      for (Vertex v = begin; v < end; ++v) shorten(v, scratch);
    };
    tasks(subtrees_.runs.size(), work);
    Scratch<Word> scratch(*this);
    for (const Vertex v : subtrees_.top) shorten(v, scratch);
  }

  /// The result of customise(); side 1 is empty of a symmetric graph.
  const Rows<Label>& rows(std::size_t side) const { return rows_[side]; }

  /// The arcs of customise()'s result whose lengths are distances: no query needs others. O(arcs x
  /// longest row) at most.
  Metric<Label> perfect(const Tasks& tasks) {
    for (std::size_t side = 0; side < side_count_; ++side) {
      distances_[side].resize(tree_.heads.size());
    }
    // From the roots down: the rows that a row needs lie above it.
    Scratch<Label> scratch(*this);
    for (std::size_t i = subtrees_.top.size(); i-- > 0;) measure(subtrees_.top[i], scratch);
    const auto work = [&](std::size_t task) {
      Scratch<Label> own(*this);
      const auto [begin, end] = subtrees_.runs[task];
      for (Vertex v = end; v-- > begin;) measure(v, own);
    };
    tasks(subtrees_.runs.size(), work);
    Metric<Label> made;
    made.forward = kept(0);
    if (side_count_ > 1) made.backward = kept(1);
    return made;
  }

 private:
  using Word = typename Packed<Label>::Word;
  enum : std::size_t { kUp, kDown };
  static constexpr Word kNoWord = packed<Label>(kNoWay<Label>, 0);

  /// Places by depth, for the values of the vertices between a vertex and its root.
  template <class Value>
  struct Scratch {
    explicit Scratch(const Customisation& of) {
      for (std::size_t side = 0; side < of.side_count_; ++side) {
        places[side].resize(std::size_t{of.deepest_} + 1);
      }
    }
    std::array<std::vector<Value>, 2> places;
  };

  /// An arc of the graph, and the depth of its more important end.
  struct Input {
    std::uint32_t arc;
    std::uint32_t depth : 31;
    std::uint32_t is_down : 1;
  };
  struct LowerArc {
    std::uint32_t arc;
    std::uint32_t row_end;
    Vertex tail;
  };

  void find_inputs(const Graph& graph) {
    first_input_.assign(std::size_t{tree_.vertex_count()} + 1, 0);
    const auto for_each = [&](auto visit) {
      for (Vertex u = 0; u < graph.vertex_count(); ++u) {
        const Vertex tail = tree_.number[u];
        for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
          const Vertex head = tree_.number[graph.heads()[e]];
          // Of a symmetric graph an arc's partner says the same.
          if (tail == head || (side_count_ == 1 && tail > head)) continue;
          visit(tail, head, static_cast<std::uint32_t>(e));
        }
      }
    };
    for_each(
        [&](Vertex tail, Vertex head, std::uint32_t) { ++first_input_[std::min(tail, head) + 1]; });
    for (std::size_t v = 0; v + 1 < first_input_.size(); ++v) {
      first_input_[v + 1] += first_input_[v];
    }
    inputs_.resize(first_input_.back());
    std::vector<std::uint32_t> next(first_input_.begin(), first_input_.end() - 1);
    for_each([&](Vertex tail, Vertex head, std::uint32_t arc) {
      inputs_[next[std::min(tail, head)]++] = {arc, tree_.depth[std::max(tail, head)] & kMostDepth,
                                               tail < head ? 0U : 1U};
    });
  }

  void find_lower_arcs() {
    const Vertex n = tree_.vertex_count();
    first_lower_.assign(std::size_t{n} + 1, 0);
    for (const Vertex head : tree_.heads) ++first_lower_[head + 1];
    for (std::size_t v = 0; v < n; ++v) first_lower_[v + 1] += first_lower_[v];
    lower_.resize(tree_.heads.size());
    std::vector<std::uint32_t> next(first_lower_.begin(), first_lower_.end() - 1);
    for (Vertex v = 0; v < n; ++v) {
      for (std::uint32_t e = tree_.first[v]; e < tree_.first[v + 1]; ++e) {
        lower_[next[tree_.heads[e]]++] = {e, tree_.first[v + 1], v};
      }
      deepest_ = std::max(deepest_, tree_.depth[v]);
    }
  }

  Word input(std::uint32_t arc) const {
    const Length length = lengths_.empty() ? 1 : lengths_[arc];
    if (length < 0) return kNoWord;
    const std::uint64_t counted =
        (static_cast<std::uint64_t>(length) << tie_bits_) + (tie_bits_ > 0 ? 1 : 0);
    return counted > longest_ ? kNoWord : packed<Label>(static_cast<Label>(counted), 0);
  }

  void shorten(Vertex v, Scratch<Word>& scratch) {
    if (side_count_ == 1) {
      shorten_by<true>(v, scratch);
    } else {
      shorten_by<false>(v, scratch);
    }
  }

  /// The row of v, by the rows of less important vertices, which are done. A word's number is 1
  /// more than the vertex that the way leads over, and 0 for an arc of the graph.
  template <bool is_symmetric>
  void shorten_by(Vertex v, Scratch<Word>& scratch) {
    const std::uint32_t begin = tree_.first[v];
    const std::uint32_t end = tree_.first[v + 1];
    Word* const up = scratch.places[kUp].data();
    Word* const down = scratch.places[kDown].data();
    Arc<Label>* const up_arcs = rows_[kUp].arcs.data();
    Arc<Label>* const down_arcs = rows_[kDown].arcs.data();
    for (std::uint32_t e = begin; e < end; ++e) {
      up[up_arcs[e].depth] = kNoWord;
      if constexpr (!is_symmetric) down[up_arcs[e].depth] = kNoWord;
    }
    for (std::uint32_t i = first_input_[v]; i < first_input_[v + 1]; ++i) {
      const Input& from = inputs_[i];
      Word& word = (from.is_down != 0 ? down : up)[from.depth];
      word = std::min(word, input(from.arc));
    }
    for (std::uint32_t i = first_lower_[v]; i < first_lower_[v + 1]; ++i) {
      const auto& [arc, row_end, tail] = lower_[i];
      const Word over = packed<Label>((is_symmetric ? up_arcs : down_arcs)[arc].length, tail + 1);
      for (std::uint32_t e = arc + 1; e < row_end; ++e) {
        Word& word = up[up_arcs[e].depth];
        word = std::min(word, over + packed<Label>(up_arcs[e].length, 0));
      }
      if constexpr (!is_symmetric) {
        const Word below = packed<Label>(up_arcs[arc].length, tail + 1);
        for (std::uint32_t e = arc + 1; e < row_end; ++e) {
          Word& word = down[down_arcs[e].depth];
          word = std::min(word, below + packed<Label>(down_arcs[e].length, 0));
        }
      }
    }
    for (std::uint32_t e = begin; e < end; ++e) {
      store(kUp, e, up[up_arcs[e].depth]);
      if constexpr (!is_symmetric) store(kDown, e, down[up_arcs[e].depth]);
    }
  }

  /// A length above every distance is no way, so that no sum overflows.
  void store(std::size_t side, std::uint32_t e, Word word) {
    const auto length = length_of<Label>(word);
    rows_[side].arcs[e].length = length > longest_ ? kNoWay<Label> : length;
    rows_[side].via[e] = number_of(word) - 1;
  }

  void measure(Vertex v, Scratch<Label>& scratch) {
    if (side_count_ == 1) {
      measure_by<true>(v, scratch);
    } else {
      measure_by<false>(v, scratch);
    }
  }

  /// The distances between v and its upper neighbours; the rows above are done. Other vertices
  /// above v get lengths of ways too, which does no harm.
  template <bool is_symmetric>
  void measure_by(Vertex v, Scratch<Label>& scratch) {
    const std::uint32_t begin = tree_.first[v];
    const std::uint32_t end = tree_.first[v + 1];
    Label* const out = scratch.places[kUp].data();
    Label* const in = scratch.places[kDown].data();
    const Arc<Label>* const arcs = rows_[kUp].arcs.data();
    std::fill_n(out, tree_.depth[v], kNoWay<Label>);
    if constexpr (!is_symmetric) std::fill_n(in, tree_.depth[v], kNoWay<Label>);
    for (std::uint32_t e = begin; e < end; ++e) {
      out[arcs[e].depth] = arcs[e].length;
      if constexpr (!is_symmetric) in[arcs[e].depth] = rows_[kDown].arcs[e].length;
    }
    for (std::uint32_t e = begin; e < end; ++e) {
      const Vertex x = tree_.heads[e];
      const std::uint32_t depth = arcs[e].depth;
      Label out_x = out[depth];
      Label in_x = is_symmetric ? 0 : in[depth];
      for (std::uint32_t f = tree_.first[x]; f < tree_.first[x + 1]; ++f) {
        const Label above = distances_[kUp][f];
        Label& out_y = out[arcs[f].depth];
        if constexpr (is_symmetric) {
          out_x = std::min(out_x, out_y + above);
        } else {
          const Label below = distances_[kDown][f];
          Label& in_y = in[arcs[f].depth];
          out_x = std::min(out_x, out_y + below);
          in_x = std::min(in_x, in_y + above);
          in_y = std::min(in_y, in_x + below);
        }
        out_y = std::min(out_y, out_x + above);
      }
      out[depth] = out_x;
      if constexpr (!is_symmetric) in[depth] = in_x;
    }
    for (std::uint32_t e = begin; e < end; ++e) {
      distances_[kUp][e] = out[arcs[e].depth];
      if constexpr (!is_symmetric) distances_[kDown][e] = in[arcs[e].depth];
    }
  }

  Rows<Label> kept(std::size_t side) const {
    const Rows<Label>& all = rows_[side];
    Rows<Label> made;
    made.first.reserve(all.first.size());
    made.first.push_back(0);
    for (Vertex v = 0; v < tree_.vertex_count(); ++v) {
      for (std::uint32_t e = all.first[v]; e < all.first[v + 1]; ++e) {
        if (all.arcs[e].length > distances_[side][e] || all.arcs[e].length > longest_) continue;
        made.arcs.push_back(all.arcs[e]);
        made.via.push_back(all.via[e]);
      }
      made.first.push_back(static_cast<std::uint32_t>(made.arcs.size()));
    }
    return made;
  }

  static constexpr std::uint32_t kMostDepth = ~std::uint32_t{0} >> 1;

  const Elimination& tree_;
  Subtrees subtrees_;
  std::size_t side_count_;  ///< 1 of a symmetric graph
  std::vector<std::uint32_t> first_input_;
  std::vector<Input> inputs_;
  std::vector<std::uint32_t> first_lower_;
  std::vector<LowerArc> lower_;  ///< by head
  std::uint32_t deepest_ = 0;
  std::array<Rows<Label>, 2> rows_;
  std::array<std::vector<Label>, 2> distances_;
  std::span<const Length> lengths_;
  unsigned tie_bits_ = 0;
  Label longest_ = 0;
};

}  // namespace bellmark::customisable_hierarchy
