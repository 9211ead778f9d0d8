// Claims over several results: the deciding result, and the text about it.
#include "harness/report/claims.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/report/test_report.hpp"

namespace bellmark::report {
namespace {

/// The result with one verdict, of an experiment of its own.
Json of_experiment(const std::string& id, const std::string& word, const std::string& reason) {
  Json json = result();
  json["experiment"]["id"] = id;
  json["verdicts"] = {verdict(word, reason)};
  return json;
}

TEST(MergeClaims, TakesTheWeakestOfItsExperimentsWithEveryReason) {
  const Json other = of_experiment("f", "not reproduced", "not reproduced: other side");
  for (const auto& results : {std::vector<Json>{result(), other}, {other, result()}}) {
    const auto rows = merge_claims(results);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].verdict, "not reproduced");
    EXPECT_EQ(rows[0].headline, "not reproduced on a stand-in: small");
    EXPECT_NE(rows[0].reason.find("reproduced: fine"), std::string::npos);
    EXPECT_NE(rows[0].reason.find("other side"), std::string::npos);
  }
}

/// The deciding result of two results of one experiment, in either order.
void expect_decides(const Json& faithful, const Json& other, const std::string& why) {
  for (const auto& results : {std::vector<Json>{faithful, other}, {other, faithful}}) {
    const auto rows = merge_claims(results);
    ASSERT_EQ(rows.size(), 1U);
    ASSERT_EQ(rows[0].judged.size(), 2U);
    EXPECT_EQ(rows[0].verdict, "reproduced") << why;
    EXPECT_EQ(rows[0].reason, "reproduced: fine") << why;
    const bool is_first = results.front() == faithful;
    EXPECT_EQ(rows[0].judged[0].decides, is_first) << why;
    EXPECT_EQ(rows[0].judged[1].decides, !is_first) << why;
    EXPECT_EQ(coverage_of(rows[0]), "1 rerun");
  }
}

TEST(MergeClaims, OfOneExperimentTheMostFaithfulResultDecides) {
  const Json other = of_experiment("e", "not reproduced", "other side");
  Json full = result();
  full["experiment"]["form"] = "full";
  expect_decides(full, other, "the full form before the quick one");
  Json partly = full;
  partly["verdicts"][0]["parts"] = {{{"reason", "not judged: disturbed"}}, {{"reason", "fine"}}};
  expect_decides(partly, other, "the full form, of which a part is whole");
  // A part that doubts left unjudged says nothing: not even the full form decides.
  Json quick = result();
  quick["experiment"]["form"] = "quick";
  Json doubted = of_experiment("e", "inconclusive", "a: not judged: disturbed");
  doubted["experiment"]["form"] = "full";
  doubted["verdicts"][0]["parts"] = {{{"reason", "a: not judged: disturbed"}}};
  expect_decides(quick, doubted, "the result that was judged");
  Json nearer = result();
  nearer["verdicts"][0]["stand_in_class"] = "same size, generated";
  Json farther = other;
  farther["verdicts"][0]["stand_in_class"] = "smaller, effect can show";
  expect_decides(nearer, farther, "the nearer data");
  expect_decides(nearer, other, "data that are known");
  Json larger = result();
  larger["workloads"] = {{{"facts", {{"arc_count", 2000}}}}};
  Json smaller = other;
  smaller["workloads"] = {{{"facts", {{"arc_count", 1000}}}}};
  expect_decides(larger, smaller, "the larger graph");
  Json first = result();
  first["provenance"] = {{"started_utc", "2026-01-01T00:00:00Z"}};
  Json rerun = other;
  rerun["provenance"] = {{"started_utc", "2026-01-02T00:00:00Z"}};
  expect_decides(first, rerun, "the first of equals, whatever it says");
}

