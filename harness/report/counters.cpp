#include "harness/report/counters.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace bellmark::report {
namespace {

constexpr const char* kCounters = "counters";

/// `perf::TASK-CLOCK (ns)`.
std::string name_of(const Json& counter) {
  return counter.at("name").get<std::string>() + " (" + counter.at("unit").get<std::string>() + ")";
}

std::string value_text(const Json& value) {
  if (value.is_number_integer()) return value.dump();
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value.get<double>());
  return text;
}

const Json& counters_of(const Json& cell) {
  static const Json none = Json::array();
  return cell.contains(kCounters) ? cell.at(kCounters) : none;
}

/// The cell's counter of that name, or null.
const Json* find_counter(const Json& cell, const std::string& name) {
  const Json& counters = counters_of(cell);
  const auto found =
      std::ranges::find_if(counters, [&](const Json& each) { return name_of(each) == name; });
  return found == counters.end() ? nullptr : &*found;
}

std::string field_of(const Json* counter) {
  if (counter == nullptr) return "-";
  const Json& value = counter->at("value");
  return value.is_null() ? counter->at("reason").get<std::string>() : value_text(value);
}

}  // namespace

CounterTable counter_table(const Json& result) {
  std::vector<std::string> names;
  std::vector<std::string> read;
  std::vector<std::pair<std::string, std::string>> reasons;  // reason -> names
  const auto add_once = [](std::vector<std::string>& list, const std::string& name) {
    if (std::ranges::find(list, name) == list.end()) list.push_back(name);
  };
  for (const Json& cell : result.at("cells")) {
    for (const Json& counter : counters_of(cell)) {
      add_once(names, name_of(counter));
      if (!counter.at("value").is_null()) add_once(read, name_of(counter));
    }
  }
  CounterTable table;
  if (!read.empty()) {
    table.rows.push_back({"cell"});
    table.rows.front().insert(table.rows.front().end(), read.begin(), read.end());
  }
  for (const Json& cell : result.at("cells")) {
    if (read.empty() || counters_of(cell).empty()) continue;
    auto& row = table.rows.emplace_back();
    row.push_back(cell.at("label").get<std::string>());
    for (const std::string& name : read) row.push_back(field_of(find_counter(cell, name)));
  }
  for (const std::string& name : names) {
    if (std::ranges::find(read, name) != read.end()) continue;
    for (const Json& cell : result.at("cells")) {
      const Json* const counter = find_counter(cell, name);
      if (counter == nullptr) continue;
      // Counters of a group are mostly missing for one reason, which is printed once.
      const std::string reason = counter->at("reason").get<std::string>();
      const auto same =
          std::ranges::find(reasons, reason, &std::pair<std::string, std::string>::first);
      if (same == reasons.end()) {
        reasons.emplace_back(reason, name);
      } else {
        same->second += ", " + name;
      }
      break;
    }
  }
  for (const auto& [reason, listed] : reasons) table.absent.push_back(listed + ": " + reason);
  return table;
}

}  // namespace bellmark::report
