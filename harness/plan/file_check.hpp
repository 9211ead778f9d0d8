// What an experiment's file states must be there to be measured: what is not would only be found
// once a run is over.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/topology.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::plan {

/// A file's points, as its cells will have them: objects of axis -> value.
struct StatedPoints {
  std::vector<Axis> axes;  ///< with every value that one of the forms has
  std::vector<Json> full;
  std::vector<Json> quick;

  /// Does one of the forms have a point that the selector picks?
  bool has(const Selector& selector) const;
};

/// What can't be known is taken as the file says it: places that this machine lacks, those that
/// claims name where the file has `each:`, and graphs where it leaves them to the command line.
StatedPoints stated_points(const Experiment& experiment, const machine::Topology& topology);

/// Throws InputError, with file and line, on a value that the selector at `path` names and no point
/// has, or on values that no point has together.
void check_selector(const Experiment& experiment, const StatedPoints& points,
                    const std::string& path, const Selector& selector);

/// Throws InputError, with file and line: values that stand twice, axes of the short form that are
/// none, excludes that leave nothing out, a baseline that a form lacks, an unknown problem.
void check_axes(const Experiment& experiment, const StatedPoints& points,
                const machine::Topology& topology);

/// Throws InputError, with file and line, on a figure that could not be drawn.
void check_figures(const Experiment& experiment, const StatedPoints& points);

}  // namespace bellmark::plan
