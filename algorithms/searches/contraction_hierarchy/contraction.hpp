// A contraction hierarchy: vertices in an order of importance, and shortcuts over vertices that
// are less important than both ends. Geisberger, Sanders, Schultes, Delling: Contraction
// hierarchies: faster and simpler hierarchical routing in road networks, WEA 2008.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/searches/contraction_hierarchy/shortcuts.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::contraction_hierarchy {

/// An arc to or from a more important vertex.
template <class Label>
struct UpwardArc {
  Label length;
  Vertex vertex;
  Stretch stretch;

  bool operator==(const UpwardArc&) const = default;
};

/// Rows of upward arcs, by vertices in the hierarchy's numbers: 0 is the most important.
template <class Label>
struct UpwardRows {
  prepared::Kept<std::uint32_t> offsets;
  prepared::Kept<UpwardArc<Label>> arcs;
};

/// The place of the arc between `low` and a more important vertex, or the end of the row of `low`.
/// O(the row).
template <class Rows>
std::uint32_t arc_between(const Rows& rows, Vertex low, Vertex high) {
  std::uint32_t e = rows.offsets[low];
  while (e < rows.offsets[low + 1] && rows.arcs[e].vertex != high) ++e;
  return e;
}

/// Rows that are being made. `via` is beside the arcs: the vertex that a shortcut leads over;
/// kNoVertex of an arc of the graph.
template <class Label>
struct NewRows {
  std::vector<std::uint32_t> offsets;
  std::vector<UpwardArc<Label>> arcs;
  std::vector<Vertex> via;
};

/// Makes the shortcuts and sets the arcs' stretches. `vertex` has the graph's vertex of each
/// number. Of a symmetric graph, `forward` and `backward` are the same object. Shortcuts are
/// numbered by row. A shortcut's parts lie in the row of a less important vertex, so that they have
/// larger numbers. O(arcs x rows + vertices inside the shortcuts).
template <class Label>
Shortcuts make_shortcuts(NewRows<Label>& forward, NewRows<Label>& backward,
                         const std::vector<Vertex>& vertex) {
  const bool is_symmetric = &forward == &backward;
  struct Place {
    NewRows<Label>* rows;
    Vertex low;
    std::uint32_t e;
    Stretch& stretch() const { return rows->arcs[e].stretch; }
    Vertex via() const { return rows->via[e]; }
  };
  const auto for_each_shortcut = [&](const auto& visit) {
    for (Vertex v = 0; v < vertex.size(); ++v) {
      for (NewRows<Label>* rows : {&forward, &backward}) {
        for (std::uint32_t e = rows->offsets[v]; e < rows->offsets[v + 1]; ++e) {
          if (rows->via[e] != kNoVertex) visit(Place{rows, v, e});
        }
        if (is_symmetric) break;
      }
    }
  };
  const auto between = [](const NewRows<Label>& rows, Vertex low, Vertex high) {
    return rows.arcs[arc_between(rows, low, high)].stretch;
  };
  // The arcs to and from the vertex that a shortcut leads over.
  const auto halves = [&](const Place& shortcut) {
    const Vertex high = shortcut.rows->arcs[shortcut.e].vertex;
    const bool is_forward = shortcut.rows == &forward;
    return std::pair(between(backward, shortcut.via(), is_forward ? shortcut.low : high),
                     between(forward, shortcut.via(), is_forward ? high : shortcut.low));
  };

  std::uint32_t count = 0;
  for_each_shortcut(
      [&](const Place& shortcut) { shortcut.stretch() = Stretch::of_shortcut(count++); });
  std::vector<Split> splits;
  splits.reserve(count);
  for_each_shortcut([&](const Place& shortcut) {
    const auto [into, out] = halves(shortcut);
    splits.push_back({is_symmetric ? into.reversed() : into, out, vertex[shortcut.via()]});
  });
  auto [shortcuts, stretches] = Shortcuts::of_splits(splits);
  // Clang 14 captures no structured binding by its own name.
  for_each_shortcut([&named = stretches](const Place& shortcut) {
    shortcut.stretch() = named[shortcut.stretch().number()];
  });
  return std::move(shortcuts);
}

