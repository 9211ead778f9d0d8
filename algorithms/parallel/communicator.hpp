// The messages between the processes of a distributed search. Algorithms know nothing else of them:
// ranks may be MPI processes (harness/mpi/), or threads of one process (thread_ranks.hpp).
#pragma once

#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace bellmark {

/// sum wraps at 2^64.
enum class Reduction { sum, least, largest, any_bit };

enum class Collective : std::uint32_t {
  none,
  barrier,
  broadcast,
  all_gather,
  all_to_all,
  exchange,
  all_reduce,
  split,
};

std::string_view name_of(Collective collective);

/// The calls and bytes of a rank through a communicator since that was made.
struct Traffic {
  std::uint64_t call_count = 0;
  /// Messages to other ranks, as common algorithms send them (Thakur, Rabenseifner, Gropp, IJHPCA
  /// 19 (1), 2005). An all-gather (a ring) and the root of a broadcast send one to each of them. An
  /// all-to-all sends one to each that gets anything, and an exchange sends one. A barrier or a
  /// reduction sends one in each of its ceil(log2 size) rounds (recursive doubling).
  std::uint64_t message_count = 0;
  /// Bytes to other ranks, once for each that receives them. A reduction counts as the algorithm
  /// that sends least: each rank reduces its share of the values, and gives the outcome to all
  /// others.
  std::uint64_t sent_bytes = 0;
};

/// A rank's progress over all its communicators. Other threads may read it, and other processes
/// where it lies in shared memory. A start counts as a call, and its wait as another, so that all
/// ranks count alike. In a hang the others wait for the rank with the fewest entered calls. A rank
/// that has left all calls that it entered is in code of its own.
struct Progress {
  std::atomic<std::uint64_t> entered_count = 0;
  std::atomic<std::uint64_t> left_count = 0;
  std::atomic<Collective> latest = Collective::none;  ///< entered
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  static_assert(std::atomic<Collective>::is_always_lock_free);
};

/// The data that move between ranks: vectors, arrays and spans whose elements are copied byte by
/// byte.
template <typename T>
concept Elements = std::contiguous_iterator<decltype(std::begin(std::declval<T&>()))> &&
    std::is_trivially_copyable_v<std::iter_value_t<decltype(std::begin(std::declval<T&>()))>>;

template <Elements T>
using ElementOf = std::iter_value_t<decltype(std::begin(std::declval<T&>()))>;

/// A transfer that an implementation has begun.
class Transfer {
 public:
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  virtual ~Transfer() = default;

  virtual bool done() = 0;
  virtual void wait() = 0;  ///< called once
};

/// A transfer under way. Until wait() has returned, the data sent must not be changed, and the
/// place that receives must not be touched. Every rank waits, in the same order relative to its
/// other calls, and keeps the communicator until then.
class [[nodiscard]] Pending {
 public:
  Pending() = default;  ///< nothing: done
  Pending(std::unique_ptr<Transfer> transfer, Collective collective,
          std::shared_ptr<Progress> progress);
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&& other) noexcept(false);  ///< waits for the old transfer
  /// Waits, and throws the exceptions of wait(), but not while an exception unwinds the rank. The
  /// others might never come then, and the whole group ends.
  ~Pending() noexcept(false);

  /// Whether wait() would return at once. Libraries move much of the data within calls, so a long
  /// computation that overlaps should ask from time to time.
  bool done();
  /// Returns when everything is here and the data sent may be changed. A second call does nothing.
  void wait();

 private:
  std::unique_ptr<Transfer> transfer_;
  Collective collective_ = Collective::none;
  std::shared_ptr<Progress> progress_;
  int exception_count_ = 0;
};

/// Ranks 0..size()-1 of one search. Everything but the observers is collective. All ranks call it
/// in the same order and with fitting sizes, and none returns before it has its data. Only the
/// thread that got a communicator calls it. Sizes may be 0, differ between ranks and exceed 2^32
/// bytes. Data sent and data received must not overlap.
///
/// No error comes back: a rank that fails ends the whole group. Calls that don't fit are faults of
/// an algorithm. Those that this rank can see throw std::logic_error; thread ranks see all.
class Communicator {
 public:
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  std::size_t rank() const { return rank_; }
  std::size_t size() const { return size_; }
  /// The traffic of this communicator alone, without those split from it.
  Traffic traffic() const { return traffic_; }
  /// The progress of this rank: communicators split from this one share it.
  const Progress& progress() const { return *progress_; }

  void barrier();

  /// The root's elements to all.
  template <Elements Data>
  void broadcast(Data&& data, std::size_t root) {
    broadcast_bytes(writable_bytes(data), root);
  }

