// Axes: found, replaced, crossed, and filled into patterns that mention them.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// The builds that are compared, by name.
inline constexpr const char* kBuildAxis = "build";

/// The words for the axis of inputs: of graphs, and of what else problems have.
inline constexpr std::array<const char*, 2> kInputAxes = {"graph", "input"};
bool is_input_axis(const std::string& name);

/// Null when there is none of that name.
const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name);

/// That of inputs, by either word; null when there is none.
const Axis* find_input_axis(const std::vector<Axis>& axes);

/// Gives the axis of that name other values, or adds it.
void replace_axis(std::vector<Axis>& axes, const Axis& axis);

Axis text_axis(std::string name, const std::vector<std::string>& values);

std::vector<std::string> texts_of(const std::vector<AxisValue>& values);

/// The first value that stands there twice, as text: cells know values by their text. "" when none
/// does.
std::string repeated_value(const std::vector<AxisValue>& values);

/// The axes that the command line states.
std::vector<Axis> axes_of(const Options& options);

/// `each:core` and the like become one value a place.
void expand_placements(std::vector<Axis>& axes, const machine::Topology& topology);

/// Axes that say where and how a variant runs; all others are keys of the variant.
bool is_of_run(const std::string& axis);

/// Every axis that these patterns mention, and those that its values mention in their turn.
std::set<std::string> mentioned_in(std::vector<std::string> patterns,
                                   const std::vector<Axis>& axes);

/// Those that the graphs, or other inputs, mention.
std::set<std::string> mentioned_by_inputs(const std::vector<Axis>& axes);

/// `{axis}` in a pattern takes the axis's value, which may mention other axes in its turn. `what`
/// names the pattern in errors.
std::string fill(const std::string& what, const std::string& pattern, const Json& axes);

/// An axis that neither the variant's pattern nor another axis mentions is a key of the variant, so
/// that any key can be an axis.
std::string fill_variant(const std::string& pattern, const Json& axes,
                         const std::vector<Axis>& all);

/// Every point: an object with one value of each axis. Throws InputError where there would be more
/// than can be held.
std::vector<Json> cross(const std::vector<Axis>& axes);

}  // namespace bellmark::plan
