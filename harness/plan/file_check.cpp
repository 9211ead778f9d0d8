#include "harness/plan/file_check.hpp"

#include <algorithm>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/location.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/cells.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

/// Every value of an axis that a claim or the baseline names.
std::vector<std::string> named_values(const Experiment& experiment, const std::string& axis) {
  std::vector<std::string> values;
  const auto add = [&](const Selector& selector) {
    const Axis* const named = find_axis(selector.wanted, axis);
    if (named == nullptr) return;
    for (const std::string& value : texts_of(named->second)) add_once(values, value);
  };
  add(experiment.baseline);
  for (const Claim& claim : experiment.claims) {
    for (const Selector* one : {&claim.numerator, &claim.denominator, &claim.where}) add(*one);
    for (const Selector& one : claim.order) add(one);
    for (const ShownCell& cell : claim.cells) {
      add(cell.where);
      add(cell.denominator);
    }
    for (const Statement& statement : claim.statements) {
      for (const Selector* one : {&statement.numerator, &statement.denominator,
                                  &statement.over_numerator, &statement.over_denominator}) {
        add(*one);
      }
    }
  }
  return values;
}

/// The words of these places in the planned cells.
std::vector<std::string> expanded(const std::vector<std::string>& words,
                                  const Experiment& experiment, const machine::Topology& topology) {
  std::vector<std::string> places;
  for (const std::string& word : words) {
    if (word.starts_with("pair:")) {
      add_once(places, word);
      continue;
    }
    if (word.starts_with("each:")) {
      for (const std::string& place : named_values(experiment, "placement")) {
        add_once(places, place);
      }
    }
    try {
      for (const auto& place : machine::expand(topology, word)) add_once(places, place.word);
    } catch (const Error&) {  // not here
      add_once(places, word);
    }
  }
  return places;
}

std::vector<Json> points_of(const Experiment& form) {
  std::vector<Json> points = cross(form.axes);
  std::erase_if(points, [&](const Json& point) { return exclude_of(form, point) != nullptr; });
  return points;
}

bool picks(const std::vector<Json>& points, const Selector& selector) {
  return std::ranges::any_of(points, [&](const Json& point) { return selector.matches(point); });
}

void check_values(const Experiment& experiment, const std::string& path,
                  const std::vector<Axis>& axes) {
  for (const auto& [name, values] : axes) {
    const std::string twice = repeated_value(values);
    if (twice.empty()) continue;
    throw InputError(place_of(experiment, path + "." + name, twice),
                     "'" + path + "." + name + "' has '" + twice + "' twice", "write it once");
  }
}

void check_baseline_of(const Experiment& experiment, const StatedPoints& points) {
  const Selector& baseline = experiment.baseline;
  if (baseline.empty()) return;
  check_selector(experiment, points, "run.baseline", baseline);
  const auto refuse = [&](const std::string& path, const std::string& form) {
    return InputError(place_of(experiment, path),
                      "the " + form + " form has no cell of the baseline, " + baseline.text(),
                      "add its value, or choose a baseline that both forms have");
  };
  if (!picks(points.full, baseline)) throw refuse("axes", "full");
  if (!picks(points.quick, baseline)) throw refuse("quick.axes", "quick");
}

void check_excludes(const Experiment& experiment, const machine::Topology& topology) {
  if (experiment.excludes.empty()) return;
  Experiment whole = experiment;
  whole.excludes.clear();
  const StatedPoints all = stated_points(whole, topology);
  for (std::size_t i = 0; i < experiment.excludes.size(); ++i) {
    check_selector(experiment, all, "exclude[" + std::to_string(i) + "].where",
                   experiment.excludes[i].where);
  }
}

}  // namespace

bool StatedPoints::has(const Selector& selector) const {
  return picks(full, selector) || picks(quick, selector);
}

StatedPoints stated_points(const Experiment& experiment, const machine::Topology& topology) {
  StatedPoints points;
  Experiment form = experiment;
  // Graphs that the file leaves to the command line may have any name.
  if (find_input_axis(form.axes) == nullptr && find_input_axis(form.quick.axes) == nullptr) {
    const std::string name = Registry::global().input_axis(experiment.problem);
    form.axes.push_back(text_axis(name, named_values(experiment, name)));
    if (form.axes.back().second.empty()) form.axes.back().second.emplace_back("");
  }
  const auto expand = [&] {
    const Axis* const places = find_axis(form.axes, "placement");
    const std::vector<std::string> words =
        places == nullptr ? std::vector{form.placement} : texts_of(places->second);
    replace_axis(form.axes, text_axis("placement", expanded(words, experiment, topology)));
  };
  expand();
  points.axes = form.axes;
  points.full = points_of(form);
  for (const Axis& axis : experiment.quick.axes) replace_axis(form.axes, axis);
  expand();
  points.quick = points_of(form);
  for (const auto& [name, values] : form.axes) {
    if (find_axis(points.axes, name) == nullptr) points.axes.push_back({name, {}});
    auto& known = std::ranges::find(points.axes, name, &Axis::first)->second;
    known.insert(known.end(), values.begin(), values.end());
  }
  return points;
}

void check_selector(const Experiment& experiment, const StatedPoints& points,
                    const std::string& path, const Selector& selector) {
  for (const auto& [name, values] : selector.wanted) {
    const Axis* const axis = find_axis(points.axes, name);
    std::vector<std::string> known;
    if (axis != nullptr) {
      for (const std::string& value : texts_of(axis->second)) add_once(known, value);
    }
    for (const std::string& value : texts_of(values)) {
      if (has(known, value)) continue;
      throw InputError(place_of(experiment, path + "." + name, value),
                       "no cell has " + name + " = " + value, suggestion(value, known));
    }
  }
  if (points.has(selector)) return;
  throw InputError(place_of(experiment, path), "no cell has " + selector.text(),
                   "name values that meet in a cell: the experiment's excludes leave some out");
}

void check_axes(const Experiment& experiment, const StatedPoints& points,
                const machine::Topology& topology) {
  const std::vector<std::string> problems = Registry::global().problems();
  if (!has(problems, experiment.problem)) {
    throw InputError(place_of(experiment, "workload.problem"),
                     "there is no problem '" + experiment.problem + "'",
                     suggestion(experiment.problem, problems));
  }
  with_place([&] { Registry::global().check_rule(experiment.problem, experiment.queries); },
             [&](const std::string&) { return place_of(experiment, "workload.queries"); });
  check_values(experiment, "axes", experiment.axes);
  check_values(experiment, "quick.axes", experiment.quick.axes);
  std::vector<std::string> known;
  for (const Axis& axis : experiment.axes) known.push_back(axis.first);
  for (const auto& [name, values] : experiment.quick.axes) {
    if (has(known, name) || is_of_run(name)) continue;
    throw InputError(place_of(experiment, "quick.axes." + name),
                     "'quick.axes." + name + "' is not an axis of this experiment",
                     suggestion(name, known));
  }
  check_excludes(experiment, topology);
  check_baseline_of(experiment, points);
}

}  // namespace bellmark::plan
