// The search behind `bellmark tune`: which settings to try, and what to make of the measurements.
// Pure logic: what measures is behind an interface, so that tests can fake it.
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
/// Words: all choices but `auto`, which stands for one of the others. Integers: all of a range of
/// at most 12; otherwise a ladder of factor 4 (factor 2 where the range is short) over at most 6
/// rungs to each side, because a far end of a range is often absurd; `fine` gives the rungs between
/// (factors of sqrt(2) up to 2).
std::vector<std::string> values_near(const Key& key, const std::string& current, bool fine);

/// What one run says of one candidate.
struct Reading {
  std::vector<double> block_log_ratios;  ///< log(its time / the default's), one a block
  std::string fault;                     ///< why it can't be measured any more; "" when it can
  std::string doubt;                     ///< why nothing is concluded from its times
};

/// Measures candidates. A candidate is a value for each key that is searched.
class Bench {
 public:
  virtual ~Bench() = default;
  /// Does a run of `cell_count` cells (the default's included) still fit into the budget?
  virtual bool affords(std::size_t cell_count, std::size_t query_count) = 0;
  /// One run of the default and `candidates`; one reading a candidate.
  virtual std::vector<Reading> measure(const std::vector<Settings>& candidates,
                                       std::size_t query_count) = 0;
};

enum class Fate { kept, left_behind, slower, failed, unfinished };
/// `kept`, `left behind`, `slower than the best`, `failed`, `not finished`.
std::string to_string(Fate fate);

/// One candidate and the last that was seen of it in training.
struct Tried {
  Settings candidate;
  std::size_t query_count = 0;
  std::optional<measure::Ratio> ratio;  ///< time / the default's
  Fate fate = Fate::unfinished;
  std::string fault;
  std::string doubt;  ///< of `ratio`
};

struct Finding {
  Settings best;  ///< the start when nothing was faster
  std::vector<Tried> tried;
  std::size_t round_count = 0;
  std::size_t skipped_count = 0;  ///< candidates never measured, for want of time
  bool exhausted = false;         ///< the budget ended the search before its plan did
};

/// Which candidates a search has.
enum class Strategy {
  ladder,  ///< one key at a time, twice
  grid     ///< all combinations of the keys' values at once, then a ladder around the best of them
};
std::string to_string(Strategy strategy);
/// Throws InputError with the names that there are.
Strategy strategy_of(std::string_view name);

/// A grid has so many keys at most: candidates multiply.
inline constexpr std::size_t kMostGridKeys = 3;

/// Query counts of the rounds: 2, then four times as many, up to `most`.
std::vector<std::size_t> round_query_counts(std::size_t most);

/// By ladder two sweeps over `keys`, one key at a time, the second between the rungs of the first.
/// By grid the first sweep is one over all combinations, which finds a best place that no key alone
/// leads to. Values run in rounds with more and more queries (sequential halving; Karnin, Koren and
/// Somekh 2013): candidates that are SLOWER than the best of their round go, and of the others the
/// better half stays. The last one left takes the incumbent's place only when it is FASTER by the
/// interval of its last whole round, so that a setting that doesn't matter stays as it was.
/// A time that is doubted neither wins nor is SLOWER. `is_built` refuses candidates without a
/// compiled instance.
Finding search(const std::vector<Key>& keys, const Settings& start,
               std::span<const std::size_t> query_counts,
               const std::function<bool(const Settings&)>& is_built, Bench& bench,
               Strategy strategy = Strategy::ladder);

}  // namespace bellmark::tune
