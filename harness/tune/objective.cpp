#include "harness/tune/objective.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::tune {
namespace {

constexpr EnumNames<Objective, 3> kObjectives = {
    {{{Objective::time, "time"}, {Objective::energy, "energy"}, {Objective::memory, "memory"}}}};

/// One value for each block, nothing for a block that could not be read.
using Values = std::vector<std::optional<double>>;

/// One value for each block, or why there are none.
struct Blocks {
  Values values;
  std::string reason;
};

Values values_in(const Json& list) {
  Values values;
  for (const Json& value : list) {
    values.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
  }
  return values;
}

std::string reason_in(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

Blocks memory_of(const Json& cell) {
  const Json& memory = cell.at("memory");
  return {values_in(memory.at("resident_block_bytes")), reason_in(memory, "reason")};
}

Values joules_of(const Json& cell, const char* counter) {
  const Json& energy = cell.at("energy");
  if (!energy.is_object() || !energy.contains(counter)) return {};
  return values_in(energy.at(counter));
}

/// Adds block by block. A block that one of them lacks is missing from the sum.
Values sum_of(Values sums, const Values& more) {
  if (sums.empty()) return more;
  sums.resize(std::min(sums.size(), more.size()));
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] && more[i]) {
      *sums[i] += *more[i];
    } else {
      sums[i].reset();
    }
  }
  return sums;
}

/// Joules of the CPUs and of the GPU together, of those counters that both cells have.
Blocks energy_of(const Json& cell, const Json& other) {
  const Json& energy = cell.at("energy");
  if (!energy.is_object()) return {{}, "the result has no energy of it"};
  Blocks blocks;
  for (const char* counter : {"cpu_block_energy_j", "gpu_block_energy_j"}) {
    const Values joules = joules_of(cell, counter);
    if (joules.empty() || joules_of(other, counter).empty()) continue;
    blocks.values = sum_of(std::move(blocks.values), joules);
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
                   did_you_mean(name, kObjectives.all()));
}

Reading reading_of_blocks(const Json& cell, const Json& baseline, Objective objective) {
  const bool is_memory = objective == Objective::memory;
  const Blocks own = is_memory ? memory_of(baseline) : energy_of(baseline, cell);
  const Blocks other = is_memory ? memory_of(cell) : energy_of(cell, baseline);
  Reading reading;
  for (const Blocks* blocks : {&own, &other}) {
    if (!blocks->values.empty()) continue;
    reading.fault = "no " + to_string(objective) + ": " + blocks->reason;
    return reading;
  }
  for (std::size_t i = 0; i < std::min(own.values.size(), other.values.size()); ++i) {
    if (!own.values[i] || !other.values[i]) continue;
    if (*own.values[i] <= 0 || *other.values[i] <= 0) {
      reading.block_log_ratios.clear();
      reading.fault = "no " + to_string(objective) + ": block " + std::to_string(i) + " has none";
      return reading;
    }
    reading.block_log_ratios.push_back(std::log(*other.values[i] / *own.values[i]));
  }
  return reading;
}

}  // namespace bellmark::tune
