#include "algorithms/contract/gpu.hpp"

#include <gtest/gtest.h>

namespace bellmark::gpu {
namespace {

TEST(Gpu, OldDriverIsToldWithBothVersions) {
  EXPECT_EQ(driver_too_old(12'020, 13'000),
            "the driver is too old: it serves CUDA 12.2, and this build needs one for CUDA 13.0");
  EXPECT_EQ(driver_too_old(0, 13'010),
            "no CUDA driver is installed (libcuda.so.1); this build needs one for CUDA 13.1");
}

}  // namespace
}  // namespace bellmark::gpu
