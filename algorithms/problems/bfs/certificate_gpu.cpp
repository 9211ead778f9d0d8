// No checks on a GPU in a build without CUDA.
#include "algorithms/problems/bfs/certificate_gpu.hpp"

namespace bellmark::bfs {

#if !BELLMARK_HAVE_CUDA
std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph&) { return nullptr; }
#endif

}  // namespace bellmark::bfs
