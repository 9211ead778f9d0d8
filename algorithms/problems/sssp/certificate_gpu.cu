// The certificate of shortest paths on a GPU: a pass over the arcs, then one over the vertices. No
// family: Sssp::Certificate uses it.
#include <cstdint>
#include <memory>

#include "algorithms/gpu/certificate.cuh"
#include "algorithms/problems/sssp/certificate_gpu.hpp"

namespace bellmark::sssp {
namespace {

using gpu::check_bit;
using gpu::FailedChecks;
using gpu::kBitmapWordBits;
using gpu::kCertificateBlock;

/// Not a check: GpuFindings::may_circle.
constexpr FailedChecks kMayCircle = check_bit(32);

/// The data that the kernels read and write.
struct View {
  Vertex vertex_count;
  Offset arc_count;
  const Offset* row_offsets;
  const Vertex* heads;
  const Length* lengths;  ///< null: every length is 1
  Vertex source;
  const Distance* distances;
  const Vertex* predecessors;
  std::uint32_t* tight;  ///< bitmap: vertices that a tight arc from their predecessor enters
  FailedChecks* failed;
};

/// Check 1, and the marks for check 2. It reads 8 bytes an arc in order, and of its head a
/// distance: a 32-byte sector where it is in no cache. Predecessors are read where an arc is tight.
/// Sums are exact: a wrong answer's distances may be of any size.
__global__ void check_arcs(View view) {
  FailedChecks failed = 0;
  gpu::for_each_arc(view.row_offsets, view.vertex_count, view.arc_count,
                    [&](Vertex tail, Offset e) {
                      const Distance distance = view.distances[tail];
                      if (distance == kUnreached) return;
                      const Vertex head = view.heads[e];
                      const Length length = view.lengths == nullptr ? 1 : view.lengths[e];
                      const Distance known = view.distances[head];
                      const auto through = static_cast<__int128>(distance) + length;
                      if (known == kUnreached || known > through) failed |= check_bit(1);
                      if (known != through || view.predecessors[head] != tail) return;
                      atomicOr(&view.tight[head / kBitmapWordBits], 1u << head % kBitmapWordBits);
                      if (length <= 0) failed |= kMayCircle;
                    });
  if (failed != 0) atomicOr(view.failed, failed);
}

/// The other checks, when all arcs are done: 12 bytes a vertex in order.
__global__ void check_vertices(View view) {
  const Offset first = Offset{blockIdx.x} * kCertificateBlock + threadIdx.x;
  const Offset stride = Offset{gridDim.x} * kCertificateBlock;
  FailedChecks failed = 0;
  for (Offset v = first; v < view.vertex_count; v += stride) {
    if (v == view.source) continue;
    if (view.distances[v] == kUnreached) {
      if (view.predecessors[v] != kNoVertex) failed |= check_bit(3);
    } else if ((view.tight[v / kBitmapWordBits] >> v % kBitmapWordBits & 1) == 0) {
      failed |= check_bit(2);
    }
  }
  if (failed != 0) atomicOr(view.failed, failed);
}

/// Of 2^24 vertices and 2^29 arcs the arcs' pass reads at most 21 GB. Uploading the answer, 0.2 GB
/// over the bus, takes longer.
class OnGpu final : public GpuCertificate {
 public:
  /// Only allocates.
  explicit OnGpu(const Graph& graph)
      : row_offsets_(graph.row_offsets().size()),
        heads_(graph.heads().size()),
        lengths_(graph.lengths().size()),
        distances_(graph.vertex_count()),
        predecessors_(graph.vertex_count()),
        tight_(gpu::bitmap_words(graph)),
        failed_(1) {}

  static std::uint64_t bytes(const Graph& graph) {
    return graph.row_offsets().size_bytes() + graph.heads().size_bytes() +
           graph.lengths().size_bytes() +
           std::uint64_t{graph.vertex_count()} * (sizeof(Distance) + sizeof(Vertex)) +
           gpu::bitmap_words(graph) * sizeof(std::uint32_t) + sizeof(FailedChecks);
  }

  void upload(const Graph& graph) {
    row_offsets_.upload(graph.row_offsets());
    heads_.upload(graph.heads());
    lengths_.upload(graph.lengths());
  }

  GpuFindings check(const Sssp::Query& query, const Sssp::Answer& answer) override {
    distances_.upload(answer.distances);
    predecessors_.upload(answer.predecessors);
    tight_.clear();
    failed_.clear();
    const View view = {static_cast<Vertex>(distances_.size()),
                       heads_.size(),
                       row_offsets_.data(),
                       heads_.data(),
                       lengths_.size() == 0 ? nullptr : lengths_.data(),
                       query.source,
                       distances_.data(),
                       predecessors_.data(),
                       tight_.data(),
                       failed_.data()};
    check_arcs<<<grid_.of_arcs(view.arc_count), kCertificateBlock>>>(view);
    gpu::check_launch("check_arcs");
    check_vertices<<<grid_.of_vertices(view.vertex_count), kCertificateBlock>>>(view);
    gpu::check_launch("check_vertices");
    FailedChecks found = 0;
    failed_.download({&found, 1});
    return {found & ~kMayCircle, (found & kMayCircle) != 0};
  }

 private:
  gpu::DeviceArray<Offset> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Length> lengths_;
  gpu::DeviceArray<Distance> distances_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<std::uint32_t> tight_;
  gpu::DeviceArray<FailedChecks> failed_;
  gpu::CertificateGrid grid_;
};

}  // namespace

std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph& graph) {
  return gpu::make_certificate<OnGpu>(graph);
}

}  // namespace bellmark::sssp
