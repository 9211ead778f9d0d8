// Ranks that are threads of this process: tests of distributed searches run so.
#pragma once

#include <cstddef>
#include <functional>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark {

/// Calls body(ranks) in `size` threads, one a rank, and returns when all have returned. Within it
/// world() is the same communicator. This thread is rank 0.
///
/// Throws the first exception that a rank threw. An exception releases the other ranks from the
/// collective that they are in or call next. Ranks that would wait for ever are released too,
/// because their calls don't fit. Another rank then calls another collective, or has other sizes,
/// roots or offsets, or calls none. Both throw std::logic_error, which names ranks (of this launch)
/// and calls. Throws MachineError when the system starts no more threads.
///
/// Data are copied when the call that sends them begins: O(bytes) memory for each call under way.
/// Ranks sleep while they wait.
void run_ranks(std::size_t size, const std::function<void(Communicator&)>& body);

}  // namespace bellmark
