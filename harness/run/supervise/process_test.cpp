// Launchers that are shell scripts: their output, their end, and the processes that they leave
// behind.
#include "harness/run/supervise/process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "harness/run/supervise/rank_status.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;
using End = WorkerOutcome::End;

class Launched : public testing::Test {
 protected:
  Launched() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Launched() override { fs::remove_all(folder_); }

  /// `script` is the launcher. It gets the request on its standard input.
  WorkerOutcome launch(const std::string& script, std::size_t rank_count = 2,
                       double timeout_s = 60) {
    Request request;
    request.ranks = RankRequest{rank_count, false, status_file().string()};
    return run_launched(
        request, {"/bin/sh", "-c", script, folder_.string()}, timeout_s, log(),
        [&] { return interrupted_ && interrupted_(); },
        [&](const Event& event) { events_.push_back(event); });
  }

  fs::path log() const { return folder_ / "worker.log"; }
  fs::path status_file() const { return folder_ / "ranks.status"; }
  std::string log_text() const {
    std::ostringstream text;
    text << std::ifstream(log()).rdbuf();
    return text.str();
  }

  fs::path folder_ = fs::path(testing::TempDir()) /
                     ("bellmark_launched_" + std::to_string(::getpid()) + "_" +
                      testing::UnitTest::GetInstance()->current_test_info()->name());
  std::function<bool()> interrupted_;
  std::vector<Event> events_;
};

constexpr const char* kDone =
    R"(echo '{"event":"done","replicate":{"kind":"timed","observed":"pu P#0","pu_count":42,)"
    R"("certified":[],"cells":[]}}';)";

TEST_F(Launched, AnswersOnItsStandardOutput) {
  const WorkerOutcome outcome = launch(
      std::string(
          "read request; echo 'to whom it may concern' >&2; echo \"{\\\"event\\\":\\\"cell"
          "\\\",\\\"id\\\":\\\"c\\\",\\\"step\\\":\\\"timed\\\"}\"; echo \"got $request\";") +
      "echo 17; " + kDone + " printf 'no line'");
  ASSERT_EQ(outcome.end, End::done) << outcome.reason;
  ASSERT_EQ(outcome.replicates.size(), 1U);
  EXPECT_EQ(outcome.replicates.front().pu_count, 42U);
  EXPECT_EQ(outcome.last_cell, "c");
  ASSERT_EQ(events_.size(), 2U);
  // Lines that are not events are kept.
  for (const char* text : {"to whom", "got {\"version\":1", "17\n", "no line"}) {
    EXPECT_NE(log_text().find(text), std::string::npos) << text;
  }
  EXPECT_FALSE(fs::exists(status_file()));
}

TEST_F(Launched, ErrorsAreARanksUnlessAllSayTheSame) {
  const auto error = [](int rank, const std::string& message) {
    return "echo '{\"event\":\"error\",\"code\":2,\"message\":\"" + message +
           "\",\"rank\":" + std::to_string(rank) + "}';";
  };
  WorkerOutcome outcome = launch(error(1, "no such graph") + error(0, "no such graph") + "exit 2");
  EXPECT_EQ(outcome.end, End::failed);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.reason, "no such graph");
  EXPECT_EQ(launch(error(1, "no such graph") + "exit 2").reason, "rank 1: no such graph");
  EXPECT_EQ(launch(error(1, "a") + error(0, "b") + "exit 2").reason, "rank 1: a");
  // Half a line of another rank comes before it.
  outcome = launch("printf '{\"event\":\"done\",\"repl'; echo;" + error(1, "c") + "exit 2");
  EXPECT_EQ(outcome.reason, "rank 1: c");
}

TEST_F(Launched, ALauncherThatFailsSaysWhy) {
  WorkerOutcome outcome =
      launch("echo '-----' >&2; echo 'There are not enough slots.' >&2; exit 1");
  EXPECT_EQ(outcome.end, End::crashed);
  EXPECT_EQ(outcome.reason,
            "the launcher ended without an answer, exit code 1: There are not enough slots.; add "
            "--oversubscribe to the launcher, or ask for fewer ranks; the ranks' output is in " +
                log().string());
  outcome = launch("echo 'mpirun has detected an attempt to run as root.' >&2; exit 1");
  EXPECT_NE(outcome.reason.find("run as root.; add --allow-run-as-root to the launcher, or set "
                                "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1; "),
            std::string::npos)
      << outcome.reason;
  outcome = launch("kill -9 $$");
  EXPECT_NE(outcome.reason.find("the launcher killed by signal 9"), std::string::npos)
      << outcome.reason;
  // An answer counts only if all ranks ended well.
  outcome = launch(std::string(kDone) + "exit 3");
  EXPECT_EQ(outcome.end, End::crashed);
  EXPECT_NE(outcome.reason.find("exit code 3"), std::string::npos);
  EXPECT_EQ(launch("exit 0").end, End::crashed);
}

