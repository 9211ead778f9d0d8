// Profilers: the contents of their files, and the reasons why there are none.
#include "harness/sinks/profile.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>

#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark::sinks {
namespace {

TEST(Profile, StacksOfPerfBeginWithTheOutermostFunction) {
  const Stacks stacks = stacks_of_perf(
      "bellmark \n\t           98109 relax<int, a; b>\n\t           49d2d run\n\t 1 main\n\n"
      "bellmark \n\t 98ac9 [unknown]\n\t 49d2d run\n\t 1 main\n\n"
      "bellmark \n\t98109 relax<int, a; b>\n\t49d2d run\n\t1 main\n");
  EXPECT_EQ(stacks, (Stacks{{"bellmark;main;run;relax<int, a, b>", 2},
                            {"bellmark;main;run;[unknown]", 1}}));
  EXPECT_TRUE(stacks_of_perf("").empty());
  EXPECT_TRUE(stacks_of_perf("\n\n\n").empty());
}

TEST(Profile, CallgrindCountsAFunctionWithoutThoseThatItCalls) {
  const Stacks stacks = stacks_of_callgrind(
      "version: 1\npositions: line\nevents: Ir\n\nfl=(1) a.cpp\nfn=(1) main\n10 5\n+1 2\n"
      "cfn=(2) relax\ncalls=3 20\n* 900\n12 1\n\nfn=(2)\n20 700\n-1 200\n\ntotals: 908\n");
  EXPECT_EQ(stacks, (Stacks{{"relax", 900}, {"main", 8}}));
  EXPECT_TRUE(stacks_of_callgrind("").empty());
  EXPECT_TRUE(stacks_of_callgrind("fn=(\n12\ncalls=\nfn=\n5 x\n").empty());
}

TEST(Profile, OnlyTheLargestAreKept) {
  const TestFolder folder;
  const auto file = folder / "callgrind.out";
  std::ofstream(file) << "fn=a\n1 5\nfn=b\n1 7\nfn=c\n1 3\nfn=d\n1 1\n";
  EXPECT_EQ(stacks_of("callgrind", file, 2), (Stacks{{"b", 7}, {"a", 5}, {"(others)", 4}}));
  EXPECT_EQ(stacks_of("callgrind", file, 4).size(), 4U);
  EXPECT_TRUE(stacks_of("nsys", file, 4).empty());
  EXPECT_THROW(stacks_of("ncu", folder / "nothing", 4), MachineError);
}

/// Programs of the test in place of those on the PATH.
class FakePath {
 public:
  FakePath() : before_(getenv("PATH")) { setenv("PATH", (folder_ / ".").c_str(), 1); }
  FakePath(const FakePath&) = delete;
  FakePath& operator=(const FakePath&) = delete;
  ~FakePath() { setenv("PATH", before_.c_str(), 1); }
  void add(const std::string& name, const std::string& script) {
    const auto file = folder_ / name;
    std::ofstream(file) << "#!/bin/sh\n" << script << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

 private:
  TestFolder folder_;
  std::string before_;
};

TEST(Profile, OneThatIsNotThereOrMayNotRunSaysSo) {
  FakePath path;
  EXPECT_EQ(profiler("perf", "p").absence, "perf is not on the PATH");
  EXPECT_EQ(profiler("callgrind", "p").absence, "valgrind is not on the PATH");
  EXPECT_EQ(profiler("ncu", "p").absence, "ncu is not on the PATH");
  path.add("perf", "echo 'Error: No permission to enable cpu-clock' >&2\nexit 255");
  const Profiler refused = profiler("perf", "p");
  EXPECT_TRUE(refused.words.empty());
  EXPECT_NE(refused.absence.find("a container forbids it): Error: No permission"),
            std::string::npos);
  path.add("perf", "exit 0");
  const Profiler allowed = profiler("perf", "p.data");
  EXPECT_EQ(allowed.absence, "");
  EXPECT_EQ(allowed.words.back(), "--");
  path.add("nsys", "exit 0");
  EXPECT_EQ(profiler("nsys", "p.nsys-rep").words.at(1), "profile");
}

TEST(Profile, OtherNamesAreRefused) {
  EXPECT_NO_THROW(check_profiler("ncu"));
  try {
    check_profiler("prof");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("is none of perf, callgrind, nsys, ncu"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace bellmark::sinks
