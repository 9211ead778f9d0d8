// GPUs of this machine as NVML reports them, through NVIDIA's library loaded at run time.
#include "harness/machine/gpu.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.hpp"

namespace bellmark::machine {
namespace {

using nlohmann::json;

constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr int kClockSm = 1;
constexpr int kClockMemory = 2;
constexpr int kTemperatureGpu = 0;
constexpr const char* kNotOffered = "this driver's libnvidia-ml doesn't offer it";

struct ThrottleWord {
  unsigned long long bit;
  std::string_view word;
  bool slows;
};
// nvml.h, nvmlClocksEventReason*.
constexpr std::array kThrottleWords{ThrottleWord{0x1, "idle", false},
                                    ThrottleWord{0x2, "clocks set by an application", false},
                                    ThrottleWord{0x4, "power cap", true},
                                    ThrottleWord{0x8, "hardware slowdown", true},
                                    ThrottleWord{0x10, "sync boost", true},
                                    ThrottleWord{0x20, "software thermal slowdown", true},
                                    ThrottleWord{0x40, "hardware thermal slowdown", true},
                                    ThrottleWord{0x80, "power brake", true},
                                    ThrottleWord{0x100, "display clock setting", false}};

/// Containers mount the driver's folder, but the loader does not know it.
constexpr std::array kLibraries{"libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1"};

template <class F>
void load(void* library, const char* symbol, F& function) {
  function = reinterpret_cast<F>(dlsym(library, symbol));
}

/// The library stays open: the driver's threads may live in it until the process ends.
Told<NvmlFunctions> load_library() {
  void* library = nullptr;
  for (const char* name : kLibraries) {
    library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) break;
  }
  if (library == nullptr) {
    return {std::nullopt, "libnvidia-ml.so.1 was not found: no NVIDIA driver is installed"};
  }
  NvmlFunctions nvml;
  load(library, "nvmlInit_v2", nvml.init);
  load(library, "nvmlShutdown", nvml.shutdown);
  load(library, "nvmlErrorString", nvml.error_string);
  load(library, "nvmlSystemGetDriverVersion", nvml.driver_version);
  load(library, "nvmlDeviceGetCount_v2", nvml.device_count);
  load(library, "nvmlDeviceGetHandleByIndex_v2", nvml.device);
  load(library, "nvmlDeviceGetName", nvml.name);
  load(library, "nvmlDeviceGetUUID", nvml.uuid);
  load(library, "nvmlDeviceGetPciInfo_v3", nvml.pci_info);
  load(library, "nvmlDeviceGetMemoryInfo", nvml.memory_info);
  load(library, "nvmlDeviceGetClockInfo", nvml.clock);
  load(library, "nvmlDeviceGetMaxClockInfo", nvml.max_clock);
  // Driver 535 renamed it. Older drivers have only the old name.
  load(library, "nvmlDeviceGetCurrentClocksEventReasons", nvml.throttle_reasons);
  if (nvml.throttle_reasons == nullptr) {
    load(library, "nvmlDeviceGetCurrentClocksThrottleReasons", nvml.throttle_reasons);
  }
  load(library, "nvmlDeviceGetTemperature", nvml.temperature);
  load(library, "nvmlDeviceGetPowerUsage", nvml.power);
  load(library, "nvmlDeviceGetTotalEnergyConsumption", nvml.total_energy);
  load(library, "nvmlDeviceGetPersistenceMode", nvml.persistence_mode);
  load(library, "nvmlDeviceGetComputeRunningProcesses_v3", nvml.compute_processes);
  load(library, "nvmlDeviceGetCpuAffinity", nvml.cpu_affinity);
  return {nvml, ""};
}

/// A list such as `0-3,8`, in the kernel's form; nothing when the text is not such a list.
std::optional<Cpuset> parse_cpulist(std::string_view text) {
  constexpr long long kMostCpus = 1 << 16;
  Cpuset cpus;
  for (const std::string& item : split(text, ',')) {
    const std::size_t dash = item.find('-');
    const auto first = to_integer(std::string_view(item).substr(0, dash));
    const auto last =
        dash == std::string::npos ? first : to_integer(std::string_view(item).substr(dash + 1));
    if (!first || !last || *first < 0 || *first > *last || *last >= kMostCpus) return std::nullopt;
    for (long long cpu = *first; cpu <= *last; ++cpu) {
      cpus.pus.push_back(static_cast<unsigned>(cpu));
    }
  }
  std::ranges::sort(cpus.pus);
  cpus.pus.erase(std::unique(cpus.pus.begin(), cpus.pus.end()), cpus.pus.end());
  return cpus;
}

/// Domain, bus, device and function of a PCI address; the domain is written with 4 or 8 digits.
std::optional<std::array<unsigned, 4>> parse_bus_id(std::string_view text) {
  std::array<unsigned, 4> parts{};
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && (at == end || *at++ != (i < 3 ? ':' : '.'))) return std::nullopt;
    const auto [next, error] = std::from_chars(at, end, parts[i], 16);
    if (error != std::errc{}) return std::nullopt;
    at = next;
  }
  return at == end ? std::optional(parts) : std::nullopt;
}

