#include "harness/machine/memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

namespace bellmark::machine {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20;
// The kernel's count may lag by some pages per CPU.
constexpr std::size_t kSlackBytes = std::size_t{8} << 20;

/// Touched memory that is returned to the system when freed.
class Block {
 public:
  Block()
      : memory_(mmap(nullptr, kBlockBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                     0)) {
    if (memory_ != MAP_FAILED) std::memset(memory_, 1, kBlockBytes);
  }
  ~Block() { munmap(memory_, kBlockBytes); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  void* memory_;
};

TEST(Memory, ResidentFollowsWhatIsTouched) {
  const std::uint64_t before = resident_bytes();
  std::uint64_t during = 0;
  {
    const Block block;
    during = resident_bytes();
  }
  EXPECT_GT(before, 0U);
  EXPECT_GE(during + kSlackBytes, before + kBlockBytes);
  EXPECT_LE(resident_bytes(), during - kBlockBytes + kSlackBytes);
}

TEST(Memory, PeakStaysAfterMemoryIsFreedUntilReset) {
  { const Block block; }
  const std::uint64_t peak = peak_resident_bytes();
  EXPECT_GE(peak + kSlackBytes, resident_bytes() + kBlockBytes);
  if (!reset_peak_resident()) GTEST_SKIP() << "this system does not permit resetting the peak";
  EXPECT_LE(peak_resident_bytes(), resident_bytes() + kSlackBytes);
  EXPECT_LT(peak_resident_bytes(), peak);
}

TEST(Memory, BytesForPeople) {
  EXPECT_EQ(human_bytes(0), "0 bytes");
  EXPECT_EQ(human_bytes(512), "512 bytes");
  EXPECT_EQ(human_bytes(1023), "1023 bytes");
  EXPECT_EQ(human_bytes(32768), "32 KiB");
  EXPECT_EQ(human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(human_bytes(std::uint64_t{6} << 20), "6 MiB");
  EXPECT_EQ(human_bytes(std::uint64_t{3} << 40), "3 TiB");
}

}  // namespace
}  // namespace bellmark::machine
