// Places the threads that a variant makes, and remembers where each was put and found.
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
  std::string resolved;  ///< what it was bound to: `pu P#1`, or Placement's
  std::string observed;  ///< what it said itself, right after: `pu P#1, last on P#1`
  pid_t id = 0;          ///< as the system knows it
};

/// Where the threads of one cell go: thread i to place i of the placement, so that t threads take
/// its first t places; with more threads than places, from the first place on again.
class ThreadPlaces {
 public:
  /// Both must outlive the threads that enter. `force`: a thread that can't be bound runs on.
  ThreadPlaces(const Topology& topology, const Placement& placement, bool force)
      : topology_(topology), placement_(placement), force_(force) {}

  /// Binds the calling thread as thread `index`. Threads may enter at once. Throws MachineError
  /// when it can't be bound.
  void enter(std::size_t index);

  /// By index. Read it when no thread is entering.
  const std::map<std::size_t, PlacedThread>& threads() const { return threads_; }

 private:
  const Topology& topology_;
  const Placement& placement_;
  bool force_;
  std::mutex mutex_;
  std::map<std::size_t, PlacedThread> threads_;
};

/// `pu P#1, last on P#1`: where the calling thread may run, and where it last ran.
std::string observed_text(const Binding& binding);

/// How many PUs the placement names, or for `none` how many this thread may run on.
std::size_t pu_count(const Topology& topology, const Placement& placement);

}  // namespace bellmark::machine
