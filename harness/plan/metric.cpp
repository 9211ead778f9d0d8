#include "harness/plan/metric.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/contract/search_work.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::plan {
namespace {

const std::vector<std::string> kPlainAggregates = {"sum", "mean", "largest", "late_largest",
                                                   "late_over_largest"};
const std::vector<std::string> kBoundedAggregates = {"share_at_most", "share_above", "sum_at_most",
                                                     "sum_above"};

/// The rates of a cell, and their units.
const std::vector<std::pair<std::string, std::string>> kRates = {
    {"bytes_per_second", "bytes/s"},
    {"operations_per_second", "operations/s"},
    {"items_per_second", "items/s"}};

/// The facts of graphs that are numbers. The list is complete, so that a misspelt fact fails before
/// the run.
const std::vector<std::string> kGraphFacts = {
    "vertex_count",   "arc_count",   "mean_degree",      "least_length",
    "largest_length", "mean_length", "length_deviation", "block_degrees_above_32_ratio"};

bool is_word(const std::string& text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// 1, 10, 100, ...; 0 when `text` is not a power of ten.
std::uint64_t power_of_ten(const std::string& text) {
  constexpr std::size_t kMostDigits = 19;
  if (text.empty() || text.size() > kMostDigits || text[0] != '1') return 0;
  std::uint64_t power = 1;
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != '0') return 0;
    power *= 10;
  }
  return power;
}

bool known(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// Every metric, with `column` where it fits, and 10000 for a free bound.
std::vector<std::string> examples(const std::string& column) {
  std::vector<std::string> names = {"wall_ns",
                                    "wall_ns.p99",
                                    "teps.harmonic_mean",
                                    "teps.median",
                                    "memory.resident_bytes",
                                    "memory.accounted_bytes",
                                    "memory.accounted_bytes.arcs",
                                    "answer.objective",
                                    "phase_log.phase_count"};
  for (const auto& [rate, unit] : kRates) names.push_back("rates." + rate);
  for (const std::string& fact : kGraphFacts) names.push_back("graph." + fact);
  for (const WorkCount count : all_work_counts()) {
    names.push_back("counted." + std::string(name_of(count)));
  }
  names.emplace_back("graph.lengths_at_most_10000_ratio");
  names.emplace_back("graph.degrees_above_32_ratio");
  for (const std::string& aggregate : kPlainAggregates) {
    names.push_back("phase_log." + column + "." + aggregate);
  }
  for (const std::string& aggregate : kBoundedAggregates) {
    const bool of_times = aggregate.starts_with("sum");
    const bool fits = column.ends_with(of_times ? "_ns" : "_count");
    const std::string other = of_times ? "host_ns" : "updated_count";
    names.push_back("phase_log." + (fits ? column : other) + "." + aggregate + "_10000");
  }
  return names;
}

/// The bound of `<prefix><bound>_ratio`; "" for another fact.
std::string bound_of(const std::string& fact, const std::string& prefix) {
  const std::string suffix = "_ratio";
  if (fact.size() <= prefix.size() + suffix.size()) return {};
  if (!fact.starts_with(prefix) || !fact.ends_with(suffix)) return {};
  return fact.substr(prefix.size(), fact.size() - prefix.size() - suffix.size());
}

/// 1, 2, 4, ..., 2^19 (six digits at most).
bool is_power_of_two(const std::string& text) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 19;
  for (std::uint64_t power = 1; power <= kMost; power *= 2) {
    if (text == std::to_string(power)) return true;
  }
  return false;
}

/// The unit of a rate; "" for an unknown rate.
std::string rate_unit(const std::string& rate) {
  const auto found = std::ranges::find(kRates, rate, &std::pair<std::string, std::string>::first);
  return found == kRates.end() ? "" : found->second;
}

bool parse_graph(Metric& metric) {
  return known(kGraphFacts, metric.subject) ||
         power_of_ten(bound_of(metric.subject, "lengths_at_most_")) > 0 ||
         is_power_of_two(bound_of(metric.subject, "degrees_above_"));
}

