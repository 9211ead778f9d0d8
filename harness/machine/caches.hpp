// Emptying the data caches of cores, so that a run begins with its data in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

/// Fills the caches of some cores with data of its own. It reads and never writes: a query that
/// follows would have to wait until dirty lines reach memory.
class CacheFlush {
 public:
  /// Of the caches above these PUs; of the whole machine where there is none.
  CacheFlush(const Topology& topology, Cpuset pus);

  /// Reads twice the last-level caches' bytes, twice, dealt to one thread a PU: with that the
  /// private caches are full, too. Takes a millisecond for some 10 MiB a thread. A cache that keeps
  /// what is used again may keep a few lines of the query. Throws MachineError when a thread can't
  /// be put on its PU.
  void run();

  /// What a run reads.
  std::uint64_t bytes() const { return bytes_; }

 private:
  const Topology& topology_;
  Cpuset pus_;
  std::uint64_t bytes_;
  std::vector<std::uint64_t> words_;  ///< allocated by the first run
};

}  // namespace bellmark::machine
