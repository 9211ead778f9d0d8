#include "harness/run/result/cross_check.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "harness/measure/statistics.hpp"

namespace bellmark::run {
namespace {

using Json = nlohmann::ordered_json;

/// The rounding of written times.
constexpr double kRounding = 1e-4;
constexpr std::size_t kDigestDigits = 32;

struct Contradiction {
  std::string text;
};

void expect(bool holds, const std::string& path, const std::string& what) {
  if (!holds) throw Contradiction{path + ": " + what};
}

bool near(double a, double b) { return std::abs(a - b) <= kRounding * std::abs(b); }

std::string at_index(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

/// Counts, sizes and times are not below 0. Numbers that an experiment names may be, and facts of
/// answers, as the length of a negative cycle.
void expect_no_negative(const Json& part, const std::string& path) {
  if (part.is_number()) expect(part.get<double>() >= 0, path, "is below 0");
  if (part.is_array()) {
    for (std::size_t i = 0; i < part.size(); ++i) expect_no_negative(part[i], at_index(path, i));
  }
  if (!part.is_object()) return;
  for (const auto& [key, value] : part.items()) {
    const bool may_be = key == "axes" || key == "parameters" || key == "answers";
    if (!may_be) expect_no_negative(value, path + "." + key);
  }
}

void expect_shares(const Json& phases, const std::string& path) {
  for (std::size_t i = 0; phases.is_array() && i < phases.size(); ++i) {
    const std::string phase = at_index(path, i);
    const Json share = phases[i].value("share_ratio", Json());
    expect(share.is_null() || share.get<double>() <= 1 + kRounding, phase + ".share_ratio",
           "is above 1");
    expect_shares(phases[i].value("children", Json()), phase + ".children");
  }
}

/// The interval around a value has both ends, or none.
void expect_interval(const Json& of, const char* value, const std::string& path) {
  const Json& low = of.at("ci95_low");
  const Json& high = of.at("ci95_high");
  expect(low.is_null() == high.is_null(), path, "its interval has one end");
  if (low.is_null()) return;
  expect(!of.at(value).is_null(), path + "." + value, "has an interval and no value");
  const auto middle = of.at(value).get<double>();
  expect(low.get<double>() <= middle && middle <= high.get<double>(), path + "." + value,
         "lies outside its interval");
}

class CrossCheck {
 public:
  explicit CrossCheck(const Json& result) : result_(result), cells_(result.at("cells")) {
    for (const Json& entry : result.at("not_measured")) {
      failed_.insert(entry.at("cell").get<std::string>());
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const bool is_new = ids_.emplace(cells_[i].at("id").get<std::string>(), i).second;
      expect(is_new, at_index("cells", i) + ".id", "another cell has it too");
    }
  }

  void check() const {
    check_run();
    check_copies();
    for (const char* part : {"cells", "topology", "context"}) {
      expect_no_negative(result_.at(part), part);
    }
    for (std::size_t i = 0; i < result_.at("workloads").size(); ++i) check_workload(i);
    for (std::size_t i = 0; i < cells_.size(); ++i) check_cell(cells_[i], at_index("cells", i));
    check_benchmarks();
    for (std::size_t i = 0; i < result_.at("comparisons").size(); ++i) check_comparison(i);
    check_resolution();
    check_verdicts();
  }

 private:
  bool has_cell(const Json& id) const { return ids_.contains(id.get<std::string>()); }
  bool is_timed(const Json& cell) const {
    return !cell.at("wall_ns").is_null() && !failed_.contains(cell.at("id").get<std::string>());
  }

  void check_run() const {
    const Json& provenance = result_.at("provenance");
    const auto started = provenance.at("started_utc").get<std::string>();
    const auto finished = provenance.at("finished_utc").get<std::string>();
    expect(started.size() == finished.size() && started <= finished, "provenance.finished_utc",
           "is not a time after the start");
    const Json& baseline = result_.at("experiment").at("baseline");
    expect(baseline.is_null() || has_cell(baseline), "experiment.baseline",
           "there is no such cell");
  }

  /// Facts that stand in two places.
  void check_copies() const {
    const Json& context = result_.at("context");
    const Json& environment = result_.at("environment");
    for (const auto& [copy, name] : {std::pair{"host_name", "host_name"},
                                     {"load_avg", "load_average"},
                                     {"mhz_per_cpu", "cpu_mhz"}}) {
      if (!environment.contains(name) || environment.at(name).is_null()) continue;
      expect(context.at(copy) == environment.at(name), std::string("context.") + copy,
             std::string("environment.") + name + " is another one");
    }
    expect(context.at("date") == result_.at("provenance").at("started_utc"), "context.date",
           "differs from provenance.started_utc");
    expect(context.at("num_cpus") == result_.at("topology").at("summary").at("pu_count"),
           "context.num_cpus", "differs from topology.summary.pu_count");
  }

  void check_workload(std::size_t index) const {
    const Json& workload = result_.at("workloads").at(index);
    const std::string path = at_index("workloads", index);
    const Json& queries = workload.at("queries");
    expect(workload.at("problem") == result_.at("experiment").at("problem"), path + ".problem",
           "differs from the experiment's");
    expect(queries.at("seed") == result_.at("provenance").at("seed"), path + ".queries.seed",
           "differs from provenance.seed");
    const Json& count = queries.at("count");  // null where no rank could open the graph
    expect(queries.at("first").size() <= (count.is_null() ? 0 : count.get<std::size_t>()),
           path + ".queries.count", "is less than the queries shown");
    check_facts(workload.at("facts"), path + ".facts.");
  }

  /// The fact's name gives its type.
  static void check_facts(const Json& facts, const std::string& path) {
    for (const auto& [name, fact] : facts.items()) {
      const bool is_ratio = name.ends_with("_ratio");
      const bool is_count = name.ends_with("_count") || name.ends_with("_bytes");
      if (name == "digest" && !fact.is_null()) {
        expect(fact.is_string() && fact.get_ref<const std::string&>().size() == kDigestDigits,
               path + name, "is no digest");
      }
      if (!is_ratio && !is_count) continue;
      expect(fact.is_number() && fact.get<double>() >= 0, path + name,
             "is not a number of 0 or more");
      if (is_ratio) expect(fact.get<double>() <= 1, path + name, "is above 1");
    }
    const Json none = 0;
    const auto number = [&](const char* name) { return facts.value(name, none).get<double>(); };
    if (!facts.contains("mean_degree") || number("vertex_count") == 0) return;
    expect(near(number("mean_degree"), number("arc_count") / number("vertex_count")),
           path + "mean_degree", "does not follow from its counts");
  }

  void check_cell(const Json& cell, const std::string& path) const {
    if (const Json& index = cell.at("workload"); !index.is_null()) {
      const Json& workloads = result_.at("workloads");
      expect(index.get<std::size_t>() < workloads.size(), path + ".workload", "there is none");
      const Json& workload = workloads.at(index.get<std::size_t>());
      expect(cell.at("graph") == workload.at("graph"), path + ".graph",
             "differs from its workload's");
      expect(cell.at("problem") == workload.at("problem"), path + ".problem",
             "differs from its workload's");
      const Json& count = workload.at("queries").at("count");
      expect(count.is_null() || cell.at("query_count") == count, path + ".query_count",
             "differs from its workload's");
    }
    check_build(cell, path);
    check_names(cell, path);
    check_point(cell, path);
    check_blocks(cell, path);
    expect_shares(cell.at("phases"), path + ".phases");
    if (is_timed(cell)) check_times(cell, path);
    check_working_set(cell, path + ".working_set");
    const Json& memory = cell.at("memory");
    if (memory.is_null() || memory.at("accounted_bytes").is_null()) return;
    std::uint64_t sum = 0;
    for (const Json& bytes : memory.at("accounted")) sum += bytes.get<std::uint64_t>();
    expect(sum == memory.at("accounted_bytes").get<std::uint64_t>(),
           path + ".memory.accounted_bytes", "is not the sum of its parts");
  }

  static void check_working_set(const Json& cell, const std::string& path) {
    const Json set = cell.value("working_set", Json());
    if (!set.is_object()) return;  // an older result
    const Json accounted = cell.at("memory").at("accounted_bytes");
    expect(set.at("bytes").is_null() == accounted.is_null(), path + ".bytes",
           "memory.accounted_bytes says otherwise");
    if (!accounted.is_null()) {
      const Json one = 1;
      expect(set.at("bytes").get<double>() == accounted.get<double>() *
                                                  cell.value("process_count", one).get<double>() *
                                                  cell.value("rank_count", one).get<double>(),
             path + ".bytes", "is not what memory.accounted_bytes says");
    }
    const Json& ratio = set.at("ratio");
    const bool known = !set.at("bytes").is_null() && !set.at("last_level_cache_bytes").is_null();
    expect(ratio.is_null() != known, path + ".ratio", "doesn't follow from its parts");
    expect(ratio.is_null() != set.at("reason").is_null(), path + ".reason",
           "must stand exactly where the ratio is missing");
    if (known) {
      expect(near(ratio.get<double>(),
                  set.at("bytes").get<double>() / set.at("last_level_cache_bytes").get<double>()),
             path + ".ratio", "does not follow from its parts");
    }
  }

  /// In a comparison of builds, each cell has a build of the provenance, and its axis names that
  /// build.
  void check_build(const Json& cell, const std::string& path) const {
    if (!cell.contains("build")) return;
    const Json& build = cell.at("build");
    const Json builds = result_.at("provenance").value("builds", Json::array());
    const auto known = std::ranges::find_if(
        builds, [&](const Json& other) { return other.at("name") == build.at("name"); });
    expect(known != builds.end(), path + ".build", "provenance.builds has none of that name");
    expect(known->value("git_sha", Json()) == build.at("git_sha"), path + ".build.git_sha",
           "provenance.builds has another commit");
    expect(cell.at("axes").value("build", Json()) == build.at("name"), path + ".axes.build",
           "is another build");
  }

  /// A variant's name holds its problem and its keys.
  static void check_names(const Json& cell, const std::string& path) {
    const auto name = cell.at("variant").get<std::string>();
    const auto family = name.substr(0, name.find(':'));
    // Other builds are asked for a variant by its family's name, and may know keys of their own.
    const auto requested =
        cell.contains("build") ? name : cell.at("requested_variant").get<std::string>();
    expect(name.starts_with(cell.at("problem").get<std::string>() + "/"), path + ".variant",
           "is of another problem");
    expect(requested.substr(0, requested.find(':')) == family, path + ".requested_variant",
           "is of another family");
    const Json& parameters = cell.at("parameters");
    const auto is_parameter = [&](const std::string& key, const std::string& value) {
      const Json known = parameters.value(key, Json());
      return value == (known.is_string() ? known.get<std::string>() : known.dump());
    };
    for (const auto& [key, value] : keys_of(name)) {
      expect(is_parameter(key, value), path + ".parameters." + key, "differs from the variant's");
    }
    for (const auto& [key, value] : keys_of(requested)) {
      expect(value == "auto" || value == "0" || is_parameter(key, value),
             path + ".requested_variant", "its " + key + " is another one");
    }
  }

  /// The pairs `arity`, `4` and so on of `sssp/dijkstra:arity=4,...`.
  static std::vector<std::pair<std::string, std::string>> keys_of(const std::string& variant) {
    std::vector<std::pair<std::string, std::string>> keys;
    const std::size_t colon = variant.find(':');
    if (colon == std::string::npos) return keys;
    for (const std::string& pair : split(variant.substr(colon + 1), ',')) {
      const std::size_t end = std::min(pair.find('='), pair.size() - 1);
      keys.emplace_back(pair.substr(0, end), pair.substr(end + 1));
    }
    return keys;
  }

  /// A cell is a point of its experiment.
  void check_point(const Json& cell, const std::string& path) const {
    const Json& axes = result_.at("experiment").at("axes");
    for (const auto& [name, value] : cell.at("axes").items()) {
      const std::string axis = path + ".axes." + name;
      expect(axes.contains(name), axis, "is not an axis of the experiment");
      const Json& values = axes.at(name);
      expect(std::ranges::find(values, value) != values.end(), axis,
             "is not a value of the experiment's axis");
    }
    expect(cell.at("axes").size() == axes.size(), path + ".axes",
           "are not those of the experiment");
  }

  static void check_times(const Json& cell, const std::string& path) {
    const auto medians = cell.at("block_medians_ns").get<std::vector<double>>();
    const auto samples = cell.at("samples_ns").get<std::vector<std::vector<double>>>();
    const auto queries = cell.at("query_count").get<double>();
    const auto block_count = cell.at("block_count").get<std::size_t>();
    expect(samples.size() == block_count, path + ".block_count", "does not match the blocks");
    expect(medians.size() == block_count, path + ".block_medians_ns", "does not match the blocks");
    std::size_t sample_count = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      sample_count += samples[i].size();
      const std::string block = at_index(path + ".samples_ns", i);
      expect(!samples[i].empty(), block, "is empty");
      expect(*std::ranges::min_element(samples[i]) > 0, block, "a time is not above 0");
      expect(near(measure::median(samples[i]) / queries, medians[i]),
             at_index(path + ".block_medians_ns", i), "is not the median of its samples");
    }
    expect(cell.at("sample_count").get<std::size_t>() == sample_count, path + ".sample_count",
           "there are " + std::to_string(sample_count) + " samples");
    expect(cell.at("outlier_count").get<std::size_t>() <= sample_count, path + ".outlier_count",
           "is more than the samples");
    std::size_t stopped = 0;
    for (const Json& count : cell.at("stop_reasons")) stopped += count.get<std::size_t>();
    expect(stopped == block_count, path + ".stop_reasons", "do not add up to one for each block");
    const Json& wall = cell.at("wall_ns");
    expect(!medians.empty() && near(wall.at("median").get<double>(), measure::median(medians)),
           path + ".wall_ns.median", "is not the median of its blocks");
    expect_interval(wall, "median", path + ".wall_ns");
    const auto interval = measure::median_interval(medians);
    if (!interval || wall.at("ci95_low").is_null()) return;
    expect(near(wall.at("ci95_low").get<double>(), interval->low), path + ".wall_ns.ci95_low",
           "does not follow from its blocks");
    expect(near(wall.at("ci95_high").get<double>(), interval->high), path + ".wall_ns.ci95_high",
           "does not follow from its blocks");
  }

  /// The times of each query, whose sums are `samples_ns`. Older results lack them.
  static void check_blocks(const Json& cell, const std::string& path) {
    if (!cell.contains("blocks")) return;
    const Json& blocks = cell.at("blocks");
    const Json& samples = cell.at("samples_ns");
    const std::size_t steps =
        cell.value("batch", false) ? 1 : cell.at("query_count").get<std::size_t>();
    expect(blocks.size() == samples.size(), path + ".blocks", "does not match the samples");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const std::string block = at_index(path + ".blocks", i);
      expect(i == 0 || blocks[i - 1].at("index") < blocks[i].at("index"), block + ".index",
             "is not above the index before");
      const Json& passes = blocks[i].at("query_ns");
      expect(passes.size() == samples[i].size(), block + ".query_ns", "does not match the samples");
      for (std::size_t j = 0; j < passes.size(); ++j) {
        const std::string pass = at_index(block + ".query_ns", j);
        expect(passes[j].size() == steps, pass, "does not match the queries");
        double sum = 0;
        for (const Json& time : passes[j]) sum += time.get<double>();
        expect(near(sum, samples[i][j].get<double>()), pass, "does not add up to its sample");
      }
    }
  }

