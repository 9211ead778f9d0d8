// The GPU under a replicate: what it does before and after, and the energy that it took.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/machine/gpu.hpp"
#include "harness/measure/clock.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// The GPU at a PCI address, which CUDA and NVML number differently.
class GpuWatch {
 public:
  GpuWatch(const machine::Gpus& gpus, const machine::Told<std::string>& pci_bus_id);

  /// `index`, `name`, `pci_bus_id`, `before` (Gpus::state) and `reason`; start() to finish().
  void start();
  /// The same with `after`.
  Json finish();

  machine::Told<double> energy_j() const;

 private:
  const machine::Gpus& gpus_;
  std::optional<std::size_t> gpu_;
  std::string reason_;
  Json json_;
};

/// What replicates' `gpu` objects say together: least and greatest clocks, greatest temperature,
/// every throttle reason; null when there is none.
Json summarise_gpu(const std::vector<Json>& replicates);

/// Repeats `pass` (all queries once) and reads the GPU's energy counter before and after:
/// `gpu_energy_j` of one query, `gpu_power_w` meanwhile, `span_s`, `pass_count`; null with `reason`
/// when the counter can't be read. What the board draws is counted whole, idle power included.
Json energy_of_pass(const std::function<void()>& pass, std::size_t query_count,
                    measure::Clock& clock, const std::function<machine::Told<double>()>& energy_j);

}  // namespace bellmark::run
