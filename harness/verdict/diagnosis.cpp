#include "harness/verdict/diagnosis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.hpp"
#include "harness/machine/frequency.hpp"
#include "harness/verdict/measured.hpp"

namespace bellmark::verdict {
namespace {

/// One input of the tables: a column.
struct Column {
  const char* name;
  const char*
      placement;  ///< of both cells; nullptr for the clock's column, where any place will do
  Change Changes::*change;
};
constexpr std::array kColumns{
    Column{"clock lowered", nullptr, &Changes::clock},
    Column{"two processes, other package", "pair:other-package", &Changes::other_package},
    Column{"two processes, same package, L2 not shared", "pair:same-package",
           &Changes::same_package},
    Column{"two processes, L2 shared", "pair:shared-l2", &Changes::shared_l2}};

struct TableRow {
  const char* level;
  std::array<Change, kColumns.size()> changes;
};
constexpr Change kYes = Change::changed;
constexpr Change kNo = Change::unchanged;
constexpr std::array kRows{TableRow{"memory bandwidth of one process", {kNo, kYes, kYes, kYes}},
                           TableRow{"memory bandwidth of two processes", {kYes, kNo, kYes, kYes}},
                           TableRow{"sharing of the L2 cache", {kYes, kNo, kNo, kYes}},
                           TableRow{"computation", {kYes, kNo, kNo, kNo}}};

bool is_known(Change change) { return change == kYes || change == kNo; }

/// The two cells of a column for the variant and graph of `cell`; null for a missing cell.
struct CellPair {
  const Json* numerator = nullptr;
  const Json* denominator = nullptr;
};

bool same_subject(const Json& a, const Json& b) {
  return a.at("requested_variant") == b.at("requested_variant") && a.at("graph") == b.at("graph");
}

CellPair cells_of(const Column& column, const Json& cells, const Json& subject) {
  const bool by_clock = column.placement == nullptr;
  const auto is_unchanged = [](const Json& cell) {
    return cell.at("core_clock").at("requested") == machine::kUnchanged;
  };
  const auto place = [](const Json& cell) { return cell.at("placement").at("requested"); };
  CellPair pair;
  for (const Json& cell : cells) {
    if (!same_subject(cell, subject) || is_unchanged(cell) == by_clock) continue;
    if (by_clock ? cell.at("process_count") != 1
                 : cell.at("process_count") != 2 || place(cell) != column.placement) {
      continue;
    }
    pair.numerator = &cell;
    break;
  }
  if (pair.numerator == nullptr) return pair;
  for (const Json& cell : cells) {
    if (same_subject(cell, subject) && is_unchanged(cell) && cell.at("process_count") == 1 &&
        place(cell) == place(*pair.numerator)) {
      pair.denominator = &cell;
      break;
    }
  }
  return pair;
}

/// The first cell of each variant and graph.
std::vector<const Json*> subjects_of(const Json& cells) {
  std::vector<const Json*> subjects;
  for (const Json& cell : cells) {
    const auto known = [&](const Json* other) { return same_subject(*other, cell); };
    if (!std::ranges::any_of(subjects, known)) subjects.push_back(&cell);
  }
  return subjects;
}

std::string reason_of(const Json& result, const CellPair& pair) {
  for (const Json* cell : {pair.numerator, pair.denominator}) {
    if (cell == nullptr) return "the experiment has no such cell";
    for (const Json& entry : result.at("not_measured")) {
      if (entry.at("cell") == cell->at("id")) return entry.at("reason").get<std::string>();
    }
  }
  return "";
}

/// The smaller of both cells' shares of time with a core. A cell that states none counts as 1.
double least_cpu_share(const CellPair& pair) {
  double least = 1;
  for (const Json* cell : {pair.numerator, pair.denominator}) {
    const Json share = cell == nullptr ? Json() : cell->value("cpu_share_ratio", Json());
    if (!share.is_null()) least = std::min(least, share.get<double>());
  }
  return least;
}

std::string conclusion(const Finding& finding) {
  if (finding.candidates.size() == 1) return "bound by " + finding.candidates.front();
  const std::string more =
      finding.would_decide.empty() ? "" : "; would decide: " + join(finding.would_decide, "; ");
  if (finding.candidates.empty()) return "can't tell: no row of Tables 7 and 10 fits";
  return "can't tell: " + join(finding.candidates, ", or ") + more;
}

Json diagnose_subject(const Json& result, const Json& subject) {
  Changes changes;
  Json inputs = Json::array();
  for (const Column& column : kColumns) {
    const CellPair pair = cells_of(column, result.at("cells"), subject);
    std::string reason = reason_of(result, pair);
    Measured measured;
    if (reason.empty()) {
      measured = measure_ratio(result, *pair.numerator, *pair.denominator, "wall_ns");
      reason = measured.missing;
    }
    Change& change = changes.*column.change;
    change = measured.value ? change_of(measured.interval) : Change::not_measured;
    if (is_known(change) && !measured.doubt.empty()) {
      change = Change::undecided;
      reason = measured.doubt;
    }
    if (const double share = least_cpu_share(pair); is_known(change) && share < 1 - kChangeMargin) {
      change = Change::undecided;
      reason = "the processes had their cores for " + std::to_string(std::lround(100 * share)) +
               " % of the time; stop other programs and run again";
    }
    const auto id = [](const Json* cell) { return cell == nullptr ? Json() : cell->at("id"); };
    const auto bound = [&](double measure::Interval::*end) {
      return measured.interval ? Json((*measured.interval).*end) : Json();
    };
    inputs.push_back({{"input", column.name},
                      {"table", column.placement == nullptr ? "Table 7" : "Table 10"},
                      {"numerator", id(pair.numerator)},
                      {"denominator", id(pair.denominator)},
                      {"ratio", measured.value ? Json(*measured.value) : Json()},
                      {"ci95_low", bound(&measure::Interval::low)},
                      {"ci95_high", bound(&measure::Interval::high)},
                      {"change", to_string(change)},
                      {"reason", reason.empty() ? Json() : Json(reason)}});
  }
  const Finding finding = decide(changes);
  const std::string stalls = stalls_text(subject);
  return {{"variant", subject.at("requested_variant")},
          {"graph", subject.at("graph")},
          {"inputs", inputs},
          {"candidates", finding.candidates},
          {"would_decide", finding.would_decide},
          {"conclusion", conclusion(finding)},
          {"stalls", stalls.empty() ? Json() : Json(stalls)}};
}

}  // namespace

std::string to_string(Change change) {
  switch (change) {
    case Change::changed:
      return "changed";
    case Change::unchanged:
      return "unchanged";
    case Change::undecided:
      return "undecided";
    case Change::not_measured:
      break;
  }
  return "not measured";
}

Change change_of(const std::optional<measure::Interval>& ratio) {
  if (!ratio) return Change::undecided;
  if (ratio->low > 1 + kChangeMargin) return Change::changed;
  const bool within = ratio->low >= 1 - kChangeMargin && ratio->high <= 1 + kChangeMargin;
  return within ? Change::unchanged : Change::undecided;
}

Finding decide(const Changes& changes) {
  std::vector<const TableRow*> left;
  for (const TableRow& row : kRows) {
    bool fits = true;
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const Change seen = changes.*kColumns[i].change;
      fits = fits && (!is_known(seen) || seen == row.changes[i]);
    }
    if (fits) left.push_back(&row);
  }
  Finding finding;
  for (const TableRow* row : left) finding.candidates.emplace_back(row->level);
  for (std::size_t i = 0; i < kColumns.size(); ++i) {
    const auto differs = [&](const TableRow* row) {
      return row->changes[i] != left[0]->changes[i];
    };
    if (!is_known(changes.*kColumns[i].change) && std::ranges::any_of(left, differs)) {
      finding.would_decide.emplace_back(kColumns[i].name);
    }
  }
  return finding;
}

