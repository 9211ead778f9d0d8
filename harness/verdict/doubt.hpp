// Cells whose times are shown and not judged.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// The first of the `doubts` of a result's cells; "" where they have none, as in older results.
std::string doubt_of(std::initializer_list<const Json*> cells);

}  // namespace bellmark::verdict
