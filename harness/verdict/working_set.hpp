// What a cell's search holds, over the last-level cache of the cores that it ran on: a search whose
// whole memory lies in that cache can't show what memory costs.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/machine/topology.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// Of a cell of a result: {bytes, last_level_cache_bytes, ratio, reason}. `bytes` is what the
/// variant accounts for, of all processes and ranks together. The caches are those of all PUs of
/// the placement. What is not known is null, the ratio with it, and `reason` says why.
Json working_set(const Json& cell, const machine::Topology& topology);

/// The same of a stored result: what it says itself, or what its topology tells where it is older.
Json working_set_of(const Json& result, const Json& cell);

}  // namespace bellmark::verdict
