#include "harness/report/replication.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/report/differences.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/report/reasons.hpp"
#include "harness/verdict/doubt.hpp"

namespace bellmark::report {
namespace {

const Sides kSides = {"there", "here"};
constexpr const char* kAgrees = "agrees";
constexpr const char* kDiffers = "differs";
constexpr const char* kCannot = "can't";
constexpr const char* kShown = "shown";

struct Judged {
  std::string verdict;
  std::string reason = {};
};

/// The requested variant under this build's name: older results may have older names, and fewer
/// keys.
std::string variant_of(const Json& cell) {
  auto name = cell.at("requested_variant").get<std::string>();
  try {
    return Registry::global().select(name).front().name();
  } catch (const InputError&) {
    return name;
  }
}

/// Finds it by its id, or if other queries were asked by its variant and axes.
const Json* same_cell(const Json& cell, const Json& result) {
  const auto find = [&](const auto& is_same) -> const Json* {
    const auto found = std::ranges::find_if(result.at("cells"), is_same);
    return found == result.at("cells").end() ? nullptr : &*found;
  };
  const Json* const same = find([&](const Json& other) { return other.at("id") == cell.at("id"); });
  if (same != nullptr) return same;
  return find([&](const Json& other) {
    return other.at("axes") == cell.at("axes") && variant_of(other) == variant_of(cell);
  });
}

std::optional<measure::Interval> interval_of(const Json& of) {
  if (of.is_null() || of.at("ci95_low").is_null()) return std::nullopt;
  return measure::Interval{of.at("ci95_low").get<double>(), of.at("ci95_high").get<double>()};
}

/// Compares two figures with intervals, measured apart.
Judged judge(const Json& there, const Json& here, double within) {
  const auto first = interval_of(there);
  const auto second = interval_of(here);
  if (!first || !second) {
    return {kCannot, std::string("fewer than 6 blocks ") + (first ? "here" : "there") +
                         ": no 95 % interval"};
  }
  const measure::Interval apart{second->low / first->high, second->high / first->low};
  char text[96];
  std::snprintf(text, sizeof text, "here / there lies in [%.3f, %.3f]", apart.low, apart.high);
  switch (measure::judge(apart, within)) {
    case measure::Outcome::same:
      return {kAgrees, text};
    case measure::Outcome::unclear:
      return {kCannot, std::string(text) + ": measure longer"};
    default:
      return {kDiffers, text};
  }
}

Judged judge_ratios(const Json& there, const Json& here, double within) {
  const auto is = [](const Json& ratio, const char* outcome) {
    return ratio.at("outcome") == outcome;
  };
  if ((is(there, "FASTER") && is(here, "SLOWER")) || (is(there, "SLOWER") && is(here, "FASTER"))) {
    return {kDiffers, "the other one is faster here"};
  }
  return judge(there, here, within);
}

/// A cell's comparison with its baseline in `there`; null if there is none.
Json ratio_of(const Json& result, const Json& cell) {
  const Json* const comparison = against_baseline(result, cell);
  return comparison == nullptr ? Json() : *comparison;
}

bool is_baseline(const Json& result, const Json& cell) {
  return cell.value("baseline", result.at("experiment").at("baseline")) == cell.at("id");
}

/// Why a pair is not judged at all; "" if nothing prevents it.
std::string obstacle(const Json& there, const Json& cell, const Json& here, const Json* other) {
  if (!is_measured(there, cell)) {
    return "the result has no time of it: " + not_measured_text(there, cell);
  }
  if (other == nullptr) return "this build plans no such cell of the experiment";
  if (!is_measured(here, *other)) return not_measured_text(here, *other);
  if (untimed_text(cell) != untimed_text(*other)) {
    const auto part = [](const std::string& text) { return text.empty() ? "nothing" : text; };
    return "other parts of the answer are untimed: " + part(untimed_text(cell)) + " there, " +
           part(untimed_text(*other)) + " here";
  }
  const std::string graph = graph_difference(there, cell, here, *other, kSides);
  return graph.empty() ? verdict::doubt_of({&cell, other}) : graph;
}

class Replication {
 public:
  Replication(const Json& there, const Json& here,
              const std::map<std::string, std::string>& missing, double within)
      : there_(there), here_(here), missing_(missing), within_(within) {
    if (!here.is_null()) machines_ = machine_differences(there, here, kSides);
  }

  Json json() const {
    Json cells = Json::array();
    Json counts = {{kAgrees, 0}, {kDiffers, 0}, {kCannot, 0}, {kShown, 0}};
    for (const Json& cell : there_.at("cells")) {
      cells.push_back(row(cell));
      Json& count = counts[cells.back().at("verdict").get<std::string>()];
      count = count.get<int>() + 1;
    }
    return {
        {"machines", machines_}, {"within_ratio", within_}, {"cells", cells}, {"counts", counts}};
  }

