// The keys of sssp/delta-stepping, and the values of `auto` on a graph.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "algorithms/contract/description.hpp"
#include "algorithms/searches/label_correcting/options.hpp"
#include "graph/graph.hpp"

namespace bellmark::delta_stepping {

using label_correcting::Direction;
using label_correcting::Rows;

inline constexpr std::size_t kMostThreads = 256;
inline constexpr std::size_t kMostParcel = 126;  ///< entries: 1 KiB with the parcel's other fields

/// One combination of the compile-time keys, which label_correcting/options.hpp explains.
struct Options {
  Rows rows = Rows::four_slots;
  Direction direction = Direction::push;

  friend constexpr bool operator==(const Options&, const Options&) = default;
};

inline constexpr std::array kBuilt = {
    Options{},
    Options{.rows = Rows::by_length},
    Options{.rows = Rows::by_length, .direction = Direction::push_pull},
};

/// The run-time keys, resolved.
struct Tuning {
  std::size_t thread_count = 1;
  int delta_log2 = 0;               ///< a bucket is 2^delta_log2 wide
  std::uint64_t horizon = 0;        ///< as in label_correcting::Tuning
  std::size_t round_scans = 1;      ///< scans that a round should give each thread
  std::size_t least_parcel = 1;     ///< entries that are worth handing over
  bool touched_by_threads = false;  ///< rows and labels, each thread an equal part
};
Tuning tuning(const Settings& resolved);

Description describe(const Options& options);

/// Turns `auto`, and 0, into the values that the graph asks for, as label_correcting::resolve()
/// does. With four slots an automatic delta is 2^kWider times as wide, because taking a bucket
/// costs more than there. Throws InputError, with the figure, when an explicit value does not fit,
/// and when a distance and a vertex don't fit into one word (Labels). O(n + m).
Settings resolve(const Settings& settings, const Graph& graph);

inline constexpr int kWider = 1;

}  // namespace bellmark::delta_stepping
