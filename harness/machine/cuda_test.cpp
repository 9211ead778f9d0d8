#include "harness/machine/cuda.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/gpu/gpu.hpp"

namespace bellmark::machine {
namespace {

TEST(Cuda, DeviceOrReasonButNotBoth) {
  const Told<std::string> id = cuda_bus_id();
  EXPECT_EQ(id.value.has_value(), gpu::unmet().empty());
  EXPECT_NE(id.value.has_value(), !id.reason.empty()) << id.reason;
  const std::vector<std::string> ids = cuda_bus_ids();
  EXPECT_EQ(std::ranges::count(ids, id.value.value_or("")), id.value ? 1 : 0);
  EXPECT_EQ(ids.empty(), !id.value);
  EXPECT_EQ(cuda_used_bytes().has_value(), id.value.has_value());
}

}  // namespace
}  // namespace bellmark::machine
