// The CSR graph: builds it from arcs, finds its properties and its digest, and bounds its
// distances.
#include "graph/graph.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <thread>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

namespace bellmark {
namespace {

struct Arrays {
  std::unique_ptr<Offset[]> row_offsets;
  std::unique_ptr<Vertex[]> heads;
  std::unique_ptr<Length[]> lengths;
};

[[noreturn, gnu::noinline, gnu::cold]] void reject_arc(std::size_t index, const Arc& arc,
                                                       Vertex vertex_count) {
  const std::string where = "arc " + std::to_string(index);
  if (arc.length < kLeastLength) {
    throw InputError(where, "length " + std::to_string(arc.length) + " is out of range",
                     "lengths are " + std::to_string(kLeastLength) + " or more");
  }
  const bool tail = arc.tail >= vertex_count;
  throw InputError(where,
                   std::string(tail ? "tail " : "head ") +
                       std::to_string(tail ? arc.tail : arc.head) +
                       " is not below the vertex count " + std::to_string(vertex_count),
                   "vertices count from 0");
}

/// Road files list the two directions of a road one after another, and then this shows symmetry
/// cheaply. False says nothing.
bool listed_in_pairs(std::span<const Arc> arcs) {
  if (arcs.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < arcs.size(); i += 2) {
    const Arc& back = arcs[i + 1];
    if (arcs[i] != Arc{back.head, back.tail, back.length}) return false;
  }
  return true;
}

/// An arc of a row as one comparable number: head first, then length.
std::uint64_t row_key(Vertex head, Length length) {
  return std::uint64_t{head} << 32 | static_cast<std::uint32_t>(length);
}

/// True if, in sorted rows, the arcs that a vertex has to lower ones are, in order, the reverse of
/// those from lower ones: the graph is symmetric. False says nothing, because parallel arcs may
/// have their lengths in another order.
///
/// O(n + m) by all threads. Each takes the heads of a range. A pair of arcs costs a cursor and a
/// line of the head's row, both of which stay in cache for vertices with many arcs.
bool mirrors_in_order(std::span<const Offset> row_offsets, std::span<const Vertex> heads,
                      std::span<const Length> lengths) {
  const auto vertex_count = static_cast<Vertex>(row_offsets.size() - 1);
  const std::uint64_t part_count = std::max(std::thread::hardware_concurrency(), 1U);
  // The first vertex of a part: all have nearly the same number of arcs.
  const auto bound = [&](std::uint64_t part) {
    const Offset arcs = heads.size() / part_count * part;
    const auto found = std::ranges::lower_bound(row_offsets.first(vertex_count), arcs);
    return part == part_count ? vertex_count : static_cast<Vertex>(found - row_offsets.begin());
  };
  std::vector<Offset> cursors(row_offsets.begin(), row_offsets.end() - 1);
  std::atomic<bool> mirrored = true;
  const auto is_reverse = [&](Vertex u, Offset e) {
    const Offset back = cursors[heads[e]]++;
    return back < row_offsets[heads[e] + 1] && heads[back] == u &&
           (lengths.empty() || lengths[back] == lengths[e]);
  };
  const auto check = [&](Vertex begin, Vertex end) {
    for (Vertex u = 0; u < end && mirrored.load(std::memory_order_relaxed); ++u) {
      const auto row = heads.subspan(row_offsets[u], row_offsets[u + 1] - row_offsets[u]);
      const auto first = std::ranges::lower_bound(row, std::max(begin, u + 1));
      Offset e = row_offsets[u] + static_cast<Offset>(first - row.begin());
      for (; e < row_offsets[u + 1] && heads[e] < end; ++e) {
        if (!is_reverse(u, e)) return false;
      }
    }
    for (Vertex v = begin; v < end; ++v) {
      if (cursors[v] < row_offsets[v + 1] && heads[cursors[v]] < v) return false;
    }
    return true;
  };
  in_parallel(
      part_count,
      [&](std::uint64_t part, std::uint64_t) {
        if (!check(bound(part), bound(part + 1))) mirrored.store(false, std::memory_order_relaxed);
      },
      1);
  return mirrored;
}

/// True if the arcs are the same multiset as the reversed arcs. Uses all threads: 8 bytes for each
/// arc, and a random line for each arc.
bool is_symmetric(std::span<const Offset> row_offsets, std::span<const Vertex> heads,
                  std::span<const Length> lengths) {
  const std::size_t vertex_count = row_offsets.size() - 1;
  const auto next = [](Offset& counter) {
    return std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed);
  };
  std::vector<Offset> cursors(vertex_count, 0);
  in_parallel(heads.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (Offset e = begin; e < end; ++e) next(cursors[heads[e]]);
  });
  for (std::size_t v = 0; v < vertex_count; ++v) {
    if (cursors[v] != row_offsets[v + 1] - row_offsets[v]) return false;
    cursors[v] = row_offsets[v];
  }
  // In-degrees equal out-degrees, so the reversed graph has the same row offsets.
  const auto turned = std::make_unique_for_overwrite<std::uint64_t[]>(heads.size());
  const auto length = [&](Offset e) { return lengths.empty() ? 1 : lengths[e]; };
  in_parallel_rows(row_offsets.data(), vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t u = begin; u < end; ++u) {
      for (Offset e = row_offsets[u]; e < row_offsets[u + 1]; ++e) {
        turned[next(cursors[heads[e]])] = row_key(static_cast<Vertex>(u), length(e));
      }
    }
  });
  std::atomic<bool> equal = true;
  in_parallel_rows(row_offsets.data(), vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
    std::vector<std::uint64_t> row;
    for (std::uint64_t u = begin; u < end && equal.load(std::memory_order_relaxed); ++u) {
      const std::span back(&turned[row_offsets[u]], row_offsets[u + 1] - row_offsets[u]);
      row.clear();
      for (Offset e = row_offsets[u]; e < row_offsets[u + 1]; ++e) {
        row.push_back(row_key(heads[e], length(e)));
      }
      // If one thread reversed a sorted graph without parallel arcs, the row is sorted.
      if (!std::ranges::is_sorted(row)) std::ranges::sort(row);
      if (!std::ranges::is_sorted(back)) std::ranges::sort(back);
      if (!std::ranges::equal(row, back)) equal.store(false, std::memory_order_relaxed);
    }
  });
  return equal;
}

