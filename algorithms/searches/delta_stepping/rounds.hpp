// Rounds of threads that work side by side and help each other. They meet at a barrier, where a
// waiting thread may be handed more work.
//
// A round is over when every thread rests and no parcel is on its way. The number of busy threads
// shows it. A thread that hands a parcel over counts its receiver busy beforehand, and only busy
// threads hand over. So the number stays 0 once it is 0. The last thread to rest leads the others
// into the next round.
//
// Cost: a rest is two atomic operations on lines that all threads share, and a read of the line
// that begins the next round. A look whether anyone asks is a load of a line that changes only when
// a thread goes to rest or is handed something.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

#include "algorithms/searches/layouts/layouts.hpp"
#include "base/spin_pause.hpp"

namespace bellmark::delta_stepping {

/// Waits as a core should, and after a while asleep. With more threads than cores, or beside other
/// programs, the awaited thread needs the place. A yield instead would give the place to any of
/// them for as long as they may have it.
class Patience {
 public:
  void wait() {
    if (++waited_ > kSpins) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      return;
    }
    spin_pause();
  }

 private:
  static constexpr int kSpins = 2000;  ///< some 50 us
  int waited_ = 0;
};

/// `Parcel` is the work that a thread can be handed; each thread has room for one.
template <class Parcel>
class Rounds {
 public:
  /// The end of a rest.
  enum class Wake { parcel, round };
  /// The threads that begin the next round: all, or only the one that leads. The others then rest
  /// on and may be handed parcels. It is no barrier then.
  enum class Open { all, caller };

  /// At most 256 threads.
  explicit Rounds(std::size_t thread_count)
      : word_count_((thread_count + kWordBits - 1) / kWordBits), slots_(thread_count) {}

  /// All threads are busy with the first round. Before they start.
  void begin() {
    for (auto& word : asking_) word.store(0, std::memory_order_relaxed);
    for (Slot& slot : slots_) slot.full.store(false, std::memory_order_relaxed);
    busy_count_.store(slots_.size(), std::memory_order_relaxed);
    failed_.store(false, std::memory_order_relaxed);
  }

  /// Whether a thread waits for a parcel. The answer may be out of date, which does no harm.
  bool asked() const {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < word_count_; ++i) {
      any |= asking_[i].load(std::memory_order_relaxed);
    }
    return any != 0;
  }

  /// A thread that waits, near after the caller in number. Such threads have places near each other
  /// on most machines. It is then the caller's to fill its parcel and deliver() it.
  std::optional<std::size_t> claim(std::size_t caller) {
    for (std::size_t i = 0; i < word_count_; ++i) {
      const std::size_t at = (caller / kWordBits + i) % word_count_;
      const std::uint64_t word = asking_[at].load(std::memory_order_relaxed);
      if (word == 0) continue;
      const auto turn = static_cast<int>(caller % kWordBits);
      const int bit = (std::countr_zero(std::rotr(word, turn)) + turn) % kWordBits;
      const std::uint64_t mask = std::uint64_t{1} << bit;
      if ((asking_[at].fetch_and(~mask, std::memory_order_acq_rel) & mask) == 0) continue;
      busy_count_.fetch_add(1, std::memory_order_relaxed);
      return at * kWordBits + static_cast<std::size_t>(bit);
    }
    return std::nullopt;
  }
  Parcel& parcel(std::size_t thread) { return slots_[thread].parcel; }
  void deliver(std::size_t thread) { slots_[thread].full.store(true, std::memory_order_release); }

  /// The caller has nothing left to do in this round. Returns when it has been handed a parcel, or
  /// when the next round begins. The last thread calls lead() first, while all others rest: it sees
  /// their writes, and they see those of lead(). lead() says who goes on (Open).
  template <class Lead>
  Wake rest(std::size_t caller, Lead lead) {
    const std::uint64_t round = round_.load(std::memory_order_relaxed);
    Slot& slot = slots_[caller];
    // First ask, then rest: the leader clears the requests that nobody claimed, and must find them
    // all.
    const std::uint64_t mask = std::uint64_t{1} << caller % kWordBits;
    asking_[caller / kWordBits].fetch_or(mask, std::memory_order_acq_rel);
    if (busy_count_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      if (lead() == Open::caller) {
        asking_[caller / kWordBits].fetch_and(~mask, std::memory_order_relaxed);
        busy_count_.store(1, std::memory_order_relaxed);
        return Wake::round;
      }
      for (auto& word : asking_) word.store(0, std::memory_order_relaxed);
      busy_count_.store(slots_.size(), std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return Wake::round;
    }
    for (Patience patience;; patience.wait()) {
      if (slot.full.load(std::memory_order_acquire)) {
        slot.full.store(false, std::memory_order_relaxed);
        return Wake::parcel;
      }
      if (round_.load(std::memory_order_acquire) != round || failed()) return Wake::round;
    }
  }

  /// The caller gives up: every rest ends, this one and later ones, and failed() is true.
  void fail() { failed_.store(true, std::memory_order_relaxed); }
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t kWordBits = 64;
  static constexpr std::size_t kWords = 4;

  struct alignas(2 * dijkstra::kLineBytes) Slot {
    std::atomic<bool> full = false;
    Parcel parcel;
  };

  alignas(2 * dijkstra::kLineBytes) std::array<std::atomic<std::uint64_t>, kWords> asking_{};
  alignas(2 * dijkstra::kLineBytes) std::atomic<std::size_t> busy_count_ = 0;
  alignas(2 * dijkstra::kLineBytes) std::atomic<std::uint64_t> round_ = 0;
  std::atomic<bool> failed_ = false;
  std::size_t word_count_;
  std::vector<Slot> slots_;
};

}  // namespace bellmark::delta_stepping
