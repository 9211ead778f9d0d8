// Work on a graph's rows, and making them, with all threads that the process may use.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace bellmark {

/// What a thread takes at a time: small enough that the last range to finish keeps nobody waiting,
/// large enough to be cheap.
inline constexpr std::uint64_t kParallelRange = 1 << 12;

/// Calls body(begin, end) for ranges that make up 0..count, in no order, several at a time; each
/// begins at a multiple of `range` and has no more. Throws the first thing that a body throws, when
/// all have ended; what nobody had begun is left undone then.
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
/// about as many arcs in each: where hubs are neighbours, a few thousand rows have most arcs.
/// `row_offsets` has row_count + 1 entries.
template <class RowOffset, class Body>
void in_parallel_rows(const RowOffset* row_offsets, std::uint64_t row_count, Body body) {
  if (row_count == 0) return;
  // A row counts as its arcs and one more, so that every row, the empty ones too, has a place.
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
/// Each value is asked for once, several at a time. O(count): two passes over `sums`.
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

/// A graph whose every arc has an opposite one, from its rows, each made by itself: degree(v) says
/// how long row v is, fill(v, heads, lengths) writes it, heads ascending. `lengths_agree` says that
/// opposite arcs have the same length; if not, it is found out. No list of arcs exists at any time:
/// rows alone take 8 bytes an arc where a list takes 12 more.
template <class Degree, class Fill>
Graph make_both_ways(Vertex vertex_count, bool lengths_agree, Degree degree, Fill fill) {
  struct Arrays {
    std::unique_ptr<Offset[]> row_offsets;
    std::unique_ptr<Vertex[]> heads;
    std::unique_ptr<Length[]> lengths;
  };
  const auto arrays = std::make_shared<Arrays>();
  const std::size_t offset_count = std::size_t{vertex_count} + 1;
  arrays->row_offsets = std::make_unique_for_overwrite<Offset[]>(offset_count);
  Offset* const row_offsets = arrays->row_offsets.get();
  prefix_sums(
      vertex_count, [&](std::uint64_t v) { return degree(static_cast<Vertex>(v)); }, row_offsets);
  const Offset arc_count = row_offsets[vertex_count];

  arrays->heads = std::make_unique_for_overwrite<Vertex[]>(arc_count);
  arrays->lengths = std::make_unique_for_overwrite<Length[]>(arc_count);
  Vertex* const heads = arrays->heads.get();
  Length* const lengths = arrays->lengths.get();
  GraphProperties properties{true, true, 0, 0};
  if (arc_count != 0) {
    properties.least_length = std::numeric_limits<Length>::max();
    properties.largest_length = kLeastLength;
  }
  std::mutex mutex;
  in_parallel(vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v) {
      const Offset row = row_offsets[v];
      const Offset size = row_offsets[v + 1] - row;
      fill(static_cast<Vertex>(v), std::span(heads + row, size), std::span(lengths + row, size));
    }
    const std::span made(lengths + row_offsets[begin], lengths + row_offsets[end]);
    if (made.empty()) return;
    const auto [least, largest] = std::ranges::minmax(made);
    const std::scoped_lock lock(mutex);
    properties.least_length = std::min(properties.least_length, least);
    properties.largest_length = std::max(properties.largest_length, largest);
  });
  const std::span<const Offset> rows(row_offsets, offset_count);
  const std::span<const Vertex> all_heads(heads, arc_count);
  const std::span<const Length> all_lengths(lengths, arc_count);
  if (!lengths_agree) properties = find_properties(rows, all_heads, all_lengths);
  return Graph::adopt(arrays, rows, all_heads, all_lengths, {}, properties);
}

}  // namespace bellmark
