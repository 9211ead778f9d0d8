#include "harness/plan/plan.hpp"

namespace bellmark::plan {
namespace {

Json shard_json(const std::optional<Shard>& shard) {
  if (!shard) return nullptr;
  return {{"index", shard->index}, {"count", shard->count}};
}

std::vector<Axis> axes_from_json(const Json& json) {
  std::vector<Axis> axes;
  for (const auto& [name, values] : json.items()) {
    axes.emplace_back(name, values.get<std::vector<AxisValue>>());
  }
  return axes;
}

Json builds_json(const std::vector<Build>& builds) {
  Json json = Json::array();
  for (const Build& build : builds) {
    json.push_back({{"name", build.name}, {"program", build.program}, {"facts", build.facts}});
  }
  return json;
}

std::vector<Build> builds_from_json(const Json& json) {
  std::vector<Build> builds;
  for (const Json& build : json) {
    builds.push_back({build.at("name").get<std::string>(), build.at("program").get<std::string>(),
                      build.at("facts")});
  }
  return builds;
}

template <class T>
Json nullable(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

template <class T>
std::optional<T> from_nullable(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return json.get<T>();
}

}  // namespace

Json Options::to_json() const {
  Json axes_json = Json::object();
  for (const auto& [name, values] : axes) axes_json[name] = values;
  return {{"form", form},
          {"variants", variants},
          {"graphs", graphs},
          {"placements", placements},
          {"axes", axes_json},
          {"counters", counters},
          {"profiles", profiles},
          {"query_count", nullable(query_count)},
          {"seed", nullable(seed)},
          {"budget_s", nullable(budget_s)},
          {"timeout_s", nullable(timeout_s)},
          {"launcher", launcher},
          {"baseline", baseline},
          {"pages", pages},
          {"prepared", prepared},
          {"shard", shard_json(shard)},
          {"builds", builds_json(builds)},
          {"least_ratio", nullable(least_ratio)},
          {"energy", energy},
          {"force", force},
          {"until_decided", until_decided}};
}

Options Options::from_json(const Json& json) {
  Options options;
  options.form = json.at("form").get<std::string>();
  options.variants = json.at("variants").get<std::vector<std::string>>();
  options.graphs = json.at("graphs").get<std::vector<std::string>>();
  options.placements = json.at("placements").get<std::vector<std::string>>();
  options.axes = axes_from_json(json.at("axes"));
  options.counters = json.at("counters").get<std::vector<std::string>>();
  options.profiles = json.value("profiles", std::vector<std::string>());
  options.query_count = from_nullable<std::uint64_t>(json.at("query_count"));
  options.seed = from_nullable<std::uint64_t>(json.at("seed"));
  options.budget_s = from_nullable<double>(json.at("budget_s"));
  options.timeout_s = from_nullable<double>(json.at("timeout_s"));
  options.launcher = json.value("launcher", "");
  options.baseline = json.value("baseline", std::vector<std::string>());
  options.pages = json.value("pages", "");
  options.prepared = json.value("prepared", "");
  if (const Json shard = json.value("shard", Json()); !shard.is_null()) {
    options.shard = {shard.at("index").get<std::size_t>(), shard.at("count").get<std::size_t>()};
  }
  options.builds = builds_from_json(json.value("builds", Json::array()));
  options.least_ratio = from_nullable<double>(json.value("least_ratio", Json()));
  options.energy = json.value("energy", false);
  options.force = json.at("force").get<bool>();
  options.until_decided = json.value("until_decided", false);
  return options;
}

}  // namespace bellmark::plan
