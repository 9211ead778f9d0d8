// Where two results were measured, as far as times depend on it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// What the texts call the two results: `before` and `after`.
using Sides = std::pair<std::string, std::string>;

/// What is not alike of CPU, caches, GPUs and compiler, a text each: `CPU: A before, B after`. What
/// one of the results doesn't tell is passed over.
std::vector<std::string> machine_differences(const Json& first, const Json& second,
                                             const Sides& sides);

/// Why two cells are of other graphs, by their digests; "" where they are of one, or don't tell.
std::string graph_difference(const Json& first, const Json& first_cell, const Json& second,
                             const Json& second_cell, const Sides& sides);

}  // namespace bellmark::report
