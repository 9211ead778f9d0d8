// The command that shows a crash in a debugger.
#pragma once

#include <string>

#include "harness/plan/plan.hpp"

namespace bellmark::run {

/// The command that runs the cell's variant under gdb. It asks that query alone if its problem has
/// a text form (`source 17`, `source 17 target 9`), else all of a smoke run's queries.
std::string debug_command(const plan::Cell& cell, const std::string& problem,
                          const std::string& query);

}  // namespace bellmark::run
