// The common part of certificates on a GPU: the graph in device memory, where there is room for it,
// and the shares of its arcs that warps take.
//
// All work is on the legacy default stream, which runs in order. Variants' streams don't wait for
// it, and it doesn't wait for them. No variant has work when an answer is checked.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "algorithms/gpu/certificate.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "base/error.hpp"
#include "graph/graph.hpp"

namespace bellmark::gpu {

inline constexpr unsigned kCertificateWarp = 32;
inline constexpr unsigned kCertificateBlock = 256;
inline constexpr unsigned kBitmapWordBits = 32;
/// A warp takes this many arcs at a time, wherever rows begin and end in them. Many warps share a
/// hub's row, and one warp takes a thousand short rows.
inline constexpr Offset kArcChunk = 1024;

/// The row of arc e, which lies in one of the rows first to last: the last of them that begins at e
/// or before. Empty rows just before it begin there too.
inline __device__ Vertex row_of(const Offset* row_offsets, Vertex first, Vertex last, Offset e) {
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

/// Calls visit(tail, e) for every arc e, a warp a chunk of arcs. Finding the row takes the
/// logarithm of the number of rows in the chunk, and 0 steps inside a hub's.
template <class Visit>
__device__ void for_each_arc(const Offset* row_offsets, Vertex vertex_count, Offset arc_count,
                             Visit visit) {
  const unsigned lane = threadIdx.x % kCertificateWarp;
  const Offset warp = (Offset{blockIdx.x} * kCertificateBlock + threadIdx.x) / kCertificateWarp;
  const Offset warp_count = Offset{gridDim.x} * (kCertificateBlock / kCertificateWarp);
  for (Offset begin = warp * kArcChunk; begin < arc_count; begin += warp_count * kArcChunk) {
    const Offset end = min(begin + kArcChunk, arc_count);
    Vertex tail = row_of(row_offsets, 0, vertex_count - 1, begin);
    const Vertex last = row_of(row_offsets, tail, vertex_count - 1, end - 1);
    for (Offset e = begin + lane; e < end; e += kCertificateWarp) {
      tail = row_of(row_offsets, tail, last, e);
      visit(tail, e);
    }
  }
}

/// The number of words of a bitmap of the vertices.
inline std::size_t bitmap_words(const Graph& graph) {
  return (std::size_t{graph.vertex_count()} + kBitmapWordBits - 1) / kBitmapWordBits;
}

/// The blocks for so many items, but not more than keep the device busy: each block takes several
/// items in turn.
class CertificateGrid {
 public:
  CertificateGrid()
      : most_blocks_(static_cast<std::uint64_t>(properties().multiProcessorCount) *
                     kBlocksPerProcessor) {}
  unsigned of_vertices(std::uint64_t count) const { return blocks(count, kCertificateBlock); }
  unsigned of_arcs(std::uint64_t count) const {
    return blocks(count, kCertificateBlock / kCertificateWarp * kArcChunk);
  }

 private:
  static constexpr unsigned kBlocksPerProcessor = 8;

  unsigned blocks(std::uint64_t count, std::uint64_t per_block) const {
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>((count + per_block - 1) / per_block, 1, most_blocks_));
  }

  std::uint64_t most_blocks_;
};

/// Whether CUDA has a context in this process. Starts nothing: the runtime loads the driver when a
/// variant first calls it.
inline bool is_used() {
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

/// A certificate with the graph uploaded. It is null where this process doesn't use a GPU, or where
/// the graph would leave variants too little of its memory. `OnGpu` has bytes(graph), a constructor
/// that only allocates, and upload(graph). O(n + m). Throws Error when a CUDA call fails.
template <class OnGpu>
std::unique_ptr<OnGpu> make_certificate(const Graph& graph) {
  if (!is_used()) return nullptr;
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
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

}  // namespace bellmark::gpu