/// Facts with their reasons, in the form of environment()'s lists.
class FactList {
 public:
  template <class T>
  void add(const char* key, const Told<T>& told) {
    if (told.value) {
      json_[key] = *told.value;
    } else {
      json_[key] = nullptr;
      missing_.push_back({{"key", key}, {"reason", told.reason}});
    }
  }
  json take() {
    json_["not_available"] = std::move(missing_);
    return std::move(json_);
  }

 private:
  json json_ = json::object();
  json missing_ = json::array();
};

template <class T, class F>
auto map(const Told<T>& told, F&& convert) -> Told<decltype(convert(*told.value))> {
  if (!told.value) return {std::nullopt, told.reason};
  return {convert(*told.value), ""};
}

}  // namespace

std::vector<std::string> throttle_words(unsigned long long bits) {
  std::vector<std::string> words;
  for (const ThrottleWord& known : kThrottleWords) {
    if ((bits & known.bit) != 0) words.emplace_back(known.word);
    bits &= ~known.bit;
  }
  if (bits != 0) {
    char text[64];
    std::snprintf(text, sizeof text, "unknown reason 0x%llx", bits);
    words.emplace_back(text);
  }
  return words;
}

bool is_throttled(std::string_view word) {
  const auto known = std::ranges::find(kThrottleWords, word, &ThrottleWord::word);
  return known == kThrottleWords.end() || known->slows;
}

const Gpus& Gpus::this_machine() {
  static const Gpus gpus = [] {
    const Told<NvmlFunctions> library = load_library();
    return library.value ? Gpus(*library.value) : Gpus(library.reason);
  }();
  return gpus;
}

Gpus::Gpus(const NvmlFunctions& functions, FileRoot root)
    : functions_(functions), root_(std::move(root)) {
  if (functions.init == nullptr || functions.device_count == nullptr ||
      functions.device == nullptr) {
    functions_.shutdown = nullptr;
    absence_ = "libnvidia-ml lacks nvmlInit_v2: the driver is too old";
    return;
  }
  if (const int status = functions.init(); status != kSuccess) {
    functions_.shutdown = nullptr;  // nothing was opened
    absence_ = "NVML doesn't start: " + error(status);
    return;
  }
  unsigned count = 0;
  if (const int status = functions.device_count(&count); status != kSuccess) {
    absence_ = "NVML doesn't count GPUs: " + error(status);
    return;
  }
  for (unsigned index = 0; index < count; ++index) {
    NvmlFunctions::Device device = nullptr;
    if (const int status = functions.device(index, &device); status != kSuccess) {
      devices_.clear();
      absence_ = "NVML doesn't open GPU " + std::to_string(index) + ": " + error(status);
      return;
    }
    devices_.push_back(device);
  }
  if (devices_.empty()) absence_ = "NVML shows no GPU";
}

Gpus::~Gpus() {
  if (functions_.shutdown != nullptr) functions_.shutdown();
}

std::string Gpus::error(int status) const {
  const char* text = functions_.error_string == nullptr ? nullptr : functions_.error_string(status);
  return text == nullptr ? "error " + std::to_string(status) : text;
}

template <class T, class Function, class... Given>
Told<T> Gpus::ask(Function function, std::size_t gpu, Given... given) const {
  if (function == nullptr) return {std::nullopt, kNotOffered};
  T value{};
  const int status = function(devices_.at(gpu), given..., &value);
  if (status != kSuccess) return {std::nullopt, error(status)};
  return {value, ""};
}

Told<std::string> Gpus::text(int (*function)(NvmlFunctions::Device, char*, unsigned),
                             std::size_t gpu) const {
  if (function == nullptr) return {std::nullopt, kNotOffered};
  std::array<char, 128> bytes{};
  const int status =
      function(devices_.at(gpu), bytes.data(), static_cast<unsigned>(bytes.size()) - 1);
  if (status != kSuccess) return {std::nullopt, error(status)};
  return {bytes.data(), ""};
}

Told<std::string> Gpus::pci_bus_id(std::size_t gpu) const {
  return map(
      ask<NvmlFunctions::PciInfo>(functions_.pci_info, gpu), [](const NvmlFunctions::PciInfo& pci) {
        // A GPU is function 0 of its device.
        char text[32];
        std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", pci.domain, pci.bus, pci.device);
        return std::string(text);
      });
}

Told<double> Gpus::energy_j(std::size_t gpu) const {
  return map(ask<unsigned long long>(functions_.total_energy, gpu),
             [](unsigned long long mj) { return static_cast<double>(mj) / 1000; });
}

Told<bool> Gpus::is_persistent(std::size_t gpu) const {
  return map(ask<int>(functions_.persistence_mode, gpu), [](int mode) { return mode != 0; });
}

