#include "harness/machine/gpu.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "harness/machine/fake_nvml.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

using nlohmann::json;

std::string reason_in(const json& facts, const std::string& key) {
  for (const json& entry : facts.at("not_available")) {
    if (entry.at("key") == key) return entry.at("reason");
  }
  return "";
}

TEST(Gpu, FactsAreWhatNvmlSays) {
  FakeNvml::reset({{}, {.name = "Other", .bus = 0xc1, .sm_mhz = 345, .throttle_bits = 0x1}});
  FakeRoot root;
  root.write("/sys/bus/pci/devices/0000:81:00.0/local_cpulist", "0-3,8");
  root.write("/sys/bus/pci/devices/0000:c1:00.0/local_cpulist", "4-7");
  const Gpus gpus(FakeNvml::functions(), root.root());
  ASSERT_EQ(gpus.count(), 2U);
  EXPECT_EQ(gpus.absence(), "");
  const json facts = gpus.facts(0);
  EXPECT_EQ(facts.at("index"), 0);
  EXPECT_EQ(facts.at("name"), "Made-up H200");
  EXPECT_EQ(facts.at("uuid"), "GPU-129");
  EXPECT_EQ(facts.at("pci_bus_id"), "0000:81:00.0");
  EXPECT_EQ(facts.at("driver_version"), "580.1");
  EXPECT_EQ(facts.at("memory_total_bytes"), 1000);
  EXPECT_EQ(facts.at("memory_free_bytes"), 900);
  EXPECT_EQ(facts.at("clock_sm_mhz"), 1980);
  EXPECT_EQ(facts.at("clock_memory_mhz"), 3201);
  EXPECT_EQ(facts.at("clock_sm_max_mhz"), 1980);
  EXPECT_EQ(facts.at("clock_memory_max_mhz"), 3201);
  EXPECT_EQ(facts.at("temperature_c"), 41);
  EXPECT_EQ(facts.at("power_w"), 120.5);
  EXPECT_EQ(facts.at("energy_total_j"), 5.0);
  EXPECT_EQ(facts.at("is_persistent"), true);
  EXPECT_EQ(facts.at("local_cpus"), "0-3,8");
  EXPECT_EQ(facts.at("throttle_reasons"), json::array());
  EXPECT_TRUE(facts.at("not_available").empty()) << facts;
  EXPECT_EQ(gpus.facts(1).at("throttle_reasons"), json({"idle"}));
  EXPECT_EQ(facts_of(gpus).size(), 2U);
  EXPECT_EQ(gpus.facts(1).at("local_cpus"), "4-7");
}

TEST(Gpu, WhatNvmlDoesNotTellIsNullWithAReason) {
  FakeNvml::reset({{.energy_mj = std::nullopt}});
  NvmlFunctions functions = FakeNvml::functions();
  functions.power = nullptr;
  functions.name = nullptr;
  const FakeRoot empty;
  const Gpus gpus(functions, empty.root());
  const json facts = gpus.facts(0);
  EXPECT_TRUE(facts.at("energy_total_j").is_null());
  EXPECT_EQ(reason_in(facts, "energy_total_j"), "Not Supported");
  EXPECT_TRUE(facts.at("name").is_null());
  EXPECT_EQ(reason_in(facts, "power_w"), "this driver's libnvidia-ml doesn't offer it");
  EXPECT_TRUE(facts.at("local_cpus").is_null());
  EXPECT_EQ(reason_in(facts, "local_cpus"),
            "/sys/bus/pci/devices/0000:81:00.0/local_cpulist does not exist");
  EXPECT_EQ(gpus.energy_j(0).reason, "Not Supported");
}

