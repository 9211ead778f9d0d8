#include "harness/machine/lost_time.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <vector>

#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

TEST(QueueTime, IsTheSecondFieldOfAThreadsFile) {
  FakeRoot fake;
  fake.write("/proc/self/task/17/schedstat", "123456789 987654321 42");
  EXPECT_EQ(QueueTime(17, fake.root()).ns(), 987654321);
  EXPECT_EQ(QueueTime(18, fake.root()).ns(), std::nullopt) << "no such thread";
}

TEST(QueueTime, IsNothingWhereTheFileSaysNoSuchThing) {
  FakeRoot fake;
  fake.write("/proc/self/task/1/schedstat", "");
  fake.write("/proc/self/task/2/schedstat", "12");
  fake.write("/proc/self/task/3/schedstat", "12 x 1");
  for (const pid_t thread : {1, 2, 3}) {
    EXPECT_EQ(QueueTime(thread, fake.root()).ns(), std::nullopt) << thread;
  }
}

TEST(QueueTime, IsReadAnewEachTime) {
  FakeRoot fake;
  fake.write("/proc/self/task/1/schedstat", "1 100 1");
  const QueueTime time(1, fake.root());
  EXPECT_EQ(time.ns(), 100);
  fake.write("/proc/self/task/1/schedstat", "1 2000 1");
  EXPECT_EQ(time.ns(), 2000);
}

TEST(QueueTime, OfThisThreadIsThere) {
  const QueueTime time(gettid());
  if (!FileRoot().read("/proc/self/schedstat").text) GTEST_SKIP() << "no CONFIG_SCHED_INFO";
  EXPECT_TRUE(time.ns().has_value());
}

TEST(StolenTime, IsTheEighthFieldOfThePus) {
  FakeRoot fake;
  fake.write("/proc/stat",
             "cpu  1 2 3 4 5 6 7 99 0 0\n"
             "cpu0 1 2 3 4 5 6 7 8 0 0\n"
             "cpu1 1 2 3 4 5 6 7 20 0 0\n"
             "cpu10 1 2 3 4 5 6 7 300 0 0");
  const auto of = [&](std::vector<unsigned> pus) { return stolen_ns(pus, fake.root()); };
  EXPECT_EQ(of({0}), 8 * kTickNs);
  EXPECT_EQ(of({0, 1}), 28 * kTickNs);
  EXPECT_EQ(of({10}), 300 * kTickNs);
  EXPECT_EQ(of({0, 2}), std::nullopt) << "no such PU";
  EXPECT_EQ(of({}), 0);
}

TEST(StolenTime, IsNothingWithoutItsFile) {
  FakeRoot fake;
  const std::array<unsigned, 1> pus{0};
  EXPECT_EQ(stolen_ns(pus, fake.root()), std::nullopt);
  fake.write("/proc/stat", "cpu  1 2\ncpu0 1 2 3");
  EXPECT_EQ(stolen_ns(pus, fake.root()), std::nullopt) << "a kernel that counts no steal time";
}

}  // namespace
}  // namespace bellmark::machine
