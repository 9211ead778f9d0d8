// `bellmark graph get`: fetches road graphs of the 9th DIMACS Implementation Challenge.
#pragma once

#include "harness/cli/command.hpp"

namespace bellmark::cli {

Command graph_get_command();

}  // namespace bellmark::cli
