#include "harness/report/trace.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace bellmark::report {
namespace {

double microseconds(double ns) { return ns / 1000; }

/// The tracks of one cell.
class CellTracks {
 public:
  CellTracks(Json& events, std::size_t process) : events_(events), process_(process) {}

  void name_process(const std::string& name) { describe("process_name", 0, name); }

  /// A new track, which gets the later slices.
  void begin(const std::string& name) {
    ++track_;
    at_ns_ = 0;
    describe("thread_name", track_, name);
  }

  /// A slice after the last one.
  void add(const std::string& name, double ns, Json args) {
    add_at(name, at_ns_, ns, std::move(args));
    at_ns_ += ns;
  }

  void add_at(const std::string& name, double begin_ns, double ns, Json args) {
    Json event = {{"name", name},
                  {"ph", "X"},
                  {"ts", microseconds(begin_ns)},
                  {"dur", microseconds(ns)},
                  {"pid", process_},
                  {"tid", track_}};
    if (!args.empty()) event["args"] = std::move(args);
    events_.push_back(std::move(event));
  }

 private:
  void describe(const char* what, std::size_t track, const std::string& name) {
    events_.push_back({{"name", what},
                       {"ph", "M"},
                       {"pid", process_},
                       {"tid", track},
                       {"args", {{"name", name}}}});
  }

  Json& events_;
  std::size_t process_;
  std::size_t track_ = 0;
  double at_ns_ = 0;
};

/// The list of `key` in `cell`, if it is there: older results lack some, and others are null.
Json list_of(const Json& cell, const char* key) {
  const Json list = cell.value(key, Json());
  return list.is_array() ? list : Json::array();
}

/// A phase and the phases within it, from `begin_ns` on.
void add_phase(CellTracks& tracks, const Json& phase, double begin_ns) {
  const double wall_ns = phase.at("wall_ns").get<double>();
  Json args = phase.value("notes", Json::object());
  args["openings_of_all_queries_count"] = phase.at("count");
  tracks.add_at(phase.at("name").get<std::string>(), begin_ns, wall_ns, std::move(args));
  double at = begin_ns;
  for (const Json& child : list_of(phase, "children")) {
    add_phase(tracks, child, at);
    at += child.at("wall_ns").get<double>();
  }
}

void add_phases(CellTracks& tracks, const Json& cell) {
  const Json phases = list_of(cell, "phases");
  if (phases.empty()) return;
  tracks.begin("phases (instrumented, mean of a query)");
  double at = 0;
  for (const Json& phase : phases) {
    add_phase(tracks, phase, at);
    at += phase.at("wall_ns").get<double>();
  }
}

/// A track for each query and clock.
void add_rounds(CellTracks& tracks, const Json& cell) {
  const Json log = cell.value("phase_log", Json());
  if (!log.is_object()) return;
  const auto columns = log.at("columns").get<std::vector<std::string>>();
  for (const Json& query : list_of(log, "first_queries")) {
    for (std::size_t clock = 0; clock < columns.size(); ++clock) {
      if (!columns[clock].ends_with("_ns")) continue;
      tracks.begin("query " + query.at("query").dump() + ": rounds by " + columns[clock]);
      std::size_t round = 0;
      for (const Json& row : query.at("rows")) {
        Json args = Json::object();
        for (std::size_t i = 0; i < columns.size(); ++i) args[columns[i]] = row.at(i);
        tracks.add("round " + std::to_string(round++), row.at(clock).get<double>(),
                   std::move(args));
      }
    }
  }
}

/// Kernels or copies. One without a time is not shown.
void add_gpu(CellTracks& tracks, const Json& cell, const char* key, const char* name,
             const std::string& track) {
  const Json records = list_of(cell, key);
  if (records.empty()) return;
  tracks.begin(track);
  for (const Json& record : records) {
    const Json gpu_ns = record.value("gpu_ns", Json());
    if (!gpu_ns.is_number()) continue;
    Json args = record;
    args.erase(name);
    args.erase("gpu_ns");
    tracks.add(record.at(name).get<std::string>(), gpu_ns.get<double>(), std::move(args));
  }
}

/// The median over blocks of each rank's or process's time of a query.
void add_each(CellTracks& tracks, const Json& spread, const std::string& noun) {
  if (!spread.is_object()) return;
  const Json blocks = list_of(spread, "block_ns");
  if (blocks.empty()) return;
  for (std::size_t i = 0; i < blocks.front().size(); ++i) {
    std::vector<double> times;
    for (const Json& block : blocks) times.push_back(block.at(i).get<double>());
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    tracks.begin(noun + " " + std::to_string(i));
    Json args = Json::object();
    const Json places = list_of(spread, "places");
    if (i < places.size()) {
      args["host"] = places[i].value("host", Json());
      args["place"] = places[i].value("resolved", Json());
    }
    tracks.add("query", *middle, std::move(args));
  }
}

void add_cell(Json& events, std::size_t process, const Json& result, const Json& cell) {
  CellTracks tracks(events, process);
  tracks.name_process(result.at("experiment").at("id").get<std::string>() + ": " +
                      cell.at("label").get<std::string>());
  const Json wall = cell.value("wall_ns", Json());
  if (wall.is_object()) {
    tracks.begin("query (median of timed samples)");
    tracks.add("query", wall.at("median").get<double>(),
               {{"variant", cell.at("variant")},
                {"graph", cell.at("graph")},
                {"placement", cell.at("placement").value("resolved", Json())}});
  }
  add_phases(tracks, cell);
  add_rounds(tracks, cell);
  add_gpu(tracks, cell, "gpu_kernels", "name", "GPU kernels (sums over a pass)");
  add_gpu(tracks, cell, "gpu_copies", "kind", "GPU copies (sums over a pass)");
  add_each(tracks, cell.value("ranks", Json()), "rank");
  add_each(tracks, cell.value("processes", Json()), "process");
}

}  // namespace

Json trace(const std::vector<Json>& results) {
  Json events = Json::array();
  std::size_t process = 0;
  for (const Json& result : results) {
    for (const Json& cell : result.at("cells")) add_cell(events, ++process, result, cell);
  }
  return {{"displayTimeUnit", "ns"},
          {"otherData",
           {{"producer", "bellmark"},
            {"note", "slices show durations; the slices of a track follow one another"}}},
          {"traceEvents", std::move(events)}};
}

}  // namespace bellmark::report
