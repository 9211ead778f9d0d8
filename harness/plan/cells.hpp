// Cells of an experiment: what they are, where they run, how they are called and grouped.
#pragma once

#include <string>

#include "base/error.hpp"
#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// 16 hexadecimal digits of what the cell is.
std::string cell_id(const Cell& cell, const Experiment& experiment);

/// What leaves these axes out; null when they stay.
const Exclude* exclude_of(const Experiment& experiment, const Json& axes);

/// Where the experiment's file states an axis's value in the form that is planned, or the axis; ""
/// where the command line does.
std::string place_of_axis(const Plan& plan, const std::string& name, const std::string& value);

/// Where the file states what a message quotes first: an axis's value, or an axis. Else where it
/// states `pattern`, one of its variants. "" for what no file states.
std::string place_of_fault(const Plan& plan, const std::string& pattern,
                           const std::string& message);

/// Does `work`. What its InputError says gets a place in front, which `place` knows by the message.
template <class Work, class Place>
auto with_place(Work work, Place place) {
  try {
    return work();
  } catch (const InputError& error) {
    const std::string where = place(std::string(error.what()));
    if (where.empty()) throw;
    throw InputError(where, error.what());
  }
}

/// Every cell of the plan's experiment, with what its excludes left out among the cuts. Throws
/// InputError.
void make_cells(Plan& plan, const machine::Topology& topology);

/// Groups the plan's cells anew.
void make_groups(Plan& plan);

}  // namespace bellmark::plan
