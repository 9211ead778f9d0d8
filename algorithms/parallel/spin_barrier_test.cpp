// Rounds of a team: all threads read in the next round the words that every thread wrote in one.
#include "algorithms/parallel/spin_barrier.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "algorithms/parallel/thread_team.hpp"

namespace bellmark {
namespace {

class Barrier : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Barrier, SeparatesRounds) {
  const std::size_t size = GetParam();
  constexpr std::size_t kRounds = 500;
  ThreadTeam team(size, RunContext());
  SpinBarrier barrier(size);
  // Not atomic: two barriers a round order all accesses.
  std::vector<std::size_t> written(size, 0);
  std::vector<std::size_t> wrong(size, 0);
  team.run([&](std::size_t thread) {
    for (std::size_t round = 1; round <= kRounds; ++round) {
      written[thread] = round;
      barrier.wait();
      const std::size_t sum = std::accumulate(written.begin(), written.end(), std::size_t{0});
      if (sum != round * size) ++wrong[thread];
      barrier.wait();
    }
  });
  EXPECT_EQ(written, std::vector<std::size_t>(size, kRounds));
  EXPECT_EQ(wrong, std::vector<std::size_t>(size, 0));
}

INSTANTIATE_TEST_SUITE_P(SpinBarrier, Barrier, ::testing::Values(1, 2, 7));

}  // namespace
}  // namespace bellmark
