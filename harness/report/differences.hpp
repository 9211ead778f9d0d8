// The differences between the machines and graphs of two results, as far as times depend on them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/report/format.hpp"

namespace bellmark::report {

/// The names of the two results in the texts: `before` and `after`.
using Sides = std::pair<std::string, std::string>;

/// A text for each difference in CPU, caches, GPUs and compiler: `CPU: A before, B after`. Facts
/// that one of the results lacks are passed over.
std::vector<std::string> machine_differences(const Json& first, const Json& second,
                                             const Sides& sides);

/// Why two cells have different graphs, by their digests; "" if they have one graph, or don't tell.
std::string graph_difference(const Json& first, const Json& first_cell, const Json& second,
                             const Json& second_cell, const Sides& sides);

}  // namespace bellmark::report
