// The graph that every algorithm reads: compressed sparse rows (CSR), immutable once built.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark {

using Vertex = std::uint32_t;  ///< 0-based; files count from 1
using Offset = std::uint64_t;  ///< index of an arc
using Length = std::int32_t;   ///< of an arc; may be negative, and is at least kLeastLength

/// The same distance below 0 as the largest length above: every length can be negated.
inline constexpr Length kLeastLength = -std::numeric_limits<Length>::max();

/// The length of a path; negative if lengths are. It fits: a path has fewer than 2^32 arcs of at
/// most 2^31.
using Distance = std::int64_t;

inline constexpr Distance kUnreached = std::numeric_limits<Distance>::max();
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

/// Micro-degrees, the unit of DIMACS `.co` files.
struct Coordinate {
  std::int32_t longitude;
  std::int32_t latitude;
  friend bool operator==(const Coordinate&, const Coordinate&) = default;
};

/// One arc of an edge list, the form that readers and generators produce before CSR.
struct Arc {
  Vertex tail;
  Vertex head;
  Length length;
  friend bool operator==(const Arc&, const Arc&) = default;
};

/// The properties of a whole graph. They are found once when it is built, and stored in the binary
/// form.
struct GraphProperties {
  bool symmetric = false;    ///< every arc (u, v, l) has its own partner (v, u, l)
  bool sorted_rows = false;  ///< heads ascend within every row
  Length least_length = 0;   ///< 0 when there are no arcs
  Length largest_length = 0;
  friend bool operator==(const GraphProperties&, const GraphProperties&) = default;
};

/// A directed graph in CSR form. Copies share storage (a heap block or a mapped file).
///
/// Shapes: row_offsets() has vertex_count() + 1 entries. heads() has arc_count() entries. lengths()
/// has arc_count() entries, or none when the graph has no lengths (each arc then counts as 1).
/// coordinates() and edge_list_degrees() each have vertex_count() entries, or none. Arcs of a row
/// keep the order of their file.
class Graph {
 public:
  Graph() = default;

  /// Counting sort by tail, stable. O(n + m). Throws InputError when an end is not below
  /// vertex_count or a length is below kLeastLength.
  static Graph from_arcs(Vertex vertex_count, std::span<const Arc> arcs,
                         std::vector<Coordinate> coordinates = {});

  Vertex vertex_count() const {
    return row_offsets_.empty() ? 0 : static_cast<Vertex>(row_offsets_.size() - 1);
  }
  Offset arc_count() const { return heads_.size(); }
  bool has_lengths() const { return !lengths_.empty() || heads_.empty(); }

  std::span<const Offset> row_offsets() const { return row_offsets_; }
  std::span<const Vertex> heads() const { return heads_; }
  std::span<const Length> lengths() const { return lengths_; }
  std::span<const Coordinate> coordinates() const { return coordinates_; }
  const GraphProperties& properties() const { return properties_; }

  /// For a graph that lacks edges of its original list, loops and duplicates: the number of ends of
  /// the list's edges at each vertex. A loop counts two, and each duplicate counts. Half their sum
  /// over the vertices that a search reaches is the count of edges that Graph500 divides by the
  /// time. Empty if the graph has all edges of its list, or if the list is unknown. 32 bits are
  /// enough: a vertex has at most that many neighbours, and has most of its edges once.
  std::span<const std::uint32_t> edge_list_degrees() const { return edge_list_degrees_; }

  /// The origin of the graph: a file name, or the formula and seed of a generator.
  const std::string& provenance() const { return provenance_; }
  void set_provenance(std::string text) { provenance_ = std::move(text); }

  /// The content digest that the binary form carried; empty for every other origin. verify_graph()
  /// compares it with the content.
  const std::string& recorded_digest() const { return recorded_digest_; }
  void set_recorded_digest(std::string hex) { recorded_digest_ = std::move(hex); }

  /// The recorded edge_list_digest(); 0 if there was none.
  std::uint64_t recorded_edge_list_digest() const { return recorded_edge_list_digest_; }
  void set_recorded_edge_list_digest(std::uint64_t digest) { recorded_edge_list_digest_ = digest; }

  /// Digest of vertex count, row offsets, heads and lengths (32 hexadecimal digits). Coordinates,
  /// edge-list degrees and provenance don't count: no search depends on them. O(n + m), on one
  /// thread: each step of XXH3 needs the step before.
  std::string content_digest() const;

  /// Length of arc `e`: 1 on a graph without lengths.
  Length length(Offset e) const { return lengths_.empty() ? 1 : lengths_[e]; }

  /// Adopts finished arrays, whose owner `storage` keeps alive; for readers. Nothing is checked:
  /// verify_graph() does that.
  static Graph adopt(std::shared_ptr<const void> storage, std::span<const Offset> row_offsets,
                     std::span<const Vertex> heads, std::span<const Length> lengths,
                     std::span<const Coordinate> coordinates, GraphProperties properties,
                     std::span<const std::uint32_t> edge_list_degrees = {});

 private:
  std::shared_ptr<const void> storage_;
  std::span<const Offset> row_offsets_;
  std::span<const Vertex> heads_;
  std::span<const Length> lengths_;
  std::span<const Coordinate> coordinates_;
  std::span<const std::uint32_t> edge_list_degrees_;
  GraphProperties properties_{true, true, 0, 0};  // true of the graph without vertices
  std::string provenance_;
  std::string recorded_digest_;
  std::uint64_t recorded_edge_list_digest_ = 0;
};

/// The same graph with other coordinates (one for each vertex, or none). Its arrays are shared.
Graph with_coordinates(const Graph& graph, std::vector<Coordinate> coordinates);

/// The same graph with edge-list degrees (one for each vertex, or none). Its arrays are shared.
Graph with_edge_list_degrees(const Graph& graph, std::vector<std::uint32_t> degrees);

/// The graph with every arc reversed, without coordinates. O(n + m).
Graph transposed(const Graph& graph);

/// The number of edges in the graph's original list: half the sum of its edge-list degrees, which
/// it must have. O(n).
std::uint64_t edge_list_edge_count(const Graph& graph);

/// Digest of the edge-list degrees, which the content's digest leaves out; 0 without them. O(n).
std::uint64_t edge_list_digest(const Graph& graph);

/// Properties by inspection, O(n + m log(largest degree)). Expects valid arrays (see verify_graph).
/// Readers call it once, and `bellmark graph verify` again.
GraphProperties find_properties(std::span<const Offset> row_offsets, std::span<const Vertex> heads,
                                std::span<const Length> lengths);

/// Checks everything that a search relies on: row offsets ascend from 0 to the arc count, heads are
/// vertices, and no length is below kLeastLength. The properties are true, and a recorded digest is
/// the content's. Edge-list degrees are the ends of whole edges, and no vertex has fewer of them
/// than arcs that leave it. Throws InputError with `where` and the first fault. O(n + m log(largest
/// degree)).
void verify_graph(const Graph& graph, std::string_view where);

/// A proven upper bound on the absolute value of every finite distance of a graph, with the rule
/// that proved it.
struct DistanceBound {
  std::uint64_t value;
  std::string rule;  ///< "(n-1)*C" or "2*tree-eccentricity, symmetric"
};

/// The least of two bounds. One is (n-1)*C, with C the largest absolute length. The other holds on
/// symmetric graphs without negative lengths: twice the longest tree path of a breadth-first tree
/// of each component. It follows from d(u,r) + d(r,v), which no distance exceeds. O(n + m).
DistanceBound distance_bound(const Graph& graph);

}  // namespace bellmark
