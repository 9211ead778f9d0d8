// Communicators whose ranks are threads, and the end of a launch in which a rank fails or the ranks
// don't agree. harness/mpi/communicator_mpi_test.cpp has the same properties between processes.
#include "algorithms/parallel/communicator.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>

#include "algorithms/parallel/communicator_properties.hpp"
#include "algorithms/parallel/thread_ranks.hpp"
#include "base/error.hpp"

namespace bellmark {
namespace {

using Words = std::vector<std::uint64_t>;
using Offsets = std::vector<std::size_t>;

class ThreadRanksHave
    : public ::testing::TestWithParam<std::tuple<CommunicatorProperty, std::size_t>> {};

TEST_P(ThreadRanksHave, Property) {
  const auto& [property, size] = GetParam();
  run_ranks(size, property.holds_for);
}

INSTANTIATE_TEST_SUITE_P(Communicator, ThreadRanksHave,
                         ::testing::Combine(::testing::ValuesIn(kCommunicatorProperties),
                                            ::testing::Values(1, 2, 3, 4, 7, 8)),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param).name) + "_" +
                                  std::to_string(std::get<1>(instance.param));
                         });

class OneRankHas : public ::testing::TestWithParam<CommunicatorProperty> {};

TEST_P(OneRankHas, Property) {
  SelfCommunicator alone;
  GetParam().holds_for(alone);
}

