// Finds settings and load on this machine that disturb a measurement, with causes and remedies.
#include "harness/machine/doctor.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <iomanip>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <sstream>
#include <thread>

#include "base/text.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/memory.hpp"

namespace bellmark::machine {
namespace {

using nlohmann::json;

/// The observation of one check, before the reason why it matters.
struct Observation {
  State state;
  std::string text;
};

State warn_if(bool bad) { return bad ? State::warning : State::ok; }

std::string decimal(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

std::string percent(double ratio) { return decimal(100 * ratio, 1) + " %"; }

/// `judge(value)` for a known fact of the environment, else the reason why it is unknown.
template <class Judge>
Observation judge_fact(const json& environment, const std::string& key, Judge judge) {
  const json& value = environment.at(key);
  if (!value.is_null()) return judge(value);
  for (const json& missing : environment.at("not_available")) {
    if (missing.at("key") == key) return {State::not_available, missing.at("reason")};
  }
  return {State::not_available, "unknown"};
}

/// Clock ticks since boot, as /proc/stat counts them.
struct CpuTicks {
  long long busy = 0;
  long long steal = 0;
  long long total = 0;
};

CpuTicks operator-(const CpuTicks& a, const CpuTicks& b) {
  return {a.busy - b.busy, a.steal - b.steal, a.total - b.total};
}

struct Process {
  std::string name;
  long long ticks = 0;
};

struct Activity {
  std::optional<CpuTicks> cpus;  ///< all CPUs together
  std::map<std::string, Process> processes;
};

std::optional<CpuTicks> cpu_ticks(const FileRoot& root) {
  const FileText stat = root.read("/proc/stat");
  const std::vector<std::string> line = words(stat.text.value_or("").substr(0, 512));
  // user nice system idle iowait irq softirq steal
  constexpr std::size_t kCounts = 8;
  if (line.size() <= kCounts || line[0] != "cpu") return std::nullopt;
  std::array<long long, kCounts> ticks{};
  for (std::size_t i = 0; i < kCounts; ++i) {
    const std::optional<long long> value = to_integer(line[i + 1]);
    if (!value) return std::nullopt;
    ticks[i] = *value;
  }
  CpuTicks sum;
  sum.total = std::accumulate(ticks.begin(), ticks.end(), 0LL);
  sum.steal = ticks[7];
  sum.busy = sum.total - ticks[3] - ticks[4] - ticks[7];
  return sum;
}

std::optional<Process> process(const FileRoot& root, const std::string& pid) {
  const std::string stat = root.read("/proc/" + pid + "/stat").text.value_or("");
  // The name stands in parentheses and may hold blanks and parentheses itself.
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return std::nullopt;
  const std::vector<std::string> rest = words(std::string_view(stat).substr(close + 1));
  constexpr std::size_t kUserTime = 11;
  constexpr std::size_t kSystemTime = 12;
  if (rest.size() <= kSystemTime) return std::nullopt;
  std::string name = stat.substr(open + 1, close - open - 1);
  // A process may have any name, and this text goes to terminals and into JSON.
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return Process{std::move(name), to_integer(rest[kUserTime]).value_or(0) +
                                      to_integer(rest[kSystemTime]).value_or(0)};
}

Activity activity(const FileRoot& root) {
  Activity now;
  now.cpus = cpu_ticks(root);
  const std::string self = std::to_string(getpid());
  for (const std::string& name : root.list("/proc")) {
    if (!to_integer(name) || name == self) continue;
    if (const std::optional<Process> found = process(root, name)) now.processes[name] = *found;
  }
  return now;
}

Observation other_processes(const Activity& before, const Activity& after, int pu_count) {
  if (!before.cpus || !after.cpus) return {State::not_available, "/proc/stat cannot be read"};
  const CpuTicks passed = *after.cpus - *before.cpus;
  if (passed.total <= 0) return {State::not_available, "no clock tick passed between two looks"};
  const double ticks_per_pu = static_cast<double>(passed.total) / std::max(pu_count, 1);

  std::vector<std::pair<double, std::string>> busy;
  for (const auto& [pid, now] : after.processes) {
    const auto then = before.processes.find(pid);
    const long long earlier = then == before.processes.end() ? 0 : then->second.ticks;
    const double share = static_cast<double>(now.ticks - earlier) / ticks_per_pu;
    constexpr double kBusy = 0.1;
    if (share >= kBusy) busy.emplace_back(share, now.name + " (pid " + pid + ") " + percent(share));
  }
  std::sort(busy.rbegin(), busy.rend());
  std::string text = "CPUs " +
                     percent(static_cast<double>(passed.busy) / static_cast<double>(passed.total)) +
                     " busy";
  constexpr std::size_t kShown = 3;
  for (std::size_t i = 0; i < std::min(kShown, busy.size()); ++i) text += ", " + busy[i].second;
  return {warn_if(!busy.empty()), text};
}

Observation steal(const Activity& before, const Activity& after) {
  if (!before.cpus || !after.cpus) return {State::not_available, "/proc/stat cannot be read"};
  const CpuTicks passed = *after.cpus - *before.cpus;
  const double since_boot = static_cast<double>(after.cpus->steal) /
                            static_cast<double>(std::max(after.cpus->total, 1LL));
  constexpr double kNoticeable = 0.001;
  return {warn_if(passed.steal > 0 || since_boot > kNoticeable),
          std::to_string(passed.steal) + " ticks just now, " + percent(since_boot) + " since boot"};
}

/// The number of CPUs whose time a control group grants; 0 when it sets no limit.
std::optional<double> quota_of(const FileRoot& root, const std::string& folder, bool unified) {
  std::vector<std::string> parts;
  if (unified) {
    parts = words(root.read(folder + "/cpu.max").text.value_or(""));
  } else {
    parts = {root.read(folder + "/cpu.cfs_quota_us").text.value_or(""),
             root.read(folder + "/cpu.cfs_period_us").text.value_or("")};
  }
  if (parts.size() != 2) return std::nullopt;
  if (parts[0] == "max" || parts[0] == "-1") return 0;
  const std::optional<double> quota = to_real(parts[0]);
  const std::optional<double> period = to_real(parts[1]);
  if (!quota || !period || *period <= 0) return std::nullopt;
  return *quota / *period;
}

/// The tightest quota on the way from this process's control group to the root.
Observation cpu_quota(const FileRoot& root) {
  const FileText groups = root.read("/proc/self/cgroup");
  if (!groups.text) return {State::not_available, groups.reason};
  std::optional<double> tightest;
  for (const std::string& line : split(*groups.text, '\n')) {
    // hierarchy:controllers:path; version 2 has no controllers
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::vector<std::string> names = split(controllers, ',');
    const bool unified = names.empty();
    if (!unified && std::find(names.begin(), names.end(), "cpu") == names.end()) continue;
    const std::string base = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/" + controllers;
    for (std::filesystem::path group = line.substr(second + 1);; group = group.parent_path()) {
      const std::optional<double> quota = quota_of(root, base + group.string(), unified);
      if (quota && (!tightest || *tightest == 0 || (*quota > 0 && *quota < *tightest))) {
        tightest = quota;
      }
      if (!group.has_relative_path()) break;
    }
  }
  if (!tightest) return {State::not_available, "no control group with a CPU controller is visible"};
  if (*tightest == 0) return {State::ok, "no limit"};
  return {State::warning, decimal(*tightest, 2) + " CPUs' worth of time"};
}

Observation disk_space(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::space_info space = std::filesystem::space(folder, error);
  if (error) return {State::not_available, folder.string() + ": " + error.message()};
  constexpr std::uint64_t kEnoughBytes = std::uint64_t{1} << 30;
  return {warn_if(space.available < kEnoughBytes), human_bytes(space.available) + " free"};
}

std::int64_t read_clock_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

Observation timer(const json& environment) {
  constexpr int kReadings = 20'000;
  std::int64_t step_ns = std::numeric_limits<std::int64_t>::max();
  const std::int64_t start_ns = read_clock_ns();
  std::int64_t previous_ns = start_ns;
  for (int i = 0; i < kReadings; ++i) {
    const std::int64_t now_ns = read_clock_ns();
    if (now_ns > previous_ns) step_ns = std::min(step_ns, now_ns - previous_ns);
    previous_ns = now_ns;
  }
  const double cost_ns = static_cast<double>(previous_ns - start_ns) / kReadings;
  const json& source = environment.at("clock_source");
  // The kernel serves these without a system call.
  const bool is_fast = source.is_null() || source == "tsc" || source == "kvm-clock" ||
                       source == "arch_sys_counter" || source == "hyperv_clocksource_tsc_page";
  constexpr double kSlowNs = 200;
  return {warn_if(!is_fast || cost_ns > kSlowNs),
          (source.is_null() ? "unknown source" : source.get<std::string>()) + ", " +
              decimal(cost_ns, 0) + " ns a reading, smallest step " + std::to_string(step_ns) +
              " ns"};
}

Observation build() {
#ifdef __OPTIMIZE__
  constexpr bool kOptimised = true;
#else
  constexpr bool kOptimised = false;
#endif
#ifdef NDEBUG
  constexpr bool kAsserts = false;
#else
  constexpr bool kAsserts = true;
#endif
  const std::string_view flags = BELLMARK_FLAGS;
  const bool is_sanitised = flags.find("-fsanitize") != std::string_view::npos;
  std::vector<std::string> facts{kOptimised ? "optimised" : "not optimised"};
  if (kAsserts) facts.emplace_back("assertions on");
  if (is_sanitised) facts.emplace_back("sanitizer on");
  return {warn_if(!kOptimised || kAsserts || is_sanitised),
          join(facts, ", ") + " (" BELLMARK_BUILD_TYPE ")"};
}

Observation smt(const Topology& topology, const json& environment) {
  const std::string counts = std::to_string(topology.pu_count()) + " PUs on " +
                             std::to_string(topology.core_count()) + " cores";
  const json& enabled = environment.at("smt_enabled");
  const bool siblings = topology.pu_count() > topology.core_count() && topology.core_count() > 0;
  return {warn_if(siblings || enabled == true), counts};
}

Observation allowed_cpus(const Topology& topology) {
  const json summary = topology.summary();
  const json& affinity = summary.at("affinity_pu_count");
  if (affinity.is_null()) return {State::not_available, "not this machine's topology"};
  return {warn_if(summary.at("is_restricted")),
          affinity.dump() + " of " + summary.at("installed_pu_count").dump() + " PUs"};
}

Observation pmu(const json& environment) {
  const std::vector<std::string> names = environment.at("cpu_pmus");
  if (names.empty()) return {State::not_available, "the kernel shows no CPU counter unit"};
  return {State::ok, join(names, ", ")};
}

Observation judge_swap(const json& environment) {
  return judge_fact(environment, "swap_used_bytes", [&](const json& used) -> Observation {
    const json& total = environment.at("swap_total_bytes");
    if (total == 0) return {State::ok, "no swap"};
    return {warn_if(used > 0), human_bytes(used) + " of " + human_bytes(total) + " used"};
  });
}

/// One observation over all GPUs: the worst state, and `look`'s text for each.
template <class Look>
Observation over_gpus(const Gpus& gpus, Look look) {
  if (gpus.count() == 0) return {State::not_available, gpus.absence()};
  Observation all{State::not_available, ""};
  for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) {
    const Observation one = look(gpu);
    if (one.state == State::warning || all.state == State::not_available) all.state = one.state;
    if (gpu > 0) all.text += "; ";
    all.text += "GPU " + std::to_string(gpu) + " " + one.text;
  }
  return all;
}

Observation gpu_clocks(const Gpus& gpus) {
  return over_gpus(gpus, [&](std::size_t gpu) -> Observation {
    const json state = gpus.state(gpu);
    const json& reasons = state.at("throttle_reasons");
    const json& mhz = state.at("clock_sm_mhz");
    const std::string clock = mhz.is_null() ? "clock unknown" : mhz.dump() + " MHz";
    if (reasons.is_null()) return {State::not_available, clock + ", throttling unknown"};
    const std::vector<std::string> words = reasons;
    return {warn_if(std::ranges::any_of(words, is_throttled)),
            clock + (words.empty() ? "" : " (" + join(words, ", ") + ")")};
  });
}

Observation gpu_processes(const Gpus& gpus) {
  return over_gpus(gpus, [&](std::size_t gpu) -> Observation {
    const Told<std::vector<unsigned>> others = gpus.other_processes(gpu);
    if (!others.value) return {State::not_available, others.reason};
    if (others.value->empty()) return {State::ok, "none seen"};
    std::vector<std::string> pids;
    for (const unsigned pid : *others.value) pids.push_back(std::to_string(pid));
    return {State::warning, "pid " + join(pids, ", ")};
  });
}

/// Off is no fault: the first process loses a second, and nothing that is timed.
Observation gpu_persistence(const Gpus& gpus) {
  return over_gpus(gpus, [&](std::size_t gpu) -> Observation {
    const Told<bool> on = gpus.is_persistent(gpu);
    if (!on.value) return {State::not_available, on.reason};
    return {State::ok, *on.value ? "on" : "off: the driver starts anew for each process"};
  });
}

/// The subjects of the checks, and their findings.
struct Examination {
  const Topology& topology;
  const FileRoot& root;
  const Gpus& gpus;
  const Activity& before;
  const Activity& after;
  const json& env;
  std::vector<Finding> findings = {};

