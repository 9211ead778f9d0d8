#include "harness/verdict/measured.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "base/text.hpp"
#include "harness/plan/metric.hpp"
#include "harness/verdict/doubt.hpp"

namespace bellmark::verdict {
namespace {

using measure::Interval;
using plan::Metric;

Measured missing(std::string why) { return {std::nullopt, std::nullopt, std::move(why)}; }

/// Exact and the same every time: the interval is the value.
Measured exact(double value) { return {value, Interval{value, value}, ""}; }

std::optional<Interval> interval_of(const Json& json) {
  if (json.at("ci95_low").is_null() || json.at("ci95_high").is_null()) return std::nullopt;
  return Interval{json.at("ci95_low").get<double>(), json.at("ci95_high").get<double>()};
}

Measured median_of(const std::vector<double>& values, const std::string& none,
                   const std::string& too_few) {
  if (values.empty()) return missing(none);
  const auto interval = measure::median_interval(values);
  return {measure::median(values), interval, interval ? "" : too_few, "", values};
}

Measured ratio_of(const std::vector<double>& log_ratios, const std::string& none,
                  const std::string& too_few) {
  if (log_ratios.empty()) return missing(none);
  const measure::Ratio ratio = measure::ratio_over_blocks(log_ratios);
  std::vector<double> values;
  values.reserve(log_ratios.size());
  for (const double log_ratio : log_ratios) values.push_back(std::exp(log_ratio));
  return {ratio.value, ratio.interval, ratio.interval ? "" : too_few, "", std::move(values)};
}

const char* const kFewBlocks = "fewer than 6 blocks: no interval";
const char* const kFewQueries = "fewer than 6 queries: no interval";
const char* const kNoTeps = "answers do not say how many edges were traversed";
const char* const kNoRate = "neither the problem nor the variant says how much a query does";
const char* const kNoResident = "resident memory was not measured";
const char* const kNoAccounted = "a variant accounts no memory";

/// Why a cell's threads wait for each other; "" when they don't. Threads wait that share places, or
/// that have too few queries of a batch each. Their times say nothing of threads that have a place
/// and work. The same holds for ranks that share places.
std::string crowding(const Json& cell) {
  constexpr std::size_t kQueriesPerThread = 4;
  const Json ranks = cell.value("ranks", Json());
  if (!ranks.is_null() && !ranks.at("shared_places").empty()) {
    return "ranks share " + ranks.at("shared_places").front().get<std::string>();
  }
  const Json placement = cell.value("placement", Json::object());
  if (!placement.contains("threads") || !placement.contains("pu_count")) return {};
  const std::size_t thread_count = placement["threads"].size() + 1;
  const auto pu_count = placement["pu_count"].get<std::size_t>();
  if (pu_count == 0 || thread_count == 1) return {};
  if (thread_count > pu_count) {
    return std::to_string(thread_count) + " threads share " + std::to_string(pu_count) +
           (pu_count == 1 ? " PU" : " PUs");
  }
  const bool batch = cell.value("batch", true);
  const auto query_count = cell.at("query_count").get<std::size_t>();
  if (!batch || query_count >= kQueriesPerThread * thread_count) return {};
  return std::to_string(thread_count) + " threads had only " + std::to_string(query_count) +
         (query_count == 1 ? " query" : " queries") + " (" +
         std::to_string(kQueriesPerThread * thread_count) + " or more keep them busy)";
}

bool is_of_time(const Metric& metric) {
  return metric.source == Metric::Source::wall || metric.source == Metric::Source::teps ||
         metric.source == Metric::Source::rates ||
         (metric.source == Metric::Source::phase_log && metric.subject.ends_with("_ns"));
}

Measured time_of(const Json& cell) {
  const Json& wall = cell.at("wall_ns");
  if (wall.is_null()) return missing("a cell was not measured");
  const auto interval = interval_of(wall);
  return {wall.at("median").get<double>(), interval, interval ? "" : kFewBlocks, "",
          cell.value("block_medians_ns", std::vector<double>())};
}

/// The 99th percentile of the queries' times (nearest rank), each query by its median over passes:
/// block by block.
Measured p99_of(const Json& cell) {
  constexpr std::size_t kFewest = 100;
  if (cell.at("wall_ns").is_null()) return missing("a cell was not measured");
  std::vector<double> block_values;
  for (const Json& block : cell.value("blocks", Json::array())) {
    std::map<std::size_t, std::vector<double>> passes;
    for (const Json& pass : block.at("query_ns")) {
      for (std::size_t query = 0; query < pass.size(); ++query) {
        passes[query].push_back(pass[query].get<double>());
      }
    }
    if (passes.size() < kFewest) return missing("a 99th percentile is of 100 queries or more");
    std::vector<double> times;
    times.reserve(passes.size());
    for (const auto& [query, values] : passes) times.push_back(measure::median(values));
    const std::size_t rank = (99 * times.size() + 99) / 100 - 1;
    std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(rank));
    block_values.push_back(times[rank]);
  }
  return median_of(block_values, "the result has no times of queries", kFewBlocks);
}

Measured teps_of(const Json& cell, const Metric& metric) {
  const Json teps = cell.value("teps", Json());
  if (teps.is_null()) return missing(kNoTeps);
  const Json& statistic = teps.at(metric.subject);
  const auto interval = interval_of(statistic);
  return {statistic.at("median").get<double>(), interval, interval ? "" : kFewBlocks, "",
          teps.value("block_" + metric.subject + "s", std::vector<double>())};
}

/// The rate of a cell; null where it has none.
Json rate_json(const Json& cell, const Metric& metric) {
  return cell.value("rates", Json::object()).value(metric.subject, Json());
}

Measured rate_of(const Json& cell, const Metric& metric) {
  const Json rate = rate_json(cell, metric);
  if (rate.is_null()) return missing(kNoRate);
  const auto interval = interval_of(rate);
  return {rate.at("median").get<double>(), interval, interval ? "" : kFewBlocks, "",
          rate.at("block_values").get<std::vector<double>>()};
}

Measured rate_ratio(const Json& numerator, const Json& denominator, const Metric& metric) {
  const std::vector<double> a = rate_of(numerator, metric).values;
  const std::vector<double> b = rate_of(denominator, metric).values;
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    logs.push_back(std::log(a[i] / b[i]));
  }
  return ratio_of(logs, kNoRate, kFewBlocks);
}

