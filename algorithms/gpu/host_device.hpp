// Functions that GPU kernels share with the host, where they are tested.
#pragma once

#ifdef __CUDACC__
#define BELLMARK_HOST_DEVICE __host__ __device__
#else
#define BELLMARK_HOST_DEVICE
#endif

#ifdef __CUDA_ARCH__
#define BELLMARK_UNROLL _Pragma("unroll")
#else
#define BELLMARK_UNROLL
#endif
