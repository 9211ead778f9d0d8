// A team of threads: every index works once a run, in a thread of its own that stays the same, and
// an exception of a thread comes out.
#include "algorithms/parallel/thread_team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <stdexcept>
#include <string>

namespace bellmark {
namespace {

class Team : public ::testing::TestWithParam<std::size_t> {};

TEST_P(Team, EveryIndexWorksOnceARunInItsOwnThread) {
  const std::size_t size = GetParam();
  std::atomic<std::size_t> entered = 0;
  RunContext context;
  context.set_enter_thread([&](std::size_t index) {
    EXPECT_GT(index, 0u);
    ++entered;
  });
  ThreadTeam team(size, context);
  EXPECT_EQ(team.size(), size);
  EXPECT_EQ(entered, size - 1) << "all have entered before the team is there";

  std::vector<std::thread::id> threads(size);
  team.run([&](std::size_t index) { threads[index] = std::this_thread::get_id(); });
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  EXPECT_EQ(std::set(threads.begin(), threads.end()).size(), size);

  // Not atomic: each index is alone with its number, and run() orders the rounds.
  std::vector<int> rounds(size, 0);
  for (int round = 1; round <= 200; ++round) {
    team.run([&](std::size_t index) {
      EXPECT_EQ(threads[index], std::this_thread::get_id());
      ++rounds[index];
    });
    ASSERT_EQ(rounds, std::vector<int>(size, round));
  }
}

INSTANTIATE_TEST_SUITE_P(ThreadTeam, Team, ::testing::Values(1, 2, 7, 64));

TEST(ThreadTeam, WhatAThreadThrowsComesOutAndTheTeamGoesOn) {
  ThreadTeam team(3, RunContext());
  for (std::size_t thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> finished = 0;
    const auto work = [&](std::size_t index) {
      if (index == thrower) throw std::runtime_error("thread " + std::to_string(index));
      ++finished;
    };
    try {
      team.run(work);
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), "thread " + std::to_string(thrower));
    }
    EXPECT_EQ(finished, 2) << "the others finish first";
  }
  std::atomic<int> finished = 0;
  team.run([&](std::size_t) { ++finished; });
  EXPECT_EQ(finished, 3);
}

TEST(ThreadTeam, AThreadThatCannotEnterIsAnError) {
  RunContext context;
  context.set_enter_thread([](std::size_t index) {
    if (index == 2) throw std::runtime_error("no place");
  });
  EXPECT_THROW(ThreadTeam(4, context), std::runtime_error);
}

}  // namespace
}  // namespace bellmark
