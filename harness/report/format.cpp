#include "harness/report/format.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/terminal.hpp"

namespace bellmark::report {
namespace {

struct Scale {
  double ns;
  const char* unit;
};

/// 999.5 of a unit already shows as 1.00 of the next.
Scale scale_of(double ns) {
  if (ns >= 999.5e6) return {1e9, "s"};
  if (ns >= 999.5e3) return {1e6, "ms"};
  if (ns >= 999.5) return {1e3, "us"};
  return {1, "ns"};
}

std::string significant(double value) {
  if (value == 0 || !std::isfinite(value)) return "0";
  char text[32];
  // Rounded first: 9.996 becomes 10.0, which has a digit more before its point.
  std::snprintf(text, sizeof text, "%.2e", value);
  const int before = std::atoi(std::strchr(text, 'e') + 1) + 1;
  std::snprintf(text, sizeof text, "%.*f", std::max(0, 3 - before), value);
  return text;
}

std::string ratio_number(const Json& value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value.get<double>());
  return text;
}

}  // namespace

std::string duration_text(double ns) {
  const Scale scale = scale_of(ns);
  return significant(ns / scale.ns) + " " + scale.unit;
}

std::string wall_text(const Json& wall_ns) {
  if (wall_ns.is_null()) return "not measured";
  const double median = wall_ns.at("median").get<double>();
  const Scale scale = scale_of(median);
  std::string text = significant(median / scale.ns) + " " + scale.unit;
  if (!wall_ns.at("ci95_low").is_null()) {
    text += " [" + significant(wall_ns.at("ci95_low").get<double>() / scale.ns) + ", " +
            significant(wall_ns.at("ci95_high").get<double>() / scale.ns) + "]";
  }
  return text;
}

std::string disturbed_by(const Json& cell) {
  const Json disturbance = cell.value("disturbance", Json());
  if (disturbance.is_null() || disturbance.at("reason").is_null()) return {};
  return disturbance.at("reason").get<std::string>();
}

std::string untimed_text(const Json& cell) {
  auto text = cell.value("untimed", std::string("nothing"));
  if (text == "nothing") return {};
  std::ranges::replace(text, '-', ' ');
  return text;
}

std::string untimed_suffix(const Json& cell) {
  const std::string text = untimed_text(cell);
  const bool is_said = cell.at("label").get<std::string>().find("untimed=") != std::string::npos;
  return text.empty() || is_said ? "" : " (" + text + " untimed)";
}

std::string time_text(const Json& cell) {
  const bool is_ours = cell.value("timed_by", "Bellmark") == "Bellmark";
  return wall_text(cell.at("wall_ns")) + (is_ours ? "" : ", timed by the program") +
         (disturbed_by(cell).empty() ? "" : ", disturbed");
}

const Json* failure_of(const Json& result, const Json& id) {
  for (const Json& entry : result.at("not_measured")) {
    if (entry.at("cell") == id) return &entry;
  }
  return nullptr;
}

bool is_measured(const Json& result, const Json& cell) {
  return !cell.at("wall_ns").is_null() && cell.at("validation").at("status") != "wrong" &&
         failure_of(result, cell.at("id")) == nullptr;
}

std::string not_measured_text(const Json& result, const Json& cell) {
  const Json* failure = failure_of(result, cell.at("id"));
  if (failure == nullptr) return "not measured: the run ended before";
  const auto block_count = cell.at("block_count").get<std::size_t>();
  std::string after;
  if (block_count > 0) {
    after = " after " + std::to_string(block_count) + (block_count == 1 ? " block" : " blocks");
  }
  return failure->at("code").get<std::string>() + after + ": " +
         failure->at("reason").get<std::string>();
}

Json baseline_of(const Json& result, const Json& cell) {
  return cell.value("baseline", result.at("experiment").at("baseline"));
}

const Json* against_baseline(const Json& result, const Json& cell) {
  const Json baseline = baseline_of(result, cell);
  if (failure_of(result, cell.at("id")) != nullptr || failure_of(result, baseline) != nullptr) {
    return nullptr;
  }
  for (const Json& comparison : result.at("comparisons")) {
    if (comparison.at("a") == cell.at("id") && comparison.at("b") == baseline) return &comparison;
  }
  return nullptr;
}

std::string ratio_text(const Json& result, const Json& cell) {
  if (cell.at("id") == baseline_of(result, cell)) return "baseline";
  const Json* comparison = against_baseline(result, cell);
  if (comparison == nullptr) return "-";
  std::string text = ratio_number(comparison->at("ratio"));
  if (!comparison->at("ci95_low").is_null()) {
    text += " [" + ratio_number(comparison->at("ci95_low")) + ", " +
            ratio_number(comparison->at("ci95_high")) + "]";
  }
  return text + " " + comparison->at("outcome").get<std::string>();
}

std::string ratio_text(const measure::Ratio& ratio, const std::string& doubt,
                       std::optional<double> least) {
  const measure::Outcome outcome =
      doubt.empty() ? measure::judge(ratio.interval, least) : measure::Outcome::unclear;
  char text[96];
  if (ratio.interval) {
    std::snprintf(text, sizeof text, "%.3f [%.3f, %.3f] %s", ratio.value, ratio.interval->low,
                  ratio.interval->high, to_string(outcome).c_str());
  } else {
    std::snprintf(text, sizeof text, "%.3f (no interval)", ratio.value);
  }
  return text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], display_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size()) line += std::string(widths[i] - display_width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::vector<std::string> diagnosis_lines(const Json& result) {
  std::vector<std::string> lines;
  const Json diagnosis = result.value("diagnosis", Json());
  if (diagnosis.is_null()) return lines;
  for (const Json& finding : diagnosis.at("findings")) {
    lines.push_back(finding.at("variant").get<std::string>() + " on " +
                    finding.at("graph").get<std::string>() + ": " +
                    finding.at("conclusion").get<std::string>());
    if (const Json stalls = finding.value("stalls", Json()); !stalls.is_null()) {
      lines.push_back("  " + stalls.get<std::string>());
    }
    for (const Json& input : finding.at("inputs")) {
      std::string line = "  " + input.at("input").get<std::string>() + ": " +
                         input.at("change").get<std::string>();
      if (!input.at("ratio").is_null()) {
        const auto end = [&](const char* key) {
          return input.at(key).is_null() ? std::nullopt
                                         : std::optional(input.at(key).get<double>());
        };
        const auto low = end("ci95_low");
        const auto high = end("ci95_high");
        char text[96];
        if (low && high) {
          std::snprintf(text, sizeof text, ", %.3f [%.3f, %.3f] of the time alone",
                        input.at("ratio").get<double>(), *low, *high);
        } else {
          std::snprintf(text, sizeof text, ", %.3f (no interval)", input.at("ratio").get<double>());
        }
        line += text;
      }
      if (!input.at("reason").is_null()) line += ": " + input.at("reason").get<std::string>();
      lines.push_back(line);
    }
  }
  return lines;
}

}  // namespace bellmark::report
