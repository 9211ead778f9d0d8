// Distances from one vertex to all others over a customised hierarchy: a walk up from the source to
// the root, then one sweep down the tree, without a queue. Dibbelt, Strasser, Wagner (SEA 2014) for
// the hierarchy; Delling, Goldberg, Nowatzyk, Werneck (PHAST, IPDPS 2011) for the sweep.
//
// Cost model: a stream. The sweep reads each arc once, in order: 10 bytes with 32-bit labels, and 8
// a vertex. The tails of a vertex's arcs are its ancestors. So their labels lie by depth, some
// hundred words in the nearest cache, whatever the graph's size. An answer is one word a vertex,
// written at the vertex's own number. That is the only access out of order. Rows have 4 arcs on
// average and end where no branch predictor can tell, so that a step of the loop takes two arcs.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/search_work.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/customisable_hierarchy/customisation.hpp"
#include "algorithms/searches/customisable_hierarchy/elimination.hpp"
#include "algorithms/searches/customisable_hierarchy/subtrees.hpp"
#include "base/error.hpp"
#include "base/paged_array.hpp"

namespace bellmark::customisable_hierarchy {

template <class Label>
class Sweep {
 public:
  /// The number of subtrees a thread, so that all end at about the same time. With 2 threads of an
  /// AMD EPYC no other from 2 to 32 was clearly faster on New York and the Bay Area.
  static constexpr std::size_t kSubtreesPerThread = 8;

  /// `metric` is perfect, with positive lengths; it may go afterwards, the tree outlives this.
  /// Throws UnmetError for a tree too deep for numbers of 16 bits. O(arcs x longest row) at most.
  void prepare(const Elimination& tree, const Metric<Label>& metric, std::size_t thread_count) {
    const Vertex n = tree.vertex_count();
    tree_ = &tree;
    answers_ = PagedArray<Word>(n);
    std::ranges::fill(answers_.values(), kNone);
    const std::uint32_t deepest =
        tree.depth.empty() ? 0 : *std::max_element(tree.depth.begin(), tree.depth.end());
    if (deepest > std::numeric_limits<std::uint16_t>::max()) {
      throw UnmetError(
          "customisable-hierarchy",
          "the tree is " + std::to_string(deepest) + " vertices deep, and depths have 16 bits",
          "use sssp/auto, which prepares no hierarchy");
    }
    up_.assign(std::size_t{deepest} + 1, kNone);
    make_up_arcs(tree, metric.forward);
    make_steps(tree, metric.forward,
               metric.backward.first.empty() ? metric.forward : metric.backward);
    subtrees_ = make_subtrees(tree, thread_count == 1 ? 1 : kSubtreesPerThread * thread_count);
    above_.clear();
    for (const auto& [first, end] : subtrees_.runs) {
      std::vector<Vertex>& above = above_.emplace_back();
      for (Vertex v = tree.parent[end - 1]; v != kNoVertex; v = tree.parent[v]) {
        above.push_back(tree.vertex[v]);
      }
      std::ranges::reverse(above);
    }
    stacks_.assign(thread_count, std::vector<Label>(std::size_t{deepest} + 1));
  }

  /// O(n + arcs). The team has prepare()'s number of threads.
  void run(Vertex source, ThreadTeam& team, SearchWork* work) {
    if (work == nullptr) {
      Untallied none;
      return search(source, team, none);
    }
    Tally tally;
    search(source, team, tally);
    const auto is_finite = [](Word word) { return length_of<Label>(word) < kNoWay<Label>; };
    work->add(WorkCount::settled,
              static_cast<std::uint64_t>(std::ranges::count_if(answers_.values(), is_finite)));
    tally.add_distances_to(*work);
    work->lacks(WorkCount::rounds, kNoRounds);
    work->lacks_atomics(kNoAtomics);
  }

  Vertex vertex_count() const { return static_cast<Vertex>(answers_.size()); }
  bool is_reached(Vertex v) const { return length_of<Label>(answers_[v]) < kNoWay<Label>; }
  Label label(Vertex v) const { return length_of<Label>(answers_[v]); }
  /// kNoVertex for the source, and where nothing was reached.
  Vertex predecessor(Vertex v) const { return number_of(answers_[v]); }

  std::uint64_t arc_bytes() const { return up_arcs_.bytes() + pairs_.bytes(); }
  std::uint64_t vertex_bytes() const {
    return answers_.bytes() + steps_.bytes() +
           (first_up_.size() + first_pair_.size()) * sizeof(std::uint32_t);
  }

 private:
  using Word = typename Packed<Label>::Word;  ///< a distance above a predecessor
  static constexpr Word kNone = packed<Label>(kNoWay<Label>, kNoVertex);

  /// An arc between a vertex and an ancestor at `depth`, in the direction that `last` tells: the
  /// graph's vertex before the arc's head, on the path that the arc stands for.
  struct PathArc {
    std::uint32_t depth;
    Vertex last;
    Label length;
  };

