// Cells whose times are shown and not judged.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// The first of the `doubts` of a result's cells; "" where they have none, as in older results.
std::string doubt_of(std::initializer_list<const Json*> cells);

/// The doubts of what a claim's part rests on, each once and equal but for numbers counted: of its
/// rows `measured`.
std::string doubts_of_rows(const Json& rows);

}  // namespace bellmark::verdict
