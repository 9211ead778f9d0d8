// What is against judging a cell's times: that the work was not done in the time, or need not be.
#pragma once

#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"
#include "harness/run/result/collect.hpp"

namespace bellmark::run {

/// Gives each of a result's `cells` its `extraction` and `visits`, null where they were not
/// measured, and the `doubts` that follow: texts, none of a cell that failed. A doubt is
///   - one query, in a problem that has more to ask;
///   - an extract() that takes longer than its answer's size explains, in every block, and more
///   than
///     a tenth of the query's time;
///   - later visits that gain more than twice what the baseline's do, with 95 % confidence. The
///     baseline itself is held against every cell that is compared with it.
void add_doubts(const plan::Plan& plan, const std::vector<CellRecord>& records, Json& cells);

/// Doubts as entries of a result's `warnings`; none of cells of older results.
Json doubt_warnings(const Json& cells);

/// Memory that grows from query to query, as entries of a result's `warnings`.
Json growth_warnings(const Json& cells);

}  // namespace bellmark::run
