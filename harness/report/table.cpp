#include "harness/report/table.hpp"

#include <algorithm>

#include "harness/report/claims.hpp"
#include "harness/report/counters.hpp"
#include "harness/report/csv_field.hpp"
#include "harness/report/rates.hpp"

namespace bellmark::report {
namespace {

/// One line that is neither HTML nor the end of a table's cell.
std::string plain(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  for (std::size_t at = 0; (at = text.find_first_of("\\|<", at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '\\');
  }
  return text;
}

std::string code_span(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '`', '\'');
  return "`" + text + "`";
}

std::string heading(const std::string& text) {
  return std::string(kMarkdownBegin) + plain(text) + "\n\n";
}

std::string markdown_row(const std::vector<std::string>& fields) {
  std::string line = "|";
  for (const std::string& text : fields) line += " " + plain(text) + " |";
  return line + "\n";
}

std::string markdown_head(const std::vector<std::string>& fields) {
  std::string line = markdown_row(fields) + "|";
  for (std::size_t i = 0; i < fields.size(); ++i) line += " --- |";
  return line + "\n";
}

std::string markdown_counters(const Json& result) {
  const CounterTable table = counter_table(result);
  std::string text;
  for (const auto& row : table.rows) {
    text += &row == &table.rows.front() ? markdown_head(row) : markdown_row(row);
  }
  if (!text.empty()) text = "Counters, per pass over the queries:\n\n" + text + "\n";
  for (const std::string& absent : table.absent) text += "- not counted: " + absent + "\n";
  return text;
}

}  // namespace

std::string csv(const std::vector<Json>& results) {
  // If no input is a graph, the column has another name.
  const auto is_of = [](const Json& result, bool graphs) {
    return std::ranges::any_of(result.at("cells"), [&](const Json& cell) {
      return cell.value("axes", Json::object()).contains("input") != graphs;
    });
  };
  const auto some_are = [&](bool graphs) {
    return std::ranges::any_of(results, [&](const Json& result) { return is_of(result, graphs); });
  };
  const bool no_graphs = some_are(false) && !some_are(true);
  std::string text =
      std::string(kCsvBegin) + ",label,variant," + (no_graphs ? "input" : "graph") +
      ",placement,rank_count,query_count,block_count,"
      "sample_count,wall_ns_median,wall_ns_ci95_low,wall_ns_ci95_high,baseline_ratio,"
      "baseline_ratio_ci95_low,baseline_ratio_ci95_high,outcome,accounted_bytes,resident_bytes,"
      "validation,not_measured_code,not_measured_reason,disturbed,untimed,last_level_cache_bytes,"
      "working_set_ratio,bytes_per_second,operations_per_second,items_per_second\n";
  for (const Json& result : results) {
    for (const Json& cell : result.at("cells")) {
      const Json wall = is_measured(result, cell) ? cell.at("wall_ns") : Json();
      const Json set = cell.value("working_set", Json::object());
      const Json* failure = failure_of(result, cell.at("id"));
      const Json* comparison = against_baseline(result, cell);
      const auto wall_field = [&](const char* key) {
        return wall.is_null() ? std::string() : csv_field(wall.at(key));
      };
      const auto ratio_field = [&](const char* key) {
        return comparison == nullptr ? std::string() : csv_field(comparison->at(key));
      };
      const Json rates = cell.value("rates", Json::object());
      const auto rate_field = [&](const char* key) {
        return rates.contains(key) ? csv_field(rates.at(key).at("median")) : std::string();
      };
      const auto failure_field = [&](const char* key) {
        return failure == nullptr ? std::string() : csv_field(failure->at(key));
      };
      const std::vector<std::string> fields = {
          csv_field(result.at("experiment").at("id")),
          csv_field(cell.at("id")),
          csv_field(cell.at("label")),
          csv_field(cell.at("variant")),
          csv_field(cell.at("graph")),
          csv_field(cell.at("placement").at("resolved")),
          csv_field(cell.value("rank_count", Json(1))),
          csv_field(cell.at("query_count")),
          csv_field(cell.at("block_count")),
          csv_field(cell.at("sample_count")),
          wall_field("median"),
          wall_field("ci95_low"),
          wall_field("ci95_high"),
          ratio_field("ratio"),
          ratio_field("ci95_low"),
          ratio_field("ci95_high"),
          ratio_field("outcome"),
          csv_field(cell.at("memory").at("accounted_bytes")),
          csv_field(cell.at("memory").at("resident_bytes")),
          csv_field(cell.at("validation").at("status")),
          failure_field("code"),
          failure_field("reason"),
          csv_field(disturbed_by(cell)),
          csv_field(untimed_text(cell)),
          csv_field(set.value("last_level_cache_bytes", Json())),
          csv_field(set.value("ratio", Json())),
          rate_field("bytes_per_second"),
          rate_field("operations_per_second"),
          rate_field("items_per_second")};
      for (std::size_t i = 0; i < fields.size(); ++i) text += (i > 0 ? "," : "") + fields[i];
      text += "\n";
    }
  }
  return text;
}

std::string markdown(const std::vector<Json>& results) {
  std::string text;
  const auto claims = merge_claims(results);
  if (!claims.empty()) {
    text += heading("Claims") + markdown_head({"claim", "what the paper says", "verdict", "why"});
    for (const ClaimRow& claim : claims) {
      text += markdown_row({claim.claim, claim.text, headline_of(claim), claim.reason});
    }
    text += "\n";
  }
  for (const Json& result : results) {
    const Json& experiment = result.at("experiment");
    const bool has_rates = std::ranges::any_of(result.at("cells"), [](const Json& cell) {
      return !cell.value("rates", Json::object()).empty();
    });
    text += heading(experiment.at("id").get<std::string>() + ": " +
                    experiment.at("title").get<std::string>()) +
            markdown_head(has_rates
                              ? std::vector<std::string>{"cell", "time of a query",
                                                         "against the baseline", "rate", "answers"}
                              : std::vector<std::string>{"cell", "time of a query",
                                                         "against the baseline", "answers"});
    for (const Json& cell : result.at("cells")) {
      std::vector<std::string> row = {
          cell.at("label").get<std::string>() + untimed_suffix(cell),
          is_measured(result, cell) ? time_text(cell) : not_measured_text(result, cell),
          ratio_text(result, cell), cell.at("validation").at("status")};
      if (has_rates) row.insert(row.end() - 1, rate_text(cell));
      text += markdown_row(row);
    }
    text += "\n" + markdown_counters(result);
    for (const std::string& line : diagnosis_lines(result)) {
      // An input is an item below its finding.
      text += (line.starts_with("  ") ? "  - " + plain(line.substr(2)) : "- " + plain(line)) + "\n";
    }
    for (const Json& cell : result.at("cells")) {
      for (const Json& doubt : cell.value("doubts", Json::array())) {
        text += "- not judged: `" + cell.at("label").get<std::string>() +
                "`: " + doubt.get<std::string>() + "\n";
      }
    }
    for (const Json& entry : result.at("not_measured")) {
      const bool has_row = std::ranges::any_of(
          result.at("cells"), [&](const Json& cell) { return cell.at("id") == entry.at("cell"); });
      if (has_row) continue;
      text += "- not measured: " + code_span(entry.at("variant")) + ": " + plain(entry.at("code")) +
              ": " + plain(entry.at("reason")) + "\n";
    }
  }
  return text;
}

}  // namespace bellmark::report
