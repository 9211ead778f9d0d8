// Set centrality: its objectives by their definition, queries, and the certificate.
#include "algorithms/spots/set_centrality/problem.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <utility>

#include "algorithms/spots/set_centrality/open_spots.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

using Fault = std::optional<std::string>;

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr Spot kFewSpots = 2'000;  // up to here all spots are checked
constexpr std::size_t kSampledSpots = 64;
constexpr std::size_t kCheckedSwaps = 2'000;
constexpr double kCheckedSets = 1e6;
constexpr std::size_t kSampledSets = 2'000;

std::vector<bool> members(Spot n, std::span<const Spot> chosen) {
  std::vector<bool> in(n, false);
  for (const Spot r : chosen) in[r] = true;
  return in;
}

double ratio(double distance, double detour) {
  return distance == 0 && detour == 0 ? 1 : distance / detour;
}

/// Two at a time, as every x86-64 and AArch64 divides them.
using Pair = double __attribute__((vector_size(16)));
using PairMask = std::int64_t __attribute__((vector_size(16)));

/// The sum of distance[i] / min(detour[i], to + onward[i]) over begin <= i < end.
double sum_of_ratios(const double* distance, const double* detour, double to, const double* onward,
                     std::size_t begin, std::size_t end) {
  Pair sums = {};
  std::size_t i = begin;
  for (; i + 2 <= end; i += 2) {
    const Pair d = {distance[i], distance[i + 1]};
    const Pair through = Pair{onward[i], onward[i + 1]} + to;
    const Pair before = {detour[i], detour[i + 1]};
    const PairMask better = through < before;
    const Pair best = better ? through : before;
    const PairMask free = (d == 0.0) & (best == 0.0);
    sums += free ? Pair{1, 1} : d / best;
  }
  double sum = sums[0] + sums[1];
  for (; i < end; ++i) sum += ratio(distance[i], std::min(detour[i], to + onward[i]));
  return sum;
}

/// A set R with the values that R + v needs for any v: the least detours over R (migration) or the
/// least distances to R (convenience). The spots outside R lie side by side, so that the inner loop
/// needs no test for those of R.
class Extension {
 public:
  Extension(Objective objective, const DistanceMatrix& distances, std::span<const Spot> chosen)
      : objective_(objective), distances_(distances), chosen_count_(chosen.size()) {
    const std::vector<bool> in = members(distances.spot_count(), chosen);
    for (Spot s = 0; s < distances.spot_count(); ++s) {
      if (!in[s]) free_.push_back(s);
    }
    if (objective == Objective::migration) {
      make_detours(chosen);
    } else {
      nearest_.assign(free_.size(), kInfinite);
      for (std::size_t i = 0; i < free_.size(); ++i) {
        for (const Spot r : chosen) nearest_[i] = std::min(nearest_[i], distances(free_[i], r));
      }
    }
  }

  std::span<const Spot> free() const { return free_; }

  /// The objective of R + free()[v]. O(N^2) for migration, O(N) for convenience.
  double with(std::size_t v) const {
    const double sum = objective_ == Objective::migration ? migration(v) : convenience(v);
    return objective_of_sum(objective_, distances_.spot_count(), chosen_count_ + 1, sum);
  }

 private:
  void make_detours(std::span<const Spot> chosen) {
    const std::size_t n = free_.size();
    lengths_.resize(n * n);
    detours_.assign(n * n, kInfinite);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) lengths_[i * n + j] = distances_(free_[i], free_[j]);
      for (const Spot r : chosen) {
        for (std::size_t j = 0; j < n; ++j) {
          double& detour = detours_[i * n + j];
          detour = std::min(detour, distances_(free_[i], r) + distances_(r, free_[j]));
        }
      }
    }
  }

  double migration(std::size_t v) const {
    const std::size_t n = free_.size();
    const double* const onward = &lengths_[v * n];
    double sum = 0;
    for (std::size_t s = 0; s < n; ++s) {
      if (s == v) continue;
      const double* const row = &lengths_[s * n];
      const auto add = [&](std::size_t begin, std::size_t end) {
        sum += sum_of_ratios(row, &detours_[s * n], row[v], onward, begin, end);
      };
      if (distances_.symmetric()) {
        add(s + 1, std::max(v, s + 1));
        add(std::max(v, s) + 1, n);
      } else {
        add(0, std::min(s, v));
        add(std::min(s, v) + 1, std::max(s, v));
        add(std::max(s, v) + 1, n);
      }
    }
    return distances_.symmetric() ? 2 * sum : sum;
  }

  double convenience(std::size_t v) const {
    double sum = 0;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (i != v) sum += std::min(nearest_[i], distances_(free_[i], free_[v]));
    }
    return sum;
  }

  Objective objective_;
  const DistanceMatrix& distances_;
  std::size_t chosen_count_;
  std::vector<Spot> free_;       // ascending
  std::vector<double> lengths_;  // between free spots, row by row
  std::vector<double> detours_;  // D(s, t; R) of free s and t
  std::vector<double> nearest_;  // least distance to R of free s
};