 private:
  Json row(const Json& cell) const {
    const Json* const other = here_.is_null() ? nullptr : same_cell(cell, here_);
    const Judged judged = judge_cell(cell, other);
    Json json = {{"cell", cell.at("id")},
                 {"label", cell.at("label")},
                 {"here_id", other == nullptr ? Json() : other->at("id")},
                 {"there", side(there_, cell)},
                 {"here", other == nullptr ? Json() : side(here_, *other)},
                 {"verdict", judged.verdict},
                 {"reason", judged.reason.empty() ? Json() : Json(judged.reason)}};
    if (other != nullptr && other->at("query_count") != cell.at("query_count")) {
      json["queries"] = other->at("query_count").dump() + " queries here, " +
                        cell.at("query_count").dump() + " there";
    }
    return json;
  }

  static Json side(const Json& result, const Json& cell) {
    const bool measured = is_measured(result, cell);
    Json ratio = measured && !is_baseline(result, cell) ? ratio_of(result, cell) : Json();
    if (!ratio.is_null()) {
      ratio = {{"ratio", ratio.at("ratio")},
               {"ci95_low", ratio.at("ci95_low")},
               {"ci95_high", ratio.at("ci95_high")},
               {"outcome", ratio.at("outcome")}};
    }
    return {{"wall_ns", measured ? cell.at("wall_ns") : Json()}, {"ratio", ratio}};
  }

  Judged judge_cell(const Json& cell, const Json* other) const {
    const auto gone = missing_.find(cell.at("graph").get<std::string>());
    if (gone != missing_.end()) return {kCannot, "missing here: " + gone->second};
    if (const std::string reason = obstacle(there_, cell, here_, other); !reason.empty()) {
      return {kCannot, reason};
    }
    if (is_baseline(there_, cell)) {
      if (!machines_.empty()) return {kShown, "the baseline; times of other machines are shown"};
      return judge(cell.at("wall_ns"), other->at("wall_ns"), within_);
    }
    const Json there = ratio_of(there_, cell);
    const Json here = ratio_of(here_, *other);
    if (there.is_null() || here.is_null()) {
      return {kCannot,
              std::string("no ratio against the baseline ") + (there.is_null() ? "there" : "here")};
    }
    return judge_ratios(there, here, within_);
  }

  const Json& there_;
  const Json& here_;
  const std::map<std::string, std::string>& missing_;
  double within_;
  std::vector<std::string> machines_;
};

std::string ratio_text(const Json& side) {
  if (side.is_null() || side.at("ratio").is_null()) return "-";
  const Json& ratio = side.at("ratio");
  char text[96];
  if (ratio.at("ci95_low").is_null()) {
    std::snprintf(text, sizeof text, "%.3f (no interval)", ratio.at("ratio").get<double>());
  } else {
    std::snprintf(text, sizeof text, "%.3f [%.3f, %.3f]", ratio.at("ratio").get<double>(),
                  ratio.at("ci95_low").get<double>(), ratio.at("ci95_high").get<double>());
  }
  return text;
}

}  // namespace

Json replication(const Json& there, const Json& here,
                 const std::map<std::string, std::string>& missing, double within) {
  return Replication(there, here, missing, within).json();
}

std::string replication_text(const Json& replication, std::optional<std::size_t> columns) {
  std::vector<std::vector<std::string>> rows = {
      {"cell", "there", "here", "ratio there", "ratio here", "verdict"}};
  Reasons reasons;
  std::string queries;
  for (const Json& cell : replication.at("cells")) {
    const Json& here = cell.at("here");
    const auto verdict = cell.at("verdict").get<std::string>();
    const auto label = cell.at("label").get<std::string>();
    rows.push_back({label, wall_text(cell.at("there").at("wall_ns")),
                    here.is_null() ? "-" : wall_text(here.at("wall_ns")),
                    ratio_text(cell.at("there")), ratio_text(here), verdict});
    if (verdict == kCannot || verdict == kDiffers) {
      reasons.add(label, verdict + ": " + cell.at("reason").get<std::string>());
    }
    if (cell.contains("queries")) queries = cell.at("queries").get<std::string>();
  }
  std::string text = fitted_or_whole(rows, "", columns, rows.front().size()) + reasons.text();
  for (const Json& machine : replication.at("machines")) {
    text += "  another machine: " + machine.get<std::string>() + "\n";
  }
  if (!queries.empty()) text += "  other queries: " + queries + "\n";
  const Json& counts = replication.at("counts");
  char within[160];
  std::snprintf(
      within, sizeof within,
      "A ratio agrees when here / there lies within %.3g %% either way by its interval.\n",
      (replication.at("within_ratio").get<double>() - 1) * 100);
  return text + counts.at(kAgrees).dump() + " agree, " + counts.at(kDiffers).dump() + " differ, " +
         counts.at(kCannot).dump() + " can't be told, " + counts.at(kShown).dump() +
         " shown alone. " + within;
}

}  // namespace bellmark::report
