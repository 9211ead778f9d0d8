#include "harness/machine/caches.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <span>
#include <thread>
#include <utility>

#include "harness/machine/pin.hpp"

namespace bellmark::machine {
namespace {

/// For a machine that does not report its caches: more than most last-level caches.
constexpr std::uint64_t kUnknownCacheBytes = std::uint64_t{128} << 20;

/// One word of each line of 64 bytes is read.
constexpr std::size_t kWordsOfALine = 8;

std::uint64_t sum_of_lines(std::span<const std::uint64_t> words) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words.size(); i += kWordsOfALine) sum += words[i];
  return sum;
}

}  // namespace

CacheFlush::CacheFlush(const Topology& topology, Cpuset pus)
    : topology_(topology), pus_(pus.pus.empty() ? topology.pus() : std::move(pus)) {
  bytes_ = 2 * topology.last_level_cache_bytes(pus_).value_or(kUnknownCacheBytes);
}

void CacheFlush::run() {
  // Written once: pages that were never written all map to one page of zeros.
  if (words_.empty()) words_.assign(bytes_ / sizeof(std::uint64_t), 1);
  const std::size_t count = pus_.pus.size();
  const std::size_t share = (words_.size() + count - 1) / count;
  std::atomic<std::uint64_t> sum = 0;  // so that the compiler keeps every read
  std::vector<std::exception_ptr> failures(count);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        try {
          pin_this_thread(topology_, {{pus_.pus[i]}});
          const std::size_t begin = std::min(words_.size(), i * share);
          const std::size_t end = std::min(words_.size(), begin + share);
          const std::span<const std::uint64_t> own(words_.data() + begin, end - begin);
          for (int round = 0; round < 2; ++round) sum += sum_of_lines(own);
        } catch (...) {
          failures[i] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace bellmark::machine