  /// `all` gets every rank's `own` in the order of ranks: rank r's at offsets[r]..offsets[r + 1]
  /// (elements). All ranks give the same size() + 1 offsets. `own` may be its own place in `all`.
  template <Elements Own, Elements All>
  void all_gather(const Own& own, All&& all, std::span<const std::size_t> offsets) {
    check_same<Own, All>();
    all_gather_bytes(bytes(own), writable_bytes(all), in_bytes<All>(offsets));
  }
  /// The same number of elements from each rank.
  template <Elements Own, Elements All>
  void all_gather(const Own& own, All&& all) {
    all_gather(own, all, even_offsets(std::size(own)));
  }
  /// One element from each rank.
  template <typename T>
  requires std::is_trivially_copyable_v<T> std::vector<T> all_gather(const T& own) {
    std::vector<T> all(size_);
    all_gather(std::span(&own, 1), all);
    return all;
  }
  /// Like all_gather(), but the returned handle finishes it. The offsets may go at once.
  template <Elements Own, Elements All>
  Pending start_all_gather(Own&& own, All&& all, std::span<const std::size_t> offsets) {
    check_same<Own, All>();
    check_lasts<Own, All>();
    return start_all_gather_bytes(bytes(own), writable_bytes(all), in_bytes<All>(offsets));
  }

  /// Rank r gets sent[send_offsets[r]..send_offsets[r + 1]]. Its data for this rank go to
  /// received[received_offsets[r]..received_offsets[r + 1]] (elements, size() + 1 offsets).
  template <Elements Sent, Elements Received>
  void all_to_all(const Sent& sent, std::span<const std::size_t> send_offsets, Received&& received,
                  std::span<const std::size_t> received_offsets) {
    start_all_to_all(sent, send_offsets, received, received_offsets).wait();
  }
  /// The same number of elements from each rank to each.
  template <Elements Sent, Elements Received>
  void all_to_all(const Sent& sent, Received&& received) {
    const std::vector<std::size_t> offsets = even_offsets(even_share(std::size(sent)));
    all_to_all(sent, offsets, received, offsets);
  }
  /// For receivers that don't know the sizes: a call of its own tells them first. `received` takes
  /// the size of the data; returns its offsets.
  template <Elements Sent>
  std::vector<std::size_t> all_to_all(const Sent& sent, std::span<const std::size_t> send_offsets,
                                      std::vector<ElementOf<Sent>>& received) {
    std::vector<std::size_t> offsets = exchange_sizes(send_offsets);
    received.resize(offsets.back());
    all_to_all(sent, send_offsets, received, offsets);
    return offsets;
  }
  /// Like all_to_all(), but the returned handle finishes it. The offsets may go at once.
  template <Elements Sent, Elements Received>
  Pending start_all_to_all(Sent&& sent, std::span<const std::size_t> send_offsets,
                           Received&& received, std::span<const std::size_t> received_offsets) {
    check_same<Sent, Received>();
    check_lasts<Sent, Received>();
    return start_all_to_all_bytes(bytes(sent), in_bytes<Sent>(send_offsets),
                                  writable_bytes(received), in_bytes<Sent>(received_offsets));
  }

  /// A permutation: every rank sends all of `sent` to rank `to` and fills `received` from rank
  /// `from`, which names this one as its `to`. Both may be this rank.
  template <Elements Sent, Elements Received>
  void exchange(const Sent& sent, std::size_t to, Received&& received, std::size_t from) {
    check_same<Sent, Received>();
    exchange_bytes(bytes(sent), to, writable_bytes(received), from);
  }

  /// Element by element over all ranks; each gets the outcome in place.
  void all_reduce(std::span<std::uint64_t> values, Reduction reduction);
  [[nodiscard]] std::uint64_t all_reduce(std::uint64_t value, Reduction reduction) {
    all_reduce(std::span(&value, 1), reduction);
    return value;
  }

  /// The ranks that name the same color, in the order of their ranks here. Colors are below 2^31.
  /// It may outlive this one.
  std::unique_ptr<Communicator> split(std::size_t color);

 protected:
  using Offsets = std::vector<std::size_t>;  ///< size() + 1, in bytes

  Communicator(std::size_t rank, std::size_t size, std::shared_ptr<Progress> progress)
      : rank_(rank), size_(size), progress_(std::move(progress)) {}

  const std::shared_ptr<Progress>& shared_progress() const { return progress_; }

 private:
  // The functions of an implementation. Sizes and ranks were checked as far as this rank can.
  virtual void do_barrier() = 0;
  virtual void do_broadcast(std::span<std::byte> data, std::size_t root) = 0;
  virtual void do_all_gather(std::span<const std::byte> own, std::span<std::byte> all,
                             const Offsets& offsets) {
    begin_all_gather(own, all, offsets)->wait();
  }
  virtual std::unique_ptr<Transfer> begin_all_gather(std::span<const std::byte> own,
                                                     std::span<std::byte> all,
                                                     const Offsets& offsets) = 0;
  virtual std::unique_ptr<Transfer> begin_all_to_all(std::span<const std::byte> sent,
                                                     const Offsets& send_offsets,
                                                     std::span<std::byte> received,
                                                     const Offsets& received_offsets) = 0;
  virtual void do_exchange(std::span<const std::byte> sent, std::size_t to,
                           std::span<std::byte> received, std::size_t from) = 0;
  virtual void do_all_reduce(std::span<std::uint64_t> values, Reduction reduction) = 0;
  virtual std::unique_ptr<Communicator> do_split(std::size_t color) = 0;

