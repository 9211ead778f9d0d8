#include "harness/machine/doctor.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "harness/machine/fake_nvml.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

std::vector<Finding> examine_fake(
    const FakeRoot& fake, const char* machine = "core:2 pu:1", std::function<void()> wait = [] {}) {
  return examine(Topology::synthetic(machine), {.root = fake.root(),
                                                .folder = ".",
                                                .wait = std::move(wait),
                                                .host_name_fault = [] { return std::string(); }});
}

Finding find(const std::vector<Finding>& findings, const std::string& name) {
  for (const Finding& finding : findings) {
    if (finding.name == name) return finding;
  }
  ADD_FAILURE() << "no finding called " << name;
  return {};
}

State state_of(const std::vector<Finding>& findings, const std::string& name) {
  return find(findings, name).state;
}

void fill_well(FakeRoot& fake) {
  fake.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance");
  fake.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "1");
  fake.write("/sys/devices/system/cpu/smt/active", "0");
  fake.write("/sys/devices/system/cpu/isolated", "1");
  fake.write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
  fake.write("/proc/sys/kernel/randomize_va_space", "2");
  fake.write("/proc/sys/kernel/perf_event_paranoid", "2");
  fake.write("/proc/loadavg", "0.03 0.1 0.2 1/100 42");
  fake.write("/proc/cpuinfo", "flags : fpu sse2");
  fake.write("/proc/meminfo", "SwapTotal: 0 kB\nSwapFree: 0 kB");
  fake.write("/proc/stat", "cpu  100 0 100 10000 0 0 0 0 0 0");
  fake.write("/proc/self/cgroup", "0::/job");
  fake.write("/sys/fs/cgroup/job/cpu.max", "max 100000");
  fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  fake.write("/sys/bus/event_source/devices/cpu/type", "4");
}

void fill_badly(FakeRoot& fake) {
  fill_well(fake);
  fake.write("/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave");
  fake.write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0");
  fake.write("/sys/devices/system/cpu/smt/active", "1");
  fake.write("/sys/devices/system/cpu/isolated", "");
  fake.write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet");
  fake.write("/proc/sys/kernel/randomize_va_space", "0");
  fake.write("/proc/sys/kernel/perf_event_paranoid", "4");
  fake.write("/proc/loadavg", "3.20 0.1 0.2 1/100 42");
  fake.write("/proc/cpuinfo", "flags : fpu hypervisor");
  fake.write("/proc/meminfo", "SwapTotal: 2048 kB\nSwapFree: 1024 kB");
  fake.write("/proc/stat", "cpu  100 0 100 10000 0 0 0 500 0 0");
  fake.write("/sys/fs/cgroup/job/cpu.max", "150000 100000");
  fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
}

const char* const kFromFiles[] = {
    "governor",           "turbo",          "ASLR",       "load average",           "isolated CPUs",
    "CPU quota",          "virtualisation", "steal time", "transparent huge pages", "swap",
    "perf_event_paranoid"};

TEST(Doctor, QuietMachineIsFine) {
  FakeRoot fake;
  fill_well(fake);
  const std::vector<Finding> findings = examine_fake(fake);
  for (const char* name : kFromFiles) EXPECT_EQ(state_of(findings, name), State::ok) << name;
  EXPECT_EQ(state_of(findings, "SMT"), State::ok);
  EXPECT_EQ(state_of(findings, "PMU"), State::ok);
  EXPECT_NE(find(findings, "timer").observed.find("tsc, "), std::string::npos);
}

TEST(Doctor, EveryDisturbanceIsNamed) {
  FakeRoot fake;
  fill_badly(fake);
  const std::vector<Finding> findings = examine_fake(fake);
  for (const char* name : kFromFiles) EXPECT_EQ(state_of(findings, name), State::warning) << name;
  EXPECT_EQ(state_of(findings, "SMT"), State::warning);
  EXPECT_EQ(state_of(findings, "timer"), State::warning);
  EXPECT_EQ(find(findings, "governor").observed, "performance, powersave");
  EXPECT_EQ(find(findings, "CPU quota").observed, "1.50 CPUs' worth of time");
  EXPECT_EQ(find(findings, "swap").observed, "1 MiB of 2 MiB used");
}