Measured time_ratio(const Json& result, const Json& numerator, const Json& denominator) {
  for (const Json& comparison : result.at("comparisons")) {
    const auto interval = interval_of(comparison);
    const double ratio = comparison.at("ratio").get<double>();
    const std::string reason =
        comparison.at("reason").is_null() ? "" : comparison.at("reason").get<std::string>();
    auto values = comparison.value("block_ratios", std::vector<double>());
    auto blocks = comparison.value("blocks", std::vector<std::size_t>());
    if (comparison.at("a") == numerator.at("id") && comparison.at("b") == denominator.at("id")) {
      return {ratio, interval, reason, "", std::move(values), true, std::move(blocks)};
    }
    if (comparison.at("b") == numerator.at("id") && comparison.at("a") == denominator.at("id")) {
      for (double& value : values) value = 1 / value;
      std::optional<Interval> inverse;
      if (interval) inverse = Interval{1 / interval->high, 1 / interval->low};
      return {1 / ratio, inverse, reason, "", std::move(values), true, std::move(blocks)};
    }
  }
  return missing("a cell was not measured");
}

Measured teps_ratio(const Json& numerator, const Json& denominator, const Metric& metric) {
  const Json a = numerator.value("teps", Json());
  const Json b = denominator.value("teps", Json());
  std::vector<double> logs;
  if (!a.is_null() && !b.is_null()) {
    const std::string blocks = "block_" + metric.subject + "s";
    for (std::size_t i = 0; i < std::min(a.at(blocks).size(), b.at(blocks).size()); ++i) {
      logs.push_back(std::log(a[blocks][i].get<double>() / b[blocks][i].get<double>()));
    }
  }
  return ratio_of(logs, kNoTeps, kFewBlocks);
}

Measured exact_ratio(const Measured& a, const Measured& b) {
  if (!a.value || !b.value) return a.value ? b : a;
  if (*b.value == 0) return missing("the denominator is 0");
  const double ratio = *a.value / *b.value;
  if (!a.interval || !b.interval) return {ratio, std::nullopt, (a.interval ? b : a).missing};
  return exact(ratio);
}

Measured accounted(const Json& cell, const Metric& metric) {
  const Json& memory = cell.at("memory");
  if (memory.at("accounted_bytes").is_null()) return missing(kNoAccounted);
  if (metric.aggregate.empty()) return exact(memory["accounted_bytes"].get<double>());
  if (!memory.at("accounted").contains(metric.aggregate)) {
    return missing("the variant accounts no '" + metric.aggregate + "'");
  }
  return exact(memory["accounted"][metric.aggregate].get<double>());
}