TEST(MergeClaims, MachinesAreToldApart) {
  Json here = result();
  here["environment"] = {{"cpu_model", "A"}, {"gpus", Json::array()}};
  Json there = of_experiment("e", "not reproduced", "other side");
  const Json gpu = {{"name", "G"}};
  there["environment"] = {{"cpu_model", "B"}, {"gpus", Json::array({gpu})}};
  const std::vector<Json> results = {here, there};  // which rows point into
  const auto rows = merge_claims(results);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].verdict, "reproduced");
  EXPECT_EQ(rows[1].verdict, "not reproduced");
  EXPECT_EQ(headline_of(rows[0]), "reproduced on a stand-in: small [A]");
  EXPECT_EQ(headline_of(rows[1]), "not reproduced on a stand-in: small [B and G]");
  EXPECT_EQ(merge_claims({here}).at(0).machine, "");
}

TEST(MergeClaims, BuildsAreToldApart) {
  const auto built = [](Json result, const char* commit, const char* started) {
    result["provenance"] = {{"git_sha", commit},
                            {"git_dirty", false},
                            {"compiler", "GNU 12"},
                            {"flags", "-O3"},
                            {"started_utc", started}};
    return result;
  };
  const Json other = of_experiment("f", "not reproduced", "other side");
  const Json one = built(result(), "0123456789", "1");
  const std::vector<Json> same = {one, built(other, "0123456789", "2")};
  ASSERT_EQ(merge_claims(same).size(), 1U);
  EXPECT_EQ(merge_claims(same).at(0).build, "");
  // The rerun by another build stands beside the result that it repeats, and has no row of its own.
  const std::vector<Json> results = {one, built(other, "abcdef0123", "2"),
                                     built(result(), "abcdef0123", "3")};
  const auto rows = merge_claims(results);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(headline_of(rows[0]), "reproduced on a stand-in: small [build 01234567, GNU 12 -O3]");
  EXPECT_EQ(rows[0].judged.size(), 2U);
  EXPECT_EQ(coverage_of(rows[0]), "1 rerun");
  EXPECT_EQ(rows[1].verdict, "not reproduced");
  EXPECT_EQ(rows[1].build, "abcdef01, GNU 12 -O3");
}

TEST(MergeClaims, SaysHowMuchWasJudged) {
  std::vector<Json> results = {result()};
  Json& verdict = results[0]["verdicts"][0];
  const auto coverage = [&] { return coverage_of(merge_claims(results).at(0)); };
  EXPECT_EQ(coverage(), "") << "an older result";
  verdict["form"] = "quick";
  verdict["coverage"] = {
      {"row_count", 3}, {"planned_row_count", 4}, {"query_count", 32}, {"paper_query_count", 1000}};
  EXPECT_EQ(coverage(), "3 of 4 rows; 32 queries, the paper 1000");
  EXPECT_EQ(headline_of(merge_claims(results).at(0)),
            "reproduced on a stand-in: small (quick form)");
  verdict["coverage"]["row_count"] = 4;
  verdict["coverage"]["paper_query_count"] = nullptr;
  EXPECT_EQ(coverage(), "");
}

TEST(MergeClaims, DoubtsThatDifferInNumbersAreSaidOnce) {
  const auto said = [](const char* id, const char* reason) {
    return of_experiment(id, "inconclusive", reason);
  };
  EXPECT_EQ(
      merge_claims({said("f", "not judged: for 7 %"), said("g", "not judged: for 12 %"), result()})
          .at(0)
          .reason,
      "reproduced: fine; not judged: for 7 % (and 1 alike, with other numbers)");
  EXPECT_EQ(merge_claims({said("f", "0.9 meets 1"), said("g", "0.8 meets 1")}).at(0).reason,
            "0.9 meets 1; 0.8 meets 1")
      << "what was measured is no repetition";
}

TEST(MergeClaims, ShownIsNothingBesideAJudgement) {
  Json shown = result();
  shown["verdicts"] = {verdict("shown", "never judged")};
  for (const auto& results : {std::vector<Json>{result(), shown}, {shown, result()}}) {
    const auto rows = merge_claims(results);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].reason, "reproduced: fine");
    EXPECT_EQ(rows[0].headline, "reproduced on a stand-in: small");
  }
  EXPECT_EQ(merge_claims({shown})[0].reason, "never judged");
}

