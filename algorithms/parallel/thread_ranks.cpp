#include "algorithms/parallel/thread_ranks.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.hpp"

namespace bellmark {
namespace {

struct Group;

/// A rank's contribution to a collective.
struct Contribution {
  bool has_arrived = false;
  std::vector<std::byte> data;
  std::vector<std::size_t> offsets;  ///< of data, a receiver each: all_to_all
  std::size_t to = 0;                ///< exchange, split: the receiver, the color
  std::vector<std::size_t> agreed;   ///< numbers that all ranks must give alike
};

/// One call of a collective by all ranks of a group.
struct Meeting {
  Collective collective = Collective::none;
  std::size_t first = 0;  ///< the rank that arrived first, whose `agreed` counts
  std::size_t arrived_count = 0;
  std::size_t left_count = 0;
  std::vector<Contribution> contributions;              ///< not changed once all have arrived
  std::map<std::size_t, std::shared_ptr<Group>> parts;  ///< split: by color
  const Group* group = nullptr;
};

/// The state that all groups of a launch share. Ranks are those of the launch.
struct Launch {
  struct Rank {
    std::condition_variable wake;
    const Meeting* waits_in = nullptr;  ///< for others to arrive
    bool has_returned = false;
  };

  explicit Launch(std::size_t size) : ranks(size) {}

  std::mutex mutex;
  // All of these, and all meetings, are under the mutex.
  std::vector<Rank> ranks;
  std::size_t idle_count = 0;  ///< ranks that wait or have returned
  std::exception_ptr fault;    ///< the first: it ends the launch

  void fail(const std::exception_ptr& error) {
    if (fault) return;
    fault = error;
    for (Rank& rank : ranks) rank.wake.notify_all();
  }
  void add_idle();
};

/// The ranks that one communicator connects.
struct Group {
  std::shared_ptr<Launch> launch;
  std::vector<std::size_t> members;           ///< ranks of the launch, in the order of ranks here
  std::map<std::uint64_t, Meeting> meetings;  ///< under way, by the number of the call
};

/// Ends a rank because another one failed.
class Released : public std::runtime_error {
 public:
  Released() : std::runtime_error("released: another rank failed") {}
};

std::string rank_text(std::size_t rank) { return "rank " + std::to_string(rank); }

/// "broadcast (bytes, root)" and so on: the numbers of Contribution::agreed.
std::string agreed_text(Collective collective) {
  std::string text(name_of(collective));
  if (collective == Collective::broadcast) text += " (bytes, root)";
  if (collective == Collective::all_gather) text += " (offsets in bytes)";
  if (collective == Collective::all_reduce) text += " (values, reduction)";
  return text;
}

std::string joined(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers) {
    if (!text.empty()) text += ", ";
    text += std::to_string(number);
  }
  return text;
}

/// The reason why no rank of the launch will ever go on.
std::string deadlock_text(const Launch& launch) {
  std::string text = "no rank can go on: ";
  for (std::size_t rank = 0; rank < launch.ranks.size(); ++rank) {
    if (rank != 0) text += "; ";
    text += rank_text(rank);
    const Meeting* meeting = launch.ranks[rank].waits_in;
    if (meeting == nullptr) {
      text += " has returned";
      continue;
    }
    text += " waits in " + std::string(name_of(meeting->collective)) + " for";
    for (std::size_t other = 0; other < meeting->contributions.size(); ++other) {
      if (!meeting->contributions[other].has_arrived) {
        text += " " + std::to_string(meeting->group->members[other]);
      }
    }
  }
  return text;
}

/// One more rank waits or has returned. When all do, and one waits, nobody will ever wake it.
void Launch::add_idle() {
  if (++idle_count < ranks.size() || fault) return;
  const bool one_waits = std::any_of(ranks.begin(), ranks.end(),
                                     [](const Rank& rank) { return rank.waits_in != nullptr; });
  if (one_waits) fail(std::make_exception_ptr(std::logic_error(deadlock_text(*this))));
}

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(std::size_t rank, std::shared_ptr<Group> group,
                     std::shared_ptr<Progress> progress)
      : Communicator(rank, group->members.size(), std::move(progress)), group_(std::move(group)) {}

