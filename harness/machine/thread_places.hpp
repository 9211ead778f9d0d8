// Places the threads that a variant makes, and keeps the place of each.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/machine/location.hpp"
#include "harness/machine/pin.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

/// One thread that a variant made.
struct PlacedThread {
  std::string resolved;  ///< its binding: `pu P#1`, or Placement's
  std::string observed;  ///< its own report, right after: `pu P#1, last on P#1`
  pid_t id = 0;          ///< the system's number of it
};

/// The places of one cell's threads: thread i goes to place i of the placement, so that t threads
/// take its first t places. With more threads than places, it starts again at the first place.
class ThreadPlaces {
 public:
  /// Both must outlive the threads that enter. `force`: a thread that can't be bound runs on.
  ThreadPlaces(const Topology& topology, const Placement& placement, bool force)
      : topology_(topology), placement_(placement), force_(force) {}

  /// Binds the calling thread as thread `index`. Threads may enter at once. Throws MachineError
  /// when it can't be bound.
  void enter(std::size_t index);

  /// The threads by index. Call it only while no thread enters.
  const std::map<std::size_t, PlacedThread>& threads() const { return threads_; }

 private:
  const Topology& topology_;
  const Placement& placement_;
  bool force_;
  std::mutex mutex_;
  std::map<std::size_t, PlacedThread> threads_;
};

/// `pu P#1, last on P#1`: the PUs that the calling thread may run on, and the PU of its last run.
std::string observed_text(const Binding& binding);

/// The number of PUs that the placement names; for `none`, those that this thread may run on.
std::size_t pu_count(const Topology& topology, const Placement& placement);

}  // namespace bellmark::machine