double tolerance_of(int precision) { return precision == 32 ? 1e-4 : 1e-9; }

bool agrees(double given, double right, double tolerance) {
  if (given == right) return true;  // infinite ones too
  return std::abs(given - right) <= tolerance * std::max(std::abs(given), std::abs(right));
}

/// Whether `other` is better than `given` beyond the tolerance.
bool beats(double other, double given, double tolerance) {
  return other > given && !agrees(other, given, tolerance);
}

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

std::string set_text(std::span<const Spot> spots) {
  std::vector<std::string> words;
  for (const Spot spot : spots) words.push_back(std::to_string(spot));
  return "{" + join(words, " ") + "}";
}

double binomial(double n, double k) {
  double count = 1;
  for (double i = 1; i <= k; ++i) count *= (n - k + i) / i;
  return std::round(count);
}

Fault check_chosen(Spot n, const SetQuery& query, const SetAnswer& answer) {
  if (answer.chosen.size() != query.chosen_count) {
    return std::to_string(answer.chosen.size()) + " spots are chosen, not " +
           std::to_string(query.chosen_count);
  }
  std::vector<bool> in(n, false);
  for (const Spot spot : answer.chosen) {
    if (spot >= n) return "spot " + std::to_string(spot) + " is not there";
    if (in[spot]) return "spot " + std::to_string(spot) + " is chosen twice";
    in[spot] = true;
  }
  const std::size_t expected = answer.promise == Promise::greedy ? answer.chosen.size() : 1;
  if (answer.objectives.size() != expected) {
    return std::to_string(answer.objectives.size()) + " objectives, not " +
           std::to_string(expected);
  }
  if (!answer.singles.empty() && answer.singles.size() != n) {
    return std::to_string(answer.singles.size()) + " objectives of single spots, not " +
           std::to_string(n);
  }
  if (answer.precision != 32 && answer.precision != 64) {
    return "a precision of " + std::to_string(answer.precision) + " bits";
  }
  return std::nullopt;
}

/// The checks that compare objectives; Certificate::check() lists them.
class Comparison {
 public:
  Comparison(Objective objective, const DistanceMatrix& distances, const SetAnswer& answer,
             ExtensionValues& kept)
      : objective_(objective),
        distances_(distances),
        answer_(answer),
        tolerance_(tolerance_of(answer.precision)),
        exhaustive_(distances.spot_count() <= kFewSpots),
        kept_(kept) {}

  Fault objectives() const {
    for (std::size_t i = 0; i < answer_.objectives.size(); ++i) {
      const std::size_t count = answer_.promise == Promise::greedy ? i + 1 : answer_.chosen.size();
      const auto set = std::span(answer_.chosen).first(count);
      const double right = objective_value(objective_, distances_, set);
      if (agrees(answer_.objectives[i], right, tolerance_)) continue;
      return "the objective of " + set_text(set) + " is given as " +
             number_text(answer_.objectives[i]) + ", but is " + number_text(right);
    }
    return std::nullopt;
  }

