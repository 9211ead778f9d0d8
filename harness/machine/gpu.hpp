// GPUs of this machine as NVML reports them. NVIDIA's library is loaded at run time, so that one
// build serves machines with a GPU and without.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/files.hpp"

namespace bellmark::machine {

/// Functions of libnvidia-ml with their C interface (nvml.h), without the prefix `nvml`. Each
/// returns 0 or an error's number. A function that the library lacks is null.
struct NvmlFunctions {
  using Device = struct NvmlDevice*;
  struct Memory {
    unsigned long long total = 0;
    unsigned long long free = 0;
    unsigned long long used = 0;
  };
  struct PciInfo {
    char bus_id_legacy[16] = {};
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned device = 0;
    unsigned pci_device_id = 0;
    unsigned pci_subsystem_id = 0;
    char bus_id[32] = {};
  };
  struct Process {
    unsigned pid = 0;
    unsigned long long used_memory = 0;
    unsigned gpu_instance = 0;
    unsigned compute_instance = 0;
  };

  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*device_count)(unsigned*) = nullptr;
  int (*device)(unsigned, Device*) = nullptr;
  int (*name)(Device, char*, unsigned) = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  int (*pci_info)(Device, PciInfo*) = nullptr;
  int (*memory_info)(Device, Memory*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*max_clock)(Device, int, unsigned*) = nullptr;
  int (*throttle_reasons)(Device, unsigned long long*) = nullptr;
  int (*temperature)(Device, int, unsigned*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;
  int (*total_energy)(Device, unsigned long long*) = nullptr;
  int (*persistence_mode)(Device, int*) = nullptr;
  int (*compute_processes)(Device, unsigned*, Process*) = nullptr;
  int (*cpu_affinity)(Device, unsigned, unsigned long*) = nullptr;
};

/// A value, or the reason why there is none.
template <class T>
struct Told {
  std::optional<T> value;
  std::string reason;
};

/// All GPUs that NVML shows, by NVML's index (which CUDA_VISIBLE_DEVICES doesn't change). No
/// function here changes a setting.
class Gpus {
 public:
  /// Opened once in each process, at the first call.
  static const Gpus& this_machine();

  explicit Gpus(const NvmlFunctions& functions, FileRoot root = FileRoot());
  /// A machine without GPUs, and the reason.
  explicit Gpus(std::string absence) : absence_(std::move(absence)) {}
  ~Gpus();
  Gpus(const Gpus&) = delete;
  Gpus& operator=(const Gpus&) = delete;

  std::size_t count() const { return devices_.size(); }
  /// Why there is no GPU; "" when there is one.
  const std::string& absence() const { return absence_; }

  /// `index`, `name`, `uuid`, `pci_bus_id`, `driver_version`, `memory_total_bytes`,
  /// `memory_free_bytes`, `clock_sm_max_mhz`, `clock_memory_max_mhz`, `energy_total_j` (from the
  /// driver's load on), `is_persistent`, `local_cpus` (CPU list), and the facts of state(). Facts
  /// that NVML doesn't tell are null and are listed in `not_available` [{key, reason}].
  nlohmann::json facts(std::size_t gpu) const;

  /// Facts that change during work: `clock_sm_mhz`, `clock_memory_mhz`, `temperature_c`, `power_w`,
  /// `throttle_reasons` (words; none when nothing holds the clocks back), `not_available`.
  nlohmann::json state(std::size_t gpu) const;

  /// Energy from the driver's load on. The counter moves every 20 to 100 ms.
  Told<double> energy_j(std::size_t gpu) const;

  /// As in /sys/bus/pci/devices: `0000:81:00.0`.
  Told<std::string> pci_bus_id(std::size_t gpu) const;
  /// The CPUs on the GPU's side of the machine.
  Told<Cpuset> local_cpus(std::size_t gpu) const;
  /// Processes that compute on it, except this one.
  Told<std::vector<unsigned>> other_processes(std::size_t gpu) const;
  Told<bool> is_persistent(std::size_t gpu) const;

  /// The GPU at a PCI address, however its digits are written.
  std::optional<std::size_t> find(std::string_view pci_bus_id) const;

 private:
  std::string error(int status) const;
  template <class T, class Function, class... Given>
  Told<T> ask(Function function, std::size_t gpu, Given... given) const;
  Told<std::string> text(int (*function)(NvmlFunctions::Device, char*, unsigned),
                         std::size_t gpu) const;

  NvmlFunctions functions_;
  FileRoot root_;
  std::string absence_;
  std::vector<NvmlFunctions::Device> devices_;
};

/// All GPUs' facts, or null.
nlohmann::json facts_of(const Gpus& gpus);

/// Why clocks are held back, in words: bits of NVML's clock event reasons.
std::vector<std::string> throttle_words(unsigned long long bits);

/// True if a word of throttle_words() means that the GPU is slower than it could be. Idle clocks
/// and clocks that somebody set don't.
bool is_throttled(std::string_view word);

}  // namespace bellmark::machine