bool parse_phase_log(Metric& metric, const std::vector<std::string>& parts) {
  if (parts.size() == 2) return parts[1] == "phase_count";
  if (parts.size() != 3 || !is_word(parts[1])) return false;
  metric.subject = parts[1];
  metric.aggregate = parts[2];
  if (known(kPlainAggregates, metric.aggregate)) return true;
  const std::size_t end = metric.aggregate.rfind('_');
  if (end == std::string::npos) return false;
  metric.bound = power_of_ten(metric.aggregate.substr(end + 1));
  metric.aggregate.resize(end);
  if (metric.bound == 0 || !known(kBoundedAggregates, metric.aggregate)) return false;
  // Only counts are shared out by their own decades, and only times by those of the updated
  // vertices.
  return metric.subject.ends_with(metric.aggregate.starts_with("sum") ? "_ns" : "_count");
}

std::string spaced(std::string name) {
  std::ranges::replace(name, '_', ' ');
  return name;
}

std::string without(const std::string& name, const std::string& suffix) {
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

/// The name of a phase log's column for people. A time of ranks names its rank.
std::string column_title(const std::string& column) {
  static const std::vector<std::pair<std::string, std::string>> kTimes = {
      {"_least_ns", " time, fastest rank"},
      {"_median_ns", " time, median rank"},
      {"_largest_ns", " time, slowest rank"},
      {"_ns", " time"}};
  for (const auto& [suffix, meaning] : kTimes) {
    if (column.ends_with(suffix)) return spaced(without(column, suffix)) + meaning;
  }
  return spaced(without(column, "_bytes"));
}

}  // namespace

const std::vector<MetricMeaning>& metric_meanings() {
  static const std::vector<MetricMeaning> meanings = {
      {"wall_ns", "time of one query"},
      {"wall_ns.p99", "time within which 99 of 100 queries of a cell are answered"},
      {"teps.harmonic_mean", "traversed edges per second, harmonic mean over queries"},
      {"teps.median", "traversed edges per second, median over queries"},
      {"memory.resident_bytes", "memory that the process holds"},
      {"memory.accounted_bytes", "memory that the variant accounts for"},
      {"memory.accounted_bytes.<part>", "a part of it alone: arcs, vertices, queue"},
      {"graph.<fact>",
       "a fact of the cell's graph, exact: vertex_count, arc_count, mean_degree, "
       "least_length, largest_length, mean_length, length_deviation"},
      {"graph.lengths_at_most_<bound>_ratio",
       "share of the arcs whose length is at most a power "
       "of ten"},
      {"graph.degrees_above_<bound>_ratio",
       "share of the vertices whose degree is above a power "
       "of two"},
      {"graph.block_degrees_above_32_ratio",
       "share of the rows of adjacency-matrix blocks with more than 32 arcs"},
      {"counted.<count>",
       "a [work count](counters.md#work) of one query, the mean; exact where one thread searched"},
      {"answer.<fact>", "a fact that the result keeps of an answer, mean over queries, exact"},
      {"phase_log.phase_count", "number of phases of one query"},
      {"phase_log.<column>.sum", "a column of the phase log, summed over the phases of one query"},
      {"phase_log.<column>.mean", "its mean over the phases"},
      {"phase_log.<column>.largest", "its largest value"},
      {"phase_log.<column>.late_largest", "its largest value in the second half of the phases"},
      {"phase_log.<column>.late_over_largest", "that value over the largest of all phases"},
      {"phase_log.<column>_count.share_at_most_<bound>",
       "share of the phases in which the count is at most a power of ten"},
      {"phase_log.<column>_count.share_above_<bound>",
       "share of the phases in which the count is above a power of ten"},
      {"phase_log.<column>_ns.sum_at_most_<bound>",
       "time of the phases in which updated_count is at most a power of ten"},
      {"phase_log.<column>_ns.sum_above_<bound>",
       "time of the phases in which updated_count is above a power of ten"}};
  return meanings;
}

