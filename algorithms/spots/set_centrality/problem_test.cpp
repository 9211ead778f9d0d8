// The certificate of set centrality catches every kind of wrong answer; bad input is refused with
// the place and a remedy.
#include "algorithms/spots/set_centrality/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <variant>

#include "algorithms/spots/set_centrality/open_spots.hpp"
#include "algorithms/testing/set_zoo.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const std::string& reference, const std::string& part) {
  const std::string found = message([&] { open_spots(reference); });
  EXPECT_NE(found.find(part), std::string::npos) << reference << ": " << found;
}

SetInput line(Spot n) {
  std::vector<double> values;
  for (Spot s = 0; s < n; ++s) {
    for (Spot t = 0; t < n; ++t) values.push_back(s < t ? t - s : s - t);
  }
  return {DistanceMatrix(n, std::move(values), "a line"), {}, 0};
}

TEST(SetObjectives, ByHand) {
  // Spots 0, 1, 2 on a line: 1 lies on the way, 0 and 2 double it.
  const SetInput input = line(3);
  const std::vector<Spot> ends = {0, 2};
  const std::vector<Spot> middle = {1};
  const std::vector<Spot> first = {0};
  const std::vector<Spot> all = {0, 1, 2};
  const auto migration = [&](const std::vector<Spot>& set) {
    return objective_value(Objective::migration, input.distances, set);
  };
  const auto convenience = [&](const std::vector<Spot>& set) {
    return objective_value(Objective::convenience, input.distances, set);
  };
  EXPECT_DOUBLE_EQ(migration(middle), 1);
  EXPECT_DOUBLE_EQ(migration(first), 1.0 / 3);
  EXPECT_EQ(migration(ends), 0);  // no pair is left
  EXPECT_EQ(migration(all), 0);
  EXPECT_DOUBLE_EQ(convenience(middle), 1);
  EXPECT_DOUBLE_EQ(convenience(first), 2.0 / 3);
  EXPECT_DOUBLE_EQ(convenience(ends), 1);
  EXPECT_EQ(convenience(all), 0);
}

TEST(SetObjectives, NothingIsDividedByNothing) {
  const DistanceMatrix one_place(4, std::vector<double>(16, 0.0), "one place");
  const std::vector<Spot> set = {2};
  EXPECT_EQ(objective_value(Objective::migration, one_place, set), 1);
  EXPECT_EQ(objective_value(Objective::convenience, one_place, set),
            std::numeric_limits<double>::infinity());
}

/// Neither objective is monotone, and adding a spot late can gain more than adding it early.
TEST(SetObjectives, HaveNoGuarantee) {
  const SetInput input = line(4);
  const auto value = [&](Objective objective, const std::vector<Spot>& set) {
    return objective_value(objective, input.distances, set);
  };
  EXPECT_LT(value(Objective::migration, std::vector<Spot>{0, 1, 2}),
            value(Objective::migration, std::vector<Spot>{1, 2}));
  EXPECT_LT(value(Objective::convenience, std::vector<Spot>{1, 2, 0, 3}),
            value(Objective::convenience, std::vector<Spot>{1, 2, 0}));
  int increasing = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const DistanceMatrix distances = testing::small_random_distances(seed);
    if (distances.spot_count() < 5) continue;
    for (const Objective objective : {Objective::migration, Objective::convenience}) {
      const auto of = [&](const std::vector<Spot>& set) {
        return objective_value(objective, distances, set);
      };
      if (of({0, 1, 2}) - of({0, 1}) > of({0, 2}) - of({0})) ++increasing;
    }
  }
  EXPECT_GT(increasing, 0);
}

