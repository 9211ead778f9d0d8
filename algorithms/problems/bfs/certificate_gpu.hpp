// Graph500's five checks on a GPU: what Bfs::Certificate asks where a graph is large.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "algorithms/gpu/host_device.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "graph/graph.hpp"

namespace bellmark::bfs {

/// Of the checks that Bfs::Certificate lists: check k is bit k - 1.
using FailedChecks = std::uint32_t;

BELLMARK_HOST_DEVICE constexpr FailedChecks check_bit(unsigned check) {
  return FailedChecks{1} << (check - 1);
}

/// `1, 4`: the numbers of those that failed.
std::string failed_text(FailedChecks failed);

/// Holds a graph in device memory, with room for one answer. Shares no code with the searches.
class GpuCertificate {
 public:
  virtual ~GpuCertificate() = default;
  /// The query's source is a vertex, and the answer has as many levels and predecessors as the
  /// graph has vertices. O(n + m); nothing is under way on return. Throws Error when a CUDA call
  /// fails.
  virtual FailedChecks failed_checks(const Bfs::Query& query, const Bfs::Answer& answer) = 0;
};

/// Null where
/// - this process doesn't use a GPU, which is so until a variant has been prepared that does: a
///   process that measures CPU variants alone starts no driver, whose threads would run beside
///   them;
/// - the graph would leave variants too little of the device's memory (see leaves_room()).
/// O(n + m), to upload the graph. Throws Error when a CUDA call fails.
std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph& graph);

/// Whether half of a device's memory stays free for variants when `bytes` of it are taken. A
/// variant that is prepared later and needs still more would find too little; what the ones before
/// it hold counts against it just the same.
constexpr bool leaves_room(std::uint64_t bytes, std::uint64_t free, std::uint64_t total) {
  return bytes <= free && free - bytes >= total / 2;
}

}  // namespace bellmark::bfs