  void broadcast_bytes(std::span<std::byte> data, std::size_t root);
  void all_gather_bytes(std::span<const std::byte> own, std::span<std::byte> all,
                        const Offsets& offsets);
  Pending start_all_gather_bytes(std::span<const std::byte> own, std::span<std::byte> all,
                                 const Offsets& offsets);
  Pending start_all_to_all_bytes(std::span<const std::byte> sent, const Offsets& send_offsets,
                                 std::span<std::byte> received, const Offsets& received_offsets);
  void exchange_bytes(std::span<const std::byte> sent, std::size_t to,
                      std::span<std::byte> received, std::size_t from);
  std::vector<std::size_t> exchange_sizes(std::span<const std::size_t> send_offsets);

  void count(std::uint64_t message_count, std::uint64_t sent_bytes);
  /// The number of rounds in which every rank hears of all others.
  std::uint64_t round_count() const { return std::bit_width(size_ - 1); }
  void count_all_gather(std::span<const std::byte> own, std::span<const std::byte> all,
                        const Offsets& offsets);
  void check_rank(Collective collective, std::size_t other) const;
  void check_offsets(Collective collective, const Offsets& offsets, std::size_t size) const;
  [[noreturn]] void refuse(Collective collective, std::string_view what) const;

  std::size_t even_share(std::size_t count) const;
  std::vector<std::size_t> even_offsets(std::size_t count) const;

  template <typename Sent, typename Received>
  static constexpr void check_same() {
    static_assert(std::is_same_v<ElementOf<Sent>, ElementOf<Received>>,
                  "the data sent and the data received must be of one type");
  }
  template <typename Sent, typename Received>
  static constexpr void check_lasts() {
    static_assert(std::ranges::borrowed_range<Sent> && std::ranges::borrowed_range<Received>,
                  "the data sent and the data received must outlive the call: no temporary");
  }
  template <typename T>
  static Offsets in_bytes(std::span<const std::size_t> offsets) {
    Offsets scaled(offsets.begin(), offsets.end());
    for (std::size_t& offset : scaled) offset *= sizeof(ElementOf<T>);
    return scaled;
  }
  template <typename T>
  static std::span<const std::byte> bytes(const T& elements) {
    return std::as_bytes(std::span(std::data(elements), std::size(elements)));
  }
  template <typename T>
  static std::span<std::byte> writable_bytes(T& elements) {
    return std::as_writable_bytes(std::span(std::data(elements), std::size(elements)));
  }

  std::size_t rank_;
  std::size_t size_;
  std::shared_ptr<Progress> progress_;
  Traffic traffic_;
};

/// A search by one process: it receives everything that it sends.
class SelfCommunicator final : public Communicator {
 public:
  explicit SelfCommunicator(std::shared_ptr<Progress> progress = std::make_shared<Progress>())
      : Communicator(0, 1, std::move(progress)) {}

 private:
  void do_barrier() override {}
  void do_broadcast(std::span<std::byte> data, std::size_t root) override;
  std::unique_ptr<Transfer> begin_all_gather(std::span<const std::byte> own,
                                             std::span<std::byte> all,
                                             const Offsets& offsets) override;
  std::unique_ptr<Transfer> begin_all_to_all(std::span<const std::byte> sent,
                                             const Offsets& send_offsets,
                                             std::span<std::byte> received,
                                             const Offsets& received_offsets) override;
  void do_exchange(std::span<const std::byte> sent, std::size_t to, std::span<std::byte> received,
                   std::size_t from) override;
  void do_all_reduce(std::span<std::uint64_t> values, Reduction reduction) override;
  std::unique_ptr<Communicator> do_split(std::size_t color) override;
};

/// The ranks of the launch group that this process belongs to, or this thread within run_ranks().
/// It is a SelfCommunicator unless set_world() was called.
Communicator& world();

/// For a process that was launched as one of several ranks, before anything asks for world(). It
/// must live as long as it is asked for. Null: this process is alone again.
void set_world(Communicator* ranks);

/// While it lives, world() is `ranks` in this thread.
class ThreadWorld {
 public:
  explicit ThreadWorld(Communicator& ranks);
  ThreadWorld(const ThreadWorld&) = delete;
  ThreadWorld& operator=(const ThreadWorld&) = delete;
  ~ThreadWorld();

 private:
  Communicator* previous_;
};

}  // namespace bellmark
