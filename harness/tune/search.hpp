// The search of `bellmark tune`: chooses the settings to try, and judges their measurements. Pure
// logic: an interface measures, and tests replace it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/contract/description.hpp"
#include "harness/measure/statistics.hpp"

namespace bellmark::tune {

/// The values of `key` worth trying near `current`, in the key's order, without `current` itself.
/// Words: all choices except `auto`, which stands for one of the others. Integers: all of a range,
/// or of choices, of at most 12. More of them get a ladder of factor 4 (factor 2 if the range is
/// short). It has at most 6 rungs to each side, because a far end of a range is often absurd.
/// `fine` gives the rungs between (factors of sqrt(2) up to 2).
std::vector<std::string> values_near(const Key& key, const std::string& current, bool fine);

/// One run's reading of one candidate.
struct Reading {
  std::vector<double> block_log_ratios;  ///< log(its objective / the default's) in each block
  std::string fault;                     ///< why it can't be measured; "" when it can
  std::string doubt;                     ///< why its blocks decide nothing
};

/// Measures candidates. A candidate is a value for each key that is searched.
class Bench {
 public:
  virtual ~Bench() = default;
  /// True if a run of `cell_count` cells (with the default) still fits into the budget.
  virtual bool affords(std::size_t cell_count, std::size_t query_count) = 0;
  /// One run of the default and `candidates`, with one reading for each candidate.
  virtual std::vector<Reading> measure(const std::vector<Settings>& candidates,
                                       std::size_t query_count) = 0;
};

enum class Fate { kept, left_behind, worse, failed, unfinished };
/// `kept`, `left behind`, `worse than the best`, `failed`, `not finished`.
std::string to_string(Fate fate);

/// One candidate and its last reading in training.
struct Tried {
  Settings candidate;
  std::size_t query_count = 0;
  std::optional<measure::Ratio> ratio;  ///< its objective / the default's
  Fate fate = Fate::unfinished;
  std::string fault;
  std::string doubt;  ///< of `ratio`
};

struct Finding {
  Settings best;  ///< the start if nothing was better
  std::vector<Tried> tried;
  std::size_t round_count = 0;
  std::size_t skipped_count = 0;  ///< candidates that were never measured, because time was short
  bool exhausted = false;         ///< the budget ended the search before its plan did
};

/// The candidates of a search.
enum class Strategy {
  ladder,  ///< one key at a time, twice
  grid     ///< all combinations of the keys' values at once, then a ladder around the best of them
};
std::string to_string(Strategy strategy);
/// Throws InputError that lists the names.
Strategy strategy_of(std::string_view name);

/// The most keys of a grid: candidates multiply.
inline constexpr std::size_t kMostGridKeys = 3;

/// Query counts of the rounds: 2, then four times the last, up to `most`.
std::vector<std::size_t> round_query_counts(std::size_t most);

/// Searches the best settings. A ladder makes two sweeps over `keys`, one key at a time, the second
/// between the rungs of the first. The first sweep of a grid covers all combinations: it finds a
/// best place that no key alone leads to.
///
/// Values run in rounds with more and more queries (sequential halving; Karnin, Koren and Somekh
/// 2013). Candidates that are WORSE than the best of their round go, and the better half of the
/// others stays. The last one replaces the incumbent only when it is BETTER by the interval of its
/// last whole round. So a setting that doesn't matter stays unchanged.
///
/// A doubted candidate neither wins nor is WORSE. `is_built` refuses candidates without a compiled
/// instance.
Finding search(const std::vector<Key>& keys, const Settings& start,
               std::span<const std::size_t> query_counts,
               const std::function<bool(const Settings&)>& is_built, Bench& bench,
               Strategy strategy = Strategy::ladder);

}  // namespace bellmark::tune
