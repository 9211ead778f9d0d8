// Programs as families of the registry.
#pragma once

#include <vector>

#include "harness/external/program.hpp"

namespace bellmark::external {

/// Makes each program a family, which replaces a family of that name. A program that is not here
/// becomes an absent family with the reason. No selection may be held. Starts nothing.
void define(const std::vector<Program>& programs);

}  // namespace bellmark::external
