// Parts of an experiment for job arrays.
#pragma once

#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// Leaves a shard's cells. Queries are part of what a cell is: they are the same in all shards, and
/// fit the budget in each.
void take_shard(Plan& plan, const Shard& shard);

}  // namespace bellmark::plan
