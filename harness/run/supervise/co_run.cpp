#include "harness/run/supervise/co_run.hpp"

#include <algorithm>
#include <numeric>

#include "harness/measure/statistics.hpp"

namespace bellmark::run {
namespace {

double median_pass_ns(const Json& cell) {
  std::vector<double> passes;
  for (const Json& pass : cell.at("step_ns")) {
    const auto steps = pass.get<std::vector<double>>();
    passes.push_back(std::accumulate(steps.begin(), steps.end(), 0.0));
  }
  return measure::median(passes);
}

Json merge_cell(const std::vector<Json>& replicates, std::size_t index) {
  Json validation;
  Json medians = Json::array();
  const Json* slowest = nullptr;
  const Json* wrong = nullptr;
  for (const Json& replicate : replicates) {
    const Json& cell = replicate.at("cells").at(index);
    const Json& own = cell.at("validation");
    if (validation.is_null()) {
      validation = own;
    } else {
      for (const char* count : {"certificate_count", "gpu_certificate_count", "digest_count"}) {
        validation[count] =
            validation[count].get<std::uint64_t>() + own[count].get<std::uint64_t>();
      }
      if (validation["detail"].is_null()) validation["detail"] = own["detail"];
    }
    if (cell.at("status") == "wrong") {
      if (wrong == nullptr) wrong = &cell;
      continue;
    }
    medians.push_back(median_pass_ns(cell));
    if (slowest == nullptr || medians.back() == *std::ranges::max_element(medians)) slowest = &cell;
  }
  Json merged = wrong != nullptr ? *wrong : *slowest;
  merged["validation"] = validation;
  if (wrong == nullptr) merged["process_pass_ns"] = medians;
  return merged;
}

}  // namespace

Json merge_processes(std::vector<Json> replicates) {
  if (replicates.size() == 1) return std::move(replicates.front());
  Json merged = replicates.front();
  Json observed = Json::array();
  for (std::size_t i = 0; i < replicates.size(); ++i) {
    observed.push_back("process " + std::to_string(i) + ": " +
                       replicates[i].at("observed").get<std::string>());
    // The slowest clock: a core that is held back is what a reader must know of.
    const Json& mhz = replicates[i].at("core_mhz");
    if (!mhz.is_null() && mhz < merged["core_mhz"]) merged["core_mhz"] = mhz;
  }
  merged["observed"] = observed;
  for (std::size_t cell = 0; cell < merged.at("cells").size(); ++cell) {
    merged["cells"][cell] = merge_cell(replicates, cell);
  }
  return merged;
}

}  // namespace bellmark::run
