// The part of a placement that each rank of a launched group gets, and its GPUs.
#pragma once

#include <cstddef>
#include <string>

#include "harness/machine/location.hpp"

namespace bellmark::machine {

/// A rank among the ranks of its host.
struct LocalRank {
  std::size_t index = 0;
  std::size_t count = 1;
};

/// The part of `placement` for one of the ranks of this host. Parts are contiguous and of equal
/// size; remaining places stay unused. They consist of whole cores if there is one for each rank,
/// else of PUs. Places of several cores (`numa:0`) are cut up when there are fewer of them than
/// ranks.
///
/// If the placement names GPUs, a rank gets a part of the CPUs near its own GPUs. Ranks with GPUs
/// on the same side get equal parts of its CPUs. GPUs are dealt in order. If they divide evenly
/// among the ranks, each rank gets its share: with `near:gpu:0-3`, two ranks get two each.
/// Otherwise each rank gets one.
///
/// `none` stays unchanged, and says so if the launcher bound the rank (mpirun does). Throws
/// UnmetError when there are more ranks than PUs; with `force` they share them.
Placement rank_part(const Topology& topology, const Placement& placement, const LocalRank& rank,
                    bool force);

/// The value of CUDA_VISIBLE_DEVICES for one of the ranks of this host. If the placement names
/// GPUs, it is the rank's share of them (rank_part()). Otherwise it is the r-th GPU of `visible`,
/// or of NVML's if `visible` is null. `visible` is the variable's value before, and null when it
/// isn't set. A rank has several GPUs only if the placement names them. A single visible GPU stays:
/// the launcher gave each rank its own. "" when there is no GPU. Throws UnmetError when there are
/// more ranks than GPUs; with `force` they share them.
std::string rank_gpus(const Placement& placement, const Gpus& gpus, const char* visible,
                      const LocalRank& rank, bool force);

}  // namespace bellmark::machine