 private:
  /// A rank's result from a meeting, once all have arrived.
  using Take = std::function<void(const Meeting&)>;

  /// A rank's part in a meeting after it has arrived.
  class Attendance final : public Transfer {
   public:
    Attendance(std::shared_ptr<Group> group, std::size_t rank, std::uint64_t call,
               const Meeting& meeting, Take take)
        : group_(std::move(group)),
          rank_(rank),
          call_(call),
          meeting_(meeting),
          take_(std::move(take)) {}

    bool done() override {
      Launch& launch = *group_->launch;
      const std::lock_guard lock(launch.mutex);
      if (launch.fault) throw Released();
      return all_arrived();
    }

    void wait() override {
      Launch& launch = *group_->launch;
      {
        std::unique_lock lock(launch.mutex);
        if (!all_arrived()) {
          Launch::Rank& self = launch.ranks[group_->members[rank_]];
          self.waits_in = &meeting_;
          launch.add_idle();
          self.wake.wait(lock, [&] { return all_arrived() || launch.fault; });
          self.waits_in = nullptr;
        }
        if (launch.fault) throw Released();
      }
      try {
        take_(meeting_);
      } catch (...) {
        // Kept here too, because the destructor of a Pending can't always throw it.
        const std::lock_guard lock(launch.mutex);
        launch.fail(std::current_exception());
        throw;
      }
      const std::lock_guard lock(launch.mutex);
      Meeting& meeting = group_->meetings.at(call_);
      if (++meeting.left_count == group_->members.size()) group_->meetings.erase(call_);
    }

   private:
    bool all_arrived() const { return meeting_.arrived_count == group_->members.size(); }

    std::shared_ptr<Group> group_;
    std::size_t rank_;
    std::uint64_t call_;
    const Meeting& meeting_;
    Take take_;
  };

  std::unique_ptr<Transfer> arrive(Collective collective, Contribution contribution, Take take);
  void meet(Collective collective, Contribution contribution, Take take) {
    arrive(collective, std::move(contribution), std::move(take))->wait();
  }
  void check(const Meeting& meeting, Collective collective, const Contribution& contribution) const;
  /// A rank of the launch, in words.
  std::string text_of(std::size_t rank) const { return rank_text(group_->members[rank]); }
  void check_received(const char* collective, std::size_t sent, std::size_t from,
                      std::size_t expected) const;

  void do_barrier() override;
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

  std::shared_ptr<Group> group_;
  std::uint64_t call_count_ = 0;
};

std::vector<std::byte> copied(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

void copy(std::span<const std::byte> from, std::byte* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size());
}

std::unique_ptr<Transfer> ThreadCommunicator::arrive(Collective collective,
                                                     Contribution contribution, Take take) {
  Launch& launch = *group_->launch;
  const std::lock_guard lock(launch.mutex);
  if (launch.fault) throw Released();
  const std::uint64_t call = call_count_++;
  Meeting& meeting = group_->meetings[call];
  if (meeting.arrived_count == 0) {
    meeting.collective = collective;
    meeting.first = rank();
    meeting.contributions.resize(size());
    meeting.group = group_.get();
  } else {
    check(meeting, collective, contribution);
  }
  contribution.has_arrived = true;
  meeting.contributions[rank()] = std::move(contribution);
  if (++meeting.arrived_count == size()) {
    for (const std::size_t member : group_->members) {
      Launch::Rank& other = launch.ranks[member];
      if (other.waits_in != &meeting) continue;
      other.waits_in = nullptr;
      --launch.idle_count;
      other.wake.notify_one();
    }
  }
  return std::make_unique<Attendance>(group_, rank(), call, meeting, std::move(take));
}

