// Cells of an experiment: what they are, where they run, how they are called and grouped.
#pragma once

#include <string>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// 16 hexadecimal digits of what the cell is.
std::string cell_id(const Cell& cell, const Experiment& experiment);

/// What leaves these axes out; null when they stay.
const Exclude* exclude_of(const Experiment& experiment, const Json& axes);

/// Every cell of the plan's experiment, with what its excludes left out among the cuts. Throws
/// InputError.
void make_cells(Plan& plan, const machine::Topology& topology);

/// Groups the plan's cells anew.
void make_groups(Plan& plan);

}  // namespace bellmark::plan
