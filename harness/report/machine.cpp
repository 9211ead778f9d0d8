#include "harness/report/machine.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace bellmark::report {
namespace {

struct Hardware {
  std::string processor;
  std::vector<std::string> gpus;
};

Hardware hardware_in(const Json& result) {
  const Json environment = result.value("environment", Json::object());
  const Json model = environment.value("cpu_model", Json());
  Hardware hardware{model.is_string() ? model.get<std::string>() : "a processor", {}};
  const Json gpus = environment.value("gpus", Json());
  for (const Json& gpu : gpus.is_array() ? gpus : Json::array()) {
    const Json name = gpu.value("name", Json());
    if (name.is_string()) hardware.gpus.push_back(name.get<std::string>());
  }
  return hardware;
}

}  // namespace

std::string hardware_of(const Json& result) {
  Hardware hardware = hardware_in(result);
  hardware.gpus.insert(hardware.gpus.begin(), hardware.processor);
  return join(hardware.gpus, " and ");
}

std::string machine_name(const Json& result) {
  const Hardware hardware = hardware_in(result);
  std::vector<std::string> parts = {hardware.processor};
  const Json cores = result.value(Json::json_pointer("/topology/summary/core_count"), Json());
  if (cores.is_number_integer()) {
    parts.push_back(cores.dump() + (cores == 1 ? " core" : " cores"));
  }
  std::vector<std::string> known;
  for (const std::string& gpu : hardware.gpus) {
    if (std::ranges::find(known, gpu) != known.end()) continue;
    known.push_back(gpu);
    const auto count = std::ranges::count(hardware.gpus, gpu);
    parts.push_back((count > 1 ? std::to_string(count) + " x " : "") + gpu);
  }
  return join(parts, ", ");
}

}  // namespace bellmark::report
