// The bottleneck of a variant: the decision tables of yasui2011, section 4, on measured ratios.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/measure/statistics.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// A time that grows by less than this has not changed. A time that grows by more has. The paper
/// calls 4.2 % (2-heap*, same package, L2 not shared) no change, and 22.8 % (L2 shared) a change.
inline constexpr double kChangeMargin = 0.05;

/// The meaning of a ratio of times. `changed`: the whole interval is above 1 + kChangeMargin.
/// `unchanged`: all of it is within kChangeMargin of 1. `undecided`: any other interval, such as
/// that of a time that shrinks. `not_measured`: there is no ratio.
enum class Change { changed, unchanged, undecided, not_measured };
std::string to_string(Change change);
Change change_of(const std::optional<measure::Interval>& ratio);

/// Changes of the time in four experiments. One has a lower clock (Table 7). The others have a
/// second process on a core of another package, of the same package without a shared L2, and with
/// one (Table 10).
struct Changes {
  Change clock = Change::not_measured;
  Change other_package = Change::not_measured;
  Change same_package = Change::not_measured;
  Change shared_l2 = Change::not_measured;
};

/// The remaining rows of the tables. Table 7 is one more column of Table 10. A clock that doesn't
/// matter means the bandwidth of one process. A clock that matters means any of the others.
struct Finding {
  std::vector<std::string> candidates;    ///< one: it binds; none: no row of the tables fits
  std::vector<std::string> would_decide;  ///< unknown inputs in which the candidates differ
};
Finding decide(const Changes& changes);

/// The pairs of cells (ids: numerator, denominator) whose ratios the diagnosis needs.
std::vector<std::pair<std::string, std::string>> diagnosis_pairs(const Json& cells);

/// The cell's waits for data in words, from its counters of the group `stalls`; "" without that
/// group. Misses of a level that the next level serves are those of both, taken off.
std::string stalls_text(const Json& cell);

/// The result's `diagnosis`: a finding for each variant and graph, with every input's interval. A
/// change is undecided if other programs took more than kChangeMargin of a cell's time.
Json diagnose(const Json& result);

}  // namespace bellmark::verdict
