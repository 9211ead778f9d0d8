// Proof of the contract: a problem whose input is not a graph. A dense matrix of integers comes
// from a file of its own (`matrix ROWS COLUMNS`, then the values by rows). A query asks for the
// column of a row's least value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/problem.hpp"

namespace bellmark {

struct RowMinimum {
  static constexpr const char* kName = "row-minimum";
  static constexpr const char* kDefaultQueries = "list";

  struct Input {
    std::size_t columns = 0;
    std::vector<std::int64_t> values;  ///< rows x columns
  };
  struct Query {
    std::size_t row;
  };
  struct Answer {
    std::size_t column;
  };

  class Certificate {
   public:
    explicit Certificate(const Input& input) : input_(input) {}
    std::optional<std::string> check(const Query& query, const Answer& answer) const;

   private:
    const Input& input_;
  };

  static Input open(const std::string& reference);
  static Facts facts(const Input& input);
  static std::vector<Query> make_queries(const Input& input, const QueryRule& rule);
  static std::string query_text(const Query& query);
  static std::uint64_t digest(const Answer& answer);
  static std::string unmet(Need need, const Input& input);
};

}  // namespace bellmark
