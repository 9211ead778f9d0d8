// The facts about this machine and its settings that bear on a measurement.
#include "harness/machine/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>

#include "base/child_process.hpp"
#include "base/program.hpp"
#include "base/text.hpp"

namespace bellmark::machine {
namespace {

using nlohmann::json;

/// A value, or null and the reason.
struct Fact {
  json value;
  std::string reason;
};

Fact missing(std::string reason) { return {nullptr, std::move(reason)}; }

Fact text(const FileText& file) { return file.text ? Fact{*file.text, ""} : missing(file.reason); }

Fact integer(const FileText& file) {
  if (!file.text) return missing(file.reason);
  const std::optional<long long> value = to_integer(*file.text);
  return value ? Fact{*value, ""} : missing("not a number: '" + *file.text + "'");
}

Fact flag(const FileText& file, std::string_view on) {
  return file.text ? Fact{*file.text == on, ""} : missing(file.reason);
}

Fact file_field(const FileText& file, const std::string& key, char separator) {
  if (!file.text) return missing(file.reason);
  const std::optional<std::string> value = field(*file.text, key, separator);
  return value ? Fact{*value, ""} : missing("no '" + key + "' is given");
}

/// The distinct values of one cpufreq file over all CPUs.
Fact cpufreq(const FileRoot& root, const std::string& name) {
  std::set<std::string> values;
  for (const std::string& cpu : root.list("/sys/devices/system/cpu")) {
    const FileText file = root.read("/sys/devices/system/cpu/" + cpu + "/cpufreq/" + name);
    if (file.text) values.insert(*file.text);
  }
  if (values.empty()) return missing("no CPU shows cpufreq/" + name + " in /sys");
  return {join({values.begin(), values.end()}, ", "), ""};
}

Fact turbo(const FileRoot& root) {
  Fact intel = flag(root.read("/sys/devices/system/cpu/intel_pstate/no_turbo"), "0");
  if (!intel.value.is_null()) return intel;
  Fact boost = flag(root.read("/sys/devices/system/cpu/cpufreq/boost"), "1");
  if (!boost.value.is_null()) return boost;
  return missing("neither intel_pstate/no_turbo nor cpufreq/boost exists in /sys");
}

/// ARM gives numbers in place of a name: who made the core, which one, and its revision.
Fact cpu_model_of(const FileText& cpuinfo) {
  Fact model = file_field(cpuinfo, "model name", ':');
  if (!model.value.is_null()) return model;
  const Fact maker = file_field(cpuinfo, "CPU implementer", ':');
  const Fact core = file_field(cpuinfo, "CPU part", ':');
  if (maker.value.is_null() || core.value.is_null()) return model;
  std::string name = "ARM implementer " + maker.value.get<std::string>() + ", part " +
                     core.value.get<std::string>();
  const Fact variant = file_field(cpuinfo, "CPU variant", ':');
  const Fact revision = file_field(cpuinfo, "CPU revision", ':');
  if (!variant.value.is_null() && !revision.value.is_null()) {
    name +=
        ", revision " + variant.value.get<std::string>() + "." + revision.value.get<std::string>();
  }
  return {std::move(name), ""};
}

Fact cpu_mhz(const FileText& cpuinfo) {
  Fact fact = file_field(cpuinfo, "cpu MHz", ':');
  if (fact.value.is_null()) return fact;
  const std::optional<double> mhz = to_real(fact.value.get<std::string>());
  return mhz ? Fact{*mhz, ""} : missing("'cpu MHz' is not a number");
}

/// Randomisation can be off for the system, or for one process (`setarch -R`).
Fact aslr(const FileRoot& root) {
  const FileText mode = root.read("/proc/sys/kernel/randomize_va_space");
  if (!mode.text) return missing(mode.reason);
  constexpr unsigned kNoRandomize = 0x0040000;
  unsigned personality = 0;
  if (const FileText own = root.read("/proc/self/personality"); own.text) {
    std::from_chars(own.text->data(), own.text->data() + own.text->size(), personality, 16);
  }
  return {*mode.text != "0" && (personality & kNoRandomize) == 0, ""};
}

/// The choice in brackets: `always [madvise] never`.
Fact huge_pages(const FileText& file) {
  if (!file.text) return missing(file.reason);
  const std::size_t open = file.text->find('[');
  const std::size_t close = file.text->find(']');
  if (open == std::string::npos || close == std::string::npos || close < open) {
    return missing("no choice is marked in '" + *file.text + "'");
  }
  return {file.text->substr(open + 1, close - open - 1), ""};
}

Fact load_average(const FileText& file) {
  if (!file.text) return missing(file.reason);
  json averages = json::array();
  for (const std::string& word : words(*file.text)) {
    const std::optional<double> value = to_real(word);
    if (!value || averages.size() == 3) break;
    averages.push_back(*value);
  }
  return averages.size() == 3 ? Fact{averages, ""} : missing("/proc/loadavg is not as expected");
}

/// One line of /proc/meminfo in bytes.
std::optional<long long> memory_bytes(const FileText& meminfo, const std::string& key) {
  const Fact fact = file_field(meminfo, key, ':');
  if (fact.value.is_null()) return std::nullopt;
  const std::vector<std::string> parts = words(fact.value.get<std::string>());
  const std::optional<long long> kib = parts.empty() ? std::nullopt : to_integer(parts[0]);
  return kib ? std::optional(*kib * 1024) : std::nullopt;
}

Fact memory(const std::optional<long long>& bytes) {
  return bytes ? Fact{*bytes, ""} : missing("/proc/meminfo does not say");
}

Fact virtualised(const FileRoot& root, const FileText& cpuinfo) {
  if (root.read("/sys/hypervisor/type").text) return {true, ""};
  const Fact flags = file_field(cpuinfo, "flags", ':');
  if (flags.value.is_null()) return missing("only x86 CPUs tell, through their flags");
  const std::vector<std::string> names = words(flags.value.get<std::string>());
  return {std::find(names.begin(), names.end(), "hypervisor") != names.end(), ""};
}

}  // namespace

std::vector<std::string> cpu_pmus(const FileRoot& root) {
  std::vector<std::string> names;
  for (std::string& name : root.list("/sys/bus/event_source/devices")) {
    // x86 calls it cpu (cpu_core and cpu_atom on hybrids), ARM names the design.
    if (name == "cpu" || name.starts_with("cpu_") || name.find("_pmuv3") != std::string::npos ||
        name.starts_with("armv")) {
      names.push_back(std::move(name));
    }
  }
  return names;
}

std::string cpu_model(const FileRoot& root) {
  const Fact model = cpu_model_of(root.read("/proc/cpuinfo"));
  return model.value.is_string() ? model.value.get<std::string>() : "";
}

json environment(const FileRoot& root, const Gpus& gpus) {
  const FileText cpuinfo = root.read("/proc/cpuinfo");
  const FileText meminfo = root.read("/proc/meminfo");
  const std::optional<long long> swap_total = memory_bytes(meminfo, "SwapTotal");
  const std::optional<long long> swap_free = memory_bytes(meminfo, "SwapFree");
  const std::optional<long long> swap_used =
      swap_total && swap_free ? std::optional(*swap_total - *swap_free) : std::nullopt;
  const std::pair<const char*, Fact> facts[] = {
      {"host_name", text(root.read("/proc/sys/kernel/hostname"))},
      {"os_name", file_field(root.read("/etc/os-release"), "PRETTY_NAME", '=')},
      {"kernel_release", text(root.read("/proc/sys/kernel/osrelease"))},
      {"cpu_model", cpu_model_of(cpuinfo)},
      {"cpu_mhz", cpu_mhz(cpuinfo)},
      {"cpu_governor", cpufreq(root, "scaling_governor")},
      {"cpu_frequency_driver", cpufreq(root, "scaling_driver")},
      {"turbo_enabled", turbo(root)},
      {"smt_enabled", flag(root.read("/sys/devices/system/cpu/smt/active"), "1")},
      {"isolated_cpus", text(root.read("/sys/devices/system/cpu/isolated"))},
      {"aslr_enabled", aslr(root)},
      {"transparent_huge_pages",
       huge_pages(root.read("/sys/kernel/mm/transparent_hugepage/enabled"))},
      {"load_average", load_average(root.read("/proc/loadavg"))},
      {"memory_total_bytes", memory(memory_bytes(meminfo, "MemTotal"))},
      {"swap_total_bytes", memory(swap_total)},
      {"swap_used_bytes", memory(swap_used)},
      {"is_virtualised", virtualised(root, cpuinfo)},
      {"perf_event_paranoid", integer(root.read("/proc/sys/kernel/perf_event_paranoid"))},
      {"cpu_pmus", {cpu_pmus(root), ""}},
      {"clock_source",
       text(root.read("/sys/devices/system/clocksource/clocksource0/current_clocksource"))},
      {"page_size_bytes", {sysconf(_SC_PAGESIZE), ""}},
      {"gpus", {facts_of(gpus), gpus.absence()}},
  };
  json result;
  result["not_available"] = json::array();
  for (const auto& [key, fact] : facts) {
    result[key] = fact.value;
    if (fact.value.is_null()) {
      result["not_available"].push_back({{"key", key}, {"reason", fact.reason}});
    }
  }
  return result;
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string host_name_fault() {
  constexpr std::chrono::seconds kPatience(2);
  // In another process, because nothing ends a look-up that waits for a name server.
  const std::vector<std::string> words = {"getent", "ahosts", host_name()};
  if (find_program(words.front()).empty()) return "";
  const Captured asked = capture_output(words, kPatience);
  if (!asked.status) return "looking it up takes more than 2 s";
  return asked.status->is_success() ? "" : "it has no address";
}

std::string boot_id(const FileRoot& root) {
  return root.read("/proc/sys/kernel/random/boot_id").text.value_or("");
}

}  // namespace bellmark::machine
