// A problem in few lines: its inputs, its certificate, its queries, and the work that a run
// declares.
#include "algorithms/contract/kernel_problem.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"

namespace bellmark::kernel_problem {
namespace {

using Values = std::vector<float>;

/// Twice each of n numbers, within a thousandth of the largest.
struct Doubled : KernelProblem<Doubled, Values, Values> {
  static constexpr const char* kName = "doubled";
  static constexpr double kTolerance = 1e-3;

  static std::vector<Key> keys() {
    return {integer_key("n", 4, 1, 100, "how many"),
            word_key("sign", "plus", {"plus", "minus"}, "")};
  }
  static Values make(const Settings& settings) {
    Values values(static_cast<std::size_t>(settings.integer("n")));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    return values;
  }
  static Values expected(const Values& values) {
    Values doubled = values;
    for (float& value : doubled) value *= 2;
    return doubled;
  }
  static Work work(const Values& values) { return {.operations = values.size()}; }
};

class Right {
 public:
  using Problem = Doubled;
  static Description describe() {
    Description description;
    description.name = "doubled/right";
    return description;
  }
  explicit Right(const Settings&) {}
  void prepare(const Values& values, RunContext&) { values_ = &values; }
  void run(std::span<const Doubled::Query>, RunContext&) {
    answer_ = Doubled::expected(*values_);
    ++run_count;
  }
  void extract(Values& answer) const { answer = answer_; }
  Work work(const Doubled::Query&) const { return {.bytes = 8, .items = 1}; }

  inline static int run_count = 0;