Measured memory_of(const Json& cell, const Metric& metric) {
  if (metric.subject == "accounted_bytes") return accounted(cell, metric);
  return median_of(cell.at("memory").at("resident_block_bytes").get<std::vector<double>>(),
                   kNoResident, kFewBlocks);
}

Measured memory_ratio(const Json& numerator, const Json& denominator, const Metric& metric) {
  if (metric.subject == "accounted_bytes") {
    return exact_ratio(accounted(numerator, metric), accounted(denominator, metric));
  }
  const Json& a = numerator.at("memory");
  const Json& b = denominator.at("memory");
  std::vector<double> logs;
  const Json& a_blocks = a.at("resident_block_bytes");
  const Json& b_blocks = b.at("resident_block_bytes");
  for (std::size_t i = 0; i < std::min(a_blocks.size(), b_blocks.size()); ++i) {
    const double high = a_blocks[i].get<double>();
    const double low = b_blocks[i].get<double>();
    if (high > 0 && low > 0) logs.push_back(std::log(high / low));
  }
  return ratio_of(logs, kNoResident, kFewBlocks);
}

Measured fact_of(const Json& result, const Json& cell, const Metric& metric) {
  const Json& facts = result.at("workloads").at(cell.at("workload").get<std::size_t>()).at("facts");
  if (!facts.contains(metric.subject) || !facts[metric.subject].is_number()) {
    return missing("the input has no fact '" + metric.subject + "'");
  }
  return exact(facts[metric.subject].get<double>());
}

/// Threads meet in another order each time, and their work differs with it.
Measured counted_of(const Json& cell, const Metric& metric) {
  const Json counts = cell.value("work_counts", Json());
  if (counts.is_null() || !counts.contains(metric.subject)) {
    return missing(
        "no work was counted: no phase pass was made (--smoke, or --budget ended first)");
  }
  const Json& count = counts[metric.subject];
  if (count.at("value").is_null()) return missing(count.at("reason").get<std::string>());
  const auto value = count["value"].get<double>();
  const std::string threads = cell.value("parameters", Json::object()).value("threads", "1");
  if (threads == "1" && cell.value("rank_count", 1) == 1) return exact(value);
  return {value, std::nullopt, "one run counted, and the work of several threads differs"};
}

/// The mean of a fact over the kept answers. A right answer is the same every time, or equally
/// good.
Measured answer_of(const Json& cell, const Metric& metric) {
  double sum = 0;
  std::size_t count = 0;
  for (const Json& answer : cell.value("answers", Json::array())) {
    if (!answer.contains(metric.subject) || !answer[metric.subject].is_number()) continue;
    sum += answer[metric.subject].get<double>();
    ++count;
  }
  if (count == 0) return missing("no answer has a fact '" + metric.subject + "'");
  return exact(sum / static_cast<double>(count));
}

/// A metric of a cell, for each block or query that has it, by its index.
struct PerQuery {
  std::map<std::size_t, double> values;
  std::string missing;  ///< why there are none
};

/// The sum over the classes of a column that are at most `bound`, or above it.
double sum_of_classes(const Json& by_decade, const Metric& metric) {
  const bool above = metric.aggregate.ends_with("above");
  double sum = 0;
  for (const auto& [decade, value] : by_decade.items()) {
    if ((std::stoull(decade) > metric.bound) == above) sum += value.get<double>();
  }
  return sum;
}

std::optional<double> query_value(const Json& query, const Metric& metric) {
  const double phases = query.at("phase_count").get<double>();
  if (metric.subject.empty()) return phases;
  const Json& column = query.at("columns").at(metric.subject);
  if (metric.aggregate.starts_with("share")) {
    if (phases == 0) return std::nullopt;
    return sum_of_classes(column.at("phases_by_decade"), metric) / phases;
  }
  if (metric.aggregate == "sum") return column.at("sum").get<double>();
  if (metric.aggregate == "mean") {
    if (phases == 0) return std::nullopt;
    return column.at("sum").get<double>() / phases;
  }
  if (metric.aggregate.starts_with("sum")) {
    if (!column.contains("sum_by_decade")) return std::nullopt;
    return sum_of_classes(column.at("sum_by_decade"), metric);
  }
  if (column.at("largest").is_null()) return std::nullopt;
  const double largest = column.at("largest").get<double>();
  const double late = column.at("late_largest").get<double>();
  if (metric.aggregate == "largest") return largest;
  if (metric.aggregate == "late_largest") return late;
  if (largest == 0) return std::nullopt;
  return late / largest;
}