  void add(std::string name, Observation seen, std::string why, std::string remedy) {
    findings.push_back(
        {std::move(name), seen.state, std::move(seen.text), std::move(why), std::move(remedy)});
  }
};

void examine_clocks(Examination& seen) {
  seen.add("build", build(), "checks and instrumentation change what is timed",
           "configure with -DCMAKE_BUILD_TYPE=Release and an empty BELLMARK_SANITIZE");
  seen.add("timer", timer(seen.env),
           "a slow or coarse clock adds its own cost and steps to short samples",
           "prefer the clock source tsc (kernel parameter tsc=reliable), or lengthen the samples");
  seen.add("governor",
           judge_fact(seen.env, "cpu_governor",
                      [](const json& governor) -> Observation {
                        return {warn_if(governor != "performance"), governor};
                      }),
           "the clock follows the load, so early samples run slower than late ones",
           "cpupower frequency-set -g performance");
  seen.add("turbo",
           judge_fact(seen.env, "turbo_enabled",
                      [](const json& on) -> Observation {
                        return {warn_if(on), on == true ? "on" : "off"};
                      }),
           "the clock depends on temperature and on what the other cores do",
           "write 1 to intel_pstate/no_turbo or 0 to cpufreq/boost in /sys/devices/system/cpu");
  seen.add("SMT", smt(seen.topology, seen.env),
           "a busy sibling PU takes half of its core's resources",
           "place workers with core: (one PU a core), or write off to "
           "/sys/devices/system/cpu/smt/control");
  seen.add(
      "ASLR",
      judge_fact(seen.env, "aslr_enabled",
                 [](const json& on) -> Observation {
                   return {warn_if(on == false), on == true ? "on" : "off"};
                 }),
      "without it all processes share one memory layout, and its luck looks like a result",
      "leave it on (kernel.randomize_va_space=2, no setarch -R): replicates average over layouts");
}

void examine_rivals(Examination& seen) {
  seen.add(
      "load average",
      judge_fact(seen.env, "load_average",
                 [](const json& load) -> Observation {
                   constexpr double kIdle = 0.5;
                   const double minute = load.at(0);
                   return {warn_if(minute > kIdle), decimal(minute, 2) + " over the last minute"};
                 }),
      "other work competes for cores, caches and memory bandwidth",
      "stop it, or wait until the load is below 0.5");
  seen.add("other processes", other_processes(seen.before, seen.after, seen.topology.pu_count()),
           "a busy process competes for cores, caches and memory bandwidth",
           "stop it, or wait for it");
  seen.add("isolated CPUs",
           judge_fact(seen.env, "isolated_cpus",
                      [](const json& cpus) -> Observation {
                        const std::string list = cpus;
                        return {warn_if(list.empty()), list.empty() ? "none" : list};
                      }),
           "the scheduler may put other tasks on the measured CPU",
           "boot with isolcpus=LIST and place workers there, or keep the machine otherwise idle");
  seen.add("allowed CPUs", allowed_cpus(seen.topology),
           "part of the machine is out of this process's reach",
           "widen the taskset, container or job limits if other cores are wanted");
  seen.add("CPU quota", cpu_quota(seen.root),
           "a process that used up its share is stopped until the next period",
           "lift the container's CPU limit");
  seen.add(
      "virtualisation",
      judge_fact(seen.env, "is_virtualised",
                 [](const json& is_virtual) -> Observation {
                   return {warn_if(is_virtual), is_virtual == true ? "virtual machine" : "none"};
                 }),
      "the host moves and interrupts virtual CPUs, and page tables are walked twice",
      "measure on the bare machine, or take ratios within a block rather than times");
  seen.add("steal time", steal(seen.before, seen.after),
           "the host ran something else while this machine wanted to",
           "use a host with dedicated CPUs");
}

void examine_memory_and_counters(Examination& seen) {
  seen.add("transparent huge pages",
           judge_fact(seen.env, "transparent_huge_pages",
                      [](const json& mode) -> Observation {
                        return {warn_if(mode == "always"), mode};
                      }),
           "the kernel merges pages in the background, so TLB misses vary from run to run",
           "write madvise to /sys/kernel/mm/transparent_hugepage/enabled");
  seen.add("swap", judge_swap(seen.env), "a page that was swapped out costs a disk access",
           "free memory, then swapoff -a");
  seen.add("PMU", pmu(seen.env),
           "without hardware counters cycles and cache misses cannot be counted",
           "measure on the bare machine, or have the host expose the virtual PMU");
  seen.add("perf_event_paranoid",
           judge_fact(seen.env, "perf_event_paranoid",
                      [](const json& level) -> Observation {
                        constexpr int kSelfAllowed = 2;
                        return {warn_if(level > kSelfAllowed), level.dump()};
                      }),
           "above 2 a process may not count its own events", "sysctl kernel.perf_event_paranoid=2");
}

void examine_gpus(Examination& seen) {
  seen.add("GPU clocks", gpu_clocks(seen.gpus),
           "a GPU that is hot or at its power limit runs slower",
           "let it cool down, or ask for a higher power limit");
  seen.add("GPU processes", gpu_processes(seen.gpus),
           "another process takes the GPU's cores, memory bandwidth and memory",
           "stop it, or choose another GPU with CUDA_VISIBLE_DEVICES");
  seen.add("GPU persistence", gpu_persistence(seen.gpus),
           "without it the driver is loaded for each process, which lengthens a run but no sample",
           "ask the administrator for nvidia-persistenced");
}

}  // namespace

std::string_view to_string(State state) {
  switch (state) {
    case State::ok:
      return "ok";
    case State::warning:
      return "warning";
    case State::not_available:
      break;
  }
  return "not available";
}

json to_json(const Finding& finding) {
  return {{"name", finding.name},
          {"state", to_string(finding.state)},
          {"observed", finding.observed},
          {"why", finding.why},
          {"remedy", finding.remedy}};
}

std::vector<Finding> examine(const Topology& topology, const DoctorOptions& options) {
  const Activity before = activity(options.root);
  if (options.wait) {
    options.wait();
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
  const Activity after = activity(options.root);
  const Gpus& gpus = options.gpus == nullptr ? Gpus::this_machine() : *options.gpus;
  const json env = environment(options.root, gpus);

  Examination seen{.topology = topology,
                   .root = options.root,
                   .gpus = gpus,
                   .before = before,
                   .after = after,
                   .env = env};
  examine_clocks(seen);
  examine_rivals(seen);
  examine_memory_and_counters(seen);
  examine_gpus(seen);
  const std::string name_fault =
      options.host_name_fault ? options.host_name_fault() : host_name_fault();
  seen.add(
      "host name",
      {warn_if(!name_fault.empty()), host_name() + (name_fault.empty() ? "" : ": " + name_fault)},
      "an MPI library looks it up, and each launch of ranks waits for the answer",
      "write it into /etc/hosts: 127.0.1.1 " + host_name());
  seen.add("disk space", disk_space(options.folder),
           "a full disk ends a run before its results are safe",
           "free at least 1 GiB where results go");
  return std::move(seen.findings);
}

}  // namespace bellmark::machine