  /// Two arcs of one row. The last arc of an odd row stands twice.
  struct ArcPair {
    std::array<Label, 2> lengths;
    std::array<Vertex, 2> lasts;
    std::array<std::uint16_t, 2> depths;
  };

  /// A vertex in the order of the sweep: ancestors first.
  struct Step {
    Vertex vertex;  ///< of the graph
    std::uint16_t depth;
    std::uint16_t pair_count;
  };

  std::size_t step_of(Vertex number) const { return answers_.size() - 1 - number; }

  /// The upward arc of a row that leads to a depth.
  static std::uint32_t arc_to(const Rows<Label>& rows, Vertex v, std::uint32_t depth) {
    std::uint32_t e = rows.first[v];
    while (rows.arcs[e].depth != depth) ++e;
    return e;
  }

  void make_up_arcs(const Elimination& tree, const Rows<Label>& forward) {
    first_up_ = forward.first;
    up_arcs_ = PagedArray<PathArc>(forward.arcs.size());
    for (Vertex v = 0; v < tree.vertex_count(); ++v) {
      for (std::uint32_t e = forward.first[v]; e < forward.first[v + 1]; ++e) {
        const auto [depth, length] = forward.arcs[e];
        const Vertex over = forward.via[e];
        const Vertex last =
            over == kNoVertex ? tree.vertex[v] : up_arcs_[arc_to(forward, over, depth)].last;
        up_arcs_[e] = {depth, last, length};
      }
    }
  }

  void make_steps(const Elimination& tree, const Rows<Label>& forward,
                  const Rows<Label>& backward) {
    const Vertex n = tree.vertex_count();
    steps_ = PagedArray<Step>(n);
    first_pair_.assign(std::size_t{n} + 1, 0);
    const auto size_of = [&](Vertex v) { return backward.first[v + 1] - backward.first[v]; };
    for (Vertex v = n; v-- > 0;) {
      first_pair_[step_of(v) + 1] = first_pair_[step_of(v)] + (size_of(v) + 1) / 2;
    }
    pairs_ = PagedArray<ArcPair>(first_pair_.back());
    std::vector<Vertex> ancestors(up_.size());  // by depth: the graph's vertices
    for (Vertex v = n; v-- > 0;) {
      const std::uint32_t own_depth = tree.depth[v];
      ancestors[own_depth] = tree.vertex[v];
      const std::uint32_t pair_count = (size_of(v) + 1) / 2;
      steps_[step_of(v)] = {tree.vertex[v], static_cast<std::uint16_t>(own_depth),
                            static_cast<std::uint16_t>(pair_count)};
      for (std::uint32_t i = 0; i < 2 * pair_count; ++i) {
        const std::uint32_t e = backward.first[v] + std::min(i, size_of(v) - 1);
        const auto [depth, length] = backward.arcs[e];
        const Vertex over = backward.via[e];
        ArcPair& pair = pairs_[first_pair_[step_of(v)] + i / 2];
        pair.lengths[i % 2] = length;
        pair.depths[i % 2] = static_cast<std::uint16_t>(depth);
        pair.lasts[i % 2] =
            over == kNoVertex ? ancestors[depth] : up_arcs_[arc_to(forward, over, own_depth)].last;
      }
    }
  }