std::string Metric::unit() const {
  const bool quotient = aggregate == "late_over_largest" || aggregate.starts_with("share");
  if (source == Source::memory) return "bytes";
  if (source == Source::wall) return "ns";
  if (source == Source::teps) return "TEPS";
  if (source == Source::rates) return rate_unit(subject);
  if (source != Source::phase_log || quotient) return "";
  if (subject.ends_with("_bytes")) return "bytes";
  return subject.ends_with("_ns") ? "ns" : "";
}

std::string Metric::title() const {
  switch (source) {
    case Source::wall:
      return aggregate.empty() ? "time" : "time that 99 % of queries keep";
    case Source::teps:
      return spaced(subject) + " over queries";
    case Source::memory:
      return without(subject, "_bytes") + " memory" + (aggregate.empty() ? "" : " of " + aggregate);
    case Source::rates:
    case Source::graph:
    case Source::counted:
    case Source::answer:
      return spaced(subject);
    case Source::phase_log:
      break;
  }
  if (subject.empty()) return "phase count";
  return column_title(subject) + ", " + spaced(name.substr(name.rfind('.') + 1)) + " over phases";
}

bool is_drawable(const Metric& metric) {
  static const std::vector<std::string> kDrawn = {"", "sum", "mean", "largest"};
  if (metric.source == Metric::Source::phase_log || metric.source == Metric::Source::wall) {
    return known(kDrawn, metric.aggregate);
  }
  return metric.source == Metric::Source::teps || metric.source == Metric::Source::rates ||
         metric.source == Metric::Source::memory;
}

Metric parse_metric(const std::string& name, const std::string& where) {
  Metric metric;
  metric.name = name;
  const auto parts = split(name, '.');
  bool good = name == "wall_ns";
  if (name == "wall_ns.p99") {
    metric.aggregate = parts[1];
    good = true;
  } else if (parts.size() == 2 && parts[0] == "teps") {
    metric.source = Metric::Source::teps;
    metric.subject = parts[1];
    good = metric.subject == "harmonic_mean" || metric.subject == "median";
  } else if (parts.size() == 2 && parts[0] == "rates") {
    metric.source = Metric::Source::rates;
    metric.subject = parts[1];
    good = !rate_unit(metric.subject).empty();
  } else if (parts.size() == 2 && parts[0] == "memory") {
    metric.source = Metric::Source::memory;
    metric.subject = parts[1];
    good = metric.subject == "resident_bytes" || metric.subject == "accounted_bytes";
  } else if (parts.size() == 3 && parts[0] == "memory" && parts[1] == "accounted_bytes") {
    metric.source = Metric::Source::memory;
    metric.subject = parts[1];
    metric.aggregate = parts[2];
    good = is_word(metric.aggregate);
  } else if (parts.size() == 2 && parts[0] == "graph") {
    metric.source = Metric::Source::graph;
    metric.subject = parts[1];
    good = parse_graph(metric);
  } else if (parts.size() == 2 && parts[0] == "counted") {
    metric.source = Metric::Source::counted;
    metric.subject = parts[1];
    good = std::ranges::any_of(all_work_counts(),
                               [&](WorkCount count) { return name_of(count) == metric.subject; });
  } else if (parts.size() == 2 && parts[0] == "answer") {
    metric.source = Metric::Source::answer;
    metric.subject = parts[1];
    good = is_word(metric.subject);
  } else if (parts.size() > 1 && parts[0] == "phase_log") {
    metric.source = Metric::Source::phase_log;
    good = parse_phase_log(metric, parts);
  }
  if (good) return metric;
  const bool has_column = parts.size() == 3 && is_word(parts[1]);
  throw InputError(where, "'" + name + "' is no metric",
                   suggestion(name, examples(has_column ? parts[1] : "updated_count")));
}

}  // namespace bellmark::plan
