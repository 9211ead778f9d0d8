// sssp/gpu-fault: its kernel writes where there is no memory.
#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "tests/variants/command_line/right_answer.hpp"

namespace bellmark::broken {
namespace {

__global__ void write_nowhere(int* nowhere) { *nowhere = 1; }

class GpuFault final : public RightSssp {
 public:
  using RightSssp::RightSssp;

  static Description describe() {
    Description description = named("sssp/gpu-fault", "its kernel writes where there is no memory");
    description.needs = {Need::cuda};
    return description;
  }

  void run(std::span<const Sssp::Query>, RunContext&) {
    write_nowhere<<<1, 1>>>(nullptr);
    gpu::check_launch("write_nowhere");
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }
};

BELLMARK_REGISTER(GpuFault);

}  // namespace
}  // namespace bellmark::broken
