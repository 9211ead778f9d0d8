// Ranks that are MPI processes, under the communicator interface of algorithms. Only programs that
// an MPI launcher starts link it.
#pragma once

#include <cstddef>
#include <memory>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark {

/// MPI from its start to its end: one in each process. It is made first in main(), outside of any
/// try whose handler ends the ranks. Only the thread that made it calls MPI (MPI_THREAD_FUNNELED).
class MpiSession {
 public:
  /// An MPI count is an int. Longer messages are split.
  static constexpr std::size_t kMessageBytes = std::size_t{1} << 30;

  /// Throws MachineError when this MPI allows a process no further threads.
  MpiSession(int& argc, char**& argv);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  /// Waits for the other ranks, unless an exception ends this one.
  ~MpiSession();

  /// All processes of the launch, apart from any other traffic: collective. The session must
  /// outlive it. No message exceeds `message_bytes` (a multiple of 8 up to kMessageBytes).
  std::unique_ptr<Communicator> communicator(
      std::shared_ptr<Progress> progress = std::make_shared<Progress>(),
      std::size_t message_bytes = kMessageBytes);

  /// Ends all ranks of the launch at once, whatever they do. A rank that failed calls it after it
  /// has reported the reason. The launcher's exit code is not 0.
  [[noreturn]] void abort(int exit_code);
};

}  // namespace bellmark