Told<Cpuset> Gpus::local_cpus(std::size_t gpu) const {
  const Told<std::string> id = pci_bus_id(gpu);
  std::string reason = id.reason;
  if (id.value) {
    const FileText file = root_.read("/sys/bus/pci/devices/" + *id.value + "/local_cpulist");
    reason = file.reason;
    if (file.text) {
      const std::optional<Cpuset> cpus = parse_cpulist(*file.text);
      if (cpus && !cpus->pus.empty()) return {cpus, ""};
      reason = "local_cpulist names no CPU: '" + *file.text + "'";
    }
  }
  // Containers often hide /sys/bus/pci, but the driver knows the CPUs too.
  std::array<unsigned long, 64> sets{};
  if (functions_.cpu_affinity == nullptr ||
      functions_.cpu_affinity(devices_.at(gpu), static_cast<unsigned>(sets.size()), sets.data()) !=
          kSuccess) {
    return {std::nullopt, reason};
  }
  Cpuset cpus;
  constexpr unsigned kBits = 8 * sizeof(unsigned long);
  for (unsigned i = 0; i < sets.size(); ++i) {
    for (unsigned long left = sets[i]; left != 0; left &= left - 1) {
      cpus.pus.push_back(i * kBits + static_cast<unsigned>(std::countr_zero(left)));
    }
  }
  if (cpus.pus.empty()) return {std::nullopt, reason};
  return {cpus, ""};
}

Told<std::vector<unsigned>> Gpus::other_processes(std::size_t gpu) const {
  if (functions_.compute_processes == nullptr) return {std::nullopt, kNotOffered};
  std::vector<NvmlFunctions::Process> processes(64);
  for (;;) {
    auto count = static_cast<unsigned>(processes.size());
    const int status = functions_.compute_processes(devices_.at(gpu), &count, processes.data());
    if (status == kInsufficientSize && count > processes.size()) {
      processes.resize(count + 16);  // more may start meanwhile
      continue;
    }
    if (status != kSuccess) return {std::nullopt, error(status)};
    processes.resize(count);
    break;
  }
  std::vector<unsigned> pids;
  for (const NvmlFunctions::Process& process : processes) {
    if (process.pid != static_cast<unsigned>(getpid())) pids.push_back(process.pid);
  }
  return {pids, ""};
}

std::optional<std::size_t> Gpus::find(std::string_view pci_bus_id) const {
  const auto wanted = parse_bus_id(pci_bus_id);
  for (std::size_t gpu = 0; wanted && gpu < count(); ++gpu) {
    const Told<std::string> id = this->pci_bus_id(gpu);
    if (id.value && parse_bus_id(*id.value) == wanted) return gpu;
  }
  return std::nullopt;
}

json Gpus::state(std::size_t gpu) const {
  FactList facts;
  facts.add("clock_sm_mhz", ask<unsigned>(functions_.clock, gpu, kClockSm));
  facts.add("clock_memory_mhz", ask<unsigned>(functions_.clock, gpu, kClockMemory));
  facts.add("temperature_c", ask<unsigned>(functions_.temperature, gpu, kTemperatureGpu));
  facts.add("power_w", map(ask<unsigned>(functions_.power, gpu),
                           [](unsigned mw) { return static_cast<double>(mw) / 1000; }));
  facts.add("throttle_reasons",
            map(ask<unsigned long long>(functions_.throttle_reasons, gpu), throttle_words));
  return facts.take();
}

json Gpus::facts(std::size_t gpu) const {
  const Told<NvmlFunctions::Memory> memory =
      ask<NvmlFunctions::Memory>(functions_.memory_info, gpu);
  const auto driver = [&]() -> Told<std::string> {
    if (functions_.driver_version == nullptr) return {std::nullopt, kNotOffered};
    std::array<char, 128> bytes{};
    const int status =
        functions_.driver_version(bytes.data(), static_cast<unsigned>(bytes.size()) - 1);
    if (status != kSuccess) return {std::nullopt, error(status)};
    return {bytes.data(), ""};
  };
  FactList list;
  list.add("index", Told<std::size_t>{gpu, ""});
  list.add("name", text(functions_.name, gpu));
  list.add("uuid", text(functions_.uuid, gpu));
  list.add("pci_bus_id", pci_bus_id(gpu));
  list.add("driver_version", driver());
  list.add("memory_total_bytes", map(memory, [](const auto& bytes) { return bytes.total; }));
  list.add("memory_free_bytes", map(memory, [](const auto& bytes) { return bytes.free; }));
  list.add("clock_sm_max_mhz", ask<unsigned>(functions_.max_clock, gpu, kClockSm));
  list.add("clock_memory_max_mhz", ask<unsigned>(functions_.max_clock, gpu, kClockMemory));
  list.add("energy_total_j", energy_j(gpu));
  list.add("is_persistent", is_persistent(gpu));
  list.add("local_cpus", map(local_cpus(gpu), [](const Cpuset& cpus) { return cpus.list(); }));
  json facts = list.take();
  json now = state(gpu);
  for (json& missing : now["not_available"]) facts["not_available"].push_back(std::move(missing));
  now.erase("not_available");
  facts.update(now);
  return facts;
}

json facts_of(const Gpus& gpus) {
  if (gpus.count() == 0) return nullptr;
  json list = json::array();
  for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) list.push_back(gpus.facts(gpu));
  return list;
}

}  // namespace bellmark::machine
