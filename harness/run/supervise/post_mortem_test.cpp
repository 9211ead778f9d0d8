// Every way in which a launch can end, from its observations.
#include "harness/run/supervise/post_mortem.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace bellmark::run {
namespace {

using End = WorkerOutcome::End;

/// The status that waitpid() gives.
ExitStatus exited(int code) { return ExitStatus(code << 8); }
ExitStatus killed(int signal) { return ExitStatus(signal); }

LaunchSeen launch() {
  LaunchSeen seen;
  seen.rank_count = 2;
  seen.timeout_s = 30;
  seen.log = "worker.log";
  seen.status = exited(0);
  return seen;
}

TEST(PostMortem, AnAnswerCountsWhenAllEndedWell) {
  LaunchSeen seen = launch();
  seen.answered = true;
  EXPECT_EQ(post_mortem(seen).end, End::done);
  seen.status = exited(3);
  EXPECT_EQ(post_mortem(seen).end, End::crashed);
  EXPECT_EQ(post_mortem(seen).reason,
            "the launcher ended without an answer, exit code 3; the ranks' output is in "
            "worker.log");
  seen.status.reset();
  EXPECT_EQ(post_mortem(seen).reason, "the launcher went on; the ranks' output is in worker.log");
  seen = launch();
  EXPECT_EQ(post_mortem(seen).end, End::crashed) << "it ended well, and said nothing";
}

TEST(PostMortem, AnErrorOfARankCountsBeforeAllElse) {
  LaunchSeen seen = launch();
  seen.answered = true;
  seen.rank_died = true;
  seen.culprit = "rank 0 was killed by signal 11";
  seen.stopped = End::timed_out;
  seen.errors = {{2, "no such graph", 1}};
  WorkerOutcome outcome = post_mortem(seen);
  EXPECT_EQ(outcome.end, End::failed);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.reason, "rank 1: no such graph");
  seen.errors.push_back({2, "no such graph", 0});
  EXPECT_EQ(post_mortem(seen).reason, "no such graph") << "all say the same";
  seen.errors = {{7, "the launch: no memory", {}}, {2, "other", 1}};
  EXPECT_EQ(post_mortem(seen).reason, "rank 1: other") << "a rank's comes first";
  EXPECT_EQ(post_mortem(seen).code, 2);
  seen.errors = {{7, "no memory", {}}};
  EXPECT_EQ(post_mortem(seen).reason, "no memory") << "of no rank";
}

TEST(PostMortem, ADeadRankCountsBeforeSilence) {
  for (const End stopped : {End::done, End::timed_out, End::crashed}) {
    LaunchSeen seen = launch();
    seen.stopped = stopped;
    seen.status.reset();
    seen.rank_died = true;
    seen.culprit = "rank 1 was killed by signal 11 (Segmentation fault)";
    const WorkerOutcome outcome = post_mortem(seen);
    EXPECT_EQ(outcome.end, End::crashed);
    EXPECT_EQ(outcome.reason, seen.culprit + "; the ranks' output is in worker.log");
  }
  // SIGKILL can't be noted: the launcher tells.
  LaunchSeen seen = launch();
  seen.stopped = End::timed_out;
  seen.said = "srun: error: n17: task 3: Killed\n";
  EXPECT_EQ(post_mortem(seen).reason, "rank 3: Killed; the ranks' output is in worker.log");
  seen.said = "process rank 1 with PID 0 on node x exited on signal 9 (Killed).";
  EXPECT_EQ(post_mortem(seen).reason,
            "rank 1 was killed by signal 9 (Killed); the ranks' output is in worker.log");
}

TEST(PostMortem, SilenceNamesWhomTheOthersWaitFor) {
  LaunchSeen seen = launch();
  seen.stopped = End::timed_out;
  seen.status.reset();
  seen.culprit = "rank 1 is in code of its own";
  EXPECT_EQ(post_mortem(seen).end, End::timed_out);
  EXPECT_EQ(post_mortem(seen).reason,
            "nothing heard for 30 s: rank 1 is in code of its own; the ranks' output is in "
            "worker.log");
  seen.culprit.clear();
  seen.heard = true;
  EXPECT_EQ(post_mortem(seen).reason, "nothing heard for 30 s; the ranks' output is in worker.log");
  seen.heard = false;
  EXPECT_NE(post_mortem(seen).reason.find("no rank is known to have begun"), std::string::npos);
  seen.host_name_fault = "it has no address";
  EXPECT_NE(post_mortem(seen).reason.find("looking up this host's name: it has no address; write "
                                          "it into /etc/hosts (see: bellmark doctor)"),
            std::string::npos)
      << post_mortem(seen).reason;
}

TEST(PostMortem, ALauncherThatFailsSaysWhyAndWhatToDo) {
  LaunchSeen seen = launch();
  seen.status = exited(1);
  seen.said = "------\n\n  There are not enough slots in the system.  \nmore\n";
  EXPECT_EQ(post_mortem(seen).reason,
            "the launcher ended without an answer, exit code 1: There are not enough slots in the "
            "system.; add --oversubscribe to the launcher, or ask for fewer ranks; the ranks' "
            "output is in worker.log");
  seen.said = "mpirun has detected an attempt to run as root.";
  EXPECT_NE(post_mortem(seen).reason.find("add --allow-run-as-root"), std::string::npos);
  seen.said.clear();
  seen.status = killed(SIGKILL);
  EXPECT_EQ(post_mortem(seen).reason,
            "the launcher killed by signal 9 (Killed); the ranks' output is in worker.log");
  seen.culprit = "rank 0 is in all_reduce";
  EXPECT_NE(post_mortem(seen).reason.find("(Killed): rank 0 is in all_reduce"), std::string::npos);
}

TEST(PostMortem, AnInterruptionNeedsNoReason) {
  LaunchSeen seen = launch();
  seen.stopped = End::interrupted;
  seen.errors = {{2, "late", 1}};
  EXPECT_EQ(post_mortem(seen).end, End::interrupted);
  EXPECT_EQ(post_mortem(seen).reason, "");
}

}  // namespace
}  // namespace bellmark::run
