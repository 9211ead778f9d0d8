#include "harness/tune/objective.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::tune {
namespace {

constexpr EnumNames<Objective, 3> kObjectives = {
    {{{Objective::time, "time"}, {Objective::energy, "energy"}, {Objective::memory, "memory"}}}};

/// One value for each block, or why there are none.
struct Blocks {
  std::vector<double> values;
  std::string reason;
};

std::string reason_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Blocks memory_of(const Json& cell) {
  const Json& memory = cell.at("memory");
  return {memory.at("resident_block_bytes").get<std::vector<double>>(),
          reason_in(memory, "reason")};
}

/// Joules of the CPUs and of the GPU together, where both are counted.
Blocks energy_of(const Json& cell) {
  const Json& energy = cell.at("energy");
  if (!energy.is_object()) return {{}, "the result has no energy of it"};
  Blocks blocks;
  for (const char* key : {"cpu_block_energy_j", "gpu_block_energy_j"}) {
    const auto found = energy.find(key);
    if (found == energy.end() || found->empty()) continue;
    const auto joules = found->get<std::vector<double>>();
    if (blocks.values.empty()) {
      blocks.values = joules;
      continue;
    }
    blocks.values.resize(std::min(blocks.values.size(), joules.size()));
    for (std::size_t i = 0; i < blocks.values.size(); ++i) blocks.values[i] += joules[i];
  }
  blocks.reason = reason_in(energy, "cpu_reason");
  if (blocks.reason.empty()) blocks.reason = reason_in(energy, "reason");
  return blocks;
}

}  // namespace

std::string to_string(Objective objective) { return kObjectives.name_of(objective); }

Objective objective_of(std::string_view name) {
  if (const auto objective = kObjectives.value_of(name)) return *objective;
  throw InputError("--objective " + std::string(name),
                   "is none of " + join(kObjectives.all(), ", "),
                   suggestion(name, kObjectives.all()));
}

Reading reading_of_blocks(const Json& cell, const Json& baseline, Objective objective) {
  const auto blocks_of = objective == Objective::memory ? memory_of : energy_of;
  const Blocks own = blocks_of(baseline);
  const Blocks other = blocks_of(cell);
  Reading reading;
  for (const Blocks* blocks : {&own, &other}) {
    if (!blocks->values.empty()) continue;
    reading.fault = "no " + to_string(objective) + ": " + blocks->reason;
    return reading;
  }
  for (std::size_t i = 0; i < std::min(own.values.size(), other.values.size()); ++i) {
    if (own.values[i] <= 0 || other.values[i] <= 0) {
      reading.block_log_ratios.clear();
      reading.fault = "no " + to_string(objective) + ": block " + std::to_string(i) + " has none";
      return reading;
    }
    reading.block_log_ratios.push_back(std::log(other.values[i] / own.values[i]));
  }
  return reading;
}

}  // namespace bellmark::tune
