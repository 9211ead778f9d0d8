// Claims in the terminal: short lines, a summary, and all facts on request.
#include "harness/report/console_claims.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "harness/report/effect.hpp"
#include "harness/report/test_report.hpp"

namespace bellmark::report {
namespace {

/// A row of a part that judges ratios of times.
Json row(const std::string& outcome, const Json& changes = Json::object()) {
  Json json = {{"text", "(graph=NY, k=4) / (graph=NY, k=2)"},
               {"numerator", "4"},
               {"denominator", "2"},
               {"value", 0.89},
               {"ci95_low", 0.876},
               {"ci95_high", 0.903},
               {"paper", 1.13},
               {"paper_low", nullptr},
               {"paper_high", nullptr},
               {"range_low", 1.1},
               {"range_high", 1.2},
               {"rival", 1.0},
               {"outcome", outcome},
               {"reason", "0.890 [0.876, 0.903] contradicts the paper's 1.130"}};
  json.update(changes);
  return json;
}

Json claim(const std::string& id, const std::string& word, const Json& rows,
           const std::string& metric = "wall_ns") {
  return {
      {"claim", "p/" + id},
      {"verdict", word},
      {"headline", word},
      {"stand_in", nullptr},
      {"text", "k = 2 is the fastest"},
      {"reason", "the reason of " + id},
      {"parts", {{{"verdict", word}, {"metric", metric}, {"text", "part"}, {"measured", rows}}}}};
}

Json of(const std::vector<Json>& verdicts) {
  Json json = result();
  json["verdicts"] = Json(verdicts);
  return json;
}

/// The effect of one row.
std::string effect(const Json& changes, std::size_t columns = 200,
                   const std::string& metric = "wall_ns") {
  const std::vector<Json> results = {
      of({claim("Y3", "not reproduced", Json::array({row("not reproduced", changes)}), metric)})};
  return effect_of(merge_claims(results).at(0), columns);
}

TEST(Effect, IsASentenceWithNumbers) {
  EXPECT_EQ(effect(Json::object()),
            "k=4 takes 0.890 [0.876, 0.903] of the time of k=2; the paper 1.13 (graph=NY)");
  EXPECT_EQ(
      effect({{"text", "(form=csr) / (form=list)"}}, 200, "memory.accounted_bytes"),
      "form=csr has 0.890 [0.876, 0.903] of the accounted memory of form=list; the paper 1.13");
  EXPECT_EQ(effect({{"text", "the proposal is as fast: (k=4) / (k=2)"}}),
            "the proposal is as fast: 0.890 [0.876, 0.903]; the paper 1.13");
}

TEST(Effect, SaysWhatThePaperSays) {
  const auto ends = [](const Json& changes, const std::string& end) {
    const std::string text = effect(changes);
    EXPECT_NE(text.find("; the paper " + end), std::string::npos) << text;
  };
  ends({{"paper_low", 1.1}, {"paper_high", 1.25}}, "1.1 to 1.25");
  ends({{"paper_low", 1.1}}, "at least 1.1");
  ends({{"paper_high", 1.25}}, "at most 1.25");
  ends({{"paper", nullptr}, {"range_low", 0.97}}, "above 1");
  ends({{"paper", nullptr}, {"range_low", 0.0}}, "below 1");
}

TEST(Effect, ValuesHaveUnits) {
  const Json alone = {{"denominator", nullptr}, {"text", "vertices"}, {"paper", 230}};
  const auto value = [&](double number, const std::string& metric) {
    Json changes = alone;
    changes.update({{"value", number}, {"ci95_low", number}, {"ci95_high", number}});
    return effect(changes, 200, metric);
  };
  EXPECT_EQ(value(1427876, "graph.vertex_count"), "vertices: 1427876; the paper 230");
  EXPECT_EQ(value(57.9275, "phase_log.phase_count"), "vertices: 57.93; the paper 230");
  EXPECT_EQ(value(1.5e6, "wall_ns"), "vertices: 1.50 ms; the paper 230 ns");
  EXPECT_EQ(value(2048, "memory.accounted_bytes"), "vertices: 2 KiB; the paper 230 bytes");
  EXPECT_EQ(value(12.34e9, "rates.bytes_per_second"),
            "vertices: 12.3 GB/s; the paper 2.3e-07 GB/s");
  EXPECT_EQ(value(4.56e6, "rates.items_per_second"),
            "vertices: 4.56e6 items/s; the paper 230 items/s");
  EXPECT_EQ(value(3, "metric_of_another_build"), "vertices: 3; the paper 230");
}

TEST(Effect, NumbersComeFirstWhereThereIsLittleRoom) {
  EXPECT_EQ(effect(Json::object(), 60), "0.890 [0.876, 0.903]; paper 1.13: k=4 / k=2 (graph=NY)");
  EXPECT_EQ(effect(Json::object(), 43), "0.890 [0.876, 0.903]; paper 1.13: k=4\u2026");
  for (std::size_t columns = 0; columns < 100; ++columns) {
    EXPECT_LE(display_width(effect(Json::object(), columns)), columns);
  }
}

TEST(Effect, IsOfTheRowThatDecided) {
  const auto first = row("reproduced", {{"value", 1.14}});
  const auto doubted = row("inconclusive", {{"value", 2.0}, {"reason", "not judged: disturbed"}});
  const auto open = row("inconclusive", {{"value", 1.05}});
  const auto effect_among = [](const Json& rows) {
    const std::vector<Json> results = {of({claim("Y3", "inconclusive", rows)})};
    return effect_of(merge_claims(results).at(0), 200);
  };
  EXPECT_TRUE(effect_among(Json::array({first, doubted, open})).starts_with("k=4 takes 1.050 "));
  EXPECT_EQ(effect_among(Json::array({first, doubted})), "") << "a disturbed number says nothing";
  EXPECT_EQ(effect_among(Json::array({row("inconclusive", {{"value", nullptr}})})), "");
}

TEST(ConsoleClaims, TwoLinesEachAndASummary) {
  Json direction = claim("Y4", "direction only", Json::array({row("direction only")}));
  direction["headline"] = "direction only: weaker on a stand-in: NY for USA";
  direction["stand_in"] = "NY for USA";
  direction["form"] = "quick";
  Json untestable = claim("Y11", "not testable here", Json::array());
  untestable["headline"] = "not testable here: needs cuda";
  const std::vector<Json> results = {
      of({untestable, direction,
          claim("Y3", "not reproduced", Json::array({row("not reproduced")}))})};
  EXPECT_EQ(console_claims(results, {{"p/Y3", "Of the k-ary heaps, k = 2 is fastest"}}, 120),
            R"(Claims of p
  Y3   not reproduced  k=4 takes 0.890 [0.876, 0.903] of the time of k=2; the paper 1.13 (graph=NY)
       Of the k-ary heaps, k = 2 is fastest
  Y4   direction only: weaker (stand-in, quick)  k=4 takes 0.890 [0.876, 0.903] of the time of k=2; the paper 1.13…
       k = 2 is the fastest
  Y11  not testable here: needs cuda
       k = 2 is the fastest
3 claims: 1 direction only, 1 not reproduced, 1 not testable here
more of a claim: bellmark verdict --explain Y3 RESULT...
)");
}

TEST(ConsoleClaims, VerdictsOfOneResult) {
  Json quick = claim("Y4", "direction only", Json::array({row("direction only")}));
  quick["form"] = "quick";
  EXPECT_EQ(console_verdicts(of({quick}), 80), "  verdict: Y4 direction only (quick)\n");
  const Json other = claim("Y3", "not reproduced", Json::array({row("not reproduced")}));
  EXPECT_EQ(console_verdicts(of({quick, other}), 80),
            "  verdicts: Y3 not reproduced, Y4 direction only (quick)\n");
  EXPECT_EQ(console_verdicts(of({}), 80), "");
}

TEST(ConsoleClaims, FitAtEveryWidth) {
  const std::vector<Json> results = {
      of({claim("Y3", "not reproduced", Json::array({row("not reproduced")})),
          claim("Y4", "inconclusive", Json::array())})};
  for (const std::size_t columns : {30, 60, 80, 120, 200}) {
    const std::string text = console_claims(results, {{"p/Y3", std::string(300, 'x')}}, columns);
    std::size_t lines = 0;
    for (const std::string& line : split(text, '\n')) {
      EXPECT_LE(display_width(line), columns) << line;
      if (line.starts_with("  ")) ++lines;
    }
    if (columns >= 60) {
      EXPECT_EQ(lines, 4U) << columns;
    }
  }
  EXPECT_EQ(console_claims(results, {}, std::nullopt), console_claims(results, {}, 80));
}

TEST(ConsoleClaims, WithoutARowTheReasonIsSaid) {
  const std::vector<Json> results = {of({claim("Y4", "inconclusive", Json::array())})};
  EXPECT_NE(console_claims(results, {}, 80).find("  Y4  inconclusive  the reason of Y4\n"),
            std::string::npos);
  Json doubted = claim("Y4", "inconclusive", Json::array());
  doubted["reason"] = "not judged: disturbed: others had its cores";
  EXPECT_NE(console_claims({of({doubted})}, {}, 80)
                .find("  Y4  inconclusive  disturbed: others had its cores\n"),
            std::string::npos);
  doubted["reason"] =
      "k = 2 is the fastest: not judged: disturbed: others had its cores; k = 4: no";
  EXPECT_NE(console_claims({of({doubted})}, {}, 80)
                .find("  Y4  inconclusive  disturbed: others had its cores\n"),
            std::string::npos);
}

TEST(ConsoleClaims, MachinesAndBuildsAreToldApart) {
  const Json judged = claim("Y3", "reproduced", Json::array({row("reproduced")}));
  Json here = of({judged});
  here["environment"] = {{"cpu_model", "A"}, {"gpus", Json::array()}};
  Json there = here;
  there["environment"]["cpu_model"] = "B";
  Json later = here;
  later["experiment"]["id"] = "f";
  later["provenance"] = {{"git_sha", "0123456789"}, {"git_dirty", true}};
  const std::string text = console_claims({here, there, later}, {}, 120);
  for (const char* part :
       {"\non A\n  Y3  reproduced (build unknown)  ",
        "\n  Y3  reproduced (build 01234567 with changes)  ", "\non B\n  Y3  reproduced  ",
        "\n3 verdicts on 1 claim: 3 reproduced\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST(ConsoleClaims, OfSeveralPapersHaveTheirKeys) {
  Json other = claim("Y4", "reproduced", Json::array());
  other["claim"] = "q/Y4";
  const std::string text =
      console_claims({of({claim("Y3", "reproduced", Json::array()), other})}, {}, 80);
  EXPECT_TRUE(text.starts_with("Claims\n  p/Y3  reproduced")) << text;
  EXPECT_NE(text.find("\n  q/Y4  reproduced"), std::string::npos);
}

TEST(ConsoleClaims, NoClaimsNoTable) {
  EXPECT_EQ(console_claims({of({})}, {}, 80), "");
  EXPECT_EQ(explained_claims({of({})}, {}, {"all"}, 80), "");
}

TEST(ConsoleClaims, AnythingIsShownAndNothingObeyed) {
  Json evil = claim("Y3", "reproduced", Json::array());
  evil["text"] = "\x1b[31m";
  evil["reason"] = "a\nb";
  const std::string text =
      console_claims({of({evil})}, {}, 80) + explained_claims({of({evil})}, {}, {"all"}, 80);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("a\\x0ab"), std::string::npos);
}

TEST(ExplainedClaims, HaveAllThatIsKnown) {
  Json part = claim("Y3", "not reproduced", Json::array({row("not reproduced")}));
  part["coverage"] = {{"row_count", 3},
                      {"planned_row_count", 4},
                      {"query_count", nullptr},
                      {"paper_query_count", nullptr}};
  const std::vector<Json> results = {of({part, claim("Y4", "reproduced", Json::array())})};
  EXPECT_EQ(explained_claims(results, {{"p/Y3", "A sentence"}}, {"Y3"}, 80), R"(p/Y3: not reproduced
  paper:  A sentence
  claim:  k = 2 is the fastest
  extent: 3 of 4 rows
  here:   k=4 takes 0.890 [0.876, 0.903] of the time of k=2; the paper 1.13
          (graph=NY)
  why:    the reason of Y3
  part: not reproduced
    row                   here                  the paper  outcome
    k=4 / k=2 (graph=NY)  0.890 [0.876, 0.903]  1.13       not reproduced
)");
}

TEST(ExplainedClaims, AreNamedWithOrWithoutThePaperInEitherCase) {
  const std::vector<Json> results = {
      of({claim("Y3", "reproduced", Json::array()), claim("Y4", "reproduced", Json::array())})};
  const auto explained = [&](const std::vector<std::string>& names) {
    return explained_claims(results, {}, names, 80);
  };
  const std::string third = explained({"Y3"});
  EXPECT_EQ(third.find("Y4"), std::string::npos);
  EXPECT_EQ(explained({"y3"}), third);
  EXPECT_EQ(explained({"P/y3"}), third);
  EXPECT_EQ(explained({"Y3", "p/Y3"}), third);
  EXPECT_EQ(explained({"all"}), explained({"Y4", "Y3"})) << "in the order of their numbers";
  try {
    explained({"Y33"});
    FAIL() << "an unknown claim";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "claim 'Y33': is not judged in these results; did you mean 'p/Y3'?");
  }
}

}  // namespace
}  // namespace bellmark::report
