// For tests: a made-up NVML. Tests fill `FakeNvml::gpus`, then make Gpus from functions().
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/gpu.hpp"

namespace bellmark::machine {

struct FakeGpu {
  std::string name = "Made-up H200";
  unsigned bus = 0x81;
  unsigned sm_mhz = 1980;
  unsigned long long throttle_bits = 0;
  std::optional<unsigned long long> energy_mj = 5000;
  unsigned long long energy_step_mj = 0;  ///< added at every reading
  int persistence = 1;
  std::vector<unsigned> pids = {};
  std::vector<unsigned> affinity = {};
};

class FakeNvml {
 public:
  using Device = NvmlFunctions::Device;
  static constexpr int kNotSupported = 3;
  static constexpr int kInsufficientSize = 7;

  static inline std::vector<FakeGpu> gpus;
  static inline int init_status = 0;
  static inline int open_count = 0;  ///< init() less shutdown()

  static void reset(std::vector<FakeGpu> machine) {
    gpus = std::move(machine);
    init_status = 0;
    open_count = 0;
  }

  /// More than 60 lines: a table with an entry for each function of NVML.
  static NvmlFunctions functions() {
    NvmlFunctions nvml;
    nvml.init = [] {
      if (init_status == 0) ++open_count;
      return init_status;
    };
    nvml.shutdown = [] {
      --open_count;
      return 0;
    };
    nvml.error_string = [](int status) {
      return status == kNotSupported ? "Not Supported" : "Driver Not Loaded";
    };
    nvml.driver_version = [](char* text, unsigned size) { return copy("580.1", text, size); };
    nvml.device_count = [](unsigned* count) {
      *count = static_cast<unsigned>(gpus.size());
      return 0;
    };
    nvml.device = [](unsigned index, Device* device) {
      *device = reinterpret_cast<Device>(&gpus.at(index));
      return 0;
    };
    nvml.name = [](Device device, char* text, unsigned size) {
      return copy(of(device).name, text, size);
    };
    nvml.uuid = [](Device device, char* text, unsigned size) {
      return copy("GPU-" + std::to_string(of(device).bus), text, size);
    };
    nvml.pci_info = [](Device device, NvmlFunctions::PciInfo* pci) {
      pci->bus = of(device).bus;
      return 0;
    };
    nvml.memory_info = [](Device, NvmlFunctions::Memory* memory) {
      *memory = {1000, 900, 100};
      return 0;
    };
    nvml.clock = [](Device device, int kind, unsigned* mhz) {
      *mhz = kind == 1 ? of(device).sm_mhz : 3201;
      return 0;
    };
    nvml.max_clock = [](Device, int kind, unsigned* mhz) {
      *mhz = kind == 1 ? 1980 : 3201;
      return 0;
    };
    nvml.throttle_reasons = [](Device device, unsigned long long* bits) {
      *bits = of(device).throttle_bits;
      return 0;
    };
    nvml.temperature = [](Device, int, unsigned* celsius) {
      *celsius = 41;
      return 0;
    };
    nvml.power = [](Device, unsigned* mw) {
      *mw = 120'500;
      return 0;
    };
    nvml.total_energy = [](Device device, unsigned long long* mj) {
      FakeGpu& gpu = of(device);
      if (!gpu.energy_mj) return kNotSupported;
      *mj = *gpu.energy_mj;
      *gpu.energy_mj += gpu.energy_step_mj;
      return 0;
    };
    nvml.persistence_mode = [](Device device, int* mode) {
      *mode = of(device).persistence;
      return 0;
    };
    nvml.compute_processes = [](Device device, unsigned* count, NvmlFunctions::Process* processes) {
      const std::vector<unsigned>& pids = of(device).pids;
      const bool fits = *count >= pids.size();
      *count = static_cast<unsigned>(pids.size());
      if (!fits) return kInsufficientSize;
      for (std::size_t i = 0; i < pids.size(); ++i) processes[i].pid = pids[i];
      return 0;
    };
    nvml.cpu_affinity = [](Device device, unsigned size, unsigned long* sets) {
      if (of(device).affinity.empty()) return kNotSupported;
      std::fill(sets, sets + size, 0UL);
      for (const unsigned cpu : of(device).affinity) sets[cpu / 64] |= 1UL << (cpu % 64);
      return 0;
    };
    return nvml;
  }

 private:
  static FakeGpu& of(Device device) { return *reinterpret_cast<FakeGpu*>(device); }
  static int copy(const std::string& from, char* text, unsigned size) {
    std::strncpy(text, from.c_str(), size);
    return 0;
  }
};

}  // namespace bellmark::machine
