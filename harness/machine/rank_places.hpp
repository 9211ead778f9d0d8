// Which part of a placement each rank of a launched group gets, and which GPUs.
#pragma once

#include <cstddef>
#include <string>

#include "harness/machine/location.hpp"

namespace bellmark::machine {

/// A rank among those of its host.
struct LocalRank {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// The part of `placement` for one of the ranks of this host: contiguous parts of equal size (what
/// is left over stays unused), of whole cores while there is one for each rank, else of PUs. Places
/// of several cores (`numa:0`) are cut up when there are fewer of them than ranks. Where the
/// placement names GPUs, a rank gets its part of the CPUs near its own, of which the ranks with
/// GPUs on the same side get equal parts. GPUs are dealt in order: as many each when they divide
/// evenly among the ranks (`near:gpu:0-3` is two each for two ranks), else one each. `none` stays
/// as it is, and says so where the launcher bound the rank (mpirun does). Throws UnmetError when
/// there are more ranks than PUs; with `force` they share them.
Placement rank_part(const Topology& topology, const Placement& placement, const LocalRank& rank,
                    bool force);

/// What CUDA_VISIBLE_DEVICES must be for one of the ranks of this host: its GPUs of those that the
/// placement names (rank_part()), else the r-th of those that `visible` (the variable's value so
/// far; null when it isn't set) or NVML shows: more than one a rank is only where the placement
/// says so. One that is visible alone stays so: the launcher gave each rank its own. "" when there
/// is no GPU. Throws UnmetError when there are more ranks than GPUs; with `force` they share them.
std::string rank_gpus(const Placement& placement, const Gpus& gpus, const char* visible,
                      const LocalRank& rank, bool force);

}  // namespace bellmark::machine
