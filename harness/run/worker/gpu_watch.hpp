// The GPUs of a replicate: their states before and after, and the energy of one.
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

/// The GPU at a PCI address: CUDA and NVML number GPUs differently.
class GpuWatch {
 public:
  GpuWatch(const machine::Gpus& gpus, const machine::Told<std::string>& pci_bus_id);

  /// Reads the GPU's facts and state, from start() to finish().
  void start();
  GpuReading finish();

  machine::Told<double> energy_j() const;

 private:
  const machine::Gpus& gpus_;
  std::optional<std::size_t> gpu_;
  std::string reason_;
  GpuReading reading_;
};

/// The GPUs of this process. There are none before open(), which asks CUDA for the device that it
/// chose.
class GpuWatches {
 public:
  /// Watches the device that CUDA chose. With `all` it watches every device that this process sees,
  /// that one first. Does nothing the second time.
  void open(bool all);
  /// Starts again: the time between is not the replicate's.
  void restart();
  /// One reading for each GPU.
  std::vector<GpuReading> finish();
  /// The energy of the first GPU, or the reason why there is none.
  machine::Told<double> energy_j() const;

 private:
  std::vector<GpuWatch> watches_;
};

/// Repeats `pass` (all queries once), and reads energy counters before and after: the GPU's, and
/// the CPUs' if `cpu_energy_j` is given. The counters include the whole draw of board and packages,
/// idle power too. Runs nothing if neither has a counter.
EnergyReading energy_of_pass(const std::function<void()>& pass, std::size_t query_count,
                             measure::Clock& clock,
                             const std::function<machine::Told<double>()>& gpu_energy_j,
                             const std::function<machine::Told<double>()>& cpu_energy_j = {});

}  // namespace bellmark::run
