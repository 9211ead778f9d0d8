#include "algorithms/gpu/gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/families.hpp"

namespace bellmark::gpu {
namespace {

TEST(Gpu, OldDriverIsToldWithBothVersions) {
  EXPECT_EQ(driver_too_old(12'020, 13'000),
            "the driver is too old: it serves CUDA 12.2, and this build needs one for CUDA 13.0");
  EXPECT_EQ(driver_too_old(0, 13'010),
            "no CUDA driver is installed (libcuda.so.1); this build needs one for CUDA 13.1");
}

TEST(Gpu, CodeRunsOnTheSameMajorVersionAndPtxOnLaterOnes) {
  EXPECT_EQ(no_code_for(90, "90"), "");
  EXPECT_EQ(no_code_for(120, "90"), "") << "PTX";
  EXPECT_EQ(no_code_for(86, "80-real 90-real 100-real 120-virtual"), "");
  EXPECT_EQ(no_code_for(103, "80-real 90-real 100-real 120-virtual"), "");
  EXPECT_EQ(no_code_for(121, "80-real 90-real 100-real 120-virtual"), "");
  EXPECT_EQ(no_code_for(90, "90a-real"), "");
  EXPECT_EQ(no_code_for(70, "native"), "");
  EXPECT_EQ(
      no_code_for(80, "90"),
      "the GPU has compute capability 8.0, and this build has code for 90 only: configure with "
      "-DCMAKE_CUDA_ARCHITECTURES=80");
  EXPECT_NE(no_code_for(75, "80-real 90-real 100-real 120-virtual"), "");
  EXPECT_NE(no_code_for(110, "80-real 90-real 100-real 120-virtual"), "");
  EXPECT_NE(no_code_for(80, "86-real"), "");
  EXPECT_NE(no_code_for(100, "90a"), "");
}

/// A build without CUDA knows GPU families by their declarations alone: none may be missing.
TEST(Gpu, FamiliesAreDeclared) {
  std::vector<std::string> declared = declared_families();
  std::vector<std::string> known;
  for (const Family& family : Registry::global().families()) {
    const auto& needs = family.description().needs;
    if (std::ranges::find(needs, Need::cuda) != needs.end()) known.push_back(family.name);
  }
  for (const Family& family : Registry::global().absent_families()) {
    const auto& needs = family.description().needs;
    if (std::ranges::find(needs, Need::cuda) != needs.end()) known.push_back(family.name);
  }
  std::ranges::sort(declared);
  std::ranges::sort(known);
  EXPECT_EQ(known, declared);
  for (const char* name :
       {"sssp/near-far", "set-migration/greedy-gpu", "set-convenience/greedy-gpu"}) {
    EXPECT_TRUE(std::ranges::binary_search(declared, name)) << name;
  }
}

}  // namespace
}  // namespace bellmark::gpu