/// The result of preparing. `forward` has arcs to more important vertices, `backward` arcs from
/// them. Of a symmetric graph both are alike, and `backward` is empty. Then `forward` has an arc
/// from a more important vertex as well, and its stretch reversed.
template <class Label>
struct Hierarchy {
  prepared::Kept<Vertex> number;  ///< of each of the graph's vertices
  prepared::Kept<Vertex> vertex;  ///< of each number
  UpwardRows<Label> forward;
  UpwardRows<Label> backward;
  Shortcuts shortcuts;
};

/// A hierarchy to a file and back. read() throws InputError unless no query to it can go wrong in
/// memory. The hierarchy must have that many vertices, arcs must lead up, and it must be possible
/// to unpack each shortcut. O(n + arcs + vertices inside the shortcuts).
template <class Label>
void write(const Hierarchy<Label>& hierarchy, prepared::Writer& writer) {
  writer.add(hierarchy.number);
  writer.add(hierarchy.vertex);
  for (const UpwardRows<Label>* rows : {&hierarchy.forward, &hierarchy.backward}) {
    writer.add(rows->offsets);
    writer.add(rows->arcs);
  }
  hierarchy.shortcuts.write(writer);
}

template <class Label>
Hierarchy<Label> read(prepared::Reader& reader, Vertex vertex_count, bool is_symmetric) {
  Hierarchy<Label> read;
  read.number = reader.take<Vertex>();
  read.vertex = reader.take<Vertex>();
  for (UpwardRows<Label>* rows : {&read.forward, &read.backward}) {
    rows->offsets = reader.take<std::uint32_t>();
    rows->arcs = reader.take<UpwardArc<Label>>();
  }
  read.shortcuts = Shortcuts::read(reader, vertex_count);
  const std::size_t n = vertex_count;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) reader.refuse(what);
  };
  require(read.number.size() == n && read.vertex.size() == n, "has another count of vertices");
  for (Vertex v = 0; v < n; ++v) {
    require(read.number[v] < n && read.vertex[read.number[v]] == v, "has a number twice");
  }
  const bool has_backward = read.backward.offsets.size() + read.backward.arcs.size() > 0;
  require(!is_symmetric || !has_backward, "has rows in both directions of a symmetric graph");
  for (const UpwardRows<Label>* rows : {&read.forward, &read.backward}) {
    require(rows->offsets.size() == n + 1, "has another count of rows");
    require(rows->offsets[0] == 0 && rows->offsets[n] == rows->arcs.size(),
            "has rows without an end");
    for (Vertex v = 0; v < n; ++v) {
      require(rows->offsets[v] <= rows->offsets[v + 1], "has rows that do not ascend");
    }
    for (Vertex v = 0; v < n; ++v) {
      for (std::uint32_t e = rows->offsets[v]; e < rows->offsets[v + 1]; ++e) {
        const auto& [length, high, stretch] = rows->arcs[e];
        require(high < v, "has an arc that leads down");
        require(stretch.is_arc() || stretch.number() < read.shortcuts.all.size(),
                "has an arc over no shortcut");
      }
    }
    if (is_symmetric) break;
  }
  return read;
}

/// The identity of a hierarchy's file.
inline prepared::Identity identity(const Graph& graph, std::size_t label_bits) {
  return {"p2p/contraction-hierarchy:distance=" + std::to_string(label_bits), 2,
          graph.content_digest()};
}

/// The limits of a contraction.
struct Limits {
  std::uint64_t shortcuts;
  std::uint64_t steps;  ///< arcs that searches for witnesses look at

  /// Road graphs need about one shortcut and some hundred steps an arc.
  static Limits of(const Graph& graph) {
    return {4 * graph.arc_count() + (std::uint64_t{1} << 20),
            2000 * graph.arc_count() + (std::uint64_t{1} << 28)};
  }
};

