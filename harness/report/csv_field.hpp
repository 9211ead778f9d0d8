// A value as a field of a CSV file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::report {

/// Null is the empty field. Text with a separator stands in quotes. Text that a spreadsheet would
/// take for a formula begins with an apostrophe.
std::string csv_field(const nlohmann::ordered_json& value);

}  // namespace bellmark::report