void ThreadCommunicator::check(const Meeting& meeting, Collective collective,
                               const Contribution& contribution) const {
  const std::string self = text_of(rank());
  const std::string first = text_of(meeting.first);
  if (collective != meeting.collective) {
    throw std::logic_error(self + " calls " + std::string(name_of(collective)) + " where " + first +
                           " calls " + std::string(name_of(meeting.collective)));
  }
  const Contribution& other = meeting.contributions[meeting.first];
  if (contribution.agreed != other.agreed) {
    throw std::logic_error(agreed_text(collective) + ": " + self + " gives " +
                           joined(contribution.agreed) + " and " + first + " gives " +
                           joined(other.agreed));
  }
}

void ThreadCommunicator::check_received(const char* collective, std::size_t sent, std::size_t from,
                                        std::size_t expected) const {
  if (sent == expected) return;
  throw std::logic_error(std::string(collective) + ": " + text_of(from) + " sends " +
                         std::to_string(sent) + " bytes to " + text_of(rank()) +
                         ", which expects " + std::to_string(expected));
}

void ThreadCommunicator::do_barrier() {
  meet(Collective::barrier, {}, [](const Meeting&) {});
}

void ThreadCommunicator::do_broadcast(std::span<std::byte> data, std::size_t root) {
  Contribution contribution;
  contribution.agreed = {data.size(), root};
  if (rank() == root) contribution.data = copied(data);
  meet(Collective::broadcast, std::move(contribution), [&](const Meeting& meeting) {
    if (rank() != root) copy(meeting.contributions[root].data, data.data());
  });
}

std::unique_ptr<Transfer> ThreadCommunicator::begin_all_gather(std::span<const std::byte> own,
                                                               std::span<std::byte> all,
                                                               const Offsets& offsets) {
  Contribution contribution;
  contribution.agreed = offsets;
  contribution.data = copied(own);
  const bool in_place = own.data() == all.data() + offsets[rank()];
  return arrive(Collective::all_gather, std::move(contribution),
                [this, all, in_place](const Meeting& meeting) {
                  for (std::size_t from = 0; from < size(); ++from) {
                    if (in_place && from == rank()) continue;
                    const Contribution& other = meeting.contributions[from];
                    copy(other.data, all.data() + other.agreed[from]);
                  }
                });
}

std::unique_ptr<Transfer> ThreadCommunicator::begin_all_to_all(std::span<const std::byte> sent,
                                                               const Offsets& send_offsets,
                                                               std::span<std::byte> received,
                                                               const Offsets& received_offsets) {
  Contribution contribution;
  contribution.data = copied(sent);
  contribution.offsets = send_offsets;
  return arrive(Collective::all_to_all, std::move(contribution),
                [this, received, received_offsets](const Meeting& meeting) {
                  for (std::size_t from = 0; from < size(); ++from) {
                    const Contribution& other = meeting.contributions[from];
                    const std::size_t begin = other.offsets[rank()];
                    const std::size_t count = other.offsets[rank() + 1] - begin;
                    const std::size_t place = received_offsets[from];
                    check_received("all_to_all", count, from, received_offsets[from + 1] - place);
                    copy(std::span(other.data).subspan(begin, count), received.data() + place);
                  }
                });
}

void ThreadCommunicator::do_exchange(std::span<const std::byte> sent, std::size_t to,
                                     std::span<std::byte> received, std::size_t from) {
  Contribution contribution;
  contribution.data = copied(sent);
  contribution.to = to;
  meet(Collective::exchange, std::move(contribution), [&](const Meeting& meeting) {
    const Contribution& other = meeting.contributions[from];
    if (other.to != rank()) {
      throw std::logic_error("exchange: " + text_of(rank()) + " expects something from " +
                             text_of(from) + ", which sends to " + text_of(other.to));
    }
    check_received("exchange", other.data.size(), from, received.size());
    if (from != rank()) copy(other.data, received.data());
  });
}

