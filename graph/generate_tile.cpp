// Copies of a graph, stitched along their borders: a map of a country's size from a real region.
// generate.hpp has the rule.
#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"
#include "graph/binary.hpp"
#include "graph/generate.hpp"
#include "graph/make_rows.hpp"
#include "graph/open.hpp"
#include "graph/order.hpp"
#include "graph/random_stream.hpp"
#include "graph/reference.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

/// A changed rule needs another name: a kept tile must not be taken for a tile of the new rule.
constexpr std::string_view kRule = "tile1-";

using Hops = std::uint32_t;
constexpr Hops kFar = std::numeric_limits<Hops>::max();

/// The fewest arcs from `root`; kFar if there is no way.
std::vector<Hops> hops_from(const Graph& graph, Vertex root) {
  std::vector<Hops> hops(graph.vertex_count(), kFar);
  std::vector<Vertex> queue = {root};
  queue.reserve(graph.vertex_count());
  hops[root] = 0;
  for (std::size_t front = 0; front < queue.size(); ++front) {
    const Vertex u = queue[front];
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (hops[v] != kFar) continue;
      hops[v] = hops[u] + 1;
      queue.push_back(v);
    }
  }
  return hops;
}

Vertex farthest(const std::vector<Hops>& hops) {
  return static_cast<Vertex>(std::ranges::max_element(hops) - hops.begin());
}

/// The place of a vertex, from hops alone: between two ends of the map in each direction.
struct Places {
  std::vector<std::int64_t> x;
  std::vector<std::int64_t> y;
};

/// Throws InputError when the graph is not connected.
Places places_of(const Graph& graph, const std::string& reference) {
  const std::vector<Hops> first = hops_from(graph, 0);
  if (const auto missing = std::ranges::count(first, kFar); missing != 0) {
    throw InputError(reference,
                     "its graph is not connected: no way leads from the first vertex to " +
                         std::to_string(missing) + " others",
                     "name a connected graph");
  }
  std::array<std::vector<Hops>, 4> ends;
  ends[0] = hops_from(graph, farthest(first));
  std::vector<Hops> nearest = ends[0];  // of the ends so far
  for (std::size_t i = 1; i < ends.size(); ++i) {
    ends[i] = hops_from(graph, farthest(nearest));
    for (std::size_t v = 0; v < nearest.size(); ++v) {
      nearest[v] = std::min(nearest[v], ends[i][v]);
    }
  }
  const auto between = [](const std::vector<Hops>& a, const std::vector<Hops>& b) {
    std::vector<std::int64_t> places(a.size());
    for (std::size_t v = 0; v < a.size(); ++v) places[v] = std::int64_t{a[v]} - std::int64_t{b[v]};
    return places;
  };
  return {between(ends[0], ends[1]), between(ends[2], ends[3])};
}

/// Two opposite borders: vertex i of one is stitched to vertex i of the other, in the next copy.
struct Borders {
  std::vector<Vertex> low;
  std::vector<Vertex> high;
};

/// The first and the last vertex by `along` of each line over the map: the vertices at one place
/// `across`. Lines of less than half the widest line's width are left out. Where a map grows narrow
/// its opposite borders meet, and a way through a copy would have no length.
Borders borders_of(const std::vector<std::int64_t>& along,
                   const std::vector<std::int64_t>& across) {
  struct Line {
    Vertex low;
    Vertex high;
  };
  std::map<std::int64_t, Line> lines;
  for (Vertex v = 0; v < along.size(); ++v) {
    Line& line = lines.try_emplace(across[v], Line{v, v}).first->second;
    if (along[v] < along[line.low]) line.low = v;
    if (along[v] > along[line.high]) line.high = v;
  }
  const auto width = [&](const Line& line) { return along[line.high] - along[line.low]; };
  std::int64_t widest = 0;
  for (const auto& [place, line] : lines) widest = std::max(widest, width(line));
  Borders borders;
  for (const auto& [place, line] : lines) {
    if (2 * width(line) < widest) continue;
    borders.low.push_back(line.low);
    borders.high.push_back(line.high);
  }
  return borders;
}

