// Small shell scripts as programs: their ends, their inputs, and the processes that they leave
// behind.
#include "base/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <thread>

#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

/// Waits up to half a minute: a dead program may wait for its new parent a while.
bool dies(pid_t id) {
  for (int i = 0; i < 3000; ++i) {
    if (kill(id, 0) != 0 && errno == ESRCH) return true;
    // An orphan that nobody reaps counts as dead.
    const std::string stat = TestFolder::read("/proc/" + std::to_string(id) + "/stat");
    if (stat.find(") Z ") != std::string::npos) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

std::string said(const std::string& script) {
  const Captured captured = capture_output(shell(script), seconds(60));
  EXPECT_TRUE(captured.status && captured.status->is_success());
  return captured.output;
}

TEST(ChildProcess, SaysHowItEnded) {
  EXPECT_TRUE(run_program({"true"}).is_success());
  const ExitStatus failed = run_program(shell("exit 3"));
  EXPECT_FALSE(failed.is_success());
  EXPECT_EQ(failed.code(), 3);
  EXPECT_EQ(failed.signal(), std::nullopt);
  EXPECT_EQ(failed.text(), "exit code 3");
  const ExitStatus killed = run_program(shell("kill -9 $$"));
  EXPECT_FALSE(killed.is_success());
  EXPECT_EQ(killed.code(), std::nullopt);
  EXPECT_EQ(killed.signal(), SIGKILL);
  EXPECT_EQ(killed.text(), "killed by signal 9 (Killed)");
}

TEST(ChildProcess, WordsReachItAsTheyAre) {
  const Captured captured =
      capture_output({"printf", "%s|", "two words", "$HOME", "*", "it's; `x`", ""}, seconds(60));
  EXPECT_EQ(captured.output, "two words|$HOME|*|it's; `x`||");
}

TEST(ChildProcess, SaysWhyItCannotBeStarted) {
  const TestFolder folder;
  const auto error_of = [](const std::string& word) -> std::string {
    try {
      run_program({word});
    } catch (const MachineError& error) {
      return error.what();
    }
    return "started";
  };
  EXPECT_EQ(error_of("no-such-program"),
            "no-such-program: there is no such program; install it, or put it on PATH");
  EXPECT_EQ(error_of("/no/such"), "/no/such: there is no such program; check the path");
  const auto script = folder.write("script", "exit 0\n");
  EXPECT_NE(error_of(script.string()).find("there is no such program"), std::string::npos);
  // An executable file that is not a program is no script for a shell either.
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  EXPECT_NE(error_of(script.string()).find("cannot be started: Exec format error"),
            std::string::npos);
}

TEST(ChildProcess, MayHaveAnotherNameThanItsFile) {
  ChildOptions options;
  options.program = "sh";
  const ExitStatus status = run_program({"another", "-c", "test \"$0\" = another"}, options);
  EXPECT_TRUE(status.is_success());
}

TEST(ChildProcess, ItsOutputIsKeptHoweverMuchItIs) {
  EXPECT_EQ(said("echo out; echo errors >&2"), "out\nerrors\n");
  const std::string much = said("head -c 3000000 /dev/zero | tr '\\0' x; echo end");
  EXPECT_EQ(much.size(), 3'000'004U);
  EXPECT_TRUE(much.ends_with("xend\n"));
}

TEST(ChildProcess, ItsInputIsEmptyWhereNoneIsGiven) {
  EXPECT_EQ(said("cat; echo end"), "end\n");
  EXPECT_EQ(run_silently(shell("read line")).code(), 1);
  // Our own standard input may be closed. A descriptor that is opened then gets its number.
  const int kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  close(STDIN_FILENO);
  EXPECT_EQ(said("cat; echo end"), "end\n");
  EXPECT_EQ(run_silently(shell("read line")).code(), 1);
  if (kept >= 0) {
    dup2(kept, STDIN_FILENO);
    close(kept);
  }
}

TEST(ChildProcess, GetsTheDescriptorsThatAreNamedAndNoOther) {
  Pipe request = Pipe::make();
  Pipe answer = Pipe::make();
  ChildOptions options;
  // Each has the number that another one gets.
  const int low = std::min(request.read_end.get(), answer.write_end.get());
  const int high = std::max(request.read_end.get(), answer.write_end.get());
  const bool reads_low = low == request.read_end.get();
  options.descriptors = {{low, high}, {high, low}};
  const std::string in = std::to_string(reads_low ? high : low);
  const std::string out = std::to_string(reads_low ? low : high);
  const auto is_open = [](const Descriptor& ours) {
    return "(true <&" + std::to_string(ours.get()) + ") 2>&- && echo open >&$2;";
  };
  ChildProcess child({"bash", "-c",
                      "read line <&$1;" + is_open(request.write_end) + is_open(answer.read_end) +
                          "echo \"got $line\" >&$2",
                      "bash", in, out},
                     options);
  request.read_end.reset();
  answer.write_end.reset();
  ASSERT_EQ(write(request.write_end.get(), "x\n", 2), 2);
  EXPECT_TRUE(child.wait().is_success());
  char bytes[256];
  const ssize_t count = read(answer.read_end.get(), bytes, sizeof bytes);
  ASSERT_GT(count, 0);
  EXPECT_EQ(std::string(bytes, static_cast<std::size_t>(count)), "got x\n");
}

TEST(ChildProcess, HasItsVariablesInPlaceOfOurs) {
  setenv("BELLMARK_TEST_OURS", "ours", 1);
  setenv("BELLMARK_TEST_BOTH", "ours", 1);
  ChildOptions options;
  options.environment = {{"BELLMARK_TEST_BOTH", "its"}, {"BELLMARK_TEST_ITS", "its own"}};
  const ExitStatus status =
      run_program(shell("test \"$BELLMARK_TEST_OURS $BELLMARK_TEST_BOTH $BELLMARK_TEST_ITS\" = "
                        "'ours its its own' && test $(env | grep -c BELLMARK_TEST_BOTH) = 1"),
                  options);
  EXPECT_TRUE(status.is_success());
  unsetenv("BELLMARK_TEST_OURS");
  unsetenv("BELLMARK_TEST_BOTH");
}

TEST(ChildProcess, IsWaitedForOnlySoLong) {
  ChildProcess child(shell("exec sleep 600"));
  EXPECT_EQ(child.wait(milliseconds(50)), std::nullopt);
  child.signal(SIGTERM);
  ASSERT_TRUE(child.wait(seconds(60)));
  EXPECT_EQ(child.wait().signal(), SIGTERM);
  child.signal(SIGTERM);  // reaches nothing
}

TEST(ChildProcess, DoesNotOutliveItsOwner) {
  pid_t id = 0;
  {
    const ChildProcess child(shell("exec sleep 600"));
    id = child.id();
    EXPECT_EQ(kill(id, 0), 0);
  }
  EXPECT_EQ(kill(id, 0), -1);
}

TEST(ChildProcess, ItsGroupEndsWithIt) {
  const TestFolder folder;
  const auto file = folder / "grandchild";
  ChildOptions options;
  options.own_group = true;
  {
    const ChildProcess child(shell("sleep 600 & echo $! > " + file.string() + ".part; mv " +
                                   file.string() + ".part " + file.string() + "; wait"),
                             options);
    EXPECT_EQ(getpgid(child.id()), child.id());
    while (!std::filesystem::exists(file)) std::this_thread::sleep_for(milliseconds(5));
  }
  EXPECT_TRUE(dies(std::stoi(TestFolder::read(file))));
}

TEST(ChildProcess, AProgramThatStaysSilentIsCutOffWithWhatItStarted) {
  const Captured captured = capture_output(shell("echo $$; sleep 600 & echo $!; wait"), seconds(1));
  EXPECT_EQ(captured.status, std::nullopt);
  const std::size_t line = captured.output.find('\n');
  ASSERT_NE(line, std::string::npos);
  EXPECT_TRUE(dies(std::stoi(captured.output)));
  EXPECT_TRUE(dies(std::stoi(captured.output.substr(line))));
}

TEST(ChildProcess, WhatAProgramLeavesBehindIsNotWaitedFor) {
  const auto begin = std::chrono::steady_clock::now();
  const Captured captured = capture_output(shell("sleep 600 & echo $!"), seconds(300));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(200));
  ASSERT_TRUE(captured.status && captured.status->is_success());
  kill(std::stoi(captured.output), SIGKILL);
}

TEST(ChildProcess, DiesWithItsParentWhenAsked) {
  const Pipe pipe = Pipe::make();
  const pid_t parent = fork();
  if (parent == 0) {
    ChildOptions options;
    options.dies_with_parent = true;
    const ChildProcess child(shell("exec sleep 600"), options);
    const pid_t id = child.id();
    [[maybe_unused]] const ssize_t written = write(pipe.write_end.get(), &id, sizeof id);
    pause();
    _exit(0);
  }
  pid_t id = 0;
  ASSERT_EQ(read(pipe.read_end.get(), &id, sizeof id), static_cast<ssize_t>(sizeof id));
  EXPECT_EQ(kill(id, 0), 0);
  kill(parent, SIGKILL);
  EXPECT_TRUE(dies(id));
  EXPECT_EQ(waitpid(parent, nullptr, 0), parent);
}

}  // namespace
}  // namespace bellmark
