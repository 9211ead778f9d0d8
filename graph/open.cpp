// From a reference to a graph: files, catalogued graphs, generated graphs.
#include "graph/open.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/edge_list.hpp"
#include "graph/generate.hpp"
#include "graph/matrix_market.hpp"
#include "graph/order.hpp"
#include "graph/pace.hpp"
#include "graph/reference.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

/// A folder of catalogued graphs. Its name begins their ids.
struct Catalogue {
  std::string_view folder;
  std::string_view suffix;  // of its graphs' names
};
constexpr std::string_view kDimacsSuffix = ".gr";
constexpr std::string_view kPaceSuffix = ".pace.gr";
constexpr std::string_view kMatrixMarketSuffix = ".mtx";
constexpr std::string_view kEdgeListSuffix = ".el";
constexpr std::string_view kWeightedEdgeListSuffix = ".wel";
constexpr Catalogue kCatalogues[] = {
    {"dimacs", kDimacsSuffix}, {"osm", kDimacsSuffix}, {"topology", kPaceSuffix}};

/// `text` without `suffix`; empty if it doesn't end in it.
std::string without_suffix(const std::string& text, std::string_view suffix) {
  if (text.size() <= suffix.size() || !text.ends_with(suffix)) return {};
  return text.substr(0, text.size() - suffix.size());
}

/// `USA-road-d.NY` of `USA-road-d.NY.gr.gz` and the suffix ".gr"; empty for another kind of file.
std::string graph_stem(const std::string& name, std::string_view suffix) {
  const std::string stem = without_suffix(name, std::string(suffix) + ".gz");
  return stem.empty() ? without_suffix(name, suffix) : stem;
}

/// The catalogue that an id names, and the name within it; null for a text that is not an id.
std::pair<const Catalogue*, std::string> split_id(const std::string& id) {
  for (const Catalogue& catalogue : kCatalogues) {
    const std::string prefix = std::string(catalogue.folder) + ":";
    if (!id.starts_with(prefix)) continue;
    const std::string stem = id.substr(prefix.size());
    // An id is a name, not a way out of the data folder.
    if (!stem.empty() && stem.find('/') == std::string::npos) return {&catalogue, stem};
  }
  return {nullptr, {}};
}

/// `stem + suffix`, plain or gzip: the one that exists, plain first.
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
/// under the distance graph's name (`-d.`), and they serve the travel-time graph (`-t.`) too. Other
/// files are named after the place, for `monaco-d` and `monaco-t` alike.
fs::path coordinates_beside(const fs::path& stem) {
  if (fs::path own = plain_or_gzip(stem, ".co"); !own.empty()) return own;
  std::string name = stem.filename().string();
  for (const char* kind : {"-d", "-t"}) {
    const std::string place = without_suffix(name, kind);
    if (!place.empty()) return plain_or_gzip(stem.parent_path() / place, ".co");
  }
  const std::size_t time = name.find("-t.");
  if (time == std::string::npos) return {};
  name.replace(time, 3, "-d.");
  return plain_or_gzip(stem.parent_path() / name, ".co");
}

/// A path that exists but can't be read counts as well: opening it gives the reason.
bool may_be_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) || (error && error != std::errc::filename_too_long);
}

bool is_text_name(const std::string& name) {
  return std::ranges::any_of(
      std::array{kPaceSuffix, kMatrixMarketSuffix, kEdgeListSuffix, kWeightedEdgeListSuffix,
                 kDimacsSuffix},
      [&](std::string_view form) { return !graph_stem(name, form).empty(); });
}

/// The factor for the file's numbers; nothing if they must be whole.
std::optional<double> factor_of(const GraphReference& reference) {
  if (reference.generator != nullptr || reference.keys.empty()) return std::nullopt;
  const LengthScheme scheme = reference.lengths();
  if (scheme.kind != LengthScheme::Kind::scaled) return std::nullopt;
  return scheme.factor;
}

/// Reads a text file, in the form of its name.
Graph open_text(const fs::path& path, std::optional<double> factor) {
  const std::string name = path.filename().string();
  if (!graph_stem(name, kMatrixMarketSuffix).empty()) return read_matrix_market(path, factor);
  if (!graph_stem(name, kWeightedEdgeListSuffix).empty()) return read_wel(path, factor);
  if (factor) {
    throw InputError(path.string(), "lengths=scaled: is for fractions, in .mtx and .wel files",
                     "scale whole lengths by lengths=scale:2^T");
  }
  if (!graph_stem(name, kPaceSuffix).empty()) return read_pace(path);
  if (!graph_stem(name, kEdgeListSuffix).empty()) return read_el(path);
  Graph graph = read_gr(path);
  const fs::path stem = path.parent_path() / graph_stem(name, kDimacsSuffix);
  const fs::path coordinates = coordinates_beside(stem);
  if (coordinates.empty()) return graph;
  return with_coordinates(graph, read_co(coordinates, graph.vertex_count()));
}