/// The vertices that each vertex of a copy is stitched to, in the copies above, to the left, to the
/// right and below; kNoVertex if it lies on no such border.
class Stitches {
 public:
  Stitches(const Graph& graph, std::uint64_t copies, const std::string& reference)
      : vertex_count_(graph.vertex_count()) {
    while (rows_ * rows_ <= copies) ++rows_;
    do --rows_;
    while (copies % rows_ != 0);
    columns_ = copies / rows_;
    for (auto& partners : partners_) partners.assign(vertex_count_, kNoVertex);
    const Places places = places_of(graph, reference);
    join(kLeft, kRight, borders_of(places.x, places.y));
    join(kAbove, kBelow, borders_of(places.y, places.x));
  }

  /// Calls visit(neighbour) for the stitches of vertex v of the copy, towards copies of lower
  /// numbers (`before`) or of higher ones, in their sequence.
  template <class Visit>
  void for_each(std::uint64_t copy, Vertex v, bool before, Visit visit) const {
    const auto consider = [&](Side side, bool is_there, std::uint64_t other) {
      const Vertex partner = partners_[side][v];
      if (is_there && partner != kNoVertex) {
        visit(static_cast<Vertex>(other * vertex_count_ + partner));
      }
    };
    if (before) {
      consider(kAbove, copy >= columns_, copy - columns_);
      consider(kLeft, copy % columns_ != 0, copy - 1);
    } else {
      consider(kRight, (copy + 1) % columns_ != 0, copy + 1);
      consider(kBelow, copy + columns_ < rows_ * columns_, copy + columns_);
    }
  }

 private:
  enum Side : std::size_t { kAbove, kLeft, kRight, kBelow };

  void join(Side low, Side high, const Borders& borders) {
    for (std::size_t i = 0; i < borders.low.size(); ++i) {
      partners_[low][borders.low[i]] = borders.high[i];
      partners_[high][borders.high[i]] = borders.low[i];
    }
  }

  std::uint64_t vertex_count_;
  std::uint64_t rows_ = 1;
  std::uint64_t columns_ = 1;
  std::array<std::vector<Vertex>, 4> partners_;
};

/// Lengths of a tile: all by a scheme, or the graph's own, with some of them for the stitches.
class TileLengths {
 public:
  TileLengths(const Graph& graph, const std::optional<LengthScheme>& scheme, std::uint64_t seed)
      : graph_(graph), stream_(seed, Stream::lengths) {
    if (scheme) scheme_.emplace(*scheme, seed);
  }

  bool opposite_agree() const { return !scheme_ || scheme_->opposite_agree(); }

  Length of_arc(Offset arc, Vertex u, Vertex v) const {
    return scheme_ ? scheme_->of_ends(u, v) : graph_.length(arc);
  }

  Length of_stitch(Vertex u, Vertex v) const {
    if (scheme_) return scheme_->of_ends(u, v);
    const auto [low, high] = std::minmax(u, v);
    return graph_.length(stream_.below(std::uint64_t{low} << 32 | high, graph_.arc_count()));
  }

 private:
  const Graph& graph_;
  Stream stream_;
  std::optional<LengthSource> scheme_;
};

void check_tile(const Graph& graph, std::uint64_t copies, bool own_lengths,
                const std::string& reference) {
  if (graph.vertex_count() == 0 || graph.arc_count() == 0) {
    throw InputError(reference, "its graph has no arcs", "name another one");
  }
  if (own_lengths && !graph.has_lengths()) {
    throw InputError(reference, "its graph has no lengths",
                     "add some, for instance lengths=sample:dimacs:USA-road-d.NY or lengths=unit");
  }
  if (own_lengths && graph.properties().least_length < 0) {
    throw InputError(reference,
                     "its graph has lengths below 0, which would make stitches negative cycles",
                     "add other lengths, for instance lengths=hash:1..1000");
  }
  if (copies > std::numeric_limits<Vertex>::max() / graph.vertex_count()) {
    throw InputError(reference, "more than 4294967295 vertices", "ask for fewer copies");
  }
  // The graph and its copies, and hops, places and stitches of each of its vertices.
  const auto vertices = static_cast<double>(graph.vertex_count());
  const double copy = vertices * sizeof(Offset) +
                      static_cast<double>(graph.arc_count()) * (sizeof(Vertex) + sizeof(Length));
  check_memory(reference, static_cast<double>(copies + 1) * copy + vertices * 64);
}

