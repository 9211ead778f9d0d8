// No checks on a GPU in a build without CUDA.
#include "algorithms/problems/sssp/certificate_gpu.hpp"

namespace bellmark::sssp {

#if !BELLMARK_HAVE_CUDA
std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph&) { return nullptr; }
#endif

}  // namespace bellmark::sssp
