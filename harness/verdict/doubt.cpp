#include "harness/verdict/doubt.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace bellmark::verdict {

std::string doubt_of(std::initializer_list<const Json*> cells) {
  for (const Json* cell : cells) {
    const Json doubts = cell->value("doubts", Json::array());
    if (!doubts.empty()) return doubts.front().get<std::string>();
  }
  return {};
}

std::string doubts_of_rows(const Json& rows) {
  std::vector<std::string> doubts;
  for (const Json& row : rows) {
    const auto doubt = row.value("doubt", std::string());
    if (doubt.empty() || std::ranges::count(doubts, doubt) > 0) continue;
    doubts.push_back(doubt);
  }
  return join(doubts, "; ");
}

}  // namespace bellmark::verdict
