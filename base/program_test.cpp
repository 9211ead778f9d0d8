// Programs are found by a shell's rules.
#include "base/program.hpp"

#include <gtest/gtest.h>

namespace bellmark {
namespace {

TEST(Program, IsFoundOnPathOrWhereItsSlashesSay) {
  const std::string shell = find_program("sh");
  EXPECT_TRUE(shell.ends_with("/sh")) << shell;
  EXPECT_TRUE(is_program(shell));
  EXPECT_EQ(find_program(shell), shell);
  EXPECT_EQ(find_program("no-such-program"), "");
  EXPECT_EQ(find_program("/no/such/sh"), "");
}

TEST(Program, IsAFileThatMayRun) {
  EXPECT_FALSE(is_program("/"));           // may be entered, but is not a file
  EXPECT_FALSE(is_program("/proc/stat"));  // a file that nobody may run
}

}  // namespace
}  // namespace bellmark
