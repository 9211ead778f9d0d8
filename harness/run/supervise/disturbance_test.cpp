#include "harness/run/supervise/disturbance.hpp"

#include <gtest/gtest.h>

namespace bellmark::run {
namespace {

TEST(Disturbance, BeginsAboveFivePercent) {
  EXPECT_EQ(disturbed_by({}), "");
  EXPECT_EQ(disturbed_by({0.05, 0.0, 0.95}), "");
  EXPECT_EQ(disturbed_by({0.051, {}, 1.0}), "other programs had its cores for 5 % of the time");
  EXPECT_EQ(disturbed_by({0.1, 0.004, {}}), "other programs had its cores for 10 % of the time");
  EXPECT_EQ(disturbed_by({0.03, 0.03, {}}),
            "other programs had its cores for 3 % of the time, other guests of the host for 3 %");
  EXPECT_EQ(disturbed_by({{}, {}, 0.9}), "the core's clock was at 90 % of its fastest");
  EXPECT_EQ(disturbed_by({{}, {}, {}, {"heat", "power"}}),
            "the GPU's clocks were held back: heat, power");
}

CellReplicate cell_with(std::size_t thread_count, double queued_ratio) {
  CellReplicate cell;
  cell.timed.emplace().queued_ratio = queued_ratio;
  for (std::size_t i = 1; i < thread_count; ++i) cell.threads.push_back({i, "pu", "pu"});
  return cell;
}

TEST(Disturbance, IsNotTheWorkOfThreadsThatShareAPu) {
  Replicate replicate;
  replicate.pu_count = 2;
  replicate.steal_ratio = 0.25;
  replicate.cells = {cell_with(2, 0.5), cell_with(3, 0.75)};
  EXPECT_EQ(disturbance_of(replicate, replicate.cells[0]).queued_ratio, 0.5);
  EXPECT_FALSE(disturbance_of(replicate, replicate.cells[1]).queued_ratio.has_value());
  EXPECT_EQ(lost_ratio(replicate), 0.75) << "the first cell's, with what was stolen";
}

TEST(Disturbance, IsNotTheWorkOfRanksThatShareAPlace) {
  Replicate replicate;
  replicate.cells = {cell_with(1, 0.5)};
  replicate.ranks = {
      {{0, "host", "pu P#0", 1, "pu P#0", {}}, {1, "host", "pu P#1", 1, "pu P#1", {}}}};
  EXPECT_EQ(lost_ratio(replicate), 0.5);
  replicate.ranks->at(1).observed = "pu P#0, last on P#0";
  EXPECT_EQ(lost_ratio(replicate), 0);
}

TEST(Disturbance, OfACellWithoutTimesIsNone) {
  Replicate replicate;
  replicate.pu_count = 1;
  replicate.cells.emplace_back();
  EXPECT_EQ(lost_ratio(replicate), 0);
}

}  // namespace
}  // namespace bellmark::run
