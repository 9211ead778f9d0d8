#include "algorithms/searches/bfs/gpu_options.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "base/error.hpp"

namespace bellmark::bfs {
namespace {

/// Kernels step beyond a row's end by less than this.
constexpr Offset kStep = 1024;
constexpr Offset kMostArcs = std::numeric_limits<std::uint32_t>::max() - kStep;

}  // namespace

Key cpu_share_key(std::int64_t default_value) {
  return at_run_time(
      integer_key("cpu_share", default_value, 0, 100, "Share of the arcs that the CPU takes"), true,
      "percent");
}

std::size_t words_of_share(const Block& block, std::uint64_t percent) {
  const Vertex n = block.rows().size();
  const std::size_t words = word_count(n);
  if (percent == 100) return words;
  const auto arcs_before = [&](std::size_t word) {
    return n == 0 ? 0 : block.row_offsets()[std::min<std::size_t>(n, word * kWordBits)];
  };
  const Offset wanted = block.arc_count() * percent / 100;
  std::size_t low = 0;
  std::size_t high = words;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (arcs_before(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool nearer_below = low > 0 && wanted - arcs_before(low - 1) < arcs_before(low) - wanted;
  return nearer_below ? low - 1 : low;
}

Key threshold_key() {
  return at_run_time(integer_key("threshold", 32, 1, kMostWeight,
                                 "Bottom-up: a vertex with this many arcs or more gets a warp. Any "
                                 "other vertex gets a thread"),
                     true, "arcs");
}

Key row_offsets_key() {
  return implied(word_key("row_offsets", "auto", {"auto", "32", "64"}, "Bits of a row offset"));
}

bool fits_short_row_offsets(Offset arc_count) { return arc_count <= kMostArcs; }

Settings resolve_row_offsets(const Settings& settings, Offset arc_count) {
  const bool fits = fits_short_row_offsets(arc_count);
  const std::string& wanted = settings.get("row_offsets");
  if (wanted == "32" && !fits) {
    throw InputError("row_offsets=32",
                     std::to_string(arc_count) + " arcs are more than the " +
                         std::to_string(kMostArcs) + " that it counts",
                     "use row_offsets=64 or row_offsets=auto");
  }
  Settings resolved = settings;
  if (wanted == "auto") resolved.set("row_offsets", fits ? "32" : "64");
  return resolved;
}

void require_gpu(std::string_view family) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) {
    throw UnmetError(family, reason, "run it where a CUDA device is");
  }
}

}  // namespace bellmark::bfs
