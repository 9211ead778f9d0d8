// The baseline of each placement against itself: what a run can tell apart.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"
#include "harness/run/supervise/journal_entry.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// An entry for each baseline that was measured twice: the ratio of both in each block. It is
/// disturbed where the interval excludes 1 and the ratio is more than 3 % away.
Json resolution_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                     const std::vector<JournalEntry>& entries);

}  // namespace bellmark::run
