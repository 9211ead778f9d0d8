// The arithmetic of set centrality's CPU variants against the definition. Variants that should
// choose alike do so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <numbers>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/spots/set_centrality/evaluator.hpp"
#include "algorithms/spots/set_centrality/open_spots.hpp"
#include "algorithms/spots/set_centrality/problem.hpp"
#include "algorithms/spots/set_centrality/triangle_excess.hpp"
#include "algorithms/testing/set_zoo.hpp"

namespace bellmark {
namespace {

using set_centrality::Evaluator;

/// The largest relative error of R + v, over growing random sets R and all v, twice over.
template <Objective kObjective, class Real>
double largest_error(const DistanceMatrix& distances, std::size_t thread_count,
                     std::size_t register_bytes = set_centrality::widest_register_bytes()) {
  std::mt19937_64 draw(distances.spot_count());
  Evaluator<kObjective, Real> evaluator(register_bytes);
  RunContext context;
  evaluator.prepare(distances, thread_count, context);
  double largest = 0;
  for (int time = 0; time < 2; ++time) {
    evaluator.clear();
    for (std::vector<Spot> left = evaluator.not_chosen();
         !left.empty() && left.size() + 6 > distances.spot_count(); left = evaluator.not_chosen()) {
      std::shuffle(left.begin(), left.end(), draw);
      std::vector<double> values(left.size());
      evaluator.evaluate(left, values);
      std::vector<Spot> set = evaluator.chosen();
      set.push_back(0);
      for (std::size_t i = 0; i < left.size(); ++i) {
        set.back() = left[i];
        const double right = objective_value(kObjective, distances, set);
        if (values[i] == right) continue;
        const double error = std::abs(values[i] - right) / std::max(values[i], right);
        largest = std::isnan(error) ? 1 : std::max(largest, error);
      }
      evaluator.add(left.front());
    }
  }
  return largest;
}

void expect_accurate(const DistanceMatrix& distances, const std::string& name) {
  EXPECT_LT((largest_error<Objective::migration, double>(distances, 1)), 1e-12) << name;
  EXPECT_LT((largest_error<Objective::convenience, double>(distances, 2)), 1e-12) << name;
  if (!set_centrality::fits_float32(distances)) return;
  EXPECT_LT((largest_error<Objective::migration, float>(distances, 3)), 1e-6) << name;
  EXPECT_LT((largest_error<Objective::convenience, float>(distances, 1)), 1e-6) << name;
}

TEST(SetEvaluator, ZooByDefinition) {
  for (const auto& [name, distances] : testing::set_zoo()) expect_accurate(distances, name);
}

TEST(SetEvaluator, RandomDistancesByDefinition) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    expect_accurate(testing::small_random_distances(seed), std::to_string(seed));
  }
}

/// More spots than a tile has targets, and than a chunk has lanes.
TEST(SetEvaluator, SeveralTiles) {
  expect_accurate(open_spots("points:n=150").distances, "150 points");
  std::mt19937_64 draw(1);
  std::vector<double> values(131 * 131);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 132 == 0 ? 0 : static_cast<double>(draw() % 50);
  }
  expect_accurate(DistanceMatrix(131, values, "drawn"), "no metric");
}

TEST(SetEvaluator, EveryWidthOfRegisters) {
  const DistanceMatrix points = open_spots("points:n=75").distances;
  for (std::size_t bytes = 16; bytes <= set_centrality::widest_register_bytes(); bytes *= 2) {
    EXPECT_LT((largest_error<Objective::migration, double>(points, 1, bytes)), 1e-12) << bytes;
    EXPECT_LT((largest_error<Objective::migration, float>(points, 1, bytes)), 1e-6) << bytes;
    EXPECT_LT((largest_error<Objective::convenience, double>(points, 1, bytes)), 1e-12) << bytes;
    EXPECT_LT((largest_error<Objective::convenience, float>(points, 1, bytes)), 1e-6) << bytes;
  }
}

TEST(SetEvaluator, RefusesWhatFloatsCantHold) {
  const auto refused = [](const char* name) {
    for (const auto& [found, distances] : testing::set_zoo()) {
      if (found != name) continue;
      try {
        set_centrality::check_precision(distances, {{"precision", "32"}});
      } catch (const InputError& error) {
        return std::string(error.what());
      }
    }
    return std::string();
  };
  EXPECT_NE(refused("the least and the largest distance").find("use precision=64"),
            std::string::npos);
  EXPECT_EQ(refused("many orders of magnitude"), "");
  EXPECT_EQ(refused("a line"), "");
}

