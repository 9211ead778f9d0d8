// Threads that a variant makes once, in prepare(), and sets to work again and again.
#pragma once

#include <condition_variable>
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
/// thread and costs nothing. The others sleep between runs and disturb nobody.
class ThreadTeam {
 public:
  /// Makes size - 1 threads and has each enter `context`. Throws MachineError when the system
  /// starts no more threads, and the exceptions of enter_thread().
  ThreadTeam(std::size_t size, const RunContext& context);
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;
  ~ThreadTeam() { end(); }

  std::size_t size() const { return threads_.size() + 1; }

  /// Calls work(0), ..., work(size() - 1), each in its thread. It returns when all have returned,
  /// and their writes can be read then. Throws the first exception that one of them threw. Waking
  /// and awaiting a thread costs some microseconds.
  void run(const std::function<void(std::size_t)>& work);

 private:
  void serve(std::size_t index, const RunContext& context);
  void attempt(const std::function<void(std::size_t)>& work, std::size_t index);
  void await_others();
  void end();

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable done_;
  // All of these are under the mutex.
  const std::function<void(std::size_t)>* work_ = nullptr;  ///< null: the team ends
  std::uint64_t round_ = 0;
  std::size_t busy_count_ = 0;
  std::exception_ptr fault_;

  std::vector<std::thread> threads_;
};

}  // namespace bellmark