void ThreadCommunicator::do_all_reduce(std::span<std::uint64_t> values, Reduction reduction) {
  Contribution contribution;
  contribution.agreed = {values.size(), static_cast<std::size_t>(reduction)};
  contribution.data = copied(std::as_bytes(values));
  meet(Collective::all_reduce, std::move(contribution), [&](const Meeting& meeting) {
    for (std::size_t from = 0; from < size(); ++from) {
      if (from == rank()) continue;
      const std::byte* place = meeting.contributions[from].data.data();
      for (std::uint64_t& value : values) {
        std::uint64_t other = 0;
        std::memcpy(&other, place, sizeof(other));
        place += sizeof(other);
        switch (reduction) {
          case Reduction::sum:
            value += other;
            break;
          case Reduction::least:
            value = std::min(value, other);
            break;
          case Reduction::largest:
            value = std::max(value, other);
            break;
          case Reduction::any_bit:
            value |= other;
            break;
        }
      }
    }
  });
}

std::unique_ptr<Communicator> ThreadCommunicator::do_split(std::size_t color) {
  Contribution contribution;
  contribution.to = color;
  std::size_t new_rank = 0;
  std::shared_ptr<Group> part;
  meet(Collective::split, std::move(contribution), [&](const Meeting& meeting) {
    std::vector<std::size_t> members;
    for (std::size_t other = 0; other < size(); ++other) {
      if (meeting.contributions[other].to != color) continue;
      if (other == rank()) new_rank = members.size();
      members.push_back(group_->members[other]);
    }
    const std::lock_guard lock(group_->launch->mutex);
    std::shared_ptr<Group>& shared = group_->meetings.at(call_count_ - 1).parts[color];
    if (!shared) {
      shared = std::make_shared<Group>();
      shared->launch = group_->launch;
      shared->members = std::move(members);
    }
    part = shared;
  });
  return std::make_unique<ThreadCommunicator>(new_rank, std::move(part), shared_progress());
}

/// One rank, from beginning to end, in its thread. It throws nothing: the launch keeps the first
/// fault.
void serve(const std::shared_ptr<Group>& all, std::size_t rank,
           const std::function<void(Communicator&)>& body) {
  Launch& launch = *all->launch;
  std::exception_ptr error;
  try {
    ThreadCommunicator ranks(rank, all, std::make_shared<Progress>());
    const ThreadWorld world(ranks);
    body(ranks);
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(launch.mutex);
  if (error) launch.fail(error);
  launch.ranks[rank].has_returned = true;
  launch.add_idle();
}

}  // namespace

void run_ranks(std::size_t size, const std::function<void(Communicator&)>& body) {
  if (size == 0) throw InputError("ranks=0", "a search has at least one rank", "ask for 1 or more");
  const auto all = std::make_shared<Group>();
  all->launch = std::make_shared<Launch>(size);
  for (std::size_t rank = 0; rank < size; ++rank) all->members.push_back(rank);

  Launch& launch = *all->launch;
  std::vector<std::thread> threads;
  threads.reserve(size - 1);
  try {
    while (threads.size() < size - 1) {
      threads.emplace_back(serve, std::cref(all), threads.size() + 1, std::cref(body));
    }
  } catch (const std::system_error& error) {
    const std::lock_guard lock(launch.mutex);
    launch.fail(std::make_exception_ptr(MachineError("ranks=" + std::to_string(size),
                                                     "the system starts no more than " +
                                                         std::to_string(threads.size() + 1) +
                                                         " threads: " + error.code().message(),
                                                     "ask for fewer")));
  }
  if (threads.size() == size - 1) serve(all, 0, body);
  for (std::thread& thread : threads) thread.join();
  if (launch.fault) std::rethrow_exception(launch.fault);
}

}  // namespace bellmark