/// One variant on its own.
struct Bound {
  Bound(const std::string& name, Workload& workload) {
    const auto selections = Registry::global().select(name);
    EXPECT_EQ(selections.size(), 1u) << name;
    Settings settings;
    variant = find_instance(selections.at(0), workload, settings).bind(workload, settings);
    variant->prepare(context);
  }
  std::uint64_t digest(std::size_t query) {
    variant->run(query, 1, context);
    EXPECT_EQ(variant->certify(query).value_or(""), "");
    return variant->digest(query);
  }
  /// The spots in the order in which they were chosen.
  std::string picks(std::size_t query) {
    digest(query);
    for (const auto& [name, value] : variant->answer_facts(query)) {
      if (name == "chosen") return std::get<std::string>(value);
    }
    return "none";
  }
  double objective(std::size_t query) {
    return std::get<double>(variant->answer_facts(query).at(0).second);
  }
  RunContext context;
  std::unique_ptr<BoundVariant> variant;
};

std::vector<Spot> spots_of(const std::string& picks) {
  std::istringstream words(picks);
  return {std::istream_iterator<Spot>(words), {}};
}

/// Greedy picks that differ may do so only at a tie: after the picks that are the same, both spots
/// give the same objective but for the last places of its sum, which differ by processor.
void expect_tie(Objective objective, const DistanceMatrix& distances, const std::string& picks,
                const std::string& others) {
  std::vector<Spot> ours = spots_of(picks);
  std::vector<Spot> theirs = spots_of(others);
  ASSERT_EQ(ours.size(), theirs.size());
  const auto [one, other] = std::ranges::mismatch(ours, theirs);
  ASSERT_NE(one, ours.end());
  ours.erase(one + 1, ours.end());
  theirs.erase(other + 1, theirs.end());
  const double value = objective_value(objective, distances, ours);
  EXPECT_NEAR(objective_value(objective, distances, theirs), value, 1e-13 * value)
      << ours.back() << " or " << theirs.back() << " after " << ours.size() - 1 << " picks";
}

/// Right picks of migration are the same: points in a square have no ties. Convenience has some:
/// two spots that gain each other alone are equally good. Digests may differ, since objectives that
/// differ in the last place may have other leading digits. In 32 bits two spots are nearly as good,
/// and the processor's instructions decide: there the certificate judges alone.
template <class P>
void expect_same_picks() {
  const std::string problem = std::string(P::kName) + "/";
  for (const char* points : {"points:n=50,seed=2", "points:n=97,seed=5"}) {
    detail::WorkloadOf<P> workload(open_spots(points), {{1}, {7}, {20}});
    Bound naive(problem + "greedy:evaluation=naive", workload);
    for (std::size_t query = 0; query < 3; ++query) {
      const std::string picks = naive.picks(query);
      for (const char* name :
           {"greedy", "greedy:threads=3", "greedy:evaluation=screened",
            "greedy:evaluation=screened,threads=3", "lazy-greedy:evaluation=cached",
            "lazy-greedy:evaluation=cached,threads=9", "lazy-greedy:evaluation=screened",
            "lazy-greedy:evaluation=screened,threads=9", "oishi2015:cpu"}) {
        Bound other(problem + name, workload);
        const std::string others = other.picks(query);
        if (P::kObjective == Objective::migration) {
          EXPECT_EQ(others, picks) << name;
        } else if (others != picks) {
          SCOPED_TRACE(name);
          expect_tie(P::kObjective, workload.input.distances, picks, others);
        }
        const double objective = naive.objective(query);
        EXPECT_NEAR(other.objective(query), objective, 1e-12 * objective) << name;
      }
      Bound(problem + "greedy:precision=32", workload).digest(query);
    }
  }
}

TEST(SetVariants, GreedyOnesPickTheSame) {
  expect_same_picks<SetMigration>();
  expect_same_picks<SetConvenience>();
}

