#include "harness/serve/workers.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "base/error.hpp"
#include "harness/serve/cpu_clock.hpp"
#include "harness/serve/guarded.hpp"

namespace bellmark::serve {

Workers::Workers(std::size_t count, std::size_t queue_limit, std::chrono::milliseconds deadline,
                 machine::ThreadPlaces& places, const std::function<void(WorkArea&)>& warm,
                 const std::atomic<bool>& stop)
    : queue_limit_(queue_limit),
      deadline_(deadline),
      places_(places),
      stop_(stop),
      workers_(count) {
  try {
    for (std::size_t i = 0; i < count; ++i) {
      workers_[i].thread = std::thread([this, i, &warm] { work(i, warm); });
    }
  } catch (...) {  // no more threads are available
    end();
    throw;
  }
  std::unique_lock lock(mutex_);
  ready_.wait(lock, [&] { return ready_count_ == count; });
  lock.unlock();
  for (std::size_t i = 0; i < count; ++i) {
    if (workers_[i].failure.empty()) continue;
    end();
    throw MachineError("worker " + std::to_string(i), workers_[i].failure,
                       "name other places with -c");
  }
}

Workers::~Workers() { end(); }

void Workers::end() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  for (Worker& worker : workers_) {
    if (worker.thread.joinable()) worker.thread.join();
  }
}

bool Workers::take(Work work, Respond respond) {
  {
    const std::lock_guard lock(mutex_);
    if (is_ending_ || queue_.size() >= queue_limit_) return false;
    queue_.push_back({std::move(work), std::move(respond), served::Stop::Clock::now() + deadline_});
    longest_ = std::max(longest_, queue_.size());
  }
  changed_.notify_one();
  return true;
}

void Workers::work(std::size_t index, const std::function<void(WorkArea&)>& warm) {
  Worker& self = workers_[index];
  WorkArea area;
  try {
    places_.enter(index);
    // Memory is first touched by its user.
    warm(area);
  } catch (const std::exception& error) {
    self.failure = error.what();
  }
  {
    const std::lock_guard lock(mutex_);
    ++ready_count_;
  }
  ready_.notify_one();
  for (;;) {
    Job job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      job = std::move(queue_.front());
      queue_.pop_front();
    }
    const auto begin = served::Stop::Clock::now();
    const std::uint64_t cpu_begin = cpu_ns();
    const served::Stop stop(job.deadline, &stop_);
    job.respond(guarded([&] {
      if (stop.now()) throw served::Stopped();
      return job.work(area, stop);
    }));
    const auto taken = served::Stop::Clock::now() - begin;
    self.busy_ns += static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
    self.cpu_ns += cpu_ns() - cpu_begin;
    ++self.request_count;
  }
}

std::vector<WorkerCounts> Workers::worker_counts() const {
  std::vector<WorkerCounts> counts;
  for (std::size_t i = 0; i < workers_.size(); ++i) {
    const auto found = places_.threads().find(i);
    counts.push_back({found == places_.threads().end() ? "" : found->second.resolved,
                      as_ms(workers_[i].busy_ns.load()), as_ms(workers_[i].cpu_ns.load()),
                      workers_[i].request_count.load()});
  }
  return counts;
}

QueueCounts Workers::queue_counts() const {
  const std::lock_guard lock(mutex_);
  return {queue_.size(), queue_limit_, longest_};
}

}  // namespace bellmark::serve
