#include "harness/machine/pages.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "base/error.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

TEST(Pages, HaveNames) {
  for (const Pages pages : {Pages::huge, Pages::small, Pages::system}) {
    EXPECT_EQ(pages_of(to_string(pages)), pages);
  }
  try {
    pages_of("hugh");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'hugh' is none of huge, small, system"),
              std::string::npos);
  }
}

TEST(Pages, HugeOnesAreAskedForByMallocBesideWhatIsSetForItAlready) {
  EXPECT_TRUE(environment_of(Pages::small).empty());
  EXPECT_TRUE(environment_of(Pages::system).empty());
  unsetenv("GLIBC_TUNABLES");
  EXPECT_EQ(environment_of(Pages::huge).at("GLIBC_TUNABLES"), "glibc.malloc.hugetlb=1");
  setenv("GLIBC_TUNABLES", "glibc.malloc.arena_max=1", 1);
  EXPECT_EQ(environment_of(Pages::huge).at("GLIBC_TUNABLES"),
            "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1");
  unsetenv("GLIBC_TUNABLES");
}

TEST(Pages, SmallOnesHoldForTheProcess) {
  const int before = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  take_pages(Pages::small);
  EXPECT_EQ(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), 1);
  take_pages(Pages::system);
  EXPECT_EQ(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), 1) << "nobody asks for anything";
  take_pages(Pages::huge);
  EXPECT_EQ(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), 0);
  prctl(PR_SET_THP_DISABLE, static_cast<unsigned long>(before), 0UL, 0UL, 0UL);
}

TEST(Pages, UseIsWhatTheKernelCounts) {
  FakeRoot fake;
  EXPECT_FALSE(page_use(fake.root()));
  fake.write("/proc/self/smaps_rollup",
             "1000-2000 ---p 00000000 00:00 0   [rollup]\nRss:  9000 kB\nPss_Anon:   1 kB\n"
             "Anonymous:         8192 kB\nAnonHugePages:    4096 kB\n");
  const auto use = page_use(fake.root());
  ASSERT_TRUE(use);
  EXPECT_EQ(use->anonymous_bytes, std::uint64_t{8} << 20);
  EXPECT_EQ(use->huge_bytes, std::uint64_t{4} << 20);
  std::optional<PageUse> sum;
  add(sum, std::nullopt);
  EXPECT_FALSE(sum);
  add(sum, use);
  add(sum, use);
  EXPECT_EQ(sum->huge_bytes, std::uint64_t{8} << 20);
}

}  // namespace
}  // namespace bellmark::machine
