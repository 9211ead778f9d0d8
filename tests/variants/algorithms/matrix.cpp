// Proof of the contract: a problem whose input is a dense matrix, and a variant of it.
#include "tests/variants/algorithms/matrix.hpp"

#include <algorithm>
#include <fstream>
#include <span>

#include "algorithms/contract/registry.hpp"

namespace bellmark {

std::optional<std::string> RowMinimum::Certificate::check(const Query& query,
                                                          const Answer& answer) const {
  if (answer.column >= input_.columns) return "no such column";
  const auto row = std::span(input_.values).subspan(query.row * input_.columns, input_.columns);
  for (std::size_t column = 0; column < row.size(); ++column) {
    if (row[column] < row[answer.column] ||
        (column < answer.column && row[column] == row[answer.column])) {
      return "column " + std::to_string(column + 1) + " has " + std::to_string(row[column]) +
             ", column " + std::to_string(answer.column + 1) + " has " +
             std::to_string(row[answer.column]);
    }
  }
  return std::nullopt;
}

RowMinimum::Input RowMinimum::open(const std::string& reference) {
  std::ifstream file(reference);
  std::string word;
  std::size_t rows = 0;
  Input input;
  if (!(file >> word >> rows >> input.columns) || word != "matrix" || rows > 1000 ||
      input.columns < 1 || input.columns > 1000) {
    throw InputError(reference, "does not begin with 'matrix ROWS COLUMNS'", "give 1..1000 each");
  }
  for (std::int64_t value = 0; file >> value;) input.values.push_back(value);
  if (input.values.size() != rows * input.columns) {
    throw InputError(reference, std::to_string(input.values.size()) + " values");
  }
  return input;
}

Facts RowMinimum::facts(const Input& input) {
  Digest digest;
  digest.add(std::uint64_t{input.columns}).add(std::span(input.values));
  return {{"digest", digest.hex()}, {"column_count", std::uint64_t{input.columns}}};
}

std::vector<RowMinimum::Query> RowMinimum::make_queries(const Input& input, const QueryRule& rule) {
  if (rule.kind != "list") throw InputError("queries", "kind '" + rule.kind + "' is unknown");
  std::vector<Query> queries;
  for (const std::uint64_t row : rule.list) {
    if (row < 1 || row > input.values.size() / input.columns) {
      throw InputError("queries", "row " + std::to_string(row) + " is not in the matrix");
    }
    queries.push_back({row - 1});
  }
  return queries;
}

std::string RowMinimum::query_text(const Query& query) {
  return "row " + std::to_string(query.row + 1);
}

std::uint64_t RowMinimum::digest(const Answer& answer) { return answer.column; }

std::string RowMinimum::unmet(Need need, const Input&) {
  return need == Need::symmetric ? "a matrix is not a graph" : "";
}

namespace {

class Scan {
 public:
  using Problem = RowMinimum;

  static Description describe() {
    Description description;
    description.name = "row-minimum/test-scan";
    description.summary = "one pass over the row";
    description.source = "test";
    return description;
  }

  explicit Scan(const Settings&) {}
  void prepare(const RowMinimum::Input& input, RunContext&) { input_ = &input; }
  void run(std::span<const RowMinimum::Query> queries, RunContext&) {
    const auto row =
        std::span(input_->values).subspan(queries[0].row * input_->columns, input_->columns);
    column_ = static_cast<std::size_t>(std::ranges::min_element(row) - row.begin());
  }
  void extract(RowMinimum::Answer& answer) const { answer.column = column_; }

 private:
  const RowMinimum::Input* input_ = nullptr;
  std::size_t column_ = 0;
};

BELLMARK_REGISTER(Scan);

}  // namespace
}  // namespace bellmark
