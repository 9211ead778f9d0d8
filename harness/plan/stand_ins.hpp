// What is measured in place of what a paper did or an experiment's file states.
#pragma once

#include <string>

#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"
#include "harness/plan/stated.hpp"

namespace bellmark::plan {

/// What was measured in place of what the paper did, by the file, and in place of what the file
/// states, by the command line.
std::string stand_in_of(const Plan& plan, const Stated& stated, const machine::Topology& topology);

}  // namespace bellmark::plan
