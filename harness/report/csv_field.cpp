#include "harness/report/csv_field.hpp"

#include <string_view>

namespace bellmark::report {
namespace {

/// A cell that begins with one of these would be a formula to a spreadsheet.
constexpr std::string_view kFormulaSigns = "=+-@\t\r";

std::string quoted(std::string text) {
  if (text.find_first_of(kFormulaSigns) == 0) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) {
    text.insert(at, 1, '"');
  }
  return "\"" + text + "\"";
}

}  // namespace

std::string csv_field(const nlohmann::ordered_json& value) {
  if (value.is_null()) return {};
  return value.is_string() ? quoted(value.get<std::string>()) : value.dump();
}

}  // namespace bellmark::report
