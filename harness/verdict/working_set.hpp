// The working set of a cell's search, over the last-level cache of its cores. A search whose whole
// memory lies in that cache can't show the cost of memory.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/machine/topology.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// For a cell of a result: {bytes, last_level_cache_bytes, ratio, reason}. `bytes` is the memory
/// that the variant accounts for, of all processes and ranks together. The caches are those of all
/// PUs of the placement. Unknown values are null, and the ratio with them. `reason` says why.
Json working_set(const Json& cell, const machine::Topology& topology);

/// The working set in a stored result: its own, or for older results one from its topology.
Json working_set_of(const Json& result, const Json& cell);

}  // namespace bellmark::verdict
