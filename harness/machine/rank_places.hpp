// Which part of a placement each rank of a launched group gets, and which GPU.
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
/// placement names GPUs, rank r gets its part of the CPUs near the r-th of them. `none` stays as it
/// is. Throws UnmetError when there are more ranks than PUs; with `force` they share them.
Placement rank_part(const Topology& topology, const Placement& placement, const LocalRank& rank,
                    bool force);

/// What CUDA_VISIBLE_DEVICES must be for one of the ranks of this host: the r-th GPU that the
/// placement names, else the r-th of those that `visible` (the variable's value so far; null when
/// it isn't set) or NVML shows. One that is visible alone stays so: the launcher gave each rank its
/// own. "" when there is no GPU. Throws UnmetError when there are more ranks than GPUs; with
/// `force` they share them.
std::string rank_gpu(const Placement& placement, const Gpus& gpus, const char* visible,
                     const LocalRank& rank, bool force);

}  // namespace bellmark::machine
