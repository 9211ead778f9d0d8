// The distance between the measured data and the paper's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::plan {

/// The nearest class first. Of several cells the last of their classes counts.
enum class StandInClass {
  same_data,
  same_size,         ///< generated, of the paper's size
  smaller_can_show,  ///< smaller, and the effect can show
  other_program,   ///< not the paper's program: at best its direction is shown, and nothing denied
  smaller_cannot,  ///< smaller, and the effect can't show: nothing is to be judged by it
};

/// `same data`, `same size, generated`, `smaller, effect can show`, `other program`, `smaller,
/// effect can't`.
std::string to_string(StandInClass stand_in_class);
/// Nothing for another text.
std::optional<StandInClass> stand_in_class_of(std::string_view name);
std::vector<std::string> stand_in_class_names();

/// The stand-in for the paper's data, or for its machine, and its graphs.
struct StandIn {
  std::string text;
  std::optional<StandInClass> stand_in_class = {};  ///< a bare text states none
  std::vector<std::string> graphs = {};             ///< globs; none: every graph of the experiment
  /// Globs of `other program`: the variants in place of the paper's.
  std::vector<std::string> variants = {};
};

/// The first stand-in for the graph that is not for variants; null when there is none. `by_name`:
/// only stand-ins that name graphs.
const StandIn* find_stand_in(const std::vector<StandIn>& stand_ins, const std::string& graph,
                             bool by_name = false);

/// True if a stand-in says that the variant is another program than the paper's.
bool is_other_program(const std::vector<StandIn>& stand_ins, const std::string& variant);

}  // namespace bellmark::plan
