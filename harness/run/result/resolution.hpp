// The baseline of each placement against itself: the least difference that a run can show.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/result/collect.hpp"
#include "harness/run/supervise/journal_entry.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// An entry for each baseline that was measured twice, with the ratio of both in each block. An
/// entry is disturbed when its interval excludes 1 and its ratio is more than 3 % away from 1.
Json resolution_json(const plan::Plan& plan, const std::vector<CellRecord>& records,
                     const std::vector<JournalEntry>& entries);

}  // namespace bellmark::run
