// Summaries of phase logs: sums, classes, shares, and the runs whose times are taken.
#include "harness/run/worker/phase_log.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

/// Five phases: updated_count, host_ns.
QueryLog query(std::size_t index) {
  return {index,
          {{"updated_count", "host_ns"}, {1, 900, 11, 901, 2000, 902, 10, 903, 0, 904}},
          {{"host_ns"}, {100, 200, 700, 300, 400}}};
}

TEST(PhaseLogJson, NullWithoutALog) {
  EXPECT_TRUE(phase_log_json({}).is_null());
  EXPECT_TRUE(phase_log_json({{0, {}, {}}, {1, {}, {}}}).is_null());
}

TEST(PhaseLogJson, SummaryOfAQuery) {
  const Json log = phase_log_json({query(0)});
  EXPECT_EQ(log.at("columns"), Json({"updated_count", "host_ns"}));
  const Json& summary = log.at("queries").at(0);
  EXPECT_EQ(summary.at("phase_count"), 5);
  EXPECT_EQ(summary.at("columns").at("updated_count"),
            Json({{"sum", 2022},
                  {"largest", 2000},
                  {"late_largest", 2000},
                  {"phases_by_decade", {{"1", 2}, {"10", 1}, {"100", 1}, {"10000", 1}}}}));
  EXPECT_EQ(summary.at("columns").at("host_ns"),
            Json({{"sum", 1700},
                  {"largest", 700},
                  {"late_largest", 700},
                  {"sum_by_decade", {{"1", 500}, {"10", 300}, {"100", 200}, {"10000", 700}}}}));
}

TEST(PhaseLogJson, SecondHalfOfThePhases) {
  const auto late = [](std::vector<std::uint64_t> counts) {
    const Json log = phase_log_json({{0, {{"updated_count"}, std::move(counts)}, {}}});
    return log.at("queries").at(0).at("columns").at("updated_count").at("late_largest");
  };
  EXPECT_EQ(late({9, 8, 3, 4}), 4);
  EXPECT_EQ(late({9, 8, 7, 3, 4}), 7) << "the middle phase counts as late";
  EXPECT_EQ(late({9}), 9);
  EXPECT_TRUE(late({}).is_null()) << "no phase has no largest";
}

TEST(PhaseLogJson, QueriesWithoutALogHaveNoRows) {
  const QueryLog none = {1, {}, {}};
  for (const auto& logs : {std::vector<QueryLog>{query(0), none}, {none, query(0)}}) {
    const Json log = phase_log_json(logs);
    EXPECT_EQ(log.at("plain_columns"), Json({"host_ns"}));
    for (std::size_t i = 0; i < logs.size(); ++i) {
      const std::size_t rows = logs[i].query == 0 ? 5 : 0;
      EXPECT_EQ(log.at("queries").at(i).at("phase_count"), rows);
      EXPECT_EQ(log.at("first_queries").at(i).at("rows").size(), rows);
    }
  }
}

TEST(PhaseLogJson, SharesAreOfAllPhasesOfAllQueries) {
  const Json log = phase_log_json({query(0), {1, {{"updated_count", "host_ns"}, {5, 1}}, {}}});
  const Json& shares = log.at("shares").at("updated_count");
  EXPECT_DOUBLE_EQ(shares.at("1").get<double>(), 2.0 / 6);
  EXPECT_DOUBLE_EQ(shares.at("10").get<double>(), 4.0 / 6);
  EXPECT_DOUBLE_EQ(shares.at("1000").get<double>(), 5.0 / 6);
  EXPECT_DOUBLE_EQ(shares.at("10000000").get<double>(), 1);
  EXPECT_EQ(shares.size(), 8U);
  EXPECT_FALSE(log.at("shares").contains("host_ns")) << "times have no classes of their own";
}

