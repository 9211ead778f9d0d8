// Claims of an experiment's file: the needs of each kind, and the report of a fault.
#include "harness/plan/claim_reader.hpp"

#include <gtest/gtest.h>

#include "harness/plan/test_files.hpp"

namespace bellmark::plan {
namespace {

TEST(Claims, KindsAndMetrics) {
  EXPECT_EQ(parse(std::string(kHead) + kRatio).claims.size(), 1U);
  EXPECT_TRUE(says(fault(std::string(kHead) + replaced(kRatio, "\"ratio\"", "\"ration\"")),
                   "e.toml:11: 'ration' is not a kind of claim; did you mean 'ratio'?"));
  EXPECT_TRUE(says(fault(std::string(kHead) + kRatio +
                         "[[claim]]\nid='Z'\nkind='ratio'\n"
                         "text='t'\nmetric='wall_s'\n"),
                   "'wall_s' is no metric; did you mean 'wall_ns'?"));
}

TEST(Claims, RatioNeedsAFigureOrARange) {
  const auto with = [](const std::string& paper) {
    return std::string(kHead) + replaced(kRatio, "{ low = 1.2, high = 1.5 }", paper);
  };
  for (const char* range : {"{ low = 1.5, high = 1.2 }", "{ low = 1.2, high = 0.8 }"}) {
    EXPECT_TRUE(says(fault(with(range)), "e.toml:15: the paper's low is above high; swap them"));
  }
  for (const char* half : {"{ low = 1.2 }", "{ high = 1.2 }", "{ quoted = 'slower' }"}) {
    EXPECT_TRUE(says(fault(with(half)), "key 'claim.paper.value' or 'paper.low' is missing"));
  }
  EXPECT_EQ(parse(with("{ low = 0.5, high = 0.8 }")).claims.at(0).paper.high, 0.8);
  EXPECT_EQ(parse(with("{ low = 0.9, high = 1.1 }")).claims.at(0).paper.low, 0.9);
  EXPECT_EQ(parse(with("{ value = 1.3 }")).claims.at(0).paper.value, 1.3);
}

TEST(Claims, SayWhatTheSentenceDeniesAndWhatItIsAbout) {
  const auto with = [](const std::string& line) {
    return std::string(kHead) + kRatio + line + "\n";
  };
  EXPECT_EQ(parse(with("")).claims.at(0).rival, 1);
  EXPECT_EQ(parse(with("")).claims.at(0).about, About::unsaid);
  EXPECT_EQ(parse(with("rival = 2.5")).claims.at(0).rival, 2.5);
  for (const char* rival : {"rival = 0", "rival = -1"}) {
    EXPECT_EQ(fault(with(rival)),
              "e.toml:16: a rival must be above 0; name the ratio that the sentence denies");
  }
  EXPECT_TRUE(says(fault(with("rival = '2'")), "e.toml:16: key 'claim.rival' must be a number"));
  for (const char* about : {"memory", "work", "order"}) {
    const Claim claim = parse(with("about = '" + std::string(about) + "'")).claims.at(0);
    EXPECT_EQ(to_string(claim.about), about);
  }
  for (const char* about : {"about = 'caches'", "about = ''"}) {
    EXPECT_TRUE(says(fault(with(about)), "is not a subject of claims; name memory, work or order"))
        << about;
  }
  EXPECT_EQ(parse(with("sentence = 'Two is slower.'")).claims.at(0).sentence, "Two is slower.");
  EXPECT_TRUE(says(fault(with("sentense = 's'")), "did you mean 'sentence'?"));
}

TEST(Claims, ASlopesRivalIsAnExponent) {
  const std::string slope = std::string(kHead) +
                            "[[claim]]\nid='L'\ntext='t'\nkind='slope'\nalong='arity'\n"
                            "paper={ value = 1 }\n";
  EXPECT_EQ(parse(slope).claims.at(0).rival, 0) << "no growth";
  EXPECT_EQ(parse(slope + "rival = 0.5\n").claims.at(0).rival, 0.5);
  EXPECT_EQ(parse(slope + "rival = -1\n").claims.at(0).rival, -1);
}

TEST(Claims, ThePaperMayAskSoManyQueries) {
  const auto with = [](const std::string& queries) {
    return "paper = { key = 'k', item = 'i', queries = " + queries + " }\n" + std::string(kHead);
  };
  EXPECT_EQ(parse(with("1000")).paper_query_count, 1000U);
  EXPECT_TRUE(says(fault(with("0")), "e.toml:1: key 'paper.queries' must be 1 or more"));
  EXPECT_TRUE(says(fault(with("'all'")), "key 'paper.queries' must be a whole number"));
}

TEST(Claims, EveryKindNeedsItsKeys) {
  const auto claim = [](const std::string& kind, const std::string& rest) {
    return std::string(kHead) + "[[claim]]\nid='Y'\ntext='t'\nkind='" + kind + "'\n" + rest;
  };
  EXPECT_TRUE(
      says(fault(claim("order", "order = [{ arity = 2 }]\n")), "key 'claim.order' is missing"));
  EXPECT_TRUE(says(fault(claim("ratio", "")), "key 'claim.numerator' is missing"));
  EXPECT_TRUE(
      says(fault(claim("argmin", "paper = { value = 2 }\n")), "key 'claim.along' is missing"));
  EXPECT_TRUE(
      says(fault(claim("argmin", "along = 'arity'\n")), "key 'claim.paper.value' is missing"));
  EXPECT_TRUE(says(fault(claim("shape", "")), "key 'claim.statements' is missing"));
  EXPECT_TRUE(says(fault(claim("trend", "")), "key 'claim.statements' is missing"));
  EXPECT_TRUE(says(fault(claim("absolute", "")), "key 'claim.cells' is missing"));
  EXPECT_TRUE(
      says(fault(claim("slope", "paper = { value = 1 }\n")), "key 'claim.along' is missing"));
  EXPECT_TRUE(says(fault(claim("slope", "along = 'arity'\n")),
                   "key 'claim.paper.value' or 'paper.low' is missing"));
  const std::string crossing = "along = 'arity'\n";
  EXPECT_TRUE(says(fault(claim("crossing", "")), "key 'claim.along' is missing"));
  EXPECT_TRUE(says(fault(claim("crossing", crossing)), "key 'claim.numerator' is missing"));
  EXPECT_TRUE(says(fault(claim("crossing", crossing + "numerator = { graph = 'g' }\n")),
                   "key 'claim.denominator' is missing"));
  EXPECT_TRUE(says(fault(claim("crossing", crossing + "numerator = { graph = 'g' }\n"
                                                      "denominator = { graph = 'h' }\n"
                                                      "paper = { low = 1, high = 2 }\n")),
                   "key 'claim.paper.value' is missing"));
  EXPECT_TRUE(says(fault(claim("shape",
                               "statements = [{ text = 's', numerator = { arity = 2 }, "
                               "denominator = { arity = 4 } }]\n")),
                   "key 'claim.statements.paper' is missing"));
}

TEST(Claims, AStatementIsJudgedByThePapersFiguresOrByBoundsWithAReason) {
  const auto claim = [](const std::string& rest) {
    return std::string(kHead) + "[[claim]]\nid='Y'\ntext='t'\nkind='trend'\nstatements = [\n" +
           "{ text = 's', numerator = { arity = 2 }, denominator = { arity = 4 }, " + rest +
           " }]\n";
  };
  const auto statement = [&](const std::string& rest) {
    return parse(claim(rest)).claims.at(0).statements.at(0);
  };
  EXPECT_EQ(statement("paper = 1.3").paper.value, 1.3);
  EXPECT_EQ(statement("paper = { value = 1.3, quoted = '1.3x' }").paper.value, 1.3);
  EXPECT_EQ(statement("paper = { low = 1.2, high = 1.5 }").paper.high, 1.5);
  EXPECT_EQ(statement("paper = 1.3, rival = 1.2").rival, 1.2);
  EXPECT_EQ(statement("at_least = 1.1, reason = 'visibly'").reason, "visibly");
  for (const char* bound : {"at_least = 1.1", "at_most = 1.1", "at_least = 1.1, paper = 1.3"}) {
    EXPECT_TRUE(says(fault(claim(bound)),
                     "e.toml:14: a statement's own bounds need a reason; add reason = \"...\", "
                     "from the paper; or give its figure, paper = ..."))
        << bound;
  }
  EXPECT_TRUE(
      says(fault(claim("paper = { low = 1.2 }")), "key 'claim.statements.paper' is missing"));
  EXPECT_TRUE(says(fault(claim("paper = { low = 2, high = 1 }")), "the paper's low is above high"));
  EXPECT_TRUE(says(fault(claim("paper = { vlaue = 2 }")), "did you mean 'value'?"));
  EXPECT_TRUE(says(fault(claim("paper = 1.3, rival = 0")), "a rival must be above 0"));
}

TEST(Claims, AStatementMayBeAboutOneCellAndHaveItsOwnMetric) {
  const auto claim = [](const std::string& statement) {
    return std::string(kHead) + "[[claim]]\nid='Y'\ntext='t'\nkind='shape'\nstatements = [\n{ " +
           statement + " }]\n";
  };
  const Experiment experiment =
      parse(claim("text = 's', numerator = { arity = 2 }, metric = 'phase_log.phase_count', "
                  "at_most = 230, reason = 'r'"));
  const Statement& statement = experiment.claims.at(0).statements.at(0);
  EXPECT_TRUE(statement.denominator.empty());
  EXPECT_EQ(statement.metric, "phase_log.phase_count");
  EXPECT_EQ(experiment.claims.at(0).metric, "wall_ns");
  EXPECT_TRUE(says(fault(claim("text = 's', at_most = 230")),
                   "key 'claim.statements.numerator' is missing"));
  EXPECT_TRUE(says(
      fault(claim(
          "text = 's', numerator = { arity = 2 }, metric = 'phase_log.phase_cuont', at_most = 2")),
      "e.toml:14: 'phase_log.phase_cuont' is no metric; did you mean"));
}

TEST(Claims, AMeanNamesItsAxisAndHowManyRatiosItIsOf) {
  const auto claim = [](const std::string& rest) {
    return std::string(kHead) + "[[claim]]\nid='Y'\ntext='t'\nkind='shape'\nstatements = [\n" +
           "{ text = 's', paper = 2, numerator = { arity = 2 }, " + rest + " }]\n";
  };
  const std::string pair = "denominator = { arity = 4 }, ";
  const Statement statement =
      parse(claim(pair + "mean = { over = 'graph', count = 5 }")).claims.at(0).statements.at(0);
  EXPECT_EQ(statement.mean_over, "graph");
  EXPECT_EQ(statement.mean_count, 5U);
  EXPECT_TRUE(says(fault(claim("mean = { over = 'graph', count = 5 }")),
                   "key 'claim.statements.denominator' is missing"));
  EXPECT_TRUE(says(fault(claim(pair + "mean = { over = 'grahp', count = 5 }")),
                   "'grahp' is not an axis of this experiment; did you mean 'graph'?"));
  EXPECT_TRUE(says(fault(claim(pair + "mean = { over = 'graph', count = 1 }")),
                   "a mean needs two or more ratios"));
  EXPECT_TRUE(says(fault(claim(pair + "mean = { count = 2 }")), "mean.over' is missing"));
  EXPECT_TRUE(says(fault(claim(pair + "mean = { over = 'graph', count = 2 }, over = { numerator = "
                                      "{ arity = 2 }, denominator = { arity = 4 } }")),
                   "a statement has 'mean' or 'over', not both"));
}

TEST(Claims, SelectorsNameAxesOfTheExperiment) {
  EXPECT_TRUE(
      says(fault(std::string(kHead) + replaced(kRatio, "{ arity = 2 }", "{ airty = 2 }")),
           "'claim.numerator.airty' is not an axis of this experiment; did you mean 'arity'?"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[[claim]]\nid='Y'\ntext='t'\nkind='argmin'\n"
                                              "along='airty'\npaper={ value = 2 }\n"),
                   "e.toml:13: 'airty' is not an axis of this experiment; did you mean 'arity'?"));
  EXPECT_TRUE(says(fault(std::string(kHead) + "[[exclude]]\nwhere = { grahp = 'g' }\nwhy = 'w'\n"),
                   "e.toml:10: 'exclude.where.grahp' is not an axis"));
  EXPECT_EQ(parse(std::string(kHead) + replaced(kRatio, "{ arity = 2 }",
                                                "{ arity = 2, graph = 'g', placement = 'core:0' }"))
                .claims.size(),
            1U);
}

TEST(Claims, BoundsOfAStatementLeaveRoom) {
  EXPECT_TRUE(says(fault(std::string(kHead) +
                         "[[claim]]\nid='Y'\ntext='t'\nkind='shape'\nstatements = [\n"
                         "{ text = 's', numerator = { arity = 2 }, denominator = { arity = 4 }, "
                         "at_least = 2, at_most = 1, reason = 'r' }]\n"),
                   "e.toml:14: at_least is above at_most"));
}

}  // namespace
}  // namespace bellmark::plan
