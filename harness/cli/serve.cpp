// `bellmark serve`: routes over road graphs, on a page and by an API.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/experiment_options.hpp"
#include "harness/machine/location.hpp"
#include "harness/machine/thread_places.hpp"
#include "harness/machine/topology.hpp"
#include "harness/serve/api.hpp"
#include "harness/serve/http.hpp"
#include "harness/serve/limits.hpp"
#include "harness/serve/page_files.hpp"
#include "harness/serve/search_desk.hpp"
#include "harness/serve/service.hpp"
#include "harness/serve/workers.hpp"

namespace bellmark::cli {
namespace {

struct ServeOptions {
  std::vector<std::string> roads;
  std::vector<std::string> times;
  std::string address = "127.0.0.1";
  std::uint16_t port = 8080;
  bool is_insecure = false;
  std::vector<std::string> hosts;
  std::string placement = "none";
  std::size_t worker_count = 0;
  std::size_t queue_limit = 64;
  double deadline_seconds = 10;
  double snap_metres = 1000;
  std::uint64_t certify_every = 1000;
  std::string page;
};

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1" || address == "localhost";
}

void check(const ServeOptions& options) {
  if (is_loopback(options.address) || options.is_insecure) return;
  throw InputError("--listen",
                   "others could reach " + options.address + ", and there is no login and no TLS",
                   "put a proxy in front of it, or add --insecure");
}

std::size_t worker_count(const ServeOptions& options, const machine::Placement& placement) {
  if (!placement.workers.empty()) {
    if (options.worker_count != 0 && options.worker_count != placement.workers.size()) {
      throw InputError("--workers", "differs from the places that -c names", "leave one out");
    }
    return placement.workers.size();
  }
  if (options.worker_count != 0) return options.worker_count;
  return std::max(1U, std::thread::hardware_concurrency());
}

machine::Placement one_placement(const machine::Topology& topology, const std::string& word) {
  const std::vector<machine::Placement> placements = machine::expand(topology, word);
  if (placements.size() == 1) return placements.front();
  throw InputError("-c", "'" + word + "' is several placements", "name one, e.g. core:all");
}

ExitCode serve_maps(const ServeOptions& options) {
  check(options);
  const auto begin = std::chrono::steady_clock::now();
  // Before the maps, which take a while: a taken port is reported at once.
  serve::HttpServer http({.address = options.address == "localhost" ? "127.0.0.1" : options.address,
                          .port = options.port,
                          .hosts = {options.hosts.begin(), options.hosts.end()},
                          .connection_limit = serve::kMostConnections});
  const machine::Topology topology = machine::Topology::this_machine();
  const machine::Placement placement = one_placement(topology, options.placement);
  serve::Service service{.maps = serve::open_maps(options.roads, options.times),
                         .snap_limit_metres = options.snap_metres,
                         .certify_every = options.certify_every};
  std::error_code unknown;
  if (!options.page.empty() && !std::filesystem::is_directory(options.page, unknown)) {
    throw InputError("--page " + options.page, "is no folder",
                     "name the folder with the files of the page, or leave it out");
  }
  const serve::PageFiles page(options.page.empty() ? serve::page_folder()
                                                   : std::filesystem::path(options.page));
  machine::ThreadPlaces places(topology, placement, false);
  std::atomic<bool> stop = false;
  const auto warm = [&service](serve::WorkArea& area) {
    for (const auto& map : service.maps) area.desk(*map);
  };
  serve::Workers workers(
      worker_count(options, placement), options.queue_limit,
      std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.deadline_seconds)), places,
      warm, stop);
  serve::SearchDesk searches(service, stop);
  serve::Api api(service, workers, searches, page, http.connections());
  for (const auto& map : service.maps) {
    std::cerr << map->name << ": " << map->graph().vertex_count() << " vertices, "
              << map->graph().arc_count() << " arcs, distance" << (map->by_time ? " and time" : "")
              << '\n';
  }
  if (page.empty()) std::cerr << "no page: it was built without node or npm; the API is there\n";
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  std::cerr << "ready after " << static_cast<int>(1000 * taken.count()) << " ms, "
            << workers.worker_counts().size() << " workers\n";
  // First: whoever reads the address may end the server at once.
  http.take_signals();
  std::cout << http.url() << std::endl;
  http.run(api, stop);
  stop = true;
  return ExitCode::ok;
}

}  // namespace

Command serve_command() {
  return {
      "serve", "Serve routes over road graphs: a page with a map, and an API",
      "Answers are exact. The address is printed when the server is ready; SIGTERM ends it.\n"
      "The API is described in docs/reference/routes-api.json.\n\n"
      "  bellmark serve --roads osm:helsinki\n"
      "  bellmark serve --roads dimacs:USA-road-d.NY --time dimacs:USA-road-t.NY -c core:all",
      [](CLI::App& app) -> Action {
        const auto options = std::make_shared<ServeOptions>();
        app.add_option("--roads", options->roads, "graphs with coordinates, one for each map")
            ->required();
        app.add_option("--time", options->times,
                       "a graph of travel times over the same arcs as one of the roads");
        app.add_option("--port", options->port, "port to listen at; 0 takes any free port")
            ->check(whole_number_from(0, std::numeric_limits<std::uint16_t>::max()))
            ->capture_default_str();
        app.add_option("--listen", options->address, "address to listen at")->capture_default_str();
        app.add_flag("--insecure", options->is_insecure,
                     "listen where others can reach it, without login and TLS");
        app.add_option("--host", options->hosts,
                       "name by which clients may call this server, behind a proxy");
        app.add_option("-c,--placement", options->placement,
                       "places of the workers, one worker for each: core:all, core:0-3, none")
            ->capture_default_str();
        app.add_option(
               "--workers", options->worker_count,
               "number of workers, where -c does not say it; 0: one for each processing unit")
            ->check(whole_number_from(0, 1024))
            ->capture_default_str();
        app.add_option("--queue", options->queue_limit,
                       "number of requests that may wait for a worker")
            ->check(whole_number_from(1, 100'000))
            ->capture_default_str();
        app.add_option("--deadline", options->deadline_seconds,
                       "seconds after which a request is given up")
            ->check(CLI::Range(0.001, 3600.0))
            ->capture_default_str();
        app.add_option("--snap", options->snap_metres,
                       "number of metres beyond which a point is off the map")
            ->check(CLI::Range(0.0, 1e7))
            ->capture_default_str();
        app.add_option("--certify-every", options->certify_every,
                       "number of routes of which one is checked by a certified search; 0: none")
            ->check(whole_number_from(0))
            ->capture_default_str();
        app.add_option("--page", options->page, "folder with the files of the page");
        return [options](const Argv&) { return serve_maps(*options); };
      }};
}

}  // namespace bellmark::cli
