#include "harness/serve/api.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/cpu_clock.hpp"
#include "harness/serve/guarded.hpp"
#include "harness/serve/limits.hpp"

namespace bellmark::serve {
namespace {

constexpr const char* kTiles = "/api/maps/{map}/tiles/{zoom}/{x}/{y}";

struct Path {
  const char* name;
  const char* method;
};
constexpr std::array<Path, 9> kPaths = {{{"/api/maps", "GET"},
                                         {kTiles, "GET"},
                                         {"/api/nearest", "GET"},
                                         {"/api/route", "POST"},
                                         {"/api/matrix", "POST"},
                                         {"/api/reach", "POST"},
                                         {"/api/search", "POST"},
                                         {"/api/health", "GET"},
                                         {"/api/counts", "GET"}}};

std::string path_of(const std::string& target) {
  return target.substr(0, std::min(target.find_first_of("?#"), target.size()));
}

std::string query_of(const std::string& target) {
  const std::size_t question = target.find('?');
  return question == std::string::npos ? "" : target.substr(question + 1);
}

/// The parts of a tile's path: map, zoom, x, y.
std::optional<std::vector<std::string>> tile_parts(const std::string& path) {
  constexpr std::string_view kMaps = "/api/maps/";
  if (!path.starts_with(kMaps)) return std::nullopt;
  std::vector<std::string> parts = split(std::string_view(path).substr(kMaps.size()), '/');
  if (parts.size() != 5 || parts[1] != "tiles") return std::nullopt;
  parts.erase(parts.begin() + 1);
  return parts;
}

const Path* find_path(const std::string& path) {
  const auto found = std::ranges::find_if(kPaths, [&](const Path& known) {
    return path == known.name || (known.name == std::string_view(kTiles) && tile_parts(path));
  });
  return found == kPaths.end() ? nullptr : &*found;
}

Answer busy(const std::string& what) {
  return answer_of({503, "busy", what, "", "ask again in a second, or start more workers"});
}

std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  in >> whole >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

Work work_of(Service& service, const std::string& path, Request request) {
  if (const auto tile = tile_parts(path)) {
    return [&service, tile = *tile](WorkArea&, const served::Stop&) {
      return answer_tile(service, tile[0], tile[1], tile[2], tile[3]);
    };
  }
  if (path == "/api/maps") {
    return [&service](WorkArea&, const served::Stop&) { return answer_maps(service); };
  }
  if (path == "/api/nearest") {
    return [&service, query = query_of(request.target)](WorkArea&, const served::Stop&) {
      return answer_nearest(service, query);
    };
  }
  const auto answer = path == "/api/matrix"  ? answer_matrix
                      : path == "/api/reach" ? answer_reach
                                             : nullptr;
  return
      [&service, answer, body = std::move(request.body)](WorkArea& area, const served::Stop& stop) {
        return answer != nullptr ? answer(service, area, body, stop)
                                 : answer_route(service, area, body, stop);
      };
}

}  // namespace

Api::Api(Service& service, Workers& workers, SearchDesk& searches, const PageFiles& page,
         const Connections& connections)
    : service_(service),
      workers_(workers),
      searches_(searches),
      page_(page),
      connections_(connections) {}

std::string Api::counted_path(const std::string& target) {
  const Path* const found = find_path(path_of(target));
  return found == nullptr ? "other" : found->name;
}

void Api::count(const std::string& path, unsigned status, double ms) {
  latencies_.add(path, status, ms);
}

void Api::handle(Request request, const Respond& respond) {
  const std::string path = path_of(request.target);
  const Path* const found = find_path(path);
  if (found == nullptr) return respond(page(request, path));
  if (request.method != found->method) {
    Answer answer = answer_of({405, "wrong-method", path + " is asked by " + found->method, "",
                               std::string("send ") + found->method});
    answer.allowed = found->method;
    return respond(std::move(answer));
  }
  if (path == "/api/health") return respond(health());
  if (path == "/api/counts") return respond(guarded([this] { return counts(); }));
  if (path == "/api/search") {
    if (searches_.take(std::move(request.body), respond)) return;
    return respond(answer_of({429, "search-running", "another search is shown at this moment", "",
                              "ask again in a second: one runs at a time"}));
  }
  if (workers_.take(work_of(service_, path, std::move(request)), respond)) return;
  respond(busy("all workers are busy, and the queue is full"));
}

Answer Api::health() const {
  const bool is_wrong = service_.checks.wrong > 0;
  const std::chrono::duration<double> uptime = std::chrono::steady_clock::now() - start_;
  Json json;
  json["status"] = is_stopping_ ? "stopping" : is_wrong ? "wrong-answers" : "ok";
  json["worker_count"] = workers_.worker_counts().size();
  json["uptime_seconds"] = uptime.count();
  Answer answer{.body = run::json_text(json) + "\n"};
  if (is_stopping_ || is_wrong) {
    answer.status = 503;
    answer.retry_after_seconds = kRetryAfterSeconds;
  }
  return answer;
}

Answer Api::counts() const {
  const QueueCounts queue = workers_.queue_counts();
  Json json;
  json["requests"] = latencies_.requests();
  json["answers"] = latencies_.answers();
  json["queue"] =
      Json{{"length", queue.length}, {"limit", queue.limit}, {"longest", queue.longest}};
  json["connections"] = Json{{"open", connections_.open},
                             {"limit", connections_.limit},
                             {"refused", connections_.refused}};
  json["routes"] = Json{{"checked", service_.checks.checked.load()},
                        {"certified", service_.checks.certified.load()},
                        {"wrong", service_.checks.wrong.load()},
                        {"search_cpu_ms", as_ms(service_.checks.search_ns.load())}};
  json["memory_bytes"] = resident_bytes();
  json["cpu_ms"] = as_ms(cpu_ns(CLOCK_PROCESS_CPUTIME_ID));
  json["workers"] = Json::array();
  for (const WorkerCounts& worker : workers_.worker_counts()) {
    json["workers"].push_back(Json{{"place", worker.place},
                                   {"busy_ms", worker.busy_ms},
                                   {"cpu_ms", worker.cpu_ms},
                                   {"request_count", worker.request_count}});
  }
  return {.body = run::json_text(json) + "\n"};
}

Answer Api::page(const Request& request, const std::string& path) const {
  if (const Answer* const file = page_.find(path)) {
    if (request.method == "GET" || request.method == "HEAD") return *file;
    Answer answer = answer_of({405, "wrong-method", path + " is asked by GET", "", "send GET"});
    answer.allowed = "GET, HEAD";
    return answer;
  }
  if (path == "/" && page_.empty()) {
    return {.type = "text/plain; charset=utf-8",
            .body =
                "This server has no page: it was built without node or npm.\n"
                "Its API is below /api; /api/maps is where to begin.\n"};
  }
  std::vector<std::string> known = {"/"};
  for (const Path& each : kPaths) known.emplace_back(each.name);
  return answer_of({404, "unknown-path", "nothing is at " + printable(path, 100), "",
                    suggestion(printable(path, 100), known)});
}

}  // namespace bellmark::serve
