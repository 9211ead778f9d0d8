// The lines that ranks write about themselves, and the supervisor's reading of them.
#include "harness/run/supervise/rank_status.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

struct Rank {
  std::uint64_t entered;
  std::uint64_t left;
  const char* stage = "timed";
  std::uint32_t query = 3;
};

std::string culprit(const std::vector<Rank>& ranks) {
  std::vector<RankLine> lines(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    lines[i].progress.entered_count = ranks[i].entered;
    lines[i].progress.left_count = ranks[i].left;
    lines[i].progress.latest = Collective::all_reduce;
    lines[i].set_stage(ranks[i].stage);
    lines[i].query = ranks[i].query;
  }
  return culprit_text(lines);
}

TEST(RankStatus, IsSharedThroughItsFile) {
  const auto file = std::filesystem::path(testing::TempDir()) /
                    ("bellmark_rank_status_" + std::to_string(::getpid()));
  const RankStatus own = RankStatus::create(file, 3);
  {
    const RankStatus other = RankStatus::open(file, 3);
    other.lines()[2].progress.entered_count = 7;
    other.lines()[2].set_stage("validate");
  }
  EXPECT_EQ(own.lines()[2].progress.entered_count, 7U);
  EXPECT_STREQ(own.lines()[2].stage.data(), "validate");
  EXPECT_EQ(own.lines()[1].progress.entered_count, 0U);
  EXPECT_THROW(RankStatus::open(file, 4), MachineError);
  // A file that is made again is empty.
  EXPECT_EQ(RankStatus::create(file, 3).lines()[2].progress.entered_count, 0U);
  std::filesystem::remove(file);
  EXPECT_THROW(RankStatus::open(file, 3), MachineError);
  EXPECT_THROW(RankStatus::create("/proc/no/such", 3), MachineError);
}

TEST(RankStatus, TheQueryIsNamed) {
  std::vector<RankLine> lines(2);
  for (RankLine& line : lines) {
    line.set_stage("timed");
    line.set_query(3, "source 17");
  }
  lines[1].signal = SIGSEGV;
  EXPECT_EQ(culprit_text(lines),
            "rank 1 was killed by signal 11 (Segmentation fault), in code of its own (timed, query "
            "3: source 17)");
  lines[1].set_query(4, std::string(100, 'x'));
  EXPECT_EQ(std::string(lines[1].query_text.data()), std::string(63, 'x'));
  lines[1].set_query(0, "");
  EXPECT_NE(culprit_text(lines).find("(timed)"), std::string::npos);
}

TEST(RankStatus, LongStagesAreCut) {
  RankLine line;
  line.set_stage("a stage with a name that is far too long");
  EXPECT_STREQ(line.stage.data(), "a stage with a name tha");
  line.set_stage("timed");
  EXPECT_STREQ(line.stage.data(), "timed");
}

TEST(RankStatus, NamesTheRankThatOthersWaitFor) {
  EXPECT_EQ(
      culprit({{8, 7}, {7, 7}, {8, 7}}),
      "rank 1 has entered 7 collectives, others 8; rank 1 is in code of its own (timed, query "
      "3)");
  EXPECT_EQ(culprit({{8, 7}, {7, 7}, {7, 6, "prepare", 0}}),
            "ranks 1-2 have entered 7 collectives, others 8; rank 1 is in code of its own (timed, "
            "query 3)");
  EXPECT_EQ(culprit({{7, 6, "prepare", 0}, {8, 7}}),
            "rank 0 has entered 7 collectives, others 8; rank 0 is in all_reduce (prepare)");
  EXPECT_EQ(culprit({{8, 8}, {8, 7}}),
            "all ranks have entered the same number of collectives; rank 0 is in code of its own "
            "(timed, query "
            "3)");
  EXPECT_EQ(culprit({{8, 8}}), "rank 0 is in code of its own (timed, query 3)");
}

TEST(RankStatus, SaysWhatItDoesNotKnow) {
  EXPECT_EQ(culprit({}), "");
  EXPECT_EQ(culprit({{0, 0, "", 0}, {0, 0, "", 0}}), "");
  EXPECT_EQ(
      culprit({{5, 5}, {0, 0, "", 0}, {6, 5}}),
      "rank 0 has entered 5 collectives, others 6; rank 0 is in code of its own (timed, query "
      "3); nothing is known of rank 1");
}

TEST(RankStatus, NamesTheRankThatDied) {
  std::vector<RankLine> lines(2);
  lines[1].set_stage("validate");
  lines[1].signal = SIGSEGV;
  EXPECT_EQ(culprit_text(lines),
            "rank 1 was killed by signal 11 (Segmentation fault), in code of its own (validate)");
}

}  // namespace
}  // namespace bellmark::run
