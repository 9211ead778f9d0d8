#include "graph/order.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "graph/random_stream.hpp"

namespace bellmark {
namespace {

std::vector<Vertex> breadth_first(const Graph& graph) {
  std::vector<Vertex> order;
  order.reserve(graph.vertex_count());
  std::vector<bool> met(graph.vertex_count());
  const auto meet = [&](Vertex v) {
    if (met[v]) return;
    met[v] = true;
    order.push_back(v);
  };
  std::size_t next = 0;
  for (Vertex root = 0; root < graph.vertex_count(); ++root) {
    meet(root);
    for (; next < order.size(); ++next) {
      const Vertex u = order[next];
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        meet(graph.heads()[e]);
      }
    }
  }
  return order;
}

std::vector<Vertex> depth_first(const Graph& graph) {
  std::vector<Vertex> order;
  order.reserve(graph.vertex_count());
  std::vector<bool> met(graph.vertex_count());
  // The next arc of each vertex on the way from the root.
  std::vector<Offset> next(graph.row_offsets().begin(), graph.row_offsets().end());
  std::vector<Vertex> way;
  const auto meet = [&](Vertex v) {
    if (met[v]) return;
    met[v] = true;
    order.push_back(v);
    way.push_back(v);
  };
  for (Vertex root = 0; root < graph.vertex_count(); ++root) {
    meet(root);
    while (!way.empty()) {
      const Vertex u = way.back();
      if (next[u] == graph.row_offsets()[u + 1]) {
        way.pop_back();
      } else {
        meet(graph.heads()[next[u]++]);
      }
    }
  }
  return order;
}

/// Vertices by the `key` of each, the least first.
template <class Key>
std::vector<Vertex> sorted(const Graph& graph, Key key) {
  std::vector<Vertex> order(graph.vertex_count());
  std::iota(order.begin(), order.end(), Vertex{0});
  std::ranges::stable_sort(order, {}, key);
  return order;
}

/// Checks memory for this number of arcs as a list and as rows.
void check_arc_memory(Offset arc_count, const std::string& provenance) {
  constexpr double kArcBytes = sizeof(Arc) + sizeof(Vertex) + sizeof(Length);
  check_memory(provenance, static_cast<double>(arc_count) * kArcBytes);
}

/// The array's values for these vertices; none if the array is empty.
template <class T>
std::vector<T> taken(std::span<const T> array, const std::vector<Vertex>& order) {
  std::vector<T> result;
  if (array.empty()) return result;
  result.reserve(order.size());
  for (const Vertex v : order) result.push_back(array[v]);
  return result;
}

template <class T>
std::vector<T> copied(std::span<const T> array) {
  return {array.begin(), array.end()};
}

/// A graph of other arcs; without lengths if `graph` has none.
Graph rebuilt(const Graph& graph, const std::vector<Arc>& arcs, std::vector<Coordinate> coordinates,
              std::vector<std::uint32_t> edge_list_degrees, const std::string& provenance) {
  Graph result = Graph::from_arcs(graph.vertex_count(), arcs, std::move(coordinates));
  if (!graph.has_lengths()) {
    const auto storage = std::make_shared<const Graph>(result);
    result = Graph::adopt(storage, storage->row_offsets(), storage->heads(), {},
                          storage->coordinates(), storage->properties());
  }
  result.set_provenance(provenance);
  if (edge_list_degrees.empty()) return result;
  return with_edge_list_degrees(result, std::move(edge_list_degrees));
}

/// The order of a row's arcs by head, then length.
bool is_before(const Arc& a, const Arc& b) {
  return a.head != b.head ? a.head < b.head : a.length < b.length;
}

void take_sorted_row(const Graph& graph, Vertex u, std::vector<Arc>& row) {
  row.clear();
  for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
    row.push_back({u, graph.heads()[e], graph.length(e)});
  }
  std::sort(row.begin(), row.end(), is_before);
}

}  // namespace

