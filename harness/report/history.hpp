// The times of a cell from result to result, and their steps.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// The part of one result in a history: each of its cells with its time, the date and the commit.
/// It is small, so that thousands of results fit into memory.
struct HistoryEntry {
  std::string machine;
  Json cells;  ///< for each the keys that tell series apart, and `point`
};

HistoryEntry history_entry(const std::string& file, const Json& result);

/// A series for each cell, with its results in the order in which they began
/// (harness/schema/history.schema.json). All entries are of one machine.
///
/// A level begins with a series' first time and with each step. A time is a step from its level
/// when the two 95 % intervals don't meet and the medians differ by more than `at_least`. Times
/// without an interval, disturbed times and doubted times are shown and make no step. Other pages,
/// or other work outside the time, make another series.
Json history_json(const std::vector<HistoryEntry>& entries, double at_least);

/// The series that have more than one result, as tables for a terminal of `columns`, or for a log.
/// The others are only counted.
std::string console_history(const Json& history, std::optional<std::size_t> columns);

/// True if the last time of a series is a step to a slower level.
bool ends_slower(const Json& history);

}  // namespace bellmark::report
