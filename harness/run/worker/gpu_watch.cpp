#include "harness/run/worker/gpu_watch.hpp"

#include "harness/machine/cuda.hpp"
#include "harness/run/protocol/optional_json.hpp"

namespace bellmark::run {
namespace {

/// The counter moves every 20 to 100 ms, and its readings lag by the same time. The same work goes
/// on around both readings, so the lag cancels on average. Over a second, some percent of it
/// remain.
constexpr double kSpanSeconds = 1;
constexpr double kWarmSeconds = 0.25;

struct Repeated {
  std::size_t pass_count = 0;
  double seconds = 0;
};

/// Repeats whole passes until `seconds` are over, at least one.
Repeated repeat(const std::function<void()>& pass, double seconds, measure::Clock& clock) {
  const std::int64_t begin = clock.now_ns();
  Repeated repeated;
  while (repeated.pass_count == 0 || repeated.seconds < seconds) {
    pass();
    ++repeated.pass_count;
    repeated.seconds = static_cast<double>(clock.now_ns() - begin) * 1e-9;
  }
  return repeated;
}

}  // namespace

GpuWatch::GpuWatch(const machine::Gpus& gpus, const machine::Told<std::string>& pci_bus_id)
    : gpus_(gpus) {
  if (!pci_bus_id.value) {
    reason_ = pci_bus_id.reason;
  } else if (gpus.count() == 0) {
    reason_ = gpus.absence();
  } else {
    gpu_ = gpus.find(*pci_bus_id.value);
    if (!gpu_) reason_ = "NVML shows no GPU at " + *pci_bus_id.value + ", where CUDA runs";
  }
}

void GpuWatch::start() {
  reading_ = {};
  if (!gpu_) {
    reading_.reason = reason_;
    return;
  }
  const Json facts = gpus_.facts(*gpu_);
  get_optional(facts, "index", reading_.index);
  get_optional(facts, "name", reading_.name);
  get_optional(facts, "pci_bus_id", reading_.pci_bus_id);
  reading_.before = gpus_.state(*gpu_);
}

GpuReading GpuWatch::finish() {
  if (gpu_) reading_.after = gpus_.state(*gpu_);
  return reading_;
}

machine::Told<double> GpuWatch::energy_j() const {
  if (!gpu_) return {std::nullopt, reason_};
  return gpus_.energy_j(*gpu_);
}

void GpuWatches::open(bool all) {
  if (!watches_.empty()) return;
  const auto chosen = machine::cuda_bus_id();
  watches_.emplace_back(machine::Gpus::this_machine(), chosen);
  if (all) {
    for (const std::string& other : machine::cuda_bus_ids()) {
      if (other == chosen.value) continue;
      watches_.emplace_back(machine::Gpus::this_machine(), machine::Told<std::string>{other, ""});
    }
  }
  restart();
}

void GpuWatches::restart() {
  for (GpuWatch& watch : watches_) watch.start();
}

std::vector<GpuReading> GpuWatches::finish() {
  std::vector<GpuReading> readings;
  for (GpuWatch& watch : watches_) readings.push_back(watch.finish());
  return readings;
}

machine::Told<double> GpuWatches::energy_j() const {
  // `auto` values may have become a variant for the CPU.
  if (watches_.empty()) return {std::nullopt, "the variant needs no GPU on this input"};
  return watches_.front().energy_j();
}

EnergyReading energy_of_pass(const std::function<void()>& pass, std::size_t query_count,
                             measure::Clock& clock,
                             const std::function<machine::Told<double>()>& gpu_energy_j,
                             const std::function<machine::Told<double>()>& cpu_energy_j) {
  const auto ask_cpus = [&] { return cpu_energy_j ? cpu_energy_j() : machine::Told<double>(); };
  EnergyReading reading;
  const auto offered = gpu_energy_j();
  const auto offered_by_cpus = ask_cpus();
  if (!offered.value && !offered_by_cpus.value) {
    reading.reason = offered.reason;
    if (cpu_energy_j) reading.cpu_reason = offered_by_cpus.reason;
    return reading;
  }
  repeat(pass, kWarmSeconds, clock);
  const auto before = gpu_energy_j();
  const auto before_of_cpus = ask_cpus();
  const Repeated repeated = repeat(pass, kSpanSeconds, clock);
  const auto after = gpu_energy_j();
  const auto after_of_cpus = ask_cpus();
  const double queries = static_cast<double>(repeated.pass_count * query_count);
  const auto take = [&](const machine::Told<double>& first, const machine::Told<double>& last,
                        std::optional<double>& energy_j, std::optional<double>& power_w,
                        std::optional<std::string>& reason) {
    for (const auto* told : {&first, &last}) {
      if (told->value) continue;
      if (!told->reason.empty()) reason = told->reason;
      return;
    }
    const double joules = *last.value - *first.value;
    if (joules <= 0) {
      reason = "the energy counter did not move during the pass";
      return;
    }
    energy_j = joules / queries;
    power_w = joules / repeated.seconds;
    reading.span_s = repeated.seconds;
    reading.pass_count = repeated.pass_count;
  };
  take(before, after, reading.gpu_energy_j, reading.gpu_power_w, reading.reason);
  take(before_of_cpus, after_of_cpus, reading.cpu_energy_j, reading.cpu_power_w,
       reading.cpu_reason);
  return reading;
}

}  // namespace bellmark::run