  Fault singles() {
    if (answer_.singles.empty()) return std::nullopt;
    const Known nothing = extend({});
    std::vector<std::size_t> checked = some_of(nothing.spots.size());
    checked.insert(checked.end(), answer_.chosen.begin(), answer_.chosen.end());
    for (const std::size_t v : checked) {
      const double right = nothing.with(v);
      if (agrees(answer_.singles[v], right, tolerance_)) continue;
      return "the objective of spot " + std::to_string(v) + " alone is given as " +
             number_text(answer_.singles[v]) + ", but is " + number_text(right);
    }
    return std::nullopt;
  }

  Fault greedy() {
    for (std::size_t k = 0; k < answer_.chosen.size(); ++k) {
      const Known before = extend(std::span(answer_.chosen).first(k));
      const auto at = std::ranges::find(before.spots, answer_.chosen[k]);
      const double picked = before.with(static_cast<std::size_t>(at - before.spots.begin()));
      for (const std::size_t v : some_of(before.spots.size())) {
        const double other = before.with(v);
        if (!beats(other, picked, tolerance_)) continue;
        return "pick " + std::to_string(k + 1) + " is spot " + std::to_string(answer_.chosen[k]) +
               " with objective " + number_text(picked) + ", but spot " +
               std::to_string(before.spots[v]) + " gives " + number_text(other);
      }
    }
    return std::nullopt;
  }

  Fault swaps() {
    const std::size_t k = answer_.chosen.size();
    const std::size_t others = distances_.spot_count() - k;
    const double value = objective_value(objective_, distances_, answer_.chosen);
    const bool all = k * others <= kCheckedSwaps;
    for (std::size_t out = 0; out < k; ++out) {
      std::vector<Spot> rest = answer_.chosen;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(out));
      const Extension before(objective_, distances_, rest);
      // The random ones are spread evenly over the spots that leave.
      std::vector<std::size_t> entering =
          all ? every(before.free().size())
              : random(before.free().size(),
                       kCheckedSwaps * (out + 1) / k - kCheckedSwaps * out / k);
      for (const std::size_t v : entering) {
        const double other = before.with(v);
        if (!beats(other, value, tolerance_)) continue;
        return "the objective is " + number_text(value) + ", but spot " +
               std::to_string(before.free()[v]) + " instead of " +
               std::to_string(answer_.chosen[out]) + " gives " + number_text(other);
      }
    }
    return std::nullopt;
  }

  Fault sets() {
    const Spot n = distances_.spot_count();
    const double value = objective_value(objective_, distances_, answer_.chosen);
    std::vector<Spot> set(answer_.chosen.size());
    for (std::size_t i = 0; i < set.size(); ++i) set[i] = static_cast<Spot>(i);
    if (binomial(n, static_cast<double>(set.size())) <= kCheckedSets) {
      do {
        if (Fault fault = better(set, value)) return fault;
      } while (next(set));
      return std::nullopt;
    }
    std::vector<Spot> spots(n);
    for (Spot s = 0; s < n; ++s) spots[s] = s;
    for (std::size_t i = 0; i < kSampledSets; ++i) {
      for (std::size_t j = 0; j < set.size(); ++j) {
        std::swap(spots[j], spots[j + draw_() % (n - j)]);
        set[j] = spots[j];
      }
      if (Fault fault = better(set, value)) return fault;
    }
    return std::nullopt;
  }

 private:
  /// The objectives of a set and one more spot: all of them known, or found when asked for.
  struct Known {
    std::vector<Spot> spots;  ///< outside the set, ascending
    std::function<double(std::size_t)> with;
  };

  Known extend(std::span<const Spot> chosen) {
    if (!exhaustive_) {
      auto extension = std::make_shared<Extension>(objective_, distances_, chosen);
      const auto spots = extension->free();
      return {{spots.begin(), spots.end()},
              [extension](std::size_t v) { return extension->with(v); }};
    }
    std::vector<Spot> set(chosen.begin(), chosen.end());
    std::sort(set.begin(), set.end());
    const std::vector<bool> in = members(distances_.spot_count(), set);
    Known known;
    for (Spot s = 0; s < distances_.spot_count(); ++s) {
      if (!in[s]) known.spots.push_back(s);
    }
    auto kept = kept_.find(set);
    if (kept == kept_.end()) {
      const Extension extension(objective_, distances_, chosen);
      std::vector<double> values(known.spots.size());
      for (std::size_t v = 0; v < values.size(); ++v) values[v] = extension.with(v);
      kept = kept_.emplace(std::move(set), std::move(values)).first;
    }
    known.with = [&values = kept->second](std::size_t v) { return values[v]; };
    return known;
  }

  Fault better(const std::vector<Spot>& set, double value) const {
    const double other = objective_value(objective_, distances_, set);
    if (!beats(other, value, tolerance_)) return std::nullopt;
    return "the objective is " + number_text(value) + ", but that of " + set_text(set) + " is " +
           number_text(other);
  }

  /// The next set in lexicographic order; false after the last.
  bool next(std::vector<Spot>& set) const {
    const std::size_t k = set.size();
    std::size_t i = k;
    while (i > 0 && set[i - 1] == distances_.spot_count() - k + i - 1) --i;
    if (i == 0) return false;
    ++set[i - 1];
    for (; i < k; ++i) set[i] = set[i - 1] + 1;
    return true;
  }

  static std::vector<std::size_t> every(std::size_t count) {
    std::vector<std::size_t> indices(count);
    for (std::size_t i = 0; i < count; ++i) indices[i] = i;
    return indices;
  }
  std::vector<std::size_t> random(std::size_t count, std::size_t sampled) {
    std::vector<std::size_t> indices(sampled);
    for (std::size_t& index : indices) index = draw_() % count;
    return indices;
  }
  std::vector<std::size_t> some_of(std::size_t count) {
    return exhaustive_ ? every(count) : random(count, kSampledSpots);
  }

  Objective objective_;
  const DistanceMatrix& distances_;
  const SetAnswer& answer_;
  double tolerance_;
  bool exhaustive_;
  ExtensionValues& kept_;
  std::mt19937_64 draw_{1};
};

}  // namespace

