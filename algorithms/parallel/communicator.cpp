#include "algorithms/parallel/communicator.hpp"

#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace bellmark {
namespace {

/// A call: entered here, and left at the end of the scope, by an exception too.
class Call {
 public:
  Call(Progress& progress, Collective collective) : progress_(progress) {
    progress_.latest.store(collective, std::memory_order_relaxed);
    progress_.entered_count.fetch_add(1, std::memory_order_relaxed);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  ~Call() { progress_.left_count.fetch_add(1, std::memory_order_relaxed); }

 private:
  Progress& progress_;
};

/// The number of elements that rank `rank` gets when 0..count-1 are dealt to `size` ranks in order.
std::uint64_t share(std::uint64_t count, std::size_t rank, std::size_t size) {
  return count / size + (rank < count % size ? 1 : 0);
}

void copy(std::span<const std::byte> from, std::span<std::byte> to) {
  if (!from.empty() && from.data() != to.data()) std::memcpy(to.data(), from.data(), from.size());
}

class Finished final : public Transfer {
 public:
  bool done() override { return true; }
  void wait() override {}
};

Communicator* process_world = nullptr;
thread_local Communicator* thread_world = nullptr;

}  // namespace

std::string_view name_of(Collective collective) {
  switch (collective) {
    case Collective::none:
      return "none";
    case Collective::barrier:
      return "barrier";
    case Collective::broadcast:
      return "broadcast";
    case Collective::all_gather:
      return "all_gather";
    case Collective::all_to_all:
      return "all_to_all";
    case Collective::exchange:
      return "exchange";
    case Collective::all_reduce:
      return "all_reduce";
    case Collective::split:
      return "split";
  }
  return "unknown";
}

Pending::Pending(std::unique_ptr<Transfer> transfer, Collective collective,
                 std::shared_ptr<Progress> progress)
    : transfer_(std::move(transfer)),
      collective_(collective),
      progress_(std::move(progress)),
      exception_count_(std::uncaught_exceptions()) {}

Pending& Pending::operator=(Pending&& other) noexcept(false) {
  wait();
  transfer_ = std::move(other.transfer_);
  collective_ = other.collective_;
  progress_ = std::move(other.progress_);
  exception_count_ = other.exception_count_;
  return *this;
}

Pending::~Pending() noexcept(false) {
  if (std::uncaught_exceptions() <= exception_count_) wait();
}

bool Pending::done() { return !transfer_ || transfer_->done(); }

void Pending::wait() {
  const std::unique_ptr<Transfer> transfer = std::move(transfer_);
  if (!transfer) return;
  const Call call(*progress_, collective_);
  transfer->wait();
}

void Communicator::barrier() {
  const Call call(*progress_, Collective::barrier);
  count(round_count(), 0);
  do_barrier();
}

void Communicator::broadcast_bytes(std::span<std::byte> data, std::size_t root) {
  const Call call(*progress_, Collective::broadcast);
  check_rank(Collective::broadcast, root);
  const std::size_t receiver_count = rank_ == root ? size_ - 1 : 0;
  count(receiver_count, data.size() * receiver_count);
  do_broadcast(data, root);
}

void Communicator::all_gather_bytes(std::span<const std::byte> own, std::span<std::byte> all,
                                    const Offsets& offsets) {
  const Call call(*progress_, Collective::all_gather);
  count_all_gather(own, all, offsets);
  do_all_gather(own, all, offsets);
}

Pending Communicator::start_all_gather_bytes(std::span<const std::byte> own,
                                             std::span<std::byte> all, const Offsets& offsets) {
  const Call call(*progress_, Collective::all_gather);
  count_all_gather(own, all, offsets);
  return Pending(begin_all_gather(own, all, offsets), Collective::all_gather, progress_);
}

void Communicator::count_all_gather(std::span<const std::byte> own, std::span<const std::byte> all,
                                    const Offsets& offsets) {
  check_offsets(Collective::all_gather, offsets, all.size());
  const std::size_t place = offsets[rank_ + 1] - offsets[rank_];
  if (own.size() != place) {
    refuse(Collective::all_gather, "it gives " + std::to_string(own.size()) +
                                       " bytes and its offsets hold " + std::to_string(place));
  }
  count(size_ - 1, own.size() * (size_ - 1));
}

Pending Communicator::start_all_to_all_bytes(std::span<const std::byte> sent,
                                             const Offsets& send_offsets,
                                             std::span<std::byte> received,
                                             const Offsets& received_offsets) {
  const Call call(*progress_, Collective::all_to_all);
  check_offsets(Collective::all_to_all, send_offsets, sent.size());
  check_offsets(Collective::all_to_all, received_offsets, received.size());
  const std::size_t own = send_offsets[rank_ + 1] - send_offsets[rank_];
  const std::size_t place = received_offsets[rank_ + 1] - received_offsets[rank_];
  if (own != place) {
    refuse(Collective::all_to_all, "it sends itself " + std::to_string(own) +
                                       " bytes and expects " + std::to_string(place));
  }
  std::uint64_t message_count = 0;
  for (std::size_t to = 0; to < size_; ++to) {
    if (to != rank_ && send_offsets[to] < send_offsets[to + 1]) ++message_count;
  }
  count(message_count, send_offsets.back() - send_offsets.front() - own);
  return Pending(begin_all_to_all(sent, send_offsets, received, received_offsets),
                 Collective::all_to_all, progress_);
}

void Communicator::exchange_bytes(std::span<const std::byte> sent, std::size_t to,
                                  std::span<std::byte> received, std::size_t from) {
  const Call call(*progress_, Collective::exchange);
  check_rank(Collective::exchange, to);
  check_rank(Collective::exchange, from);
  if ((to == rank_) != (from == rank_)) {
    refuse(Collective::exchange, "it sends to rank " + std::to_string(to) +
                                     " and receives from rank " + std::to_string(from) +
                                     ": a rank that sends to itself receives from itself");
  }
  if (to == rank_ && sent.size() != received.size()) {
    refuse(Collective::exchange, "it sends itself " + std::to_string(sent.size()) +
                                     " bytes and expects " + std::to_string(received.size()));
  }
  count(to == rank_ ? 0 : 1, to == rank_ ? 0 : sent.size());
  if (to == rank_) copy(sent, received);
  do_exchange(sent, to, received, from);
}

void Communicator::all_reduce(std::span<std::uint64_t> values, Reduction reduction) {
  const Call call(*progress_, Collective::all_reduce);
  const std::uint64_t mine = share(values.size(), rank_, size_);
  count(round_count(), (values.size() - mine + mine * (size_ - 1)) * sizeof(std::uint64_t));
  do_all_reduce(values, reduction);
}

std::unique_ptr<Communicator> Communicator::split(std::size_t color) {
  const Call call(*progress_, Collective::split);
  if (color > 0x7fffffff) {
    refuse(Collective::split, "color " + std::to_string(color) + " is not below 2^31");
  }
  count(0, 0);
  return do_split(color);
}

std::vector<std::size_t> Communicator::exchange_sizes(std::span<const std::size_t> send_offsets) {
  check_offsets(Collective::all_to_all, Offsets(send_offsets.begin(), send_offsets.end()),
                send_offsets.empty() ? 0 : send_offsets.back());
  std::vector<std::size_t> sizes(size_);
  for (std::size_t to = 0; to < size_; ++to) sizes[to] = send_offsets[to + 1] - send_offsets[to];
  std::vector<std::size_t> received_sizes(size_);
  all_to_all(sizes, received_sizes);
  std::vector<std::size_t> offsets(size_ + 1, 0);
  for (std::size_t from = 0; from < size_; ++from) {
    offsets[from + 1] = offsets[from] + received_sizes[from];
  }
  return offsets;
}

void Communicator::count(std::uint64_t message_count, std::uint64_t sent_bytes) {
  ++traffic_.call_count;
  traffic_.message_count += message_count;
  traffic_.sent_bytes += sent_bytes;
}

void Communicator::check_rank(Collective collective, std::size_t other) const {
  if (other >= size_) refuse(collective, "there is no rank " + std::to_string(other));
}

void Communicator::check_offsets(Collective collective, const Offsets& offsets,
                                 std::size_t size) const {
  if (offsets.size() != size_ + 1) {
    refuse(collective, std::to_string(offsets.size()) + " offsets, where " +
                           std::to_string(size_ + 1) + " are needed");
  }
  for (std::size_t other = 0; other < size_; ++other) {
    if (offsets[other] > offsets[other + 1]) {
      refuse(collective, "the offsets of rank " + std::to_string(other) + " descend from " +
                             std::to_string(offsets[other]) + " to " +
                             std::to_string(offsets[other + 1]) + " bytes");
    }
  }
  if (offsets.back() > size) {
    refuse(collective, "the offsets end at " + std::to_string(offsets.back()) +
                           " bytes, and there are " + std::to_string(size));
  }
}

void Communicator::refuse(Collective collective, std::string_view what) const {
  throw std::logic_error(std::string(name_of(collective)) + ": rank " + std::to_string(rank_) +
                         " of " + std::to_string(size_) + ": " + std::string(what));
}

std::size_t Communicator::even_share(std::size_t count) const {
  if (count % size_ != 0) {
    refuse(Collective::all_to_all,
           std::to_string(count) + " elements are not the same number for each rank");
  }
  return count / size_;
}

std::vector<std::size_t> Communicator::even_offsets(std::size_t count) const {
  std::vector<std::size_t> offsets(size_ + 1);
  for (std::size_t other = 0; other <= size_; ++other) offsets[other] = other * count;
  return offsets;
}

void SelfCommunicator::do_broadcast(std::span<std::byte> /*data*/, std::size_t /*root*/) {}

std::unique_ptr<Transfer> SelfCommunicator::begin_all_gather(std::span<const std::byte> own,
                                                             std::span<std::byte> all,
                                                             const Offsets& offsets) {
  copy(own, all.subspan(offsets[0]));
  return std::make_unique<Finished>();
}

std::unique_ptr<Transfer> SelfCommunicator::begin_all_to_all(std::span<const std::byte> sent,
                                                             const Offsets& send_offsets,
                                                             std::span<std::byte> received,
                                                             const Offsets& received_offsets) {
  copy(sent.subspan(send_offsets[0], send_offsets[1] - send_offsets[0]),
       received.subspan(received_offsets[0]));
  return std::make_unique<Finished>();
}

void SelfCommunicator::do_exchange(std::span<const std::byte> /*sent*/, std::size_t /*to*/,
                                   std::span<std::byte> /*received*/, std::size_t /*from*/) {}

void SelfCommunicator::do_all_reduce(std::span<std::uint64_t> /*values*/, Reduction /*reduction*/) {
}

std::unique_ptr<Communicator> SelfCommunicator::do_split(std::size_t /*color*/) {
  return std::make_unique<SelfCommunicator>(shared_progress());
}

Communicator& world() {
  static SelfCommunicator alone;
  if (thread_world != nullptr) return *thread_world;
  return process_world != nullptr ? *process_world : alone;
}

void set_world(Communicator* ranks) { process_world = ranks; }

ThreadWorld::ThreadWorld(Communicator& ranks) : previous_(std::exchange(thread_world, &ranks)) {}

ThreadWorld::~ThreadWorld() { thread_world = previous_; }

}  // namespace bellmark
