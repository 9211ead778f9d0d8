#include "harness/plan/stand_ins.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/location.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

/// The graphs that these axes name; none if one of the axes is missing.
std::set<std::string> graphs_of(const std::vector<Axis>& axes) {
  const std::set<std::string> names = mentioned_by_inputs(axes);
  std::vector<Axis> part;
  for (const Axis& axis : axes) {
    if (is_input_axis(axis.first) || names.contains(axis.first)) part.push_back(axis);
  }
  const Axis* const inputs = find_input_axis(part);
  if (inputs == nullptr) return {};
  const std::string name = inputs->first;
  try {
    std::set<std::string> graphs;
    for (const Json& point : cross(part)) {
      graphs.insert(fill(name, axis_text(point[name]), point));
    }
    return graphs;
  } catch (const InputError&) {  // the command line gives it
    return {};
  }
}

/// The file's statements about the measured graphs.
class StatedGraphs {
 public:
  explicit StatedGraphs(const Stated& stated)
      : stated_(stated),
        word_(Registry::global().input_axis(stated.full.problem)),
        full_(graphs_of(stated.full.axes)),
        form_(graphs_of(stated.form.axes)) {}

  /// Null if the graph is not in the file.
  const std::vector<StandIn>* stand_ins_of(const std::string& graph) const {
    if (full_.empty() && form_.empty()) return &stated_.form.stand_ins;
    if (form_.contains(graph)) return &stated_.form.stand_ins;
    return full_.contains(graph) ? &stated_.full.stand_ins : nullptr;
  }

  std::string noun() const { return full_.size() == 1 ? word_ : word_ + "s"; }

 private:
  const Stated& stated_;
  std::string word_;
  std::set<std::string> full_;
  std::set<std::string> form_;
};

/// The file's stand-ins for its measured graphs, and the other replacements.
std::vector<std::string> stand_ins_of_graphs(const Plan& plan, const Stated& stated) {
  const StatedGraphs graphs(stated);
  std::vector<std::string> others;
  std::vector<std::string> own;
  for (const Cell& cell : plan.cells) {
    const std::vector<StandIn>* const stand_ins = graphs.stand_ins_of(cell.graph);
    if (stand_ins == nullptr) {
      add_once(others, cell.graph);
    } else if (const StandIn* const found = find_stand_in(*stand_ins, cell.graph)) {
      add_once(own, found->text);
    }
  }
  if (others.empty()) return own;
  own.insert(own.begin(), list_text(others) + " instead of the experiment's " + graphs.noun());
  return own;
}

std::vector<std::string> stand_ins_of_axes(const Plan& plan, const Stated& stated,
                                           const machine::Topology& topology) {
  std::vector<std::string> texts;
  const std::set<std::string> of_graphs = mentioned_by_inputs(plan.experiment.axes);
  for (const auto& [name, values] : axes_of(plan.options)) {
    // The named graphs replace axes that only make graphs.
    if (is_input_axis(name) || of_graphs.contains(name)) continue;
    std::vector<Axis> axes = stated.full.axes;
    for (const Axis& axis : stated.form.axes) axes.push_back(axis);
    // If only [run] names the place, it belongs to the machine and not to the experiment.
    if (name == "placement" && find_axis(axes, name) == nullptr) continue;
    std::vector<std::string> own = values_of(stated.full, name);
    for (const std::string& value : values_of(stated.form, name)) own.push_back(value);
    if (name == "placement") {
      for (const std::string& word : std::vector(own)) {
        try {
          for (const auto& place : machine::expand(topology, word)) own.push_back(place.word);
        } catch (const Error&) {  // no such place here
        }
      }
    }
    std::vector<std::string> others;
    for (const Cell& cell : plan.cells) {
      const std::string value = axis_text(cell.axes[name]);
      if (!has(own, value)) add_once(others, value);
    }
    if (others.empty()) continue;
    texts.push_back(
        name + " = " + list_text(others) +
        (own.empty() ? ", of which the experiment says nothing" : " instead of the experiment's"));
  }
  return texts;
}

/// The variants of the command line that the file lacks.
std::vector<std::string> other_variants(const Plan& plan, const Stated& stated) {
  if (plan.options.variants.empty()) return {};
  std::set<std::string> own;
  for (const Experiment* file : {&stated.full, &stated.form}) {
    for (const Json& axes : cross(file->axes)) {
      for (const std::string& pattern : file->variants) {
        try {
          for (const auto& selection :
               Registry::global().select(fill_variant(pattern, axes, file->axes))) {
            own.insert(selection.name());
          }
        } catch (const InputError&) {  // the command line may give what it lacks
        }
      }
    }
  }
  std::vector<std::string> others;
  for (const Cell& cell : plan.cells) {
    if (!own.contains(cell.variant) && !has(stated.full.variants, cell.pattern)) {
      add_once(others, cell.pattern);
    }
  }
  return others;
}

}  // namespace

void classify_cells(Plan& plan, const Stated& stated) {
  if (plan.experiment.paper_key.empty()) return;
  const StatedGraphs graphs(stated);
  for (Cell& cell : plan.cells) {
    const std::vector<StandIn>* const stand_ins = graphs.stand_ins_of(cell.graph);
    const bool is_own = stand_ins != nullptr;
    const StandIn* const found =
        find_stand_in(is_own ? *stand_ins : stated.form.stand_ins, cell.graph, !is_own);
    if (found != nullptr) {
      cell.stand_in_class = found->stand_in_class;
    } else if (is_own) {
      cell.stand_in_class = StandInClass::same_data;
    }
    const std::vector<StandIn>& all = is_own ? *stand_ins : stated.form.stand_ins;
    if (is_other_program(all, cell.variant)) {
      cell.stand_in_class = std::max(cell.stand_in_class.value_or(StandInClass::other_program),
                                     StandInClass::other_program);
    }
  }
}

std::string stand_in_of(const Plan& plan, const Stated& stated, const machine::Topology& topology) {
  if (stated.full.text.empty()) return {};
  std::vector<std::string> texts = stand_ins_of_graphs(plan, stated);
  const auto add = [&](const std::vector<std::string>& more) {
    texts.insert(texts.end(), more.begin(), more.end());
  };
  add(stand_ins_of_axes(plan, stated, topology));
  if (const auto variants = other_variants(plan, stated); !variants.empty()) {
    add({list_text(variants) + " instead of the experiment's variants"});
  }
  return join(texts, "; ");
}

}  // namespace bellmark::plan
