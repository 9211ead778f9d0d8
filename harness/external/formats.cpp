#include "harness/external/formats.hpp"

#include <array>
#include <charconv>
#include <cstdlib>
#include <initializer_list>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"

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

/// A line for each arc: its ends, counted from `first`, and its length where they are wanted.
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

void write_graph(const Graph& graph, const std::string& format, const fs::path& path) {
  if (format == "bmg") {
    write_binary(graph, path);
  } else if (format == "mtx") {
    write_matrix_market(graph, path);
  } else if (format == "el" || format == "wel") {
    write_list(graph, path, format == "wel");
  } else {
    write_gr(graph, path);
  }
}

}  // namespace

const std::vector<std::string>& known_formats() {
  static const std::vector<std::string> formats = {"gr", "gr.gz", "bmg", "el", "wel", "mtx"};
  return formats;
}

fs::path cache_folder() {
  const auto folder_of = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path own = folder_of("BELLMARK_CACHE"); !own.empty()) return own;
  if (const fs::path caches = folder_of("XDG_CACHE_HOME"); !caches.empty()) {
    return caches / "bellmark";
  }
  if (const fs::path home = folder_of("HOME"); !home.empty()) return home / ".cache/bellmark";
  return fs::temp_directory_path() / "bellmark-cache";
}

fs::path cached_file(const Graph& graph, const std::string& format) {
  const std::string digest =
      graph.recorded_digest().empty() ? graph.content_digest() : graph.recorded_digest();
  const fs::path folder = fs::absolute(cache_folder() / "graphs");
  const fs::path file = folder / (digest + "." + format);
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

}  // namespace bellmark::external
