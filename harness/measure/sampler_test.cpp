// The sampler on a clock that tests turn, and the outcomes of its samples.
#include "harness/measure/sampler.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "harness/measure/fake_clock.hpp"

namespace bellmark::measure {
namespace {

struct Call {
  std::size_t subject;
  std::size_t step;
  friend bool operator==(const Call&, const Call&) = default;
};

/// Takes the time of `cost`, and notes its calls.
class FakeSubject final : public Subject {
 public:
  using Cost = std::function<double(std::size_t step, std::size_t run)>;

  FakeSubject(FakeClock& clock, std::vector<Call>& calls, std::size_t id, std::size_t steps,
              Cost cost)
      : clock_(clock), calls_(calls), id_(id), steps_(steps), cost_(std::move(cost)) {}

  std::size_t step_count() const override { return steps_; }
  void run(std::size_t step) override {
    calls_.push_back({id_, step});
    clock_.spend(cost_(step, runs++));
  }
  void approach(std::size_t step) override {
    approached = step;
    clock_.spend(1e12);  // must not be timed
  }
  std::int64_t agreed_ns(std::int64_t own_ns) override {
    clock_.spend(1e12);  // must not be timed
    return own_ns * slowdown;
  }
  bool check(std::size_t step) override {
    EXPECT_EQ(approached, step);
    EXPECT_EQ(calls_.back(), (Call{id_, step})) << "checked after something else ran";
    clock_.spend(1e12);  // must not be timed
    return ++checks != wrong_at;
  }

  std::uint64_t iterations(std::size_t) const override { return in_a_row; }

  std::uint64_t in_a_row = 1;
  std::size_t runs = 0;
  std::size_t checks = 0;
  std::size_t wrong_at = 0;    ///< index of the check that fails, from 1; 0: none
  std::size_t approached = 0;  ///< the step last asked for
  std::int64_t slowdown = 1;   ///< of the slowest process of each step

 private:
  FakeClock& clock_;
  std::vector<Call>& calls_;
  std::size_t id_;
  std::size_t steps_;
  Cost cost_;
};

struct Bench {
  FakeClock clock;
  std::vector<Call> calls;
  std::deque<FakeSubject> subjects;

