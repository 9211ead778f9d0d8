// Ranks that are threads of this process: tests of distributed searches run so.
#pragma once

#include <cstddef>
#include <functional>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark {

/// Calls body(ranks) in `size` threads, one a rank, and returns when all have returned. Within it
/// world() is the same communicator. This thread is rank 0.
///
/// Throws the first exception that a rank threw; the others are released by one from the collective
/// that they are in or call next. So are ranks that would wait for ever, because calls don't fit:
/// other collectives, sizes, roots or offsets than another rank's, or none while it waits. Both
/// throw std::logic_error, which names ranks (of this launch) and calls. Throws MachineError when
/// the system starts no more threads.
///
/// What is sent is copied when the call begins: O(bytes) memory for each call under way. Ranks
/// sleep while they wait.
void run_ranks(std::size_t size, const std::function<void(Communicator&)>& body);

}  // namespace bellmark