std::string stalls_text(const Json& cell) {
  std::map<std::string, double> shares;
  std::string reason;
  bool is_asked = false;
  for (const Json& counter : cell.value("counters", Json::array())) {
    const auto group = counter.at("group").get<std::string>();
    if (group != "stalls" && !group.starts_with("stalls (")) continue;
    is_asked = true;
    const auto name = counter.at("name").get<std::string>();
    if (!counter.at("value").is_null()) {
      if (counter.at("unit") == "ratio") shares[name] = counter.at("value").get<double>();
    } else if (reason.empty() && counter.at("unit") == "ratio") {
      reason = counter.at("reason").get<std::string>();
    }
  }
  if (!is_asked) return "";
  const auto share = [&](const char* name) {
    const auto found = shares.find(name);
    return found == shares.end() ? std::nullopt : std::optional(found->second);
  };
  const auto percent = [](double value) { return std::to_string(std::lround(100 * value)) + " %"; };
  const auto l1 = share("stalled_on_l1_miss_ratio");
  const auto l2 = share("stalled_on_l2_miss_ratio");
  const auto l3 = share("stalled_on_l3_miss_ratio");
  std::vector<std::string> parts;
  if (l3) parts.push_back(percent(*l3) + " on misses of the L3 cache");
  if (l2 && l3) parts.push_back(percent(*l2 - *l3) + " on misses of L2 that L3 serves");
  if (l1 && l2) parts.push_back(percent(*l1 - *l2) + " on misses of L1 that L2 serves");
  if (const auto memory = share("stalled_on_memory_ratio")) {
    parts.push_back(percent(*memory) + " on memory of any level");
  }
  if (parts.empty()) return "stalled cycles are not counted: " + reason;
  return "cycles stalled: " + join(parts, ", ");
}

std::vector<std::pair<std::string, std::string>> diagnosis_pairs(const Json& cells) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const Json* subject : subjects_of(cells)) {
    for (const Column& column : kColumns) {
      const CellPair pair = cells_of(column, cells, *subject);
      if (pair.numerator == nullptr || pair.denominator == nullptr) continue;
      pairs.emplace_back(pair.numerator->at("id"), pair.denominator->at("id"));
    }
  }
  return pairs;
}

Json diagnose(const Json& result) {
  Json findings = Json::array();
  for (const Json* subject : subjects_of(result.at("cells"))) {
    findings.push_back(diagnose_subject(result, *subject));
  }
  Json table = Json::array();
  for (const TableRow& row : kRows) {
    Json changes = Json::array();
    for (const Change change : row.changes) changes.push_back(to_string(change));
    table.push_back({{"level", row.level}, {"changes", changes}});
  }
  return {{"margin_ratio", kChangeMargin}, {"table", table}, {"findings", findings}};
}

}  // namespace bellmark::verdict
