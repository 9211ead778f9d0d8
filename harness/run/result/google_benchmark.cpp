#include "harness/run/result/google_benchmark.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <string>

#include "harness/measure/statistics.hpp"

namespace bellmark::run {
namespace {

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::pow(value - mean(values), 2);
  return values.size() < 2 ? 0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
}

/// One cell's times of a query: an entry a sample, then the aggregates.
class CellEntries {
 public:
  CellEntries(std::string name, std::size_t index, const CellRecord& record,
              std::size_t query_count)
      : name_(std::move(name)),
        index_(index),
        thread_count_(record.threads.size() + 1),
        query_count_(query_count) {
    const auto count = static_cast<double>(query_count);
    for (const Block& block : record.blocks) {
      for (const double sum : block.pass_ns()) wall_.push_back(sum / count);
      for (const double sum : block.samples.pass_cpu_ns) cpu_.push_back(sum / count);
    }
  }

  void add_to(Json& benchmarks) const {
    for (std::size_t sample = 0; sample < wall_.size(); ++sample) {
      Json row = entry("iteration");
      row["repetition_index"] = sample;
      benchmarks.push_back(timed(std::move(row), query_count_, wall_[sample], cpu_[sample]));
    }
    if (wall_.empty()) return;
    benchmarks.push_back(aggregate("mean", mean(wall_), mean(cpu_)));
    benchmarks.push_back(aggregate("median", measure::median(wall_), measure::median(cpu_)));
    benchmarks.push_back(aggregate("stddev", deviation(wall_), deviation(cpu_)));
  }

 private:
  Json entry(const char* type) const {
    return {{"name", name_},           {"family_index", index_}, {"per_family_instance_index", 0},
            {"run_name", name_},       {"run_type", type},       {"repetitions", wall_.size()},
            {"threads", thread_count_}};
  }

  static Json timed(Json row, std::size_t iterations, double wall_ns, double cpu_ns) {
    row["iterations"] = iterations;
    row["real_time"] = wall_ns;
    row["cpu_time"] = cpu_ns;
    row["time_unit"] = "ns";
    return row;
  }

  Json aggregate(const char* kind, double wall_ns, double cpu_ns) const {
    Json row = entry("aggregate");
    row["name"] = name_ + "_" + kind;
    row["aggregate_name"] = kind;
    row["aggregate_unit"] = "time";
    return timed(std::move(row), wall_.size(), wall_ns, cpu_ns);
  }

  std::string name_;
  std::size_t index_;
  std::size_t thread_count_;
  std::size_t query_count_;
  std::vector<double> wall_;
  std::vector<double> cpu_;
};

}  // namespace

Json benchmarks_json(const plan::Plan& plan, const Probe& probe,
                     const std::vector<CellRecord>& records) {
  Json benchmarks = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    if (records[i].failed) continue;
    const plan::Cell& cell = plan.cells[i];
    const auto workload = std::ranges::find(probe.workloads, cell.graph, &WorkloadFacts::graph);
    std::string name = probe.resolved[i] + "/" + cell.graph + "/" + cell.placement;
    if (cell.build) name += "/build:" + plan.options.builds.at(*cell.build).name;
    CellEntries(name, i, records[i], workload->query_count).add_to(benchmarks);
  }
  return benchmarks;
}

Json context_json(const Json& environment, const Json& topology, const RunFolder& folder) {
  Json caches = Json::array();
  for (const Json& cache : topology.at("caches")) {
    std::string type = cache.at("type").get<std::string>();
    type[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[0])));
    caches.push_back({{"type", type},
                      {"level", cache.at("level")},
                      {"size", cache.at("size_bytes")},
                      {"num_sharing", cache.at("shared_by_core_count")}});
  }
  const auto known = [&](const char* key, const Json& fallback) {
    return environment.contains(key) && !environment[key].is_null() ? environment[key] : fallback;
  };
  const std::string governor = known("cpu_governor", "").get<std::string>();
  return {{"date", folder.started_utc},
          {"host_name", known("host_name", "unknown")},
          {"executable", folder.argv.empty() ? "bellmark" : folder.argv.front()},
          {"num_cpus", topology.at("pu_count")},
          {"mhz_per_cpu", known("cpu_mhz", 0)},
          {"cpu_scaling_enabled", !governor.empty() && governor != "performance"},
          {"caches", caches},
          {"load_avg", known("load_average", Json::array())},
          {"library_build_type", BELLMARK_BUILD_TYPE == std::string("Debug") ? "debug" : "release"},
          {"json_schema_version", 1}};
}

}  // namespace bellmark::run
