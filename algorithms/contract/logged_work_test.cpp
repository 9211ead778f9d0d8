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

TEST(LoggedWork, QueriesAddUp) {
  SearchWork work;
  const PhaseLog log = {{"closed_count"}, {4, 5}};
  add_logged(log, work);
  add_logged(log, work);
  add_logged({{"closed_count"}, {}}, work);
  EXPECT_EQ(work.value(WorkCount::rounds), 4U);
  EXPECT_EQ(work.value(WorkCount::settled), 18U);
}

TEST(LoggedWork, CompletesWhatASearchDoesNotCount) {
  SearchWork logged;
  add_logged({{"closed_count"}, {4, 5}}, logged);
  SearchWork work;
  work.add(WorkCount::settled, 7);
  complete(work, logged);
  EXPECT_EQ(work.value(WorkCount::settled), 7U) << "its own count stays";
  EXPECT_EQ(work.value(WorkCount::rounds), 2U);
  SearchWork without;
  without.lacks(WorkCount::rounds, kNoRounds);
  complete(without, logged);
  EXPECT_EQ(without.value(WorkCount::rounds), std::nullopt) << "so does its reason";
  EXPECT_EQ(without.value(WorkCount::settled), 9U);
}

}  // namespace
}  // namespace bellmark
