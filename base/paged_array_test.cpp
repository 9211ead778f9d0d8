// Arrays of all sizes are there, are whole, and move.
#include "base/paged_array.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

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

}  // namespace
}  // namespace bellmark
