// RAPL on machines that aren't here: two packages, their parts, counters that begin again, and
// counters that may not be read.
#include "harness/machine/rapl.hpp"

#include <gtest/gtest.h>

#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

/// Two packages with a part each, in Linux's form.
class FakeRapl {
 public:
  FakeRapl() {
    add("intel-rapl", "intel-rapl-msr", "0");
    add("intel-rapl:0", "package-0", "1000000");
    add("intel-rapl:0:0", "core", "500000");
    add("intel-rapl:1", "package-1", "9000000");
    add("intel-rapl:1:0", "dram", "77");
  }
  void add(const std::string& folder, const std::string& name, const std::string& energy_uj) {
    fake.write("/sys/class/powercap/" + folder + "/name", name);
    fake.write("/sys/class/powercap/" + folder + "/max_energy_range_uj", "10000000");
    set(folder, energy_uj);
  }
  void set(const std::string& folder, const std::string& energy_uj) {
    write("/sys/class/powercap/" + folder + "/energy_uj", energy_uj);
  }
  void write(const std::string& path, const std::string& text) { fake.write(path, text); }
  FakeRoot fake;
};

TEST(Rapl, IsTheSumOfThePackages) {
  FakeRapl machine;
  Rapl rapl(machine.fake.root());
  EXPECT_EQ(rapl.reason(), "");
  EXPECT_EQ(rapl.energy_j(), 0);
  machine.set("intel-rapl:0", "2500000");
  machine.set("intel-rapl:0:0", "2400000");
  machine.set("intel-rapl:1", "9500000");
  EXPECT_DOUBLE_EQ(rapl.energy_j().value_or(-1), 2.0);
}

TEST(Rapl, ACounterMayBeginAgain) {
  FakeRapl machine;
  Rapl rapl(machine.fake.root());
  machine.set("intel-rapl:1", "500000");
  EXPECT_DOUBLE_EQ(rapl.energy_j().value_or(-1), 1.5);
  machine.set("intel-rapl:1", "8500000");
  EXPECT_DOUBLE_EQ(rapl.energy_j().value_or(-1), 9.5);
  machine.set("intel-rapl:1", "500000");
  EXPECT_DOUBLE_EQ(rapl.energy_j().value_or(-1), 11.5);
}

TEST(Rapl, WhatIsNotThereOrMayNotBeReadSaysWhy) {
  const FakeRoot nothing;
  Rapl none(nothing.root());
  EXPECT_FALSE(none.energy_j());
  EXPECT_NE(none.reason().find("no RAPL"), std::string::npos);
  FakeRapl machine;
  machine.set("intel-rapl:0", "secret");
  Rapl unreadable(machine.fake.root());
  EXPECT_FALSE(unreadable.energy_j());
  EXPECT_NE(unreadable.reason().find("let root alone"), std::string::npos);
  FakeRapl endless;
  endless.write("/sys/class/powercap/intel-rapl:1/max_energy_range_uj", "?");
  Rapl rapl(endless.fake.root());
  endless.set("intel-rapl:1", "1");
  EXPECT_FALSE(rapl.energy_j());
  EXPECT_NE(rapl.reason().find("its range is unknown"), std::string::npos);
}

}  // namespace
}  // namespace bellmark::machine
