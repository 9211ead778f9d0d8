#include "harness/mpi/mpi_communicator.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace bellmark {
namespace {

// Messages between two ranks arrive in the order in which they were sent, and all ranks make their
// calls in one order. So one tag is enough.
constexpr int kTag = 0;

static_assert(sizeof(std::size_t) == sizeof(std::uint64_t));

void copy(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty() && from.data() != to) std::memcpy(to, from.data(), from.size());
}

/// Messages of one call that are under way.
class Messages final : public Transfer {
 public:
  Messages(MPI_Comm ranks, std::size_t message_bytes)
      : ranks_(ranks), message_bytes_(message_bytes) {}

  void send(std::span<const std::byte> data, std::size_t to) {
    for (std::size_t begin = 0; begin < data.size(); begin += message_bytes_) {
      const std::size_t count = std::min(message_bytes_, data.size() - begin);
      MPI_Isend(data.data() + begin, static_cast<int>(count), MPI_BYTE, static_cast<int>(to), kTag,
                ranks_, next());
    }
  }

  /// All receive() calls come before any send(): so messages arrive in their place without a
  /// buffer.
  void receive(std::span<std::byte> data, std::size_t from) {
    for (std::size_t begin = 0; begin < data.size(); begin += message_bytes_) {
      const std::size_t count = std::min(message_bytes_, data.size() - begin);
      MPI_Irecv(data.data() + begin, static_cast<int>(count), MPI_BYTE, static_cast<int>(from),
                kTag, ranks_, next());
      expected_.push_back(static_cast<int>(count));
    }
  }

  bool done() override {
    if (!is_done_) {
      statuses_.resize(requests_.size());
      int all = 0;
      MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, statuses_.data());
      is_done_ = all != 0;
    }
    return is_done_;
  }

  void wait() override {
    if (!is_done_) {
      statuses_.resize(requests_.size());
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data());
      is_done_ = true;
    }
    // MPI itself refuses messages that are too long.
    for (std::size_t i = 0; i < expected_.size(); ++i) {
      int count = 0;
      MPI_Get_count(&statuses_[i], MPI_BYTE, &count);
      if (count != expected_[i]) {
        throw std::logic_error("rank " + std::to_string(statuses_[i].MPI_SOURCE) + " sent " +
                               std::to_string(count) + " bytes where " +
                               std::to_string(expected_[i]) + " were expected");
      }
    }
  }

 private:
  MPI_Request* next() { return &requests_.emplace_back(MPI_REQUEST_NULL); }

  MPI_Comm ranks_;
  std::size_t message_bytes_;
  std::vector<MPI_Request> requests_;  ///< receiving, then sending
  std::vector<int> expected_;          ///< bytes, of each that receives
  std::vector<MPI_Status> statuses_;
  bool is_done_ = false;
};

/// Counts and displacements in the form of MPI's collectives.
struct Places {
  explicit Places(const std::vector<std::size_t>& offsets) {
    for (std::size_t rank = 0; rank + 1 < offsets.size(); ++rank) {
      counts.push_back(static_cast<int>(offsets[rank + 1] - offsets[rank]));
      begins.push_back(static_cast<int>(offsets[rank]));
    }
  }
  std::vector<int> counts, begins;
};

/// An all-gather under way within MPI, which reads the places until it is done. Every rank's own
/// part is in its place. MPI_IN_PLACE is not used: MPI forbids it for some ranks only.
class Gathering final : public Transfer {
 public:
  Gathering(MPI_Comm ranks, std::span<std::byte> all, const std::vector<std::size_t>& offsets)
      : places_(offsets) {
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all.data(), places_.counts.data(),
                    places_.begins.data(), MPI_BYTE, ranks, &request_);
  }

  bool done() override {
    int is_done = 0;
    MPI_Test(&request_, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  }

  void wait() override { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

 private:
  Places places_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

MPI_Op operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::sum:
      return MPI_SUM;
    case Reduction::least:
      return MPI_MIN;
    case Reduction::largest:
      return MPI_MAX;
    case Reduction::any_bit:
      return MPI_BOR;
  }
  throw std::logic_error("all_reduce: no such reduction");
}

std::size_t rank_in(MPI_Comm ranks) {
  int rank = 0;
  MPI_Comm_rank(ranks, &rank);
  return static_cast<std::size_t>(rank);
}

std::size_t size_of(MPI_Comm ranks) {
  int size = 0;
  MPI_Comm_size(ranks, &size);
  return static_cast<std::size_t>(size);
}

class MpiCommunicator final : public Communicator {
 public:
  /// Frees `ranks` in the end.
  MpiCommunicator(MPI_Comm ranks, std::shared_ptr<Progress> progress, std::size_t message_bytes)
      : Communicator(rank_in(ranks), size_of(ranks), std::move(progress)),
        ranks_(ranks),
        message_bytes_(message_bytes) {}

  ~MpiCommunicator() override {
    // Freeing is collective, and a rank that fails can't wait for the others.
    if (std::uncaught_exceptions() == 0) MPI_Comm_free(&ranks_);
  }

