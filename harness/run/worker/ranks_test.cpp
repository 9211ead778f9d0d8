// Replicates of ranks, which are threads here: facts that they agree on, and each rank's own.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/parallel/thread_ranks.hpp"
#include "base/error.hpp"
#include "harness/run/worker/replicate.hpp"
#include "tests/variants/command_line/rank_sum.hpp"

namespace bellmark::run {
namespace {

constexpr std::size_t kQueryCount = 3;
constexpr std::size_t kRanks = 3;

Json rank_request(const std::string& kind, const std::string& variant = "rank-sum/all-reduce") {
  return {
      {"kind", kind},
      {"problem", "rank-sum"},
      {"graph", std::to_string(kQueryCount)},
      {"queries",
       {{"kind", "default"}, {"count", 0}, {"seed", 42}, {"file", ""}, {"list", Json::array()}}},
      {"placement", "none"},
      {"worker", 0},
      {"process_count", 1},
      {"ranks", {{"count", kRanks}, {"needs_cuda", false}, {"status_file", ""}}},
      {"force", false},
      {"seed", 1},
      {"stop_rule", {{"sample_count", 4}, {"seconds", 10}, {"half_width", 0}}},
      {"counter_group", ""},
      {"pass_count", 1},
      {"cells", {{{"id", "c"}, {"variant", variant}}}},
      {"certified", Json::array()}};
}

/// Each reading takes longer, the higher the rank.
class RanksClock final : public measure::Clock {
 public:
  explicit RanksClock(std::size_t rank) : step_ns_(1000 * static_cast<std::int64_t>(rank + 1)) {}
  std::int64_t now_ns() override { return now_ns_ += step_ns_; }
  std::int64_t cpu_ns() override { return now_ns_; }

