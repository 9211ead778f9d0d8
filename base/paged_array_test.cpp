// Arrays of all sizes are allocated, are whole, and move.
#include "base/paged_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace bellmark {
namespace {

TEST(PagedArray, HoldsWhatIsWritten) {
  constexpr std::size_t kPage = PagedArray<std::uint32_t>::kPageBytes / sizeof(std::uint32_t);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kPage - 1, kPage, 2 * kPage + 3}) {
    PagedArray<std::uint32_t> array(size);
    ASSERT_EQ(array.size(), size);
    ASSERT_EQ(array.values().size(), size);
    for (std::size_t i = 0; i < size; ++i) array[i] = static_cast<std::uint32_t>(i);
    const PagedArray<std::uint32_t> moved = std::move(array);
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(moved.values()[i], i);
  }
  EXPECT_EQ(PagedArray<std::uint64_t>().values().size(), 0U);
}

TEST(PagedArray, IsTouchedFirstByWhoIsAskedFor) {
  std::vector<std::size_t> sizes;
  const PagedArray<char> before(5000);
  {
    const FirstTouch outer([&](std::span<std::byte> memory) { sizes.push_back(memory.size()); });
    const PagedArray<std::uint64_t> one(1000);
    const PagedArray<std::uint64_t> empty(0);
    {
      const FirstTouch nobody(nullptr);
      const PagedArray<char> untouched(5000);
    }
    const PagedArray<char> two(3);
  }
  const PagedArray<char> after(5000);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{8000, 3}));
}

TEST(PagedArray, PartsOfTouchAreEachPageOnce) {
  constexpr std::size_t kPage = 4096;
  for (const std::size_t count : {1U, 3U, 7U}) {
    std::vector<std::byte> memory(5 * kPage + 1, std::byte{1});
    for (std::size_t index = 0; index < count; ++index) {
      std::vector<std::byte> own(memory.size(), std::byte{1});
      touch_part(own, index, count);
      for (std::size_t i = 0; i < own.size(); ++i) {
        if (own[i] == std::byte{1}) continue;
        EXPECT_EQ(i % kPage, 0U);
        EXPECT_EQ(memory[i], std::byte{1}) << "touched twice";
        memory[i] = std::byte{0};
      }
    }
    for (std::size_t i = 0; i < memory.size(); i += kPage) EXPECT_EQ(memory[i], std::byte{0});
  }
}

}  // namespace
}  // namespace bellmark