/// The file that keeps a large tile of catalogued graphs for the next process; "" for other tiles,
/// whose files may have changed by then.
fs::path kept_file(const std::string& reference, const std::string& of,
                   const std::optional<LengthScheme>& scheme) {
  if (!is_catalogue_id(of)) return {};
  if (scheme && !scheme->sampled.empty() && !is_catalogue_id(scheme->sampled)) return {};
  const auto digest = digest64(std::as_bytes(std::span(reference)));
  return download_folder() / "made" / (std::string(kRule) + hex64(digest) + ".bmg");
}

/// The tile that another process kept; nothing if there is none, or if it is damaged.
std::optional<Graph> find_kept(const fs::path& file, const std::string& reference) {
  std::error_code ignored;
  if (file.empty() || !fs::exists(file, ignored)) return std::nullopt;
  try {
    Graph graph = open_binary(file);
    if (graph.provenance() == reference) return graph;
  } catch (const InputError&) {  // it is made again
  }
  return std::nullopt;
}

/// Keeps the graph. If that is impossible, each process makes its own.
Graph keep(const Graph& graph, const fs::path& file) {
  try {
    fs::create_directories(file.parent_path());
    write_binary(graph, file);
    return open_binary(file);
  } catch (const MachineError&) {
    return graph;
  } catch (const fs::filesystem_error&) {
    return graph;
  }
}

}  // namespace

Graph make_tile(const std::string& of, std::uint64_t copies,
                const std::optional<LengthScheme>& lengths, std::uint64_t seed) {
  constexpr Offset kFewArcs = 1 << 22;
  const std::string reference = "tile:" + of + ",copies=" + std::to_string(copies) + ",lengths=" +
                                (lengths ? to_string(*lengths) : std::string(kOwnLengths)) +
                                ",seed=" + std::to_string(seed);
  if (copies < 2) {
    throw InputError(reference,
                     copies == 0 ? "there is nothing to make" : "one copy is the graph itself",
                     "ask for at least 2 copies");
  }
  const fs::path file = kept_file(reference, of, lengths);
  if (auto graph = find_kept(file, reference)) return *graph;
  const Graph source = open_graph(of);
  check_tile(source, copies, !lengths, reference);
  const bool both_ways = source.properties().symmetric;
  const Stitches stitches(both_ways ? source : with_arcs(source, "both"), copies, reference);
  const TileLengths length(source, lengths, seed);
  const Vertex n = source.vertex_count();
  Graph graph = make_rows(
      static_cast<Vertex>(n * copies),
      both_ways && source.properties().sorted_rows && length.opposite_agree(),
      [&](Vertex v) {
        Offset degree = source.row_offsets()[v % n + 1] - source.row_offsets()[v % n];
        for (const bool before : {true, false}) {
          stitches.for_each(v / n, v % n, before, [&](Vertex) { ++degree; });
        }
        return degree;
      },
      [&](Vertex v, std::span<Vertex> heads, std::span<Length> row_lengths) {
        std::size_t i = 0;
        const auto stitch = [&](Vertex head) {
          heads[i] = head;
          row_lengths[i++] = length.of_stitch(v, head);
        };
        stitches.for_each(v / n, v % n, true, stitch);
        for (Offset e = source.row_offsets()[v % n]; e < source.row_offsets()[v % n + 1]; ++e) {
          heads[i] = v - v % n + source.heads()[e];
          row_lengths[i] = length.of_arc(e, v, heads[i]);
          ++i;
        }
        stitches.for_each(v / n, v % n, false, stitch);
      });
  graph.set_provenance(reference);
  return file.empty() || graph.arc_count() < kFewArcs ? graph : keep(graph, file);
}

}  // namespace bellmark
