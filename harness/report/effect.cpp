#include "harness/report/effect.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/machine/memory.hpp"
#include "harness/plan/metric.hpp"
#include "harness/report/format.hpp"
#include "harness/report/rates.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/verdict.hpp"

namespace bellmark::report {
namespace {

/// A row of a claim's part.
struct MeasuredRow {
  const Json& part;
  const Json& row;

  bool is_ratio() const { return !row.at("denominator").is_null(); }
};

std::optional<MeasuredRow> find_row(const ClaimRow& claim) {
  for (const Judgement& judgement : claim.judged) {
    const Json& verdict = *judgement.verdict;
    if (!judgement.decides || verdict.at("verdict") != claim.verdict) continue;
    if (!verdict.contains("parts")) continue;
    for (const Json& part : verdict.at("parts")) {
      if (part.at("verdict") != claim.verdict) continue;
      for (const Json& row : part.at("measured")) {
        const Json outcome = row.value("outcome", Json());
        // A disturbed value says nothing.
        if (row.value("reason", "").starts_with(verdict::kNotJudged)) continue;
        const bool decided =
            claim.verdict == verdict::kCheck ? !outcome.is_null() : outcome == claim.verdict;
        if (decided && !row.at("value").is_null()) return MeasuredRow{part, row};
      }
    }
  }
  return std::nullopt;
}

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// The metric's title and unit. Results may have metrics that this build doesn't know.
std::pair<std::string, std::string> title_and_unit(const MeasuredRow& measured) {
  const Json own = measured.row.value("metric", Json());
  const auto name = (own.is_null() ? measured.part.at("metric") : own).get<std::string>();
  try {
    const plan::Metric metric = plan::parse_metric(name);
    return {metric.title(), metric.unit()};
  } catch (const InputError&) {
    return {name, ""};
  }
}

/// Without a fraction if it says nothing.
std::string number_text(const char* format, double value) {
  constexpr double kWhole = 1000;
  return formatted(value >= kWhole ? "%.0f" : format, value);
}

/// A value of the metric, or a ratio if two cells are compared.
std::string value_text(double value, const MeasuredRow& measured, const char* ratio_format) {
  if (measured.is_ratio()) return number_text(ratio_format, value);
  const std::string unit = title_and_unit(measured).second;
  if (unit == "ns") return duration_text(value);
  if (unit.ends_with("/s")) return rate_text(value, unit);
  constexpr double kMostBytes = 1e18;
  if (unit == "bytes" && value >= 0 && value < kMostBytes) {
    return machine::human_bytes(static_cast<std::uint64_t>(value));
  }
  return number_text("%.4g", value);
}

/// `0.890 [0.876, 0.903]`; an exact value alone.
std::string measured_text(const MeasuredRow& measured) {
  const auto text = [&](const char* key) {
    return value_text(measured.row.at(key).get<double>(), measured, "%.3f");
  };
  std::string value = text("value");
  if (measured.row.at("ci95_low").is_null() || measured.row.at("ci95_high").is_null()) return value;
  const std::string low = text("ci95_low");
  const std::string high = text("ci95_high");
  return low == high ? value : value + " [" + low + ", " + high + "]";
}

/// `1.13`, `1.1 to 1.25`; for a direction alone `below 1`; "" where the paper says nothing.
std::string paper_text(const MeasuredRow& measured) {
  const auto field = [&](const char* key) { return measured.row.value(key, Json()); };
  const auto text = [&](const char* key) {
    return value_text(field(key).get<double>(), measured, "%.3g");
  };
  constexpr const char* kLow = "paper_low";
  constexpr const char* kHigh = "paper_high";
  if (!field(kLow).is_null() && !field(kHigh).is_null()) return text(kLow) + " to " + text(kHigh);
  if (!field(kLow).is_null()) return "at least " + text(kLow);
  if (!field(kHigh).is_null()) return "at most " + text(kHigh);
  if (!field("paper").is_null()) return text("paper");
  if (field("range_low").is_null() || field("rival").is_null()) return {};
  return (field("range_low") == 0 ? "below " : "above ") + text("rival");
}

/// The names of the compared cells: the words that tell two cells apart, and the words that they
/// share.
struct Names {
  std::string numerator;
  std::string denominator;  ///< "" unless the row has exactly two cells
  std::string shared;       ///< ` (graph=NY)`, or ""
};

/// The words of `a=1, b=2`. Values have commas too, but no blanks after them.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  constexpr std::string_view kBetween = ", ";
  for (std::size_t end = 0; (end = text.find(kBetween)) != std::string_view::npos;) {
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end + kBetween.size());
  }
  words.emplace_back(text);
  return words;
}

std::vector<std::string> without(const std::vector<std::string>& words,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> own;
  for (const std::string& word : words) {
    if (std::ranges::find(others, word) == others.end()) own.push_back(word);
  }
  return own;
}

Names names_of(const std::string& text) {
  constexpr std::string_view kOver = ") / (";
  const std::size_t over = text.find(kOver);
  if (!text.starts_with('(') || !text.ends_with(')') || over == std::string::npos) {
    // A statement has a name of its own, with cells after it.
    return {text.substr(0, text.find(": (")), "", ""};
  }
  const std::string_view all(text);
  const auto numerator = words_of(all.substr(1, over - 1));
  const auto denominator =
      words_of(all.substr(over + kOver.size(), all.size() - over - kOver.size() - 1));
  const auto own = without(numerator, denominator);
  const auto others = without(denominator, numerator);
  if (own.empty() || others.empty()) return {join(numerator, ", "), join(denominator, ", "), ""};
  const auto shared = without(numerator, own);
  return {join(own, ", "), join(others, ", "),
          shared.empty() ? "" : " (" + join(shared, ", ") + ")"};
}

}  // namespace

std::string effect_of(const ClaimRow& claim, std::size_t columns) {
  const auto found = find_row(claim);
  if (!found) return {};
  const Names names = names_of(found->row.at("text"));
  const std::string value = measured_text(*found);
  const std::string paper = paper_text(*found);
  const std::string said = paper.empty() ? "" : "; the paper " + paper;
  const auto [title, unit] = title_and_unit(*found);
  std::string sentence = names.numerator + ": " + value + said;
  std::string numbers_first =
      value + (paper.empty() ? "" : "; paper " + paper) + ": " + names.numerator;
  if (!names.denominator.empty()) {
    sentence = names.numerator + (unit == "ns" ? " takes " : " has ") + value + " of the " + title +
               " of " + names.denominator + said;
    numbers_first += " / " + names.denominator;
    if (title != plan::parse_metric("wall_ns").title()) numbers_first += ", " + title;
  }
  const bool fits = display_width(sentence) <= columns;
  return cut_end((fits ? sentence : numbers_first) + names.shared, columns);
}

std::vector<std::vector<std::string>> rows_of(const Json& part) {
  std::vector<std::vector<std::string>> rows = {{"row", "here", "the paper", "outcome"}};
  for (const Json& row : part.at("measured")) {
    const MeasuredRow measured{part, row};
    const Names names = names_of(row.at("text"));
    const std::string paper = paper_text(measured);
    const Json outcome = row.value("outcome", Json());
    rows.push_back({names.numerator + (names.denominator.empty() ? "" : " / " + names.denominator) +
                        names.shared,
                    row.at("value").is_null() ? "not measured" : measured_text(measured),
                    paper.empty() ? "-" : paper,
                    outcome.is_null() ? "-" : outcome.get<std::string>()});
  }
  return rows;
}

}  // namespace bellmark::report
