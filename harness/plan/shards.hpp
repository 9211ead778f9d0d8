// Parts of an experiment for job arrays.
#pragma once

#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// Keeps only a shard's cells. Queries are part of a cell's id, so they are the same in all shards,
/// and fit the budget in each.
void take_shard(Plan& plan, const Shard& shard);

}  // namespace bellmark::plan
