// Graph500's five checks on a GPU: a pass over the arcs, then one over the vertices. No family:
// Bfs::Certificate uses it.
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/problems/bfs/certificate_gpu.hpp"
#include "base/error.hpp"

namespace bellmark::bfs {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kBlock = 256;
constexpr unsigned kWordBits = 32;
/// Arcs that a warp takes at a time, wherever rows begin and end in them: a hub's row is many
/// warps', and a thousand short rows are one's.
constexpr Offset kChunk = 1024;

/// What the kernels read and write.
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

/// The row of arc e, which lies in one of the rows first to last: the last of them that begins at e
/// or before. Empty rows just before it begin where it does.
__device__ Vertex row_of(const Offset* row_offsets, Vertex first, Vertex last, Offset e) {
  while (first < last) {
    const Vertex middle = last - (last - first) / 2;
    if (row_offsets[middle] <= e) {
      first = middle;
    } else {
      last = middle - 1;
    }
  }
  return first;
}

/// Checks 3 and 4, and what check 5 needs. Reads 4 bytes an arc in order, and of its head a level
/// and a predecessor: a 32-byte sector each where they are not in a cache. A warp's 32 arcs mostly
/// lie in one row or in neighbouring ones, whose levels are in the L1 cache; to find the row takes
/// the logarithm of the number of rows in the chunk, 0 steps inside a hub's. At most one atomic an
/// arc of the tree (or parallel to one).
__global__ void check_arcs(View view) {
  const unsigned lane = threadIdx.x % kWarp;
  const Offset warp = (Offset{blockIdx.x} * kBlock + threadIdx.x) / kWarp;
  const Offset warp_count = Offset{gridDim.x} * (kBlock / kWarp);
  FailedChecks failed = 0;
  for (Offset begin = warp * kChunk; begin < view.arc_count; begin += warp_count * kChunk) {
    const Offset end = min(begin + kChunk, view.arc_count);
    Vertex tail = row_of(view.row_offsets, 0, view.vertex_count - 1, begin);
    const Vertex last = row_of(view.row_offsets, tail, view.vertex_count - 1, end - 1);
    for (Offset e = begin + lane; e < end; e += kWarp) {
      tail = row_of(view.row_offsets, tail, last, e);
      const Level level = view.levels[tail];
      if (level == kNoLevel) continue;
      const Vertex head = view.heads[e];
      const Level head_level = view.levels[head];
      if (head_level == kNoLevel) {
        failed |= check_bit(4);
      } else if (head_level > level + 1) {
        failed |= check_bit(3);
      }
      if (view.predecessors[head] == tail) {
        atomicOr(&view.entered[head / kWordBits], 1u << head % kWordBits);
      }
    }
  }
  if (failed != 0) atomicOr(view.failed, failed);
}

/// The other checks, when all arcs are done: 8 bytes a vertex in order, and the predecessor's level
/// from anywhere.
__global__ void check_vertices(View view) {
  const Offset first = Offset{blockIdx.x} * kBlock + threadIdx.x;
  const Offset stride = Offset{gridDim.x} * kBlock;
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
      if ((view.entered[v / kWordBits] >> v % kWordBits & 1) == 0) failed |= check_bit(5);
    }
  }
  if (failed != 0) atomicOr(view.failed, failed);
}

/// All on the legacy default stream, which runs in order: variants' streams neither wait for it nor
/// it for them, and none has work when an answer is checked. At scale 26 of Graph500 (2^31 arcs)
/// the arcs' pass reads at most 146 GB; to upload the answer, 0.5 GB over the bus, takes longer.
class OnGpu final : public GpuCertificate {
 public:
  /// Only allocates.
  explicit OnGpu(const Graph& graph)
      : row_offsets_(graph.row_offsets().size()),
        heads_(graph.heads().size()),
        levels_(graph.vertex_count()),
        predecessors_(graph.vertex_count()),
        entered_(word_count(graph)),
        failed_(1),
        most_blocks_(static_cast<std::uint64_t>(gpu::properties().multiProcessorCount) *
                     kBlocksPerProcessor) {}

  static std::uint64_t bytes(const Graph& graph) {
    return graph.row_offsets().size_bytes() + graph.heads().size_bytes() +
           std::uint64_t{graph.vertex_count()} * (sizeof(Level) + sizeof(Vertex)) +
           word_count(graph) * sizeof(std::uint32_t) + sizeof(FailedChecks);
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
    check_arcs<<<grid(view.arc_count, kBlock / kWarp * kChunk), kBlock>>>(view);
    gpu::check_launch("check_arcs");
    check_vertices<<<grid(view.vertex_count, kBlock), kBlock>>>(view);
    gpu::check_launch("check_vertices");
    FailedChecks failed = 0;
    failed_.download({&failed, 1});
    return failed;
  }

 private:
  static constexpr unsigned kBlocksPerProcessor = 8;

  static std::size_t word_count(const Graph& graph) {
    return (std::size_t{graph.vertex_count()} + kWordBits - 1) / kWordBits;
  }

  /// Blocks for so many items, no more than keep the device busy: they go round.
  unsigned grid(std::uint64_t item_count, std::uint64_t per_block) const {
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((item_count + per_block - 1) / per_block, 1, most_blocks_));
  }

  gpu::DeviceArray<Offset> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Level> levels_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<std::uint32_t> entered_;
  gpu::DeviceArray<FailedChecks> failed_;
  std::uint64_t most_blocks_;
};

/// Whether CUDA has a context in this process. Starts nothing: the runtime loads the driver when a
/// variant first calls it.
bool uses_gpu() {
  void* driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (driver == nullptr) return false;
  using GetState = CUresult (*)(CUdevice, unsigned*, int*);
  const auto get_state = reinterpret_cast<GetState>(dlsym(driver, "cuDevicePrimaryCtxGetState"));
  dlclose(driver);
  int device = 0;
  unsigned flags = 0;
  int active = 0;
  return get_state != nullptr && cudaGetDevice(&device) == cudaSuccess &&
         get_state(device, &flags, &active) == CUDA_SUCCESS && active != 0;
}

}  // namespace

std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph& graph) {
  if (!uses_gpu()) return nullptr;
  std::size_t free = 0;
  std::size_t total = 0;
  gpu::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (!leaves_room(OnGpu::bytes(graph), free, total)) return nullptr;
  std::unique_ptr<OnGpu> made;
  try {
    made = std::make_unique<OnGpu>(graph);
  } catch (const Error&) {
    // Another process has taken the memory meanwhile. A failure of another kind stays, and the next
    // call meets it.
    cudaGetLastError();
    return nullptr;
  }
  made->upload(graph);
  return made;
}

}  // namespace bellmark::bfs
