#include "harness/external/formats.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <span>
#include <string_view>

#include "base/atomic_file.hpp"
#include "base/cache_folder.hpp"
#include "base/error.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/order.hpp"

namespace bellmark::external {
namespace {

namespace fs = std::filesystem;

void write_line(AtomicFile& file, std::initializer_list<std::int64_t> numbers) {
  std::array<char, 96> line;
  char* end = line.data();
  for (const std::int64_t number : numbers) {
    if (end != line.data()) *end++ = ' ';
    end = std::to_chars(end, line.data() + line.size(), number).ptr;
  }
  *end++ = '\n';
  file.write(std::string_view(line.data(), static_cast<std::size_t>(end - line.data())));
}

/// A line for each arc: its ends, counted from `first`, and its length if wanted.
void write_arcs(AtomicFile& file, const Graph& graph, std::int64_t first, bool with_lengths) {
  for (Vertex tail = 0; tail < graph.vertex_count(); ++tail) {
    for (Offset e = graph.row_offsets()[tail]; e < graph.row_offsets()[tail + 1]; ++e) {
      const std::int64_t head = graph.heads()[e] + first;
      if (with_lengths) {
        write_line(file, {tail + first, head, graph.length(e)});
      } else {
        write_line(file, {tail + first, head});
      }
    }
  }
}

void write_list(const Graph& graph, const fs::path& path, bool with_lengths) {
  AtomicFile file(path);
  write_arcs(file, graph, 0, with_lengths);
  file.commit();
}

void write_matrix_market(const Graph& graph, const fs::path& path) {
  AtomicFile file(path);
  const auto n = static_cast<std::int64_t>(graph.vertex_count());
  file.write(graph.has_lengths() ? "%%MatrixMarket matrix coordinate integer general\n"
                                 : "%%MatrixMarket matrix coordinate pattern general\n");
  write_line(file, {n, n, static_cast<std::int64_t>(graph.arc_count())});
  write_arcs(file, graph, 1, graph.has_lengths());
  file.commit();
}

template <class Value>
void write_values(AtomicFile& file, std::span<const Value> values) {
  file.write(std::as_bytes(values));
}

/// The largest number in the GAP Benchmark Suite's signed 32 bits.
constexpr std::int64_t kGapLargest = std::numeric_limits<std::int32_t>::max();

/// Heads, each with its length if wanted, in the memory layout of GAP's programs.
void write_gap_heads(AtomicFile& file, const Graph& graph, bool with_lengths) {
  if (!with_lengths) return write_values(file, graph.heads());
  std::vector<std::int32_t> row;
  for (Vertex tail = 0; tail < graph.vertex_count(); ++tail) {
    row.clear();
    for (Offset e = graph.row_offsets()[tail]; e < graph.row_offsets()[tail + 1]; ++e) {
      row.push_back(static_cast<std::int32_t>(graph.heads()[e]));
      row.push_back(static_cast<std::int32_t>(graph.length(e)));
    }
    write_values<std::int32_t>(file, row);
  }
}

void write_gap_rows(AtomicFile& file, const Graph& graph, bool with_lengths) {
  static_assert(sizeof(Offset) == sizeof(std::int64_t) && sizeof(Vertex) == sizeof(std::int32_t));
  write_values(file, graph.row_offsets());
  write_gap_heads(file, graph, with_lengths);
}

/// The serialized form of the GAP Benchmark Suite (github.com/sbeamer/gapbs, src/writer.h): a byte
/// that is 1 for a directed graph, the counts of arcs and vertices, row offsets, heads. A directed
/// graph repeats the last two for the opposite arcs.
void write_gap(const Graph& graph, const fs::path& path, bool with_lengths) {
  const GraphProperties& properties = graph.properties();
  if (graph.vertex_count() > kGapLargest ||
      (with_lengths && (properties.largest_length > kGapLargest || properties.least_length < 0))) {
    throw InputError(path.string(), "the GAP Benchmark Suite has 31 bits for vertices and lengths",
                     "ask for the format gr, or for a smaller graph");
  }
  AtomicFile file(path);
  const std::array<char, 1> directed = {static_cast<char>(!properties.symmetric)};
  file.write(std::string_view(directed.data(), directed.size()));
  const std::array<std::int64_t, 2> counts = {static_cast<std::int64_t>(graph.arc_count()),
                                              static_cast<std::int64_t>(graph.vertex_count())};
  write_values<std::int64_t>(file, counts);
  write_gap_rows(file, graph, with_lengths);
  if (!properties.symmetric) write_gap_rows(file, opposite(graph), with_lengths);
  file.commit();
}

/// The binary form of Galois (libgalois/src/FileGraph.cpp, version 1): four numbers of 64 bits, row
/// ends, heads, which fill up to 64 bits, and lengths.
void write_galois(const Graph& graph, const fs::path& path) {
  if (graph.properties().least_length < 0) {
    throw InputError(path.string(), "the form of Galois has no lengths below 0",
                     "ask for another format");
  }
  AtomicFile file(path);
  const std::uint64_t arc_count = graph.arc_count();
  const std::uint64_t length_bytes = graph.has_lengths() ? sizeof(std::uint32_t) : 0;
  write_values<std::uint64_t>(
      file, std::array<std::uint64_t, 4>{1, length_bytes, graph.vertex_count(), arc_count});
  write_values(file,
               graph.row_offsets().subspan(std::min<std::size_t>(1, graph.row_offsets().size())));
  write_values(file, graph.heads());
  if (arc_count % 2 == 1) write_values<std::uint32_t>(file, std::array<std::uint32_t, 1>{0});
  std::vector<std::uint32_t> row;
  for (Vertex tail = 0; graph.has_lengths() && tail < graph.vertex_count(); ++tail) {
    row.clear();
    for (Offset e = graph.row_offsets()[tail]; e < graph.row_offsets()[tail + 1]; ++e) {
      row.push_back(static_cast<std::uint32_t>(graph.length(e)));
    }
    write_values<std::uint32_t>(file, row);
  }
  file.commit();
}

/// The text of the Problem Based Benchmark Suite: its name, n, m, row offsets, heads, lengths, one
/// number a line.
void write_adjacency(const Graph& graph, const fs::path& path) {
  AtomicFile file(path);
  file.write(graph.has_lengths() ? "WeightedAdjacencyGraph\n" : "AdjacencyGraph\n");
  const auto n = static_cast<std::int64_t>(graph.vertex_count());
  write_line(file, {n});
  write_line(file, {static_cast<std::int64_t>(graph.arc_count())});
  for (Vertex v = 0; v < n; ++v) {
    write_line(file, {static_cast<std::int64_t>(graph.row_offsets()[v])});
  }
  for (const Vertex head : graph.heads()) write_line(file, {std::int64_t{head}});
  for (Offset e = 0; graph.has_lengths() && e < graph.arc_count(); ++e) {
    write_line(file, {std::int64_t{graph.length(e)}});
  }
  file.commit();
}

void write_graph(const Graph& graph, const std::string& format, const fs::path& path) {
  if (format == "bmg") {
    write_binary(graph, path);
  } else if (format == "mtx") {
    write_matrix_market(graph, path);
  } else if (format == "el" || format == "wel") {
    write_list(graph, path, format == "wel");
  } else if (format == "sg" || format == "wsg") {
    write_gap(graph, path, format == "wsg");
  } else if (format == "galois") {
    write_galois(graph, path);
  } else if (format == "adj") {
    write_adjacency(graph, path);
  } else {
    write_gr(graph, path);
  }
}

}  // namespace

const std::vector<std::string>& known_formats() {
  static const std::vector<std::string> formats = {"gr", "gr.gz", "bmg", "el",     "wel", "mtx",
                                                   "sg", "wsg",   "adj", "galois", "sp"};
  return formats;
}

Vertex first_vertex_of(const std::string& format) {
  constexpr std::array<std::string_view, 7> kFromZero = {"bmg", "el",  "wel",   "sg",
                                                         "wsg", "adj", "galois"};
  return std::ranges::find(kFromZero, format) == kFromZero.end() ? 1 : 0;
}

bool is_of_a_query(const std::string& format) { return format == "sp"; }

fs::path cached_file(const Graph& graph, const std::string& format) {
  const std::string digest =
      graph.recorded_digest().empty() ? graph.content_digest() : graph.recorded_digest();
  const fs::path folder = fs::absolute(cache_folder() / "graphs");
  fs::path file = folder / (digest + "." + format);
  std::error_code error;
  if (fs::exists(file, error)) return file;
  fs::create_directories(folder, error);
  if (error) {
    throw MachineError(folder.string(), "cannot be made: " + error.message(),
                       "let BELLMARK_CACHE name a folder that may be written");
  }
  write_graph(graph, format, file);
  return file;
}

void write_query(const Graph& graph, Vertex source, const fs::path& path) {
  AtomicFile file(path);
  file.write("p sp " + std::to_string(graph.vertex_count()) + " " +
             std::to_string(graph.arc_count()) + "\n");
  file.write("n " + std::to_string(source + 1) + "\n");
  for (Vertex tail = 0; tail < graph.vertex_count(); ++tail) {
    for (Offset e = graph.row_offsets()[tail]; e < graph.row_offsets()[tail + 1]; ++e) {
      file.write("a ");
      write_line(file,
                 {std::int64_t{tail} + 1, std::int64_t{graph.heads()[e]} + 1, graph.length(e)});
    }
  }
  file.commit();
}

}  // namespace bellmark::external
