// A problem for ranks: the sum of their numbers. The last rank of its variant can fail.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/parallel/communicator.hpp"

namespace bellmark::broken {

/// The ranks hold the numbers from 1 to 100 between them. The input gives the number of queries.
/// Query k asks for k times the sum.
struct RankSum {
  static constexpr const char* kName = "rank-sum";
  static constexpr const char* kDefaultQueries = "factors";
  static constexpr bool kDistributed = true;
  using Input = std::uint64_t;
  using Query = std::uint64_t;
  using Answer = std::uint64_t;
  static constexpr std::uint64_t kLargest = 100;
  static constexpr std::uint64_t kSum = kLargest * (kLargest + 1) / 2;

  class Certificate {
   public:
    explicit Certificate(const Input&) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const {
      if (answer == query * kSum) return std::nullopt;
      return std::to_string(answer) + " is no sum";
    }
  };

  /// The sum of this rank's numbers.
  static std::uint64_t own_share() {
    std::uint64_t own = 0;
    for (std::uint64_t i = world().rank() + 1; i <= kLargest; i += world().size()) own += i;
    return own;
  }

  static Input open(const std::string& reference) {
    const auto number = parse_integer(reference);
    if (!number || *number < 1)
      throw InputError(reference, "is not a number of queries", "write 3");
    return static_cast<Input>(*number);
  }
  static Facts facts(const Input& input) {
    return {{"digest", std::to_string(input)},
            {"sum", world().all_reduce(own_share(), Reduction::sum)}};
  }
  static std::vector<Query> make_queries(const Input& input, const QueryRule&) {
    std::vector<Query> queries;
    for (Query query = 1; query <= input; ++query) queries.push_back(query);
    return queries;
  }
  static std::string query_text(const Query& query) { return std::to_string(query); }
  static std::uint64_t digest(const Answer& answer) { return answer; }
  static std::string unmet(Need, const Input&) { return {}; }
};

/// rank-sum/all-reduce: the last rank has a fault, from the second query on.
class SumOverRanks {
 public:
  using Problem = RankSum;

  static Description describe() {
    Description description;
    description.name = "rank-sum/all-reduce";
    description.summary = "sums over ranks";
    description.source = "test";
    description.keys = {at_run_time(
        word_key("fault", "none",
                 {"none", "wrong", "throws", "crashes", "killed", "hangs", "refuses", "leaks"},
                 "what the last rank does"))};
    return description;
  }

  explicit SumOverRanks(const Settings& settings) : fault_(settings.get("fault")) {}

  void prepare(const RankSum::Input&, RunContext& context) {
    if (fault_ == "refuses") throw InputError("fault", "no rank wants to", "take another");
    context.account("held", 8 * (world().rank() + 1));
  }

  void run(std::span<const RankSum::Query> queries, RunContext&) {
    const RankSum::Query query = queries[0];
    if (query > 1 && world().rank() + 1 == world().size()) fail();
    sum_ = world().all_reduce(query * RankSum::own_share(), Reduction::sum);
    if (query > 1 && world().rank() + 1 == world().size() && fault_ == "wrong") ++sum_;
  }

  void extract(RankSum::Answer& answer) const { answer = sum_; }

 private:
  void fail() const {
    if (fault_ == "throws") throw std::runtime_error("lost its share");
    if (fault_ == "crashes") std::raise(SIGSEGV);
    if (fault_ == "killed") std::raise(SIGKILL);
    while (fault_ == "hangs") std::this_thread::sleep_for(std::chrono::hours(1));
    if (fault_ == "leaks") leak();
  }

  static void leak() {
    constexpr std::size_t kBytes = std::size_t{8} << 20;
    // A list that nothing walks, like that of sssp/leaks.
    static void* last = nullptr;
    void* const taken = std::malloc(kBytes);
    std::memset(taken, 1, kBytes);
    *static_cast<void**>(taken) = last;
    last = taken;
  }

  std::string fault_;
  RankSum::Answer sum_ = 0;
};

}  // namespace bellmark::broken