  /// Google Benchmark's view of the same samples: an entry for each, then the aggregates.
  void check_benchmarks() const {
    std::map<std::size_t, std::vector<double>> times;
    for (const Json& cell : cells_) {
      if (!is_timed(cell)) continue;
      auto& of_cell = times[ids_.at(cell.at("id").get<std::string>())];
      for (const Json& block : cell.at("samples_ns")) {
        for (const Json& sample : block) {
          of_cell.push_back(sample.get<double>() / cell.at("query_count").get<double>());
        }
      }
    }
    const Json& rows = result_.at("benchmarks");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto known = times.find(rows[i].at("family_index").get<std::size_t>());
      if (known != times.end()) check_row(rows[i], known->second, at_index("benchmarks", i));
    }
  }

  void check_row(const Json& row, const std::vector<double>& times, const std::string& path) const {
    const Json& cell = cells_.at(row.at("family_index").get<std::size_t>());
    const auto name = row.at("run_name").get<std::string>();
    expect(name.starts_with(cell.at("variant").get<std::string>() + "/" +
                            cell.at("graph").get<std::string>() + "/"),
           path + ".run_name", "is of another cell");
    expect(row.at("repetitions") == times.size(), path + ".repetitions",
           "does not match the samples");
    const bool is_aggregate = row.at("run_type") == "aggregate";
    const std::string kind = is_aggregate ? row.at("aggregate_name").get<std::string>() : "";
    expect(row.at("name") == name + (is_aggregate ? "_" + kind : ""), path + ".name",
           "does not follow from its cell");
    const Json& iterations = row.at("iterations");
    expect(is_aggregate ? iterations == times.size() : iterations == cell.at("query_count"),
           path + ".iterations", "there are others");
    const auto time = row.at("real_time").get<double>();
    if (kind == "median") {
      expect(near(time, measure::median(times)), path + ".real_time", "is not the median");
    }
    if (is_aggregate) return;
    const auto index = row.at("repetition_index").get<std::size_t>();
    expect(index < times.size() && near(time, times[index]), path + ".real_time",
           "does not follow from its sample");
  }