INSTANTIATE_TEST_SUITE_P(Communicator, OneRankHas, ::testing::ValuesIn(kCommunicatorProperties),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(World, IsOneRankUnlessSet) {
  EXPECT_EQ(world().size(), 1u);
  SelfCommunicator other;
  set_world(&other);
  EXPECT_EQ(&world(), &other);
  std::thread([&] { EXPECT_EQ(&world(), &other) << "of the process, not of the thread"; }).join();
  set_world(nullptr);
  EXPECT_NE(&world(), &other);
  EXPECT_EQ(world().size(), 1u);
}

TEST(World, IsTheLaunchWithinThreadRanks) {
  run_ranks(3, [](Communicator& ranks) { EXPECT_EQ(&world(), &ranks); });
  EXPECT_EQ(world().size(), 1u);
}

TEST(ThreadRanks, BodyRunsOnceARankInItsOwnThread) {
  std::vector<std::thread::id> threads(5);
  run_ranks(5, [&](Communicator& ranks) { threads[ranks.rank()] = std::this_thread::get_id(); });
  EXPECT_EQ(threads[0], std::this_thread::get_id());
  std::sort(threads.begin(), threads.end());
  EXPECT_EQ(std::unique(threads.begin(), threads.end()), threads.end());
}

TEST(ThreadRanks, NoRankIsRefused) {
  EXPECT_THROW(run_ranks(0, [](Communicator&) {}), InputError);
}

TEST(ThreadRanks, ManyRanksInManyGroups) {
  run_ranks(32, [](Communicator& ranks) {
    const std::unique_ptr<Communicator> row = ranks.split(ranks.rank() / 8);
    const std::unique_ptr<Communicator> column = ranks.split(ranks.rank() % 8);
    for (std::uint64_t round = 0; round < 50; ++round) {
      const std::uint64_t sum =
          column->all_reduce(row->all_reduce(round, Reduction::sum), Reduction::sum);
      ASSERT_EQ(sum, 32 * round);
    }
  });
}

/// The exception that run_ranks() throws, in words.
std::string fault_of(std::size_t size, const std::function<void(Communicator&)>& body) {
  try {
    run_ranks(size, body);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(ThreadRanks, AThrowReleasesTheOthersFromAnyCollective) {
  const std::vector<std::function<void(Communicator&)>> calls = {
      [](Communicator& ranks) { ranks.barrier(); },
      [](Communicator& ranks) { static_cast<void>(ranks.all_reduce(1, Reduction::sum)); },
      [](Communicator& ranks) { static_cast<void>(ranks.split(0)); },
      [](Communicator& ranks) {
        const Words own(1);
        Words all(4);
        const Pending pending = ranks.start_all_gather(own, all, Offsets{0, 1, 2, 3, 4});
      },
  };
  for (std::size_t call = 0; call < calls.size(); ++call) {
    for (std::size_t thrower = 0; thrower < 4; ++thrower) {
      for (const bool in_part : {false, true}) {
        std::atomic<int> finished_count = 0;
        const std::string fault = fault_of(4, [&](Communicator& ranks) {
          const std::unique_ptr<Communicator> part = ranks.split(0);
          if (ranks.rank() == thrower) {
            throw std::logic_error("rank " + std::to_string(thrower) + " gives up");
          }
          calls[call](in_part ? *part : ranks);
          ++finished_count;
        });
        EXPECT_EQ(fault, "rank " + std::to_string(thrower) + " gives up") << call;
        // A handle's destructor that is released throws too.
        EXPECT_EQ(finished_count, 0) << call;
      }
    }
  }
}

TEST(ThreadRanks, AThrowWithTransfersUnderWayComesOut) {
  const std::string fault = fault_of(3, [&](Communicator& ranks) {
    const Words own(3, ranks.rank());
    Words all(3);
    const Offsets offsets = {0, 1, 2, 3};
    const Pending pending = ranks.start_all_to_all(own, offsets, all, offsets);
    if (ranks.rank() == 1) throw std::logic_error("gives up");
    ranks.barrier();
  });
  EXPECT_EQ(fault, "gives up");
}

TEST(ThreadRanks, ALaunchAfterAFailedOneIsAsNew) {
  EXPECT_THROW(run_ranks(4, [](Communicator&) { throw std::runtime_error("all"); }),
               std::runtime_error);
  run_ranks(4, [](Communicator& ranks) { ranks.barrier(); });
}

// Algorithms whose calls don't fit, and the words for it.

TEST(UnfittingCalls, OtherCollectives) {
  const std::string fault = fault_of(2, [](Communicator& ranks) {
    if (ranks.rank() == 0) {
      ranks.barrier();
    } else {
      static_cast<void>(ranks.split(0));
    }
  });
  EXPECT_TRUE(fault == "rank 1 calls split where rank 0 calls barrier" ||
              fault == "rank 0 calls barrier where rank 1 calls split")
      << fault;
}

TEST(UnfittingCalls, OtherRoots) {
  const std::string fault = fault_of(2, [](Communicator& ranks) {
    Words data(2);
    ranks.broadcast(data, ranks.rank());
  });
  EXPECT_TRUE(fault == "broadcast (bytes, root): rank 1 gives 16, 1 and rank 0 gives 16, 0" ||
              fault == "broadcast (bytes, root): rank 0 gives 16, 0 and rank 1 gives 16, 1")
      << fault;
}

TEST(UnfittingCalls, OtherOffsets) {
  const std::string fault = fault_of(2, [](Communicator& ranks) {
    const Offsets offsets = ranks.rank() == 0 ? Offsets{0, 1, 3} : Offsets{0, 2, 4};
    Words all(4);
    ranks.all_gather(Words(1 + ranks.rank()), all, offsets);
  });
  EXPECT_NE(fault.find("all_gather (offsets in bytes): rank"), std::string::npos) << fault;
  EXPECT_NE(fault.find("0, 8, 24"), std::string::npos) << fault;
  EXPECT_NE(fault.find("0, 16, 32"), std::string::npos) << fault;
}

TEST(UnfittingCalls, OtherReductionsAndCounts) {
  EXPECT_NE(fault_of(3,
                     [](Communicator& ranks) {
                       Words values(ranks.rank() == 2 ? 4 : 3);
                       ranks.all_reduce(values, Reduction::sum);
                     })
                .find("all_reduce (values, reduction): rank"),
            std::string::npos);
  EXPECT_NE(fault_of(3,
                     [](Communicator& ranks) {
                       static_cast<void>(ranks.all_reduce(
                           1, ranks.rank() == 0 ? Reduction::sum : Reduction::least));
                     })
                .find("all_reduce (values, reduction): rank"),
            std::string::npos);
}

/// Rank 2 sends rank 0 one word more than rank 0 expects.
void send_one_too_many(Communicator& ranks, bool in_destructor) {
  const Words sent(4);
  const Offsets send_offsets = ranks.rank() == 2 ? Offsets{0, 2, 3, 4} : Offsets{0, 1, 2, 3};
  Words received(3);
  Pending pending = ranks.start_all_to_all(sent, send_offsets, received, Offsets{0, 1, 2, 3});
  if (!in_destructor) pending.wait();
}

TEST(UnfittingCalls, MoreThanIsExpected) {
  for (const bool in_destructor : {false, true}) {
    EXPECT_EQ(fault_of(3, [&](Communicator& ranks) { send_one_too_many(ranks, in_destructor); }),
              "all_to_all: rank 2 sends 16 bytes to rank 0, which expects 8");
  }
  EXPECT_EQ(fault_of(2,
                     [](Communicator& ranks) {
                       Words received(ranks.rank() == 0 ? 1 : 3);
                       ranks.exchange(Words(1), 1 - ranks.rank(), received, 1 - ranks.rank());
                     }),
            "exchange: rank 0 sends 8 bytes to rank 1, which expects 24");
}

TEST(UnfittingCalls, NoPermutation) {
  // Rank 2 expects something from rank 0, which sends to rank 1.
  const std::size_t to[] = {1, 2, 0};
  const std::size_t from[] = {2, 0, 0};
  EXPECT_EQ(fault_of(3,
                     [&](Communicator& ranks) {
                       Words received(1);
                       ranks.exchange(Words(1), to[ranks.rank()], received, from[ranks.rank()]);
                     }),
            "exchange: rank 2 expects something from rank 0, which sends to rank 1");
}

TEST(UnfittingCalls, ReturningWhileOthersWait) {
  EXPECT_EQ(fault_of(3,
                     [](Communicator& ranks) {
                       ranks.barrier();
                       if (ranks.rank() != 1) ranks.barrier();
                     }),
            "no rank can go on: rank 0 waits in barrier for 1; rank 1 has returned; rank 2 waits "
            "in barrier for 1");
}

TEST(UnfittingCalls, WaitingForEachOther) {
  // Rows {0, 1}, {2, 3} and columns {0, 2}, {1, 3}, in another order at each rank of a circle.
  const std::string fault = fault_of(4, [](Communicator& ranks) {
    const std::unique_ptr<Communicator> row = ranks.split(ranks.rank() / 2);
    const std::unique_ptr<Communicator> column = ranks.split(ranks.rank() % 2);
    const bool row_first = ranks.rank() == 0 || ranks.rank() == 3;
    (row_first ? row : column)->barrier();
    (row_first ? column : row)->barrier();
  });
  EXPECT_EQ(fault,
            "no rank can go on: rank 0 waits in barrier for 1; rank 1 waits in barrier for 3; rank "
            "2 waits in barrier for 0; rank 3 waits in barrier for 2");
}

TEST(Progress, TellsWhoDidNotArrive) {
  // Rank 1 is late: another thread sees that all others have entered one call more.
  std::atomic<const Progress*> progress[3] = {};
  std::atomic<bool> may_arrive = false;
  std::thread watcher([&] {
    const auto entered = [&](std::size_t rank) -> std::uint64_t {
      const Progress* of_rank = progress[rank].load();
      return of_rank == nullptr ? 0 : of_rank->entered_count.load();
    };
    while (entered(0) < 2 || entered(1) < 1 || entered(2) < 2) std::this_thread::yield();
    EXPECT_EQ(progress[0].load()->left_count, 1u);
    EXPECT_EQ(progress[0].load()->latest, Collective::all_reduce);
    EXPECT_EQ(entered(1), 1u);
    may_arrive = true;
    may_arrive.notify_all();
  });
  run_ranks(3, [&](Communicator& ranks) {
    progress[ranks.rank()] = &ranks.progress();
    ranks.barrier();
    if (ranks.rank() == 1) may_arrive.wait(false);
    EXPECT_EQ(ranks.all_reduce(1, Reduction::sum), 3u);
    if (ranks.rank() == 0) watcher.join();
    ranks.barrier();
  });
}

}  // namespace
}  // namespace bellmark
