// Loops with all threads that the process may use.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

namespace bellmark {

/// The indices that a thread takes at a time. They are few enough that the last range delays
/// nobody, and enough to be cheap.
inline constexpr std::uint64_t kParallelRange = 1 << 12;

/// Calls body(begin, end) for ranges that make up 0..count, in no order, several at a time. Each
/// begins at a multiple of `range` and has at most that many indices. Throws the first exception of
/// a body, when all bodies have ended. Ranges that had not begun by then are left undone.
template <class Body>
void in_parallel(std::uint64_t count, Body body, std::uint64_t range = kParallelRange) {
  std::atomic<std::uint64_t> taken{0};
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto work = [&] {
    try {
      for (;;) {
        const std::uint64_t begin = taken.fetch_add(range, std::memory_order_relaxed);
        if (begin >= count) return;
        body(begin, std::min(begin + range, count));
      }
    } catch (...) {
      taken = count;
      const std::scoped_lock lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  {
    const std::uint64_t helpers = std::min<std::uint64_t>(
        std::max(std::thread::hardware_concurrency(), 1U) - 1, count / range);
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < helpers; ++i) threads.emplace_back(work);
    work();
  }
  if (thrown) std::rethrow_exception(thrown);
}

/// Calls body(begin, end) for ranges of rows that make up 0..row_count, as in_parallel does, with
/// about the same number of arcs in each. If hubs are neighbours, a few thousand rows have most
/// arcs. `row_offsets` has row_count + 1 entries.
template <class RowOffset, class Body>
void in_parallel_rows(const RowOffset* row_offsets, std::uint64_t row_count, Body body) {
  if (row_count == 0) return;
  // A row counts as its arcs and one more, so that even an empty row has a place.
  const auto row_at = [=](std::uint64_t place) {
    std::uint64_t low = 0;
    std::uint64_t high = row_count;
    while (low < high) {
      const std::uint64_t middle = (low + high) / 2;
      if (row_offsets[middle] + middle < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  };
  constexpr std::uint64_t kPlaces = 1 << 15;  // two searches are little beside them
  in_parallel(
      row_offsets[row_count] + row_count,
      [&](std::uint64_t begin, std::uint64_t end) {
        const std::uint64_t first = row_at(begin);
        const std::uint64_t last = row_at(end);
        if (first < last) body(first, last);
      },
      kPlaces);
}

/// sums[i] = value(0) + ... + value(i - 1) for i in 0..count, so that `sums` has count + 1 places.
/// Each value is computed once, several at a time. O(count): two passes over `sums`.
template <class Sum, class Value>
void prefix_sums(std::uint64_t count, Value value, Sum* sums) {
  std::vector<Sum> range_sums(count / kParallelRange + 2, 0);
  in_parallel(count, [&](std::uint64_t begin, std::uint64_t end) {
    Sum sum = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      sum += static_cast<Sum>(value(i));
      sums[i + 1] = sum;
    }
    range_sums[begin / kParallelRange + 1] = sum;
  });
  std::partial_sum(range_sums.begin(), range_sums.end(), range_sums.begin());
  sums[0] = 0;
  in_parallel(count, [&](std::uint64_t begin, std::uint64_t end) {
    const Sum before = range_sums[begin / kParallelRange];
    for (std::uint64_t i = begin; i < end; ++i) sums[i + 1] += before;
  });
}

}  // namespace bellmark
