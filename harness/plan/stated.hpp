// An experiment as its file states it, and what a short form and the command line make of it.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// An experiment as its file states it: in the full form, and in the one that runs.
struct Stated {
  Experiment full;
  Experiment form;
};

/// A file's values of an axis, or what it says under [run] in its place; none where it says
/// nothing.
std::vector<std::string> values_of(const Experiment& file, const std::string& axis);

/// What the command line has for this experiment. `-g` is for graphs, and of a paper's experiments
/// one may read regions of memory: it keeps its own.
Options options_for(const Experiment& experiment, const Options& options,
                    std::vector<std::string>& cuts);

/// The axes and the stand-in of a short form.
void apply_form_axes(Experiment& experiment, const Options& options);

/// What the command line states.
void apply_options(Experiment& experiment, const Options& options);

/// Where the command line has other graphs, axes that nothing but the file's graphs mentioned go
/// with them: they would be taken for keys of the variant.
void drop_graph_axes(const Stated& stated, Experiment& experiment, const Options& options,
                     std::vector<std::string>& cuts);

/// What became of the full form's values where the form or the command line has others.
void say_axes(const Stated& stated, const Experiment& experiment, const Options& options,
              std::vector<std::string>& cuts);

/// The queries, samples and blocks of a short form.
void apply_form_effort(Experiment& experiment, const Options& options,
                       std::vector<std::string>& cuts);

/// A baseline without a cell must not be another one in silence.
void check_baseline(Plan& plan, const Stated& stated);

}  // namespace bellmark::plan
