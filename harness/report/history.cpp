#include "harness/report/history.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/report/format.hpp"
#include "harness/report/machine.hpp"
#include "harness/report/unpaired.hpp"

namespace bellmark::report {
namespace {

constexpr const char* kOfSeries[] = {"experiment", "form",      "cell",  "label",  "variant",
                                     "graph",      "placement", "pages", "untimed"};

/// Why a time takes no part in the search for steps; null if it does.
Json doubt_in(const Json& result, const Json& cell) {
  if (!is_measured(result, cell)) return not_measured_text(result, cell);
  if (const std::string why = disturbed_by(cell); !why.empty()) return "disturbed: " + why;
  const Json doubts = cell.value("doubts", Json::array());
  if (!doubts.empty()) return doubts.front();
  const Json& wall = cell.at("wall_ns");
  if (!wall.at("ci95_low").is_null()) return {};
  return wall.at("reason").is_null() ? Json("no 95 % interval") : wall.at("reason");
}

Json point_of(const std::string& file, const Json& result, const Json& cell) {
  const Json& provenance = result.at("provenance");
  return {{"result", file},
          {"started_utc", provenance.at("started_utc")},
          {"version", provenance.at("version")},
          {"git_sha", provenance.at("git_sha")},
          {"git_dirty", provenance.at("git_dirty")},
          {"wall_ns", is_measured(result, cell) ? cell.at("wall_ns") : Json()},
          {"reason", doubt_in(result, cell)},
          {"ratio", nullptr},
          {"ratio_low", nullptr},
          {"ratio_high", nullptr},
          {"step", nullptr}};
}

/// Compares each point with the first of its level.
void find_steps(Json& points, double at_least) {
  const Json* level = nullptr;
  for (Json& point : points) {
    if (!point.at("reason").is_null()) continue;
    if (level == nullptr) {
      level = &point;
      continue;
    }
    const measure::Ratio ratio = unpaired_ratio(level->at("wall_ns"), point.at("wall_ns"));
    point["ratio"] = ratio.value;
    point["ratio_low"] = ratio.interval->low;
    point["ratio_high"] = ratio.interval->high;
    const bool apart = ratio.interval->low > 1 || ratio.interval->high < 1;
    if (!apart || std::abs(ratio.value - 1) <= at_least) continue;
    point["step"] = ratio.value > 1 ? "SLOWER" : "FASTER";
    level = &point;
  }
}

std::string commit_text(const Json& point) {
  constexpr std::size_t kDigits = 12;
  const Json& sha = point.at("git_sha");
  if (!sha.is_string()) return "version " + point.at("version").get<std::string>();
  return sha.get<std::string>().substr(0, kDigits) +
         (point.at("git_dirty") == true ? " and changes" : "");
}

std::string change_text(const Json& point) {
  if (!point.at("reason").is_null()) return "not judged: " + point.at("reason").get<std::string>();
  if (point.at("ratio").is_null()) return "-";
  const measure::Ratio ratio{
      point.at("ratio").get<double>(),
      measure::Interval{point.at("ratio_low").get<double>(), point.at("ratio_high").get<double>()}};
  return ratio_text(ratio) + (point.at("step").is_null() ? "" : ", step");
}

std::string series_text(const Json& series, std::optional<std::size_t> columns) {
  std::vector<std::vector<std::string>> rows = {
      {"begun", "commit", "time of a query", "against its level"}};
  for (const Json& point : series.at("points")) {
    rows.push_back({point.at("started_utc").get<std::string>(), commit_text(point),
                    wall_text(point.at("wall_ns")), change_text(point)});
  }
  return series.at("experiment").get<std::string>() + " (" + series.at("form").get<std::string>() +
         "): " + series.at("label").get<std::string>() + "\n" +
         fitted_or_whole(rows, "  ", columns, rows.front().size()) + "\n";
}

}  // namespace

HistoryEntry history_entry(const std::string& file, const Json& result) {
  HistoryEntry entry{machine_name(result), Json::array()};
  const Json& experiment = result.at("experiment");
  for (const Json& cell : result.at("cells")) {
    entry.cells.push_back({{"experiment", experiment.at("id")},
                           {"form", experiment.at("form")},
                           {"cell", cell.at("id")},
                           {"label", cell.at("label")},
                           {"variant", cell.at("variant")},
                           {"graph", cell.at("graph")},
                           {"placement", cell.at("placement").at("resolved")},
                           {"pages", experiment.value("pages", Json())},
                           {"untimed", cell.value("untimed", Json("nothing"))},
                           {"point", point_of(file, result, cell)}});
  }
  return entry;
}

Json history_json(const std::vector<HistoryEntry>& entries, double at_least) {
  Json document = {{"schema", {{"name", "bellmark-history"}, {"version", "1.0.0"}}},
                   {"machine", entries.empty() ? Json() : Json(entries.front().machine)},
                   {"at_least_ratio", at_least},
                   {"series", Json::array()}};
  Json& all = document["series"];
  std::map<std::string, std::size_t> known;
  for (const HistoryEntry& entry : entries) {
    for (const Json& cell : entry.cells) {
      std::string key;
      for (const char* part : {"experiment", "form", "cell", "pages", "untimed"}) {
        key += cell.at(part).dump() + "\n";
      }
      const auto [at, is_new] = known.emplace(key, all.size());
      if (is_new) {
        Json series = Json::object();
        for (const char* name : kOfSeries) series[name] = cell.at(name);
        series["points"] = Json::array();
        all.push_back(std::move(series));
      }
      all[at->second]["points"].push_back(cell.at("point"));
    }
  }
  for (Json& series : all) {
    Json& points = series["points"];
    std::ranges::stable_sort(points.get_ref<Json::array_t&>(), {}, [](const Json& point) {
      return point.at("started_utc").get_ref<const std::string&>();
    });
    find_steps(points, at_least);
  }
  return document;
}

std::string console_history(const Json& history, std::optional<std::size_t> columns) {
  std::string text;
  std::size_t single = 0;
  std::size_t steps = 0;
  for (const Json& series : history.at("series")) {
    const Json& points = series.at("points");
    if (points.size() < 2) {
      ++single;
      continue;
    }
    steps += static_cast<std::size_t>(std::ranges::count_if(
        points, [](const Json& point) { return !point.at("step").is_null(); }));
    text += series_text(series, columns);
  }
  const std::size_t told = history.at("series").size() - single;
  return text + std::to_string(steps) + (steps == 1 ? " step in " : " steps in ") +
         std::to_string(told) + (told == 1 ? " cell" : " cells") + " with several results; " +
         std::to_string(single) + (single == 1 ? " cell has" : " cells have") +
         " one result alone\n";
}

bool ends_slower(const Json& history) {
  return std::ranges::any_of(history.at("series"), [](const Json& series) {
    return series.at("points").back().at("step") == "SLOWER";
  });
}

}  // namespace bellmark::report