TEST_F(Launched, TheRankThatDiedIsNamed) {
  WorkerOutcome outcome = launch(
      "echo 'mpirun noticed that process rank 1 with PID 0 on node x exited on signal 9 "
      "(Killed).' >&2; exit 137");
  EXPECT_EQ(outcome.reason.substr(0, outcome.reason.find(';')),
            "rank 1 was killed by signal 9 (Killed)");
  outcome = launch("echo 'srun: error: n17: task 3: Killed' >&2; exit 1", 4);
  EXPECT_EQ(outcome.reason.substr(0, outcome.reason.find(';')), "rank 3: Killed");
}

TEST_F(Launched, ARankThatHangsIsNamed) {
  interrupted_ = [&] {
    // The ranks' own lines, written while the launcher sleeps.
    const RankStatus status = RankStatus::open(status_file(), 2);
    for (RankLine& line : status.lines()) line.set_stage("timed");
    status.lines()[0].progress.entered_count = 5;
    return false;
  };
  const WorkerOutcome outcome = launch("exec sleep 600", 2, 0.3);
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_EQ(outcome.reason,
            "nothing heard for 0 s: rank 1 has entered 0 collectives, others 5; rank 1 is in code "
            "of its own (timed); the ranks' output is in " +
                log().string());
}

TEST_F(Launched, ALauncherThatOutlivesADeadRankIsEnded) {
  interrupted_ = [&] {
    const RankStatus status = RankStatus::open(status_file(), 2);
    status.lines()[1].set_stage("timed");
    status.lines()[1].signal = SIGSEGV;
    return false;
  };
  for (const double timeout_s : {0.3, 600.0}) {
    const WorkerOutcome outcome = launch("exec sleep 600", 2, timeout_s);
    EXPECT_EQ(outcome.end, End::crashed);
    EXPECT_EQ(outcome.reason,
              "rank 1 was killed by signal 11 (Segmentation fault), in code of its own (timed); "
              "the ranks' output is in " +
                  log().string());
  }
  interrupted_ = nullptr;
  // The launcher's lines name a rank that could not note its signal.
  const WorkerOutcome outcome =
      launch("echo 'srun: error: n17: task 1: Killed' >&2; exec sleep 600", 2, 0.3);
  EXPECT_EQ(outcome.end, End::crashed);
  EXPECT_EQ(outcome.reason.substr(0, outcome.reason.find(';')), "rank 1: Killed");
}

TEST_F(Launched, RanksThatNeverBeginAreStillStarting) {
  const std::string starting = "no rank is known to have begun: they are still starting (MPI_Init)";
  WorkerOutcome outcome = launch("exec sleep 600", 2, 0.3);
  EXPECT_EQ(outcome.end, End::timed_out);
  EXPECT_NE(outcome.reason.find("nothing heard for 0 s: " + starting), std::string::npos)
      << outcome.reason;
  EXPECT_NE(outcome.reason.find("srun --mpi=list"), std::string::npos);
  // Ranks on other hosts have no lines here. Their events show that they have begun.
  outcome = launch(R"(echo '{"event":"cell","id":"c","step":"timed"}'; exec sleep 600)", 2, 0.3);
  EXPECT_EQ(outcome.reason.find(starting), std::string::npos) << outcome.reason;
}

TEST_F(Launched, WhatIsNoEventIsNoSignOfLife) {
  for (const char* script : {"exec yes", "yes | tr -d '\\n'", "exec cat /dev/zero"}) {
    const WorkerOutcome outcome = launch(script, 2, 0.3);
    EXPECT_EQ(outcome.end, End::timed_out) << script;
    EXPECT_LT(fs::file_size(log()), std::uintmax_t{1} << 26) << script;
  }
}

/// True when the process ends soon.
bool ends(pid_t pid) {
  for (int i = 0; i < 500; ++i) {
    if (kill(pid, 0) != 0) return true;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    std::string word;
    if (!(stat >> word >> word >> word) || word == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

pid_t noted_pid(const fs::path& file) {
  pid_t pid = 0;
  for (int i = 0; i < 500 && !(std::ifstream(file) >> pid); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return pid;
}

TEST_F(Launched, IsAskedToEndBeforeItIsKilled) {
  interrupted_ = [&] { return fs::exists(folder_ / "begun"); };
  const WorkerOutcome outcome =
      launch("trap 'touch $0/asked; exit 0' TERM; touch $0/begun; while :; do sleep 0.05; done");
  EXPECT_EQ(outcome.end, End::interrupted);
  EXPECT_TRUE(fs::exists(folder_ / "asked"));
}

TEST_F(Launched, LeavesNothingWhenItDoesNotListen) {
  interrupted_ = [&] { return fs::exists(folder_ / "pid"); };
  const WorkerOutcome outcome =
      launch("trap '' TERM; sleep 600 & echo $! > $0/pid; while :; do sleep 0.05; done");
  EXPECT_EQ(outcome.end, End::interrupted);
  EXPECT_TRUE(ends(noted_pid(folder_ / "pid")));
}

}  // namespace
}  // namespace bellmark::run
