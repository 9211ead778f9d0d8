// Ranges cover all indices once, wherever their ends lie.
#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <new>
#include <vector>

namespace bellmark {
namespace {

constexpr std::uint64_t kCounts[] = {
    0, 1, kParallelRange - 1, kParallelRange, kParallelRange + 1, 5 * kParallelRange + 7};

TEST(Parallel, RangesMakeUpAll) {
  for (const std::uint64_t count : kCounts) {
    for (const std::uint64_t range : {std::uint64_t{100}, kParallelRange}) {
      std::vector<int> calls(count, 0);
      in_parallel(
          count,
          [&](std::uint64_t begin, std::uint64_t end) {
            EXPECT_EQ(begin % range, 0U);
            EXPECT_LE(end - begin, range);
            for (std::uint64_t i = begin; i < end; ++i) ++calls[i];
          },
          range);
      EXPECT_EQ(calls, std::vector<int>(count, 1)) << range;
    }
  }
}

TEST(Parallel, WhatABodyThrowsComesOut) {
  for (const std::uint64_t count : {1, 5000, 100'000}) {
    std::atomic<std::uint64_t> begun{0};
    EXPECT_THROW(in_parallel(count,
                             [&](std::uint64_t, std::uint64_t) {
                               ++begun;
                               throw std::bad_alloc();
                             }),
                 std::bad_alloc);
    EXPECT_GE(begun, 1U);
    EXPECT_LE(begun, count);
  }
}

TEST(Parallel, PrefixSums) {
  for (const std::uint64_t count : kCounts) {
    std::vector<std::uint32_t> sums(count + 1, 77);
    prefix_sums(
        count, [](std::uint64_t i) { return i % 13; }, sums.data());
    std::vector<std::uint32_t> expected(1, 0);
    for (std::uint64_t i = 0; i < count; ++i) {
      expected.push_back(expected.back() + static_cast<std::uint32_t>(i % 13));
    }
    EXPECT_EQ(sums, expected);
  }
}

/// Rows of these sizes, each in one range.
void expect_every_row_once(const std::vector<std::uint64_t>& sizes) {
  std::vector<std::uint64_t> row_offsets(1, 0);
  for (const std::uint64_t size : sizes) row_offsets.push_back(row_offsets.back() + size);
  std::vector<int> calls(sizes.size(), 0);
  in_parallel_rows(row_offsets.data(), sizes.size(), [&](std::uint64_t begin, std::uint64_t end) {
    EXPECT_LT(begin, end);
    for (std::uint64_t i = begin; i < end; ++i) ++calls[i];
  });
  EXPECT_EQ(calls, std::vector<int>(sizes.size(), 1));
}

TEST(Parallel, RowsOfAllSizes) {
  expect_every_row_once({});
  expect_every_row_once({0});
  expect_every_row_once({200'000});
  expect_every_row_once(std::vector<std::uint64_t>(100'000, 0));
  expect_every_row_once(std::vector<std::uint64_t>(100'000, 1));
  // Hubs over several ranges, first, last and in a row, with empty rows between and after them.
  expect_every_row_once({500'000, 0, 0, 70'000, 300'000, 1, 0, 32'767, 32'768, 400'000});
  expect_every_row_once({0, 0, 500'000, 3, 2, 1, 0, 0, 0});
}

}  // namespace
}  // namespace bellmark