  template <class AnyTally>
  void search(Vertex source, ThreadTeam& team, AnyTally& tally) {
    if (team.size() == 1) {
      climb(tree_->number[source], tally);
      sweep_top(tally);
      for (std::size_t i = 0; i < subtrees_.runs.size(); ++i) sweep_run(i, stacks_[0], tally);
      return;
    }
    std::mutex adding;
    is_top_done_.store(false, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
    team.run([&](std::size_t thread) {
      AnyTally own;
      if (thread == 0) {
        climb(tree_->number[source], own);
        sweep_top(own);
        // Publishes the answers of the top, which the other threads' stacks are filled from.
        is_top_done_.store(true, std::memory_order_release);
        is_top_done_.notify_all();
      } else {
        is_top_done_.wait(false, std::memory_order_acquire);
      }
      for (std::size_t i; (i = taken_.fetch_add(1, std::memory_order_relaxed)) < run_count();) {
        sweep_run(i, stacks_[thread], own);
      }
      if constexpr (AnyTally::kCounts) {
        const std::lock_guard lock(adding);
        tally.add(own);
      }
    });
  }

  std::size_t run_count() const { return subtrees_.runs.size(); }

  /// Labels of the source's ancestors, by depth, over upward arcs alone.
  template <class AnyTally>
  void climb(Vertex source, AnyTally& tally) {
    const std::uint32_t deepest = steps_[step_of(source)].depth;
    std::fill_n(up_.begin(), deepest, kNone);
    up_[deepest] = packed<Label>(0, kNoVertex);
    tally.lower();
    path_.clear();
    std::uint32_t depth = deepest;
    for (Vertex v = source; v != kNoVertex; v = tree_->parent[v], --depth) {
      path_.push_back(v);
      const Label label = length_of<Label>(up_[depth]);
      if (label >= kNoWay<Label>) continue;
      tally.scan();
      for (std::uint32_t e = first_up_[v]; e < first_up_[v + 1]; ++e) {
        tally.relax();
        take(up_[up_arcs_[e].depth], through(up_arcs_[e], label), tally);
      }
    }
  }

  static Word through(const PathArc& arc, Label label) {
    return packed<Label>(label + arc.length, arc.last);
  }

  template <class AnyTally>
  static void take(Word& word, Word other, AnyTally& tally) {
    if constexpr (AnyTally::kCounts) {
      if (other < word) tally.lower();
    }
    word = std::min(word, other);
  }

  /// A vertex on the way up has a label before any of its ancestors gives it one.
  template <class AnyTally>
  void sweep_top(AnyTally& tally) {
    Label* const stack = stacks_[0].data();
    auto on_path = path_.rbegin();
    for (std::size_t i = subtrees_.top.size(); i-- > 0;) {
      const Vertex v = subtrees_.top[i];
      const std::size_t step = step_of(v);
      const bool is_on_path = on_path != path_.rend() && *on_path == v;
      if (is_on_path) ++on_path;
      sweep_one(step, is_on_path ? up_[steps_[step].depth] : kNone, stack, tally);
    }
  }

  template <class AnyTally>
  void sweep_run(std::size_t run, std::vector<Label>& stack, AnyTally& tally) {
    const auto [first, end] = subtrees_.runs[run];
    // The run's last subtree comes first. The ancestors of the others are its own, too.
    for (std::size_t depth = 0; depth < above_[run].size(); ++depth) {
      stack[depth] = length_of<Label>(answers_[above_[run][depth]]);
    }
    std::size_t step = step_of(end - 1);
    if (first <= path_.front() && path_.front() < end) {
      const auto past = std::ranges::lower_bound(path_, end);
      for (auto next = past; next != path_.begin();) {
        const std::size_t on_path = step_of(*--next);
        sweep(step, on_path, stack.data(), tally);
        sweep_one(on_path, up_[steps_[on_path].depth], stack.data(), tally);
        step = on_path + 1;
      }
    }
    sweep(step, step_of(first) + 1, stack.data(), tally);
  }

  /// Steps [first, end).
  template <class AnyTally>
  void sweep(std::size_t first, std::size_t end, Label* stack, AnyTally& tally) {
    const ArcPair* pair = pairs_.data() + first_pair_[first];
    const Step* const last = steps_.data() + end;
    for (const Step* step = steps_.data() + first; step < last; ++step) {
      pair = finish(*step, pair, kNone, stack, tally);
    }
  }

  template <class AnyTally>
  void sweep_one(std::size_t at, Word word, Label* stack, AnyTally& tally) {
    finish(steps_[at], pairs_.data() + first_pair_[at], word, stack, tally);
  }

  /// Labels the step's vertex, by its row and by a word that it has. Returns the row's end.
  template <class AnyTally>
  [[gnu::always_inline]] const ArcPair* finish(const Step& step, const ArcPair* pair, Word word,
                                               Label* stack, AnyTally& tally) {
    const ArcPair* const end = pair + step.pair_count;
    tally.scan();
    for (; pair != end; ++pair) {
      tally.relax(2);
      take(word, std::min(through(*pair, 0, stack), through(*pair, 1, stack)), tally);
    }
    stack[step.depth] = length_of<Label>(word);
    answers_[step.vertex] = word;
    return end;
  }

  static Word through(const ArcPair& pair, std::size_t i, const Label* stack) {
    return packed<Label>(stack[pair.depths[i]] + pair.lengths[i], pair.lasts[i]);
  }

  const Elimination* tree_ = nullptr;
  std::vector<std::uint32_t> first_up_;
  PagedArray<PathArc> up_arcs_;  ///< by number of the tail
  PagedArray<Step> steps_;
  std::vector<std::uint32_t> first_pair_;  ///< by step, and the end
  PagedArray<ArcPair> pairs_;              ///< by step of the head
  Subtrees subtrees_;
  std::vector<std::vector<Vertex>> above_;  ///< by run: the ancestors of its last, by depth
  std::vector<Word> up_;                    ///< by depth, of the last source's ancestors
  std::vector<Vertex> path_;                ///< the source and its ancestors, ascending
  std::vector<std::vector<Label>> stacks_;  ///< by thread: labels by depth
  PagedArray<Word> answers_;                ///< by vertex
  std::atomic<bool> is_top_done_ = false;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace bellmark::customisable_hierarchy