/// All properties except `symmetric`.
GraphProperties find_cheap_properties(std::span<const Offset> row_offsets,
                                      std::span<const Vertex> heads,
                                      std::span<const Length> lengths) {
  GraphProperties properties;
  properties.sorted_rows = true;
  for (std::size_t v = 0; v + 1 < row_offsets.size() && properties.sorted_rows; ++v) {
    properties.sorted_rows =
        std::is_sorted(heads.begin() + row_offsets[v], heads.begin() + row_offsets[v + 1]);
  }
  if (!lengths.empty()) {
    const auto [least, largest] = std::ranges::minmax(lengths);
    properties.least_length = least;
    properties.largest_length = largest;
  } else if (!heads.empty()) {
    properties.least_length = properties.largest_length = 1;
  }
  return properties;
}

/// Twice the longest root-to-vertex path over breadth-first trees of all components.
std::uint64_t tree_bound(const Graph& graph) {
  constexpr std::uint64_t kUnreached = std::numeric_limits<std::uint64_t>::max();
  const auto offsets = graph.row_offsets();
  const auto heads = graph.heads();
  std::vector<std::uint64_t> depth(graph.vertex_count(), kUnreached);
  std::vector<Vertex> queue;
  queue.reserve(graph.vertex_count());
  std::uint64_t longest = 0;
  for (Vertex root = 0; root < graph.vertex_count(); ++root) {
    if (depth[root] != kUnreached) continue;
    depth[root] = 0;
    queue.assign(1, root);
    for (std::size_t front = 0; front < queue.size(); ++front) {
      const Vertex u = queue[front];
      longest = std::max(longest, depth[u]);
      for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
        if (depth[heads[e]] != kUnreached) continue;
        depth[heads[e]] = depth[u] + static_cast<std::uint64_t>(graph.length(e));
        queue.push_back(heads[e]);
      }
    }
  }
  return 2 * longest;
}

void check_one_a_vertex(const char* what, std::size_t count, const Graph& graph) {
  if (count == 0 || count == graph.vertex_count()) return;
  throw InputError(
      what,
      std::to_string(count) + " given for " + std::to_string(graph.vertex_count()) + " vertices",
      "give one for each vertex, or none");
}

/// The fault of the edge-list degrees; "" when none can be found.
std::string edge_list_fault(const Graph& graph) {
  const auto degrees = graph.edge_list_degrees();
  if (degrees.empty()) return "";
  if (degrees.size() != graph.vertex_count()) {
    return std::to_string(degrees.size()) + " edge-list degrees for " +
           std::to_string(graph.vertex_count()) + " vertices";
  }
  std::uint64_t ends = 0;
  for (std::size_t v = 0; v < degrees.size(); ++v) {
    const Offset arcs = graph.row_offsets()[v + 1] - graph.row_offsets()[v];
    if (degrees[v] < arcs) {
      return "the edge-list degree of vertex " + std::to_string(v) + " is " +
             std::to_string(degrees[v]) + ", but " + std::to_string(arcs) + " arcs leave it";
    }
    ends += degrees[v];
  }
  return ends % 2 == 0 ? ""
                       : "the edge-list degrees add up to an odd number, " + std::to_string(ends) +
                             ": each edge has two ends";
}

}  // namespace

