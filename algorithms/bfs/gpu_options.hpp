// The keys that searches by levels on the GPU share, and what `auto` becomes on a graph.
#pragma once

#include <string_view>

#include "algorithms/bfs/options.hpp"
#include "algorithms/contract/description.hpp"
#include "algorithms/contract/settings.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

/// The run-time key `threshold`: from how many arcs on a row is a warp's. The paper's is 32, a
/// warp's threads (hiragushi2013, section 3.2).
Key threshold_key();

/// The compile-time key `row_offsets`: how wide a row offset is on the device.
Key row_offsets_key();

/// `row_offsets=auto` is 32 where that many bits count the arcs. O(1). Throws InputError when an
/// explicit 32 is too few.
Settings resolve_row_offsets(const Settings& settings, Offset arc_count);

/// Throws UnmetError when no GPU can be used here.
void require_gpu(std::string_view family);

}  // namespace bellmark::bfs
