// Generated graphs: the same numbers on every machine, by a formula of seed and index alone.
//
// random_stream.hpp defines draw(), below() and fraction(). Streams: 0 keep, 1 tails, 2 heads, 3, 4
// and 10 lengths (lengths.hpp), 5 links, 6 quadrants, 7 scrambling, 8 points.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "graph/lengths.hpp"

namespace bellmark {

struct GraphReference;

/// A grid of rows x columns vertices, vertex r * columns + c. Vertex v has edge 2v to its right and
/// edge 2v + 1 downwards, if there is such a neighbour. Edge e is kept when fraction(draw(seed, 0,
/// e)) < keep. It gives the arcs there and back, of one length (except for `potential`). Rows come
/// by ascending e. Uses all threads. Provenance is the reference for open_graph(). Throws
/// InputError on values out of range, MachineError when memory would not suffice.
Graph make_grid(std::uint64_t rows, std::uint64_t columns, double keep, const LengthScheme& lengths,
                std::uint64_t seed);

/// m arcs; arc i goes from below(draw(seed, 1, i), n) to below(draw(seed, 2, i), n). Self loops
/// and parallel arcs may occur. Provenance and errors as above.
Graph make_random(std::uint64_t vertex_count, std::uint64_t arc_count, const LengthScheme& lengths,
                  std::uint64_t seed);

/// Graph500's Kronecker graph of 2^scale vertices, made symmetric, without self loops and duplicate
/// edges, from edge-factor * 2^scale edges. It keeps the count of their ends (edge_list_degrees()).
///
/// Edge i goes from scrambled(t) to scrambled(h). Their bits 0 <= k < scale are (0, 0), (0, 1), (1,
/// 0), (1, 1) with probability 0.57, 0.19, 0.19, 0.05. The pair depends on whether q is below
/// 2448131358, 3264175144, 4080218931 or not. q is the higher (k even) or lower half of draw(seed,
/// 6, i * ceil(scale / 2) + floor(k / 2)).
///
/// Let a = draw(seed, 7, 0) and b = draw(seed, 7, 1). Let r(x) be the lowest `scale` bits of x in
/// reverse. Then scrambled(v) = r(r((v + a + b) * (a | 0x4519840211493211)) * (b |
/// 0x3050852102c843a5)).
///
/// Rows are sorted. Every length is by the ends (`uniform` is `hash`). Provenance and errors as
/// above. Uses all threads, and up to 24 bytes for each edge and 16 for each vertex.
Graph make_kronecker(std::uint64_t scale, std::uint64_t edge_factor, const LengthScheme& lengths,
                     std::uint64_t seed);

/// suzuki, Table 1: the map of Kanto, with two arcs for each edge.
inline constexpr std::uint64_t kKantoVertices = 1'427'876;
inline constexpr std::uint64_t kKantoEdges = 2'292'411;

enum class RoadExtent {
  whole,
  main,  ///< only vertices on arterial lines, numbered in their order, and the edges between them
};

/// A connected, symmetric road map like suzuki's of Kanto: a planar network of streets and a few
/// long links, without loops and parallel arcs. Vertex v lies in a grid of ceil(sqrt(n)) columns,
/// in row v / columns. Line (row or column) i is arterial when 100 i mod 866 < 100. There are
/// n * 2,292,411 / 1,427,876 edges, rounded to the nearest:
///   links    16 of 1000 edges, rounded down: for i = 0, 1, ..., with x_k = draw(seed, 5, 4i + k)
///            and reach r = 2^(1 + below(x_1, floor(log2(columns - 1)))), from vertex below(x_0, n)
///            by below(x_2, 2r + 1) - r rows and below(x_3, 2r + 1) - r columns; only when both
///            ends are on arterial lines, are not neighbours, and are not linked yet
///   streets  edges between neighbours, numbered as in a grid: all on an arterial line; then by
///            ascending draw(seed, 0, e) those that connect unconnected parts; then by ascending
///            draw(seed, 0, e) the others, up to the number of edges
/// Every length is by the ends in the whole map (`uniform` is `hash`). Provenance and errors as
/// above; n is at least 100.
Graph make_road(std::uint64_t vertex_count, RoadExtent extent, const LengthScheme& lengths,
                std::uint64_t seed);

/// The synthetic families of the 9th DIMACS Implementation Challenge (yasui2011, Table 1), with the
/// sizes that the challenge's scripts give its generators. Numbers and seeds are our own. Both
/// grids are make_grid() with keep = 1, whose opposite arcs agree. This one has n = 2^scale
/// vertices with one side of 16, 4 n - 32 - n / 8 arcs, and degrees 2 to 4. `scale` is 5..30.
/// Provenance and errors as above.
Graph make_long(std::uint64_t scale, const LengthScheme& lengths, std::uint64_t seed);

/// floor(sqrt(2^scale)) rows of floor(2^scale / rows) columns. These are 2^scale vertices if scale
/// is even, and up to 1.5 % fewer if it is odd and 10 or more. Degrees are 2 to 4. `scale` is
/// 2..30.
Graph make_square(std::uint64_t scale, const LengthScheme& lengths, std::uint64_t seed);

/// n = 2^scale vertices and 4 n arcs. The challenge's generator first makes a cycle through all
/// vertices, so that every vertex is reached from every other: arc i < n goes from i to (i + 1) mod
/// n. Then arc n + j, for 0 <= j < 3 n, goes from t = below(draw(seed, 1, j), n) to (t + 1 +
/// below(draw(seed, 2, j), n - 1)) mod n. So there are no loops, but parallel arcs may occur. A
/// vertex has 1 arc and 3 more on average, and 14 at most for scale 20 and seed 1; the paper counts
/// 1 to 17. `scale` is 1..30. Uses all threads.
Graph make_random4(std::uint64_t scale, const LengthScheme& lengths, std::uint64_t seed);

/// A mesh of x * y * z vertices, vertex (i * y + j) * z + k at (i, j, k). Vertex v has edges 3 v, 3
/// v + 1 and 3 v + 2 to its neighbours at i + 1, j + 1 and k + 1, if they exist. An edge gives the
/// arcs there and back, of one length (except for `potential`). Rows are sorted. Provenance and
/// errors as above; no side is 0. Uses all threads. O(n).
Graph make_mesh(std::uint64_t x, std::uint64_t y, std::uint64_t z, const LengthScheme& lengths,
                std::uint64_t seed);

/// One path: edge v joins vertices v and v + 1, both ways. Lengths, provenance and errors as of a
/// mesh; n is at least 1. Uses all threads. O(n).
Graph make_chain(std::uint64_t vertex_count, const LengthScheme& lengths, std::uint64_t seed);

/// One hub: edge v joins vertices 0 and v + 1, both ways. Lengths, provenance and errors as of a
/// mesh; n is at least 1. O(n).
Graph make_star(std::uint64_t vertex_count, const LengthScheme& lengths, std::uint64_t seed);

/// Probabilities of a matrix's upper left, upper right and lower left quadrants. The lower right
/// one has the rest.
struct RmatProbabilities {
  double a;
  double b;
  double c;
};

/// The R-MAT graph of 2^scale vertices (Chakrabarti, Zhan, Faloutsos 2004), directed, from
/// edge-factor * 2^scale pairs. Pair i is the (row, column) of draw_cell() by stream 6
/// (kronecker_edges.hpp). Its sums are a, a + b and a + b + c times 2^32, rounded to the nearest.
/// As in the paper, repeated pairs are one arc, and vertices keep the numbers of their rows:
/// vertices with many arcs have low numbers. Loops are dropped. Rows are sorted. Every length is by
/// the ends (`uniform` is `hash`). `scale` is 1..31. Provenance and errors as above; InputError too
/// if the three add up to more than 1. Uses all threads. O(n + m log(largest degree)).
Graph make_rmat(std::uint64_t scale, std::uint64_t edge_factor, const RmatProbabilities& of,
                const LengthScheme& lengths, std::uint64_t seed);

// Graphs of points in a square have the points of draw_points() (plane_points.hpp), which stay with
// the graph as its coordinates. Every length is by the ends (`uniform` is `hash`), rows are sorted,
// n is at least 1, and provenance and errors are as above. Whole numbers decide everything: no
// library's rounding changes the graph.

/// Points are joined both ways if they are at most R apart (Gilbert 1961). R is the largest whole
/// number up to 2^26 at which a vertex has `degree` neighbours or fewer on average: (n - 1) P(R /
/// 2^26), with P(r) = pi r^2 - 8/3 r^3 + r^4 / 2. Its last two terms are for the square's border.
/// `degree` is 0..n-1, and at most about 0.97 (n - 1). Uses all threads. O(n (1 + degree)).
Graph make_geometric(std::uint64_t vertex_count, double degree, const LengthScheme& lengths,
                     std::uint64_t seed);

/// delaunay_edges() of the points (delaunay.hpp), both ways: a planar and connected graph of at
/// most 6 n - 12 arcs for n of at least 3. n is at most 2^29. O(n log n).
Graph make_delaunay(std::uint64_t vertex_count, const LengthScheme& lengths, std::uint64_t seed);

/// Each vertex has arcs to the k others nearest to it. Of equal distances, lower numbers count as
/// nearer. These are n k arcs, directed. k is 1..n-1. Uses all threads. O(n k log k) for points as
/// they are drawn.
Graph make_nearest(std::uint64_t vertex_count, std::uint64_t neighbour_count,
                   const LengthScheme& lengths, std::uint64_t seed);

/// The random hyperbolic graph of a threshold (Krioukov et al. 2010): points of a hyperbolic disk
/// of radius R = hyperbolic_radius() are joined both ways if their distance is at most R. The
/// degrees follow a power law of that exponent, 2..10. Vertex v lies at the angle draw(seed, 8, 2
/// v) in units of 2^-64 of a turn. Its radius is r with cosh(g r) = 1 + u (cosh(g R) - 1), where u
/// = fraction(draw(seed, 8, 2 v + 1)) and g = (exponent - 1) / 2. `degree` is 1/n..(n-1)/2.
/// Lengths, rows, provenance and errors as for graphs of points in a square. Uses all threads. O(n
/// log n + m).
Graph make_hyperbolic(std::uint64_t vertex_count, double degree, double exponent,
                      const LengthScheme& lengths, std::uint64_t seed);

/// The largest multiple of 2^-16 at which the expected number of neighbours is `degree` or more.
/// Numerical integration finds it, with functions of the mathematical library. Another library
/// would give another radius only if their last bits lie on either side of a multiple.
double hyperbolic_radius(std::uint64_t vertex_count, double degree, double exponent);

/// Lengths of a tile: those of its graph.
inline constexpr std::string_view kOwnLengths = "own";

/// Copies of a graph, an id's or a file's, stitched along their borders. They lie in a grid. Its
/// number of rows is the largest divisor of `copies` that is at most its root: 16 in 4 by 4. Vertex
/// v of copy c is c n + v. Stitches go both ways, and join these vertices:
///   ends     e_1 is the vertex with the most hops from vertex 0, e_2 from e_1, e_3 from the nearer
///            of both, e_4 from the nearest of the three; of several the first
///   places   x(v) = hops(e_1, v) - hops(e_2, v), y(v) = hops(e_3, v) - hops(e_4, v): a graph need
///            have no coordinates; hops go along arcs and against them
///   borders  the vertices of one y are a line; its width is the difference of their x. If that is
///            at least half the widest line's, the first vertex by x is on the left border, and the
///            last on the right one. In the same way vertices of one x are on the borders above and
///            below, by y. Of several the one with the lowest number
///   stitches vertex i of a right border is joined to vertex i of the left one of the next copy, by
///            ascending y; vertex i of a lower border to vertex i of the upper one of the copy
///            below, by ascending x
/// A row has the stitches to copies of lower numbers, then the graph's arcs, then the other
/// stitches. Without `lengths` arcs have the graph's own. A stitch then has that of arc
/// below(draw(seed, 3, i), m), with i from its ends in the whole. With `lengths` all are by their
/// ends there (`uniform` is `hash`). `copies` is at least 2.
///
/// A tile of a catalogued graph with 2^22 arcs or more is kept in download_folder()/made, and the
/// next process maps it. Provenance and errors as above; InputError too on a graph that is not
/// connected, and on one without lengths when `lengths` gives none. Uses all threads.
Graph make_tile(const std::string& of, std::uint64_t copies,
                const std::optional<LengthScheme>& lengths, std::uint64_t seed);

/// A key of a formula. A graph comes first, without its name.
struct FormulaKey {
  enum class Kind { count, real, lengths, lengths_or_own, graph };
  std::string name;
  Kind kind;
  std::string fallback;  ///< "": the key is needed; a `scale` at its end is the formula's own
  std::string text;      ///< what it means
};

/// A formula: `NAME:KEY=VALUE,...`. Its keys are given in the canonical sequence.
struct Generator {
  std::string name;
  std::string text;  ///< what it makes
  std::vector<FormulaKey> keys;
  Graph (*make)(const GraphReference& reference);  ///< without the reference's changes
};

/// All generators. `bellmark graph make --help` prints this list with its keys and defaults.
const std::vector<Generator>& generators();

/// `grid`, `kronecker` and so on: the part before the colon.
std::vector<std::string> generator_names();

/// The generator that a reference names before its colon; null if it names none.
const Generator* find_generator(std::string_view reference);

/// The graph of a formula, with its changes, as from open_graph(). Throws InputError, also on any
/// other reference.
Graph make_graph(const std::string& formula);

}  // namespace bellmark
