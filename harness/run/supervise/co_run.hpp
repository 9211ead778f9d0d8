// Several processes that ran the same cell at once, as one replicate.
#pragma once

#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// One replicate of the processes' replicates, in the order of the placement's places. One alone
/// comes back as it is. Of several, the times are those of the process whose passes have the
/// greatest median: the pair is done when its slower half is. `process_pass_ns` of each cell holds
/// the median of every process, `observed` a text for each; checks of answers add up, and the first
/// wrong answer makes the cell wrong.
Replicate merge_processes(std::vector<Replicate> replicates);

}  // namespace bellmark::run
