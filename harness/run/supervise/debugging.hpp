// What to type to see a crash in a debugger.
#pragma once

#include <string>

#include "harness/plan/plan.hpp"

namespace bellmark::run {

/// The command that runs the cell's variant under gdb: on that query alone where its problem has a
/// text form (`source 17`, `source 17 target 9`), else on all of a smoke run's.
std::string debug_command(const plan::Cell& cell, const std::string& problem,
                          const std::string& query);

}  // namespace bellmark::run
