// How near what is measured is to what the paper measured.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellmark::plan {

/// The nearest first: of several cells the last of their classes counts.
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

/// What stands in for the paper's data, or for its machine, and on which graphs.
struct StandIn {
  std::string text;
  std::optional<StandInClass> stand_in_class = {};  ///< a bare text states none
  std::vector<std::string> graphs = {};             ///< globs; none: every graph of the experiment
  /// Globs of `other program`: what stands in the place of the paper's.
  std::vector<std::string> variants = {};
};

/// The first that is meant for the graph, and not for variants; null where none is. `by_name`: only
/// those that name graphs.
const StandIn* find_stand_in(const std::vector<StandIn>& stand_ins, const std::string& graph,
                             bool by_name = false);

/// Whether one of them says that the variant is another program than the paper's.
bool is_other_program(const std::vector<StandIn>& stand_ins, const std::string& variant);

}  // namespace bellmark::plan
