#include "harness/machine/environment.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "harness/machine/fake_nvml.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

using nlohmann::json;

std::string reason_for(const json& environment, const std::string& key) {
  for (const json& entry : environment.at("not_available")) {
    if (entry.at("key") == key) return entry.at("reason");
  }
  return "";
}

TEST(Environment, ReadsWhatTheFilesSay) {
  FakeRoot fake;
  fake.write("/proc/sys/kernel/hostname", "node7");
  fake.write("/proc/sys/kernel/osrelease", "6.1.0-18-amd64");
  fake.write("/etc/os-release", "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12\"");
  fake.write("/proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Xeon X5460 @ 3.16GHz\ncpu MHz\t\t: 3158.5\n"
             "flags\t\t: fpu sse2\n\nprocessor\t: 1\nmodel name\t: other\nflags\t\t: hypervisor");
  fake.write("/proc/meminfo", "MemTotal:  2048 kB\nSwapTotal: 100 kB\nSwapFree:  60 kB");
  fake.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave");
  fake.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance");
  fake.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate");
  fake.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0");
  fake.write("/sys/devices/system/cpu/smt/active", "1");
  fake.write("/sys/devices/system/cpu/isolated", "2-3");
  fake.write("/proc/sys/kernel/randomize_va_space", "2");
  fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  fake.write("/proc/loadavg", "0.25 1.50 2.00 1/234 5678");
  fake.write("/proc/sys/kernel/perf_event_paranoid", "-1");
  fake.write("/sys/bus/event_source/devices/cpu/type", "4");
  fake.write("/sys/bus/event_source/devices/software/type", "1");
  fake.write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");

  EXPECT_EQ(boot_id(fake.root()), "");
  fake.write("/proc/sys/kernel/random/boot_id", "c2-0f\n");
  EXPECT_EQ(boot_id(fake.root()), "c2-0f");

  fake.write("/sys/bus/pci/devices/0000:81:00.0/local_cpulist", "0-3");
  FakeNvml::reset({{}});

  const json seen = environment(fake.root(), Gpus(FakeNvml::functions(), fake.root()));
  EXPECT_EQ(seen.at("gpus").at(0).at("name"), "Made-up H200");
  EXPECT_EQ(seen.at("gpus").at(0).at("local_cpus"), "0-3");
  EXPECT_EQ(seen.at("host_name"), "node7");
  EXPECT_EQ(seen.at("os_name"), "Debian GNU/Linux 12");
  EXPECT_EQ(seen.at("kernel_release"), "6.1.0-18-amd64");
  EXPECT_EQ(seen.at("cpu_model"), "Xeon X5460 @ 3.16GHz");
  EXPECT_EQ(seen.at("cpu_mhz"), 3158.5);
  EXPECT_EQ(seen.at("cpu_governor"), "performance, powersave");
  EXPECT_EQ(seen.at("cpu_frequency_driver"), "intel_pstate");
  EXPECT_EQ(seen.at("turbo_enabled"), true);
  EXPECT_EQ(seen.at("smt_enabled"), true);
  EXPECT_EQ(seen.at("isolated_cpus"), "2-3");
  EXPECT_EQ(seen.at("aslr_enabled"), true);
  EXPECT_EQ(seen.at("transparent_huge_pages"), "madvise");
  EXPECT_EQ(seen.at("load_average"), json({0.25, 1.5, 2.0}));
  EXPECT_EQ(seen.at("memory_total_bytes"), 2048 * 1024);
  EXPECT_EQ(seen.at("swap_total_bytes"), 100 * 1024);
  EXPECT_EQ(seen.at("swap_used_bytes"), 40 * 1024);
  EXPECT_EQ(seen.at("is_virtualised"), false);
  EXPECT_EQ(seen.at("perf_event_paranoid"), -1);
  EXPECT_EQ(seen.at("cpu_pmus"), json({"cpu"}));
  EXPECT_EQ(seen.at("clock_source"), "tsc");
  EXPECT_TRUE(seen.at("not_available").empty()) << seen.at("not_available");
}

TEST(Environment, ArmNamesItsCoreByNumbers) {
  FakeRoot fake;
  const std::string core =
      "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU architecture: 8\n";
  fake.write("/proc/cpuinfo", core + "CPU variant\t: 0x3\nCPU part\t: 0xd0c\nCPU revision\t: 1");
  EXPECT_EQ(cpu_model(fake.root()), "ARM implementer 0x41, part 0xd0c, revision 0x3.1");
  EXPECT_EQ(environment(fake.root()).at("cpu_model"), cpu_model(fake.root()));
  fake.write("/proc/cpuinfo", core + "CPU part\t: 0xd0c");
  EXPECT_EQ(cpu_model(fake.root()), "ARM implementer 0x41, part 0xd0c");
  fake.write("/proc/cpuinfo", core);
  EXPECT_EQ(cpu_model(fake.root()), "");
}

TEST(Environment, WhatCannotBeReadIsNullWithAReason) {
  const FakeRoot empty;
  const json seen = environment(empty.root(), Gpus("no driver"));
  EXPECT_EQ(reason_for(seen, "gpus"), "no driver");
  for (const auto& [key, value] : seen.items()) {
    if (key == "not_available" || key == "page_size_bytes" || key == "cpu_pmus") continue;
    EXPECT_TRUE(value.is_null()) << key;
    EXPECT_NE(reason_for(seen, key), "") << key;
  }
  EXPECT_EQ(reason_for(seen, "clock_source"),
            "/sys/devices/system/clocksource/clocksource0/current_clocksource does not exist");
}

TEST(Environment, NonsenseIsNullWithAReason) {
  FakeRoot fake;
  fake.write("/proc/cpuinfo", "cpu MHz : fast");
  fake.write("/proc/meminfo", "MemTotal: much kB\nSwapTotal:");
  fake.write("/proc/loadavg", "0.1 high");
  fake.write("/proc/sys/kernel/perf_event_paranoid", "two");
  fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "]always[");
  const json seen = environment(fake.root());
  for (const char* key : {"cpu_mhz", "cpu_model", "memory_total_bytes", "swap_total_bytes",
                          "load_average", "perf_event_paranoid", "transparent_huge_pages"}) {
    EXPECT_TRUE(seen.at(key).is_null()) << key;
    EXPECT_NE(reason_for(seen, key), "") << key;
  }
}

TEST(Environment, RandomisationCanBeOffForOneProcess) {
  FakeRoot fake;
  fake.write("/proc/sys/kernel/randomize_va_space", "2");
  fake.write("/proc/self/personality", "00040000");
  EXPECT_EQ(environment(fake.root()).at("aslr_enabled"), false);
  fake.write("/proc/self/personality", "00000000");
  EXPECT_EQ(environment(fake.root()).at("aslr_enabled"), true);
  fake.write("/proc/sys/kernel/randomize_va_space", "0");
  EXPECT_EQ(environment(fake.root()).at("aslr_enabled"), false);
}

TEST(Environment, BoostFileTellsTurboWithoutIntelDriver) {
  FakeRoot fake;
  fake.write("/sys/devices/system/cpu/cpufreq/boost", "0");
  EXPECT_EQ(environment(fake.root()).at("turbo_enabled"), false);
}

TEST(Environment, ThisMachineTellsItsMemoryAndKernel) {
  const json seen = environment();
  EXPECT_GT(seen.at("memory_total_bytes"), 0);
  EXPECT_TRUE(seen.at("kernel_release").is_string());
  EXPECT_GT(seen.at("page_size_bytes"), 0);
}

}  // namespace
}  // namespace bellmark::machine
