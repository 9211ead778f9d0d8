// The properties of communicator_properties.hpp between processes. mpirun starts it. All ranks run
// the same tests in the same order, and a failing rank ends all.
#include <gtest/gtest.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <tuple>

#include "algorithms/parallel/communicator_properties.hpp"
#include "harness/mpi/mpi_communicator.hpp"

namespace bellmark {
namespace {

MpiSession* session = nullptr;
std::size_t launched_count = 0;  ///< number of ranks that mpirun should start

class MpiRanksHave
    : public ::testing::TestWithParam<std::tuple<CommunicatorProperty, std::size_t>> {};

TEST_P(MpiRanksHave, Property) {
  const auto& [property, message_bytes] = GetParam();
  const std::unique_ptr<Communicator> ranks =
      session->communicator(std::make_shared<Progress>(), message_bytes);
  property.holds_for(*ranks);
}

// Messages of 64 bytes: larger data goes in several messages, as data above kMessageBytes would.
INSTANTIATE_TEST_SUITE_P(Communicator, MpiRanksHave,
                         ::testing::Combine(::testing::ValuesIn(kCommunicatorProperties),
                                            ::testing::Values(MpiSession::kMessageBytes, 64)),
                         [](const auto& instance) {
                           return std::string(std::get<0>(instance.param).name) + "_" +
                                  std::to_string(std::get<1>(instance.param));
                         });

TEST(MpiRanks, AreTheWorldWhenSet) {
  const std::unique_ptr<Communicator> ranks = session->communicator();
  EXPECT_EQ(ranks->size(), launched_count);
  set_world(ranks.get());
  EXPECT_EQ(world().all_reduce(1, Reduction::sum), ranks->size());
  set_world(nullptr);
}

TEST(MpiRanks, TooShortAMessageIsNamed) {
  const std::unique_ptr<Communicator> ranks = session->communicator();
  if (ranks->size() == 1) GTEST_SKIP() << "one rank sends no messages";
  const std::size_t next = (ranks->rank() + 1) % ranks->size();
  const std::size_t previous = (ranks->rank() + ranks->size() - 1) % ranks->size();
  const std::vector<std::uint64_t> sent(2);
  std::vector<std::uint64_t> received(3);
  try {
    ranks->exchange(sent, next, received, previous);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    EXPECT_EQ(error.what(),
              "rank " + std::to_string(previous) + " sent 16 bytes where 24 were expected");
  }
}

}  // namespace
}  // namespace bellmark

int main(int argc, char** argv) {
  bellmark::MpiSession session(argc, argv);
  bellmark::session = &session;
  testing::InitGoogleTest(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: mpirun -n RANKS communicator_mpi_test RANKS\n");
    session.abort(2);
  }
  bellmark::launched_count = std::stoul(argv[1]);
  // A rank that went on after a failure would make calls that don't fit the others' calls.
  GTEST_FLAG_SET(throw_on_failure, true);
  GTEST_FLAG_SET(catch_exceptions, false);
  try {
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    session.abort(1);
  }
}