TEST(Gpu, AbsenceHasAReason) {
  FakeNvml::reset({});
  EXPECT_EQ(Gpus(FakeNvml::functions()).absence(), "NVML shows no GPU");
  FakeNvml::reset({{}});
  FakeNvml::init_status = 9;
  const Gpus unloaded(FakeNvml::functions());
  EXPECT_EQ(unloaded.count(), 0U);
  EXPECT_EQ(unloaded.absence(), "NVML doesn't start: Driver Not Loaded");
  EXPECT_TRUE(facts_of(unloaded).is_null());
  EXPECT_NE(Gpus(NvmlFunctions{}).absence(), "");
  EXPECT_EQ(Gpus::this_machine().absence().empty(), Gpus::this_machine().count() > 0);
}

TEST(Gpu, NvmlIsClosedAsOftenAsItIsOpened) {
  FakeNvml::reset({{}});
  {
    const Gpus gpus(FakeNvml::functions());
    EXPECT_EQ(FakeNvml::open_count, 1);
  }
  EXPECT_EQ(FakeNvml::open_count, 0);
  FakeNvml::init_status = 9;
  { const Gpus gpus(FakeNvml::functions()); }
  EXPECT_EQ(FakeNvml::open_count, 0);
}

TEST(Gpu, TheDriverTellsTheCpusWhereSysDoesNot) {
  FakeNvml::reset({{.affinity = {1, 2, 64, 65}}});
  FakeRoot root;
  EXPECT_EQ(Gpus(FakeNvml::functions(), root.root()).local_cpus(0).value->list(), "1-2,64-65");
  for (const char* nonsense : {"", "many", "3-1", "1-", "0-99999999"}) {
    root.write("/sys/bus/pci/devices/0000:81:00.0/local_cpulist", nonsense);
    EXPECT_EQ(Gpus(FakeNvml::functions(), root.root()).local_cpus(0).value->list(), "1-2,64-65")
        << nonsense;
  }
  FakeNvml::gpus[0].affinity.clear();
  EXPECT_EQ(Gpus(FakeNvml::functions(), root.root()).local_cpus(0).reason,
            "local_cpulist names no CPU: '0-99999999'");
}

TEST(Gpu, IsFoundByItsAddressHoweverWritten) {
  FakeNvml::reset({{}, {.bus = 0xc1}});
  const Gpus gpus(FakeNvml::functions());
  EXPECT_EQ(gpus.find("0000:c1:00.0"), 1U);
  EXPECT_EQ(gpus.find("0000:C1:00.0"), 1U);
  EXPECT_EQ(gpus.find("00000000:81:00.0"), 0U);
  for (const char* other : {"0000:c2:00.0", "0001:c1:00.0", "c1:00.0", "", "0000:c1:00.0x"}) {
    EXPECT_EQ(gpus.find(other), std::nullopt) << other;
  }
}

TEST(Gpu, OtherProcessesLeaveOutThisOne) {
  FakeNvml::reset({{}});
  for (unsigned pid = 1; pid <= 100; ++pid) FakeNvml::gpus[0].pids.push_back(pid + 4'000'000);
  FakeNvml::gpus[0].pids.push_back(static_cast<unsigned>(getpid()));
  const auto others = Gpus(FakeNvml::functions()).other_processes(0);
  ASSERT_TRUE(others.value);
  EXPECT_EQ(others.value->size(), 100U);
  EXPECT_EQ(others.value->back(), 4'000'100U);
}

TEST(Gpu, ThrottleReasonsAreWords) {
  EXPECT_EQ(throttle_words(0), std::vector<std::string>{});
  EXPECT_EQ(throttle_words(0x4 | 0x40),
            (std::vector<std::string>{"power cap", "hardware thermal slowdown"}));
  EXPECT_EQ(throttle_words(0x400), std::vector<std::string>{"unknown reason 0x400"});
  EXPECT_FALSE(is_throttled("idle"));
  EXPECT_FALSE(is_throttled("clocks set by an application"));
  EXPECT_TRUE(is_throttled("power cap"));
  EXPECT_TRUE(is_throttled("unknown reason 0x400"));
}

}  // namespace
}  // namespace bellmark::machine
