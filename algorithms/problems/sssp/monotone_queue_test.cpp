#include "algorithms/problems/sssp/monotone_queue.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <random>
#include <vector>

namespace bellmark {
namespace {

/// Pushes and pops by chance, beside the standard library's queue. Entries are up to `spread`
/// beyond the last one.
void compare_with_standard(Distance first, Distance spread) {
  std::mt19937_64 draw(7);
  MonotoneQueue queue;
  std::priority_queue<Distance, std::vector<Distance>, std::greater<>> standard;
  for (int round = 0; round < 2; ++round) {
    Distance last = first;
    for (int step = 0; step < 20'000; ++step) {
      const bool is_push = standard.empty() || draw() % 9 < 5;
      if (is_push) {
        const Distance distance =
            last + static_cast<Distance>(draw() % (static_cast<std::uint64_t>(spread) + 1));
        queue.push(distance, static_cast<Vertex>(distance % 1000));
        standard.push(distance);
      } else {
        ASSERT_EQ(queue.top().distance, standard.top());
        ASSERT_EQ(queue.top().vertex, standard.top() % 1000) << "of the same entry";
        last = standard.top();
        queue.pop();
        standard.pop();
      }
      ASSERT_EQ(queue.size(), standard.size());
      ASSERT_EQ(queue.empty(), standard.empty());
    }
    queue.clear();
    standard = {};
    EXPECT_TRUE(queue.empty()) << "and as good as new";
  }
}

TEST(MonotoneQueue, GivesTheLeastEntry) {
  compare_with_standard(0, 0);
  compare_with_standard(0, 3);
  compare_with_standard(0, 100'000);
  compare_with_standard(0, Distance{1} << 40);
  compare_with_standard(std::numeric_limits<Distance>::max() / 2, 1000);
}

}  // namespace
}  // namespace bellmark
