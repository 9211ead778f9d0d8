// Warnings to the reader of a result, each with an action.
#pragma once

#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"

namespace bellmark::run {

/// The result's `warnings` [{text, action}]. `cells` are the result's.
Json warnings_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                   const Json& environment, const Json& cells);

}  // namespace bellmark::run