Graph Graph::from_arcs(Vertex vertex_count, std::span<const Arc> arcs,
                       std::vector<Coordinate> coordinates) {
  auto arrays = std::make_shared<Arrays>();
  // Row v is counted two places on. After the prefix sum, place v + 1 is its write cursor. When all
  // arcs are written, it is the row's end. So no second array of offsets is needed.
  arrays->row_offsets = std::make_unique<Offset[]>(std::size_t{vertex_count} + 2);
  arrays->heads = std::make_unique_for_overwrite<Vertex[]>(arcs.size());
  arrays->lengths = std::make_unique_for_overwrite<Length[]>(arcs.size());
  Offset* const cursors = arrays->row_offsets.get() + 1;

  for (const Arc& arc : arcs) {
    if (arc.tail >= vertex_count || arc.head >= vertex_count || arc.length < kLeastLength) {
      reject_arc(static_cast<std::size_t>(&arc - arcs.data()), arc, vertex_count);
    }
    ++cursors[std::size_t{arc.tail} + 1];
  }
  for (std::size_t v = 0; v < vertex_count; ++v) cursors[v + 1] += cursors[v];
  for (const Arc& arc : arcs) {
    const Offset place = cursors[arc.tail]++;
    arrays->heads[place] = arc.head;
    arrays->lengths[place] = arc.length;
  }

  const std::span<const Offset> row_offsets(arrays->row_offsets.get(),
                                            std::size_t{vertex_count} + 1);
  const std::span<const Vertex> heads(arrays->heads.get(), arcs.size());
  const std::span<const Length> lengths(arrays->lengths.get(), arcs.size());
  GraphProperties properties = find_cheap_properties(row_offsets, heads, lengths);
  properties.symmetric = listed_in_pairs(arcs) || is_symmetric(row_offsets, heads, lengths);
  Graph graph = adopt(std::move(arrays), row_offsets, heads, lengths, {}, properties);
  if (coordinates.empty()) return graph;
  return with_coordinates(graph, std::move(coordinates));
}

Graph Graph::adopt(std::shared_ptr<const void> storage, std::span<const Offset> row_offsets,
                   std::span<const Vertex> heads, std::span<const Length> lengths,
                   std::span<const Coordinate> coordinates, GraphProperties properties,
                   std::span<const std::uint32_t> edge_list_degrees) {
  Graph graph;
  graph.storage_ = std::move(storage);
  graph.row_offsets_ = row_offsets;
  graph.heads_ = heads;
  graph.lengths_ = lengths;
  graph.coordinates_ = coordinates;
  graph.properties_ = properties;
  graph.edge_list_degrees_ = edge_list_degrees;
  return graph;
}

Graph with_coordinates(const Graph& graph, std::vector<Coordinate> coordinates) {
  check_one_a_vertex("coordinates", coordinates.size(), graph);
  // The old graph, inside the new one's storage, keeps the other arrays alive.
  auto storage = std::make_shared<const std::pair<Graph, std::vector<Coordinate>>>(
      graph, std::move(coordinates));
  const std::span<const Coordinate> places(storage->second);
  Graph result =
      Graph::adopt(std::move(storage), graph.row_offsets(), graph.heads(), graph.lengths(), places,
                   graph.properties(), graph.edge_list_degrees());
  result.set_provenance(graph.provenance());
  result.set_recorded_digest(graph.recorded_digest());
  result.set_recorded_edge_list_digest(graph.recorded_edge_list_digest());
  return result;
}

Graph with_edge_list_degrees(const Graph& graph, std::vector<std::uint32_t> degrees) {
  check_one_a_vertex("edge-list degrees", degrees.size(), graph);
  auto storage = std::make_shared<const std::pair<Graph, std::vector<std::uint32_t>>>(
      graph, std::move(degrees));
  const std::span<const std::uint32_t> fresh(storage->second);
  Graph result = Graph::adopt(std::move(storage), graph.row_offsets(), graph.heads(),
                              graph.lengths(), graph.coordinates(), graph.properties(), fresh);
  result.set_provenance(graph.provenance());
  result.set_recorded_digest(graph.recorded_digest());
  return result;
}

Graph transposed(const Graph& graph) {
  std::vector<Arc> arcs;
  arcs.reserve(graph.arc_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[std::size_t{u} + 1]; ++e) {
      arcs.push_back({graph.heads()[e], u, graph.length(e)});
    }
  }
  Graph result = Graph::from_arcs(graph.vertex_count(), arcs);
  result.set_provenance(graph.provenance() + ", transposed");
  return result;
}

std::uint64_t edge_list_edge_count(const Graph& graph) {
  const auto degrees = graph.edge_list_degrees();
  return std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0}) / 2;
}

std::uint64_t edge_list_digest(const Graph& graph) {
  const auto degrees = graph.edge_list_degrees();
  return degrees.empty() ? 0 : digest64(std::as_bytes(degrees));
}