/// Spots on a circle are nearly equal: by 10^-9, which 32 bits can't tell and 64 can.
template <class P>
void expect_picks_beyond_floats() {
  constexpr Spot kSpots = 60;
  std::mt19937_64 draw(7);
  std::uniform_real_distribution<double> near_one(1, 1 + 1e-9);
  std::vector<double> values(kSpots * kSpots, 0);
  for (Spot s = 0; s < kSpots; ++s) {
    for (Spot t = 0; t < s; ++t) {
      const double chord = std::sin(std::numbers::pi * (s - t) / kSpots) * near_one(draw);
      values[s * kSpots + t] = values[t * kSpots + s] = chord;
    }
  }
  detail::WorkloadOf<P> workload(SetInput{DistanceMatrix(kSpots, values, "circle"), {}, 0}, {{12}});
  const auto picks = [&](const std::string& name) {
    return Bound(std::string(P::kName) + "/" + name, workload).picks(0);
  };
  const std::string right = picks("greedy:evaluation=cached");
  EXPECT_EQ(picks("greedy:evaluation=screened"), right);
  EXPECT_EQ(picks("lazy-greedy:evaluation=screened"), right);
}

TEST(SetVariants, ScreensWhatFloatsCantTell) {
  expect_picks_beyond_floats<SetMigration>();
  expect_picks_beyond_floats<SetConvenience>();
}

/// All instances of a family share one resolve(), which is that of 64 bits.
TEST(SetVariants, RefuseWhatFloatsCantHold) {
  const auto wide = std::ranges::find(testing::set_zoo(), "the least and the largest distance",
                                      &testing::ZooSpots::name);
  detail::WorkloadOf<SetMigration> workload(SetInput{wide->distances, {}, 0}, {{1}});
  for (const char* name : {"greedy:precision=32", "greedy:evaluation=screened",
                           "lazy-greedy:precision=32", "lazy-greedy:evaluation=screened",
                           "local-improvement:precision=32", "exhaustive:precision=32"}) {
    EXPECT_THROW(Bound(std::string("set-migration/") + name, workload), InputError) << name;
  }
  Bound("set-migration/greedy", workload).digest(0);
}

/// By its definition, over all triples of spots.
double excess_by_triples(const DistanceMatrix& distances) {
  const Spot n = distances.spot_count();
  double excess = 0;
  for (Spot s = 0; s < n; ++s) {
    for (Spot v = 0; v < n; ++v) {
      for (Spot t = 0; t < n; ++t) {
        const double distance = distances(s, t);
        if (distance == 0) continue;
        excess = std::max(excess, distance / (distances(s, v) + distances(v, t)) - 1);
      }
    }
  }
  return excess;
}

TEST(TriangleExcess, IsTheLargestOfAllTriples) {
  for (const testing::ZooSpots& spots : testing::set_zoo()) {
    EXPECT_EQ(set_centrality::triangle_excess(spots.distances), excess_by_triples(spots.distances))
        << spots.name;
  }
}

/// More spots than a tile has columns. Distances from 1 to 2 are a metric, but for one pair.
TEST(TriangleExcess, FindsOnePairAnywhere) {
  constexpr Spot kSpots = 530;
  std::mt19937_64 draw(11);
  std::uniform_real_distribution<double> metric(1, 2);
  std::vector<double> values(std::size_t{kSpots} * kSpots, 0);
  for (Spot s = 0; s < kSpots; ++s) {
    for (Spot t = 0; t < s; ++t) values[s * kSpots + t] = values[t * kSpots + s] = metric(draw);
  }
  EXPECT_EQ(set_centrality::triangle_excess(DistanceMatrix(kSpots, values, "metric")), 0);
  for (const auto& [s, t] : {std::pair<Spot, Spot>{0, 1}, {3, 511}, {520, 512}, {529, 2}}) {
    double detour = std::numeric_limits<double>::infinity();
    for (Spot v = 0; v < kSpots; ++v) {
      if (v == s || v == t) continue;
      detour = std::min(detour, values[s * kSpots + v] + values[v * kSpots + t]);
    }
    for (const bool symmetric : {true, false}) {
      std::vector<double> changed = values;
      changed[s * kSpots + t] = 5;
      if (symmetric) changed[t * kSpots + s] = 5;
      const DistanceMatrix distances(kSpots, changed, "one pair");
      ASSERT_EQ(distances.symmetric(), symmetric);
      EXPECT_EQ(set_centrality::triangle_excess(distances), 5 / detour - 1);
    }
  }
}