/// The nearest id, or the id with the nearest name after its colon; "" when none is near.
std::string nearest_graph(const std::string& source, const std::vector<std::string>& ids) {
  std::string id = nearest(source, ids);
  if (!id.empty()) return id;
  std::vector<std::string> names;
  names.reserve(ids.size());
  for (const std::string& each : ids) names.push_back(each.substr(each.find(':') + 1));
  const auto found = std::ranges::find(names, nearest(source, names));
  return found == names.end() ? "" : ids[static_cast<std::size_t>(found - names.begin())];
}

[[noreturn]] void reject(const GraphReference& reference) {
  const std::string& source = reference.source;
  std::vector<std::string> known = catalogued_graphs();
  const auto whole = std::ranges::find_if(
      known, [&](const std::string& id) { return id.ends_with(":" + source); });
  if (whole != known.end()) {
    throw InputError(source, "no such file", "did you mean '" + *whole + "'?");
  }
  for (const char* ending : {".gr", ".gz", ".mtx", ".el", ".wel", ".bmg"}) {
    if (!source.ends_with(ending)) continue;
    std::error_code ignored;
    throw InputError(source, "no such file",
                     "check the path; the current folder is " + fs::current_path(ignored).string());
  }
  std::string remedy = nearest_graph(source, known);
  const std::size_t colon = source.find(':');
  const std::string generator =
      colon == std::string::npos ? "" : nearest(source.substr(0, colon), generator_names());
  if (!remedy.empty()) {
    remedy = "did you mean '" + remedy + "'?";
    // More of the challenge's graphs exist than this machine has.
    if (source.starts_with("dimacs:")) {
      remedy += " (others can be fetched: bellmark graph get --list)";
    }
  } else if (!generator.empty()) {
    throw InputError(reference.text, "no such graph",
                     "did you mean '" + generator + reference.text.substr(colon) + "'?");
  } else {
    known.insert(known.end(), {"grid:rows=R,columns=C",
                               "random:n=N,m=M",
                               "kronecker:scale=S",
                               "road:",
                               "long:scale=S",
                               "square:scale=S",
                               "random4:scale=S",
                               "tile:REF,copies=N",
                               "hyperbolic:n=N,degree=D",
                               "geometric:n=N,degree=D",
                               "delaunay:n=N",
                               "nearest:n=N,k=K",
                               "rmat:scale=S",
                               "mesh:x=X,y=Y,z=Z",
                               "chain:n=N",
                               "star:n=N",
                               "FILE.gr[.gz]",
                               "FILE.pace.gr[.gz]",
                               "FILE.mtx[.gz]",
                               "FILE.el[.gz]",
                               "FILE.wel[.gz]",
                               "FILE.bmg"});
    remedy = "known: " + join(known, ", ");
  }
  throw InputError(source, "no such graph", remedy);
}

/// The file of an id, or the file itself. Throws InputError when it is missing, or when its name is
/// not a graph's.
fs::path file_of(const GraphReference& reference) {
  const std::string& source = reference.source;
  fs::path path = source;
  if (is_catalogue_id(source)) path = catalogued_file(source, ".gr");
  if (path.empty() || !may_be_there(path)) reject(reference);
  if (source.ends_with(".bmg") || is_text_name(path.filename().string())) return path;
  throw InputError(
      source, "not the name of a graph file",
      "graphs end in .gr, .pace.gr, .mtx, .el or .wel, with or without .gz, or in .bmg");
}

/// The graph of an id or a file.
Graph read_source(const GraphReference& reference) {
  const std::string& source = reference.source;
  const fs::path path = file_of(reference);
  const std::optional<double> factor = factor_of(reference);
  return source.ends_with(".bmg") && !factor ? open_binary(source) : open_text(path, factor);
}

Graph changed(const Graph& graph, const std::string& key, const std::string& word) {
  if (key == "arcs") return with_arcs(graph, word);
  if (key == "order") return reordered(graph, word);
  return with_row_order(graph, word);
}

}  // namespace

