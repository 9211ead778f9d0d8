#include "algorithms/contract/logged_work.hpp"

#include <algorithm>

namespace bellmark {

void add_logged(const PhaseLog& log, SearchWork& work) {
  if (log.phase_count() == 0) return;
  work.add(WorkCount::rounds, log.phase_count());
  for (const char* name : {"frontier_count", "closed_count"}) {
    const auto column = std::ranges::find(log.columns, name);
    if (column == log.columns.end()) continue;
    const auto first = static_cast<std::size_t>(column - log.columns.begin());
    std::uint64_t sum = 0;
    for (std::size_t at = first; at < log.values.size(); at += log.columns.size()) {
      sum += log.values[at];
    }
    work.add(WorkCount::settled, sum);
  }
}

void complete(SearchWork& work, const SearchWork& logged) {
  for (const WorkCount what : all_work_counts()) {
    if (work.value(what) || work.reason(what) != kUncounted) continue;
    if (const auto value = logged.value(what)) work.add(what, *value);
  }
}

}  // namespace bellmark
