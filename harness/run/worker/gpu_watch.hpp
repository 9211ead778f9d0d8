// The GPUs under a replicate: what they do before and after, and the energy that one took.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/gpu.hpp"
#include "harness/measure/clock.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// The GPU at a PCI address, which CUDA and NVML number differently.
class GpuWatch {
 public:
  GpuWatch(const machine::Gpus& gpus, const machine::Told<std::string>& pci_bus_id);

  /// Reads what the GPU is and what it does; start() to finish().
  void start();
  GpuReading finish();

  machine::Told<double> energy_j() const;

 private:
  const machine::Gpus& gpus_;
  std::optional<std::size_t> gpu_;
  std::string reason_;
  GpuReading reading_;
};

/// The GPUs of this process: none until open(), which asks CUDA for the device that it chose.
class GpuWatches {
 public:
  /// Watches the device that CUDA chose, or with `all` every one that this process sees, that one
  /// first. Does nothing the second time.
  void open(bool all);
  /// Again: what lies between is not of the replicate.
  void restart();
  /// One reading a GPU.
  std::vector<GpuReading> finish();
  /// Of the first; says why when there is none.
  machine::Told<double> energy_j() const;

 private:
  std::vector<GpuWatch> watches_;
};

/// Repeats `pass` (all queries once) and reads energy counters before and after: of the GPU, and of
/// the CPUs where `cpu_energy_j` is given. What board and packages draw is counted whole, idle
/// power included. Nothing is run where neither has a counter.
EnergyReading energy_of_pass(const std::function<void()>& pass, std::size_t query_count,
                             measure::Clock& clock,
                             const std::function<machine::Told<double>()>& gpu_energy_j,
                             const std::function<machine::Told<double>()>& cpu_energy_j = {});

}  // namespace bellmark::run
