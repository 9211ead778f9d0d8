#include "harness/measure/start.hpp"

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::measure {
namespace {

constexpr EnumNames<Start, 4> kNames = {{{{Start::as_left, "as-left"},
                                          {Start::hot, "hot"},
                                          {Start::cold, "cold"},
                                          {Start::idle, "idle"}}}};

}  // namespace

std::string to_string(Start start) { return kNames.name_of(start); }

Start start_of(std::string_view name) {
  if (const auto start = kNames.value_of(name)) return *start;
  throw InputError("start", "'" + std::string(name) + "' is none of " + join(kNames.all(), ", "),
                   did_you_mean(name, kNames.all()));
}

}  // namespace bellmark::measure
