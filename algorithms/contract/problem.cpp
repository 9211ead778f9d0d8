#include "algorithms/contract/problem.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {

void check_query_kind(const QueryRule& rule, std::string_view problem,
                      const std::vector<std::string>& known) {
  if (std::ranges::find(known, rule.kind) != known.end()) return;
  throw InputError("queries", "kind '" + rule.kind + "' is unknown for " + std::string(problem),
                   suggestion(rule.kind, known));
}

void check_query_count(std::uint64_t count) {
  constexpr std::uint64_t kMost = 10'000'000;
  if (count >= 1 && count <= kMost) return;
  throw InputError("queries", "a count of " + std::to_string(count) + " is out of range",
                   "ask for 1 to " + std::to_string(kMost));
}

}  // namespace bellmark
