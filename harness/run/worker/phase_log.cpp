#include "harness/run/worker/phase_log.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

constexpr std::size_t kFirstQueries = 5;
/// The most rows of a log that is kept: nobody opens a longer one, and its figure shows no phase.
constexpr std::size_t kMostRows = 20'000;
constexpr std::uint64_t kLargestShareBound = 10'000'000;

const char* const kUpdated = "updated_count";

/// Phases or nanoseconds by decade of a count.
using ByDecade = std::map<std::uint64_t, std::uint64_t>;

void check_shape(const PhaseLog& log, std::size_t query) {
  const std::size_t columns = std::max<std::size_t>(1, log.columns.size());
  if (log.values.size() % columns == 0 && (!log.columns.empty() || log.values.empty())) return;
  throw Error(ExitCode::internal, "phase log of query " + std::to_string(query + 1),
              "has " + std::to_string(log.values.size()) + " values in " +
                  std::to_string(log.columns.size()) + " columns",
              "log every column in every phase");
}

std::size_t column_of(const PhaseLog& log, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(log.columns, name) - log.columns.begin());
}

std::vector<std::uint64_t> values_of(const PhaseLog& log, std::size_t column) {
  std::vector<std::uint64_t> values;
  for (std::size_t i = column; i < log.values.size(); i += log.columns.size()) {
    values.push_back(log.values[i]);
  }
  return values;
}

/// Replaces the times that were measured while counting by those of plain runs, phase for phase, if
/// the plain runs of all queries logged them. Gives the names of these columns.
std::vector<std::string> take_plain_times(std::vector<QueryLog>& logs) {
  std::vector<std::string> taken;
  const std::vector<std::string> columns = logs.front().instrumented.columns;
  for (std::size_t to = 0; to < columns.size(); ++to) {
    if (!columns[to].ends_with("_ns")) continue;
    const bool everywhere = std::ranges::all_of(logs, [&](const QueryLog& log) {
      return column_of(log.plain, columns[to]) < log.plain.columns.size() &&
             log.plain.phase_count() == log.instrumented.phase_count();
    });
    if (!everywhere) continue;
    for (QueryLog& log : logs) {
      const auto times = values_of(log.plain, column_of(log.plain, columns[to]));
      for (std::size_t phase = 0; phase < times.size(); ++phase) {
        log.instrumented.values[phase * columns.size() + to] = times[phase];
      }
    }
    taken.push_back(columns[to]);
  }
  return taken;
}

Json by_decade_json(const ByDecade& by_decade) {
  Json json = Json::object();
  for (const auto& [decade, value] : by_decade) json[std::to_string(decade)] = value;
  return json;
}

Json largest_json(std::vector<std::uint64_t>::const_iterator begin,
                  std::vector<std::uint64_t>::const_iterator end) {
  return begin == end ? Json() : Json(*std::max_element(begin, end));
}

Json column_json(const std::string& name, const std::vector<std::uint64_t>& values,
                 const std::vector<std::uint64_t>& updated) {
  std::uint64_t sum = 0;
  for (const std::uint64_t value : values) sum += value;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  Json json = {{"sum", sum},
               {"largest", largest_json(values.begin(), values.end())},
               {"late_largest", largest_json(middle, values.end())}};
  ByDecade by_decade;
  if (name.ends_with("_count")) {
    for (const std::uint64_t value : values) ++by_decade[decade_of(value)];
    json["phases_by_decade"] = by_decade_json(by_decade);
  } else if (name.ends_with("_ns") && !updated.empty()) {
    for (std::size_t phase = 0; phase < values.size(); ++phase) {
      by_decade[decade_of(updated[phase])] += values[phase];
    }
    json["sum_by_decade"] = by_decade_json(by_decade);
  }
  return json;
}

Json rows_json(const PhaseLog& log) {
  Json rows = Json::array();
  if (log.phase_count() > kMostRows) return rows;
  const auto width = static_cast<std::ptrdiff_t>(log.columns.size());
  for (auto row = log.values.begin(); row != log.values.end(); row += width) {
    rows.push_back(std::vector<std::uint64_t>(row, row + width));
  }
  return rows;
}

}  // namespace

std::uint64_t decade_of(std::uint64_t count) {
  std::uint64_t decade = 1;
  while (decade < count) {
    if (decade > std::numeric_limits<std::uint64_t>::max() / 10) break;
    decade *= 10;
  }
  return decade;
}

Json phase_log_json(std::vector<QueryLog> logs) {
  const auto logged = std::ranges::find_if(
      logs, [](const QueryLog& log) { return !log.instrumented.columns.empty(); });
  if (logged == logs.end()) return nullptr;
  const std::vector<std::string> columns = logged->instrumented.columns;
  const auto growth = logged->instrumented.growth;
  for (QueryLog& log : logs) {
    check_shape(log.instrumented, log.query);
    check_shape(log.plain, log.query);
    // A query without phases, as from a vertex without arcs, or with more than its variant keeps.
    if (log.instrumented.columns.empty()) log.instrumented = log.plain = {columns, {}};
    if (log.instrumented.columns == columns) continue;
    throw Error(ExitCode::internal, "phase log of query " + std::to_string(log.query + 1),
                "has other columns than an earlier query's", "keep the columns the same");
  }
  const std::vector<std::string> plain_columns = take_plain_times(logs);

  Json first = Json::array();
  Json queries = Json::array();
  std::map<std::string, ByDecade> phases;
  std::uint64_t phase_count = 0;
  for (const QueryLog& log : logs) {
    const std::size_t updated_column = column_of(log.instrumented, kUpdated);
    const bool counted = updated_column < columns.size();
    const auto updated =
        counted ? values_of(log.instrumented, updated_column) : std::vector<std::uint64_t>();
    Json summaries = Json::object();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto values = values_of(log.instrumented, i);
      summaries[columns[i]] = column_json(columns[i], values, updated);
      if (!columns[i].ends_with("_count")) continue;
      for (const std::uint64_t value : values) ++phases[columns[i]][decade_of(value)];
    }
    phase_count += log.instrumented.phase_count();
    queries.push_back({{"query", log.query},
                       {"phase_count", log.instrumented.phase_count()},
                       {"columns", summaries}});
    if (first.size() < kFirstQueries) {
      first.push_back({{"query", log.query}, {"rows", rows_json(log.instrumented)}});
    }
  }
  Json shares = Json::object();
  for (const auto& [column, by_decade] : phases) {
    for (std::uint64_t bound = 1; bound <= kLargestShareBound; bound *= 10) {
      std::uint64_t within = 0;
      for (const auto& [decade, count] : by_decade) within += decade <= bound ? count : 0;
      shares[column][std::to_string(bound)] =
          static_cast<double>(within) / static_cast<double>(phase_count);
    }
  }
  Json json = {{"columns", columns},
               {"plain_columns", plain_columns},
               {"first_queries", first},
               {"queries", queries},
               {"shares", shares}};
  for (const auto& [name, formula] : growth) {
    json["growth"][name] = formula;
  }
  return json;
}

}  // namespace bellmark::run
