// Messages from one thread to another, in a ring of cache lines.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace bellmark::owned_regions {

/// One writer and one reader. The writer's place and the reader's lie on lines of their own. Each
/// keeps a copy of the other's, so that a line moves once in a batch.
template <class Message>
class Mailbox {
 public:
  static constexpr std::size_t kCapacity = 4096;

  Mailbox() : slots_(kCapacity) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  /// Nothing is under way: both threads are between searches.
  void clear() {
    written_ = read_copy_ = read_ = 0;
    published_.store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed);
  }

  /// The writer's: false when the ring is full.
  bool put(const Message& message) {
    if (written_ - read_copy_ == kCapacity) {
      read_copy_ = taken_.load(std::memory_order_acquire);
      if (written_ - read_copy_ == kCapacity) return false;
    }
    slots_[written_ % kCapacity] = message;
    ++written_;
    return true;
  }
  /// The number of messages that were put and not published.
  std::uint64_t unpublished() const {
    return written_ - published_.load(std::memory_order_relaxed);
  }
  void publish() { published_.store(written_, std::memory_order_release); }

  /// The reader's: calls ask(message) for all published messages, and then visit(message) for all.
  /// So ask() can prefetch what visit() reads. Returns their number.
  template <class Ask, class Visit>
  std::uint64_t take(Ask ask, Visit visit) {
    const std::uint64_t end = published_.load(std::memory_order_acquire);
    const std::uint64_t count = end - read_;
    if (count == 0) return 0;
    for (std::uint64_t i = read_; i != end; ++i) ask(slots_[i % kCapacity]);
    for (; read_ != end; ++read_) visit(slots_[read_ % kCapacity]);
    taken_.store(read_, std::memory_order_release);
    return count;
  }

 private:
  static constexpr std::size_t kLineBytes = 64;

  std::vector<Message> slots_;
  alignas(kLineBytes) std::uint64_t written_ = 0;  // the writer's
  std::uint64_t read_copy_ = 0;
  alignas(kLineBytes) std::atomic<std::uint64_t> published_ = 0;
  alignas(kLineBytes) std::uint64_t read_ = 0;  // the reader's
  alignas(kLineBytes) std::atomic<std::uint64_t> taken_ = 0;
};

}  // namespace bellmark::owned_regions
