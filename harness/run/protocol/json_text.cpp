#include "harness/run/protocol/json_text.hpp"

namespace bellmark::run {

nlohmann::ordered_json parse_json(std::string_view text) {
  using Json = nlohmann::ordered_json;
  constexpr int kDeepest = 128;
  bool is_deep = false;
  const auto note_depth = [&](int depth, Json::parse_event_t, const Json&) {
    is_deep = is_deep || depth > kDeepest;
    return !is_deep;
  };
  Json json = Json::parse(text, note_depth, false);
  return is_deep ? Json(Json::value_t::discarded) : json;
}

}  // namespace bellmark::run
