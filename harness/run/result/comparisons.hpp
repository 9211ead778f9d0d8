// The comparisons of a result: paired ratios of cells over their blocks.
#pragma once

#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"

namespace bellmark::run {

/// Each cell against its baseline, and every pair that a claim or the diagnosis needs. `cells` are
/// the result's. Cells that failed are in none.
Json comparisons_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                      const Json& cells);

}  // namespace bellmark::run
