// matmul/gpu: a thread an element of C, tiles of both operands in shared memory (CUDA C++
// Programming Guide, "Shared Memory").
#include <cuda_runtime.h>

#include <string>

#include "matmul.hpp"

namespace matmul {
namespace {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  throw bellmark::MachineError("matmul/gpu", cudaGetErrorString(status), "look at the GPU");
}

template <int kTile>
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += kTile) {
    const int k_of_a = k0 + threadIdx.x;
    const int k_of_b = k0 + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < n && k_of_a < n ? a[row * n + k_of_a] : 0;
    b_tile[threadIdx.y][threadIdx.x] = k_of_b < n && column < n ? b[k_of_b * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

template <int kTile>
class OnGpu {
 public:
  using Problem = Matmul;

  static bellmark::Description describe() {
    using namespace bellmark;
    Description description;
    description.name = "matmul/gpu";
    description.summary = "One thread for each element, tiles in shared memory";
    description.source = "CUDA C++ Programming Guide";
    description.keys = {integer_key("tile", 16, 8, 32, "Number of rows and columns of a tile")};
    description.instance = {{"tile", std::to_string(kTile)}};
    description.needs = {Need::cuda};
    return description;
  }

  explicit OnGpu(const bellmark::Settings&) {}
  OnGpu(const OnGpu&) = delete;
  OnGpu& operator=(const OnGpu&) = delete;
  ~OnGpu() {
    for (float* matrix : {a_, b_, c_}) cudaFree(matrix);
  }

  // The operands are on the GPU before the time begins, and the product stays there.
  void prepare(const Operands& operands, bellmark::RunContext&) {
    n_ = static_cast<int>(operands.n);
    const std::size_t bytes = operands.a.size() * sizeof(float);
    for (float** matrix : {&a_, &b_, &c_}) check(cudaMalloc(matrix, bytes));
    check(cudaMemcpy(a_, operands.a.data(), bytes, cudaMemcpyHostToDevice));
    check(cudaMemcpy(b_, operands.b.data(), bytes, cudaMemcpyHostToDevice));
  }

  void run(std::span<const Matmul::Query>, bellmark::RunContext&) {
    const unsigned blocks = static_cast<unsigned>((n_ + kTile - 1) / kTile);
    multiply<kTile><<<dim3(blocks, blocks), dim3(kTile, kTile)>>>(a_, b_, c_, n_);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
  }

  void extract(Matrix& answer) const {
    answer.resize(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
    check(cudaMemcpy(answer.data(), c_, answer.size() * sizeof(float), cudaMemcpyDeviceToHost));
  }

 private:
  int n_ = 0;
  float* a_ = nullptr;
  float* b_ = nullptr;
  float* c_ = nullptr;
};

BELLMARK_REGISTER(OnGpu<8>, OnGpu<16>, OnGpu<32>);

}  // namespace
}  // namespace matmul