TEST(Doctor, UnreadableFilesAreNotAvailableWithAReason) {
  const FakeRoot empty;
  const std::vector<Finding> findings = examine_fake(empty);
  for (const char* name : kFromFiles) {
    const Finding finding = find(findings, name);
    EXPECT_EQ(finding.state, State::not_available) << name;
    EXPECT_NE(finding.observed, "") << name;
  }
  EXPECT_EQ(state_of(findings, "PMU"), State::not_available);
  EXPECT_EQ(state_of(findings, "other processes"), State::not_available);
}

TEST(Doctor, EveryFindingExplainsItselfOnce) {
  const FakeRoot empty;
  std::set<std::string> names;
  for (const Finding& finding : examine_fake(empty)) {
    EXPECT_TRUE(names.insert(finding.name).second) << finding.name;
    EXPECT_NE(finding.why, "") << finding.name;
    EXPECT_NE(finding.remedy, "") << finding.name;
    EXPECT_EQ(to_json(finding).size(), 5U);
  }
}

TEST(Doctor, ANameThatCanNotBeLookedUpIsAWarning) {
  const FakeRoot empty;
  EXPECT_EQ(state_of(examine_fake(empty), "host name"), State::ok);
  const std::vector<Finding> findings =
      examine(Topology::synthetic("core:2 pu:1"),
              {.root = empty.root(),
               .folder = ".",
               .wait = [] {},
               .host_name_fault = [] { return std::string("it has no address"); }});
  EXPECT_EQ(state_of(findings, "host name"), State::warning);
  EXPECT_TRUE(find(findings, "host name").observed.ends_with(": it has no address"));
}

TEST(Doctor, SiblingsAreSeenFromTheTopologyAlone) {
  FakeRoot fake;
  fill_well(fake);
  EXPECT_EQ(state_of(examine_fake(fake, "core:2 pu:2"), "SMT"), State::warning);
  EXPECT_EQ(state_of(examine_fake(fake, "core:2 pu:1"), "SMT"), State::ok);
}

TEST(Doctor, BusyProcessesAreNamed) {
  FakeRoot fake;
  fill_well(fake);
  // comm may hold blanks and parentheses; user and system ticks are fields 14 and 15.
  fake.write("/proc/77/stat", "77 (a) (b\x01) R 1 1 1 0 -1 0 0 0 0 0 1000 50 0 0");
  fake.write("/proc/88/stat", "88 (idle) S 1 1 1 0 -1 0 0 0 0 0 2000 50 0 0");
  fake.write("/proc/99/stat", "99 (cut");
  // Two PUs: 40 ticks pass on both together, so 20 on each.
  const auto work = [&] {
    fake.write("/proc/stat", "cpu  115 0 105 10020 0 0 0 0 0 0");
    fake.write("/proc/77/stat", "77 (a) (b\x01) R 1 1 1 0 -1 0 0 0 0 0 1013 55 0 0");
  };
  const Finding finding = find(examine_fake(fake, "core:2 pu:1", work), "other processes");
  EXPECT_EQ(finding.state, State::warning);
  EXPECT_EQ(finding.observed, "CPUs 50.0 % busy, a) (b? (pid 77) 90.0 %");
}

TEST(Doctor, IdleProcessesAreNot) {
  FakeRoot fake;
  fill_well(fake);
  fake.write("/proc/88/stat", "88 (idle) S 1 1 1 0 -1 0 0 0 0 0 2000 50 0 0");
  const auto idle = [&] { fake.write("/proc/stat", "cpu  100 0 100 10040 0 0 0 0 0 0"); };
  const std::vector<Finding> findings = examine_fake(fake, "core:2 pu:1", idle);
  EXPECT_EQ(find(findings, "other processes").observed, "CPUs 0.0 % busy");
  EXPECT_EQ(state_of(findings, "other processes"), State::ok);
}

TEST(Doctor, StealDuringTheLookIsAWarning) {
  FakeRoot fake;
  fill_well(fake);
  const auto steal = [&] { fake.write("/proc/stat", "cpu  100 0 100 10038 0 0 0 2 0 0"); };
  const Finding finding = find(examine_fake(fake, "core:2 pu:1", steal), "steal time");
  EXPECT_EQ(finding.state, State::warning);
  EXPECT_EQ(finding.observed, "2 ticks just now, 0.0 % since boot");
}

