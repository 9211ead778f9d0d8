#include "harness/report/console.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "algorithms/contract/settings.hpp"
#include "base/text.hpp"
#include "harness/report/claims.hpp"
#include "harness/report/counters.hpp"
#include "harness/report/reasons.hpp"

namespace bellmark::report {
namespace {

/// `text` in lines of at most `columns`: the first after `head`, the others indented as far.
std::string wrapped(const std::string& text, const std::string& head, std::size_t columns) {
  std::string out;
  std::string line;
  std::string indent = head;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > columns) {
      out.append(indent).append(line).append("\n");
      line.clear();
      indent.assign(head.size(), ' ');
    }
    line += (line.empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return line.empty() ? out : out + indent + line + "\n";
}

/// How cells of ranks were started, a line for each way; "" when none was.
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

/// What a variant that chooses by the graph chose, and why; "" for the others.
std::string choice_text(const Json& cell) {
  const std::string variant = cell.at("variant").get<std::string>();
  if (variant.find(",reason=") == std::string::npos) return {};
  const std::size_t colon = variant.find(':');
  const Settings settings = Settings::parse(std::string_view(variant).substr(colon + 1));
  return "  on " + cell.at("graph").get<std::string>() + " " + variant.substr(0, colon) +
         " chose " + settings.get("algorithm") + ": " + settings.get("reason") + " (" +
         settings.get("settings") + ")\n";
}

/// What all cells of a run without a file share, which no label says: variant, graph, place.
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

/// `  memory: 0.11 to 0.94 of the last-level cache`; "" where no cell tells.
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

std::string counters_text(const Json& result) {
  const CounterTable table = counter_table(result);
  if (table.rows.empty() && table.absent.empty()) return {};
  std::string text = "  Counters, per pass over the queries\n";
  std::vector<std::vector<std::string>> rows = table.rows;
  for (auto& row : rows) row.front().insert(0, "    ");
  text += aligned(rows);
  for (const std::string& absent : table.absent) text += "    not counted: " + absent + "\n";
  return text;
}

std::string notes_text(const Json& result, std::set<std::string>& said) {
  std::string text;
  for (const Json& warning : result.at("warnings")) {
    const auto what = warning.at("text").get<std::string>();
    const std::string note = what + "; " + warning.at("action").get<std::string>();
    // The load has another figure from run to run.
    constexpr std::string_view kLoad = "the load average is";
    const bool is_load = what.starts_with(kLoad);
    if (said.insert(is_load ? std::string(kLoad) : note).second) text += "  note: " + note + "\n";
  }
  return text;
}

}  // namespace

std::string console_result(const Json& result) {
  std::set<std::string> said;
  return console_result(result, said);
}

std::string console_result(const Json& result, std::set<std::string>& said) {
  const Json& experiment = result.at("experiment");
  std::string text = experiment.at("id").get<std::string>() + "  " +
                     experiment.at("title").get<std::string>() + "  (" +
                     experiment.at("form").get<std::string>() + ")\n" + subject_text(result);
  std::vector<std::vector<std::string>> rows = {
      {"  cell", "time of a query", "against the baseline", "blocks x samples", "answers"}};
  Reasons reasons;  // they are long, and must not widen the columns
  for (const Json& cell : result.at("cells")) {
    std::string label = "  " + cell.at("label").get<std::string>() + untimed_suffix(cell);
    if (!is_measured(result, cell)) {
      reasons.add(cell.at("label"), not_measured_text(result, cell));
      continue;
    }
    const Json reads = cell.value("doubles_per_cycle", Json());
    if (!reads.is_null()) {
      char figure[32];
      std::snprintf(figure, sizeof figure, ": %.2f doubles/cycle", reads.get<double>());
      label += figure;
    }
    const Json teps = cell.value("teps", Json());
    if (!teps.is_null()) {
      char figure[32];
      std::snprintf(figure, sizeof figure, ": %.4g GTEPS",
                    teps.at("harmonic_mean").at("median").get<double>() * 1e-9);
      label += figure;
    }
    rows.push_back({label, time_text(cell), ratio_text(result, cell),
                    cell.at("block_count").dump() + " x " +
                        std::to_string(cell.at("sample_count").get<std::size_t>() /
                                       cell.at("block_count").get<std::size_t>()),
                    cell.at("validation").at("status").get<std::string>()});
  }
  if (rows.size() > 1) text += aligned(rows);
  text += reasons.text();
  text += launch_text(result);
  text += working_set_text(result);
  for (const Json& cell : result.at("cells")) text += choice_text(cell);
  text += counters_text(result);
  const std::vector<std::string> diagnosis = diagnosis_lines(result);
  if (!diagnosis.empty()) text += "  What binds it\n";
  for (const std::string& line : diagnosis) text += "    " + line + "\n";
  for (const Json& cut : experiment.at("cuts")) text += "  " + cut.get<std::string>() + "\n";
  return text + notes_text(result, said);
}

std::string console_legend(const std::vector<Json>& results) {
  const bool is_measured_anywhere = std::ranges::any_of(results, [](const Json& result) {
    return std::ranges::any_of(result.at("cells"),
                               [&](const Json& cell) { return is_measured(result, cell); });
  });
  if (!is_measured_anywhere) return {};
  return "Legend\n"
         "  [a, b]     95 % interval: of a time over the blocks, of a ratio over pairs in them\n"
         "  6 x 2      6 blocks, each a fresh process, of 2 samples\n"
         "  UNCLEAR    the ratio's interval neither excludes 1, as of FASTER and SLOWER, nor lies\n"
         "             within 3 % of 1, as of SAME: measure longer; or a time of it is doubted\n"
         "  disturbed  other programs, or the clock, had a part in the time: it decides nothing\n"
         "  certified  the answers were proved right by a check that trusts no variant\n\n";
}

std::string console_claims(const std::vector<Json>& results) {
  const auto claims = merge_claims(results);
  if (claims.empty()) return {};
  constexpr std::size_t kColumns = 100;
  std::string text = "Claims\n";
  std::vector<std::vector<std::string>> rows;
  rows.reserve(claims.size());
  for (const ClaimRow& claim : claims) rows.push_back({"  " + claim.claim, headline_of(claim)});
  text += aligned(rows);
  for (const ClaimRow& claim : claims) {
    text += "\n  " + claim.claim + ": " + claim.verdict + "\n" +
            wrapped(claim.text, "    claim:  ", kColumns) +
            wrapped(coverage_of(claim), "    extent: ", kColumns) +
            wrapped(claim.reason, "    here:   ", kColumns);
  }
  return text;
}

}  // namespace bellmark::report