Graph open_graph(const GraphReference& reference) {
  Graph graph;
  if (reference.generator != nullptr) {
    graph = reference.generator->make(reference);
  } else {
    graph = read_source(reference);
    if (factor_of(reference)) {
      graph.set_provenance(graph.provenance() + ",lengths=" + to_string(reference.lengths()));
    } else if (!reference.keys.empty()) {
      graph = with_lengths(graph, reference.lengths(), reference.seed());
    }
  }
  for (const auto& [key, word] : reference.changes) graph = changed(graph, key, word);
  return graph;
}

Graph open_graph(const std::string& reference) { return open_graph(parse_reference(reference)); }

bool opens_at_once(const std::string& text) {
  constexpr std::uint64_t kFewArcs = 1 << 18;
  constexpr std::uint64_t kSmallScale = 14;
  constexpr std::uintmax_t kSmallFile = 8 << 20;
  const GraphReference reference = parse_reference(text);
  const Graph vertex = make_grid(1, 1, 1, {}, 1);
  for (const auto& [key, word] : reference.changes) changed(vertex, key, word);
  if (reference.generator == nullptr) {
    std::error_code ignored;
    const fs::path file = file_of(reference);
    return reference.source.ends_with(".bmg") || fs::file_size(file, ignored) <= kSmallFile;
  }
  const auto few = [&](const char* key, std::uint64_t most) {
    return !reference.keys.contains(key) || reference.count(key) <= most;
  };
  constexpr std::uint64_t kShortSide = 512;
  constexpr std::uint64_t kFewCopies = 4;
  constexpr std::uint64_t kMeshSide = 64;
  constexpr std::uint64_t kFewNeighbours = 64;
  if (const auto tiled = reference.keys.find("REF"); tiled != reference.keys.end()) {
    return few("copies", kFewCopies) && opens_at_once(tiled->second);
  }
  return few("scale", kSmallScale) && few("n", kFewArcs) && few("m", kFewArcs) &&
         few("rows", kShortSide) && few("columns", kShortSide) && few("x", kMeshSide) &&
         few("y", kMeshSide) && few("z", kMeshSide) && few("k", kFewNeighbours) &&
         (!reference.keys.contains("degree") || reference.real("degree") <= kFewNeighbours);
}

bool is_catalogue_id(const std::string& text) { return split_id(text).first != nullptr; }

std::vector<std::string> catalogued_graphs() {
  std::set<std::string> ids;
  for (const fs::path& folder : data_folders()) {
    for (const Catalogue& catalogue : kCatalogues) {
      std::error_code ignored;
      for (const auto& entry : fs::directory_iterator(folder / catalogue.folder, ignored)) {
        const std::string stem = graph_stem(entry.path().filename().string(), catalogue.suffix);
        if (!stem.empty()) ids.insert(std::string(catalogue.folder) + ":" + stem);
      }
    }
  }
  return {ids.begin(), ids.end()};
}

fs::path catalogued_file(const std::string& id, const std::string& suffix) {
  const auto& [catalogue, stem] = split_id(id);
  if (catalogue == nullptr) return {};
  for (const fs::path& folder : data_folders()) {
    const fs::path base = folder / catalogue->folder / stem;
    fs::path path = suffix == ".co"   ? coordinates_beside(base)
                    : suffix == ".gr" ? plain_or_gzip(base, std::string(catalogue->suffix))
                                      : plain_or_gzip(base, suffix);
    if (!path.empty()) return path;
  }
  return {};
}

std::vector<fs::path> data_folders() {
  std::vector<fs::path> candidates = {download_folder()};
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored); !program.empty()) {
    candidates.push_back(program.parent_path() / "data");
    candidates.push_back(program.parent_path().parent_path() / "data");
  }
  candidates.push_back(fs::path(installation().share) / "data");
  std::vector<fs::path> folders;
  for (const fs::path& candidate : candidates) {
    const fs::path folder = fs::weakly_canonical(candidate, ignored);
    if (fs::is_directory(folder, ignored) && std::ranges::find(folders, folder) == folders.end()) {
      folders.push_back(folder);
    }
  }
  return folders;
}

fs::path download_folder() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value == nullptr ? "" : value);
  };
  if (fs::path named = set("BELLMARK_DATA"); !named.empty()) return named;
  if (const fs::path data = set("XDG_DATA_HOME"); !data.empty()) return data / "bellmark";
  if (const fs::path home = set("HOME"); !home.empty()) return home / ".local/share/bellmark";
  return "data";
}

}  // namespace bellmark
