// Counts of a search that counts nothing while it runs, from its phase log: a kernel on a GPU, or
// ranks.
#pragma once

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/search_work.hpp"

namespace bellmark {

/// Adds the lines of `log` as rounds. A vertex is in one frontier of a search by levels
/// (`frontier_count`), and is closed once in a search by rounds (`closed_count`): these sums are
/// settled vertices. Adds nothing from an empty log. O(values).
void add_logged(const PhaseLog& log, SearchWork& work);

/// Gives `work` the counts of `logged` that it has neither a value of nor a reason against.
void complete(SearchWork& work, const SearchWork& logged);

}  // namespace bellmark
