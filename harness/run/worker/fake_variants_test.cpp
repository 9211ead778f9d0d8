#include "harness/run/worker/fake_variants.hpp"

#include "algorithms/contract/registry.hpp"
#include "tests/variants/command_line/rank_sum.hpp"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::run {
namespace {

class UsesGpu final : public broken::RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/uses-gpu", "says that it needs CUDA");
    description.needs = {Need::cuda};
    return description;
  }
};

class ExtractsOnce final : public broken::RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    return named("sssp/extracts-once", "writes an answer the first time it is asked");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    written_ = false;
  }
  void extract(Sssp::Answer& answer) const {
    if (!written_) answer = answer_;
    written_ = true;
  }

 private:
  mutable bool written_ = false;
};

class ClockDriven final : public broken::RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/clock-driven", "keeps a phase log");
    description.needs = {Need::cuda};
    return description;
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    RightSssp::run(queries, context);
    clock_driven_runs().push_back((context.instrumented() ? "instrumented " : "plain ") +
                                  std::to_string(queries[0].source));
  }

  PhaseLog phase_log() const { return {{"host_ns"}, {1, 2}}; }
};

/// A problem with several right answers: a divisor of the number that its reference names.
struct Divisor {
  static constexpr const char* kName = "divisor";
  static constexpr const char* kDefaultQueries = "input";
  static constexpr bool kManyAnswers = true;
  using Input = int;
  using Query = int;
  using Answer = int;
  class Certificate {
   public:
    explicit Certificate(const Input&) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const {
      if (query % answer == 0) return std::nullopt;
      return std::to_string(answer) + " does not divide it";
    }
  };
  static Input open(const std::string& reference) { return std::stoi(reference); }
  static Facts facts(const Input& input) { return {{"digest", std::to_string(input)}}; }
  static std::vector<Query> make_queries(const Input& input, const QueryRule&) { return {input}; }
  static std::string query_text(const Query& query) { return std::to_string(query); }
  static std::uint64_t digest(const Answer& answer) { return static_cast<std::uint64_t>(answer); }
  static std::string unmet(Need, const Input&) { return {}; }
  static Facts answer_facts(const Input&, const Answer& answer) {
    return {{"divisor", std::int64_t{answer}}};
  }
};

template <bool kLargest>
class FindDivisor {
 public:
  using Problem = Divisor;
  static Description describe() {
    Description description;
    description.name = kLargest ? "divisor/largest" : "divisor/least";
    return description;
  }
  explicit FindDivisor(const Settings&) {}
  void prepare(const int&, RunContext&) {}
  void run(std::span<const int> queries, RunContext&) { answer_ = kLargest ? queries[0] : 1; }
  void extract(int& answer) const { answer = answer_; }

 private:
  int answer_ = 0;
};

BELLMARK_REGISTER(UsesGpu, ExtractsOnce, ClockDriven, FindDivisor<false>, FindDivisor<true>,
                  broken::SumOverRanks);

}  // namespace

std::vector<std::string>& clock_driven_runs() {
  static std::vector<std::string> runs;
  return runs;
}

}  // namespace bellmark::run
