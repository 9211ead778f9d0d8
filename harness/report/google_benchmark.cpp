#include "harness/report/google_benchmark.hpp"

#include <set>
#include <string>

#include "harness/report/format.hpp"

namespace bellmark::report {
namespace {

/// The name stays the same from run to run, and belongs to one cell alone. Most cells need no id
/// for it.
std::string name_of_row(const Json& result, const Json& cell, std::set<std::string>& taken) {
  std::string name = result.at("experiment").at("id").get<std::string>() + "/" +
                     cell.at("variant").get<std::string>() + "/" +
                     cell.at("graph").get<std::string>() + "/" +
                     cell.at("placement").at("resolved").get<std::string>();
  if (!taken.insert(name).second) {
    name += "/" + cell.at("id").get<std::string>();
    taken.insert(name);
  }
  return name;
}

/// A user counter of Google Benchmark is a number beside the time. Unknown values are left out.
void add_user_counter(Json& row, const std::string& name, const Json& value) {
  if (value.is_number() && !row.contains(name)) row[name] = value;
}

void add_user_counters(Json& row, const Json& cell) {
  const Json& wall = cell.at("wall_ns");
  add_user_counter(row, "ci95_low_ns", wall.at("ci95_low"));
  add_user_counter(row, "ci95_high_ns", wall.at("ci95_high"));
  add_user_counter(row, "accounted_bytes", cell.at("memory").at("accounted_bytes"));
  add_user_counter(row, "resident_bytes", cell.at("memory").at("resident_bytes"));
  const Json work = cell.value("work", Json::object());
  for (const auto& [name, value] : work.items()) {
    add_user_counter(row, name, value);
  }
  const Json rates = cell.value("rates", Json::object());
  for (const auto& [name, rate] : rates.items()) {
    add_user_counter(row, name, rate.at("median"));
  }
  for (const Json& counter : cell.value("counters", Json::array())) {
    add_user_counter(row, counter.at("name").get<std::string>(), counter.at("value"));
  }
}

Json row_of(const std::string& name, std::size_t index, const Json& cell) {
  const Json& median = cell.at("wall_ns").at("median");
  const Json threads = cell.at("placement").value("threads", Json::array());
  Json row = {{"name", name},
              {"family_index", index},
              {"per_family_instance_index", 0},
              {"run_name", name},
              {"run_type", "iteration"},
              {"repetitions", 1},
              {"repetition_index", 0},
              {"threads", threads.size() + 1},
              {"iterations", cell.at("sample_count")},
              {"real_time", median}};
  const Json share = cell.value("cpu_share_ratio", Json());
  // Readers of this form need a CPU time. Without one the wall time takes its place.
  row["cpu_time"] = share.is_number() ? Json(median.get<double>() * share.get<double>()) : median;
  row["time_unit"] = "ns";
  add_user_counters(row, cell);
  return row;
}

}  // namespace

Json google_benchmark(const std::vector<Json>& results) {
  Json document = {{"context", results.empty() ? Json::object() : results.front().at("context")},
                   {"benchmarks", Json::array()}};
  std::set<std::string> taken;
  Json& rows = document["benchmarks"];
  for (const Json& result : results) {
    for (const Json& cell : result.at("cells")) {
      if (!is_measured(result, cell)) continue;
      rows.push_back(row_of(name_of_row(result, cell, taken), rows.size(), cell));
    }
  }
  return document;
}

}  // namespace bellmark::report
