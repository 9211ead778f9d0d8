// Empties the data caches of cores, so that a run begins with its data in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

/// Fills the caches of some cores with data of its own. It only reads: after writes, the next query
/// would have to wait until dirty lines reach memory.
class CacheFlush {
 public:
  /// Empties the caches above these PUs, or those of the whole machine if there are no PUs.
  CacheFlush(const Topology& topology, Cpuset pus);

  /// Reads twice the last-level caches' bytes, twice, with one thread for each PU. So the private
  /// caches are full, too. Takes a millisecond for some 10 MiB a thread. A cache that keeps reused
  /// data may keep a few lines of the query. Throws MachineError when a thread can't be put on its
  /// PU.
  void run();

  /// The bytes that a run reads.
  std::uint64_t bytes() const { return bytes_; }

 private:
  const Topology& topology_;
  Cpuset pus_;
  std::uint64_t bytes_;
  std::vector<std::uint64_t> words_;  ///< allocated by the first run
};

}  // namespace bellmark::machine
