// What of the checks on a GPU needs no CUDA, and their absence in a build without it.
#include "algorithms/problems/bfs/certificate_gpu.hpp"

namespace bellmark::bfs {

std::string failed_text(FailedChecks failed) {
  std::string text;
  for (unsigned check = 1; check <= 5; ++check) {
    if ((failed & check_bit(check)) == 0) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(check);
  }
  return text;
}

#if !BELLMARK_HAVE_CUDA
std::unique_ptr<GpuCertificate> make_gpu_certificate(const Graph&) { return nullptr; }
#endif

}  // namespace bellmark::bfs