PerQuery per_query_of(const Json& queries, const Metric& metric) {
  PerQuery found;
  for (const Json& query : queries) {
    if (const auto value = query_value(query, metric)) {
      found.values[query.at("query").get<std::size_t>()] = *value;
    }
  }
  return found;
}

PerQuery per_query(const Json& cell, const Metric& metric) {
  const Json log = cell.value("phase_log", Json());
  if (log.is_null()) {
    return {{},
            cell.at("wall_ns").is_null() ? "a cell was not measured"
                                         : "no phase log: the variant keeps none, or no phase pass "
                                           "was made (--smoke, or --budget ended first)"};
  }
  const auto columns = log.at("columns").get<std::vector<std::string>>();
  if (!metric.subject.empty() &&
      std::find(columns.begin(), columns.end(), metric.subject) == columns.end()) {
    return {{},
            "the phase log has no column '" + metric.subject + "'; " +
                suggestion(metric.subject, columns)};
  }
  PerQuery result = per_query_of(log.at("queries"), metric);
  if (result.values.empty()) result.missing = "no query's phase log gives " + metric.name;
  return result;
}

/// The metric for each block, if times of phases were measured in several blocks; else empty.
std::map<std::size_t, PerQuery> per_block(const Json& cell, const Metric& metric) {
  std::map<std::size_t, PerQuery> blocks;
  const Json log = cell.value("phase_log", Json());
  if (log.is_null() || !is_of_time(metric) || !log.contains("later_blocks")) return blocks;
  blocks[log.value("first_block", std::size_t{0})] = per_query(cell, metric);
  for (const Json& block : log.at("later_blocks")) {
    blocks[block.at("index").get<std::size_t>()] = per_query_of(block.at("queries"), metric);
  }
  return blocks;
}

std::vector<double> values_in(const PerQuery& found) {
  std::vector<double> values;
  for (const auto& [query, value] : found.values) values.push_back(value);
  return values;
}

/// The logarithms of the ratios of queries that both cells have. A query that lacks such phases in
/// one cell has no ratio.
std::vector<double> log_ratios_of(const PerQuery& a, const PerQuery& b) {
  std::vector<double> logs;
  for (const auto& [query, value] : a.values) {
    const auto other = b.values.find(query);
    if (other == b.values.end() || value <= 0 || other->second <= 0) continue;
    logs.push_back(std::log(value / other->second));
  }
  return logs;
}

Measured phase_log_of(const Json& cell, const Metric& metric) {
  std::vector<double> medians;
  for (const auto& [index, found] : per_block(cell, metric)) {
    if (!found.values.empty()) medians.push_back(measure::median(values_in(found)));
  }
  if (!medians.empty()) return median_of(medians, "", kFewBlocks);
  const PerQuery found = per_query(cell, metric);
  return median_of(values_in(found), found.missing, kFewQueries);
}

Measured phase_log_ratio(const Json& numerator, const Json& denominator, const Metric& metric) {
  std::vector<double> medians;
  const auto others = per_block(denominator, metric);
  for (const auto& [index, found] : per_block(numerator, metric)) {
    const auto other = others.find(index);
    if (other == others.end()) continue;
    const std::vector<double> logs = log_ratios_of(found, other->second);
    if (!logs.empty()) medians.push_back(measure::median(logs));
  }
  if (!medians.empty()) return ratio_of(medians, "", kFewBlocks);
  const PerQuery a = per_query(numerator, metric);
  const PerQuery b = per_query(denominator, metric);
  const std::string why = !a.missing.empty()   ? a.missing
                          : !b.missing.empty() ? b.missing
                                               : "no query has " + metric.name + " in both";
  return ratio_of(log_ratios_of(a, b), why, kFewQueries);
}

Measured value_of(const Json& result, const Json& cell, const Metric& metric) {
  switch (metric.source) {
    case Metric::Source::wall:
      return metric.aggregate.empty() ? time_of(cell) : p99_of(cell);
    case Metric::Source::teps:
      return teps_of(cell, metric);
    case Metric::Source::rates:
      return rate_of(cell, metric);
    case Metric::Source::memory:
      return memory_of(cell, metric);
    case Metric::Source::graph:
      return fact_of(result, cell, metric);
    case Metric::Source::counted:
      return counted_of(cell, metric);
    case Metric::Source::answer:
      return answer_of(cell, metric);
    case Metric::Source::phase_log:
      return phase_log_of(cell, metric);
  }
  return missing("no such metric");
}

