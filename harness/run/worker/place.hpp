// Where the process of a replicate runs.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/location.hpp"
#include "harness/machine/topology.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// The thread of this process: on its own place of the placement, or, while nothing is measured, on
/// all of them, for threads that it makes then (to generate a graph, to prepare, to certify an
/// answer).
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

/// Where the cells of a request run: the placement, or a rank's part of it. A rank's GPUs are
/// chosen here, before anything calls CUDA. Throws InputError when there are other ranks than asked
/// for.
machine::Placement placement_of(const Request& request, const machine::Topology& topology);

/// The cores while samples were taken.
struct Surroundings {
  std::optional<double> core_mhz;     ///< nothing where it can't be told
  std::optional<double> steal_ratio;  ///< of the time: what a hypervisor gave to others
  std::optional<machine::PageUse> pages = {};
};

/// Where every rank runs. `surroundings` become the slowest of the ranks' clocks and the largest of
/// what was stolen, and their pages' sum. Collective.
std::vector<RankPlace> places_of_ranks(const RankPlace& own, Surroundings& surroundings);

}  // namespace bellmark::run
