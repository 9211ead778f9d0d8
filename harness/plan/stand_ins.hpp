// What is measured in place of what a paper did or an experiment's file states.
#pragma once

#include <string>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/stated.hpp"

namespace bellmark::plan {

/// The class of each cell's graph: what the file states of it, or same data where a paper's file
/// states nothing. Of other graphs nothing is known, unless the file names them.
void classify_cells(Plan& plan, const Stated& stated);

/// What was measured in place of what the paper did, by the file, and in place of what the file
/// states, by the command line.
std::string stand_in_of(const Plan& plan, const Stated& stated, const machine::Topology& topology);

}  // namespace bellmark::plan
