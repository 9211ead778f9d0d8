// Programs as families of the registry.
#pragma once

#include <vector>

#include "harness/external/program.hpp"

namespace bellmark::external {

/// Makes a family of each, in place of one of that name; one that is not here becomes an absent
/// family with the reason. No selection may be held. Starts nothing.
void define(const std::vector<Program>& programs);

}  // namespace bellmark::external
