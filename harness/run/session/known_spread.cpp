#include "harness/run/session/known_spread.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "harness/machine/environment.hpp"
#include "harness/measure/statistics.hpp"
#include "harness/run/result/stored.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {
namespace {

/// The most results to read: one may have hundreds of megabytes, and `plan` must not take long.
constexpr std::size_t kMostRead = 8;

bool is_of_this_machine(const Json& result) {
  const Json environment = result.value("environment", Json::object());
  return environment.value("host_name", Json()) == machine::host_name() &&
         environment.value("cpu_model", Json()) == machine::cpu_model();
}

double largest_deviation(const Json& result) {
  double largest = 0;
  for (const Json& twice : result.value("resolution", Json::array())) {
    if (!twice.at("disturbed").is_null()) continue;
    const auto ratios = twice.at("block_ratios").get<std::vector<double>>();
    if (ratios.size() < measure::kBlocksForInterval) continue;
    largest = std::max(largest, measure::log_deviation(ratios));
  }
  return largest;
}

}  // namespace

std::optional<KnownSpread> newest_spread(const std::filesystem::path& root) {
  std::size_t read = 0;
  for (const auto& folder : RunFolder::newest_first(root)) {
    const auto file = RunFolder::result_in(folder);
    if (!std::filesystem::exists(file)) continue;
    if (++read > kMostRead) break;
    try {
      const Json result = read_result(file);
      const double deviation = is_of_this_machine(result) ? largest_deviation(result) : 0;
      if (deviation > 0) return KnownSpread{deviation, file.string()};
    } catch (const Error&) {
      // The plan goes on without this result.
    }
  }
  return std::nullopt;
}

}  // namespace bellmark::run