Measured ratio_between(const Json& result, const Json& numerator, const Json& denominator,
                       const Metric& metric) {
  switch (metric.source) {
    case Metric::Source::wall:
      if (!metric.aggregate.empty()) return missing("a 99th percentile is of one cell");
      return time_ratio(result, numerator, denominator);
    case Metric::Source::teps:
      return teps_ratio(numerator, denominator, metric);
    case Metric::Source::rates:
      return rate_ratio(numerator, denominator, metric);
    case Metric::Source::memory:
      return memory_ratio(numerator, denominator, metric);
    case Metric::Source::graph:
      return exact_ratio(fact_of(result, numerator, metric), fact_of(result, denominator, metric));
    case Metric::Source::counted:
      return exact_ratio(counted_of(numerator, metric), counted_of(denominator, metric));
    case Metric::Source::answer:
      return exact_ratio(answer_of(numerator, metric), answer_of(denominator, metric));
    case Metric::Source::phase_log:
      return phase_log_ratio(numerator, denominator, metric);
  }
  return missing("no such metric");
}

/// A metric of a cell by block or query. An exact metric has one value.
PerQuery values_of(const Json& result, const Json& cell, const Metric& metric) {
  if (metric.source == Metric::Source::phase_log) {
    const auto blocks = per_block(cell, metric);
    if (blocks.empty()) return per_query(cell, metric);
    PerQuery medians;
    for (const auto& [index, found] : blocks) {
      if (!found.values.empty()) medians.values[index] = measure::median(values_in(found));
    }
    return medians;
  }
  std::vector<double> values;
  if (metric.source == Metric::Source::wall || metric.source == Metric::Source::rates) {
    values = value_of(result, cell, metric).values;
  } else if (metric.source == Metric::Source::teps) {
    values = teps_of(cell, metric).values;
  } else if (metric.source == Metric::Source::memory && metric.subject == "resident_bytes") {
    values = cell.at("memory").at("resident_block_bytes").get<std::vector<double>>();
  } else if (const Measured measured = value_of(result, cell, metric); measured.value) {
    values.push_back(*measured.value);
  } else {
    return {{}, measured.missing};
  }
  PerQuery found{{}, values.empty() ? "a cell was not measured" : ""};
  const Json blocks = cell.value("blocks", Json::array());
  const bool is_numbered =
      metric.source != Metric::Source::memory && blocks.size() == values.size();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t index = is_numbered ? blocks[i].at("index").get<std::size_t>() : i;
    found.values[index] = values[i];
  }
  return found;
}

/// True if a cell has one value that no rerun changes.
bool is_exact(const Metric& metric) {
  return metric.source == Metric::Source::graph || metric.source == Metric::Source::counted ||
         metric.source == Metric::Source::answer ||
         (metric.source == Metric::Source::memory && metric.subject == "accounted_bytes");
}

/// Least squares of log y over log x.
double slope_of(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = static_cast<double>(x.size());
  double mean_x = 0;
  double mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / count;
    mean_y += std::log(y[i]) / count;
  }
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    above += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    below += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
  }
  return above / below;
}

}  // namespace

bool is_over_blocks(const std::string& metric) {
  const Metric parsed = plan::parse_metric(metric);
  return is_of_time(parsed) || (parsed.source == Metric::Source::memory && !is_exact(parsed));
}

Measured measure_cell(const Json& result, const Json& cell, const std::string& metric) {
  const Metric parsed = plan::parse_metric(metric);
  Measured measured = value_of(result, cell, parsed);
  measured.is_time = is_of_time(parsed);
  if (measured.is_time) measured.doubt = doubt_of({&cell});
  return measured;
}

Measured measure_ratio(const Json& result, const Json& numerator, const Json& denominator,
                       const std::string& metric) {
  const Metric parsed = plan::parse_metric(metric);
  if (!is_of_time(parsed)) return ratio_between(result, numerator, denominator, parsed);
  for (const Json* cell : {&numerator, &denominator}) {
    if (std::string crowded = crowding(*cell); !crowded.empty()) return missing(std::move(crowded));
  }
  Measured measured = ratio_between(result, numerator, denominator, parsed);
  measured.doubt = doubt_of({&numerator, &denominator});
  measured.is_time = true;
  return measured;
}

