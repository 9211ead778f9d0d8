// JSON from text that anybody may have written, and text from JSON that holds anybody's words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bellmark::run {

/// `is_discarded()` where `text` is no JSON, or nests deeper than anything that is written here:
/// whoever walks over it would run out of stack.
nlohmann::ordered_json parse_json(std::string_view text);

/// Bytes that are no UTF-8 become U+FFFD; dump() alone would throw.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bellmark::run