 private:
  void do_barrier() override { MPI_Barrier(ranks_); }

  void do_broadcast(std::span<std::byte> data, std::size_t root) override {
    for (std::size_t begin = 0; begin < data.size(); begin += message_bytes_) {
      const std::size_t count = std::min(message_bytes_, data.size() - begin);
      MPI_Bcast(data.data() + begin, static_cast<int>(count), MPI_BYTE, static_cast<int>(root),
                ranks_);
    }
  }

  void do_all_gather(std::span<const std::byte> own, std::span<std::byte> all,
                     const Offsets& offsets) override {
    if (offsets.back() > message_bytes_) {
      begin_all_gather(own, all, offsets)->wait();
      return;
    }
    copy(own, all.data() + offsets[rank()]);
    const Places places(offsets);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all.data(), places.counts.data(),
                   places.begins.data(), MPI_BYTE, ranks_);
  }

  std::unique_ptr<Transfer> begin_all_gather(std::span<const std::byte> own,
                                             std::span<std::byte> all,
                                             const Offsets& offsets) override {
    copy(own, all.data() + offsets[rank()]);
    // All ranks have the same offsets, and so make the same choice.
    if (offsets.back() <= message_bytes_) {
      return std::make_unique<Gathering>(ranks_, all, offsets);
    }
    auto messages = std::make_unique<Messages>(ranks_, message_bytes_);
    for_others([&](std::size_t /*to*/, std::size_t from) {
      messages->receive(all.subspan(offsets[from], offsets[from + 1] - offsets[from]), from);
    });
    for_others([&](std::size_t to, std::size_t /*from*/) { messages->send(own, to); });
    return messages;
  }

  std::unique_ptr<Transfer> begin_all_to_all(std::span<const std::byte> sent,
                                             const Offsets& send_offsets,
                                             std::span<std::byte> received,
                                             const Offsets& received_offsets) override {
    // Not MPI_Ialltoallv, whose counts and displacements are ints. One rank alone may exceed them,
    // and the others would not know.
    const auto to_send = [&](std::size_t to) {
      return sent.subspan(send_offsets[to], send_offsets[to + 1] - send_offsets[to]);
    };
    auto messages = std::make_unique<Messages>(ranks_, message_bytes_);
    for_others([&](std::size_t /*to*/, std::size_t from) {
      const std::size_t begin = received_offsets[from];
      messages->receive(received.subspan(begin, received_offsets[from + 1] - begin), from);
    });
    for_others([&](std::size_t to, std::size_t /*from*/) { messages->send(to_send(to), to); });
    copy(to_send(rank()), received.data() + received_offsets[rank()]);
    return messages;
  }

  void do_exchange(std::span<const std::byte> sent, std::size_t to, std::span<std::byte> received,
                   std::size_t from) override {
    if (to == rank()) return;
    Messages messages(ranks_, message_bytes_);
    messages.receive(received, from);
    messages.send(sent, to);
    messages.wait();
  }

  void do_all_reduce(std::span<std::uint64_t> values, Reduction reduction) override {
    const std::size_t message_count = message_bytes_ / sizeof(std::uint64_t);
    for (std::size_t begin = 0; begin < values.size(); begin += message_count) {
      const std::size_t count = std::min(message_count, values.size() - begin);
      MPI_Allreduce(MPI_IN_PLACE, values.data() + begin, static_cast<int>(count), MPI_UINT64_T,
                    operation(reduction), ranks_);
    }
  }

  std::unique_ptr<Communicator> do_split(std::size_t color) override {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_Comm_split(ranks_, static_cast<int>(color), static_cast<int>(rank()), &part);
    return std::make_unique<MpiCommunicator>(part, shared_progress(), message_bytes_);
  }

  /// Each other rank once as receiver and as sender. Every step has another pair, so that not all
  /// ranks send to the same rank at once.
  template <typename Visit>
  void for_others(const Visit& visit) const {
    for (std::size_t step = 1; step < size(); ++step) {
      visit((rank() + step) % size(), (rank() + size() - step) % size());
    }
  }

  MPI_Comm ranks_;
  std::size_t message_bytes_;
};

}  // namespace

MpiSession::MpiSession(int& argc, char**& argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  if (provided < MPI_THREAD_FUNNELED) {
    throw MachineError("MPI", "this library allows a process no further threads",
                       "use one with MPI_THREAD_FUNNELED");
  }
}

MpiSession::~MpiSession() {
  if (std::uncaught_exceptions() == 0) MPI_Finalize();
}

std::unique_ptr<Communicator> MpiSession::communicator(std::shared_ptr<Progress> progress,
                                                       std::size_t message_bytes) {
  if (message_bytes == 0 || message_bytes > kMessageBytes ||
      message_bytes % sizeof(std::uint64_t) != 0) {
    throw std::logic_error("MPI: messages of " + std::to_string(message_bytes) + " bytes");
  }
  MPI_Comm ranks = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &ranks);
  return std::make_unique<MpiCommunicator>(ranks, std::move(progress), message_bytes);
}

void MpiSession::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace bellmark
