// Where the process of a replicate runs.
#pragma once

#include <cstddef>

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

/// Where every rank runs. `core_mhz` becomes the slowest of the ranks' clocks. Collective.
std::vector<RankPlace> places_of_ranks(const RankPlace& own, std::optional<double>& core_mhz);

}  // namespace bellmark::run
