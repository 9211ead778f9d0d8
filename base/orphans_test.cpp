// Processes that programs leave behind are found and killed, in any session.
#include "base/orphans.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>

#include "base/child_process.hpp"

namespace bellmark {
namespace {

using std::chrono::milliseconds;

TEST(Orphans, AreEndedInWhateverSessionTheyAre) {
  adopt_orphans();
  run_program({"sh", "-c", "setsid sleep 300 & sleep 300 & true"});
  EXPECT_EQ(end_orphans({}, milliseconds(0)), 2U);
  EXPECT_TRUE(children_now().empty());
}

TEST(Orphans, ThoseThatEndByThemselvesAreNotCounted) {
  adopt_orphans();
  run_program({"sh", "-c", "sleep 0.05 & true"});
  EXPECT_EQ(end_orphans({}, std::chrono::seconds(20)), 0U);
}

TEST(Orphans, OthersAreSpared) {
  adopt_orphans();
  ChildProcess other({"sleep", "300"});
  const std::vector<pid_t> spared = children_now();
  EXPECT_EQ(std::ranges::count(spared, other.id()), 1);
  run_program({"sh", "-c", "sleep 300 & true"});
  EXPECT_EQ(end_orphans(spared, milliseconds(0)), 1U);
  EXPECT_EQ(kill(other.id(), 0), 0);
}

TEST(ChildProcess, SeesOnlyWhatIsPassed) {
  setenv("BELLMARK_TEST_A", "a", 1);
  setenv("BELLMARK_TEST_B", "b", 1);
  ChildOptions options;
  options.passed = {"PATH", "BELLMARK_TEST_A"};
  options.environment = {{"C", "c"}};
  const Captured captured = capture_output({"env"}, std::chrono::seconds(60), options);
  EXPECT_NE(captured.output.find("BELLMARK_TEST_A=a"), std::string::npos);
  EXPECT_EQ(captured.output.find("BELLMARK_TEST_B"), std::string::npos);
  EXPECT_NE(captured.output.find("C=c"), std::string::npos);
}

TEST(ChildProcess, KnowsItsTimeAndMemory) {
  ChildProcess child({"sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"});
  child.wait();
  EXPECT_GT(child.usage().cpu_ns, 0);
  EXPECT_GT(child.usage().peak_bytes, 100'000U);
}

}  // namespace
}  // namespace bellmark
