// Fuzz target: the messages that include/bellmark/worker.hpp reads. An object of nlohmann-json must
// be the same object for the header.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "graph/fuzz_support.hpp"
#include "include/bellmark/worker.hpp"

namespace bellmark {
namespace {

using Json = nlohmann::json;

/// The header reads no deeper message.
bool is_flat(std::string_view bytes) {
  constexpr int kDeepest = 30;
  bool is_deep = false;
  const auto note_depth = [&](int depth, Json::parse_event_t, const Json&) {
    is_deep = is_deep || depth > kDeepest;
    return true;
  };
  return !Json::parse(bytes, note_depth, false).is_discarded() && !is_deep;
}

void check(std::string_view bytes) {
  // nlohmann-json takes a zero for the end.
  if (bytes.find('\0') != std::string_view::npos) return;
  const Json expected = Json::parse(bytes, nullptr, false);
  const bool must_read = expected.is_object() && is_flat(bytes);
  worker::detail::Json read;
  try {
    read = worker::detail::JsonReader::read(bytes);
  } catch (const std::runtime_error&) {
    require(!must_read, "an object is read");
    return;
  }
  if (!must_read) return;
  require(read.members.size() == expected.size(), "as many members");
  for (const auto& [key, value] : expected.items()) {
    const worker::detail::Json* member = read.find(key);
    require(member != nullptr && member->is_string == value.is_string(), "the same member");
    require(!value.is_string() || member->text == value.get<std::string>(), "the same text");
    const std::string again = worker::detail::json_text(member->text);
    require(!value.is_string() || Json::parse(again) == value,
            "text that is read as it is written");
  }
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bellmark::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
