// Checks an experiment's file before anything is measured.
#pragma once

#include "harness/machine/topology.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::verdict {

/// Throws InputError, with file and line, on axes, figures and claims that no cell of the file can
/// meet, in its full form or its short one. Changes of the command line don't count: a claim that
/// they leave without cells is not testable here. Experiments without a file are not checked.
void check_experiment(const plan::Experiment& experiment, const machine::Topology& topology);

}  // namespace bellmark::verdict
