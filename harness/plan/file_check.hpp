// Checks an experiment's file before a run: every part that it names must exist. Without the check,
// a missing part would only show after the run.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::plan {

/// A file's points, in the form of its cells: objects of axis -> value.
struct StatedPoints {
  std::vector<Axis> axes;  ///< with every value that one of the forms has
  std::vector<Json> full;
  std::vector<Json> quick;

  /// True if one of the forms has a point that the selector picks.
  bool has(const Selector& selector) const;
};

/// The points of a file. Unknown values stay as the file has them: places that this machine lacks,
/// places that claims name while the file has `each:`, and graphs of the command line.
StatedPoints stated_points(const Experiment& experiment, const machine::Topology& topology);

/// Checks the selector at `path`. Throws InputError, with file and line, on a value that no point
/// has, or on values that no point has together.
void check_selector(const Experiment& experiment, const StatedPoints& points,
                    const std::string& path, const Selector& selector);

/// Checks the axes, the baseline and the problem. Throws InputError, with file and line, on
/// repeated values and on axes of the short form that don't exist. Also on excludes that leave
/// nothing out, a baseline that a form lacks, and an unknown problem.
void check_axes(const Experiment& experiment, const StatedPoints& points,
                const machine::Topology& topology);

/// Throws InputError, with file and line, on a figure that could not be drawn.
void check_figures(const Experiment& experiment, const StatedPoints& points);

}  // namespace bellmark::plan
