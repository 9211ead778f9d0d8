// The replacements for a paper's data or for an experiment file's settings.
#pragma once

#include <string>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/stated.hpp"

namespace bellmark::plan {

/// Gives each cell the class of its graph: the file's statement, or same data if a paper's file has
/// none. Other graphs have no class, unless the file names them.
void classify_cells(Plan& plan, const Stated& stated);

/// The text of all replacements: by the file, for the paper's data; and by the command line, for
/// the file's settings.
std::string stand_in_of(const Plan& plan, const Stated& stated, const machine::Topology& topology);

}  // namespace bellmark::plan