  void check_comparison(std::size_t index) const {
    const Json& pair = result_.at("comparisons").at(index);
    const std::string path = at_index("comparisons", index);
    for (const char* side : {"a", "b"}) {
      expect(has_cell(pair.at(side)), path + "." + side, "there is no such cell");
    }
    const auto has_failed = [&](const char* side) {
      return failed_.contains(pair.at(side).get<std::string>());
    };
    if (pair.at("ratio").is_null() || has_failed("a") || has_failed("b")) return;
    if (pair.contains("blocks")) check_block_ratios(pair, path);
    const measure::Ratio ratio = check_ratio(pair, path);
    const auto outcome = pair.at("outcome").get<std::string>();
    std::optional<double> least;
    if (pair.contains("least_ratio")) least = pair.at("least_ratio").get<double>();
    expect(outcome == to_string(measure::Outcome::unclear) ||
               outcome == to_string(measure::judge(ratio.interval, least)),
           path + ".outcome", "its interval says otherwise");
  }

  /// A ratio and its interval follow from its blocks.
  static measure::Ratio check_ratio(const Json& of, const std::string& path) {
    std::vector<double> logs;
    for (const Json& ratio : of.at("block_ratios")) {
      expect(ratio.get<double>() > 0, path + ".block_ratios", "one is not above 0");
      logs.push_back(std::log(ratio.get<double>()));
    }
    expect(!logs.empty(), path + ".block_ratios", "is empty");
    const measure::Ratio ratio = measure::ratio_over_blocks(logs);
    expect(near(of.at("ratio").get<double>(), ratio.value), path + ".ratio",
           "is not the median of its blocks");
    expect_interval(of, "ratio", path);
    if (!ratio.interval || of.at("ci95_low").is_null()) return ratio;
    expect(near(of.at("ci95_low").get<double>(), ratio.interval->low), path + ".ci95_low",
           "does not follow from its blocks");
    expect(near(of.at("ci95_high").get<double>(), ratio.interval->high), path + ".ci95_high",
           "does not follow from its blocks");
    return ratio;
  }

