#include "harness/machine/cuda.hpp"

#include <gtest/gtest.h>

#include "algorithms/contract/gpu.hpp"

namespace bellmark::machine {
namespace {

TEST(Cuda, DeviceOrReasonButNotBoth) {
  const Told<std::string> id = cuda_bus_id();
  EXPECT_EQ(id.value.has_value(), gpu::unmet().empty());
  EXPECT_NE(id.value.has_value(), !id.reason.empty()) << id.reason;
}

}  // namespace
}  // namespace bellmark::machine
