#include "harness/machine/cuda.hpp"

#include <gtest/gtest.h>

namespace bellmark::machine {
namespace {

TEST(Cuda, OldDriverIsToldWithBothVersions) {
  EXPECT_EQ(driver_too_old(12'020, 13'000),
            "the driver is too old: it serves CUDA 12.2, and this build needs one for CUDA 13.0");
  EXPECT_EQ(driver_too_old(0, 13'010),
            "no CUDA driver is installed (libcuda.so.1); this build needs one for CUDA 13.1");
}

TEST(Cuda, DeviceOrReasonButNotBoth) {
  const Told<std::string> id = cuda_bus_id();
  EXPECT_EQ(id.value.has_value(), cuda_absence().empty());
  EXPECT_NE(id.value.has_value(), !id.reason.empty()) << id.reason;
}

}  // namespace
}  // namespace bellmark::machine
