// An experiment of a file, and the changes of a short form and the command line.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// An experiment of a file: in the full form, and in the form that runs.
struct Stated {
  Experiment full;
  Experiment form;
};

/// A file's values of an axis, or the value under [run] in its place; none if it has neither.
std::vector<std::string> values_of(const Experiment& file, const std::string& axis);

/// The command line's options for this experiment. `-g` is for graphs. A paper's experiment may
/// read regions of memory: it keeps its own.
Options options_for(const Experiment& experiment, const Options& options,
                    std::vector<std::string>& cuts);

/// The axes and the stand-in of a short form.
void apply_form_axes(Experiment& experiment, const Options& options);

/// Applies the command line's settings.
void apply_options(Experiment& experiment, const Options& options);

/// Drops axes that only the file's graphs mention, if the command line has other graphs. Otherwise
/// they would be taken for keys of the variant.
void drop_graph_axes(const Stated& stated, Experiment& experiment, const Options& options,
                     std::vector<std::string>& cuts);

/// Notes how the form or the command line changed the full form's values.
void say_axes(const Stated& stated, const Experiment& experiment, const Options& options,
              std::vector<std::string>& cuts);

/// The queries, samples and blocks of a short form.
void apply_form_effort(Experiment& experiment, const Options& options,
                       std::vector<std::string>& cuts);

/// A baseline without a cell must not change silently.
void check_baseline(Plan& plan, const Stated& stated);

}  // namespace bellmark::plan
