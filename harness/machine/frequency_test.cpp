#include "harness/machine/frequency.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/error.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

const std::string kFolder = "/sys/devices/system/cpu/cpu";

/// Two PUs from 800 to 3000 MHz, limited to 1000..2500.
class Frequency : public ::testing::Test {
 protected:
  Frequency() {
    for (const char* pu : {"0", "1"}) {
      const std::string folder = kFolder + pu + "/cpufreq/";
      root_.write(folder + "cpuinfo_min_freq", "800000");
      root_.write(folder + "cpuinfo_max_freq", "3000000");
      root_.write(folder + "scaling_min_freq", "1000000");
      root_.write(folder + "scaling_max_freq", "2500000");
    }
  }

  /// `least..largest` of a PU, in kilohertz.
  std::string limits(const std::string& pu) const {
    const FileRoot root = root_.root();
    return root.read(kFolder + pu + "/cpufreq/scaling_min_freq").text.value_or("") + ".." +
           root.read(kFolder + pu + "/cpufreq/scaling_max_freq").text.value_or("");
  }

  FakeRoot root_;
};

TEST_F(Frequency, HoldsTheClockAndGivesItBack) {
  for (const auto& [word, limits_now] : {std::pair{"max", "3000000..3000000"},
                                         {"min", "800000..800000"},
                                         {"2000MHz", "2000000..2000000"}}) {
    {
      const FrequencyControl control(word, {1}, root_.root());
      EXPECT_EQ(limits("1"), limits_now);
      EXPECT_EQ(limits("0"), "1000000..2500000");
    }
    EXPECT_EQ(limits("1"), "1000000..2500000");
  }
  const FrequencyControl nothing(kUnchanged, {0, 1}, root_.root());
  EXPECT_EQ(limits("0"), "1000000..2500000");
}

TEST_F(Frequency, ReturnsAfterAKill) {
  const pid_t child = fork();
  if (child == 0) {
    const FrequencyControl control("min", {0, 1}, root_.root());
    if (limits("0") != "800000..800000") _exit(1);
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  while (limits("0") != "1000000..2500000" || limits("1") != "1000000..2500000") usleep(1000);
}

TEST_F(Frequency, SaysWhyNot) {
  const auto absence = [&](const char* word, const std::vector<unsigned>& pus) {
    return frequency_absence(word, pus, root_.root());
  };
  EXPECT_EQ(absence("max", {0, 1}), "");
  EXPECT_EQ(absence(kUnchanged, {7}), "");
  EXPECT_EQ(absence("max", {}),
            "the core clock can't be set to max here: no core is named to run on");
  EXPECT_NE(absence("max", {0, 7}).find("cpu7/cpufreq/cpuinfo_min_freq"), std::string::npos);
  EXPECT_EQ(absence("3500MHz", {0}),
            "the core clock can't be set to 3500MHz here: 3500MHz is outside 800..3000 MHz");
  EXPECT_THROW(FrequencyControl("max", {7}, root_.root()), UnmetError);
  root_.write(kFolder + "0/cpufreq/scaling_max_freq", "fast");
  EXPECT_NE(absence("max", {0}).find("holds no frequency"), std::string::npos);
}

TEST_F(Frequency, RefusesOtherWords) {
  for (const char* word : {"", "fast", "2000", "MHz", "-1MHz", "0MHz", "nanMHz", "infMHz"}) {
    EXPECT_THROW(frequency_absence(word, {0}, root_.root()), InputError) << word;
  }
}

TEST_F(Frequency, KnowsTheHighestClock) {
  EXPECT_EQ(highest_clock(0, root_.root()).mhz, 3000);
  EXPECT_FALSE(highest_clock(9, root_.root()).mhz);
  EXPECT_NE(highest_clock(9, root_.root()).reason, "");
}

}  // namespace
}  // namespace bellmark::machine