 private:
  std::int64_t step_ns_;
  std::int64_t now_ns_ = 0;
};

/// Every rank's replicate.
std::vector<Json> replicates(const Json& request) {
  std::vector<Json> all(kRanks);
  run_ranks(kRanks, [&](Communicator& ranks) {
    RanksClock clock(ranks.rank());
    const Event answer = run_request(request.get<Request>(), clock, [](const Event&) {});
    if (const auto* done = std::get_if<Done>(&answer)) {
      all[ranks.rank()] = done->replicate;
    } else {
      all[ranks.rank()] = std::get<Probed>(answer);
    }
  });
  return all;
}

TEST(Ranks, TimesAreThoseOfTheSlowest) {
  Json asked = rank_request("timed");
  asked["stop_rule"] = {{"sample_count", 9}, {"seconds", 20e-6}, {"half_width", 0}};
  const std::vector<Json> all = replicates(asked);
  for (const Json& replicate : all) {
    const Json& cell = replicate.at("cells").at(0);
    EXPECT_EQ(cell.at("status"), "ok");
    EXPECT_EQ(cell.at("stop_reason"), "seconds");
    EXPECT_EQ(cell.at("step_ns"), Json({{3000.0, 3000.0, 3000.0}, {3000.0, 3000.0, 3000.0}}));
    EXPECT_EQ(cell.at("rank_pass_ns"), Json({3000.0, 6000.0, 9000.0}));
    EXPECT_EQ(cell.at("prepare_ns"), 3000);
    EXPECT_EQ(replicate.at("open_ns"), 3000);
    EXPECT_EQ(cell.at("accounted"), Json({{"held", 24}}));
    EXPECT_EQ(replicate.at("certified"), all[0].at("certified"));
    ASSERT_EQ(replicate.at("ranks").size(), kRanks);
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      const Json& place = replicate.at("ranks").at(rank);
      EXPECT_EQ(place.at("rank"), rank);
      EXPECT_EQ(place.at("resolved"), "none (not pinned)");
      EXPECT_FALSE(place.at("host").get<std::string>().empty());
      EXPECT_EQ(place.at("gpus"), Json::array());
    }
  }
  // The slowest clock is every rank's.
  EXPECT_EQ(all[0].at("core_mhz"), all[2].at("core_mhz"));
}

TEST(Ranks, CountersAddUp) {
  Json asked = rank_request("counters");
  asked["counter_group"] = "software";
  for (const Json& replicate : replicates(asked)) {
    for (const Json& counter : replicate.at("cells").at(0).at("counters")) {
      if (counter.at("name") != "perf::TASK-CLOCK") continue;
      ASSERT_TRUE(counter.at("reason").is_null()) << counter.at("reason");
      ASSERT_EQ(counter.at("by_rank").size(), kRanks);
      std::int64_t sum = 0;
      for (const Json& value : counter.at("by_rank")) sum += value.get<std::int64_t>();
      EXPECT_EQ(counter.at("value"), sum);
      EXPECT_FALSE(counter.contains("by_thread"));
    }
  }
}

TEST(Ranks, AFaultOfOneIsAllRanks) {
  for (const Json& replicate :
       replicates(rank_request("timed", "rank-sum/all-reduce:fault=wrong"))) {
    const Json& cell = replicate.at("cells").at(0);
    EXPECT_EQ(cell.at("status"), "wrong");
    EXPECT_EQ(cell.at("validation").at("detail"), "query 2: rank 2: 10101 is no sum");
    EXPECT_FALSE(cell.contains("step_ns"));
  }
}

TEST(Ranks, UnlikeDigestsAreAFault) {
  Json asked = rank_request("timed", "rank-sum/all-reduce:fault=wrong");
  asked["certified"] = replicates(rank_request("timed")).front().at("certified");
  ASSERT_EQ(asked["certified"].size(), kQueryCount);
  for (const Json& replicate : replicates(asked)) {
    EXPECT_EQ(replicate.at("cells").at(0).at("validation").at("detail"),
              "query 2: the ranks' digests of its answer differ");
  }
}

TEST(Ranks, PhasesAndMemory) {
  for (const Json& replicate : replicates(rank_request("phases"))) {
    EXPECT_EQ(replicate.at("cells").at(0).at("status"), "ok");
  }
  const std::vector<Json> all = replicates(rank_request("memory"));
  for (const Json& replicate : all) {
    EXPECT_EQ(replicate.at("cells").at(0).at("status"), "ok");
    EXPECT_EQ(replicate.at("cells").at(0).at("resident_bytes"),
              all[0].at("cells").at(0).at("resident_bytes"));
  }
}

TEST(Ranks, ProbeTogether) {
  Json asked = rank_request("probe");
  for (const Json& known : replicates(asked)) {
    EXPECT_EQ(known.at("facts"), Json({{"digest", "3"}, {"sum", broken::RankSum::kSum}}));
    EXPECT_EQ(known.at("query_count"), kQueryCount);
    EXPECT_EQ(known.at("first_queries"), Json({"1", "2", "3"}));
    EXPECT_EQ(known.at("cells"), Json({{{"id", "c"},
                                        {"resolved", "rank-sum/all-reduce:fault=none"},
                                        {"code", nullptr},
                                        {"reason", nullptr}}}));
  }
}

TEST(Ranks, AsManyAsAskedForOrNone) {
  Json asked = rank_request("timed");
  asked["ranks"]["count"] = kRanks + 1;
  run_ranks(kRanks, [&](Communicator& ranks) {
    RanksClock clock(ranks.rank());
    try {
      run_request(asked.get<Request>(), clock, [](const Event&) {});
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("this is one of 3, and 4 were asked for"),
                std::string::npos);
    }
  });
}

TEST(Ranks, AreToldOfEachQuery) {
  std::vector<std::string> queries;
  run_ranks(kRanks, [&](Communicator& ranks) {
    RanksClock clock(ranks.rank());
    Peers peers;
    if (ranks.rank() == 0) {
      peers.at_query = [&](std::size_t query, const std::string& text) {
        queries.push_back(std::to_string(query) + ": " + text);
      };
    }
    run_request(
        rank_request("memory").get<Request>(), clock, [](const Event&) {}, peers);
  });
  EXPECT_EQ(queries, (std::vector<std::string>{"1: 1", "2: 2", "3: 3"}));
}

}  // namespace
}  // namespace bellmark::run