TEST(PhaseLogJson, TimesOfPlainRuns) {
  const Json log = phase_log_json({query(0), query(1)});
  EXPECT_EQ(log.at("plain_columns"), Json({"host_ns"}));
  EXPECT_EQ(log.at("first_queries").at(1).at("rows").at(2), Json({2000, 700}));
}

TEST(PhaseLogJson, InstrumentedTimesWhereAPlainRunDiffers) {
  QueryLog shorter = query(1);
  shorter.plain.values.pop_back();
  QueryLog without = query(1);
  without.plain = {};
  for (const QueryLog& other : {shorter, without}) {
    const Json log = phase_log_json({query(0), other});
    EXPECT_EQ(log.at("plain_columns"), Json::array());
    EXPECT_EQ(log.at("queries").at(0).at("columns").at("host_ns").at("sum"), 4510)
        << "one kind of time for all queries";
  }
}

TEST(PhaseLogJson, TimesWithoutCountsHaveNoClasses) {
  const Json log = phase_log_json({{0, {{"host_ns"}, {4, 5}}, {}}});
  const Json& times = log.at("queries").at(0).at("columns").at("host_ns");
  EXPECT_EQ(times.at("sum"), 9);
  EXPECT_FALSE(times.contains("sum_by_decade"));
  EXPECT_TRUE(log.at("shares").empty());
}

TEST(PhaseLogJson, HowCountsGrowIsKeptInOrder) {
  QueryLog logged = query(0);
  EXPECT_FALSE(phase_log_json({logged}).contains("growth"));
  logged.instrumented.growth = {{"rows", "ranks / 2"}, {"dig_arc_count", "rows * arc_count"}};
  EXPECT_EQ(phase_log_json({logged}).at("growth").dump(),
            R"({"rows":"ranks / 2","dig_arc_count":"rows * arc_count"})");
}

TEST(PhaseLogJson, WholeLogsOfTheFirstFiveQueriesOnly) {
  std::vector<QueryLog> logs;
  for (std::size_t i = 0; i < 7; ++i) logs.push_back(query(i));
  const Json log = phase_log_json(logs);
  EXPECT_EQ(log.at("first_queries").size(), 5U);
  EXPECT_EQ(log.at("queries").size(), 7U);
}

TEST(PhaseLogJson, LongLogsAreSummedUpOnly) {
  const auto logged = [](std::size_t phases) {
    return phase_log_json({{0, {{"closed_count"}, std::vector<std::uint64_t>(phases, 2)}, {}}});
  };
  EXPECT_EQ(logged(20'000).at("first_queries").at(0).at("rows").size(), 20'000U);
  const Json log = logged(20'001);
  EXPECT_EQ(log.at("first_queries").at(0).at("rows"), Json::array());
  EXPECT_EQ(log.at("queries").at(0).at("phase_count"), 20'001);
  EXPECT_EQ(log.at("queries").at(0).at("columns").at("closed_count").at("sum"), 40'002);
}

TEST(PhaseLogJson, BrokenLogsAreErrors) {
  QueryLog torn = query(0);
  torn.instrumented.values.pop_back();
  EXPECT_THROW(phase_log_json({torn}), Error);
  EXPECT_THROW(phase_log_json({query(0), {1, {{"host_ns"}, {1}}, {}}}), Error);
  QueryLog nameless = query(0);
  nameless.plain.columns.clear();
  EXPECT_THROW(phase_log_json({nameless}), Error);
}

TEST(Decades, PowersOfTenThatHoldACount) {
  EXPECT_EQ(decade_of(0), 1U);
  EXPECT_EQ(decade_of(1), 1U);
  EXPECT_EQ(decade_of(2), 10U);
  EXPECT_EQ(decade_of(10), 10U);
  EXPECT_EQ(decade_of(11), 100U);
  EXPECT_EQ(decade_of(10'000'001), 100'000'000U);
  EXPECT_EQ(decade_of(UINT64_MAX), 10'000'000'000'000'000'000U);
}

}  // namespace
}  // namespace bellmark::run
