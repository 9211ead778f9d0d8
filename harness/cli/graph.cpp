// `bellmark graph`: results go to stdout, everything else to stderr.
#include "graph/graph.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "graph/binary.hpp"
#include "graph/dimacs.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/reference.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/graph_get.hpp"
#include "harness/cli/graph_make.hpp"
#include "harness/run/protocol/json_text.hpp"

namespace bellmark::cli {
namespace {

constexpr const char* kGraphHelp =
    "a catalogued id (dimacs:USA-road-d.NY), a file (.gr, .pace.gr, Matrix Market's .mtx, an edge\n"
    "list .el or .wel, each plain or .gz; .bmg), or a formula (grid:rows=64,columns=64,\n"
    "kronecker:scale=20, square:scale=16, road:). An id or a file takes lengths after it\n"
    "(topology:USA-road.NW,lengths=hash:1..10000,seed=1). Each takes more words after it:\n"
    ",arcs=both makes it undirected (my.el.gz,arcs=both); ,order=WORD renumbers its vertices;\n"
    ",row-order=by-length sorts its rows (words: `bellmark graph make --help`)";

struct Degrees {
  Offset least = 0;
  Offset largest = 0;
  double mean = 0;
};

Degrees find_degrees(const Graph& graph) {
  Degrees degrees;
  if (graph.vertex_count() == 0) return degrees;
  const auto offsets = graph.row_offsets();
  degrees.least = graph.arc_count();
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    const Offset degree = offsets[v + 1] - offsets[v];
    degrees.least = std::min(degrees.least, degree);
    degrees.largest = std::max(degrees.largest, degree);
  }
  degrees.mean = static_cast<double>(graph.arc_count()) / graph.vertex_count();
  return degrees;
}

/// The rounding of a file's fractions to whole lengths; "" if there were none.
std::string rounding_text(const GraphReference& reference) {
  if (reference.generator != nullptr || reference.keys.empty()) return {};
  const LengthScheme scheme = reference.lengths();
  if (scheme.kind != LengthScheme::Kind::scaled) return {};
  return ", the file's times " + shortest(scheme.factor) +
         ", rounded to the nearest (halves away from 0, and only 0 to 0)";
}

void print_info(const std::string& reference, bool as_json) {
  const GraphReference parsed = parse_reference(reference);
  const Graph graph = open_graph(parsed);
  // A damaged mapped file must be found before its rows are read.
  verify_graph(graph, reference);
  const GraphProperties& properties = graph.properties();
  const Degrees degrees = find_degrees(graph);
  const DistanceBound bound = distance_bound(graph);
  const bool has_list = !graph.edge_list_degrees().empty();
  if (as_json) {
    const nlohmann::ordered_json json = {
        {"reference", reference},
        {"vertex_count", graph.vertex_count()},
        {"arc_count", graph.arc_count()},
        {"symmetric", properties.symmetric},
        {"sorted_rows", properties.sorted_rows},
        {"has_lengths", graph.has_lengths()},
        {"least_length", properties.least_length},
        {"largest_length", properties.largest_length},
        {"least_degree", degrees.least},
        {"mean_degree", degrees.mean},
        {"largest_degree", degrees.largest},
        {"distance_bound", {{"value", bound.value}, {"rule", bound.rule}}},
        {"has_coordinates", !graph.coordinates().empty()},
        {"edge_list_edge_count", has_list ? nlohmann::ordered_json(edge_list_edge_count(graph))
                                          : nlohmann::ordered_json(nullptr)},
        {"content_digest", graph.content_digest()},
        {"provenance", graph.provenance()}};
    std::cout << run::json_text(json, 2) << '\n';
    return;
  }
  const auto yes = [](bool value) { return value ? "yes" : "no"; };
  std::cout << "vertices        " << graph.vertex_count() << '\n'
            << "arcs            " << graph.arc_count() << '\n'
            << "symmetric       " << yes(properties.symmetric) << '\n'
            << "sorted rows     " << yes(properties.sorted_rows) << '\n'
            << "lengths         ";
  if (graph.has_lengths()) {
    std::cout << properties.least_length << " to " << properties.largest_length
              << rounding_text(parsed) << '\n';
  } else {
    std::cout << "none, every arc counts as 1\n";
  }
  std::cout << "degree          " << degrees.least << " to " << degrees.largest << ", mean "
            << degrees.mean << '\n'
            << "distance bound  " << bound.value << " by " << bound.rule << '\n'
            << "coordinates     " << yes(!graph.coordinates().empty()) << '\n';
  if (has_list) {
    std::cout << "edge list       " << edge_list_edge_count(graph)
              << " edges, loops and duplicates included\n";
  }
  std::cout << "digest          " << graph.content_digest() << '\n'
            << "provenance      " << escaped(graph.provenance()) << '\n';
}

/// Writes the form of the name's ending.
void write_graph(const Graph& graph, const std::string& path) {
  if (path.ends_with(".pace.gr") || path.ends_with(".pace.gr.gz")) {
    throw InputError(path,
                     "PACE text is read, not written, and what is written would be read as it",
                     "end the name in .bmg, .gr or .gr.gz, without .pace");
  }
  if (path.ends_with(".bmg")) {
    write_binary(graph, path);
  } else if (path.ends_with(".gr") || path.ends_with(".gr.gz")) {
    // Coordinates first: a graph file that exists is complete.
    if (!graph.coordinates().empty()) {
      std::string places = path;
      places.replace(places.rfind(".gr"), 3, ".co");
      write_co(graph, places);
      std::cerr << "wrote " << places << '\n';
    }
    write_gr(graph, path);
  } else {
    throw InputError(path, "unknown form of graph file", "end its name in .bmg, .gr or .gr.gz");
  }
  std::cerr << "wrote " << path << ": " << graph.vertex_count() << " vertices, "
            << graph.arc_count() << " arcs\n";
  std::cout << graph.content_digest() << '\n';
}

/// The exit code is the first failure's.
ExitCode verify_all(const std::vector<std::string>& references) {
  ExitCode code = ExitCode::ok;
  for (const std::string& reference : references) {
    try {
      verify_graph(open_graph(reference), reference);
      std::cout << "ok " << reference << '\n';
    } catch (const Error& error) {
      std::cerr << "bellmark: " << error.what() << '\n';
      if (code == ExitCode::ok) code = error.code();
    }
  }
  return code;
}

Command info_command() {
  struct Options {
    std::string reference;
    bool json = false;
  };
  return {"info", "Show what a graph is, after checking it",
          "\n  bellmark graph info dimacs:USA-road-d.NY", [](CLI::App& app) -> Action {
            const auto options = std::make_shared<Options>();
            app.add_option("REF", options->reference, kGraphHelp)->required();
            app.add_flag("--json", options->json, "print JSON");
            return [options](const Argv&) {
              print_info(options->reference, options->json);
              return ExitCode::ok;
            };
          }};
}

Command convert_command() {
  struct Options {
    std::string from;
    std::string to;
  };
  return {"convert", "Write a graph in another form and print its digest",
          "\n  bellmark graph convert dimacs:USA-road-d.NY ny.bmg", [](CLI::App& app) -> Action {
            const auto options = std::make_shared<Options>();
            app.add_option("REF", options->from, kGraphHelp)->required();
            app.add_option(
                   "FILE", options->to,
                   "file to write: .bmg (mapped at once when opened), .gr or .gr.gz (text);\n"
                   "text puts coordinates into a .co file beside it")
                ->required();
            return [options](const Argv&) {
              const Graph source = open_graph(options->from);
              verify_graph(source, options->from);
              write_graph(source, options->to);
              return ExitCode::ok;
            };
          }};
}

Command verify_command() {
  return {"verify", "Check everything about graph files: digest, rows, heads, lengths, properties",
          "Goes through all files; the exit code is the first failure's.\n"
          "\n  bellmark graph verify ny.bmg",
          [](CLI::App& app) -> Action {
            const auto references = std::make_shared<std::vector<std::string>>();
            app.add_option("FILE", *references, kGraphHelp)->required();
            return [references](const Argv&) { return verify_all(*references); };
          }};
}

/// Answers flags that replace a formula's keys, as older versions took them, with the equal
/// command.
[[noreturn]] void answer_flags(const std::string& formula, const std::vector<std::string>& flags,
                               const std::string& file) {
  throw InputError("graph make " + formula, "a formula has keys in place of flags",
                   "say: bellmark graph make " + shell_word(formula_of_flags(formula, flags)) +
                       " -o " + (file.empty() ? "FILE" : shell_word(file)));
}

struct MakeFlags {
  std::string formula;
  std::string file;
};

void make(const MakeFlags& given, const std::vector<std::string>& flags) {
  const std::string& formula = given.formula;
  const bool has_colon = formula.find(':') != std::string::npos;
  const bool is_known = find_generator(has_colon ? formula : formula + ":") != nullptr;
  if (is_known && (!has_colon || !flags.empty())) answer_flags(formula, flags, given.file);
  const GraphReference reference = parse_formula(formula);
  if (given.file.empty()) throw CLI::RequiredError("--output");
  write_graph(open_graph(reference), given.file);
}

Command make_command() {
  return {"make", "Make a graph from a formula and a seed, the same on every machine",
          formulas_help(), [](CLI::App& app) -> Action {
            const auto given = std::make_shared<MakeFlags>();
            app.allow_extras();  // flags are answered, not refused
            app.add_option("FORMULA", given->formula,
                           "formula of the graph, for instance grid:rows=64,columns=64")
                ->required();
            app.add_option("-o,--output", given->file,
                           "file to write: .bmg, .gr or .gr.gz; needed");
            return [given, &app](const Argv&) {
              make(*given, app.remaining());
              return ExitCode::ok;
            };
          }};
}

}  // namespace

Command graph_command() {
  return {
      "graph",
      "Look at graphs, convert, verify, make and fetch them",
      "A graph is named by a catalogued id, a file, or a formula.\n"
      "\n  bellmark graph info grid:rows=64,columns=64,keep=0.85,seed=1",
      {},
      {info_command(), convert_command(), verify_command(), make_command(), graph_get_command()}};
}

}  // namespace bellmark::cli
