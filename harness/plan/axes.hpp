// Axes: found, replaced, crossed, and filled into patterns that mention them.
#pragma once

#include <array>
#include <set>
#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// The axis of compared builds, by name.
inline constexpr const char* kBuildAxis = "build";

/// The words for the axis of inputs: graphs, and other problems' inputs.
inline constexpr std::array<const char*, 2> kInputAxes = {"graph", "input"};
bool is_input_axis(const std::string& name);

/// Null when there is no axis of that name.
const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name);

/// The axis of inputs, by either word; null when there is none.
const Axis* find_input_axis(const std::vector<Axis>& axes);

/// Gives the axis of that name other values, or adds it.
void replace_axis(std::vector<Axis>& axes, const Axis& axis);

Axis text_axis(std::string name, const std::vector<std::string>& values);

std::vector<std::string> texts_of(const std::vector<AxisValue>& values);

/// The first value that occurs twice, as text: cells know values by their text. "" when there is
/// none.
std::string repeated_value(const std::vector<AxisValue>& values);

/// The axes that the command line states.
std::vector<Axis> axes_of(const Options& options);

/// Turns `each:core` and the like into one value for each place.
void expand_placements(std::vector<Axis>& axes, const machine::Topology& topology);

/// True of axes that say where and how a variant runs. All others are keys of the variant.
bool is_of_run(const std::string& axis);

/// Every axis that these patterns mention, and the axes that its values mention in turn.
std::set<std::string> mentioned_in(std::vector<std::string> patterns,
                                   const std::vector<Axis>& axes);

/// The axes that the graphs, or other inputs, mention.
std::set<std::string> mentioned_by_inputs(const std::vector<Axis>& axes);

/// Replaces `{axis}` in a pattern by the axis's value, which may mention other axes in turn. `what`
/// names the pattern in errors.
std::string fill(const std::string& what, const std::string& pattern, const Json& axes);

/// Makes each axis a key of the variant that neither the variant's pattern nor another axis
/// mentions. So any key can be an axis.
std::string fill_variant(const std::string& pattern, const Json& axes,
                         const std::vector<Axis>& all);

/// Every point: an object with one value of each axis. Throws InputError when there would be too
/// many points to hold.
std::vector<Json> cross(const std::vector<Axis>& axes);

}  // namespace bellmark::plan
