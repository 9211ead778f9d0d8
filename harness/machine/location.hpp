// Location words (`core:0`, `numa:0.core:0-3`, `each:core`) to the PUs that workers are bound to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

/// A GPU that a placement names, by NVML's index, and the CPUs on its side.
struct PlacedGpu {
  std::size_t index;
  Cpuset near;
};

/// The places of one cell's workers. Worker i is bound to `workers[i]`. No workers means that the
/// word was `none`: nothing is pinned, and the placement doesn't set the number of workers.
struct Placement {
  std::string requested;  ///< as written, e.g. `each:core`
  std::string word;       ///< plain words for this placement alone, e.g. `core:1`
  std::string resolved;   ///< what each worker got: `core:1 (pu P#1)`; P# is the OS index
  std::vector<Cpuset> workers;
  std::vector<PlacedGpu> gpus = {};  ///< of `near:gpu:LIST`: dealt to ranks (rank_places.hpp)
};

/// OS indices of all PUs that the workers may run on, worker by worker.
std::vector<unsigned> pus_of(const Placement& placement);

/// The placements that a word stands for on this topology: one, or one for each object of `each:`.
///   `none`                   not pinned
///   `KIND:LIST`              one worker per index; KIND is core, pu, numa or package; LIST is
///                            `0`, `0-3`, `0,2` or `all`; indices are hwloc's logical ones
///   `KIND:LIST.KIND:LIST`    the inner list counts within each outer object
///   `each:KIND`              one placement per object, each with one worker: an axis
///   `near:gpu:N`             one worker per core on the GPU's side of the machine
///   `near:gpu:LIST`          the same for several GPUs, which the plain word keeps
///   `near:nic:NAME`          one worker per core on the side of a network interface: `eth0`,
///                            `mlx5_0`
///   `far:numa:N`             one worker per core of the node that is farthest from node N
///   `spread:numa:K`          K workers, dealt to the NUMA nodes in turn: the first core of each
///                            node, then the second
///   `spread:K`               K workers on cores at even steps over the machine
///   `compact:K`              K workers on PUs that are nearest to each other, siblings first
///   `scatter:K`              K workers on PUs dealt to packages, then to their parts,
///                            siblings of a core last
///   `pair:CLASS`             two workers on two cores, the first such pair; CLASS is `shared-l2`,
///                            `same-package` (and no shared L2), `other-package` (yasui2011,
///                            Table 9), `shared-l3` (and no shared L2), `near-numa` or `far-numa`
///                            (the least and the largest distance between two nodes), or
///                            `same-core`, which is two PUs of a core
///   `class:core`, `class:pair`  one placement per class of alike places (place_classes.hpp): an
///                            axis
/// A core stands for its first PU; numa and package for all their PUs.
/// Throws InputError for an unknown word, an index out of range, or an object named twice;
/// UnmetError for a class of pairs that this topology lacks, and for GPUs where none is.
std::vector<Placement> expand(const Topology& topology, std::string_view word);
/// Does the same with other GPUs than this machine's.
std::vector<Placement> expand(const Topology& topology, std::string_view word, const Gpus& gpus);

}  // namespace bellmark::machine