std::string Graph::content_digest() const {
  Digest digest;
  digest.add(std::uint64_t{vertex_count()});
  // A default-constructed graph and a read graph without vertices are the same graph.
  if (row_offsets_.empty()) {
    digest.add(std::uint64_t{0});
  } else {
    digest.add(row_offsets_);
  }
  return digest.add(heads_).add(lengths_).hex();
}

GraphProperties find_properties(std::span<const Offset> row_offsets, std::span<const Vertex> heads,
                                std::span<const Length> lengths) {
  GraphProperties properties = find_cheap_properties(row_offsets, heads, lengths);
  properties.symmetric =
      row_offsets.empty() ||
      (properties.sorted_rows && mirrors_in_order(row_offsets, heads, lengths)) ||
      is_symmetric(row_offsets, heads, lengths);
  return properties;
}

void verify_graph(const Graph& graph, std::string_view where) {
  const auto fail = [&](const std::string& what) {
    throw InputError(where, what, "the file is damaged: make it again from its source");
  };
  const auto offsets = graph.row_offsets();
  if (!offsets.empty() && (offsets.front() != 0 || offsets.back() != graph.arc_count())) {
    fail("row offsets run from " + std::to_string(offsets.front()) + " to " +
         std::to_string(offsets.back()) + ", not from 0 to the arc count " +
         std::to_string(graph.arc_count()));
  }
  if (offsets.empty() && graph.arc_count() != 0) fail("arcs without row offsets");
  if (const auto at = std::ranges::is_sorted_until(offsets); at != offsets.end()) {
    fail("row offset " + std::to_string(at - offsets.begin()) + " is below the one before it");
  }
  const auto heads = graph.heads();
  const Vertex vertex_count = graph.vertex_count();
  const auto stray = std::ranges::find_if(heads, [=](Vertex v) { return v >= vertex_count; });
  if (stray != heads.end()) {
    fail("head " + std::to_string(*stray) + " of arc " + std::to_string(stray - heads.begin()) +
         " is not below the vertex count " + std::to_string(vertex_count));
  }
  const auto lengths = graph.lengths();
  if (!lengths.empty() && lengths.size() != heads.size()) {
    fail(std::to_string(lengths.size()) + " lengths for " + std::to_string(heads.size()) + " arcs");
  }
  const auto least = std::ranges::find_if(lengths, [](Length l) { return l < kLeastLength; });
  if (least != lengths.end()) {
    fail("length " + std::to_string(*least) + " of arc " + std::to_string(least - lengths.begin()) +
         " is below " + std::to_string(kLeastLength));
  }
  if (!graph.coordinates().empty() && graph.coordinates().size() != vertex_count) {
    fail(std::to_string(graph.coordinates().size()) + " coordinates for " +
         std::to_string(vertex_count) + " vertices");
  }
  if (const std::string fault = edge_list_fault(graph); !fault.empty()) fail(fault);
  const GraphProperties found = find_properties(offsets, heads, lengths);
  const GraphProperties& stated = graph.properties();
  const auto compare = [&](const char* name, auto stated_value, auto found_value) {
    if (stated_value != found_value) {
      fail(std::string(name) + " is stated as " + std::to_string(stated_value) + " but is " +
           std::to_string(found_value));
    }
  };
  compare("property 'symmetric'", stated.symmetric, found.symmetric);
  compare("property 'sorted rows'", stated.sorted_rows, found.sorted_rows);
  compare("the least length", stated.least_length, found.least_length);
  compare("the largest length", stated.largest_length, found.largest_length);
  if (!graph.recorded_digest().empty() && graph.recorded_digest() != graph.content_digest()) {
    fail("the content's digest is " + graph.content_digest() + ", not the recorded " +
         graph.recorded_digest());
  }
  const std::uint64_t recorded = graph.recorded_edge_list_digest();
  if (recorded != 0 && recorded != edge_list_digest(graph)) {
    fail("the digest of the edge-list degrees is " + hex64(edge_list_digest(graph)) +
         ", not the recorded " + hex64(recorded));
  }
}

DistanceBound distance_bound(const Graph& graph) {
  const std::uint64_t edges = graph.vertex_count() == 0 ? 0 : graph.vertex_count() - 1;
  const GraphProperties& properties = graph.properties();
  const auto largest = static_cast<std::uint64_t>(
      std::max(std::int64_t{properties.largest_length}, -std::int64_t{properties.least_length}));
  DistanceBound bound{edges * largest, "(n-1)*C"};
  if (properties.symmetric && properties.least_length >= 0) {
    if (const std::uint64_t tree = tree_bound(graph); tree < bound.value) {
      bound = {tree, "2*tree-eccentricity, symmetric"};
    }
  }
  return bound;
}

}  // namespace bellmark
