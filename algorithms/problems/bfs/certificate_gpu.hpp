// Graph500's five checks on a GPU: Bfs::Certificate uses them where a graph is large.
#pragma once

#include <memory>

#include "algorithms/gpu/certificate.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

/// Holds a graph in device memory, with room for one answer. Shares no code with the searches.
class GpuCertificate {
 public:
  virtual ~GpuCertificate() = default;
  /// The query's source must be a vertex, and the answer must have a level and a predecessor for
  /// each vertex of the graph. O(n + m); nothing is under way on return. Throws Error when a CUDA
  /// call fails.
  virtual gpu::FailedChecks failed_checks(const Bfs::Query& query, const Bfs::Answer& answer) = 0;
};

/// Null where
/// - this process doesn't use a GPU, which is so until a variant has been prepared that does. A
///   process that measures CPU variants alone starts no driver, whose threads would run beside
///   them;
/// - the graph would leave variants too little of the device's memory (see gpu::leaves_room()).
/// It takes O(n + m) to upload the graph. Throws Error when a CUDA call fails.
std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph& graph);

}  // namespace bellmark::bfs
