// From a reference to a graph: files, catalogued graphs, generated graphs.
#include "graph/open.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/generate.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCatalogue = "dimacs:";
constexpr std::string_view kCatalogueFolder = "dimacs";

/// `text` without `suffix`; empty when it doesn't end so.
std::string without_suffix(const std::string& text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix)) return {};
  return text.substr(0, text.size() - suffix.size());
}

/// `USA-road-d.NY` of `USA-road-d.NY.gr.gz`; empty for what is not a DIMACS graph.
std::string graph_stem(const std::string& name) {
  const std::string stem = without_suffix(name, ".gr.gz");
  return stem.empty() ? without_suffix(name, ".gr") : stem;
}

/// `stem + suffix`, plain or gzip, whichever is there; plain first.
fs::path plain_or_gzip(const fs::path& stem, const std::string& suffix) {
  for (const std::string& ending : {suffix, suffix + ".gz"}) {
    fs::path path = stem;
    path += ending;
    std::error_code ignored;
    if (fs::exists(path, ignored)) return path;
  }
  return {};
}

/// The file of coordinates for a graph of that stem. The challenge publishes coordinates once,
/// under the distance graph's name (`-d.`), for the travel-time graph (`-t.`) too.
fs::path coordinates_beside(const fs::path& stem) {
  if (fs::path own = plain_or_gzip(stem, ".co"); !own.empty()) return own;
  std::string name = stem.filename().string();
  const std::size_t time = name.find("-t.");
  if (time == std::string::npos) return {};
  name.replace(time, 3, "-d.");
  return plain_or_gzip(stem.parent_path() / name, ".co");
}

Graph open_dimacs(const fs::path& path) {
  Graph graph = read_gr(path);
  const fs::path stem = path.parent_path() / graph_stem(path.filename().string());
  const fs::path coordinates = coordinates_beside(stem);
  if (coordinates.empty()) return graph;
  return with_coordinates(graph, read_co(coordinates, graph.vertex_count()));
}

[[noreturn]] void reject(const std::string& reference) {
  std::vector<std::string> known = catalogued_graphs();
  const auto whole = std::ranges::find_if(
      known, [&](const std::string& id) { return id == std::string(kCatalogue) + reference; });
  if (whole != known.end()) {
    throw InputError(reference, "no such file", "did you mean '" + *whole + "'?");
  }
  std::string remedy = nearest(reference, known);
  if (!remedy.empty()) {
    remedy = "did you mean '" + remedy + "'?";
  } else {
    known.insert(known.end(),
                 {"grid:rows=R,columns=C", "random:n=N,m=M", "FILE.gr[.gz]", "FILE.bmg"});
    remedy = "known: " + join(known, ", ");
  }
  throw InputError(reference, "no such graph", remedy);
}

}  // namespace

Graph open_graph(const std::string& reference) {
  if (reference.starts_with("grid:") || reference.starts_with("random:")) {
    return make_graph(reference);
  }
  if (reference.starts_with(kCatalogue)) {
    const fs::path path = catalogued_file(reference, ".gr");
    if (path.empty()) reject(reference);
    return open_dimacs(path);
  }
  std::error_code ignored;
  if (!fs::exists(reference, ignored)) reject(reference);
  if (reference.ends_with(".bmg")) return open_binary(reference);
  if (!graph_stem(fs::path(reference).filename().string()).empty()) return open_dimacs(reference);
  throw InputError(reference, "not the name of a graph file", "graphs end in .gr, .gr.gz or .bmg");
}

std::vector<std::string> catalogued_graphs() {
  std::set<std::string> ids;
  for (const fs::path& folder : data_folders()) {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder / kCatalogueFolder, ignored)) {
      const std::string stem = graph_stem(entry.path().filename().string());
      if (!stem.empty()) ids.insert(std::string(kCatalogue) + stem);
    }
  }
  return {ids.begin(), ids.end()};
}

fs::path catalogued_file(const std::string& id, const std::string& suffix) {
  if (!id.starts_with(kCatalogue)) return {};
  const std::string stem = id.substr(kCatalogue.size());
  // An id is a name, not a way out of the data folder.
  if (stem.empty() || stem.find('/') != std::string::npos) return {};
  for (const fs::path& folder : data_folders()) {
    const fs::path base = folder / kCatalogueFolder / stem;
    fs::path path = suffix == ".co" ? coordinates_beside(base) : plain_or_gzip(base, suffix);
    if (!path.empty()) return path;
  }
  return {};
}

std::vector<fs::path> data_folders() {
  std::vector<fs::path> candidates;
  if (const char* named = std::getenv("BELLMARK_DATA"); named != nullptr && *named != '\0') {
    candidates.emplace_back(named);
  }
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored); !program.empty()) {
    candidates.push_back(program.parent_path() / "data");
    candidates.push_back(program.parent_path().parent_path() / "data");
  }
  candidates.emplace_back(BELLMARK_SOURCE_DATA);
  std::vector<fs::path> folders;
  for (const fs::path& candidate : candidates) {
    const fs::path folder = fs::weakly_canonical(candidate, ignored);
    if (fs::is_directory(folder, ignored) && std::ranges::find(folders, folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
  return folders;
}

}  // namespace bellmark
