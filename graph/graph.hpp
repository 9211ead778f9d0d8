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

/// As far below 0 as the largest is above: every length can be negated.
inline constexpr Length kLeastLength = -std::numeric_limits<Length>::max();

/// Of a path; negative where lengths are. Fits: a path has fewer than 2^32 arcs of at most 2^31.
using Distance = std::int64_t;

inline constexpr Distance kUnreached = std::numeric_limits<Distance>::max();
inline constexpr Vertex kNoVertex = std::numeric_limits<Vertex>::max();

/// Micro-degrees, as in DIMACS `.co` files.
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

/// What is known of a whole graph; found once when it is built and stored in the binary form.
struct GraphProperties {
  bool symmetric = false;    ///< every arc (u, v, l) has its own partner (v, u, l)
  bool sorted_rows = false;  ///< heads ascend within every row
  Length least_length = 0;   ///< 0 when there are no arcs
  Length largest_length = 0;
  friend bool operator==(const GraphProperties&, const GraphProperties&) = default;
};

/// A directed graph in CSR form. Copies share storage (a heap block or a mapped file).
///
/// Shapes: row_offsets() has vertex_count() + 1 entries; heads() has arc_count() entries;
/// lengths() has arc_count() entries, or none when the graph has no lengths (each arc then counts
/// as 1); coordinates() has vertex_count() entries, or none; so has edge_list_degrees().
/// Arcs of a row keep the order of the file they came from.
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

  /// Of a graph that lacks edges of the list that it was made from, loops and duplicates: how many
  /// ends of edges the list has at each vertex, a loop two and each duplicate its own. Half their
  /// sum over the vertices that a search reaches is the count of edges that Graph500 divides by the
  /// time. Empty where the graph has all edges of its list, or where the list is not known. 32
  /// bits: as many as a vertex can have neighbours, and it has most of its edges once.
  std::span<const std::uint32_t> edge_list_degrees() const { return edge_list_degrees_; }

  /// Where it came from: a file name, or the formula and seed of a generator.
  const std::string& provenance() const { return provenance_; }
  void set_provenance(std::string text) { provenance_ = std::move(text); }

  /// The content digest that the binary form carried; empty for every other origin.
  /// verify_graph() holds it against the content.
  const std::string& recorded_digest() const { return recorded_digest_; }
  void set_recorded_digest(std::string hex) { recorded_digest_ = std::move(hex); }

  /// The same of edge_list_digest(); 0 where none was carried.
  std::uint64_t recorded_edge_list_digest() const { return recorded_edge_list_digest_; }
  void set_recorded_edge_list_digest(std::uint64_t digest) { recorded_edge_list_digest_ = digest; }

  /// Digest of vertex count, row offsets, heads and lengths (32 hexadecimal digits); coordinates,
  /// edge-list degrees and provenance don't count: no search depends on them. O(n + m), on one
  /// thread: XXH3 makes each step from the one before.
  std::string content_digest() const;

  /// Length of arc `e`: 1 on a graph without lengths.
  Length length(Offset e) const { return lengths_.empty() ? 1 : lengths_[e]; }

  /// Adopts finished arrays whose owner `storage` keeps alive; readers use this.
  /// Nothing is checked: verify_graph() does that.
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

/// The same graph with other coordinates (one a vertex, or none); its arrays are shared.
Graph with_coordinates(const Graph& graph, std::vector<Coordinate> coordinates);

/// The same graph with edge-list degrees (one a vertex, or none); its arrays are shared.
Graph with_edge_list_degrees(const Graph& graph, std::vector<std::uint32_t> degrees);

/// The graph with every arc turned round, without coordinates. O(n + m).
Graph transposed(const Graph& graph);

/// Edges of the list that the graph was made from: half the sum of its edge-list degrees, which it
/// must have. O(n).
std::uint64_t edge_list_edge_count(const Graph& graph);

/// Digest of the edge-list degrees, which the content's leaves out; 0 without them. O(n).
std::uint64_t edge_list_digest(const Graph& graph);

/// Properties by inspection, O(n + m log(largest degree)). Expects valid arrays (see verify_graph).
/// Readers call it once; `bellmark graph verify` again.
GraphProperties find_properties(std::span<const Offset> row_offsets, std::span<const Vertex> heads,
                                std::span<const Length> lengths);

/// Checks everything a search relies on: row offsets ascend from 0 to the arc count, heads are
/// vertices, no length is below kLeastLength, the properties are true, and the recorded digest (if
/// any) is the content's; and of edge-list degrees what is known: they are the ends of whole edges,
/// at each vertex as many as arcs that leave it, or more. Throws InputError naming `where` and the
/// first fault. O(n + m log(largest degree)).
void verify_graph(const Graph& graph, std::string_view where);

/// A proven upper bound on the absolute value of every finite distance of a graph, and the rule
/// that proved it.
struct DistanceBound {
  std::uint64_t value;
  std::string rule;  ///< "(n-1)*C" or "2*tree-eccentricity, symmetric"
};

/// The least of: (n-1)*C, with C the largest absolute length; and on a symmetric graph without
/// negative lengths twice the longest tree path of a breadth-first tree of each component (every
/// distance is at most d(u,r) + d(r,v)). O(n + m).
DistanceBound distance_bound(const Graph& graph);

}  // namespace bellmark
