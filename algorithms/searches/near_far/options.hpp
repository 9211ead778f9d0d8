// The keys of the near-far families, and the values of `auto` on a graph.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "algorithms/gpu/narrow_offsets.hpp"
#include "graph/graph.hpp"

namespace bellmark::near_far {

/// The part of the GPU that answers a query: one thread-block cluster, or the whole device.
enum class Scope { cluster, device };

/// From this size on a wide frontier is more than a cluster keeps in flight: larger blocks and
/// narrower buckets are faster. Measured on an H200.
inline constexpr Vertex kLargeGraph = 4'000'000;

/// The key `scope`, for families that leave the choice to the user.
Key scope_key();

/// The key `rows`, for families whose whole device can read rows in two forms.
Key rows_key();

/// The keys `direction` and `horizon`, for families that pull too.
std::vector<Key> direction_keys();

/// The key `contract` (contracted/key.hpp), with `auto`.
Key contract_key();

/// The key `hops`, for families whose blocks may follow several hops alone.
Key hops_key();

/// The key `ahead`, for the same families.
Key ahead_key();

/// The common part of the families' Descriptions: source, needs, `device`, `distance`, `delta`.
Description describe(int distance_bits);

/// Turns `auto` (and `delta=0`) into the values that the graph asks for:
///   distance  32 where distance_bound() fits, every length is positive and there are no more than
///             gpu::kMostNarrowArcs; else 64
///   scope     device
///   rows      slots with scope=cluster, and with direction=push on graphs of even, low degree and
///             no more than gpu::kMostNarrowArcs; scan on others
///   contract  chains with direction=push where many vertices have one or two arcs
///             (contracted::has_chains()) and every length is positive
///   direction push-pull with scope=device on symmetric graphs with a core: a mean degree of 8 or
///             more, and a row at least 32 times as long
///   hops      1 with rows=scan
///   ahead     0 with hops=1
///   horizon   1/32 of the mean length; 0 with direction=push
///   delta     cluster: 96 * mean length / mean degree, with contract=chains 40 * mean length; from
///             kLargeGraph vertices on a quarter of that. device: with rows=slots 160 * mean length
///             / mean degree, with contract=chains, too, 400 * mean length or, on maps of more than
///             10^6 vertices, 400,000 * mean length / root of the vertices. With rows=scan 16 *
///             mean length / mean degree (Davidson et al.: 32), with direction=push-pull mean
///             length / 8. Measured on an H200.
/// Throws InputError when an explicit `distance=32` does not fit, and when `contract=chains` meets
/// arcs of length 0. Throws it too when direction=push-pull has no scope=device or no symmetric
/// graph, and when an explicit `rows` contradicts the other keys. O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);

/// The same where only `scope` is built, and is no key.
Settings resolve(const Settings& settings, const Graph& graph, Scope scope);

/// The longest chain that `contract=chains` makes. A search starts from both ends of a chain, so
/// that a label of `distance_bits` may lie two chains beyond a final one.
std::uint32_t longest_chain(const Graph& graph, std::uint64_t delta, int distance_bits);

/// The number of arcs in the longest row. O(n).
Offset longest_row(const Graph& graph);

/// Throws UnmetError when no GPU can be used here. `family`: for the message.
void require_device(const char* family);

/// Throws UnmetError when the graph has more than gpu::kMostNarrowArcs. `family` and `instead`,
/// another one: for the message.
void require_arcs(const Graph& graph, const char* family, const char* instead);

}  // namespace bellmark::near_far