TEST(MergeClaims, ARunThatEndedEarlyYieldsToALongerOne) {
  Json early = result();
  early["verdicts"] = {verdict("inconclusive", "too few blocks")};
  for (Json& cell : early["cells"]) {
    if (!cell["wall_ns"].is_null()) cell["wall_ns"]["ci95_low"] = Json();
  }
  for (const auto& results : {std::vector<Json>{result(), early}, {early, result()}}) {
    const auto rows = merge_claims(results);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].verdict, "reproduced");
    EXPECT_EQ(rows[0].reason, "reproduced: fine");
  }
  EXPECT_EQ(merge_claims({early})[0].verdict, "inconclusive");
  early["experiment"]["id"] = "another";
  EXPECT_EQ(merge_claims({early, result()})[0].verdict, "inconclusive");
}

TEST(ClaimsDocument, HasEveryVerdictAndSaysWhichDecides) {
  Json early = result();
  for (Json& cell : early["cells"]) {
    if (!cell["wall_ns"].is_null()) cell["wall_ns"]["ci95_low"] = Json();
  }
  Json weak = result();
  weak["verdicts"] = {verdict("inconclusive", "too wide")};
  Json shown = result();
  shown["verdicts"] = {verdict("shown", "never judged")};
  const Json document =
      claims_document({"a", "b", "c", "d"}, {early, shown, weak, result()}, Results::named);
  EXPECT_EQ(document["schema"]["name"], "bellmark-verdicts");
  EXPECT_EQ(document["results"][2], Json({{"file", "c"},
                                          {"experiment", "e"},
                                          {"form", "quick"},
                                          {"machine", "a processor"},
                                          {"rules", nullptr}}));
  ASSERT_EQ(document["claims"].size(), 1U);
  const Json& claim = document["claims"][0];
  EXPECT_EQ(claim["verdict"], "inconclusive");
  EXPECT_EQ(claim["headline"], "inconclusive on a stand-in: small");
  EXPECT_EQ(claim["stand_in"], "small");
  EXPECT_EQ(claim["machine"], "");
  EXPECT_EQ(claim["reason"], "too wide");
  std::vector<std::size_t> indices;
  std::vector<std::size_t> deciding;
  for (const Json& judged : claim["judged"]) {
    indices.push_back(judged["result"]);
    if (judged["decides"]) deciding.push_back(judged["result"]);
  }
  EXPECT_EQ(indices, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(deciding, (std::vector<std::size_t>{2})) << "the first of those with all their blocks";
  EXPECT_EQ(claim["judged"][2]["reason"], "too wide");
}

TEST(ClaimsDocument, WholeResultsKnowTheirFiguresMetrics) {
  Json json = result();
  json["experiment"]["figure"] = {{{"kind", "bars"}},
                                  {{"kind", "bars"}, {"metric", "phase_log.sent_bytes.sum"}}};
  const Json document = claims_document({"a"}, {json}, Results::whole);
  Json whole = document["results"][0]["result"];
  EXPECT_EQ(whole["metrics"]["wall_ns"], Json({{"unit", "ns"}, {"title", "time"}}));
  EXPECT_EQ(whole["metrics"]["phase_log.sent_bytes.sum"],
            Json({{"unit", "bytes"}, {"title", "sent, sum over phases"}}));
  whole.erase("metrics");
  EXPECT_EQ(whole, json);
  for (const Json& figure : {Json(), Json({{"kind", "bars"}, {"metric", "wall_ns"}})}) {
    json["experiment"]["figure"] = figure;
    EXPECT_TRUE(
        claims_document({"a"}, {json}, Results::whole)["results"][0]["result"].contains("metrics"));
  }
}

TEST(MergeClaims, SaysOnceWhatTwoRunsSay) {
  const auto rows = merge_claims({result(), result()});
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].text, "two | four");
  EXPECT_EQ(rows[0].reason, "reproduced: fine");
}

}  // namespace
}  // namespace bellmark::report
