#include "algorithms/searches/bellman_ford/bellman_ford_gpu.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>

#include "algorithms/searches/bellman_ford/options.hpp"
#include "base/error.hpp"

namespace bellmark::bellman_ford_gpu {

Description describe(const Options& options) {
  const bool matrix = options.storage == Storage::matrix;
  Description description;
  description.name = kName;
  description.summary = "Bellman-Ford on a GPU, by matrix or rows; lengths of any sign";
  description.source = "ma2022 sections 3.2.2 and 4.2, Algorithm 6";
  description.keys = {
      word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
      formerly("form", word_key("storage", "csr", {"csr", "matrix"},
                                "Storage of the arcs that enter a vertex: a row of arcs, or a row "
                                "of an n x n matrix")),
      word_key("shared", "on", {"off", "on"},
               "storage=matrix: a block keeps distances in shared memory"),
      word_key("compaction", "on", {"off", "on"},
               "off: every round looks at all arcs. on: only at arcs of changed vertices"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(word_key(
          "copy", "excluded", {"excluded", "included"},
          "Whether the time includes copying the graph to the device and the answer back")),
      at_run_time(
          word_key("transfer", "whole", {"whole", "streamed"},
                   "copy=included: the matrix is copied at once, or in parts while round 1 runs")),
      implied(at_run_time(
          integer_key("streams", 4, 1, 32, "transfer=streamed: number of CUDA streams"), true)),
      implied(at_run_time(
          integer_key("parts", 16, 1, 1024, "transfer=streamed: number of parts of the matrix"),
          true)),
  };
  description.instance = {{"device", "gpu"}, {"storage", matrix ? "matrix" : "csr"}};
  if (matrix) description.instance.set("shared", options.shared ? "on" : "off");
  description.instance.set("compaction", options.compaction ? "on" : "off");
  description.instance.set("distance", std::to_string(options.distance));
  description.needs = {Need::cuda};
  description.aliases = {
      {"ma2022:bellman-ford-gpu",
       "storage=matrix,shared=on,compaction=on,copy=included,transfer=streamed"},
  };
  return description;
}

Settings resolve(const Settings& settings, const Graph& graph) {
  Settings resolved = settings;
  if (settings.get("transfer") == "streamed") {
    if (settings.get("storage") != "matrix") {
      throw InputError("transfer=streamed", "only the matrix is copied in parts",
                       "use storage=matrix or transfer=whole");
    }
    if (settings.get("copy") != "included") {
      throw InputError("transfer=streamed",
                       "the first round overlaps the copy, which copy=excluded makes beforehand",
                       "use copy=included or transfer=whole");
    }
  }
  resolved.set("distance",
               bellman_ford::resolve_distance(settings.get("distance"), graph,
                                              bellman_ford::Detection::predecessor_cycle));
  return resolved;
}

void require_pinnable(Vertex vertex_count, std::uint64_t host_bytes) {
  const std::uint64_t bytes = matrix_bytes(vertex_count);
  if (bytes <= host_bytes / 2) return;
  constexpr std::uint64_t kMebi = 1 << 20;
  throw UnmetError("storage=matrix",
                   "the matrix of " + std::to_string(vertex_count) + " vertices takes " +
                       std::to_string(bytes / kMebi) +
                       " MiB of pinned memory, more than half of the host's " +
                       std::to_string(host_bytes / kMebi) + " MiB",
                   "use storage=csr");
}

std::uint64_t host_memory_bytes() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void fill_matrix(const Graph& graph, std::span<Length> matrix) {
  std::fill(matrix.begin(), matrix.end(), kNoArc);
  const std::uint64_t pitch = matrix_pitch(graph.vertex_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      Length& entry = matrix[graph.heads()[e] * pitch + u];
      const Length length = graph.length(e);
      entry = entry == kNoArc ? length : std::min(entry, length);
    }
  }
}

}  // namespace bellmark::bellman_ford_gpu
