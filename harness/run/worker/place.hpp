// The place of a replicate's process.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/location.hpp"
#include "harness/machine/topology.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// Binds this process's thread. It is on its own place of the placement while it measures. At other
/// times it is on all places, for the threads that it then makes (to generate a graph, to prepare,
/// to certify an answer).
class WorkerPlace {
 public:
  WorkerPlace(const machine::Topology& topology, const machine::Placement& placement,
              std::size_t worker, std::size_t process_count, bool force);
  /// Throws MachineError when the thread can't be bound.
  void take_own() { take(own_); }
  void take_all() { take(all_); }
  /// All PUs that its threads may run on.
  std::vector<unsigned> pus() const;

 private:
  void take(const machine::Cpuset& pus);

  const machine::Topology& topology_;
  bool force_;
  machine::Cpuset own_;
  machine::Cpuset all_;
  machine::Cpuset taken_;
};

/// The place of a request's cells: the placement, or a rank's part of it. Chooses a rank's GPUs
/// before anything calls CUDA. Throws InputError when the number of ranks is not the requested one.
machine::Placement placement_of(const Request& request, const machine::Topology& topology);

/// The state of the cores while samples were taken.
struct Surroundings {
  std::optional<double> core_mhz;     ///< nothing where it is unknown
  std::optional<double> steal_ratio;  ///< part of the time that a hypervisor gave to others
  std::optional<machine::PageUse> pages = {};
};

/// The places of all ranks. `surroundings` become the slowest clock of the ranks, the largest
/// stolen part, and the sum of their pages. Collective.
std::vector<RankPlace> places_of_ranks(const RankPlace& own, Surroundings& surroundings);

}  // namespace bellmark::run
