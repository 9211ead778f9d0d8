#include "harness/report/console.hpp"

#include <set>

#include "algorithms/contract/settings.hpp"
#include "base/text.hpp"
#include "harness/report/claims.hpp"

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

}  // namespace

std::string console_result(const Json& result) {
  const Json& experiment = result.at("experiment");
  std::string text = experiment.at("id").get<std::string>() + "  " +
                     experiment.at("title").get<std::string>() + "  (" +
                     experiment.at("form").get<std::string>() + ")\n";
  std::vector<std::vector<std::string>> rows = {
      {"  cell", "time of a query", "against the baseline", "blocks x samples", "answers"}};
  for (const Json& cell : result.at("cells")) {
    std::string label = "  " + cell.at("label").get<std::string>();
    if (!is_measured(result, cell)) {
      rows.push_back({label, not_measured_text(result, cell), "", "", ""});
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
  // Reasons are long; they must not widen the columns of the cells that were measured.
  std::vector<std::vector<std::string>> measured;
  std::string reasons;
  for (auto& row : rows) {
    if (row.back().empty()) {
      reasons += row[0] + "  " + row[1] + "\n";
    } else {
      measured.push_back(std::move(row));
    }
  }
  if (measured.size() > 1) text += aligned(measured);
  text += reasons;
  text += launch_text(result);
  for (const Json& cell : result.at("cells")) text += choice_text(cell);
  const std::vector<std::string> diagnosis = diagnosis_lines(result);
  if (!diagnosis.empty()) text += "  What binds it\n";
  for (const std::string& line : diagnosis) text += "    " + line + "\n";
  for (const Json& cut : experiment.at("cuts")) text += "  " + cut.get<std::string>() + "\n";
  for (const Json& warning : result.at("warnings")) {
    text += "  note: " + warning.at("text").get<std::string>() + "; " +
            warning.at("action").get<std::string>() + "\n";
  }
  return text;
}

std::string console_claims(const std::vector<Json>& results) {
  const auto claims = merge_claims(results);
  if (claims.empty()) return {};
  constexpr std::size_t kColumns = 100;
  std::string text = "Claims\n";
  std::vector<std::vector<std::string>> rows;
  rows.reserve(claims.size());
  for (const ClaimRow& claim : claims) rows.push_back({"  " + claim.claim, claim.headline});
  text += aligned(rows);
  for (const ClaimRow& claim : claims) {
    text += "\n  " + claim.claim + ": " + claim.verdict + "\n" +
            wrapped(claim.text, "    claim:  ", kColumns) +
            wrapped(claim.reason, "    here:   ", kColumns);
  }
  return text;
}

}  // namespace bellmark::report
