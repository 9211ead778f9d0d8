// Graph500's five checks on a GPU: a pass over the arcs, then one over the vertices. No family:
// Bfs::Certificate uses it.
#include <cstdint>
#include <memory>

#include "algorithms/gpu/certificate.cuh"
#include "algorithms/problems/bfs/certificate_gpu.hpp"

namespace bellmark::bfs {
namespace {

using gpu::check_bit;
using gpu::FailedChecks;
using gpu::kBitmapWordBits;
using gpu::kCertificateBlock;

/// The data that the kernels read and write.
struct View {
  Vertex vertex_count;
  Offset arc_count;
  const Offset* row_offsets;
  const Vertex* heads;
  Vertex source;
  const Level* levels;
  const Vertex* predecessors;
  std::uint32_t* entered;  ///< bitmap: vertices that an arc from their predecessor enters
  FailedChecks* failed;
};

/// Checks 3 and 4, and the marks for check 5. It reads 4 bytes an arc in order. Of the arc's head
/// it reads a level and a predecessor: a 32-byte sector each where they are not in a cache. A
/// warp's 32 arcs mostly lie in one row or in neighbouring ones, whose levels are in the L1 cache.
/// There is at most one atomic an arc of the tree (or parallel to one).
__global__ void check_arcs(View view) {
  FailedChecks failed = 0;
  gpu::for_each_arc(
      view.row_offsets, view.vertex_count, view.arc_count, [&](Vertex tail, Offset e) {
        const Level level = view.levels[tail];
        if (level == kNoLevel) return;
        const Vertex head = view.heads[e];
        const Level head_level = view.levels[head];
        if (head_level == kNoLevel) {
          failed |= check_bit(4);
        } else if (head_level > level + 1) {
          failed |= check_bit(3);
        }
        if (view.predecessors[head] == tail) {
          atomicOr(&view.entered[head / kBitmapWordBits], 1u << head % kBitmapWordBits);
        }
      });
  if (failed != 0) atomicOr(view.failed, failed);
}

/// The other checks, when all arcs are done: 8 bytes a vertex in order, and the predecessor's level
/// from anywhere.
__global__ void check_vertices(View view) {
  const Offset first = Offset{blockIdx.x} * kCertificateBlock + threadIdx.x;
  const Offset stride = Offset{gridDim.x} * kCertificateBlock;
  FailedChecks failed = 0;
  for (Offset i = first; i < view.vertex_count; i += stride) {
    const auto v = static_cast<Vertex>(i);
    const Level level = view.levels[v];
    const Vertex predecessor = view.predecessors[v];
    if (v == view.source) {
      if (level != 0 || predecessor != kNoVertex) failed |= check_bit(1);
    } else if (level == kNoLevel) {
      if (predecessor != kNoVertex) failed |= check_bit(4);
    } else if (predecessor >= view.vertex_count || view.levels[predecessor] == kNoLevel) {
      failed |= check_bit(1);
    } else {
      if (level != view.levels[predecessor] + 1) failed |= check_bit(2);
      if ((view.entered[v / kBitmapWordBits] >> v % kBitmapWordBits & 1) == 0)
        failed |= check_bit(5);
    }
  }
  if (failed != 0) atomicOr(view.failed, failed);
}

/// At scale 26 of Graph500 (2^31 arcs) the arcs' pass reads at most 146 GB. Uploading the answer,
/// 0.5 GB over the bus, takes longer.
class OnGpu final : public GpuCertificate {
 public:
  /// Only allocates.
  explicit OnGpu(const Graph& graph)
      : row_offsets_(graph.row_offsets().size()),
        heads_(graph.heads().size()),
        levels_(graph.vertex_count()),
        predecessors_(graph.vertex_count()),
        entered_(gpu::bitmap_words(graph)),
        failed_(1) {}

  static std::uint64_t bytes(const Graph& graph) {
    return graph.row_offsets().size_bytes() + graph.heads().size_bytes() +
           std::uint64_t{graph.vertex_count()} * (sizeof(Level) + sizeof(Vertex)) +
           gpu::bitmap_words(graph) * sizeof(std::uint32_t) + sizeof(FailedChecks);
  }

  void upload(const Graph& graph) {
    row_offsets_.upload(graph.row_offsets());
    heads_.upload(graph.heads());
  }

  FailedChecks failed_checks(const Bfs::Query& query, const Bfs::Answer& answer) override {
    levels_.upload(answer.levels);
    predecessors_.upload(answer.predecessors);
    entered_.clear();
    failed_.clear();
    const View view = {static_cast<Vertex>(levels_.size()),
                       heads_.size(),
                       row_offsets_.data(),
                       heads_.data(),
                       query.source,
                       levels_.data(),
                       predecessors_.data(),
                       entered_.data(),
                       failed_.data()};
    check_arcs<<<grid_.of_arcs(view.arc_count), kCertificateBlock>>>(view);
    gpu::check_launch("check_arcs");
    check_vertices<<<grid_.of_vertices(view.vertex_count), kCertificateBlock>>>(view);
    gpu::check_launch("check_vertices");
    FailedChecks failed = 0;
    failed_.download({&failed, 1});
    return failed;
  }

 private:
  gpu::DeviceArray<Offset> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Level> levels_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<std::uint32_t> entered_;
  gpu::DeviceArray<FailedChecks> failed_;
  gpu::CertificateGrid grid_;
};

}  // namespace

std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph& graph) {
  return gpu::make_certificate<OnGpu>(graph);
}

}  // namespace bellmark::bfs