  /// Each block's ratio is the ratio of its queries.
  void check_block_ratios(const Json& pair, const std::string& path) const {
    const Json& indices = pair.at("blocks");
    expect(indices.size() == pair.at("block_ratios").size(), path + ".blocks",
           "does not match the ratios");
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::string block = at_index(path + ".blocks", i);
      expect(i == 0 || indices[i - 1] < indices[i], block, "is not above the index before");
      expect_block_ratio(pair.at("block_ratios")[i], block_of(pair.at("a"), indices[i], block),
                         block_of(pair.at("b"), indices[i], block),
                         at_index(path + ".block_ratios", i));
    }
  }

  static void expect_block_ratio(const Json& ratio, const Json& a, const Json& b,
                                 const std::string& path) {
    const auto times_of = [&](const Json& block) {
      auto times = block.at("query_ns").get<measure::StepTimes>();
      expect(!times.empty() && !times.front().empty(), path, "its block has no times");
      for (const auto& pass : times) {
        expect(pass.size() == times.front().size(), path,
               "its block has passes of different lengths");
      }
      return times;
    };
    const double log =
        measure::block_log_ratio(times_of(a), times_of(b), a.at("process") == b.at("process"));
    expect(near(ratio.get<double>(), std::exp(log)), path, "does not follow from its queries");
  }

  const Json& block_of(const Json& cell, const Json& index, const std::string& path) const {
    static const Json kNone = Json::array();
    const Json& of = cells_.at(ids_.at(cell.get<std::string>()));
    const Json& blocks = of.contains("blocks") ? of.at("blocks") : kNone;
    const auto found =
        std::ranges::find_if(blocks, [&](const Json& block) { return block.at("index") == index; });
    expect(found != blocks.end(), path, "a cell has no such block");
    return *found;
  }

  /// The baseline against itself.
  void check_resolution() const {
    const Json resolution = result_.value("resolution", Json::array());
    for (std::size_t i = 0; i < resolution.size(); ++i) {
      const Json& twice = resolution[i];
      const std::string path = at_index("resolution", i);
      expect(has_cell(twice.at("cell")), path + ".cell", "there is no such cell");
      if (!twice.at("ratio").is_null()) check_ratio(twice, path);
      const Json blocks = twice.value("blocks", Json::array());
      if (blocks.empty()) continue;
      expect(blocks.size() == twice.at("block_ratios").size(), path + ".blocks",
             "does not match the ratios");
      for (std::size_t j = 0; j < blocks.size(); ++j) {
        const std::string block = at_index(path + ".blocks", j);
        expect_block_ratio(twice.at("block_ratios")[j], blocks[j],
                           block_of(twice.at("cell"), blocks[j].at("index"), block),
                           at_index(path + ".block_ratios", j));
      }
    }
  }

  void check_verdicts() const {
    const Json& verdicts = result_.at("verdicts");
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      expect(verdicts[i].at("experiment") == result_.at("experiment").at("id"),
             at_index("verdicts", i) + ".experiment", "is another one");
      const Json& parts = verdicts[i].at("parts");
      for (std::size_t j = 0; j < parts.size(); ++j) {
        const Json& measured = parts[j].at("measured");
        for (std::size_t k = 0; k < measured.size(); ++k) {
          const std::string part = at_index(at_index("verdicts", i) + ".parts", j);
          check_measured(measured[k], at_index(part + ".measured", k));
        }
      }
    }
  }

  void check_measured(const Json& measured, const std::string& path) const {
    if (measured.at("value").is_null()) return;
    for (const char* side : {"numerator", "denominator"}) {
      const Json& id = measured.at(side);
      expect(id.is_null() || has_cell(id), path + "." + side, "there is no such cell");
    }
    expect_interval(measured, "value", path);
  }

  const Json& result_;
  const Json& cells_;
  std::set<std::string> failed_;
  std::map<std::string, std::size_t> ids_;
};

}  // namespace

std::string cross_fault(const Json& result) {
  try {
    CrossCheck(result).check();
  } catch (const Contradiction& found) {
    return found.text;
  }
  return {};
}

}  // namespace bellmark::run