double objective_of_sum(Objective objective, Spot spot_count, std::size_t chosen_count,
                        double sum) {
  const double rest = static_cast<double>(spot_count) - static_cast<double>(chosen_count);
  if (objective == Objective::migration) return rest < 2 ? 0 : sum / (rest * (rest - 1));
  return rest < 1 ? 0 : rest / sum;
}

double objective_value(Objective objective, const DistanceMatrix& distances,
                       std::span<const Spot> chosen) {
  const Spot n = distances.spot_count();
  const std::vector<bool> in = members(n, chosen);
  double sum = 0;
  for (Spot s = 0; s < n; ++s) {
    if (in[s]) continue;
    if (objective == Objective::convenience) {
      double nearest = kInfinite;
      for (const Spot r : chosen) nearest = std::min(nearest, distances(s, r));
      sum += nearest;
      continue;
    }
    for (Spot t = 0; t < n; ++t) {
      if (in[t] || t == s) continue;
      double detour = kInfinite;
      for (const Spot r : chosen) detour = std::min(detour, distances(s, r) + distances(r, t));
      sum += ratio(distances(s, t), detour);
    }
  }
  return objective_of_sum(objective, n, chosen.size(), sum);
}

template <Objective kObjectiveValue>
std::optional<std::string> SetCentrality<kObjectiveValue>::Certificate::check(
    const Query& query, const Answer& answer) {
  if (Fault fault = check_chosen(distances_.spot_count(), query, answer)) return fault;
  Comparison comparison(kObjective, distances_, answer, extensions_);
  if (Fault fault = comparison.objectives()) return fault;
  if (Fault fault = comparison.singles()) return fault;
  switch (answer.promise) {
    case Promise::greedy:
      return comparison.greedy();
    case Promise::local_optimum:
      return comparison.swaps();
    case Promise::optimum:
      return comparison.sets();
    case Promise::none:
      return std::nullopt;
  }
  return "an unknown promise";
}

template <Objective kObjectiveValue>
SetInput SetCentrality<kObjectiveValue>::open(const std::string& reference) {
  return open_spots(reference);
}

