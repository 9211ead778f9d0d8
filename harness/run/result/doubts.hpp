// Reasons against judging a cell's times: the work was perhaps not done in the time.
#pragma once

#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/result/collect.hpp"

namespace bellmark::run {

/// Gives each of a result's `cells` its `extraction` and `visits`, null where they were not
/// measured, and its `doubts`. Doubts are texts, and failed cells have none. These are doubts:
///   - one query only, though the problem has more to ask;
///   - an extract() that takes longer than its answer's size explains, in every block, and more
///     than a tenth of the query's time;
///   - later visits that gain more than twice the baseline's gain, with 95 % confidence. The
///     baseline itself is compared with every cell that is compared with it.
void add_doubts(const plan::Plan& plan, const std::vector<CellRecord>& records, Json& cells);

/// Doubts as entries of a result's `warnings`. Cells of older results have none.
Json doubt_warnings(const Json& cells);

/// Memory that grows from query to query, as entries of a result's `warnings`.
Json growth_warnings(const Json& cells);

}  // namespace bellmark::run
