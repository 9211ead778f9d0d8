// Threads that a variant makes once, in prepare(), and sets to work again and again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "algorithms/contract/run_context.hpp"

namespace bellmark {

/// A fixed number of threads. Thread 0 is the one that calls run(), so that a team of one makes no
/// thread and costs nothing; the others sleep between runs, and disturb nobody.
class ThreadTeam {
 public:
  /// Makes size - 1 threads and has each enter `context`. Throws MachineError when the system
  /// starts no more threads, and what enter_thread() throws.
  ThreadTeam(std::size_t size, const RunContext& context);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam() { end(); }

  std::size_t size() const { return threads_.size() + 1; }

  /// Calls work(0), ..., work(size() - 1), each in its thread, and returns when all have returned:
  /// what they wrote can be read then. Throws the first exception that one of them threw. Waking
  /// and awaiting a thread costs some microseconds.
  void run(const std::function<void(std::size_t)>& work);

 private:
  void serve(std::size_t index, const RunContext& context);
  void attempt(const std::function<void(std::size_t)>& work, std::size_t index);
  void begin_round();
  void await_others();
  void end();

  // Threads sleep on the round's number and not under a mutex, which they would take one after the
  // other when they wake: of all that a run costs, waking is the most.
  const std::function<void(std::size_t)>* work_ = nullptr;  ///< of the round; null: the team ends
  std::atomic<std::uint32_t> round_ = 0;
  std::atomic<std::uint32_t> busy_count_ = 0;
  std::mutex mutex_;
  std::exception_ptr fault_;  ///< under the mutex

  std::vector<std::thread> threads_;
};

}  // namespace bellmark
