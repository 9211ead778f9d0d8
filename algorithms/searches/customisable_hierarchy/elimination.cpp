#include "algorithms/searches/customisable_hierarchy/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/searches/customisable_hierarchy/nested_dissection.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"

namespace bellmark::customisable_hierarchy {
namespace {

/// Calls visit(u, v) for each arc but loops, with its ends in either order.
template <class Visit>
void for_each_arc(const Graph& graph, Visit visit) {
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      if (graph.heads()[e] != u) visit(u, graph.heads()[e]);
    }
  }
}

/// Upper neighbours in the graph, by numbers.
struct UpperRows {
  std::vector<std::uint32_t> first;
  std::vector<Vertex> heads;

  UpperRows(const Graph& graph, const std::vector<Vertex>& number)
      : first(std::size_t{graph.vertex_count()} + 1, 0) {
    const auto low_of = [&](Vertex u, Vertex v) { return std::min(number[u], number[v]); };
    for_each_arc(graph, [&](Vertex u, Vertex v) { ++first[low_of(u, v) + 1]; });
    for (std::size_t v = 0; v + 1 < first.size(); ++v) first[v + 1] += first[v];
    heads.resize(first.back());
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for_each_arc(graph, [&](Vertex u, Vertex v) {
      heads[next[low_of(u, v)]++] = std::max(number[u], number[v]);
    });
  }
  std::span<const Vertex> row(Vertex v) const {
    return std::span(heads).subspan(first[v], first[v + 1] - first[v]);
  }
};

std::vector<Vertex> inverse(const std::vector<Vertex>& order) {
  std::vector<Vertex> number(order.size());
  for (Vertex i = 0; i < order.size(); ++i) number[order[i]] = i;
  return number;
}

/// The tree without its arcs. Liu: The role of elimination trees in sparse factorization, SIAM J.
/// Matrix Anal. Appl. 1990.
std::vector<Vertex> tree_of(const Graph& graph, const std::vector<Vertex>& order,
                            const std::vector<Vertex>& number) {
  const auto n = static_cast<Vertex>(order.size());
  // Lower neighbours, so that vertices come in the order of elimination.
  std::vector<std::uint32_t> first(std::size_t{n} + 1, 0);
  const auto high_of = [&](Vertex u, Vertex v) { return std::max(number[u], number[v]); };
  for_each_arc(graph, [&](Vertex u, Vertex v) { ++first[high_of(u, v) + 1]; });
  for (std::size_t v = 0; v < n; ++v) first[v + 1] += first[v];
  std::vector<Vertex> lower(first.back());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for_each_arc(graph, [&](Vertex u, Vertex v) {
    lower[next[high_of(u, v)]++] = std::min(number[u], number[v]);
  });
  std::vector<Vertex> parent(n, kNoVertex);
  std::vector<Vertex> shortcut(n, kNoVertex);  // towards the root of the part joined so far
  for (Vertex v = 0; v < n; ++v) {
    for (std::uint32_t e = first[v]; e < first[v + 1]; ++e) {
      Vertex u = lower[e];
      while (shortcut[u] != kNoVertex && shortcut[u] != v) {
        const Vertex above = shortcut[u];
        shortcut[u] = v;
        u = above;
      }
      if (shortcut[u] == kNoVertex) {
        shortcut[u] = v;
        parent[u] = v;
      }
    }
  }
  return parent;
}

/// The numbers by a walk that comes to each vertex after its children.
std::vector<Vertex> walk(const std::vector<Vertex>& parent) {
  const auto n = static_cast<Vertex>(parent.size());
  // Sizes of subtrees give places: parents have larger numbers than children.
  std::vector<Vertex> size(n, 1);
  for (Vertex v = 0; v < n; ++v) {
    if (parent[v] != kNoVertex) size[parent[v]] += size[v];
  }
  std::vector<Vertex> place(n);  // the last of the subtree's
  std::vector<Vertex> free(n);   // of a placed vertex: where the next child's subtree ends
  Vertex free_of_roots = n;
  for (Vertex v = n; v-- > 0;) {
    Vertex& end = parent[v] == kNoVertex ? free_of_roots : free[parent[v]];
    place[v] = end - 1;
    end -= size[v];
    free[v] = place[v];
  }
  return place;
}

}  // namespace

Limits Limits::of(const Graph& graph) {
  return {8 * graph.arc_count() + (std::uint64_t{1} << 20),
          2000 * graph.arc_count() + (std::uint64_t{1} << 28)};
}

std::uint64_t Limits::most_cut() const {
  return static_cast<std::uint64_t>(std::sqrt(2.0 * static_cast<double>(arcs)));
}

