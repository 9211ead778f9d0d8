#include "harness/serve/search_desk.hpp"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/serve/guarded.hpp"
#include "harness/serve/limits.hpp"

namespace bellmark::serve {
namespace {

struct SearchRequest {
  const Map& map;
  Metric metric;
  std::string variant;
  SnappedPoint start;
  SnappedPoint goal;
  std::size_t most_events;
};

std::string variant_of(const std::string& name) {
  const std::vector<std::string> names = served::watched_variants();
  const auto found = std::ranges::find_if(names, [&](const std::string& known) {
    return known == name || known.substr(0, known.find(':')) == name;
  });
  if (found != names.end()) return *found;
  throw Refusal(404, "unknown-variant", "'" + name + "' is not a variant that can be watched",
                "variant", suggestion(name, names));
}

SearchRequest read_search_request(const Service& service, const std::string& body) {
  const Json json = read_json(body);
  RequestObject object(json, "");
  const Map& map = requested_map(service, object);
  const Metric metric = requested_metric(object);
  find_roads(map, metric);
  const auto point = [&](const char* key) {
    return snap_point(service, map, read_point(object.get(key), key, map), key);
  };
  SearchRequest request{.map = map,
                        .metric = metric,
                        .variant = variant_of(object.text("variant")),
                        .start = point("start"),
                        .goal = point("goal"),
                        .most_events = 0};
  request.most_events = static_cast<std::size_t>(
      object.integer("events", 1, std::int64_t{kMostEvents}, std::int64_t{kMostEvents}));
  object.end();
  return request;
}

Json to_json(const SearchRequest& request, const served::Trace& trace, double prepare_ms) {
  Json json;
  json["map"] = request.map.name;
  json["metric"] = to_string(request.metric);
  json["variant"] = request.variant;
  json["start"] = to_json(request.map, request.start);
  json["goal"] = to_json(request.map, request.goal);
  const bool is_reached = trace.answer.distance != kUnreached;
  json["length"] = is_reached ? Json(trace.answer.distance) : Json();
  json["path"] = Json::array();
  for (const Vertex v : trace.answer.path) json["path"].push_back(std::uint64_t{v} + 1);
  json["settled_count"] = trace.settled_count;
  json["is_cut"] = trace.events.size() < trace.settled_count;
  json["search_ms"] = rounded_ms(trace.search_ms);
  json["prepare_ms"] = rounded_ms(prepare_ms);
  for (const char* key :
       {"vertices", "predecessors", "longitudes", "latitudes", "labels", "sides"}) {
    json[key] = Json::array();
  }
  const auto coordinates = request.map.graph().coordinates();
  const bool has_sides =
      std::ranges::any_of(trace.events, [](const served::Event& event) { return event.side != 0; });
  for (const served::Event& event : trace.events) {
    json["vertices"].push_back(std::uint64_t{event.vertex} + 1);
    json["predecessors"].push_back(
        event.predecessor == kNoVertex ? Json() : Json(std::uint64_t{event.predecessor} + 1));
    json["longitudes"].push_back(coordinates[event.vertex].longitude);
    json["latitudes"].push_back(coordinates[event.vertex].latitude);
    json["labels"].push_back(event.label);
    if (has_sides) json["sides"].push_back(event.side);
  }
  return json;
}

}  // namespace

SearchDesk::SearchDesk(const Service& service, const std::atomic<bool>& stop)
    : service_(service), stop_(stop), thread_([this] { work(); }) {}

SearchDesk::~SearchDesk() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool SearchDesk::take(std::string body, Respond respond) {
  {
    const std::lock_guard lock(mutex_);
    if (is_busy_ || is_ending_) return false;
    is_busy_ = true;
    body_ = std::move(body);
    respond_ = std::move(respond);
  }
  changed_.notify_one();
  return true;
}

void SearchDesk::work() {
  for (;;) {
    std::string body;
    Respond respond;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || respond_; });
      if (!respond_) return;
      body = std::move(body_);
      respond = std::exchange(respond_, nullptr);
    }
    Answer answered = guarded([&] { return answer(body); });
    {
      // Before the answer: a client that has it may ask again at once.
      const std::lock_guard lock(mutex_);
      is_busy_ = false;
    }
    respond(std::move(answered));
  }
}

SearchDesk::Prepared& SearchDesk::prepared(const Map& map, Metric metric,
                                           const std::string& variant) {
  constexpr std::size_t kKept = 4;
  const std::string key = map.name + " " + to_string(metric) + " " + variant;
  const auto found = std::ranges::find(prepared_, key, &Prepared::key);
  if (found != prepared_.end()) {
    std::rotate(prepared_.begin(), found, found + 1);
    return prepared_.front();
  }
  if (prepared_.size() == kKept) prepared_.pop_back();
  const auto begin = served::Stop::Clock::now();
  const served::Stop stop(served::Stop::Clock::time_point::max(), &stop_);
  auto made = served::prepare_watched(variant, map.roads(metric)->graph, stop);
  const std::chrono::duration<double, std::milli> taken = served::Stop::Clock::now() - begin;
  prepared_.push_front({key, std::move(made), taken.count()});
  return prepared_.front();
}

Answer SearchDesk::answer(const std::string& body) {
  const SearchRequest request = read_search_request(service_, body);
  try {
    Prepared& ready = prepared(request.map, request.metric, request.variant);
    const served::Stop stop(served::Stop::Clock::now() + kTimeToSearch, &stop_);
    try {
      const served::Trace trace = ready.variant->run({request.start.vertex, request.goal.vertex},
                                                     request.most_events, stop);
      return {.body = run::json_text(to_json(request, trace, ready.prepare_ms)) + "\n"};
    } catch (...) {
      prepared_.pop_front();  // it was stopped amid a search
      throw;
    }
  } catch (const Error& error) {
    if (error.code() == ExitCode::internal) throw;
    throw Refusal(422, "unknown-variant", error.what(), "variant",
                  "choose another variant for this map");
  }
}

}  // namespace bellmark::serve
