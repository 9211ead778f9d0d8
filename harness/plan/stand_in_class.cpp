#include "harness/plan/stand_in_class.hpp"

#include <algorithm>

#include "base/enum_names.hpp"
#include "base/text.hpp"

namespace bellmark::plan {
namespace {

constexpr EnumNames<StandInClass, 5> kNames = {
    {{{StandInClass::same_data, "same data"},
      {StandInClass::same_size, "same size, generated"},
      {StandInClass::smaller_can_show, "smaller, effect can show"},
      {StandInClass::other_program, "other program"},
      {StandInClass::smaller_cannot, "smaller, effect can't"}}}};

}  // namespace

std::string to_string(StandInClass stand_in_class) { return kNames.name_of(stand_in_class); }

std::optional<StandInClass> stand_in_class_of(std::string_view name) {
  return kNames.value_of(name);
}

std::vector<std::string> stand_in_class_names() { return kNames.all(); }

const StandIn* find_stand_in(const std::vector<StandIn>& stand_ins, const std::string& graph,
                             bool by_name) {
  const auto found = std::ranges::find_if(stand_ins, [&](const StandIn& stand_in) {
    if (!stand_in.variants.empty()) return false;
    if (stand_in.graphs.empty()) return !by_name;
    return std::ranges::any_of(stand_in.graphs,
                               [&](const auto& glob) { return glob_match(glob, graph); });
  });
  return found == stand_ins.end() ? nullptr : &*found;
}

bool is_other_program(const std::vector<StandIn>& stand_ins, const std::string& variant) {
  return std::ranges::any_of(stand_ins, [&](const StandIn& stand_in) {
    return std::ranges::any_of(stand_in.variants,
                               [&](const auto& glob) { return glob_match(glob, variant); });
  });
}

}  // namespace bellmark::plan
