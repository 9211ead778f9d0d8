// Reading a region of memory over and over: how fast a core gets data from each level of the memory
// hierarchy. The core reads alone, or beside another core that reads the same region (yasui2011,
// section 4.3, Figure 21).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "algorithms/contract/problem.hpp"

namespace bellmark {

/// Doubles that all processes of one run share: a file in memory (tmpfs) that each maps, named
/// after the process that started them. The last mapping to go takes the memory with it. The first
/// process that ends takes the name with it. A new process removes names whose starter is gone.
class SharedRegion {
 public:
  SharedRegion() = default;
  /// Opens or makes the region of this run with `byte_count` bytes. Value i is i mod 8: every sum
  /// of them is exact, in any order. Throws MachineError.
  explicit SharedRegion(std::uint64_t byte_count);
  SharedRegion(SharedRegion&& other) noexcept;
  SharedRegion& operator=(SharedRegion&& other) noexcept;
  SharedRegion(const SharedRegion&) = delete;
  SharedRegion& operator=(const SharedRegion&) = delete;
  ~SharedRegion();

  std::span<const double> values() const { return {values_, count_}; }

 private:
  std::string name_;
  const double* values_ = nullptr;
  std::size_t count_ = 0;
};

struct ReadBandwidth {
  static constexpr const char* kName = "read-bandwidth";
  static constexpr const char* kSummary = "Bytes read from memory in a second";
  static constexpr const char* kDefaultQueries = "rounds";
  static constexpr bool kWholeInput = true;
  static std::string default_input() { return "region:bytes=67108864"; }

  struct Input {
    SharedRegion region;
  };
  /// Reads the whole region so many times. Small regions are read often, so that the clock's
  /// resolution is nothing beside a query.
  struct Query {
    std::uint64_t round_count;
  };
  struct Answer {
    double sum;  ///< of all values read
  };

  /// The sum is known from the region's size alone.
  class Certificate {
   public:
    explicit Certificate(const Input& input) : count_(input.region.values().size()) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const;

   private:
    std::uint64_t count_;
  };

  /// `region:bytes=65536`: a multiple of 64 from 64 on, 1 GB at most. Throws InputError.
  static Input open(const std::string& reference);
  /// `query_double_count`: doubles that one query reads.
  static Facts facts(const Input& input);
  static void check_rule(const QueryRule& rule);
  static std::vector<Query> make_queries(const Input& input, const QueryRule& rule);
  static std::string query_text(const Query& query);
  static std::uint64_t digest(const Answer& answer);
  static auto parts(Answer& answer) { return std::tie(answer.sum); }
  static std::string unmet(Need need, const Input& input);
};

}  // namespace bellmark