Elimination eliminate(const Graph& graph, const Limits& limits) {
  const Vertex n = graph.vertex_count();
  std::vector<Vertex> vertex(n);
  {
    const std::vector<Vertex> order = nested_dissection(graph, limits.most_cut());
    const std::vector<Vertex> place = walk(tree_of(graph, order, inverse(order)));
    for (std::size_t i = 0; i < order.size(); ++i) vertex[place[i]] = order[i];
  }
  std::vector<Vertex> number = inverse(vertex);
  const UpperRows upper(graph, number);
  std::vector<Vertex> parent(n, kNoVertex);
  std::vector<std::uint32_t> first = {0};
  first.reserve(std::size_t{n} + 1);
  std::vector<Vertex> heads;
  heads.reserve(2 * upper.heads.size());
  // The children of each vertex, as lists: their rows go into its own.
  std::vector<Vertex> first_child(n, kNoVertex);
  std::vector<Vertex> next_child(n, kNoVertex);
  std::vector<Vertex> seen_by(n, kNoVertex);
  std::uint64_t triangle_count = 0;
  for (Vertex v = 0; v < n; ++v) {
    const std::size_t begin = heads.size();
    const auto add = [&](Vertex head) {
      if (head == v || seen_by[head] == v) return;
      seen_by[head] = v;
      heads.push_back(head);
    };
    for (const Vertex head : upper.row(v)) add(head);
    for (Vertex child = first_child[v]; child != kNoVertex; child = next_child[child]) {
      for (std::uint32_t e = first[child]; e < first[child + 1]; ++e) add(heads[e]);
    }
    const std::uint64_t row_size = heads.size() - begin;
    triangle_count += row_size * (row_size + 1) / 2;
    if (heads.size() > limits.arcs || triangle_count > limits.triangles) {
      throw UnmetError("customisable-hierarchy",
                       "the elimination of this graph explodes: " + std::to_string(heads.size()) +
                           " arcs and " + std::to_string(triangle_count) + " triangles after " +
                           std::to_string(v + 1) + " of " + std::to_string(n) + " vertices",
                       "use p2p/auto or sssp/auto, which prepare no hierarchy");
    }
    std::sort(heads.begin() + static_cast<std::ptrdiff_t>(begin), heads.end());
    first.push_back(static_cast<std::uint32_t>(heads.size()));
    if (row_size == 0) continue;
    parent[v] = heads[begin];
    next_child[v] = first_child[parent[v]];
    first_child[parent[v]] = v;
  }
  heads.shrink_to_fit();
  std::vector<std::uint32_t> depth(n, 0);
  for (Vertex v = n; v-- > 0;) {
    if (parent[v] != kNoVertex) depth[v] = depth[parent[v]] + 1;
  }
  return {std::move(number), std::move(vertex), std::move(parent),
          std::move(depth),  std::move(first),  std::move(heads)};
}

std::uint64_t Elimination::bytes() const {
  return number.bytes() + vertex.bytes() + parent.bytes() + depth.bytes() + first.bytes() +
         heads.bytes();
}

prepared::Identity identity(const Graph& graph) {
  std::string arcs = Digest()
                         .add(std::uint64_t{graph.vertex_count()})
                         .add(graph.row_offsets())
                         .add(graph.heads())
                         .hex();
  return {"p2p/customisable-hierarchy", 1, std::move(arcs)};
}

void write(const Elimination& elimination, prepared::Writer& writer) {
  writer.add(elimination.number);
  writer.add(elimination.vertex);
  writer.add(elimination.parent);
  writer.add(elimination.depth);
  writer.add(elimination.first);
  writer.add(elimination.heads);
}

Elimination read(prepared::Reader& reader, Vertex vertex_count) {
  Elimination read;
  read.number = reader.take<Vertex>();
  read.vertex = reader.take<Vertex>();
  read.parent = reader.take<Vertex>();
  read.depth = reader.take<std::uint32_t>();
  read.first = reader.take<std::uint32_t>();
  read.heads = reader.take<Vertex>();
  const std::size_t n = vertex_count;
  const auto require = [&](bool holds, const char* what) {
    if (!holds) reader.refuse(what);
  };
  require(read.number.size() == n && read.vertex.size() == n && read.parent.size() == n &&
              read.depth.size() == n && read.first.size() == n + 1,
          "has another count of vertices");
  require(read.first[0] == 0 && read.first[n] == read.heads.size(), "has rows without an end");
  for (Vertex v = 0; v < n; ++v) {
    require(read.number[v] < n && read.vertex[read.number[v]] == v, "has a number twice");
    require(read.first[v] <= read.first[v + 1], "has rows that do not ascend");
  }
  for (Vertex v = vertex_count; v-- > 0;) {
    const auto row = read.row(v);
    const Vertex parent = row.empty() ? kNoVertex : row[0];
    require(read.parent[v] == parent, "has a vertex with a foreign parent");
    if (row.empty()) {
      require(read.depth[v] == 0, "has a root below others");
      continue;
    }
    require(parent > v && parent < n, "has a row that leads down");
    require(read.depth[v] == read.depth[parent] + 1, "has a vertex at a foreign depth");
    // The rest of the row is in the parent's: so all heads are ancestors.
    auto above = read.row(parent);
    for (const Vertex head : row.subspan(1)) {
      while (!above.empty() && above[0] != head) above = above.subspan(1);
      require(!above.empty(), "lacks an arc between neighbours");
      above = above.subspan(1);
    }
  }
  return read;
}

}  // namespace bellmark::customisable_hierarchy
