#include "harness/report/console.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "algorithms/contract/settings.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/report/counters.hpp"
#include "harness/report/fitted_table.hpp"
#include "harness/report/rates.hpp"
#include "harness/report/reasons.hpp"

namespace bellmark::report {
namespace {

const std::string kNone = "-";
const std::string kBellmark = "Bellmark";

/// Lines of text. Lines that are wider than `columns` are wrapped, with the same indent.
std::string prose(const std::string& text, std::size_t columns) {
  std::string out;
  for (const std::string& line : split(text, '\n')) {
    const std::string shown = escaped(line);
    const std::size_t indent = std::min(shown.find_first_not_of(' '), shown.size());
    out += display_width(shown) <= columns
               ? shown + "\n"
               : wrapped(std::string_view(shown).substr(indent), shown.substr(0, indent), columns);
  }
  if (!out.empty()) out.pop_back();  // there is no line after the last newline
  return out;
}

/// The name of the clock that took the time.
std::string timed_by(const Json& cell) { return cell.value("timed_by", kBellmark); }

/// The launches of cells with ranks, a line for each way; "" without ranks.
std::string launch_text(const Json& result) {
  std::set<std::string> lines;
  for (const Json& cell : result.at("cells")) {
    const Json launcher = cell.value("launcher", Json());
    if (launcher.is_null()) continue;
    const std::string count = cell.at("rank_count").dump();
    lines.insert("  " + count + (count == "1" ? " rank" : " ranks") + ": " +
                 launcher.get<std::string>() + "\n");
  }
  return join({lines.begin(), lines.end()}, "");
}

/// The choice of a variant that chooses by the graph, with its reason; "" for other variants.
std::string choice_text(const Json& cell) {
  const std::string variant = cell.at("variant").get<std::string>();
  if (variant.find(",reason=") == std::string::npos) return {};
  const std::size_t colon = variant.find(':');
  const Settings settings = Settings::parse(std::string_view(variant).substr(colon + 1));
  return "  on " + cell.at("graph").get<std::string>() + " " + variant.substr(0, colon) +
         " chose " + settings.get("algorithm") + ": " + settings.get("reason") + " (" +
         settings.get("settings") + ")\n";
}

/// The facts that all cells of a run without a file share, and no label has: variant, graph, place.
std::string subject_text(const Json& result) {
  const Json provenance = result.value("provenance", Json::object());
  if (!provenance.contains("spec") || !provenance.at("spec").get<std::string>().empty()) return {};
  std::set<std::string> variants;
  std::set<std::string> graphs;
  std::set<std::string> places;
  for (const Json& cell : result.at("cells")) {
    variants.insert(cell.at("variant").get<std::string>());
    graphs.insert(cell.at("graph").get<std::string>());
    places.insert(cell.at("placement").at("resolved").get<std::string>());
  }
  std::vector<std::string> parts;
  if (variants.size() == 1) parts.push_back(*variants.begin());
  if (graphs.size() == 1) parts.push_back("on " + *graphs.begin());
  if (places.size() == 1) parts.push_back("at " + *places.begin());
  return parts.empty() ? "" : "  " + join(parts, " ") + "\n";
}

/// ` memory: 0.11 to 0.94 of the last-level cache`; "" where no cell tells.
std::string working_set_text(const Json& result) {
  std::vector<double> ratios;
  for (const Json& cell : result.at("cells")) {
    const Json ratio = cell.value("working_set", Json::object()).value("ratio", Json());
    if (!ratio.is_null()) ratios.push_back(ratio.get<double>());
  }
  if (ratios.empty()) return {};
  const auto [least, most] = std::ranges::minmax(ratios);
  const auto text = [](double ratio) {
    char figure[32];
    std::snprintf(figure, sizeof figure, "%.2g", ratio);
    return std::string(figure);
  };
  const bool alike = text(least) == text(most);
  return "  memory: " + (alike ? "" : text(least) + " to ") + text(most) +
         " of the last-level cache" + (most < 1 ? ": it fits\n" : "\n");
}

std::string counters_text(const Json& result, std::size_t columns) {
  const CounterTable table = counter_table(result);
  if (table.rows.empty() && table.absent.empty()) return {};
  std::string text = "  Counters, per pass over the queries\n";
  if (!table.rows.empty()) text += fitted(table.rows, "    ", columns);
  std::string absent;
  for (const std::string& each : table.absent) absent += "    not counted: " + each + "\n";
  return text + prose(absent, columns);
}

std::string notes_text(const Json& result, std::set<std::string>& said) {
  std::string text;
  for (const Json& warning : result.at("warnings")) {
    const auto what = warning.at("text").get<std::string>();
    const std::string note = what + "; " + warning.at("action").get<std::string>();
    // The load has another figure in each run.
    constexpr std::string_view kLoad = "the load average is";
    const bool is_load = what.starts_with(kLoad);
    if (said.insert(is_load ? std::string(kLoad) : note).second) text += "  note: " + note + "\n";
  }
  return text;
}

/// Removes the column if all rows have the default value.
void drop_column(std::vector<std::vector<std::string>>& rows, std::size_t column,
                 std::string_view usual) {
  if (std::all_of(rows.begin() + 1, rows.end(),
                  [&](const auto& row) { return row[column] == usual; })) {
    for (auto& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
}

/// The table of times, and the cells that have none.
std::string times_text(const Json& result, std::size_t columns) {
  constexpr std::size_t kRate = 3;
  constexpr std::size_t kUntimed = 4;
  constexpr std::size_t kTimedBy = 5;
  std::vector<std::vector<std::string>> rows = {{"cell", "time of a query", "against the baseline",
                                                 "rate", "untimed", "timed by", "samples",
                                                 "answers"}};
  Reasons reasons;  // they are long, and must not widen the columns
  for (const Json& cell : result.at("cells")) {
    const auto label = cell.at("label").get<std::string>();
    if (!is_measured(result, cell)) {
      reasons.add(label, not_measured_text(result, cell));
      continue;
    }
    const auto blocks = cell.at("block_count").get<std::size_t>();
    rows.push_back(
        {label, wall_text(cell.at("wall_ns")) + (disturbed_by(cell).empty() ? "" : ", disturbed"),
         ratio_text(result, cell), rate_text(cell).empty() ? kNone : rate_text(cell),
         untimed_suffix(cell).empty() ? kNone : untimed_text(cell), timed_by(cell),
         std::to_string(blocks) + " x " +
             std::to_string(cell.at("sample_count").get<std::size_t>() / blocks),
         cell.at("validation").at("status").get<std::string>()});
  }
  drop_column(rows, kTimedBy, kBellmark);
  drop_column(rows, kUntimed, kNone);
  drop_column(rows, kRate, kNone);
  return (rows.size() > 1 ? fitted(rows, "  ", columns, kRate) : "") +
         prose(reasons.text(), columns);
}

}  // namespace

std::string console_result(const Json& result, std::set<std::string>& said,
                           std::optional<std::size_t> terminal) {
  const std::size_t columns = terminal.value_or(std::string::npos);
  const Json& experiment = result.at("experiment");
  const std::string head = experiment.at("id").get<std::string>() + "  " +
                           experiment.at("title").get<std::string>() + "  (" +
                           experiment.at("form").get<std::string>() + ")\n" + subject_text(result);
  std::string text = launch_text(result) + working_set_text(result);
  for (const Json& cell : result.at("cells")) text += choice_text(cell);
  const std::vector<std::string> diagnosis = diagnosis_lines(result);
  std::string rest;
  if (!diagnosis.empty()) rest += "  What binds it\n";
  for (const std::string& line : diagnosis) rest += "    " + line + "\n";
  for (const Json& cut : experiment.at("cuts")) rest += "  " + cut.get<std::string>() + "\n";
  rest += notes_text(result, said);
  return prose(head, columns) + times_text(result, columns) + prose(text, columns) +
         counters_text(result, columns) + prose(rest, columns);
}

std::string console_legend(const std::vector<Json>& results, std::optional<std::size_t> columns) {
  const bool is_measured_anywhere = std::ranges::any_of(results, [](const Json& result) {
    return std::ranges::any_of(result.at("cells"),
                               [&](const Json& cell) { return is_measured(result, cell); });
  });
  if (!is_measured_anywhere) return {};
  constexpr std::pair<const char*, const char*> kLegend[] = {
      {"[a, b]",
       "95 % interval: of a time over the blocks, of a ratio over pairs in them, so a ratio may "
       "differ from that of the two times"},
      {"6 x 2", "6 blocks, each a fresh process, of 2 samples"},
      {"UNCLEAR",
       "the ratio's interval neither excludes 1, as of FASTER and SLOWER, nor lies within 3 % of "
       "1, as of SAME: measure longer; or a time of it is doubted"},
      {"disturbed", "other programs, or the clock, had a part in the time: it decides nothing"},
      {"certified", "the answers were proved right by a check that trusts no variant"}};
  std::string text = "Legend\n";
  for (const auto& [word, meaning] : kLegend) {
    char head[32];
    std::snprintf(head, sizeof head, "  %-11s", word);
    text += wrapped(meaning, head, columns.value_or(kLogColumns));
  }
  return text + "\n";
}

}  // namespace bellmark::report
