// Checks an experiment's file before anything is measured.
#pragma once

#include "harness/machine/topology.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::verdict {

/// Throws InputError, with file and line, on axes, figures and claims that no cell of the file can
/// meet. Both its full and its short form count. Changes of the command line don't: a claim that
/// they leave without cells is not testable here. Experiments without a file are not checked.
void check_experiment(const plan::Experiment& experiment, const machine::Topology& topology);

}  // namespace bellmark::verdict
