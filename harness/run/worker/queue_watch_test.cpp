#include "harness/run/worker/queue_watch.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace bellmark::run {
namespace {

TEST(QueueWatch, TellsNothingWithoutARun) {
  QueueWatch watch;
  EXPECT_FALSE(watch.longest_ns().has_value());
  watch.end(1000);
  EXPECT_FALSE(watch.longest_ns().has_value());
}

TEST(QueueWatch, WatchesFromBeginToEnd) {
  const std::array threads{gettid()};
  if (!machine::QueueTime(gettid()).ns()) GTEST_SKIP() << "the kernel does not tell";
  QueueWatch watch;
  watch.begin(threads);
  EXPECT_FALSE(watch.longest_ns().has_value()) << "the run is not over";
  watch.end(1000);
  ASSERT_TRUE(watch.longest_ns().has_value());
  EXPECT_GE(*watch.longest_ns(), 0);
  EXPECT_LE(*watch.longest_ns(), 1000) << "no more than the run took";
  watch.begin(threads);
  watch.end(500);
  EXPECT_EQ(watch.runs_ns(), 1500);
  watch.restart();
  EXPECT_EQ(watch.runs_ns(), 0);
  EXPECT_FALSE(watch.longest_ns().has_value());
}

TEST(QueueWatch, OfAnotherProgramThatProgramsTimeCounts) {
  const std::array threads{gettid()};
  QueueWatch watch;
  watch.begin(threads);
  watch.end(1000, 300);
  watch.begin(threads);
  watch.end(1000, 5000);
  EXPECT_EQ(watch.longest_ns(), 1300) << "no more than the run took";
  EXPECT_EQ(watch.runs_ns(), 2000);
  watch.restart();
  EXPECT_FALSE(watch.longest_ns().has_value());
}

TEST(QueueWatch, TheAskingThreadIsNoOther) {
  EXPECT_EQ(lost_to_others(10'000, 4'000), 6'000);
  EXPECT_EQ(lost_to_others(3'000, 4'000), 0);
}

TEST(QueueWatch, TellsNothingOfAProcessThatIsNotThere) {
  QueueWatch watch;
  watch.begin(pid_t{-1});
  watch.end(1000);
  EXPECT_FALSE(watch.longest_ns().has_value());
}

TEST(QueueWatch, AProcessThatGoesOnIsAskedItself) {
  if (!machine::QueueTime(gettid()).ns()) GTEST_SKIP() << "the kernel does not tell";
  QueueWatch watch;
  watch.begin(getpid());
  watch.end(1000);
  ASSERT_TRUE(watch.longest_ns().has_value());
  EXPECT_LE(*watch.longest_ns(), 1000);
  EXPECT_EQ(watch.runs_ns(), 1000);
}

TEST(QueueWatch, PassesOverThreadsThatAreNotThere) {
  const std::array<pid_t, 1> threads{-1};
  QueueWatch watch;
  watch.begin(threads);
  watch.end(1000);
  EXPECT_FALSE(watch.longest_ns().has_value());
}

}  // namespace
}  // namespace bellmark::run