TEST(Doctor, TightestQuotaOnTheWayUpCounts) {
  FakeRoot fake;
  fill_well(fake);
  fake.write("/proc/self/cgroup", "0::/outer/inner");
  fake.write("/sys/fs/cgroup/outer/inner/cpu.max", "max 100000");
  fake.write("/sys/fs/cgroup/outer/cpu.max", "50000 100000");
  fake.write("/sys/fs/cgroup/cpu.max", "400000 100000");
  EXPECT_EQ(find(examine_fake(fake), "CPU quota").observed, "0.50 CPUs' worth of time");
}

TEST(Doctor, FirstVersionOfControlGroupsIsReadToo) {
  FakeRoot fake;
  fill_well(fake);
  fake.write("/proc/self/cgroup", "4:memory:/\n2:cpu,cpuacct:/box\n0::/");
  fake.write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_period_us", "100000");
  fake.write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "200000");
  EXPECT_EQ(find(examine_fake(fake), "CPU quota").observed, "2.00 CPUs' worth of time");
  fake.write("/sys/fs/cgroup/cpu,cpuacct/box/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(find(examine_fake(fake), "CPU quota").observed, "no limit");
}

TEST(Doctor, FullDiskIsAWarning) {
  FakeRoot fake;
  fill_well(fake);
  const Topology topology = Topology::synthetic("core:2 pu:1");
  // /proc is a file system without room for anything.
  EXPECT_EQ(state_of(examine(topology, {.root = fake.root(), .folder = "/proc", .wait = [] {}}),
                     "disk space"),
            State::warning);
  EXPECT_EQ(state_of(examine(topology, {.root = fake.root(), .folder = "/absent", .wait = [] {}}),
                     "disk space"),
            State::not_available);
}

TEST(Doctor, GpusAreExaminedTogether) {
  const FakeRoot root;
  const auto seen = [&](std::vector<FakeGpu> machine) {
    FakeNvml::reset(std::move(machine));
    const Gpus gpus(FakeNvml::functions(), root.root());
    return examine(Topology::synthetic("core:2 pu:1"),
                   {.root = root.root(), .folder = ".", .wait = [] {}, .gpus = &gpus});
  };
  const std::vector<Finding> quiet = seen({{.throttle_bits = 0x1}});
  EXPECT_EQ(state_of(quiet, "GPU clocks"), State::ok);
  EXPECT_EQ(find(quiet, "GPU clocks").observed, "GPU 0 1980 MHz (idle)");
  EXPECT_EQ(state_of(quiet, "GPU processes"), State::ok);
  EXPECT_EQ(find(quiet, "GPU persistence").observed, "GPU 0 on");

  const std::vector<Finding> busy =
      seen({{}, {.bus = 0xc1, .sm_mhz = 900, .throttle_bits = 0x4, .persistence = 0, .pids = {7}}});
  EXPECT_EQ(state_of(busy, "GPU clocks"), State::warning);
  EXPECT_EQ(find(busy, "GPU clocks").observed, "GPU 0 1980 MHz; GPU 1 900 MHz (power cap)");
  EXPECT_EQ(state_of(busy, "GPU processes"), State::warning);
  EXPECT_EQ(find(busy, "GPU processes").observed, "GPU 0 none seen; GPU 1 pid 7");
  EXPECT_EQ(state_of(busy, "GPU persistence"), State::ok) << "a note, no warning";
  EXPECT_NE(find(busy, "GPU persistence").observed.find("GPU 1 off"), std::string::npos);

  const Gpus none("no driver");
  const std::vector<Finding> absent =
      examine(Topology::synthetic("core:2 pu:1"),
              {.root = root.root(), .folder = ".", .wait = [] {}, .gpus = &none});
  for (const char* name : {"GPU clocks", "GPU processes", "GPU persistence"}) {
    EXPECT_EQ(state_of(absent, name), State::not_available) << name;
    EXPECT_EQ(find(absent, name).observed, "no driver") << name;
  }
}

TEST(Doctor, ThisMachineCanBeExamined) {
  const std::vector<Finding> findings = examine(Topology::this_machine());
  EXPECT_EQ(findings.size(), examine_fake(FakeRoot()).size());
  EXPECT_NE(state_of(findings, "allowed CPUs"), State::not_available);
}

}  // namespace
}  // namespace bellmark::machine
