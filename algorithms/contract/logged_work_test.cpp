#include "algorithms/contract/logged_work.hpp"

#include <gtest/gtest.h>

namespace bellmark {
namespace {

TEST(LoggedWork, RoundsAndSettledVerticesComeFromLevels) {
  SearchWork work;
  add_logged({{"bottom_up", "frontier_count", "gpu_ns"}, {0, 1, 50, 0, 6, 70, 1, 3, 90}}, work);
  EXPECT_EQ(work.value(WorkCount::rounds), 3U);
  EXPECT_EQ(work.value(WorkCount::settled), 10U);
  EXPECT_EQ(work.value(WorkCount::looked_at_arcs), std::nullopt);
}

TEST(LoggedWork, UpdatedLabelsAreNotSettled) {
  SearchWork work;
  add_logged({{"updated_count", "gpu_ns"}, {1, 50, 6, 70}}, work);
  EXPECT_EQ(work.value(WorkCount::rounds), 2U);
  EXPECT_EQ(work.value(WorkCount::settled), std::nullopt);
}

TEST(LoggedWork, OwnCountsAndReasonsStay) {
  const PhaseLog log = {{"closed_count"}, {4, 5}};
  SearchWork counted;
  counted.add(WorkCount::rounds, 7);
  add_logged(log, counted);
  EXPECT_EQ(counted.value(WorkCount::rounds), 7U);
  EXPECT_EQ(counted.value(WorkCount::settled), std::nullopt);
  SearchWork without;
  without.lacks(WorkCount::rounds, kNoRounds);
  add_logged(log, without);
  EXPECT_EQ(without.value(WorkCount::rounds), std::nullopt);
  SearchWork empty;
  add_logged({{"closed_count"}, {}}, empty);
  EXPECT_TRUE(empty.empty());
}

}  // namespace
}  // namespace bellmark
