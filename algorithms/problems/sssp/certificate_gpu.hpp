// The certificate of shortest paths on a GPU: Sssp::Certificate uses it where a graph is large.
#pragma once

#include <memory>

#include "algorithms/gpu/certificate.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark::sssp {

/// A GPU's findings about an answer.
///   1. no arc of a reached vertex is relaxable;
///   2. every reached vertex but the source has a predecessor, and a tight arc from there;
///   3. no unreached vertex has a predecessor.
struct GpuFindings {
  gpu::FailedChecks failed = 0;
  /// An arc from a predecessor is tight and not longer than 0: predecessors may form a cycle.
  /// Otherwise distances fall along them, and end at the source.
  bool may_circle = false;
};

/// Holds a graph in device memory, with room for one answer. Shares no code with the searches.
class GpuCertificate {
 public:
  virtual ~GpuCertificate() = default;
  /// The query's source must be a vertex with distance 0 and no predecessor. The answer must have a
  /// distance and a predecessor for each vertex of the graph. O(n + m); nothing is under way on
  /// return. Throws Error when a CUDA call fails.
  virtual GpuFindings check(const Sssp::Query& query, const Sssp::Answer& answer) = 0;
};

/// Null where bfs::make_gpu_certificate() has none: where this process doesn't use a GPU, or the
/// graph would leave variants too little of its memory. It takes O(n + m) to upload the graph.
/// Throws Error when a CUDA call fails.
std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph& graph);

}  // namespace bellmark::sssp
