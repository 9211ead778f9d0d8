// Fetches road graphs. curl downloads to `FILE.part` and continues a broken download. The file is
// read whole (which checks the gzip data) and counted before it gets its name.
#include "harness/cli/graph_get.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"

namespace bellmark::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChallenge = "https://www.diag.uniroma1.it/challenge9/data";

/// One road network; its distance and travel-time graphs have the same arcs.
struct Network {
  const char* name;
  std::uint64_t vertex_count;
  std::uint64_t arc_count;
};

// yasui2011, Table 22.
constexpr Network kNetworks[] = {
    {"NY", 264'346, 733'846},      {"BAY", 321'270, 800'172},       {"COL", 435'666, 1'057'066},
    {"FLA", 1'070'376, 2'712'798}, {"NW", 1'207'945, 2'840'208},    {"NE", 1'524'453, 3'897'636},
    {"CAL", 1'890'815, 4'657'742}, {"LKS", 2'758'119, 6'885'658},   {"E", 3'598'623, 8'778'114},
    {"W", 6'262'104, 15'248'146},  {"CTR", 14'081'816, 34'292'496}, {"USA", 23'947'347, 58'333'344},
};

struct Source {
  std::string id;    ///< `dimacs:USA-road-d.NY`
  std::string file;  ///< `USA-road-d.NY.gr.gz`
  std::string path;  ///< below the challenge's data: `USA-road-d/USA-road-d.NY.gr.gz`
  Network network;
};

std::vector<Source> sources() {
  std::vector<Source> all;
  for (const std::string kind : {"d", "t"}) {
    for (const Network& network : kNetworks) {
      const std::string family = "USA-road-" + kind;
      const std::string name = family + "." + network.name;
      all.push_back({"dimacs:" + name, name + ".gr.gz", family + "/" + name + ".gr.gz", network});
    }
  }
  return all;
}

Source find_source(const std::string& id) {
  const std::vector<Source> all = sources();
  const auto found = std::ranges::find(all, id, &Source::id);
  if (found != all.end()) return *found;
  std::vector<std::string> ids;
  ids.reserve(all.size());
  for (const Source& source : all) ids.push_back(source.id);
  throw InputError(id, "is not a graph that can be fetched",
                   suggestion(id, ids) + " (`bellmark graph get --list`)");
}

void print_list() {
  for (const Source& source : sources()) {
    const fs::path here = catalogued_file(source.id, ".gr");
    std::cout << source.id << "  " << source.network.vertex_count << " vertices, "
              << source.network.arc_count << " arcs  "
              << (here.empty() ? "not here" : here.string()) << '\n';
  }
}

/// How curl ended; nothing if it is missing.
std::optional<ExitStatus> run_curl(const std::string& url, const fs::path& part) {
  const std::string curl = find_program("curl");
  if (curl.empty()) return std::nullopt;
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  return run_program({curl, "--fail", "--location", "--retry", "3", "--continue-at", "-",
                      "--output", part.string(), "--url", url,
                      shown ? "--progress-bar" : "--silent", "--show-error"});
}

std::string curl_end_text(const ExitStatus& status) {
  if (const auto code = status.code()) return "curl's exit status " + std::to_string(*code);
  return "curl was " + status.text();
}

/// Why the file is not the graph; empty when it is.
std::string fault_of(const fs::path& file, const Network& network) {
  try {
    const Graph graph = read_gr(file);
    if (graph.vertex_count() == network.vertex_count && graph.arc_count() == network.arc_count) {
      return {};
    }
    return "it has " + std::to_string(graph.vertex_count()) + " vertices and " +
           std::to_string(graph.arc_count()) + " arcs";
  } catch (const InputError& error) {
    return error.what();
  }
}

bool has_bytes(const fs::path& file) {
  std::error_code ignored;
  const auto size = fs::file_size(file, ignored);
  return !ignored && size > 0;
}

void download(const Source& source, const std::string& url, const fs::path& target,
              const fs::path& part) {
  constexpr int kCannotResume = 33;  // curl(1): the server can't do ranges
  std::optional<ExitStatus> status = run_curl(url, part);
  if (status && status->code() == kCannotResume) {
    fs::remove(part);
    status = run_curl(url, part);
  }
  if (status && status->is_success()) return;
  // A finished part can't be continued: servers refuse the empty rest.
  if (has_bytes(part) && fault_of(part, source.network).empty()) return;
  throw MachineError(url,
                     status ? "not fetched (" + curl_end_text(*status) + ")"
                            : "not fetched: curl can't be started",
                     (status ? std::string("run this again and it goes on where it stopped; or ")
                             : std::string("install curl; or ")) +
                         "bring that file here by other means as " + target.string() +
                         " and check that `bellmark graph info " + source.id + "` says " +
                         std::to_string(source.network.vertex_count) + " vertices and " +
                         std::to_string(source.network.arc_count) + " arcs");
}

/// A file with its final name must be there after a power failure too.
void sync(const fs::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool synced = descriptor >= 0 && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (!synced) throw MachineError(file.string(), std::strerror(error), "check the disk");
}

void get(const std::string& id, const std::string& from, const fs::path& folder) {
  const Source source = find_source(id);
  const fs::path target = folder / "dimacs" / source.file;
  if (fs::exists(target)) {
    std::cerr << target.string() << " is there already\n";
    return;
  }
  std::error_code error;
  fs::create_directories(target.parent_path(), error);
  if (error) {
    throw MachineError(target.parent_path().string(), error.message(),
                       "name another folder with --folder");
  }
  const fs::path part = target.string() + ".part";
  const std::string url = from + (from.ends_with('/') ? "" : "/") + source.path;
  std::cerr << "fetching " << url << '\n';
  download(source, url, target, part);
  if (const std::string fault = fault_of(part, source.network); !fault.empty()) {
    fs::remove(part);
    throw InputError(url, "not the graph that was asked for: " + fault,
                     "it was removed; try again, or another --from");
  }
  sync(part);
  fs::rename(part, target);
  std::cerr << "fetched " << target.string() << ": " << source.network.vertex_count << " vertices, "
            << source.network.arc_count << " arcs\n";
}

}  // namespace

Command graph_get_command() {
  struct Options {
    std::vector<std::string> ids;
    std::string from = kChallenge;
    std::string folder = download_folder().string();
    bool list = false;
  };
  return {"get", "Fetch road graphs of the 9th DIMACS challenge: 12 by distance, 12 by travel time",
          "Needs curl. A broken download goes on where it stopped.\n"
          "\n  bellmark graph get dimacs:USA-road-d.COL",
          [](CLI::App& app) -> Action {
            const auto options = std::make_shared<Options>();
            app.add_option("ID", options->ids, "graphs to fetch: dimacs:USA-road-d.COL");
            app.add_flag("--list", options->list,
                         "list these graphs, and say for each whether it is here");
            app.add_option("--from", options->from, "URL of the challenge's data, or of a copy")
                ->capture_default_str();
            app.add_option("--folder", options->folder,
                           "data folder; the graph goes into its dimacs/")
                ->capture_default_str();
            return [options](const Argv&) {
              if (options->ids.empty() && !options->list) {
                throw InputError("graph get", "no graph named", "name one, or ask for --list");
              }
              if (options->list) print_list();
              for (const std::string& id : options->ids) get(id, options->from, options->folder);
              return ExitCode::ok;
            };
          }};
}

}  // namespace bellmark::cli