 private:
  const Values* values_ = nullptr;
  Values answer_;
};

/// Leaves its answer as it finds it.
class Lazy : public Right {
 public:
  using Right::Right;
  void extract(Values& answer) const { answer.resize(4); }
};

std::optional<std::string> fault_of(const Values& answer) {
  const Values input = Doubled::open("default");
  return Doubled::Certificate(input).check({}, answer);
}

TEST(KernelProblem, AnswersAreRightWithinTheTolerance) {
  EXPECT_EQ(fault_of({0, 2, 4, 6}), std::nullopt);
  EXPECT_EQ(fault_of({0.005F, 2, 4, 6}), std::nullopt);
  EXPECT_EQ(fault_of({0, 2, 4, 6.5F}),
            "element 3 is 6.5, not 6: off by 0.5, and 0.0060000000000000001 is allowed");
  EXPECT_EQ(fault_of({0, 2, 4}), "the answer has 3 elements, not 4");
  EXPECT_NE(fault_of({std::nanf(""), 2, 4, 6}), std::nullopt);
  EXPECT_NE(fault_of({std::numeric_limits<float>::infinity(), 2, 4, 6}), std::nullopt);
}

TEST(KernelProblem, WithoutAToleranceNumbersMustBeEqual) {
  EXPECT_EQ(detail::difference_of(3, 3, 0), std::nullopt);
  EXPECT_EQ(detail::difference_of(3, 4, 0), "the answer is 4, not 3");
  EXPECT_EQ(detail::difference_of(std::vector<char>{1}, {2}, 0), "element 0 is 2, not 1");
}

TEST(KernelProblem, InputsAreMadeFromKeys) {
  EXPECT_EQ(Doubled::open("n=7").size(), 7U);
  EXPECT_EQ(Doubled::open("").size(), 4U);
  EXPECT_EQ(Doubled::default_input(), "n=4,sign=plus");
  EXPECT_EQ(default_reference({}), "default");
  EXPECT_EQ(key_facts("p", "sign=minus,n=3", Doubled::keys()),
            key_facts("p", "n=3,sign=minus", Doubled::keys()));
  EXPECT_NE(key_facts("p", "n=3", Doubled::keys()), key_facts("q", "n=3", Doubled::keys()));
  for (const char* reference : {"m=3", "n=0", "n=101", "n=three", "sign=times", "n", "n=1,n=1"}) {
    EXPECT_THROW(Doubled::open(reference), InputError) << reference;
  }
}

TEST(KernelProblem, ThereIsOneQuery) {
  detail::WorkloadOf<Doubled> workload("n=3", {"default", 5});
  EXPECT_EQ(workload.query_count(), 1U);
  EXPECT_TRUE(workload.repeats());
  EXPECT_TRUE(workload.many_answers());
  EXPECT_EQ(workload.facts().front().first, "digest");
  EXPECT_EQ(workload.unmet(Need::symmetric), "the input is no graph");
  EXPECT_EQ(workload.unmet(Need("anything")), "");
  EXPECT_THROW(detail::WorkloadOf<Doubled>("n=3", {"uniform-sources", 5}), InputError);
}

TEST(KernelProblem, RunsInARowLeaveTheLastAnswer) {
  detail::WorkloadOf<Doubled> workload("n=4", {"default", 1});
  const auto variant = detail::bind<Right>(workload, Settings());
  RunContext context;
  variant->prepare(context);
  Right::run_count = 0;
  variant->run_times(10, 0, 1, context);
  EXPECT_EQ(Right::run_count, 10);
  EXPECT_EQ(variant->certify(0), std::nullopt);
  // The variant's word counts, not the problem's.
  EXPECT_EQ(variant->work(0).bytes, 8U);
  EXPECT_EQ(variant->work(0).operations, 0U);
}

TEST(KernelProblem, WhatIsLeftUnwrittenIsNoNumber) {
  detail::WorkloadOf<Doubled> workload("n=4", {"default", 1});
  const auto variant = detail::bind<Lazy>(workload, Settings());
  RunContext context;
  variant->prepare(context);
  variant->run(0, 1, context);
  EXPECT_NE(variant->certify(0), std::nullopt);
  // From the second extraction on there is an answer to poison.
  variant->run(0, 1, context);
  EXPECT_NE(variant->certify(0).value().find("nan, not"), std::string::npos);
}

struct Throwing : KernelProblem<Throwing, int, int> {
  static constexpr const char* kName = "throwing";
  static std::vector<Key> keys() { return {}; }
  static int make(const Settings&) { return 1; }
  static std::optional<std::string> check(const int&, const int&) {
    throw std::runtime_error("nothing here");
  }
};

class One {
 public:
  using Problem = Throwing;
  static Description describe() { return {}; }
  explicit One(const Settings&) {}
  void prepare(const int&, RunContext&) {}
  void run(std::span<const Throwing::Query>, RunContext&) {}
  void extract(int& answer) const { answer = 1; }
};

TEST(KernelProblem, ACertificateThatThrowsIsTheProblemsFault) {
  detail::WorkloadOf<Throwing> workload("default", {"default", 1});
  const auto variant = detail::bind<One>(workload, Settings());
  try {
    variant->certify(0);
    FAIL() << "it is caught and named";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
    EXPECT_STREQ(
        error.what(),
        "problem 'throwing': its certificate threw an exception: nothing here; let check() "
        "return what is wrong with the answer");
  }
}

Instance with_need(Need need) {
  Instance instance;
  instance.description.name = "doubled/needy";
  instance.description.needs = {need};
  return instance;
}

TEST(Needs, AreDeclaredOnce) {
  Registry own;
  own.add(with_need(Need("avx9")));
  EXPECT_THROW(own.check(), Error);
  own.add_need(Need("avx9"), [] { return std::string("no processor has it"); });
  own.check();
  EXPECT_EQ(own.absence_of(Need("avx9")), "no processor has it");
  EXPECT_EQ(own.absence_of(Need("of-an-input")), "");
  own.add_need(Need("avx9"), nullptr);
  EXPECT_THROW(own.check(), Error);
  Registry other;
  other.add_need(Need::cuda, nullptr);
  EXPECT_THROW(other.check(), Error);
}

TEST(Registry, AProblemIsOneType) {
  Registry own;
  own.add_problem(detail::entry_of<Doubled>());
  own.add_problem(detail::entry_of<Doubled>());
  own.check();
  EXPECT_EQ(own.input_axis("doubled"), "input");
  EXPECT_EQ(own.default_input("doubled"), "n=4,sign=plus");
  EXPECT_FALSE(own.takes_graphs());
  Registry::ProblemEntry other = detail::entry_of<Throwing>();
  other.name = "doubled";
  own.add_problem(other);
  EXPECT_THROW(own.check(), Error);
}

TEST(Registry, FactsWithoutADigestAreRefused) {
  EXPECT_NO_THROW(detail::check_facts("p", {{"digest", std::string("0")}}));
  EXPECT_THROW(detail::check_facts("p", {{"n", std::int64_t{1}}}), Error);
}

}  // namespace
}  // namespace bellmark::kernel_problem
