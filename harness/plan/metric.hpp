// The metrics of claims, by name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bellmark::plan {

/// The parts of a metric of one cell:
///   wall_ns                              time of one query
///   wall_ns.p99                          time within which 99 of 100 queries end, of one cell
///   teps.harmonic_mean, teps.median      traversed edges per second, over queries
///   rates.bytes_per_second, rates.operations_per_second, rates.items_per_second
///                                        of the work that a problem or a variant declares
///   memory.resident_bytes, memory.accounted_bytes
///   memory.accounted_bytes.<part>        of one part: `arcs`, `vertices`, `queue`
///   graph.<fact>                         of the cell's graph: exact
///   counted.<count>                      of one query, by the names of WorkCount: exact where one
///                                        thread searched
///   answer.<fact>                        of the facts that the result keeps of answers, the mean
///                                        over queries: exact
///   phase_log.phase_count                of one query
///   phase_log.<column>.<aggregate>       of one query: sum, mean (over its phases), largest,
///       late_largest, late_over_largest, and with a power of ten share_at_most_<bound>,
///       share_above_<bound> (of the phases, by the column's own value), sum_at_most_<bound>,
///       sum_above_<bound> (of a time column, over the phases whose `updated_count` is in that
///       class)
struct Metric {
  enum class Source { wall, teps, rates, memory, graph, counted, answer, phase_log };

  std::string name;  ///< as it was written
  Source source = Source::wall;
  std::string subject;    ///< the fact or the column; of memory, teps and rates: the field
  std::string aggregate;  ///< without its bound: `share_at_most`; of memory: its part, or all;
                          ///< of the time: `p99`, or the mean
  std::uint64_t bound = 0;

  /// The unit of the value: "ns", "bytes", "TEPS", "bytes/s", "operations/s", "items/s", or "" for
  /// counts, shares and quotients.
  std::string unit() const;
  /// Its name for people: `accounted memory of arcs`, `closed count, mean over phases`, `fold time,
  /// median rank, sum over phases`.
  std::string title() const;
};

/// True if a figure can show it for each cell: times, TEPS, rates, memory, `phase_log.phase_count`,
/// and the sum, mean and largest of a column (analysis/load.py, metric_value).
bool is_drawable(const Metric& metric);

struct MetricMeaning {
  std::string name;  ///< with words such as `<column>` for what varies
  std::string meaning;
};

/// Every metric, for the reference.
const std::vector<MetricMeaning>& metric_meanings();

/// Throws InputError, with the nearest metric, on an unknown name. `where` is `file:line`.
Metric parse_metric(const std::string& name, const std::string& where = {});

}  // namespace bellmark::plan