TEST(SetInputs, TextAndPoints) {
  const TestFolder folder;
  const std::string path = folder.write("m.txt", "0 1.5,2\r\n\n 1.5\t0 3e2\n2,300,0").string();
  const SetInput input = open_spots("matrix:" + path + ",k=2");
  EXPECT_EQ(input.distances.spot_count(), 3u);
  EXPECT_EQ(input.chosen_count, 2u);
  EXPECT_TRUE(input.distances.symmetric());
  EXPECT_EQ(input.distances(1, 2), 300);
  EXPECT_FALSE(
      open_spots("matrix:" + folder.write("a.txt", "0 1\n2 0\n").string()).distances.symmetric());
  for (const char* n : {"1", "2", "3"}) {
    EXPECT_EQ(std::to_string(open_spots("points:n=" + std::string(n)).distances.spot_count()), n);
  }
  const SetInput points = open_spots("points:n=100,seed=1,k=7");
  EXPECT_TRUE(points.distances.symmetric());
  EXPECT_EQ(points.chosen_count, 7u);
  EXPECT_LT(*std::max_element(points.distances.values().begin(), points.distances.values().end()),
            10'000 * std::sqrt(2.0));
  EXPECT_NE(points.distances(0, 1), open_spots("points:n=100,seed=2").distances(0, 1));
}

TEST(SetInputs, ReferencesAreTakenApart) {
  const SetReference plain = parse_set_reference("points:n=9,seed=2");
  EXPECT_EQ(plain.scheme, "points");
  EXPECT_EQ(plain.rest, "n=9,seed=2");
  EXPECT_EQ(plain.chosen_count, 0u);
  const SetReference file = parse_set_reference("matrix:a,k=b:c.txt,k=7");
  EXPECT_EQ(file.rest, "a,k=b:c.txt");
  EXPECT_EQ(file.input(), "matrix:a,k=b:c.txt");
  EXPECT_EQ(file.chosen_count, 7u);
  EXPECT_EQ(open_spots("points:n=9,seed=2,k=7").distances.provenance(), "points:n=9,seed=2");
  for (const char* text : {"", ":", ",k=1", "points", ":,k=2", "points,k=3"}) {
    EXPECT_EQ(code_of([&] { open_spots(text); }), ExitCode::usage) << text;
  }
  expect_refused("points:n=9,k=", "points:n=9,k=: k: '' is not a whole number");
  expect_refused("points:n=9,k=0", "points:n=9,k=0: k: nothing to choose");
  expect_refused("points:n=9,k=-1", "points:n=9,k=-1: k: '-1' is not a whole number");
  expect_refused("points:n=9,k=2,k=3", "points:n=9,k=2: unknown key 'k'");
  expect_refused("points:k=3,n=9", "points:k=3,n=9: unknown key 'k'");
  expect_refused("points:n=9,n=9", "points:n=9,n=9: key 'n' is given twice");
}

TEST(SetInputs, Refused) {
  const TestFolder folder;
  const auto refused = [&](const std::string& text, const std::string& part) {
    const std::string path = folder.write("bad.txt", text).string();
    expect_refused("matrix:" + path, path + part);
  };
  refused("", ": has no distances; give each spot a row");
  refused("\n \n", ": has no distances");
  refused("0 1\n1 0 2\n", ":2: row 1 has 3 distances, the first one has 2; give each spot");
  refused("0 1\n\n1\n", ":3: row 1 has 1 distances");
  refused("0 1 2\n1 0 2\n", ": ends after 2 rows of 3 distances; give as many rows as columns");
  refused("0 1\n1 0\n1 1\n", ":3: more rows than the 2 distances of a row");
  refused("0 1\nnan 0\n", ":2: the distance from spot 1 to spot 0 is nan");
  refused("0 inf\n1 0\n", ":1: the distance from spot 0 to spot 1 is inf; distances are 0 or");
  refused("0 -1\n1 0\n", ":1: the distance from spot 0 to spot 1 is -1");
  refused("0 1e61\n1 0\n", ":1: the distance from spot 0 to spot 1 is 1e+61");
  refused("0 1e-61\n1 0\n", ":1: the distance from spot 0 to spot 1 is 1e-61");
  refused("0 1\n1 4\n", ":2: the distance from spot 1 to spot 1 is 4; a spot is at distance 0");
  refused("0 1\n1 x\n", ":2: 'x' is not a distance");
  refused("0 1e999\n1 0\n", ":1: '1e999' is not a distance");
  expect_refused("matrix:/nowhere", "/nowhere");
  expect_refused("matrix:" + folder.write("m", "0").string() + ",k=0", "nothing to choose");
  expect_refused("matrix:" + folder.write("m", "0").string() + ",k=-1", "'-1' is not a whole");
  expect_refused("points:n=0", "no spots; ask for at least one");
  expect_refused("points:n=x", "'x' is not a whole number");
  expect_refused("points:seed=3", "key 'n' is missing");
  expect_refused("points:n=4,sed=3", "did you mean 'seed'?");
  expect_refused("points:n=4000000", "a matrix of 4000000 spots: needs 119209 GiB of memory");
  expect_refused("points:n=99999999999", "GiB of memory");
  expect_refused("pionts:n=4", "known: matrix:FILE");
  EXPECT_NE(message([] {
              DistanceMatrix(2, {0, 1, 1}, "here");
            }).find("here: 3 distances of 2 spots"),
            std::string::npos);
  EXPECT_NE(message([] {
              DistanceMatrix(2, {0, std::nan(""), 1, 0}, "here");
            }).find("here: the distance from spot 0 to spot 1 is nan"),
            std::string::npos);
}

TEST(SetQueries, CountsWithinTheSpots) {
  SetInput input = line(5);
  const auto refused = [&](const QueryRule& rule, const std::string& part) {
    const std::string found = message([&] { SetMigration::make_queries(input, rule); });
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  refused({"input"}, "end its reference with ,k=K");
  input.chosen_count = 6;
  refused({"input"}, "6 spots can't be chosen; choose 1 to 5");
  refused({.kind = "list", .list = {1, 0}}, "0 spots can't be chosen");
  refused({"lits"}, "did you mean 'list'?");
  input.chosen_count = 5;
  EXPECT_EQ(SetMigration::make_queries(input, {"input"}), std::vector<SetQuery>{{5}});
  EXPECT_EQ(SetMigration::make_queries(input, {.kind = "list", .list = {3, 1}}),
            (std::vector<SetQuery>{{3}, {1}}));
  EXPECT_EQ(SetMigration::query_text({3}), "choose 3");
}

TEST(SetQueries, FactsAndNeeds) {
  const SetInput input = line(5);
  std::map<std::string, FactValue> facts;
  for (const auto& [key, value] : SetConvenience::facts(input)) facts[key] = value;
  EXPECT_EQ(std::get<std::uint64_t>(facts.at("spot_count")), 5u);
  EXPECT_EQ(std::get<double>(facts.at("mean_distance")), 2);
  EXPECT_EQ(std::get<bool>(facts.at("symmetric")), true);
  EXPECT_EQ(std::get<std::string>(facts.at("digest")).size(), 32u);
  EXPECT_EQ(SetMigration::unmet(Need::symmetric, input), "");
  const SetInput one_way = {DistanceMatrix(2, {0, 1, 2, 0}, "one way"), {}, 0};
  EXPECT_EQ(SetMigration::unmet(Need::symmetric, one_way), "the distances are not symmetric");
}

/// Right answers by trying everything, and faults put into them.
class SetCertificate : public ::testing::Test {
 protected:
  static constexpr Spot kChosen = 2;

  SetAnswer greedy() const {
    SetAnswer answer;
    for (Spot k = 0; k < kChosen; ++k) {
      std::vector<Spot> set = answer.chosen;
      set.push_back(0);
      double best = -1;
      Spot pick = 0;
      for (Spot v = 0; v < input.distances.spot_count(); ++v) {
        set.back() = v;
        if (std::find(answer.chosen.begin(), answer.chosen.end(), v) != answer.chosen.end())
          continue;
        const double value = objective_value(Objective::migration, input.distances, set);
        if (k == 0) answer.singles.push_back(value);
        if (value > best) {
          best = value;
          pick = v;
        }
      }
      answer.chosen.push_back(pick);
      answer.objectives.push_back(best);
    }
    return answer;
  }
  SetAnswer of(Promise promise, std::vector<Spot> set) const {
    SetAnswer answer;
    answer.objectives = {objective_value(Objective::migration, input.distances, set)};
    answer.chosen = std::move(set);
    answer.promise = promise;
    return answer;
  }
  void expect_fault(const SetAnswer& answer, const std::string& part) {
    const std::string found = certificate.check({kChosen}, answer).value_or("");
    EXPECT_NE(found.find(part), std::string::npos) << "found: " << found;
  }

  SetInput input = open_spots("points:n=12,seed=3");
  SetMigration::Certificate certificate{input};
};

TEST_F(SetCertificate, Greedy) {
  const SetAnswer right = greedy();
  EXPECT_EQ(certificate.check({kChosen}, right).value_or(""), "");
  SetAnswer answer = right;
  answer.chosen.pop_back();
  expect_fault(answer, "1 spots are chosen, not 2");
  answer = right;
  answer.chosen[1] = answer.chosen[0];
  expect_fault(answer, "is chosen twice");
  answer = right;
  answer.chosen[1] = 12;
  expect_fault(answer, "spot 12 is not there");
  answer = right;
  answer.objectives.pop_back();
  expect_fault(answer, "1 objectives, not 2");
  answer = right;
  answer.objectives[1] *= 1 + 1e-8;
  expect_fault(answer, "the objective of {");
  answer.precision = 32;
  EXPECT_EQ(certificate.check({kChosen}, answer).value_or(""), "");
  answer.objectives[1] *= 1 + 1e-3;
  expect_fault(answer, "the objective of {");
  answer.precision = 16;
  expect_fault(answer, "a precision of 16 bits");
  answer = right;
  answer.objectives[0] = std::nan("");
  expect_fault(answer, "given as nan");
  answer = right;
  answer.singles[5] *= 1.001;
  expect_fault(answer, "the objective of spot 5 alone");
  answer.singles.pop_back();
  expect_fault(answer, "11 objectives of single spots, not 12");
  answer = right;
  answer.singles.clear();
  EXPECT_EQ(certificate.check({kChosen}, answer).value_or(""), "");
}

TEST_F(SetCertificate, GreedyPicksTheBest) {
  SetAnswer answer = greedy();
  const Spot best = answer.chosen[1];
  for (Spot v = 0; v < 12; ++v) {
    if (v == answer.chosen[0] || v == best) continue;
    answer.chosen[1] = v;
    answer.objectives[1] = objective_value(Objective::migration, input.distances, answer.chosen);
    expect_fault(answer, "pick 2 is spot " + std::to_string(v));
  }
}

TEST_F(SetCertificate, OptimaAreProved) {
  SetAnswer best;
  best.objectives = {-1};
  for (Spot a = 0; a < 12; ++a) {
    for (Spot b = 0; b < a; ++b) {
      SetAnswer answer = of(Promise::optimum, {a, b});
      if (answer.objectives[0] > best.objectives[0]) best = answer;
    }
  }
  EXPECT_EQ(certificate.check({kChosen}, best).value_or(""), "");
  best.promise = Promise::local_optimum;
  EXPECT_EQ(certificate.check({kChosen}, best).value_or(""), "");
  Spot other = 0;
  while (other == best.chosen[0] || other == best.chosen[1]) ++other;
  expect_fault(of(Promise::optimum, {best.chosen[0], other}), "but that of {");
  expect_fault(of(Promise::local_optimum, {best.chosen[0], other}), "instead of");
}

TEST(SetDigest, OfWhatWasChosenAndPromisedAndTheObjectives) {
  SetAnswer answer;
  answer.chosen = {3, 1};
  answer.objectives = {0.25, 0.75};
  const std::uint64_t digest = SetMigration::digest(answer);
  answer.singles = {1, 2};
  answer.objectives[1] += 1e-9;
  EXPECT_EQ(SetMigration::digest(answer), digest);
  answer.objectives[1] = 0.76;
  EXPECT_NE(SetMigration::digest(answer), digest) << "a wrong objective is never certified by it";
  answer.objectives[1] = std::numeric_limits<double>::infinity();
  EXPECT_NE(SetMigration::digest(answer), digest);
  answer.objectives[1] = 0.75;
  answer.promise = Promise::optimum;
  EXPECT_NE(SetMigration::digest(answer), digest);
  answer.promise = Promise::greedy;
  answer.chosen = {1, 3};
  EXPECT_NE(SetMigration::digest(answer), digest);
}

TEST(SetAnswerFacts, AreTheChosenSetAndItsWorth) {
  SetAnswer answer;
  answer.chosen = {3, 1};
  answer.objectives = {0.25, 0.75};
  const Facts facts = SetMigration::answer_facts({}, answer);
  ASSERT_EQ(facts.size(), 3U);
  EXPECT_EQ(facts[0].second, FactValue(0.75));
  EXPECT_EQ(facts[1].second, FactValue(std::string("3 1")));
  EXPECT_EQ(facts[2].second, FactValue(std::string("greedy")));
}

}  // namespace
}  // namespace bellmark