/// Contracts the vertices of a graph in rounds. A round takes vertices that are less important than
/// all their neighbours, so that no two of them are neighbours. Threads search for their shortcuts
/// together. A vertex's importance changes with each contraction beside it, and is computed anew
/// when it is to be taken. The hierarchy is the same with any number of threads. Vetter: Parallel
/// time-dependent contraction hierarchies, 2009; Geisberger, Sanders, Schultes, Vetter: Exact
/// routing in large road networks using contraction hierarchies, 2012, section 4.
template <class Label>
class Contraction {
 public:
  /// `longest` bounds all distances of the graph.
  Contraction(const Graph& graph, std::uint64_t longest, const Limits& limits)
      : longest_(longest),
        limits_(limits),
        is_symmetric_(graph.properties().symmetric),
        n_(graph.vertex_count()),
        out_(n_),
        in_(is_symmetric_ ? 0 : n_),
        levels_(n_, 0),
        importances_(n_, 0),
        ranks_(n_, kNoRank),
        is_contracted_(n_, 0),
        is_touched_(n_, 0) {
    for (Vertex u = 0; u < n_; ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
        const Vertex v = graph.heads()[e];
        if (u == v) continue;
        const auto length = static_cast<Label>(graph.length(e));
        out_[u].push_back({v, length, kNoVertex, 1});
        if (!is_symmetric_) in_[v].push_back({u, length, kNoVertex, 1});
      }
    }
    for (Row& row : out_) keep_shortest(row);
    for (Row& row : in_) keep_shortest(row);
  }

  /// Throws UnmetError beyond the limits: graphs with dense parts grow cliques of shortcuts.
  /// The first thread of `team` asks `watch` before each vertex that it takes.
  template <class Watch = Unwatched>
  Hierarchy<Label> contract_all(ThreadTeam& team, Watch watch = {}) {
    searches_.resize(team.size());
    for (Search& search : searches_) search.reached.resize(n_);
    refuse_by_sample(team, watch);
    for_each(
        team, n_,
        [&](Search& search, std::size_t v) {
          importances_[v] = importance(search, static_cast<Vertex>(v));
        },
        watch);
    refuse_beyond_limits(0);
    std::vector<Vertex> left(n_);
    std::iota(left.begin(), left.end(), Vertex{0});
    std::vector<Vertex> order;
    order.reserve(n_);
    while (!left.empty()) {
      std::vector<Candidate> candidates = least_of_neighbours(team, left);
      for_each(
          team, candidates.size(),
          [&](Search& search, std::size_t i) { examine(search, candidates[i]); }, watch);
      refuse_beyond_limits(order.size());
      for (const Candidate& candidate : candidates) ranks_[candidate.vertex] = kNoRank;
      std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.is_taken; });
      for (const Candidate& candidate : candidates) {
        is_contracted_[candidate.vertex] = 1;
        order.push_back(candidate.vertex);
      }
      team.run([&](std::size_t thread) { contract(candidates, thread, team.size()); });
      for_each(team, candidates.size(),
               [&](Search&, std::size_t i) { shrink_rows(candidates[i].vertex); });
      for (Search& search : searches_) search.shortcuts.clear();
      std::erase_if(left, [&](Vertex v) { return is_contracted_[v] != 0; });
    }
    return hierarchy(order);
  }

 private:
  static constexpr std::uint64_t kInfinite = std::numeric_limits<std::uint64_t>::max();
  static constexpr Vertex kNoRank = kNoVertex;
  /// A search for a witness settles so many vertices at most. Without a witness a shortcut is made
  /// that may not be needed, which is never wrong.
  static constexpr std::size_t kMostSettled = 60;
  /// With more ways over it a vertex's shortcuts are not counted before it is contracted.
  static constexpr std::size_t kMostWays = std::size_t{1} << 14;
  /// Vertices whose importances are computed first.
  static constexpr std::size_t kSampled = 256;
  /// The most vertices that a thread takes at a time. The last rounds have few, with long rows.
  static constexpr std::size_t kMostTaken = 64;

  struct OverlayArc {
    Vertex vertex;
    Label length;
    Vertex via;
    std::uint32_t hop_count;  ///< arcs of the graph that it stands for
  };
  /// Arcs to and from vertices that are not contracted. The row of a contracted vertex stays as it
  /// was: it has the upward arcs.
  using Row = std::vector<OverlayArc>;

  struct Shortcut {
    Vertex tail;
    OverlayArc arc;
  };

  /// A vertex that may be contracted in a round, and its shortcuts in the list of a thread.
  struct Candidate {
    Vertex vertex;
    bool is_taken = false;
    const std::vector<Shortcut>* found = nullptr;
    std::size_t first = 0;
    std::size_t end = 0;
  };

  /// A vertex in a search for witnesses. A key is twice a length, plus 1 for a way over a candidate
  /// that is contracted earlier in the same round.
  struct Reached {
    std::uint64_t key = kInfinite;
    std::uint64_t sought = 0;  ///< a witness has a smaller key; 0 if none is sought
  };

  /// A thread's search for witnesses.
  struct Search {
    std::vector<Reached> reached;
    std::vector<Vertex> touched;
    std::vector<std::pair<std::uint64_t, Vertex>> heap;
    std::vector<Shortcut> shortcuts;
    std::vector<Vertex> least;  ///< candidates that the thread found
    std::uint64_t step_count = 0;
    std::uint64_t shortcut_count = 0;

    void label(Vertex v, std::uint64_t key) {
      if (reached[v].key == kInfinite) touched.push_back(v);
      reached[v].key = key;
      heap.emplace_back(key, v);
      std::ranges::push_heap(heap, std::greater<>());
    }
    void forget() {
      for (const Vertex v : touched) reached[v].key = kInfinite;
      touched.clear();
      heap.clear();
    }
  };

  Row& in(Vertex v) { return is_symmetric_ ? out_[v] : in_[v]; }

  /// Calls work(search, i) for all i below `count`, with the search of the thread that takes i. A
  /// thread that goes beyond the limits ends early.
  template <class Work, class Watch = Unwatched>
  void for_each(ThreadTeam& team, std::size_t count, const Work& work, Watch watch = {}) {
    const std::size_t chunk = std::clamp<std::size_t>(count / (8 * team.size()), 1, kMostTaken);
    std::atomic<std::size_t> next{0};
    team.run([&](std::size_t thread) {
      for (std::size_t first; (first = next.fetch_add(chunk)) < count;) {
        for (std::size_t i = first; i < std::min(first + chunk, count); ++i) {
          if (thread == 0) watch.prepares();
          work(searches_[thread], i);
          if (is_beyond_limits(searches_[thread])) return;
        }
      }
    });
  }

  bool is_beyond_limits(const Search& search) const {
    return search.step_count > limits_.steps ||
           search.shortcut_count + search.shortcuts.size() > limits_.shortcuts;
  }

  /// Importances of some vertices tell in a second if those of all would take hours.
  template <class Watch>
  void refuse_by_sample(ThreadTeam& team, Watch watch) {
    const std::size_t stride = std::max<std::size_t>(n_ / kSampled, 1);
    for_each(
        team, n_ / stride,
        [&](Search& search, std::size_t i) { importance(search, static_cast<Vertex>(i * stride)); },
        watch);
    const std::uint64_t steps = step_count();
    if (steps > limits_.steps / stride) {
      refuse("importances of all vertices need a look at about " + std::to_string(steps * stride) +
             " arcs");
    }
  }

  void refuse_beyond_limits(std::size_t done_count) const {
    const std::uint64_t shortcuts = shortcut_count();
    const std::uint64_t steps = step_count();
    if (shortcuts <= limits_.shortcuts && steps <= limits_.steps) return;
    refuse(std::to_string(shortcuts) + " shortcuts and a look at " + std::to_string(steps) +
           " arcs after " + std::to_string(done_count) + " of " + std::to_string(n_) + " vertices");
  }

  [[noreturn]] static void refuse(const std::string& why) {
    throw UnmetError("p2p/contraction-hierarchy", "the contraction of this graph explodes: " + why,
                     "use p2p/auto, which prepares no hierarchy");
  }

  std::uint64_t step_count() const {
    std::uint64_t count = 0;
    for (const Search& search : searches_) count += search.step_count;
    return count;
  }
  /// Shortcuts in the rows, and shortcuts that wait to be added.
  std::uint64_t shortcut_count() const {
    std::uint64_t count = 0;
    for (const Search& search : searches_) {
      count += search.shortcut_count + search.shortcuts.size();
    }
    return count;
  }

  /// Keeps the shortest of parallel arcs.
  static void keep_shortest(Row& row) {
    std::ranges::sort(row, {},
                      [](const OverlayArc& arc) { return std::pair(arc.vertex, arc.length); });
    const auto is_parallel = [](const OverlayArc& a, const OverlayArc& b) {
      return a.vertex == b.vertex;
    };
    row.erase(std::unique(row.begin(), row.end(), is_parallel), row.end());
    row.shrink_to_fit();
  }

  /// Vertices in the order in which they would be contracted. Equal importances go by a hash:
  /// in the order of ids, a chain of equal vertices would have one candidate a round.
  auto turn(Vertex v) const {
    return std::tuple(importances_[v], v * std::uint32_t{0x9e3779b1}, v);
  }

  bool is_least(Vertex v) {
    const auto own = turn(v);
    const auto is_later = [&](const OverlayArc& arc) { return turn(arc.vertex) > own; };
    return std::ranges::all_of(out_[v], is_later) &&
           (is_symmetric_ || std::ranges::all_of(in_[v], is_later));
  }

  /// The round's candidates, in their turn, with their ranks.
  std::vector<Candidate> least_of_neighbours(ThreadTeam& team, const std::vector<Vertex>& left) {
    for_each(team, left.size(), [&](Search& search, std::size_t i) {
      if (is_least(left[i])) search.least.push_back(left[i]);
    });
    std::vector<Vertex> least;
    for (Search& search : searches_) {
      least.insert(least.end(), search.least.begin(), search.least.end());
      search.least.clear();
    }
    std::ranges::sort(least, {}, [&](Vertex v) { return turn(v); });
    std::vector<Candidate> candidates;
    candidates.reserve(least.size());
    for (Vertex rank = 0; rank < least.size(); ++rank) {
      ranks_[least[rank]] = rank;
      candidates.push_back({.vertex = least[rank]});
    }
    return candidates;
  }

  /// Takes a candidate that is still the least of its neighbours, and keeps its shortcuts. None of
  /// its neighbours is a candidate, so that their importances don't change meanwhile.
  void examine(Search& search, Candidate& candidate) {
    const Vertex v = candidate.vertex;
    candidate.found = &search.shortcuts;
    candidate.first = search.shortcuts.size();
    const auto keep = [&](const OverlayArc& from, const OverlayArc& to) {
      search.shortcuts.push_back(
          {from.vertex, OverlayArc{to.vertex, static_cast<Label>(from.length + to.length), v,
                                   from.hop_count + to.hop_count}});
    };
    const bool is_counted = in(v).size() * out_[v].size() <= kMostWays;
    importances_[v] = importance(search, v, keep);
    candidate.is_taken = is_least(v);
    if (!candidate.is_taken) {
      search.shortcuts.resize(candidate.first);
    } else if (!is_counted) {
      for_each_shortcut(search, v, keep);
    }
    candidate.end = search.shortcuts.size();
  }

  /// Calls visit(from, to) with the two arcs of every way over v that is the shortest one. The
  /// search for another way must find none. Of a symmetric graph it takes one of the two
  /// directions.
  template <class Visit>
  void for_each_shortcut(Search& search, Vertex v, const Visit& visit) {
    const Row& sources = in(v);
    const Row& targets = out_[v];
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const OverlayArc& from = sources[i];
      const std::size_t first = is_symmetric_ ? i + 1 : 0;
      std::uint64_t farthest = 0;
      std::size_t sought_count = 0;
      for (std::size_t j = first; j < targets.size(); ++j) {
        if (targets[j].vertex == from.vertex) continue;
        // A way longer than every distance is part of no shortest path.
        const std::uint64_t through = std::uint64_t{from.length} + targets[j].length;
        if (through > longest_) continue;
        search.reached[targets[j].vertex].sought = 2 * through + 1;
        farthest = std::max(farthest, 2 * through);
        ++sought_count;
      }
      if (sought_count == 0) continue;
      find_witnesses(search, from.vertex, v, farthest, sought_count);
      search.step_count += targets.size() - first;
      for (std::size_t j = first; j < targets.size(); ++j) {
        if (std::exchange(search.reached[targets[j].vertex].sought, 0) != 0) {
          visit(from, targets[j]);
        }
      }
      search.forget();
      if (is_beyond_limits(search)) return;
    }
  }

  /// Searches from `source` on ways that avoid `avoided`, as far as `farthest`, and clears `sought`
  /// of the targets that have a witness. Of two candidates of one round, each may have a witness
  /// over the other that is as long as the way over itself. The later one must not rely on the
  /// earlier one then, which its key says.
  void find_witnesses(Search& search, Vertex source, Vertex avoided, std::uint64_t farthest,
                      std::size_t sought_count) {
    const Vertex rank = ranks_[avoided];
    search.label(source, 0);
    for (std::size_t settled = 0; !search.heap.empty() && settled < kMostSettled;) {
      std::ranges::pop_heap(search.heap, std::greater<>());
      const auto [key, u] = search.heap.back();
      search.heap.pop_back();
      if (key > search.reached[u].key) continue;
      // No shorter way to a target will be found.
      if (search.reached[u].sought != 0 && --sought_count == 0) return;
      ++settled;
      search.step_count += out_[u].size();
      const std::uint64_t here = key | (ranks_[u] < rank ? 1 : 0);
      for (const OverlayArc& arc : out_[u]) {
        if (arc.vertex == avoided) continue;
        const std::uint64_t through = here + 2 * std::uint64_t{arc.length};
        Reached& head = search.reached[arc.vertex];
        if (through > farthest || through >= head.key) continue;
        search.label(arc.vertex, through);
        if (through >= head.sought) continue;
        head.sought = 0;
        if (--sought_count == 0) return;
      }
    }
  }

  /// It is less for a vertex that adds few arcs and hops and takes many away, and that lies over
  /// few others. `visit` is called for the shortcuts that are counted.
  template <class Visit>
  std::int64_t importance(Search& search, Vertex v, const Visit& visit) {
    constexpr std::int64_t kUnit = 1000;
    std::int64_t removed = 0;
    std::int64_t removed_hops = 0;
    const auto take_away = [&](const Row& row) {
      removed += static_cast<std::int64_t>(row.size());
      for (const OverlayArc& arc : row) removed_hops += arc.hop_count;
    };
    take_away(out_[v]);
    if (!is_symmetric_) take_away(in_[v]);
    const std::int64_t base = kUnit * levels_[v];
    if (removed == 0) return base;
    std::int64_t added = 0;
    std::int64_t added_hops = 0;
    if (const std::size_t ways = in(v).size() * out_[v].size(); ways > kMostWays) {
      added = static_cast<std::int64_t>(ways);
    } else {
      for_each_shortcut(search, v, [&](const OverlayArc& from, const OverlayArc& to) {
        ++added;
        added_hops += from.hop_count + to.hop_count;
        visit(from, to);
      });
    }
    return base + kUnit * added / removed + kUnit * added_hops / removed_hops;
  }
  std::int64_t importance(Search& search, Vertex v) {
    return importance(search, v, [](const OverlayArc&, const OverlayArc&) {});
  }

  /// Takes the contracted vertices out of the rows that are this thread's, and adds the shortcuts
  /// there. A row belongs to one thread, and gets its arcs in the order of the candidates.
  void contract(const std::vector<Candidate>& taken, std::size_t thread, std::size_t count) {
    const auto is_own = [&](Vertex v) { return v % count == thread; };
    std::vector<Vertex> touched;
    for (const Candidate& candidate : taken) {
      const Vertex v = candidate.vertex;
      const auto leave = [&](const OverlayArc& arc) {
        if (!is_own(arc.vertex)) return;
        levels_[arc.vertex] = std::max(levels_[arc.vertex], levels_[v] + 1);
        if (is_touched_[arc.vertex] != 0) return;
        is_touched_[arc.vertex] = 1;
        touched.push_back(arc.vertex);
      };
      std::ranges::for_each(out_[v], leave);
      if (!is_symmetric_) std::ranges::for_each(in_[v], leave);
    }
    const auto is_gone = [&](const OverlayArc& arc) { return is_contracted_[arc.vertex] != 0; };
    for (const Vertex v : touched) {
      is_touched_[v] = 0;
      std::erase_if(out_[v], is_gone);
      if (!is_symmetric_) std::erase_if(in_[v], is_gone);
    }
    for (const Candidate& candidate : taken) {
      for (std::size_t i = candidate.first; i < candidate.end; ++i) {
        const auto& [tail, arc] = (*candidate.found)[i];
        if (is_own(tail)) searches_[thread].shortcut_count += add(out_[tail], arc) ? 1 : 0;
        if (is_own(arc.vertex)) add(in(arc.vertex), {tail, arc.length, arc.via, arc.hop_count});
      }
    }
  }

  void shrink_rows(Vertex v) {
    out_[v].shrink_to_fit();
    if (!is_symmetric_) in_[v].shrink_to_fit();
  }

  /// Adds an arc. Whether it is new to the row.
  static bool add(Row& row, const OverlayArc& arc) {
    for (OverlayArc& known : row) {
      if (known.vertex != arc.vertex) continue;
      if (arc.length < known.length) known = arc;
      return false;
    }
    row.push_back(arc);
    return true;
  }

  Hierarchy<Label> hierarchy(const std::vector<Vertex>& order) {
    Hierarchy<Label> made;
    std::vector<Vertex> numbers(n_);
    for (Vertex i = 0; i < n_; ++i) numbers[order[i]] = n_ - 1 - i;
    std::vector<Vertex> vertices(order.rbegin(), order.rend());
    NewRows<Label> forward = rows(out_, numbers, vertices);
    NewRows<Label> backward = is_symmetric_ ? NewRows<Label>() : rows(in_, numbers, vertices);
    made.shortcuts = make_shortcuts(forward, is_symmetric_ ? forward : backward, vertices);
    made.number = std::move(numbers);
    made.vertex = std::move(vertices);
    made.forward = {std::move(forward.offsets), std::move(forward.arcs)};
    made.backward = {std::move(backward.offsets), std::move(backward.arcs)};
    return made;
  }

  /// The rows in the hierarchy's numbers. The old rows are given up one by one.
  static NewRows<Label> rows(std::vector<Row>& rows, const std::vector<Vertex>& numbers,
                             const std::vector<Vertex>& vertices) {
    NewRows<Label> made;
    made.offsets = {0};
    made.offsets.reserve(vertices.size() + 1);
    for (const Vertex v : vertices) {
      for (const OverlayArc& arc : rows[v]) {
        made.arcs.push_back({arc.length, numbers[arc.vertex], Stretch()});
        made.via.push_back(arc.via == kNoVertex ? kNoVertex : numbers[arc.via]);
      }
      rows[v] = Row();
      made.offsets.push_back(static_cast<std::uint32_t>(made.arcs.size()));
    }
    return made;
  }

  std::uint64_t longest_;
  Limits limits_;
  bool is_symmetric_;
  Vertex n_;
  std::vector<Row> out_;
  std::vector<Row> in_;  ///< empty of a symmetric graph
  std::vector<std::int64_t> levels_;
  std::vector<std::int64_t> importances_;
  std::vector<Vertex> ranks_;  ///< of the round's candidates; kNoRank of all others
  std::vector<char> is_contracted_;
  std::vector<char> is_touched_;
  std::vector<Search> searches_;  ///< one a thread
};

}  // namespace bellmark::contraction_hierarchy