Graph opposite(const Graph& graph) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      arcs.push_back({graph.heads()[e], u, graph.length(e)});
    }
  }
  return Graph::from_arcs(graph.vertex_count(), arcs);
}

std::vector<Vertex> vertex_order(const Graph& graph, std::string_view word) {
  if (word == "breadth-first") return breadth_first(graph);
  if (word == "depth-first") return depth_first(graph);
  if (word == "random") {
    const Stream stream(1, Stream::order);
    return sorted(graph, [&](Vertex v) { return stream.draw(v); });
  }
  if (word == "degree") {
    return sorted(graph, [&](Vertex v) {
      return graph.arc_count() - (graph.row_offsets()[v + 1] - graph.row_offsets()[v]);
    });
  }
  throw InputError("order=" + std::string(word), "no such order of vertices",
                   suggestion(word, {"random", "degree", "breadth-first", "depth-first"}));
}

Graph reordered(const Graph& graph, std::string_view word) {
  const std::string provenance = graph.provenance() + ",order=" + std::string(word);
  check_arc_memory(graph.arc_count(), provenance);
  const std::vector<Vertex> order = vertex_order(graph, word);
  std::vector<Vertex> place(graph.vertex_count());
  for (Vertex i = 0; i < graph.vertex_count(); ++i) place[order[i]] = i;
  std::vector<Arc> arcs;
  arcs.reserve(graph.arc_count());
  for (const Vertex u : order) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      arcs.push_back({place[u], place[graph.heads()[e]], graph.length(e)});
    }
  }
  return rebuilt(graph, arcs, taken(graph.coordinates(), order),
                 taken(graph.edge_list_degrees(), order), provenance);
}

Graph with_row_order(const Graph& graph, std::string_view word) {
  if (word != kByLength) {
    throw InputError("row-order=" + std::string(word), "no such order of a row's arcs",
                     suggestion(word, {std::string(kByLength)}));
  }
  const std::string provenance = graph.provenance() + ",row-order=" + std::string(word);
  check_arc_memory(graph.arc_count(), provenance);
  std::vector<Arc> arcs;
  arcs.reserve(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const auto row = static_cast<std::ptrdiff_t>(arcs.size());
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      arcs.push_back({u, graph.heads()[e], graph.length(e)});
    }
    std::sort(arcs.begin() + row, arcs.end(), [](const Arc& a, const Arc& b) {
      return a.length != b.length ? a.length < b.length : a.head < b.head;
    });
  }
  return rebuilt(graph, arcs, copied(graph.coordinates()), copied(graph.edge_list_degrees()),
                 provenance);
}

Graph with_arcs(const Graph& graph, std::string_view word) {
  if (word != "both") {
    throw InputError("arcs=" + std::string(word), "no such set of arcs",
                     suggestion(word, {"both"}));
  }
  const std::string provenance = graph.provenance() + ",arcs=" + std::string(word);
  // In the worst case no arc has a partner.
  check_arc_memory(2 * graph.arc_count(), provenance);
  const Graph turned = opposite(graph);
  std::vector<Arc> arcs;
  arcs.reserve(2 * graph.arc_count());
  std::vector<Arc> row;
  std::vector<Arc> opposite_row;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    take_sorted_row(graph, u, row);
    take_sorted_row(turned, u, opposite_row);
    // A union of multisets has the larger count of equal arcs, not the sum.
    std::set_union(row.begin(), row.end(), opposite_row.begin(), opposite_row.end(),
                   std::back_inserter(arcs), is_before);
  }
  // A symmetric graph keeps its arcs. Others get arcs that no list had.
  std::vector<std::uint32_t> degrees;
  if (graph.properties().symmetric) degrees = copied(graph.edge_list_degrees());
  return rebuilt(graph, arcs, copied(graph.coordinates()), std::move(degrees), provenance);
}

}  // namespace bellmark
