// Limits of extract(), by a clock that a test turns.
#include "harness/run/worker/extraction.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace bellmark::run {
namespace {

/// A process that works half of the time.
class HalfIdle final : public measure::Clock {
 public:
  std::int64_t now_ns() override { return now_; }
  std::int64_t cpu_ns() override { return now_ / 2; }
  void pass(std::int64_t ns) { now_ += ns; }

 private:
  std::int64_t now_ = 0;
};

TEST(Extraction, OtherProgramsDoNotCount) {
  HalfIdle clock;
  EXPECT_EQ(working_ns(clock, false, [&] { clock.pass(1000); }), 500);
  EXPECT_EQ(working_ns(clock, true, [&] { clock.pass(1000); }), 1000);
}

TEST(Extraction, ScattersAreReckonedBeyondTheirLimit) {
  constexpr std::uint64_t kMost = std::uint64_t{8} << 23;
  const double most = scatter_ns(kMost, measure::Clock::system());
  EXPECT_GT(most, 0);
  EXPECT_GT(scatter_ns(1024 * kMost, measure::Clock::system()), most);
}

TEST(Extraction, SmallAnswersMayTakeALeastTime) {
  HalfIdle clock;
  const std::vector<double> taken = {30, 10, 20};
  const Extraction extraction = extraction_of(false, taken, 64, false, clock);
  EXPECT_EQ(extraction.extract_ns, 20);
  EXPECT_EQ(extraction.answer_bytes, 64U);
  EXPECT_EQ(extraction.allowed_ns, 20'000);
  EXPECT_EQ(extraction_of(false, taken, 64, true, clock).allowed_ns, 500'000);
}

}  // namespace
}  // namespace bellmark::run
