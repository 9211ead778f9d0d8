// The keys that searches by levels on the GPU share, and their meaning on a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/settings.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/searches/bfs/options.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

/// The run-time key `threshold`: the number of arcs from which on a row is a warp's. The paper's is
/// 32, a warp's threads (hiragushi2013, section 3.2).
Key threshold_key();

/// The run-time key `cpu_share`.
Key cpu_share_key(std::int64_t default_value);

/// The number of words of a bitmap of the block's rows that are the CPU's, the first ones: those
/// with the nearest to `percent` of the arcs. O(log(rows)).
std::size_t words_of_share(const Block& block, std::uint64_t percent);

/// The compile-time key `row_offsets`: the width of a row offset on the device.
Key row_offsets_key();

/// Whether 32 bits hold the row offsets of so many arcs, and the kernels' steps beyond them.
bool fits_short_row_offsets(Offset arc_count);

/// `row_offsets=auto` is 32 where that many bits count the arcs. O(1). Throws InputError when an
/// explicit 32 is too small.
Settings resolve_row_offsets(const Settings& settings, Offset arc_count);

/// Throws UnmetError when no GPU can be used here.
void require_gpu(std::string_view family);

}  // namespace bellmark::bfs
