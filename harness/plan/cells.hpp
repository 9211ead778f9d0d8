// Cells of an experiment: their settings, places, names and groups.
#pragma once

#include <string>

#include "base/error.hpp"
#include "harness/machine/topology.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// 16 hexadecimal digits from the cell's settings.
std::string cell_id(const Cell& cell, const Experiment& experiment);

/// The exclude that leaves these axes out; null when they stay.
const Exclude* exclude_of(const Experiment& experiment, const Json& axes);

/// The place where the experiment's file states an axis's value in the planned form, or the axis;
/// "" if the command line states it.
std::string place_of_axis(const Plan& plan, const std::string& name, const std::string& value);

/// The place where the file states the first quoted word of a message: an axis's value, or an axis.
/// Otherwise the place of `pattern`, one of its variants. "" if no file states it.
std::string place_of_fault(const Plan& plan, const std::string& pattern,
                           const std::string& message);

/// Does `work`, and puts a place in front of its InputError's message. `place` finds it from the
/// message.
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

/// Makes every cell of the plan's experiment, and lists the cells that its excludes leave out among
/// the cuts. Throws InputError.
void make_cells(Plan& plan, const machine::Topology& topology);

/// Groups the plan's cells anew.
void make_groups(Plan& plan);

}  // namespace bellmark::plan