  FakeSubject& add(std::size_t steps, FakeSubject::Cost cost) {
    return subjects.emplace_back(clock, calls, subjects.size(), steps, std::move(cost));
  }
  std::vector<Samples> run(const StopRule& rule, std::uint64_t seed = 1) {
    std::vector<Subject*> all;
    for (FakeSubject& subject : subjects) all.push_back(&subject);
    return sample(all, rule, seed, clock);
  }
};

double constant(std::size_t, std::size_t) { return 1000; }

TEST(Sample, StopsByWhatAllAgreeOn) {
  Bench bench;
  bench.add(2, constant).slowdown = 3;
  const auto samples = bench.run({.sample_count = 9, .seconds = 20e-6, .half_width = 0});
  ASSERT_EQ(samples[0].step_ns.size(), 3U);  // of 6 us each: a fourth would end past 20 us
  EXPECT_EQ(samples[0].stop_reason, "seconds");
  EXPECT_EQ(samples[0].step_ns[0], (std::vector<double>{3000, 3000}));
  EXPECT_EQ(samples[0].pass_own_ns, (std::vector<double>{2000, 2000, 2000}));
  EXPECT_EQ(samples[0].pass_cpu_ns, (std::vector<double>{1000, 1000, 1000}));
}

TEST(Sample, TimesOfRunsInARowAreDivided) {
  Bench bench;
  bench.add(2, constant).in_a_row = 4;
  const auto samples = bench.run({.sample_count = 9, .seconds = 7e-6, .half_width = 0});
  ASSERT_EQ(samples[0].step_ns.size(), 3U);  // 2 us each: the spent time is not divided
  EXPECT_EQ(samples[0].step_ns[0], (std::vector<double>{250, 250}));
  EXPECT_EQ(samples[0].pass_own_ns, (std::vector<double>{500, 500, 500}));
  EXPECT_EQ(samples[0].pass_cpu_ns, (std::vector<double>{250, 250, 250}));
  EXPECT_EQ(samples[0].spent_ns, 6000);
}

/// Never narrow: alternates between far apart figures.
double wild(std::size_t, std::size_t run) { return run % 2 == 0 ? 1000 : 9000; }

/// The same numbers on every platform, uniform over [0, 1).
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed * 2 + 1) {}
  double next() {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<double>(state_ >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

TEST(Sampler, TimesRunsOnlyAndCountsProcessorTime) {
  Bench bench;
  bench.add(3, [](std::size_t step, std::size_t) { return 100.0 * static_cast<double>(step + 1); });
  const auto samples = bench.run({.sample_count = 2, .seconds = 1e9, .half_width = 0});
  ASSERT_EQ(samples.size(), 1U);
  EXPECT_EQ(samples[0].step_ns, (StepTimes{{100, 200, 300}, {100, 200, 300}}));
  EXPECT_EQ(samples[0].pass_cpu_ns, (std::vector<double>{300, 300}));
}

TEST(Sampler, ClockThatStandsStillCountsAsOneNanosecond) {
  Bench bench;
  bench.add(1, [](std::size_t, std::size_t) { return 0; });
  const auto samples = bench.run({.sample_count = 1, .seconds = 1, .half_width = 0});
  EXPECT_EQ(samples[0].step_ns, (StepTimes{{1}}));
}

TEST(Sampler, EverySubjectGetsEveryStepOnceAPass) {
  Bench bench;
  for (int i = 0; i < 4; ++i) bench.add(5, constant);
  bench.run({.sample_count = 3, .seconds = 1e9, .half_width = 0});
  ASSERT_EQ(bench.calls.size(), 4U * 5U * 3U);
  for (std::size_t pass = 0; pass < 3; ++pass) {
    for (std::size_t step = 0; step < 5; ++step) {
      std::set<std::size_t> seen;
      for (std::size_t i = 0; i < 4; ++i) {
        const Call& call = bench.calls[(pass * 5 + step) * 4 + i];
        EXPECT_EQ(call.step, step);
        seen.insert(call.subject);
      }
      EXPECT_EQ(seen.size(), 4U);
    }
  }
}

TEST(Sampler, SecondOfTwoStepsRunsInReverseOrder) {
  Bench bench;
  for (int i = 0; i < 5; ++i) bench.add(6, constant);
  bench.run({.sample_count = 2, .seconds = 1e9, .half_width = 0});
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t step = 0; step < 12; step += 2) {
    std::vector<std::size_t> first;
    std::vector<std::size_t> second;
    for (std::size_t i = 0; i < 5; ++i) {
      first.push_back(bench.calls[step * 5 + i].subject);
      second.push_back(bench.calls[(step + 1) * 5 + i].subject);
    }
    std::ranges::reverse(second);
    EXPECT_EQ(first, second);
    orders.insert(first);
  }
  EXPECT_GT(orders.size(), 1U) << "never shuffled";
}

TEST(Sampler, OrderIsTheSeeds) {
  const auto calls = [](std::uint64_t seed) {
    Bench bench;
    for (int i = 0; i < 6; ++i) bench.add(4, constant);
    bench.run({.sample_count = 2, .seconds = 1e9, .half_width = 0}, seed);
    return bench.calls;
  };
  EXPECT_EQ(calls(3), calls(3));
  EXPECT_NE(calls(3), calls(4));
}

TEST(Sampler, EverySubjectGoesFirstAboutAsOften) {
  Bench bench;
  for (int i = 0; i < 2; ++i) bench.add(1, wild);
  bench.run({.sample_count = 1000, .seconds = 1e9, .half_width = 0});
  int first = 0;
  for (std::size_t i = 0; i < bench.calls.size(); i += 2) first += bench.calls[i].subject == 0;
  // Five standard deviations of binomial(1000, 1/2); the order is fixed by the seed.
  EXPECT_NEAR(first, 500, 80);
}

TEST(Sampler, BatchedAndSingleSubjectsTogether) {
  Bench bench;
  bench.add(1, constant);
  bench.add(4, constant);
  const auto samples = bench.run({.sample_count = 2, .seconds = 1e9, .half_width = 0});
  EXPECT_EQ(samples[0].step_ns, (StepTimes{{1000}, {1000}}));
  EXPECT_EQ(samples[1].step_ns, StepTimes(2, std::vector<double>(4, 1000)));
  EXPECT_EQ(bench.subjects[0].runs, 2U);
}

TEST(Sampler, StopsAtTheSampleCount) {
  Bench bench;
  bench.add(1, wild);
  const auto samples = bench.run({.sample_count = 9, .seconds = 1e9, .half_width = 0});
  EXPECT_EQ(samples[0].step_ns.size(), 9U);
  EXPECT_EQ(samples[0].stop_reason, "samples");
}

TEST(Sampler, StopsBeforeAPassThatWouldEndTooLate) {
  Bench bench;
  bench.add(2, constant);  // 2 us a pass
  const auto samples = bench.run({.sample_count = 100, .seconds = 9e-6, .half_width = -1});
  EXPECT_EQ(samples[0].step_ns.size(), 4U);
  EXPECT_EQ(samples[0].stop_reason, "seconds");
}

TEST(Sampler, OnePassAtLeast) {
  Bench bench;
  bench.add(1, [](std::size_t, std::size_t) { return 5e9; });
  const auto samples = bench.run({.sample_count = 30, .seconds = 2, .half_width = 0.01});
  EXPECT_EQ(samples[0].step_ns.size(), 1U);
  EXPECT_EQ(samples[0].stop_reason, "seconds");
}

TEST(Sampler, SecondsCountForEachSubjectAlone) {
  Bench bench;
  bench.add(1, [](std::size_t, std::size_t) { return 1e9; });
  bench.add(1, wild);
  const auto samples = bench.run({.sample_count = 10, .seconds = 2, .half_width = 0});
  EXPECT_EQ(samples[0].step_ns.size(), 2U);
  EXPECT_EQ(samples[0].stop_reason, "seconds");
  EXPECT_EQ(samples[1].step_ns.size(), 10U);
  EXPECT_EQ(samples[1].stop_reason, "samples");
}

TEST(Sampler, StopsWhenNarrowAfterSixPasses) {
  Bench bench;
  bench.add(3, constant);
  const auto samples = bench.run({.sample_count = 30, .seconds = 1e9, .half_width = 0.01});
  EXPECT_EQ(samples[0].step_ns.size(), 6U);
  EXPECT_EQ(samples[0].stop_reason, "half-width");
}

TEST(Sampler, DriftInsideTheProcessIsNotEnough) {
  const StopRule rule{.sample_count = 30, .seconds = 1e9, .half_width = 0.01};
  // The interval is 1.5 % wide, which is narrow enough, but the halves are 1.5 % apart.
  Samples samples;
  samples.step_ns = StepTimes(10, std::vector<double>{1e6});
  samples.step_ns.insert(samples.step_ns.end(), 10, std::vector<double>{1.015e6});
  EXPECT_EQ(stop_reason(rule, samples, 0), "");
  // The same times, mixed.
  for (std::size_t i = 0; i < 20; ++i) samples.step_ns[i] = {i % 2 == 0 ? 1e6 : 1.015e6};
  EXPECT_EQ(stop_reason(rule, samples, 0), "half-width");
}

TEST(Sampler, WrongAnswerDropsTheSubjectAlone) {
  Bench bench;
  bench.add(4, constant);
  bench.add(4, wild).wrong_at = 6;  // the second step of the second pass
  const auto samples = bench.run({.sample_count = 8, .seconds = 1e9, .half_width = 0});
  EXPECT_EQ(samples[1].stop_reason, "wrong answer");
  EXPECT_EQ(bench.subjects[1].runs, 6U);
  EXPECT_EQ(samples[0].stop_reason, "half-width");
  for (const auto& pass : samples[0].step_ns) EXPECT_EQ(pass, std::vector<double>(4, 1000));
}

TEST(Sampler, ProgressAfterEveryPass) {
  Bench bench;
  bench.add(2, wild);
  std::vector<std::size_t> passes;
  std::vector<Subject*> all = {&bench.subjects[0]};
  sample(all, {.sample_count = 3, .seconds = 1e9, .half_width = 0}, 1, bench.clock,
         [&](std::span<const Samples> samples) { passes.push_back(samples[0].step_ns.size()); });
  EXPECT_EQ(passes, (std::vector<std::size_t>{1, 2, 3}));
}

TEST(Sampler, NoSubjects) {
  Bench bench;
  EXPECT_TRUE(bench.run({}).empty());
}

/// Six blocks of a against b on a noisy machine. It warms up within each block, is up to 20 %
/// slower from block to block, and adds 4 % noise to every run.
Outcome compare_on_noisy_machine(double b_over_a, std::uint64_t seed) {
  constexpr std::size_t kQueries = 8;
  std::vector<double> logs;
  Noise noise(seed);
  for (std::size_t block = 0; block < kBlocksForInterval; ++block) {
    Bench bench;
    const double machine = 1 + 0.2 * noise.next();
    const std::int64_t begin = bench.clock.now;
    // Checks take 1000 s of fake time each; the drift is a fraction of that.
    const auto cost = [&](double factor) {
      return [&, factor](std::size_t step, std::size_t) {
        const double drift = 1 + 2e-7 * static_cast<double>(bench.clock.now - begin) * 1e-9;
        const double query = 1e6 * static_cast<double>(step + 1);
        return factor * query * machine * drift * (1 + 0.04 * noise.next());
      };
    };
    bench.add(kQueries, cost(1));
    bench.add(kQueries, cost(b_over_a));
    const auto samples =
        bench.run({.sample_count = 20, .seconds = 1e9, .half_width = 0}, seed + block);
    logs.push_back(block_log_ratio(samples[1].step_ns, samples[0].step_ns, true));
  }
  return judge(ratio_over_blocks(logs).interval);
}

TEST(Sampler, VariantAgainstItselfIsTheSame) {
  // By the interval's own 96.9 % the outcome may be a wrong FASTER or SLOWER in 3 of 100 cases. The
  // seeds are fixed, and so is the count.
  int same = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    same += compare_on_noisy_machine(1, seed) == Outcome::same;
  }
  EXPECT_GE(same, 92);
  EXPECT_EQ(compare_on_noisy_machine(1, 1), Outcome::same);
}

TEST(Sampler, TenPercentSlowerIsSlowerAndFasterTheOtherWay) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(compare_on_noisy_machine(1.1, seed), Outcome::slower) << seed;
    EXPECT_EQ(compare_on_noisy_machine(1 / 1.1, seed), Outcome::faster) << seed;
  }
}

}  // namespace
}  // namespace bellmark::measure
