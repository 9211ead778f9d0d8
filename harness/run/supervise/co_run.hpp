// Several processes that ran the same cell at once, as one replicate.
#pragma once

#include <vector>

#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// One replicate from the processes' replicates, in the order of the placement's places. A single
/// one is returned unchanged. Of several, the times are those of the process whose passes have the
/// greatest median: the pair is done when its slower half is. `process_pass_ns` of each cell holds
/// the median of every process, and `observed` a text for each. Checks of answers add up, and the
/// first wrong answer makes the cell wrong.
Replicate merge_processes(std::vector<Replicate> replicates);

}  // namespace bellmark::run