template <Objective kObjectiveValue>
Facts SetCentrality<kObjectiveValue>::facts(const SetInput& input) {
  const DistanceMatrix& distances = input.distances;
  const std::uint64_t n = distances.spot_count();
  double sum = 0;
  double least = kInfinite;
  double largest = 0;
  std::uint64_t zero_count = 0;
  for (Spot s = 0; s < n; ++s) {
    for (Spot t = 0; t < n; ++t) {
      if (s == t) continue;
      const double distance = distances(s, t);
      sum += distance;
      least = std::min(least, distance);
      largest = std::max(largest, distance);
      if (distance == 0) ++zero_count;
    }
  }
  Digest digest;
  digest.add(n).add(distances.values());
  Facts facts = {{"digest", digest.hex()},
                 {"spot_count", n},
                 {"symmetric", distances.symmetric()},
                 {"zero_distance_count", zero_count},
                 {"provenance", distances.provenance()}};
  if (input.chosen_count > 0) facts.emplace_back("chosen_count", std::uint64_t{input.chosen_count});
  if (n > 1) {
    facts.emplace_back("mean_distance", sum / static_cast<double>(n * (n - 1)));
    facts.emplace_back("least_distance", least);
    facts.emplace_back("largest_distance", largest);
  }
  return facts;
}

template <Objective kObjectiveValue>
void SetCentrality<kObjectiveValue>::check_rule(const QueryRule& rule) {
  check_query_kind(rule, SetCentrality::kName, {kDefaultQueries, "list"});
}

template <Objective kObjectiveValue>
std::vector<SetQuery> SetCentrality<kObjectiveValue>::make_queries(const SetInput& input,
                                                                   const QueryRule& rule) {
  check_rule(rule);
  std::vector<std::uint64_t> counts = rule.list;
  if (rule.kind == kDefaultQueries) {
    if (input.chosen_count == 0) {
      throw InputError("queries", "the input doesn't say how many spots to choose",
                       "end its reference with ,k=K");
    }
    counts = {input.chosen_count};
  }
  const Spot n = input.distances.spot_count();
  std::vector<Query> queries;
  for (const std::uint64_t count : counts) {
    if (count == 0 || count > n) {
      throw InputError("queries", std::to_string(count) + " spots can't be chosen",
                       "choose 1 to " + std::to_string(n) + ", there are no more");
    }
    queries.push_back({static_cast<Spot>(count)});
  }
  return queries;
}

template <Objective kObjectiveValue>
std::string SetCentrality<kObjectiveValue>::query_text(const SetQuery& query) {
  return "choose " + std::to_string(query.chosen_count);
}

template <Objective kObjectiveValue>
std::uint64_t SetCentrality<kObjectiveValue>::digest(const SetAnswer& answer) {
  std::vector<std::uint32_t> parts(answer.chosen.begin(), answer.chosen.end());
  parts.push_back(static_cast<std::uint32_t>(answer.promise));
  for (const double objective : answer.objectives) {
    constexpr double kDigits = 1e5;
    int exponent = 0;
    const double mantissa = std::frexp(objective, &exponent);
    parts.push_back(std::isfinite(mantissa) ? static_cast<std::uint32_t>(mantissa * kDigits) : 0);
    parts.push_back(static_cast<std::uint32_t>(exponent));
  }
  return digest64(std::as_bytes(std::span(parts)));
}

template <Objective kObjectiveValue>
Facts SetCentrality<kObjectiveValue>::answer_facts(const SetInput&, const SetAnswer& answer) {
  std::vector<std::string> chosen;
  for (const Spot spot : answer.chosen) chosen.push_back(std::to_string(spot));
  const char* const promises[] = {"greedy", "local optimum", "optimum", "none"};
  return {{"objective", answer.objectives.back()},
          {"chosen", join(chosen, " ")},
          {"promise", std::string(promises[static_cast<std::size_t>(answer.promise)])}};
}

template <Objective kObjectiveValue>
std::string SetCentrality<kObjectiveValue>::unmet(Need need, const SetInput& input) {
  if (need == Need::symmetric && !input.distances.symmetric()) {
    return "the distances are not symmetric";
  }
  return need == Need::sorted_rows ? "a distance matrix is no graph" : "";
}

template struct SetCentrality<Objective::migration>;
template struct SetCentrality<Objective::convenience>;

}  // namespace bellmark
