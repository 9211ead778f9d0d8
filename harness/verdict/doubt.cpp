#include "harness/verdict/doubt.hpp"

#include <vector>

#include "base/alike.hpp"
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
    if (const auto doubt = row.value("doubt", std::string()); !doubt.empty()) {
      doubts.push_back(doubt);
    }
  }
  return join(once_each(doubts), "; ");
}

}  // namespace bellmark::verdict