/// Lazy choice is greedy only where gains shrink. conformance_test.cpp certifies its choices
/// elsewhere. Here a third of its evaluations and more are spared where gains shrink.
class Counts : public Recorder {
 public:
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    sums[std::string(name)] += value;
  }
  void end() override {}
  std::map<std::string, std::uint64_t> sums;
};

TEST(SetVariants, LazyGreedySparesEvaluations) {
  const auto spared = [](auto& workload, const std::string& name) {
    Bound lazy(name, workload);
    Counts counts;
    RunContext context(&counts);
    lazy.variant->run(0, 1, context);
    return std::pair(counts.sums["spared_count"], counts.sums["candidate_count"]);
  };
  detail::WorkloadOf<SetMigration> migration(open_spots("points:n=200"), {{10}});
  detail::WorkloadOf<SetConvenience> convenience(open_spots("points:n=200"), {{10}});
  for (const auto& [left_out, evaluated] : {spared(migration, "set-migration/lazy-greedy"),
                                            spared(convenience, "set-convenience/lazy-greedy")}) {
    EXPECT_EQ(left_out + evaluated, 200u * 10 - 45);
    EXPECT_GT(left_out, evaluated / 2);
  }
  const auto& no_metric = testing::set_zoo().at(11);
  ASSERT_EQ(no_metric.name, "no metric");
  detail::WorkloadOf<SetMigration> other(SetInput{no_metric.distances, {}, 0}, {{5}});
  EXPECT_EQ(spared(other, "set-migration/lazy-greedy").first, 0u);
}

/// At a given K the submodular functions that lazy_greedy.cpp names order sets as the objectives
/// do.
TEST(SetObjectives, AreSubmodularInTheirSums) {
  const DistanceMatrix metric = open_spots("points:n=9,seed=4").distances;
  const auto migration = [&](const std::vector<Spot>& set) {
    const double rest = 9.0 - static_cast<double>(set.size());
    return objective_value(Objective::migration, metric, set) * rest * (rest - 1) + 72 -
           rest * (rest - 1);
  };
  const DistanceMatrix& any = testing::set_zoo().at(13).distances;
  const auto convenience = [&](const std::vector<Spot>& set) {
    const double rest = any.spot_count() - static_cast<double>(set.size());
    return -rest / objective_value(Objective::convenience, any, set);
  };
  const auto holds = [](const auto& total) {
    std::mt19937_64 draw(3);
    for (int i = 0; i < 500; ++i) {
      std::vector<Spot> spots = {0, 1, 2, 3, 4, 5, 6, 7, 8};
      std::shuffle(spots.begin(), spots.end(), draw);
      const auto small_size = static_cast<std::ptrdiff_t>(1 + draw() % 3);
      std::vector<Spot> small(spots.begin(), spots.begin() + small_size);
      std::vector<Spot> large(spots.begin(), spots.begin() + small_size + 3);
      const double before_small = total(small);
      const double before_large = total(large);
      small.push_back(spots.back());
      large.push_back(spots.back());
      const double gain = total(large) - before_large;
      if (gain > total(small) - before_small + 1e-9 || gain < -1e-9) return false;
    }
    return true;
  };
  EXPECT_TRUE(holds(migration));
  EXPECT_TRUE(holds(convenience));
}

/// Greedy, then swaps, then all sets: each at least as good as the one before.
TEST(SetVariants, LocalImprovementLiesBetweenGreedyAndTheOptimum) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::string points = "points:n=14,seed=" + std::to_string(seed);
    detail::WorkloadOf<SetMigration> workload(open_spots(points), {{4}});
    for (const char* name : {"local-improvement", "local-improvement:swaps=0", "exhaustive",
                             "local-improvement:precision=32", "exhaustive:precision=32"}) {
      Bound(std::string("set-migration/") + name, workload).digest(0);
    }
  }
}

TEST(SetVariants, ExhaustiveRefusesManySets) {
  detail::WorkloadOf<SetMigration> workload(open_spots("points:n=100"), {{10}});
  Bound exhaustive("set-migration/exhaustive", workload);
  try {
    exhaustive.variant->run(0, 1, exhaustive.context);
    FAIL() << "not refused";
  } catch (const UnmetError& error) {
    EXPECT_NE(std::string(error.what()).find("there are 1.73e+13 sets of 10 spots"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace bellmark
