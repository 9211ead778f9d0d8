// Workers: pinned threads with a work area each, fed from one bounded queue. Yasui et al. (2011),
// Algorithm 3: one graph, one work area for each thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "algorithms/searches/served/stop.hpp"
#include "harness/machine/thread_places.hpp"
#include "harness/serve/answer.hpp"
#include "harness/serve/service.hpp"

namespace bellmark::serve {

/// A worker's job: an answer to a request, before the stop.
using Work = std::function<Answer(WorkArea& area, const served::Stop& stop)>;
using Respond = std::function<void(Answer)>;

/// Read while the workers work.
struct WorkerCounts {
  std::string place;  ///< what it is bound to
  double busy_ms;
  double cpu_ms;  ///< processor time
  std::uint64_t request_count;
};
struct QueueCounts {
  std::size_t length;
  std::size_t limit;
  std::size_t longest;
};

class Workers {
 public:
  /// Starts them and waits until each is at its place. Throws MachineError if one can't be bound.
  /// `places`, `warm` and `stop` must outlive it. `stop` ends searches. Each worker calls `warm`
  /// before it takes work.
  Workers(std::size_t count, std::size_t queue_limit, std::chrono::milliseconds deadline,
          machine::ThreadPlaces& places, const std::function<void(WorkArea&)>& warm,
          const std::atomic<bool>& stop);
  /// Answers waiting requests, which the stop shortens, and ends.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// False if the queue is full. Otherwise `respond` is called later, on another thread. The
  /// deadline counts from the call on.
  bool take(Work work, Respond respond);

  std::vector<WorkerCounts> worker_counts() const;
  QueueCounts queue_counts() const;

 private:
  struct Job {
    Work work;
    Respond respond;
    served::Stop::Clock::time_point deadline;
  };
  struct Worker {
    std::atomic<std::uint64_t> busy_ns{0};
    std::atomic<std::uint64_t> cpu_ns{0};
    std::atomic<std::uint64_t> request_count{0};
    std::string place;
    std::string failure;
    std::thread thread;
  };

  void work(std::size_t index, const std::function<void(WorkArea&)>& warm);
  void end();

  std::size_t queue_limit_;
  std::chrono::milliseconds deadline_;
  machine::ThreadPlaces& places_;
  const std::atomic<bool>& stop_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::condition_variable ready_;
  std::size_t ready_count_ = 0;
  std::deque<Job> queue_;
  std::size_t longest_ = 0;
  bool is_ending_ = false;
  std::deque<Worker> workers_;
};

}  // namespace bellmark::serve
