#include "harness/machine/pages.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <cstdlib>

#include "base/error.hpp"
#include "harness/machine/fake_root.hpp"

namespace bellmark::machine {
namespace {

TEST(Pages, HaveNames) {
  for (const Pages pages : {Pages::huge, Pages::reserved, Pages::small, Pages::system}) {
    EXPECT_EQ(pages_of(to_string(pages)), pages);
  }
  try {
    pages_of("hugh");
    ADD_FAILURE() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("'hugh' is none of huge, reserved, small, system"),
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
  EXPECT_EQ(environment_of(Pages::reserved).at("GLIBC_TUNABLES"),
            "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=2");
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

TEST(Pages, ThoseThatCantBeHadSayWhy) {
  FakeRoot fake;
  EXPECT_EQ(pages_absence(Pages::small, fake.root()), "");
  EXPECT_EQ(pages_absence(Pages::system, fake.root()), "");
  EXPECT_NE(pages_absence(Pages::huge, fake.root()).find("does not exist"), std::string::npos);
  EXPECT_NE(pages_absence(Pages::reserved, fake.root()).find("does not exist"), std::string::npos);
  fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
  fake.write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "0");
  EXPECT_NE(pages_absence(Pages::huge, fake.root()).find("enabled is never"), std::string::npos);
  EXPECT_NE(pages_absence(Pages::reserved, fake.root()).find("nr_hugepages"), std::string::npos);
  fake.write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
  fake.write("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "3");
  EXPECT_EQ(pages_absence(Pages::huge, fake.root()), "");
  EXPECT_EQ(pages_absence(Pages::reserved, fake.root()), "");
}

TEST(Pages, LieOnNodes) {
  FakeRoot fake;
  fake.write("/proc/self/smaps_rollup",
             "Anonymous:         8192 kB\nAnonHugePages:    4096 kB\nPrivate_Hugetlb:  2048 kB\n");
  EXPECT_TRUE(page_use(fake.root())->node_bytes.empty()) << "a kernel without NUMA";
  fake.write("/proc/self/numa_maps",
             "55a0 default file=/bin/x mapped=2 N0=2 kernelpagesize_kB=4\n"
             "7f00 interleave:0-1 anon=3 dirty=3 active=0 N0=1 N1=2 kernelpagesize_kB=4\n"
             "7f80 bind:1 huge anon=1 dirty=1 N1=1 kernelpagesize_kB=2048\n");
  const auto use = page_use(fake.root());
  ASSERT_TRUE(use);
  EXPECT_EQ(use->reserved_bytes, std::uint64_t{2} << 20);
  EXPECT_EQ(use->node_bytes,
            (std::map<unsigned, std::uint64_t>{{0, 4096}, {1, 8192 + (std::uint64_t{2} << 20)}}));
  std::optional<PageUse> sum = use;
  add(sum, use);
  EXPECT_EQ(sum->node_bytes.at(0), 8192U);
}

}  // namespace
}  // namespace bellmark::machine
