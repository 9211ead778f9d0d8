// JSON from untrusted text, and text from JSON that holds untrusted words.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace bellmark::run {

/// `is_discarded()` when `text` is not JSON, or nests deeper than any JSON that Bellmark writes. A
/// reader would run out of stack on its way through deeper JSON.
nlohmann::ordered_json parse_json(std::string_view text);

/// Bytes that are not UTF-8 become U+FFFD; dump() alone would throw.
template <class Json>
std::string json_text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace bellmark::run