Measured quotient(const Measured& a, const Measured& b) {
  if (!a.value) return a;
  if (!b.value) return b;
  Measured result{*a.value / *b.value, std::nullopt, a.interval ? b.missing : a.missing,
                  a.doubt.empty() ? b.doubt : a.doubt};
  result.is_time = a.is_time || b.is_time;
  const bool by_index = !a.blocks.empty() && !b.blocks.empty();
  if (by_index || (a.values.size() == b.values.size() && !a.values.empty())) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      std::size_t j = i;
      if (by_index) {
        j = static_cast<std::size_t>(std::ranges::find(b.blocks, a.blocks[i]) - b.blocks.begin());
        if (j == b.values.size()) continue;
      }
      logs.push_back(std::log(a.values[i] / b.values[j]));
    }
    Measured by_block = ratio_of(logs, "the two ratios share no block", kFewBlocks);
    by_block.doubt = result.doubt;
    by_block.is_time = result.is_time;
    return by_block;
  }
  if (!a.interval || !b.interval) return result;
  result.interval =
      Interval{a.interval->low / b.interval->high, a.interval->high / b.interval->low};
  return result;
}

Measured mean_of(const std::vector<Measured>& ratios) {
  const auto count = static_cast<double>(ratios.size());
  std::size_t shared = std::numeric_limits<std::size_t>::max();
  bool all_exact = true;
  double mean = 0;
  std::string doubt;
  for (const Measured& ratio : ratios) {
    if (!ratio.value) return ratio;
    mean += *ratio.value / count;
    shared = std::min(shared, ratio.values.size());
    all_exact = all_exact && ratio.interval && ratio.interval->low == ratio.interval->high;
    if (doubt.empty()) doubt = ratio.doubt;
  }
  std::vector<double> logs;
  for (std::size_t block = 0; block < shared; ++block) {
    double sum = 0;
    for (const Measured& ratio : ratios) sum += ratio.values[block];
    logs.push_back(std::log(sum / count));
  }
  Measured result = ratio_of(logs, "", kFewBlocks);
  if (logs.empty()) {
    // Exact ratios have no blocks, and neither have those of older results.
    result = all_exact ? exact(mean) : Measured{mean, std::nullopt, "no block has all ratios"};
  }
  result.doubt = doubt;
  result.is_time = ratios.front().is_time;
  return result;
}

Measured measure_growth(const Json& result, const std::vector<const Json*>& cells,
                        const std::vector<double>& places, const std::string& metric) {
  const Metric parsed = plan::parse_metric(metric);
  const bool is_time = is_of_time(parsed);
  std::vector<std::map<std::size_t, double>> values;
  std::string doubt;
  for (const Json* cell : cells) {
    if (std::string crowded = is_time ? crowding(*cell) : ""; !crowded.empty()) {
      return missing(std::move(crowded));
    }
    PerQuery found = values_of(result, *cell, parsed);
    if (found.values.empty()) return missing(std::move(found.missing));
    values.push_back(std::move(found.values));
    if (is_time && doubt.empty()) doubt = doubt_of({cell});
  }
  const auto [least, largest] = std::ranges::minmax(places);
  const double span = std::log(largest / least);
  std::vector<double> logs;
  for (const auto& [index, first] : values.front()) {
    std::vector<double> column;
    for (const auto& each : values) {
      const auto found = each.find(index);
      if (found != each.end() && found->second > 0) column.push_back(found->second);
    }
    if (column.size() == cells.size()) logs.push_back(span * slope_of(places, column));
  }
  Measured growth = ratio_of(logs, "no value above 0 that all cells have", kFewBlocks);
  if (is_exact(parsed) && growth.value) growth = exact(*growth.value);
  growth.doubt = doubt;
  growth.is_time = is_time;
  return growth;
}

void add_units(Json& verdicts) {
  for (Json& verdict : verdicts) {
    for (Json& part : verdict.at("parts")) {
      for (Json& row : part.at("measured")) {
        const auto metric = row.value("metric", part.at("metric").get<std::string>());
        const bool is_ratio = !row.at("denominator").is_null();
        row["unit"] = is_ratio ? "" : plan::parse_metric(metric, "a result's verdict").unit();
      }
    }
  }
}

}  // namespace bellmark::verdict
