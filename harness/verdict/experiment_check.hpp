// What an experiment's file states is checked before anything is measured.
#pragma once

#include "harness/machine/topology.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::verdict {

/// Throws InputError, with file and line, on axes, figures and claims that no cell of the file can
/// meet in its full form or its short one. What the command line changes doesn't count: a claim
/// that it leaves without cells is not testable here. Experiments that no file states are left
/// alone.
void check_experiment(const plan::Experiment& experiment, const machine::Topology& topology);

}  // namespace bellmark::verdict
