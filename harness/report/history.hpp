// The times of a cell from result to result, and where they step.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// What a history takes of one result: each of its cells with its time, and when and of which
/// commit it was measured. It is small, so that thousands of results fit into memory.
struct HistoryEntry {
  std::string machine;
  Json cells;  ///< of each the keys that tell a series from others, and `point`
};

HistoryEntry history_entry(const std::string& file, const Json& result);

/// A series a cell, its results in the order in which they began
/// (harness/schema/history.schema.json). All entries are of one machine.
///
/// A level begins with a series' first time and with each step. A time is a step from its level
/// when the two 95 % intervals don't meet and the medians differ by more than `at_least`. Times
/// without an interval, disturbed ones and those in doubt are shown and make no step. Other pages,
/// or other work outside the time, make another series.
Json history_json(const std::vector<HistoryEntry>& entries, double at_least);

/// The series that have more than one result, as tables for a terminal of `columns`, or for a log.
/// Counts the others.
std::string console_history(const Json& history, std::optional<std::size_t> columns);

/// Whether the last time of a series is a step to a slower level.
bool ends_slower(const Json& history);

}  // namespace bellmark::report
