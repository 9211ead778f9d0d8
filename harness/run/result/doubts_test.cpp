// The doubts about a cell's times, from records made by hand.
#include "harness/run/result/doubts.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace bellmark::run {
namespace {

constexpr double kRunNs = 1000;

/// Two honest cells, the first of which is the baseline. A test spoils a part of them.
class DoubtsTest : public testing::Test {
 protected:
  DoubtsTest() {
    plan::Options options;
    options.graphs = {"grid:rows=2,columns=2"};
    plan_ =
        plan::make_plan(plan::adhoc_experiment({"sssp/dijkstra:arity=2", "sssp/dijkstra:arity=4"}),
                        options, machine::Topology::synthetic("pack:1 core:2 pu:1"));
    records_.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
      records_[i].extractions.assign(6, {50, 100, 4096});
      records_[i].visits = VisitsReading{std::vector<double>(9, 1100), std::vector<double>(9, 1000),
                                         std::int64_t{1} << 20, 8};
      cells_.push_back({{"label", "arity=" + std::to_string(2 + 2 * i)},
                        {"variant", plan_.cells[i].variant},
                        {"query_count", 2},
                        {"rank_count", 1},
                        {"wall_ns", {{"median", kRunNs}}}});
    }
  }

  /// The doubts about each cell.
  std::vector<std::vector<std::string>> doubts() {
    add_doubts(plan_, records_, cells_);
    return {cells_[0].at("doubts"), cells_[1].at("doubts")};
  }

  std::vector<std::string> warnings() {
    add_doubts(plan_, records_, cells_);
    std::vector<std::string> texts;
    for (const Json& warning : doubt_warnings(cells_)) texts.push_back(warning.at("text"));
    for (const Json& warning : growth_warnings(cells_)) texts.push_back(warning.at("text"));
    return texts;
  }

  plan::Plan plan_;
  std::vector<CellRecord> records_;
  Json cells_ = Json::array();
};

const std::vector<std::string> kNone;

TEST_F(DoubtsTest, HonestCellsHaveNone) {
  EXPECT_EQ(doubts(), (std::vector<std::vector<std::string>>{kNone, kNone}));
  EXPECT_EQ(warnings(), kNone);
  EXPECT_EQ(cells_[1].at("extraction").at("answer_bytes"), 4096);
  EXPECT_NEAR(cells_[1].at("visits").at("gain").at("ratio"), 1.1, 1e-9);
  EXPECT_NEAR(cells_[1].at("visits").at("gain_against_baseline").at("ratio"), 1, 1e-9);
}

TEST_F(DoubtsTest, SeveralVariantsOfOneCellAreDoubted) {
  records_[0].variants = {"p2p/auto:algorithm=label-correcting"};
  records_[1].variants = {"p2p/auto:algorithm=label-correcting",
                          "p2p/auto:algorithm=customisable-hierarchy"};
  EXPECT_EQ(doubts()[0], kNone);
  ASSERT_EQ(doubts()[1].size(), 1U);
  EXPECT_TRUE(doubts()[1][0].starts_with("its processes took several variants"));
}

TEST_F(DoubtsTest, OneQueryIsDoubtedWhereThereAreMore) {
  cells_[0]["query_count"] = 1;
  cells_[1]["query_count"] = 1;
  EXPECT_EQ(doubts()[1],
            std::vector<std::string>{
                "one query is asked: a variant that kept its answer would look as fast"});
  const std::vector<std::string> texts = warnings();
  ASSERT_EQ(texts.size(), 1U) << "one for all cells";
  EXPECT_TRUE(texts[0].starts_with("arity=2; arity=4: one query is asked"));
  for (const char* problem : {"distance-matrix", "set-migration", "read-bandwidth"}) {
    plan_.experiment.problem = problem;
    EXPECT_EQ(doubts()[1], kNone) << problem;
  }
}

TEST_F(DoubtsTest, ExtractMustBeLongInEveryBlockAndBesideTheQuery) {
  const auto doubted = [&](const std::function<void(Extraction&)>& spoil, std::size_t blocks) {
    records_[1].extractions.assign(6, {50, 100, 4096});
    for (std::size_t i = 0; i < blocks; ++i) spoil(records_[1].extractions[i]);
    return doubts()[1].size() == 1;
  };
  EXPECT_TRUE(doubted([](Extraction& extraction) { extraction.extract_ns = 200; }, 6));
  EXPECT_FALSE(doubted([](Extraction& extraction) { extraction.extract_ns = 200; }, 5));
  EXPECT_FALSE(doubted([](Extraction& extraction) { extraction = {90, 80, 8}; }, 6));
  EXPECT_EQ(doubts()[0], kNone);
}

TEST_F(DoubtsTest, RememberedAnswersShowAgainstTheBaseline) {
  records_[1].visits->later_ns.assign(9, 100);
  EXPECT_EQ(doubts()[0], kNone);
  ASSERT_EQ(doubts()[1].size(), 1U);
  EXPECT_NE(doubts()[1][0].find("gains 10.0 [10.0, 10.0] times as much"), std::string::npos)
      << doubts()[1][0];
  // A gain that the baseline has too says nothing.
  records_[0].visits->later_ns.assign(9, 150);
  EXPECT_EQ(doubts(), (std::vector<std::vector<std::string>>{kNone, kNone}));
  records_[1].visits->later_ns.assign(9, 1000);
  EXPECT_EQ(doubts()[0].size(), 1U) << "the baseline against what is compared with it";
  EXPECT_EQ(doubts()[1], kNone);
}

TEST_F(DoubtsTest, AGainMustBeCertain) {
  std::vector<double>& later = records_[1].visits->later_ns;
  later.assign(9, 100);
  later[0] = later[1] = 1000;  // of nine the second least counts
  EXPECT_EQ(doubts()[1], kNone);
  records_[1].visits->first_ns.resize(5);
  records_[1].visits->later_ns.assign(5, 100);
  EXPECT_EQ(doubts()[1], kNone) << "five pairs have no interval";
}

TEST_F(DoubtsTest, GrowingMemoryIsAWarningAndNoDoubt) {
  records_[1].visits->grown_bytes = (std::int64_t{9} * 50) << 20;
  EXPECT_EQ(doubts()[1], kNone);
  EXPECT_EQ(warnings(), std::vector<std::string>{
                            "arity=4: resident memory grows by 50 MiB a query, on queries that it "
                            "has answered before"});
}

TEST_F(DoubtsTest, GrowingMemoryOfAGpuAndOfRanksIsSaidToBe) {
  records_[1].visits->grown_gpu_bytes = (std::int64_t{9} * 32) << 20;
  doubts();
  cells_[1]["rank_count"] = 4;
  const Json warnings = growth_warnings(cells_);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].at("text"),
            "arity=4: used memory of the GPU of a rank grows by 32 MiB a query, on queries that it "
            "has answered before");
}

TEST_F(DoubtsTest, WhatWasNotMeasuredIsNotDoubted) {
  records_ = std::vector<CellRecord>(2);
  cells_[1]["wall_ns"] = nullptr;
  cells_[1]["query_count"] = 1;
  EXPECT_EQ(doubts(), (std::vector<std::vector<std::string>>{kNone, kNone}));
  EXPECT_TRUE(cells_[1].at("visits").is_null());
  EXPECT_TRUE(cells_[1].at("extraction").is_null());
}

}  // namespace
}  // namespace bellmark::run
