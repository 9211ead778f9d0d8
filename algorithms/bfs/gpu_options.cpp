#include "algorithms/bfs/gpu_options.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "algorithms/contract/gpu.hpp"
#include "base/error.hpp"

namespace bellmark::bfs {
namespace {

/// Kernels step beyond a row's end by less than this.
constexpr Offset kStep = 1024;
constexpr Offset kMostArcs = std::numeric_limits<std::uint32_t>::max() - kStep;

}  // namespace

Key threshold_key() {
  return at_run_time(integer_key("threshold", 32, 1, kMostWeight,
                                 "bottom-up: vertices with as many arcs are a warp's each, others "
                                 "a thread's"),
                     true, "arcs");
}

Key row_offsets_key() {
  return implied(word_key("row_offsets", "auto", {"auto", "32", "64"}, "bits of a row offset"));
}

Settings resolve_row_offsets(const Settings& settings, Offset arc_count) {
  const bool fits = arc_count <= kMostArcs;
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
