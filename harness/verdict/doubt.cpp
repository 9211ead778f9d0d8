#include "harness/verdict/doubt.hpp"

namespace bellmark::verdict {

std::string doubt_of(std::initializer_list<const Json*> cells) {
  for (const Json* cell : cells) {
    const Json doubts = cell->value("doubts", Json::array());
    if (!doubts.empty()) return doubts.front().get<std::string>();
  }
  return {};
}

}  // namespace bellmark::verdict
